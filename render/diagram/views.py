"""Three views as textbooks print them: front, left beside it, top below: `kind: views`.

One item under `views`: a heap of unit cubes (`joints: false` draws it as one solid, whose hidden
edges are dashed), or solids.
"""

from __future__ import annotations

from collections.abc import Callable
from itertools import product
from typing import Any

import numpy as np
from msgspec.structs import replace

from ..figure import (
    SOLIDS,
    Array,
    Figure,
    Solid,
    SpecItem,
    Stroke,
    call,
    items,
    outlines,
    projection,
    split,
    towards_viewer,
    without_seams,
)
from .sketch import Sketch

MOST = 10  # cubes in each direction
NAMES = {"en": ["front", "left", "top"], "zh": ["主视图", "左视图", "俯视图"]}
APART = 0.16  # of all views lies between two, where a name stands


def heap(heights: Any, *, joints: bool = True, names: Any = "en") -> Sketch:
    """`{heap: [[2, 1], [1, 0]], names: zh}`: numbers of cubes, rows from back to front.

    `names` is en, zh, three texts, or false.
    """
    filled = heap_cubes(heights)
    seen = {
        view: [
            Stroke(np.array(run, float), dash=dash)
            for run, dash in view_lines(view_cells(filled, view), joints)
        ]
        for view in TURNS
    }
    return _laid_out(seen, _names(names))


def solids(parts: Any, *, names: Any = "en") -> Sketch:
    """`{solids: [{cube: "", edge: 2}, {cylinder: "", radius: 1, height: 2, at: [1, 1, 2]}]}`.

    The solids of a spec, seen as one; hidden edges are dashed.
    """
    built = [_solid(item) for item in items({"solids": parts}, "solids", SEEN, "DI")]
    if not built:
        raise ValueError("give at least one solid")
    edges = without_seams(
        [stroke for solid in built for stroke in solid.strokes], built
    )
    seen = {}
    for view, turn in TURNS.items():
        figure = Figure({}, 3, projection=FRONT)
        figure.faces = [face @ turn.T for solid in built for face in solid.faces]
        turned = [replace(stroke, path=stroke.path @ turn.T) for stroke in edges]
        bands = [
            [face @ turn.T for face in band] for solid in built for band in solid.smooth
        ]
        turned += outlines(Solid({}, [], [], bands), towards_viewer(FRONT))
        flat = [
            replace(s, path=figure.project(s.path))
            for s in split(turned, figure, -1e-4)
        ]
        seen[view] = [s for s in flat if np.ptp(s.path, axis=0).max() > 1e-9]
    return _laid_out(seen, _names(names))


def _solid(item: SpecItem) -> Solid:
    solid: Solid = call(SEEN[item.op], item, Figure({}, 3).convert)
    return solid


SEEN = {
    name: make for name, make in SOLIDS.items() if name != "polyhedron"
}  # which has points
FRONT = projection(0.0, 0.0)
TURNS = {  # what each view sees, turned to the front
    "front": np.eye(3),
    "left": np.array([[0, -1, 0], [1, 0, 0], [0, 0, 1]]),
    "top": np.array([[1, 0, 0], [0, 0, -1], [0, 1, 0]]),
}
VIEWS: dict[str, Callable[..., Sketch]] = {"heap": heap, "solids": solids}


def _laid_out(seen: dict[str, list[Stroke]], words: list[str]) -> Sketch:
    """The views as textbooks lay them: left beside the front, top below it."""
    every = {
        view: np.concatenate([s.path for s in strokes])
        for view, strokes in seen.items()
    }
    low = {view: paths.min(0) for view, paths in every.items()}
    size = {view: np.ptp(paths, axis=0) for view, paths in every.items()}
    (wide, high), deep = size["front"], size["top"][1]
    apart = APART * (deep + max(wide, high))
    places = ((0.0, 0.0), (wide + apart, 0.0), (0.0, -apart - deep))
    sketch = Sketch()
    for (view, strokes), place, word in zip(seen.items(), places, words, strict=True):
        sketch.things += [replace(s, path=s.path - low[view] + place) for s in strokes]
        if word.strip():
            sketch.text(word, place[0] + size[view][0] / 2, place[1], (0, 1))
    return sketch


def heap_cubes(heights: Any) -> Array:
    """Which unit cubes are there: [x from the left, y from the back, z from the bottom]."""
    if (
        not isinstance(heights, list)
        or not heights
        or not all(isinstance(row, list) and row for row in heights)
    ):
        raise ValueError(
            "a heap is a list of rows of numbers of cubes, the back row first"
        )
    if (
        len({len(row) for row in heights}) > 1
        or max(len(heights), len(heights[0])) > MOST
    ):
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
    for axis, x, y in product(
        (0, 1), range(cells.shape[0] + 1), range(cells.shape[1] + 1)
    ):
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
        raise ValueError(
            f"names are {', '.join(NAMES)}, false, or three texts; not {names!r}"
        )
    return [str(word) for word in words]
