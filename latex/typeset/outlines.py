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
Outline = tuple[Array, Array]  # vertices in em, matplotlib path codes
CLOSE = 79  # matplotlib.path.Path.CLOSEPOLY
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
    colours: tuple[
        tuple[int, str], ...
    ] = ()  # runs of vertices and their colour; (): all black


def make_box(outlines: Sequence[Outline], width: float, ink: Ink) -> MathBox:
    """A box of outlines, with the extent of their ink."""
    filled = [(v, c) for v, c in outlines if len(v)]
    if not filled:
        return MathBox(np.zeros((0, 2)), np.zeros(0, np.uint8), width, 0.0, 0.0, ink)
    vertices, codes = (np.concatenate(parts) for parts in zip(*filled, strict=True))
    top, bottom = float(vertices[:, 1].max()), float(vertices[:, 1].min())
    return MathBox(vertices, codes, width, max(top, 0.0), max(-bottom, 0.0), ink)


def rectangle(x: float, y: float, width: float, height: float) -> Outline:
    """A bar with its lower left corner at (x, y)."""
    corners = [(x, y), (x + width, y), (x + width, y + height), (x, y + height), (x, y)]
    return np.array(corners, float), np.array([1, 2, 2, 2, CLOSE], np.uint8)


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
    outlines = [(p.box.vertices * p.size + (p.x, p.y), p.box.codes) for p in parts]
    outlines += bars
    total = sum((p.box.ink for p in parts), Counter(ink or {}))
    box = make_box(outlines, width, total)
    if not any(p.box.colours for p in parts):
        return box
    runs = [run for p in parts for run in p.box.colours or ((len(p.box.vertices), ""),)]
    return msgspec.structs.replace(
        box, colours=(*runs, *((len(vertices), "") for vertices, _ in bars))
    )


def beside(boxes: Sequence[MathBox], gaps: Sequence[float]) -> MathBox:
    """Boxes in a row on one baseline; `gaps` are before each box."""
    x, parts = 0.0, []
    for box, gap in zip(boxes, gaps, strict=True):
        parts.append(Placed(box, x + gap))
        x += gap + box.width
    return assembled(parts, x)


def framed(box: MathBox, pad: float = 0.15, line: float = 0.05) -> MathBox:
    r"""The box that `\boxed` asks for, as four bars."""
    right = box.width + 2 * pad + 2 * line
    top, bottom = max(box.ascent, 0.75) + pad, -box.descent - pad
    bars = [
        rectangle(0.0, bottom - line, right, line),
        rectangle(0.0, top, right, line),
        rectangle(0.0, bottom, line, top - bottom),
        rectangle(right - line, bottom, line, top - bottom),
    ]
    return assembled([Placed(box, pad + line)], right, bars, Counter([BOX]))


def struck(box: MathBox, ways: str = "/", line: float = 0.08) -> MathBox:
    r"""The strokes of `\cancel`: `/` from lower left to upper right, `\` the other way, or both."""
    low, high = -box.descent, box.ascent
    ends = {"/": (low, high), "\\": (high, low)}
    strokes = []
    for left, right in (ends[way] for way in ways):
        a, b = (0.0, left), (box.width, right)
        corners = [a, (a[0], a[1] + line), (b[0], b[1] + line), b, a]
        strokes.append((np.array(corners), np.array([1, 2, 2, 2, CLOSE], np.uint8)))
    return assembled([Placed(box)], box.width, strokes, Counter({STRIKE: len(ways)}))


def ring(box: MathBox, ink: Ink, line: float = 0.05) -> MathBox:
    """A box in a circle around the height of minus signs, both as high as a capital."""
    size, outer, t = 0.6, 0.47, np.linspace(0, 2 * np.pi, 49)
    circle = np.stack([np.cos(t), np.sin(t)], 1)
    codes = np.array([1, *[2] * (len(t) - 2), CLOSE], np.uint8)
    middle = np.array([outer, AXIS + 0.06])
    edges = [
        (middle + outer * circle, codes),
        (middle + (outer - line) * circle[::-1], codes),
    ]
    y = middle[1] - size * (box.ascent - box.descent) / 2
    return assembled(
        [Placed(box, outer - size * box.width / 2, y, size)], 2 * outer, edges, ink
    )


def fraction(
    above: MathBox, below: MathBox, size: float, *, bar: bool = True, wide: bool = False
) -> MathBox:
    """One box above another, around the height of minus signs; `wide` where it stands alone."""
    width = max(above.width, below.width) * size + 0.16
    gap = (0.2 if wide else 0.13) if bar else 0.1
    fall = (
        max(below.ascent, CAPITAL) * size
    )  # so that all denominators stand on one line
    places = [
        Placed(
            above,
            (width - above.width * size) / 2,
            AXIS + gap + above.descent * size,
            size,
        ),
        Placed(below, (width - below.width * size) / 2, AXIS - gap - fall, size),
    ]
    line = [rectangle(0.02, AXIS - LINE / 2, width - 0.04, LINE)] if bar else []
    return assembled(places, width, line, Counter([BAR]) if bar else None)


def rooted(box: MathBox, index: MathBox | None = None, line: float = 0.06) -> MathBox:
    r"""The sign of `\sqrt` before and over a box, with a small index on its hook."""
    size, gap = 0.5, 0.12
    left = max(0.0, index.width * size - 0.25) if index else 0.0
    low, top = -box.descent - 0.08, max(box.ascent, 0.6) + gap
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
    codes = np.array([1, *[2] * (len(points) - 2), CLOSE], np.uint8)
    sign = [(np.add(points, (left, 0.0)), codes)]
    parts = [Placed(box, left + 0.66)]
    if index:
        parts.append(Placed(index, left + 0.25 - index.width * size, hook + 0.2, size))
    return assembled(parts, left + width, sign, Counter({"√": 1, BAR: 1}))


def stacked(
    base: MathBox, over: MathBox | None, under: MathBox | None, size: float
) -> MathBox:
    """Small boxes centred over and under a base that keeps its baseline."""
    gap = 0.12
    width = max([base.width, *(size * b.width for b in (over, under) if b)])
    parts = [Placed(base, (width - base.width) / 2)]
    if over:
        y = base.ascent + gap + over.descent * size
        parts.append(Placed(over, (width - over.width * size) / 2, y, size))
    if under:
        y = -base.descent - gap - under.ascent * size
        parts.append(Placed(under, (width - under.width * size) / 2, y, size))
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
    parts, kern = [Placed(base)], 0.02
    up = max(0.0 if sign else base.ascent - 0.27 * size / 0.7, 0.41)
    down = max(0.0 if sign else base.descent + 0.03, 0.31 if above and below else 0.16)
    if above:
        up = max(up, above.descent * size + 0.14)
    if below:
        down = max(down, below.ascent * size - 0.44)
    if above and below:
        down += max(
            0.0, 0.12 - (up - above.descent * size) - (down - below.ascent * size)
        )
    if above:
        parts.append(Placed(above, base.width + kern + lean, up, size))
    if below:
        parts.append(Placed(below, base.width + kern * (not lean), -down, size))
    return assembled(parts, max(p.x + p.size * p.box.width for p in parts) + 0.03)


def coloured(box: MathBox, colour: str) -> MathBox:
    """The box in one colour, but for what has a colour of its own."""
    runs = box.colours or ((len(box.vertices), ""),)
    return msgspec.structs.replace(
        box, colours=tuple((n, own or colour) for n, own in runs)
    )
