"""Outlines of formulas in em units, and what is built of them: rows, frames, strokes."""

from __future__ import annotations

from typing import Any

import msgspec
import numpy as np

Array = np.ndarray[Any, np.dtype[Any]]
Outline = tuple[Array, Array]  # vertices at UNIT pixels, matplotlib path codes
UNIT = 100.0  # outlines are computed at 100 pixels and scaled
CLOSE = 79  # matplotlib.path.Path.CLOSEPOLY


class RefusedError(Exception):
    """No engine draws this formula; the text says why."""


class MathBox(msgspec.Struct, frozen=True):
    """A formula's outline; x to the right, y up from the baseline, in em."""

    vertices: Array
    codes: Array
    width: float
    ascent: float
    descent: float
    engine: str


def make_box(outlines: list[Outline], width: float, engine: str) -> MathBox:
    """Outlines at UNIT pixels -> a box in em, with the extent of its ink."""
    filled = [(v, c) for v, c in outlines if len(v)]
    if not filled:
        empty = np.zeros((0, 2)), np.zeros(0, np.uint8)
        return MathBox(*empty, width / UNIT, 0.0, 0.0, engine)
    vertices = np.concatenate([v for v, _ in filled]) / UNIT
    codes = np.concatenate([c for _, c in filled])
    top, bottom = float(vertices[:, 1].max()), float(vertices[:, 1].min())
    width = max(width / UNIT, float(vertices[:, 0].max()))
    return MathBox(vertices, codes, width, max(top, 0.0), max(-bottom, 0.0), engine)


def rectangle(x: float, y: float, width: float, height: float) -> Outline:
    """A bar with its lower left corner at (x, y)."""
    corners = [(x, y), (x + width, y), (x + width, y + height), (x, y + height), (x, y)]
    return np.array(corners, float), np.array([1, 2, 2, 2, CLOSE], np.uint8)


def shifted(vertices: Array, x: float) -> Array:
    """Vertices moved to the right."""
    return np.asarray(vertices + np.array([x, 0.0]))


def beside(boxes: list[MathBox], gap: float = 0.08) -> MathBox:
    """Boxes in a row on one baseline."""
    x = 0.0
    outlines = []
    for box in boxes:
        outlines.append((shifted(box.vertices, x) * UNIT, box.codes))
        x += box.width + gap
    return make_box(outlines, (x - gap) * UNIT, boxes[0].engine)


def framed(box: MathBox, pad: float = 0.15, line: float = 0.05) -> MathBox:
    """The box that `\\boxed` asks for, as four bars."""
    left, right = 0.0, box.width + 2 * pad + 2 * line
    top, bottom = box.ascent + pad, -box.descent - pad
    bars = [
        (left, bottom - line, right, line), (left, top, right, line),
        (left, bottom, line, top - bottom), (right - line, bottom, line, top - bottom),
    ]  # fmt: skip
    outlines = [(shifted(box.vertices, pad + line) * UNIT, box.codes)]
    outlines += [rectangle(*(UNIT * n for n in bar)) for bar in bars]
    return make_box(outlines, right * UNIT, box.engine)


def struck(box: MathBox, line: float = 0.08) -> MathBox:
    """The stroke of `\\cancel`, from lower left to upper right."""
    a, b = (0.0, -box.descent), (box.width, box.ascent)
    corners = [a, (a[0], a[1] + line), (b[0], b[1] + line), b, a]
    stroke = np.array(corners) * UNIT, np.array([1, 2, 2, 2, CLOSE], np.uint8)
    return make_box([(box.vertices * UNIT, box.codes), stroke], box.width * UNIT, box.engine)
