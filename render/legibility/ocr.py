"""Word recall by tesseract, opt-in: for pictures in fonts we cannot draw ourselves."""

from __future__ import annotations

import subprocess
from typing import Any

from ...errors import UserError
from ...pictures import encode_png


def ocr_recall(picture: Any, expected: list[str]) -> float:
    """Share of the expected words that tesseract reads, in any order (1.5 to 3 s a page).

    Raises UserError when tesseract is not installed or fails.
    """
    try:
        result = subprocess.run(
            ["tesseract", "stdin", "stdout", "--psm", "6"],
            input=encode_png(picture.convert("RGB")),
            capture_output=True,
            timeout=120,
            check=True,
        )
    except FileNotFoundError as error:
        raise UserError("tesseract is not installed", "install it, or leave --ocr out") from error
    except (subprocess.CalledProcessError, subprocess.TimeoutExpired) as error:
        raise UserError(f"tesseract failed: {error}", "leave --ocr out") from error
    read = result.stdout.decode("utf-8", "replace").lower().split()
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
