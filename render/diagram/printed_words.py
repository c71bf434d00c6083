"""Words printed in a picture and where they stand, read by tesseract where it is installed."""

from __future__ import annotations

import subprocess
from typing import TYPE_CHECKING, Any

from ...base.pictures import encode_png
from ...errors import UserError

if TYPE_CHECKING:
    from PIL import Image

Box = tuple[int, int, int, int]  # left, top, right, bottom in pixels


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

    large = picture.resize(
        (3 * picture.width, 3 * picture.height), Pillow.Resampling.LANCZOS
    )
    wanted, found = "".join(text.split()).lower(), []
    for line in _lines(tesseract(large, "--psm", "12", "tsv")):
        for start in range(len(line)):
            read = ""
            for stop in range(start, len(line)):
                read += line[stop][0].lower()
                if read.strip(".,;:") == wanted or read == wanted:
                    boxes = [box for _, box in line[start : stop + 1]]
                    lows, highs = zip(*[(b[:2], b[2:]) for b in boxes], strict=True)
                    low, high = (
                        map(min, zip(*lows, strict=True)),
                        map(max, zip(*highs, strict=True)),
                    )
                    found.append((*(v // 3 for v in low), *(-(-v // 3) for v in high)))
                    break
    return found  # type: ignore[return-value]  # four numbers each


def _lines(table: str) -> list[list[tuple[str, Box]]]:
    """The words of tesseract's table, line by line."""
    lines: dict[tuple[str, ...], list[tuple[str, Box]]] = {}
    for row in table.splitlines()[1:]:
        cells = row.split("\t")
        if len(cells) == 12 and cells[11].strip():
            left, top, width, height = map(int, cells[6:10])
            box = (left, top, left + width, top + height)
            lines.setdefault(tuple(cells[1:5]), []).append((cells[11].strip(), box))
    return list(lines.values())
