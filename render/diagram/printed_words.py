"""Words printed in a picture and where they stand, read by tesseract where it is installed."""

from __future__ import annotations

import math
import subprocess
from typing import TYPE_CHECKING, Any

from ...base.pictures import encode_png
from ...errors import UserError

if TYPE_CHECKING:
    from PIL import Image

Box = tuple[int, int, int, int]  # left, top, right, bottom in pixels
Word = tuple[str, Box]
ENLARGED = 3  # times: tesseract misses small letters
COLUMNS = 12  # of tesseract's table; the last is the word


def tesseract(picture: Any, *options: str) -> str:
    """What tesseract prints about a picture. Raises UserError when it is missing or fails."""
    try:
        result = subprocess.run(
            ["tesseract", "stdin", "stdout", *options],
            input=encode_png(picture.convert("RGB")),
            capture_output=True,
            timeout=120,
            check=True,
        )
    except FileNotFoundError as error:
        raise UserError(
            "tesseract is not installed", "install it, or do without OCR"
        ) from error
    except (subprocess.CalledProcessError, subprocess.TimeoutExpired) as error:
        raise UserError(f"tesseract failed: {error}", "do without OCR") from error
    return result.stdout.decode("utf-8", "replace")


def find_words(picture: Image.Image, text: str) -> list[Box]:
    """Boxes of the runs of words on one line that read as `text`, blanks and case aside."""
    from PIL import Image as Pillow

    size = (ENLARGED * picture.width, ENLARGED * picture.height)
    large = picture.resize(size, Pillow.Resampling.LANCZOS)
    target = "".join(text.split()).lower()
    boxes = []
    for line in _lines(tesseract(large, "--psm", "12", "tsv")):
        for start in range(len(line)):
            words = _words_that_read(line[start:], target)
            if words:
                boxes.append(_box_around([box for _, box in words]))
    return boxes


def _words_that_read(words: list[Word], target: str) -> list[Word]:
    """The first words that read as the target together, without stops around them; or none."""
    reading = ""
    for count, (word, _) in enumerate(words, 1):
        reading += word.lower()
        if target in (reading, reading.strip(".,;:")):
            return words[:count]
    return []


def _box_around(boxes: list[Box]) -> Box:
    """A box around words, in pixels of the picture that was enlarged."""
    lefts, tops, rights, bottoms = zip(*boxes, strict=True)
    return (
        min(lefts) // ENLARGED,
        min(tops) // ENLARGED,
        math.ceil(max(rights) / ENLARGED),
        math.ceil(max(bottoms) / ENLARGED),
    )


def _lines(table: str) -> list[list[Word]]:
    """The words of tesseract's table, line by line."""
    lines: dict[tuple[str, ...], list[Word]] = {}
    for row in table.splitlines()[1:]:
        cells = row.split("\t")
        if len(cells) != COLUMNS or not (word := cells[-1].strip()):
            continue
        left, top, width, height = map(int, cells[6:10])
        box = (left, top, left + width, top + height)
        page_block_paragraph_line = tuple(cells[1:5])
        lines.setdefault(page_block_paragraph_line, []).append((word, box))
    return list(lines.values())
