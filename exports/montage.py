"""Several pictures as one, for layouts that hold one: MATH-V pastes all figures of a problem."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from ..base.pictures import MAX_PIXELS, encode_png, load_picture
from ..errors import UserError
from ..problem import Image, Problem, Sample

GAP = 16  # pixels between pictures
LETTER = 20  # pixels, height of an option's letter


def montage(record: Problem | Sample, release: Path) -> bytes:
    """PNG of the record's pictures below one another, the options' under their letters.

    Raises UserError where the whole would have more than MAX_PIXELS.
    """
    tiles, heights = _tiles(record)
    width, height = size = _size(tiles, heights)
    if is_too_large(record):
        raise UserError(
            f"{tiles[0][1].path} and the other pictures of its problem make "
            f"{width} x {height} pixels",
            f"the limit is {MAX_PIXELS:,}: make them smaller",
        )
    return encode_png(_pasted(tiles, heights, size, release))


def is_too_large(record: Problem | Sample) -> bool:
    """Whether one picture of all the record's would have more than MAX_PIXELS."""
    width, height = _size(*_tiles(record))
    return width * height > MAX_PIXELS


def _tiles(record: Problem | Sample) -> tuple[list[tuple[str, Image]], list[int]]:
    """Letters with pictures, and how high each stands."""
    tiles = [("", image) for image in record.images]
    tiles += [(f"({o.label})", o.image) for o in record.options if o.image is not None]
    return tiles, [
        i.height + (LETTER + GAP // 2 if letter else 0) for letter, i in tiles
    ]


def _size(tiles: list[tuple[str, Image]], heights: list[int]) -> tuple[int, int]:
    width = max((image.width for _, image in tiles), default=0)
    return width, sum(heights) + GAP * (len(tiles) - 1)


def _pasted(
    tiles: list[tuple[str, Image]],
    heights: list[int],
    size: tuple[int, int],
    release: Path,
) -> Any:
    from PIL import Image as Pillow
    from PIL import ImageDraw, ImageFont

    sheet = Pillow.new("RGB", size, "white")
    draw, font, top = ImageDraw.Draw(sheet), ImageFont.load_default(LETTER), 0
    for (letter, image), height in zip(tiles, heights, strict=True):
        picture = load_picture(release, image).convert("RGBA")
        draw.text((0, top), letter, fill="black", font=font)
        sheet.paste(picture, (0, top + height - image.height), picture)
        top += height + GAP
    return sheet
