"""Outlines of formulas in em units, and what is built of them: rows, stacks, frames, strokes.

Every box knows its ink: the characters and strokes that its outline holds, by the glyphs that were
drawn, for the comparison with what the formula says (`latex.expected_ink`).
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from typing import Any, NamedTuple

import msgspec
import numpy as np

from ..ink import BAR, BOX, STRIKE, Ink

Array = np.ndarray[Any, np.dtype[Any]]
Outline = tuple[Array, Array]  # vertices (n, 2) in em, Matplotlib's path codes (n,)
MOVE, LINE_TO, CLOSE = 1, 2, 79  # Matplotlib's path codes
AXIS = 0.31  # em above the baseline: where bars and minus signs of DejaVu Sans stand
CAPITAL = 0.73  # em: how high capitals and digits of DejaVu Sans are
LINE = 0.06  # em: how thick a bar is


class RefusedError(Exception):
    """No engine draws this formula; the text says why."""


class MathBox(msgspec.Struct, frozen=True):
    """A formula's outline; x to the right, y up from the baseline, in em."""

    vertices: Array
    codes: Array
    width: float
    ascent: float
    descent: float
    ink: Ink
    # how many vertices have which colour, in order; none: all are black
    colours: tuple[tuple[int, str], ...] = ()


def make_box(outlines: Sequence[Outline], width: float, ink: Ink) -> MathBox:
    """A box of outlines, with the extent of their ink."""
    filled = [outline for outline in outlines if len(outline[0])]
    if not filled:
        return MathBox(np.zeros((0, 2)), np.zeros(0, np.uint8), width, 0.0, 0.0, ink)
    vertices = np.concatenate([vertices for vertices, _ in filled])
    codes = np.concatenate([codes for _, codes in filled])
    heights = vertices[:, 1]
    ascent = max(float(heights.max()), 0.0)
    descent = max(-float(heights.min()), 0.0)
    return MathBox(vertices, codes, width, ascent, descent, ink)


def closed(points: Sequence[tuple[float, float]] | Array) -> Outline:
    """The outline of a polygon, whose first point stands again at its end."""
    codes = [MOVE, *[LINE_TO] * (len(points) - 2), CLOSE]
    return np.array(points, float), np.array(codes, np.uint8)


def rectangle(x: float, y: float, width: float, height: float) -> Outline:
    """A bar with its lower left corner at (x, y)."""
    right = x + width
    top = y + height
    return closed([(x, y), (right, y), (right, top), (x, top), (x, y)])


class Placed(NamedTuple):
    """A box with the place of its baseline's left end, in em, and its size."""

    box: MathBox
    x: float = 0.0
    y: float = 0.0
    size: float = 1.0


def assembled(
    parts: Sequence[Placed],
    width: float,
    bars: Sequence[Outline] = (),
    ink: Ink | None = None,
) -> MathBox:
    """Boxes where they are placed, with bars (in em) whose ink is given, as one box."""
    outlines = [
        (part.box.vertices * part.size + (part.x, part.y), part.box.codes)
        for part in parts
    ]
    outlines += bars
    total = sum((part.box.ink for part in parts), Counter(ink or {}))
    box = make_box(outlines, width, total)
    if not any(part.box.colours for part in parts):
        return box
    runs = [run for part in parts for run in _colours(part.box)]
    runs += [(len(vertices), "") for vertices, _ in bars]
    return msgspec.structs.replace(box, colours=tuple(runs))


def _colours(box: MathBox) -> tuple[tuple[int, str], ...]:
    """The runs of a box's vertices with their colours; "" has none of its own."""
    return box.colours or ((len(box.vertices), ""),)


def beside(boxes: Sequence[MathBox], gaps: Sequence[float]) -> MathBox:
    """Boxes in a row on one baseline; `gaps` are before each box."""
    x = 0.0
    parts = []
    for box, gap in zip(boxes, gaps, strict=True):
        parts.append(Placed(box, x + gap))
        x += gap + box.width
    return assembled(parts, x)


def framed(box: MathBox, pad: float = 0.15, line: float = 0.05) -> MathBox:
    r"""The box that `\boxed` asks for, as four bars."""
    right = box.width + 2 * pad + 2 * line
    top = max(box.ascent, 0.75) + pad
    bottom = -box.descent - pad
    bars = [
        rectangle(0.0, bottom - line, right, line),
        rectangle(0.0, top, right, line),
        rectangle(0.0, bottom, line, top - bottom),
        rectangle(right - line, bottom, line, top - bottom),
    ]
    return assembled([Placed(box, pad + line)], right, bars, Counter([BOX]))


def struck(box: MathBox, ways: str = "/", line: float = 0.08) -> MathBox:
    r"""The strokes of `\cancel`: `/` from lower left to upper right, `\` the other way, or both."""
    low = -box.descent
    high = box.ascent
    width = box.width
    heights = {"/": (low, high), "\\": (high, low)}  # on the left, on the right
    strokes = []
    for way in ways:
        left, right = heights[way]
        start = (0.0, left)
        end = (width, right)
        above = (0.0, left + line), (width, right + line)
        strokes.append(closed([start, *above, end, start]))
    return assembled([Placed(box)], box.width, strokes, Counter({STRIKE: len(ways)}))


