"""Three views as textbooks print them: front, left beside it, top below: `kind: views`.

One item under `views`: a heap of unit cubes (`joints: false` draws it as one solid, whose hidden
edges are dashed), or solids; `stack` is the picture of a heap, seen from a corner.
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
from .stacks import plan_strokes, stack_strokes

MOST = 10  # cubes in each direction
NAMES = {"en": ["front", "left", "top"], "zh": ["主视图", "左视图", "俯视图"]}
APART = 0.16  # of all views lies between two, where a name stands
NEARER = -1e-4  # what touches a face lies on it, and is seen
FRONT = projection(0.0, 0.0)
TURNS = {  # what each view sees, turned to the front
    "front": np.eye(3),
    "left": np.array([[0, -1, 0], [1, 0, 0], [0, 0, 1]]),
    "top": np.array([[1, 0, 0], [0, 0, -1], [0, 1, 0]]),
}
Unit = tuple[
    int, int, int
]  # a line of length 1 from x, y: 0, x, y is up; 1, x, y right
# A polyhedron is said by points, which views have not.
VIEW_SOLIDS = {name: make for name, make in SOLIDS.items() if name != "polyhedron"}


def heap(heights: Any, *, joints: bool = True, names: Any = "en") -> Sketch:
    """`{heap: [[2, 1], [1, 0]], names: zh}`: numbers of cubes, rows from back to front.

    `names` is en, zh, three texts, or false.
    """
    filled = heap_cubes(heights)
    views = {}
    for view in TURNS:
        lines = view_lines(view_cells(filled, view), joints)
        views[view] = [Stroke(np.array(run, float), dash=dash) for run, dash in lines]
    return _laid_out(views, _names(names))


def solids(parts: Any, *, names: Any = "en") -> Sketch:
    """`{solids: [{cube: "", edge: 2}, {cylinder: "", radius: 1, height: 2, at: [1, 1, 2]}]}`.

    The solids of a spec, seen as one; hidden edges are dashed.
    """
    solid_items = items({"solids": parts}, "solids", VIEW_SOLIDS, "DI")
    built = [_solid(item) for item in solid_items]
    if not built:
        raise ValueError("give at least one solid")
    every_edge = [stroke for solid in built for stroke in solid.strokes]
    edges = without_seams(every_edge, built)
    views = {view: _view(turn, built, edges) for view, turn in TURNS.items()}
    return _laid_out(views, _names(names))


def stack(heights: Any, *, plan: bool = False) -> Sketch:
    """`{stack: [[3, 1], [1, 0]]}`: the unit cubes of a heap as a picture, seen from a corner.

    With `plan: true` the view from above stands beside it, with the number of cubes at each place.
    """
    strokes = stack_strokes(heap_cubes(heights))
    sketch = Sketch([*strokes])
    if plan:
        right = max(float(stroke.path[:, 0].max()) for stroke in strokes)
        plan_strokes(sketch, heights, right + 1.0)
    return sketch


VIEWS: dict[str, Callable[..., Sketch]] = {
    "heap": heap,
    "solids": solids,
    "stack": stack,
}


def _solid(item: SpecItem) -> Solid:
    solid: Solid = call(VIEW_SOLIDS[item.op], item, Figure({}, 3).convert)
    return solid


def _view(turn: Array, built: list[Solid], edges: list[Stroke]) -> list[Stroke]:
    """The strokes of one view of solids, in the plane; hidden ones are dashed."""
    faces = [face @ turn.T for solid in built for face in solid.faces]
    figure = Figure({}, 3, projection=FRONT)
    figure.faces = faces
    bands = [band for solid in built for band in solid.smooth]
    turned_bands = [[face @ turn.T for face in band] for band in bands]
    turned = [replace(stroke, path=stroke.path @ turn.T) for stroke in edges]
    turned += outlines(Solid({}, [], [], turned_bands), towards_viewer(FRONT))
    parts = split(turned, figure, NEARER)
    flat = [replace(part, path=figure.project(part.path)) for part in parts]
    # What runs towards the viewer is a point.
    return [stroke for stroke in flat if np.ptp(stroke.path, axis=0).max() > 1e-9]


def _laid_out(views: dict[str, list[Stroke]], names: list[str]) -> Sketch:
    """The views as textbooks lay them: left beside the front, top below it."""
    low, size = {}, {}
    for view, strokes in views.items():
        points = np.concatenate([stroke.path for stroke in strokes])
        low[view] = points.min(0)
        size[view] = np.ptp(points, axis=0)
    width, height = size["front"]
    _, depth = size["top"]
    apart = APART * (depth + max(width, height))
    places = {
        "front": (0.0, 0.0),
        "left": (width + apart, 0.0),
        "top": (0.0, -apart - depth),
    }
    sketch = Sketch()
    for (view, strokes), name in zip(views.items(), names, strict=True):
        for stroke in strokes:
            path = stroke.path - low[view] + places[view]
            sketch.things.append(replace(stroke, path=path))
        if name.strip():
            x, y = places[view]
            middle = x + size[view][0] / 2
            sketch.text(name, middle, y, (0, 1))
    return sketch


def heap_cubes(heights: Any) -> Array:
    """Which unit cubes are there: [x from the left, y from the back, z from the bottom]."""
    is_list = isinstance(heights, list) and heights
    if not is_list or not all(isinstance(row, list) and row for row in heights):
        raise ValueError(
            "a heap is a list of rows of numbers of cubes, the back row first"
        )
    columns = {len(row) for row in heights}
    if len(columns) > 1 or max(len(heights), *columns) > MOST:
        raise ValueError(f"rows of one length, at most {MOST} by {MOST}")
    for row in heights:
        for value in row:
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
    width, height = cells.shape[:2]
    edges: set[Unit] = set()
    hidden: set[Unit] = set()
    for axis, x, y in product((0, 1), range(width + 1), range(height + 1)):
        cell = padded[x + 1, y + 1]
        neighbour = padded[x + axis, y + 1 - axis]
        is_joint = joints and (cell.any() or neighbour.any())
        if is_joint or _depth(cell) != _depth(neighbour):
            edges.add((axis, x, y))
        elif (cell != neighbour).any():
            hidden.add((axis, x, y))
    lines = [(run, False) for run in _runs(edges)]
    return lines + [(run, True) for run in _runs(hidden)]


def _depth(column: Array) -> int:
    return int(column.argmax()) if column.any() else -1


def _runs(units: set[Unit]) -> list[Array]:
    """Unit lines joined to the longest."""
    runs: list[Array] = []
    for axis, x, y in sorted(units, key=_along_lines):
        step = np.array([axis, 1 - axis])
        start = np.array([x, y])
        if runs and _goes_on(runs[-1], start, step):
            start = runs.pop()[0]
        runs.append(np.stack([start, np.array([x, y]) + step]))
    return runs


def _goes_on(run: Array, start: Array, step: Array) -> bool:
    """Whether a line goes on by a step from there."""
    first, last = run
    direction = np.sign(last - first)
    return np.array_equal(last, start) and np.array_equal(direction, step)


def _along_lines(unit: Unit) -> tuple[int, int, int]:
    """The order of unit lines in which those of one line follow each other."""
    axis, x, y = unit
    return (axis, x, y) if axis == 0 else (axis, y, x)


def _names(names: Any) -> list[str]:
    if names is False:
        return ["", "", ""]
    words = NAMES.get(names) if isinstance(names, str) else names
    if not isinstance(words, list) or len(words) != 3:
        raise ValueError(
            f"names are {', '.join(NAMES)}, false, or three texts; not {names!r}"
        )
    return [str(word) for word in words]
