"""Several pictures as one, for layouts that hold one: MATH-V pastes all figures of a problem."""

from __future__ import annotations

from pathlib import Path
from typing import Any, NamedTuple

from ..base.pictures import MAX_PIXELS, encode_png, load_picture
from ..errors import UserError
from ..problem import Image, Problem, Sample

GAP = 16  # pixels between pictures
LETTER = 20  # pixels, height of an option's letter


def montage(record: Problem | Sample, release: Path) -> bytes:
    """PNG of the record's pictures below one another, the options' under their letters.

    Raises UserError where the whole would have more than MAX_PIXELS.
    """
    tiles = _tiles(record)
    width, height = _size(tiles)
    if is_too_large(record):
        raise UserError(
            f"{tiles[0].image.path} and the other pictures of its problem make "
            f"{width} x {height} pixels",
            f"the limit is {MAX_PIXELS:,}: make them smaller",
        )
    return encode_png(_pasted(tiles, (width, height), release))


def is_too_large(record: Problem | Sample) -> bool:
    """Whether one picture of all the record's would have more than MAX_PIXELS."""
    width, height = _size(_tiles(record))
    return width * height > MAX_PIXELS


class _Tile(NamedTuple):
    """A picture, the letter of an option above it, and the height of both."""

    letter: str
    image: Image
    height: int


def _tiles(record: Problem | Sample) -> list[_Tile]:
    tiles = [_Tile("", image, image.height) for image in record.images]
    for option in record.options:
        if option.image is not None:
            height = option.image.height + LETTER + GAP // 2
            tiles.append(_Tile(f"({option.label})", option.image, height))
    return tiles


def _size(tiles: list[_Tile]) -> tuple[int, int]:
    width = max((tile.image.width for tile in tiles), default=0)
    height = sum(tile.height for tile in tiles)
    return width, height + GAP * (len(tiles) - 1)


def _pasted(tiles: list[_Tile], size: tuple[int, int], release: Path) -> Any:
    from PIL import Image as Pillow
    from PIL import ImageDraw, ImageFont

    sheet = Pillow.new("RGB", size, "white")
    draw = ImageDraw.Draw(sheet)
    font = ImageFont.load_default(LETTER)
    top = 0
    for tile in tiles:
        picture = load_picture(release, tile.image).convert("RGBA")
        draw.text((0, top), tile.letter, fill="black", font=font)
        sheet.paste(picture, (0, top + tile.height - tile.image.height), picture)
        top += tile.height + GAP
    return sheet
