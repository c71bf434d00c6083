"""Word recall by tesseract, opt-in: for pictures in fonts we cannot draw ourselves."""

from __future__ import annotations

from typing import Any

from ..diagram import tesseract


def ocr_recall(picture: Any, expected: list[str]) -> float:
    """Share of the expected words that tesseract reads, in any order (1.5 to 3 s a page).

    Raises UserError when tesseract is not installed or fails.
    """
    read = tesseract(picture, "--psm", "6").lower().split()
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
