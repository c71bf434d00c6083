"""Where everything of a page stands, on the smallest square that holds it.

A model sees a page of 1,200 pixels at 448 or 768, so a page that is half empty, or long and narrow,
costs every letter on it. Text is first set as wide as it may be; from the room that it and the
pictures take follows the width at which the page is about as wide as high.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from typing import Any

import msgspec
import numpy as np

from ...problem import Option
from ..issues import Issue
from ..reading import letter_height
from ..typeset import TypesetLine
from .blocks import (
    Block,
    flat,
    height,
    option_blocks_of,
    option_pictures,
    printed_options,
    scaled_size,
    text_blocks,
)

MARGIN = 40  # pixels
GAP = 20  # below a picture
CAPITAL = 0.73  # of the em: DejaVu's
OF_TEXT = 0.95  # of the text's capitals: those of a picture
ENLARGED, ENLARGED_BLINDLY = 4.0, 2.2  # at most: by its letters, without any
LEAST = 10  # em: the longer side of a picture that is made smaller
WHITE = 250  # of 255: a border all of whose pixels are as bright is empty
# Pixels: capitals lower than that are named, at the size that models see.
SMALL, SEEN_AT = 8, 448
NARROWEST = 12  # em: text is not set narrower
_DARKER = [255 * (level < WHITE) for level in range(256)]


class Content(msgspec.Struct, frozen=True):
    """What a page shows; `pictures` are Pillow images."""

    question: str
    options: Sequence[Option]
    pictures: Sequence[Any]
    em: int
    cjk_font: str | None = None


class Layout(msgspec.Struct, frozen=True):
    """Placed blocks, the page's size in pixels, and what went wrong, as a set in order."""

    blocks: list[Block]
    width: int
    height: int
    issues: dict[Issue, None]


class _Below(msgspec.Struct, frozen=True):
    """A picture below the text, as large as it is shown, and its capitals' height, if any."""

    picture: Any
    name: str
    capitals: float | None


def lay_out(content: Content, widest: int) -> Layout:
    """The page with text at most `widest` pixels wide, as near to a square as its parts allow."""
    issues: dict[Issue, None] = {}
    count = len(content.pictures)
    options = printed_options(content.options, count)
    beside = set().union(*option_pictures(options, count))
    rest = [(k, p) for k, p in enumerate(content.pictures, 1) if k not in beside]
    below = list(_below(rest, content.em, widest, issues))
    layout = _set(content, below, widest)
    width = _squarer(layout.blocks, below, content.em)
    if width < widest:
        narrow = _set(content, below, width)
        is_clean = narrow.issues.keys() <= layout.issues.keys()
        if is_clean and _side(narrow) < _side(layout):
            layout = narrow
    small = _small(below, SEEN_AT / _side(layout))
    issues = layout.issues | issues | dict.fromkeys(small)
    return msgspec.structs.replace(layout, issues=issues)


def _below(
    pictures: Sequence[tuple[int, Any]], em: int, widest: int, issues: dict[Issue, None]
) -> Iterator[_Below]:
    for number, picture in pictures:
        name = f"picture {number}"
        if min(picture.size) < 16:
            size = f"{picture.width} x {picture.height}"
            what = f"a picture of {size} pixels shows nothing"
            issues[Issue("bad-picture", what, name)] = None
            continue
        plain = flat(picture, picture.size)
        box = plain.convert("L").point(_DARKER).getbbox()
        if box is None:
            issues[Issue("bad-picture", "the picture is all white", name)] = None
            continue
        plain = plain.crop(box)
        letters = letter_height(np.asarray(plain))
        scale = _scale(plain.size, letters, em, widest)
        target = scaled_size(plain, scale)
        yield _Below(flat(plain, target), name, letters and letters * scale)


def _scale(size: tuple[int, int], letters: float | None, em: int, widest: int) -> float:
    """How much a picture is enlarged: its capitals are nearly as high as the text's."""
    fits = min(widest / size[0], 1600 / size[1])
    if letters is None:
        scale = min(ENLARGED_BLINDLY, 0.65 * widest / size[0], 850 / size[1])
        return max(scale, min(1.0, fits))
    scale = min(OF_TEXT * CAPITAL * em / letters, ENLARGED)
    return min(max(scale, min(1.0, LEAST * em / max(size))), fits)


def _set(content: Content, below: Sequence[_Below], inner: int) -> Layout:
    """Question, options and pictures from top to bottom, no wider than `inner`."""
    issues: dict[Issue, None] = {}

    def report(issue: Issue) -> None:
        issues.setdefault(issue)

    em = content.em
    font = content.cjk_font
    blocks, y = text_blocks(content.question, em, inner, MARGIN, MARGIN, report, font)
    option_blocks, y = option_blocks_of(
        content.options, content.pictures, em, (MARGIN, y, inner), report, font
    )
    blocks += option_blocks
    y += em // 2 if blocks else 0
    for item in below:
        blocks.append(Block(MARGIN, y, item.picture))
        y += item.picture.height + GAP
    right = max((block.x + block.content.width for block in blocks), default=inner)
    return Layout(blocks, math.ceil(right) + MARGIN, int(y) + MARGIN, issues)


def _squarer(blocks: Sequence[Block], below: Sequence[_Below], em: int) -> int:
    """The width at which text and pictures would fill a square: w * w = area + w * high."""
    high: int = sum(item.picture.height + GAP for item in below)
    area = 0.0
    widths: list[float] = [NARROWEST * em, *(item.picture.width for item in below)]
    for block in blocks[: len(blocks) - len(below)]:
        area += block.content.width * height(block)
        if isinstance(block.content, TypesetLine):
            widths += [atom.width for _, atom in block.content.atoms]
    root = math.sqrt(high * high + 4 * (1.1 * area))
    return math.ceil(max(*widths, (high + root) / 2))


def _side(layout: Layout) -> int:
    return max(layout.width, layout.height)


def _small(below: Sequence[_Below], shrunk: float) -> Iterator[Issue]:
    """Letters of pictures that stay small where a model sees the page."""
    for item in below:
        capitals = (item.capitals or 0) * shrunk
        if 0 < capitals < SMALL:
            what = f"capitals of {capitals:.1f} pixels on a page seen at {SEEN_AT}"
            yield Issue("small-letters", what, item.name)
