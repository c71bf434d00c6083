"""What tesseract reads of a picture, opt-in: words in fonts we cannot draw, values in diagrams."""

from __future__ import annotations

import re
from collections import Counter
from typing import Any

from ...latex import replace_maths
from ..diagram import tesseract

_LARGE = 1400  # pixels of the long side: letters of small diagrams must be enlarged to be read
_NUMBER = re.compile(r"\d+(?:\.\d+)?")
_PICTURE = re.compile(r"<image\d+>")
_WORD = re.compile(r"[A-Za-z'’-]{2,}")


def read_text(picture: Any, layout: int = 6) -> str:
    """What tesseract reads (1.5 to 3 s a page); `layout` is its page segmentation mode.

    Raises UserError when tesseract is not installed or fails.
    """
    return tesseract(picture, "--psm", str(layout))


def printed_numbers(picture: Any) -> frozenset[str]:
    """The numbers that can be read in a diagram, as they are written.

    Raises UserError when tesseract is not installed or fails.
    """
    from PIL import Image

    scale = min(4.0, max(1.0, _LARGE / max(picture.size)))
    size = tuple(max(1, round(side * scale)) for side in picture.size)
    large = picture.convert("RGB").resize(size, Image.Resampling.LANCZOS)
    return frozenset(_NUMBER.findall(read_text(large, layout=11)))


def words_of(text: str) -> list[str]:
    """The words a page shows for a text, without mathematics: what OCR can look for.

    >>> words_of("Find $x$ in (a), where AB = 3.")
    ['Find', 'in', 'where', 'AB']
    """
    # a word with a formula is none
    plain = replace_maths(_PICTURE.sub(" ", text), lambda _: "$")
    words = [word.rstrip(".,;:?!") for word in plain.split()]
    return [word for word in words if _WORD.fullmatch(word)]


def lost_words(picture: Any, expected: list[str]) -> list[str]:
    """The expected words that tesseract does not read, as often as they are expected.

    Raises UserError when tesseract is not installed or fails.
    """
    words = read_text(picture).lower().split()
    counts = Counter(word.strip(".,;:?!()") for word in words)
    lost = []
    for word in expected:
        counts[word.lower()] -= 1
        if counts[word.lower()] < 0:
            lost.append(word)
    return lost
