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
    present = all(
        n <= pictures for option in options for n in pictures_named(option.text)
    )
    texts = [o.text if present else _PICTURE.sub("", o.text) for o in options]
    bare = (text.strip().strip(".．、:()（） ") for text in texts)
    says = any(
        text != o.label and (text or present)
        for o, text in zip(options, bare, strict=True)
    )
    return list(options) if says else []


def option_blocks_of(
    options: Sequence[Option],
    pictures: Sequence[Any],
    em: int,
    place: tuple[float, float, float],
    report: Reporter,
    cjk: str | None,
) -> tuple[set[int], list[Block], float]:
    """A grid with rows as even as the widest option allows; letters keep their option.

    `place` is (x, y, width). Also returns which pictures the options took, and where the grid ends.
    """
    x, y, width = place
    options = printed_options(options, len(pictures))
    if not options:
        return set(), [], y
    named = [n for option in options for n in pictures_named(option.text)]
    own = (
        pictures if max(named, default=0) <= len(pictures) else ()
    )  # merged in one: it stands below
    by_label = {o.label: _option_picture(o.text, own) for o in options}
    indent = (
        max(natural_width(f"{o.label}. ", em, report, cjk) for o in options) + 0.3 * em
    )
    widest = max(natural_width(o.text, em, report, cjk) for o in options)
    widest = max([widest, *(p.width for _, p in by_label.values() if p)])
    even = [n for n in (6, 5, 4, 3, 2) if len(options) % n == 0]
    columns = next((n for n in (*even, 2) if indent + widest + em <= width / n), 1)
    cell = width / columns
    blocks: list[Block] = []
    y += 0.4 * em
    for start in range(0, len(options), columns):
        cells = []
        for k, option in enumerate(options[start : start + columns]):
            left = x + k * cell
            letter, _ = text_blocks(f"{option.label}.", em, cell, left, y, report, cjk)
            body, end = text_blocks(
                option.text, em, cell - indent - em / 2, left + indent, y, report, cjk
            )
            picture = by_label[option.label][1]
            if picture is not None:
                body.append(
                    Block(left + indent, end, _fitted(picture, int(cell - indent - em)))
                )
            cells += [letter, body]
        row, y = _on_one_baseline(cells, y)
        blocks += row
        y += 0.25 * em
    return {n for n, picture in by_label.values() if picture is not None}, blocks, y


def _on_one_baseline(cells: list[list[Block]], y: float) -> tuple[list[Block], float]:
    """Cells moved down so that the first lines of a row share their baseline."""
    rise = max(_ascent(cell) for cell in cells)
    moved = [
        Block(
            block.x,
            block.y + (rise - _ascent(cell) if _ascent(cell) else 0),
            block.content,
        )
        for cell in cells
        for block in cell
    ]
    return moved, max([y, *(block.y + height(block) for block in moved)])


def _ascent(cell: list[Block]) -> float:
    return getattr(cell[0].content, "ascent", 0.0) if cell else 0.0


def height(block: Block) -> float:
    """Pixels a block takes downwards."""
    content = block.content
    return (
        float(content.ascent + content.descent)
        if hasattr(content, "ascent")
        else content.height
    )


def _option_picture(text: str, pictures: Sequence[Any]) -> tuple[int, Any]:
    """Number and picture that an option's `<imageN>` names."""
    number = next((n for n in pictures_named(text) if 1 <= n <= len(pictures)), 0)
    return number, pictures[number - 1] if number else None


def _fitted(picture: Any, width: int) -> Any:
    scale = min(1.0, width / picture.width)
    target = (
        max(1, round(picture.width * scale)),
        max(1, round(picture.height * scale)),
    )
    return flat(picture, target)


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
