"""The parts of a page: text, a grid of options, pictures on white; each becomes placed blocks."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Any

import msgspec

from ...problem import Option
from ..typeset import Reporter, lines_of, natural_width

_PICTURE = re.compile(r"<image(\d{1,4})>")


class Block(msgspec.Struct, frozen=True):
    """A line or a picture with the place of its upper left corner."""

    x: float
    y: float
    content: Any  # TypesetLine | PIL.Image.Image


def text_blocks(
    text: str,
    em: int,
    width: float,
    x: float,
    y: float,
    report: Reporter,
    cjk: str | None,
) -> tuple[list[Block], float]:
    """Lines of text from (x, y) downwards, and where they end."""
    blocks = []
    for line in lines_of(text, em, width, report, cjk):
        blocks.append(Block(x, y, line))
        y += line.ascent + line.descent
    return blocks, y


def pictures_named(text: str) -> list[int]:
    """The numbers of the pictures that a text names, `<image1>` being the first.

    >>> pictures_named("see <image2>")
    [2]
    """
    return [int(number) for number in _PICTURE.findall(text)]


def printed_options(options: Sequence[Option], pictures: int) -> list[Option]:
    """The options that a page with so many pictures prints.

    None where they only name their letters, or pictures that are not there one by one: the choices
    are in the picture then, and "A. A" would say nothing.

    >>> printed_options([Option(label="A", text="A"), Option(label="B", text="B")], 1)
    []
    """
    numbers = [n for option in options for n in pictures_named(option.text)]
    are_present = max(numbers, default=0) <= pictures
    for option in options:
        text = option.text if are_present else _PICTURE.sub("", option.text)
        bare = text.strip().strip(".．、:()（） ")
        if bare != option.label and (bare or are_present):
            return list(options)
    return []


def option_pictures(options: Sequence[Option], pictures: int) -> list[list[int]]:
    """The numbers of the pictures that each option shows, of a page with so many.

    None where one names a picture that is not there: all are merged in one, which stands below.

    >>> option_pictures([Option(label="A", text="<image1>"), Option(label="B", text="")], 1)
    [[1], []]
    """
    named = [pictures_named(option.text) for option in options]
    if any(number > pictures for numbers in named for number in numbers):
        return [[] for _ in options]
    return [[number for number in numbers if number] for numbers in named]


def option_blocks_of(
    options: Sequence[Option],
    pictures: Sequence[Any],
    em: int,
    place: tuple[float, float, float],
    report: Reporter,
    cjk: str | None,
) -> tuple[list[Block], float]:
    """A grid with rows as even as the widest option allows; letters keep their option.

    `place` is (x, y, width). Also returns where the grid ends.
    """
    x, y, width = place
    options = printed_options(options, len(pictures))
    if not options:
        return [], y
    own = [
        pictures[numbers[0] - 1] if numbers else None
        for numbers in option_pictures(options, len(pictures))
    ]
    letters = [natural_width(f"{o.label}. ", em, report, cjk) for o in options]
    indent = max(letters) + 0.3 * em
    bodies = [natural_width(o.text, em, report, cjk) for o in options]
    bodies += [picture.width for picture in own if picture]
    columns = _columns(len(options), indent + max(bodies) + em, width)
    cell = width / columns
    blocks: list[Block] = []
    y += 0.4 * em
    numbered = list(zip(options, own, strict=True))
    for start in range(0, len(options), columns):
        cells = []
        for k, (option, picture) in enumerate(numbered[start : start + columns]):
            left = x + k * cell
            letter, _ = text_blocks(f"{option.label}.", em, cell, left, y, report, cjk)
            room = cell - indent - em / 2
            left += indent
            body, end = text_blocks(option.text, em, room, left, y, report, cjk)
            if picture is not None:
                small = _fitted(picture, int(cell - indent - em))
                body.append(Block(left, end, small))
            cells += [letter, body]
        row, y = _on_one_baseline(cells, y)
        blocks += row
        y += 0.25 * em
    return blocks, y


def _columns(options: int, widest: float, width: float) -> int:
    """How many columns there is room for; those that fill all rows come first."""
    even = [n for n in (6, 5, 4, 3, 2) if options % n == 0]
    return next((n for n in (*even, 2) if widest <= width / n), 1)


def _on_one_baseline(cells: list[list[Block]], y: float) -> tuple[list[Block], float]:
    """Cells moved down so that the first lines of a row share their baseline."""
    rise = max(map(_ascent, cells))
    moved = []
    for cell in cells:
        ascent = _ascent(cell)
        down = rise - ascent if ascent else 0
        moved += [Block(block.x, block.y + down, block.content) for block in cell]
    return moved, max([y, *(block.y + height(block) for block in moved)])


def _ascent(cell: list[Block]) -> float:
    return getattr(cell[0].content, "ascent", 0.0) if cell else 0.0


def height(block: Block) -> float:
    """Pixels a block takes downwards."""
    content = block.content
    if hasattr(content, "ascent"):
        return float(content.ascent + content.descent)
    return float(content.height)


def _fitted(picture: Any, width: int) -> Any:
    return flat(picture, scaled_size(picture, min(1.0, width / picture.width)))


def scaled_size(picture: Any, scale: float) -> tuple[int, int]:
    """The size of a picture so many times as large, at least one pixel."""
    return max(1, round(picture.width * scale)), max(1, round(picture.height * scale))


def flat(picture: Any, size: tuple[int, int]) -> Any:
    """On white, without transparency, grey where every pixel is grey, at `size`."""
    from PIL import Image, ImageChops

    if picture.mode in ("RGBA", "LA", "P") or "transparency" in picture.info:
        picture = picture.convert("RGBA")
        white = Image.new("RGBA", picture.size, "white")
        picture = Image.alpha_composite(white, picture).convert("RGB")
    if picture.mode not in ("L", "RGB"):
        picture = picture.convert("RGB")
    if picture.mode == "RGB":
        red, green, blue = picture.split()
        spread: list[Any] = [
            ImageChops.difference(red, c).getextrema() for c in (green, blue)
        ]
        if max(high for _, high in spread) <= 2:
            picture = green
    if picture.size == size:
        return picture
    return picture.resize(size, Image.Resampling.LANCZOS)
