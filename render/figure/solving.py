"""`solve:` of a spec: points placed by relations, where coordinates need a calculator.

    solve: [{length: [AB, 7]}, {angle: [BAC, 40]}, {length: [AC, 6]}, {between: [D, BC]}, ...]

Every name that stands nowhere is placed. A figure with no point given lies on its first two points,
the others above them; where no length is given, its longer side is 10.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from itertools import islice
from typing import Any, NamedTuple

import msgspec
import numpy as np

from ...errors import UserError
from .figure import Array, Figure
from .general_position import collapsed, said_lines
from .relations import RELATIONS, hold
from .solver import GOOD, System, condition, determined, scattered, settle, solutions
from .spec import NAME, SpecItem, arguments, call
from .vectors import turning, unit

ENOUGH = 10  # figures found: another shape would be among them
SAME = 0.01  # of the figure: solutions so near are one
FREE_SIZE = 10.0
MOST_POINTS = 40


def near(point: str, place: list[float]) -> tuple[str, Array]:
    """Of several figures the one with a point nearest to a place: `{near: [C, [3, 4]]}`."""
    return point, np.array(place)


SOLVE = RELATIONS | {"near": near}


class Solved(NamedTuple):
    """Places by name, and the points of `near:` that chose nothing."""

    points: dict[str, Array]
    idle: list[str]


def solved(items: Sequence[SpecItem], figure: Figure) -> Solved:
    """Places for all points that the relations name and the figure does not have.

    No three of them lie on a line unless that is said. Raises UserError that names the relation,
    where no figure fulfils all; and where several do, or some point can move.
    """
    if figure.dimension == 3:
        raise UserError(
            "solve: places points of the plane", "give points and construct:"
        )
    relations = [item for item in items if item.op in RELATIONS]
    hints = dict(
        call(near, item, figure.convert) for item in items if item.op == "near"
    )
    marks = _Marks(figure.points)
    relation_arguments = [_marked(item, marks) for item in relations]
    placed = list(figure.points)
    to_place = sorted(marks.keys() - figure.points.keys())
    if not to_place:
        raise UserError(
            "solve: all its points have places", "write these relations under check:"
        )
    if len(to_place) > MOST_POINTS:
        raise UserError(f"solve: {len(to_place)} points", f"the limit is {MOST_POINTS}")
    names = [*placed, *to_place]
    number = {id(marks[name]): k for k, name in enumerate(names)}
    conditions = [
        condition(item.op, values, lambda part: number.get(id(part)))
        for item, values in zip(relations, relation_arguments, strict=True)
    ]
    free = list(range(len(placed), len(names)))
    start = np.array([figure.points.get(name, np.zeros(2)) for name in names], float)
    size = _size(relations, start[: len(placed)])
    system = System(conditions, len(names)).only(set(free), touching=True)
    shapes: list[Array] = []
    for places in islice(solutions(start, system, free, size), ENOUGH):
        shape = _shape(places, free, system, len(placed), size)
        if all(np.abs(shape - other).max() > SAME * size for other in shapes):
            shapes.append(shape)
    if not shapes:
        nearly, _ = settle(next(scattered(start, free, size)), system, free)
        raise _contradiction(relations, figure, names, nearly)
    shapes = _general(shapes, names, free, relations)
    idle = [
        name for name in hints if name in names and _is_same(shapes, names, name, size)
    ]
    if hints:
        shapes += [
            mirrored
            for shape in shapes
            if (mirrored := _mirrored(shape, system, len(placed), size)) is not None
        ]
    places = _chosen(shapes, names, hints)
    return Solved(dict(zip(names, places, strict=True)), idle)


def _general(
    shapes: list[Array],
    names: list[str],
    free: list[int],
    relations: Sequence[SpecItem],
) -> list[Array]:
    """The figures that have not collapsed. Raises UserError where all have."""
    lines = said_lines(relations)
    flat = [collapsed(shape, names, free, lines) for shape in shapes]
    general = [shape for shape, why in zip(shapes, flat, strict=True) if not why]
    if not general:
        raise UserError(
            f"solve: the figure collapses: {flat[0]} lie on one line",
            f"correct the relations, or say {{collinear: {flat[0]}}} if it is meant",
        )
    return general


def _is_same(shapes: list[Array], names: list[str], name: str, size: float) -> bool:
    """Whether a point has one place in several figures, so that it chooses none of them."""
    places = np.stack([shape[names.index(name)] for shape in shapes])
    return len(shapes) > 1 and bool(np.ptp(places, axis=0).max() < SAME * size)


def _shape(
    places: Array, free: list[int], system: System, placed: int, size: float
) -> Array:
    """A solution as it is drawn; where it says coordinates as well as names, as it stands."""
    shift = system.residuals(places + size) - system.residuals(places)
    by_names = np.abs(shift).max(initial=0.0) < GOOD * size
    any_size = _has_any_size(places, free, system, placed if by_names else 2, size)
    if by_names:
        return _upright(places, placed, any_size)
    return np.round(places, 9) + 0.0


def _mirrored(shape: Array, system: System, placed: int, size: float) -> Array | None:
    """A figure across the line of its first two points, for those who ask for a point there; None
    where that is no solution, or the same."""
    if len(shape) < 2:
        return None
    way = unit(shape[1] - shape[0])
    away = shape - shape[0]
    along = (away @ way)[:, None] * way
    mirrored = shape[0] + 2 * along - away
    is_moved = np.abs(mirrored - shape).max(axis=1) > SAME * size
    if is_moved[:placed].any() or not is_moved.any():
        return None
    off = np.abs(system.residuals(mirrored)).max(initial=0.0)
    return np.round(mirrored, 9) + 0.0 if off < GOOD * size else None


class _Marks(dict[str, Array]):
    """A mark for every point that a relation names, instead of its place."""

    def __init__(self, names: Iterable[str]) -> None:
        super().__init__()
        for name in names:
            self[name]

    def __contains__(self, name: object) -> bool:
        return isinstance(name, str) and re.fullmatch(NAME, name) is not None

    def __missing__(self, name: str) -> Array:
        # no two alike, and no three on a line
        self[name] = np.array([1e7 + len(self), len(self) ** 2])
        return self[name]


def _marked(item: SpecItem, marks: _Marks) -> list[Any]:
    """A relation's arguments with marks for points; its only argument by itself."""
    values, _ = arguments(RELATIONS[item.op], item, Figure(marks).convert)
    return values if len(values) > 1 else values[0]


