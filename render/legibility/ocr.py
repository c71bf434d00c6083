"""What tesseract reads of a picture, opt-in: words in fonts we cannot draw, values in diagrams."""

from __future__ import annotations

import re
from typing import Any

from ..diagram import tesseract

_LARGE = 1400  # pixels of the long side: letters of small diagrams must be enlarged to be read


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
    return frozenset(re.findall(r"\d+(?:\.\d+)?", read_text(large, layout=11)))


def ocr_recall(picture: Any, expected: list[str]) -> float:
    """Share of the expected words that tesseract reads, in any order.

    Raises UserError when tesseract is not installed or fails.
    """
    read = read_text(picture).lower().split()
    left: dict[str, int] = {}
    for word in read:
        key = word.strip(".,;:?!()")
        left[key] = left.get(key, 0) + 1
    hits = 0
    for word in expected:
        key = word.lower().strip(".,;:?!()")
        if left.get(key, 0):
            left[key] -= 1
            hits += 1
    return hits / len(expected)
