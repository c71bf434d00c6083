"""Three views as textbooks print them: front, left beside it, top below: `kind: views`.

One item under `views`: a heap of unit cubes. `joints: false` draws it as one solid, whose hidden
edges are dashed.
"""

from __future__ import annotations

from collections.abc import Callable
from itertools import product
from typing import Any

import numpy as np

from ..figure import Array
from .sketch import Sketch

MOST = 10  # cubes in each direction
NAMES = {"en": ["front", "left", "top"], "zh": ["主视图", "左视图", "俯视图"]}
APART = 0.16  # of all views lies between two, where a name stands


def heap(heights: Any, *, joints: bool = True, names: Any = "en") -> Sketch:
    """`{heap: [[2, 1], [1, 0]], names: zh}`: numbers of cubes, rows from back to front.

    `names` is en, zh, three texts, or false.
    """
    filled = heap_cubes(heights)
    words = _names(names)
    front, left, top = (view_cells(filled, view) for view in ("front", "left", "top"))
    (wide, high), deep = front.shape[:2], top.shape[1]
    apart = max(0.8, APART * (deep + max(wide, high)))
    sketch = Sketch()
    places = ((0.0, 0.0), (wide + apart, 0.0), (0.0, -apart - deep))
    for cells, place, word in zip((front, left, top), places, words, strict=True):
        for (a, b), dash in view_lines(cells, joints):
            sketch.line(tuple(np.add(a, place)), tuple(np.add(b, place)), dash=dash)
        if word.strip():
            sketch.text(word, place[0] + cells.shape[0] / 2, place[1], (0, 1))
    return sketch


VIEWS: dict[str, Callable[..., Sketch]] = {"heap": heap}


def heap_cubes(heights: Any) -> Array:
    """Which unit cubes are there: [x from the left, y from the back, z from the bottom]."""
    if not isinstance(heights, list) or not heights or not all(
        isinstance(row, list) and row for row in heights
    ):  # fmt: skip
        raise ValueError("a heap is a list of rows of numbers of cubes, the back row first")
    if len({len(row) for row in heights}) > 1 or max(len(heights), len(heights[0])) > MOST:
        raise ValueError(f"rows of one length, at most {MOST} by {MOST}")
    for value in (value for row in heights for value in row):
        if type(value) is not int or not 0 <= value <= MOST:
            raise ValueError(f"{value!r} cubes; a place holds 0 to {MOST}")
    numbers = np.array(heights).T
    if not numbers.any():
        raise ValueError("a heap has at least one cube")
    return np.arange(numbers.max()) < numbers[:, :, None]


def view_cells(filled: Array, view: str) -> Array:
    """Cubes as one view sees them: [to the right, upwards, away from the viewer].

    >>> view_cells(heap_cubes([[2, 1], [1, 0]]), "front").any(2).sum(1).tolist()
    [2, 1]
    """
    if view == "front":
        return filled.transpose(0, 2, 1)[:, :, ::-1]
    if view == "left":
        return filled.transpose(1, 2, 0)
    return filled[:, ::-1, ::-1]


def view_lines(cells: Array, joints: bool) -> list[tuple[Array, bool]]:
    """Lines of a view as runs of units, and whether they are dashed.

    Between two cells there is an edge to see where their first cubes lie at different depths,
    and a hidden one where only cubes behind those differ.
    """
    padded = np.pad(cells, ((1, 1), (1, 1), (0, 0)))
    seen: dict[bool, set[tuple[int, int, int]]] = {False: set(), True: set()}
    for axis, x, y in product((0, 1), range(cells.shape[0] + 1), range(cells.shape[1] + 1)):
        one, two = padded[x + 1, y + 1], padded[x + axis, y + 1 - axis]
        seam = joints and (one.any() or two.any())
        if seam or _depth(one) != _depth(two):
            seen[False].add((axis, x, y))
        elif (one != two).any():
            seen[True].add((axis, x, y))
    return [(run, dash) for dash, units in seen.items() for run in _runs(units)]


def _depth(column: Array) -> int:
    return int(column.argmax()) if column.any() else -1


def _runs(units: set[tuple[int, int, int]]) -> list[Array]:
    """Unit lines (up from x, y: 0; to the right: 1) joined to the longest."""
    runs: list[Array] = []
    for axis, x, y in sorted(units, key=lambda u: (u[0], u[1 + u[0]], u[2 - u[0]])):
        step = np.array([axis, 1 - axis])
        start = np.array([x, y])
        if runs and (runs[-1][1] == start).all() and (_along(runs[-1]) == step).all():
            runs[-1] = np.stack([runs[-1][0], start + step])
        else:
            runs.append(np.stack([start, start + step]))
    return runs


def _along(run: Array) -> Array:
    return np.sign(run[1] - run[0])


def _names(names: Any) -> list[str]:
    if names is False:
        return ["", "", ""]
    words = NAMES.get(names) if isinstance(names, str) else names
    if not isinstance(words, list) or len(words) != 3:
        raise ValueError(f"names are {', '.join(NAMES)}, false, or three texts; not {names!r}")
    return [str(word) for word in words]