def ring(box: MathBox, ink: Ink, line: float = 0.05) -> MathBox:
    """A box in a circle around the height of minus signs, both as high as a capital."""
    size, outer = 0.6, 0.47
    angles = np.linspace(0, 2 * np.pi, 49)
    circle = np.stack([np.cos(angles), np.sin(angles)], 1)
    middle = np.array([outer, AXIS + 0.06])
    edges = [
        closed(middle + outer * circle),
        closed(middle + (outer - line) * circle[::-1]),  # the hole runs the other way
    ]
    x = outer - size * box.width / 2
    y = middle[1] - size * (box.ascent - box.descent) / 2
    return assembled([Placed(box, x, y, size)], 2 * outer, edges, ink)


def fraction(
    above: MathBox, below: MathBox, size: float, *, bar: bool = True, wide: bool = False
) -> MathBox:
    """One box above another, around the height of minus signs; `wide` where it stands alone."""
    width = max(above.width, below.width) * size + 0.16
    gap = 0.1
    if bar:
        gap = 0.2 if wide else 0.13
    rise = above.descent * size
    fall = max(below.ascent, CAPITAL) * size  # all denominators stand on one line
    parts = [
        _centred(above, width, AXIS + gap + rise, size),
        _centred(below, width, AXIS - gap - fall, size),
    ]
    if not bar:
        return assembled(parts, width)
    line = rectangle(0.02, AXIS - LINE / 2, width - 0.04, LINE)
    return assembled(parts, width, [line], Counter([BAR]))


def _centred(box: MathBox, width: float, y: float, size: float) -> Placed:
    """A box in the middle of so wide a room, its baseline at a height."""
    return Placed(box, (width - box.width * size) / 2, y, size)


def rooted(box: MathBox, index: MathBox | None = None, line: float = 0.06) -> MathBox:
    r"""The sign of `\sqrt` before and over a box, with a small index on its hook."""
    size, gap = 0.5, 0.12
    left = max(0.0, index.width * size - 0.25) if index else 0.0
    low = -box.descent - 0.08
    top = max(box.ascent, 0.6) + gap
    hook = low + 0.45 * (top - low)
    width = 0.66 + box.width + 0.08
    points = [
        (0.0, hook),
        (0.16, hook + 0.06),
        (0.34, low + 0.2),
        (0.55, top + line),
        (width, top + line),
        (width, top),
        (0.62, top),
        (0.37, low),
        (0.3, low),
        (0.11, hook - 0.02),
        (0.0, hook),
    ]
    sign = closed(np.add(points, (left, 0.0)))
    parts = [Placed(box, left + 0.66)]
    if index:
        start = left + 0.25 - index.width * size
        parts.append(Placed(index, start, hook + 0.2, size))
    return assembled(parts, left + width, [sign], Counter({"√": 1, BAR: 1}))


def stacked(
    base: MathBox, over: MathBox | None, under: MathBox | None, size: float
) -> MathBox:
    """Small boxes centred over and under a base that keeps its baseline."""
    gap = 0.12
    width = max([base.width, *(size * box.width for box in (over, under) if box)])
    parts = [Placed(base, (width - base.width) / 2)]
    if over:
        y = base.ascent + gap + over.descent * size
        parts.append(_centred(over, width, y, size))
    if under:
        y = -base.descent - gap - under.ascent * size
        parts.append(_centred(under, width, y, size))
    return assembled(parts, width)


def scripted(
    base: MathBox,
    above: MathBox | None,
    below: MathBox | None,
    size: float,
    *,
    sign: bool,
    lean: float = 0.0,
) -> MathBox:
    """A base with scripts raised and lowered behind it (The TeXbook, appendix G, rule 18).

    `sign` is one character, whose own height does not count; it leans to the right by `lean`.
    """
    kern = 0.02
    up = 0.41
    down = 0.31 if above and below else 0.16
    if not sign:
        up = max(base.ascent - 0.27 * size / 0.7, up)
        down = max(base.descent + 0.03, down)
    if above:
        up = max(up, above.descent * size + 0.14)
    if below:
        down = max(down, below.ascent * size - 0.44)
    if above and below:
        room_above = up - above.descent * size
        room_below = down - below.ascent * size
        down += max(0.0, 0.12 - room_above - room_below)
    parts = [Placed(base)]
    if above:
        parts.append(Placed(above, base.width + kern + lean, up, size))
    if below:
        start = base.width if lean else base.width + kern
        parts.append(Placed(below, start, -down, size))
    right = max(part.x + part.size * part.box.width for part in parts)
    return assembled(parts, right + 0.03)


def coloured(box: MathBox, colour: str) -> MathBox:
    """The box in one colour, but for what has a colour of its own."""
    runs = tuple((count, inner or colour) for count, inner in _colours(box))
    return msgspec.structs.replace(box, colours=runs)