def _size(relations: Sequence[SpecItem], placed: Array) -> float:
    """How large the figure is about: as its points, or as its greatest length."""
    lengths = [
        item.value[-1] for item in relations if item.op == "length" and item.value
    ]
    numbers = [float(value) for value in lengths if isinstance(value, int | float)]
    extent = float(np.ptp(placed, axis=0).max()) if len(placed) > 1 else 0.0
    return max([extent, *numbers]) or FREE_SIZE


def _has_any_size(
    places: Array, free: list[int], system: System, placed: int, size: float
) -> bool:
    """Whether only the shape is settled, any size being right; a turn and a mirror always are.

    Raises UserError when the shape itself is open.
    """
    moves = {0: 3, 1: 1}.get(placed, 0)
    if determined(places, free, system, moves):
        return False
    larger = places[0] + 1.5 * (places - places[0])
    off = np.abs(system.residuals(larger)).max(initial=0) if placed < 2 else np.inf
    if off < GOOD * size and determined(places, free, system, moves + 1):
        return True
    raise UserError(
        "solve: the relations leave the figure open: points can move", "add relations"
    )


def _upright(places: Array, placed: int, any_size: bool) -> Array:
    """The figure as it is shown: of those that differ by a turn, a mirror or their size."""
    origin = places[0]
    x, y = places[1] - origin
    angle = np.arctan2(y, x)
    flat = (places - origin) @ turning(-angle)  # the first two points lie level
    heights = flat[:, 1]
    off = heights[np.abs(heights) > SAME * np.ptp(flat, axis=0).max()]
    is_fixed = np.abs(heights[:placed]).max(initial=0.0) > 1e-9
    if len(off) and off[0] < 0 and not is_fixed:
        flat[:, 1] *= -1
    if any_size:
        flat *= FREE_SIZE / np.ptp(flat, axis=0).max()
    back = np.eye(2) if placed < 2 else turning(angle)
    return np.round(flat @ back + (origin if placed else 0), 9) + 0.0


def _chosen(shapes: list[Array], names: list[str], hints: dict[str, Array]) -> Array:
    for name in hints.keys() - set(names):
        raise UserError(
            f"solve: near names no point {name!r}", f"its points: {', '.join(names)}"
        )
    if len(shapes) == 1 or hints:
        number = {name: k for k, name in enumerate(names)}

        def off_hints(shape: Array) -> float:
            return sum(
                float(np.linalg.norm(shape[number[name]] - place))
                for name, place in hints.items()
            )

        return min(shapes, key=off_hints)
    k = int(np.abs(shapes[1] - shapes[0]).max(1).argmax())
    point = names[k]
    places = [f"[{x:.2f}, {y:.2f}]" for x, y in (shape[k] for shape in shapes)]
    message = (
        f"solve: {len(shapes)} figures fulfil it, {point} at {' or '.join(places)}"
    )
    raise UserError(message, f"add a relation, or {{near: [{point}, {places[0]}]}}")


def _contradiction(
    relations: Sequence[SpecItem], figure: Figure, names: list[str], places: Array
) -> UserError:
    """The relation that does not hold where the others nearly do."""
    points = dict(zip(names, places, strict=True))
    nearly = msgspec.structs.replace(figure, points=points)
    for item in relations:
        relation = RELATIONS[item.op]
        try:
            values, _ = arguments(relation, item, nearly.convert)
            hold(relation(*values))
        except (ValueError, UserError) as error:
            message = f"no figure fulfils all relations; with most of them {error}"
            return item.error(
                message, "they contradict each other, or let points coincide"
            )
    return UserError("solve: no figure fulfils all relations", "points would coincide")
