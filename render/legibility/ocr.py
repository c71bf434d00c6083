"""What tesseract reads of a picture, opt-in: words in fonts we cannot draw, values in diagrams."""

from __future__ import annotations

import re
import subprocess
from typing import Any

from ...errors import UserError
from ...pictures import encode_png

_LARGE = 1400  # pixels of the long side: letters of small diagrams must be enlarged to be read


def read_text(picture: Any, layout: int = 6) -> str:
    """What tesseract reads (1.5 to 3 s a page); `layout` is its page segmentation mode.

    Raises UserError when tesseract is not installed or fails.
    """
    try:
        result = subprocess.run(
            ["tesseract", "stdin", "stdout", "--psm", str(layout)],
            input=encode_png(picture.convert("RGB")),
            capture_output=True,
            timeout=120,
            check=True,
        )
    except FileNotFoundError as error:
        raise UserError("tesseract is not installed", "install it, or do without OCR") from error
    except (subprocess.CalledProcessError, subprocess.TimeoutExpired) as error:
        raise UserError(f"tesseract failed: {error}", "do without OCR") from error
    return result.stdout.decode("utf-8", "replace")


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
