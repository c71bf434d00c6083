"""Place points so that relations hold: damped least squares (Levenberg, Marquardt).

Deterministic: from given places, or from fixed starts when there are none. Work is counted in
evaluations of single relations, so that the same input ends alike on any machine.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from itertools import pairwise, product
from typing import Any

import numpy as np

from .figure import Array
from .relations import RELATIONS
from .spec import signature
from .vectors import unit_vectors

# From places (n, 2) to numbers that are zero where a relation holds.
Condition = Callable[[Array], list[float]]
GOOD = 1e-4  # of the figure's size
STARTS = 24
STEP = 1e-7  # of a coordinate, where a slope is measured
RESTS = 1e-12  # the largest residual of a figure that needs no further step
MOST_WORK = 600_000  # evaluations of single relations: some seconds


def condition(
    kind: str, arguments: Sequence[Any], at: Callable[[Any], int | None]
) -> Condition:
    """A relation between points; `at` gives the place's number of what stands for a point.

    >>> condition("length", [("A", "B"), 2.0], {"A": 0, "B": 1}.get)(np.array([[0, 0], [3, 0]]))
    [1.0]
    """
    relation = RELATIONS[kind]
    spread = len(signature(relation)[0]) > 1
    values = _bound(list(arguments), at)

    def residuals(places: Array) -> list[float]:
        positions = values(places)
        agreements = relation(*positions) if spread else relation(positions)
        return [agreement.residual for agreement in agreements]

    return residuals


def _bound(value: Any, at: Callable[[Any], int | None]) -> Callable[[Array], Any]:
    """Arguments as a function of the places that they name."""
    if isinstance(value, list | tuple):
        parts = [_bound(part, at) for part in value]
        return lambda places: [part(places) for part in parts]
    index = at(value)
    if index is None:
        return lambda places: value
    return lambda places: places[index]


class System:
    """Conditions on `count` points, which points each of them touches, and the work so far."""

    def __init__(self, conditions: Sequence[Condition], count: int) -> None:
        self.count = count
        self.work = 0
        # at two figures by chance a condition differs, if only one of its points is elsewhere
        places, elsewhere = np.random.default_rng(3).standard_normal((2, count, 2))
        before = [condition(places) for condition in conditions]
        stops = np.cumsum([0, *map(len, before)]).tolist()
        rows = [slice(start, stop) for start, stop in pairwise(stops)]
        self.parts = list(zip(conditions, rows, strict=True))
        self.touched: list[set[int]] = []  # for every point: the conditions it changes
        for point in range(count):
            moved = places.copy()
            moved[point] = elsewhere[point]
            changed = {
                k for k, part in enumerate(conditions) if part(moved) != before[k]
            }
            self.touched.append(changed)

    def residuals(self, places: Array) -> Array:
        """What all conditions say of places (n, 2), one row a number: (rows,)."""
        rows = np.zeros(self.parts[-1][1].stop if self.parts else 0)
        for k in range(len(self.parts)):
            self._evaluate(k, places, rows)
        return rows

    def _evaluate(self, k: int, places: Array, rows: Array) -> None:
        """One condition; where it measures nothing, as an angle without an arm, it is not met."""
        condition, part = self.parts[k]
        self.work += part.stop - part.start
        try:
            rows[part] = condition(places)
        except ValueError:
            rows[part] = np.nan

    def jacobian(self, places: Array, free: Sequence[int], base: Array) -> Array:
        """Differences from `base`, two columns a free point, for the conditions it changes."""
        jacobian = np.zeros((len(base), 2 * len(free)))  # (rows, x and y of each point)
        for column, (point, axis) in enumerate(product(free, (0, 1))):
            ahead = places.copy()
            rows = base.copy()
            ahead[point, axis] += STEP
            for k in self.touched[point]:
                self._evaluate(k, ahead, rows)
            jacobian[:, column] = (rows - base) / STEP
        return np.nan_to_num(jacobian)

    def only(self, points: set[int], *, touching: bool) -> System:
        """The same points with the conditions that touch some of these, or that touch none."""
        hit = set().union(*(self.touched[point] for point in points))
        conditions = [
            part for k, (part, _) in enumerate(self.parts) if (k in hit) == touching
        ]
        return System(conditions, self.count)


def settle(
    start: Array, system: System, free: Sequence[int] | None = None, steps: int = 80
) -> tuple[Array, float]:
    """Move points as little as the conditions allow; returns places and the largest residual.

    Only the points `free` move; unsaid, all do.

    >>> level = lambda places: [float(places[1][1] - places[0][1])]
    >>> settle(np.array([[0, 0], [1, 0.5]]), System([level], 2))[1] < 1e-9
    True
    """
    places: Array = np.asarray(start, float).copy()
    moving = list(range(len(places))) if free is None else list(free)
    damping = 1e-2
    residuals = system.residuals(places)
    for _ in range(steps):
        # a residual that is nan is no reason to go on
        is_open = len(residuals) and np.abs(residuals).max() >= RESTS
        if not is_open or system.work > MOST_WORK:
            break
        jacobian = system.jacobian(places, moving, residuals)
        normal = jacobian.T @ jacobian
        slope = jacobian.T @ residuals
        step = _solved(normal + damping * np.eye(len(slope)), -slope)
        trial = places.copy()
        trial[moving] += step.reshape(-1, 2)
        there = system.residuals(trial)
        if float(there @ there) < float(residuals @ residuals):
            places, residuals = trial, there
            damping = max(damping / 5, 1e-12)
        else:
            damping *= 4
            if damping > 1e8:
                break
    largest = np.nan_to_num(np.abs(residuals), nan=np.inf).max(initial=0.0)
    return places, float(largest)


def _solved(matrix: Array, values: Array) -> Array:
    try:
        return np.linalg.solve(matrix, values)
    except np.linalg.LinAlgError:  # the damping is lost beside numbers so large
        return np.linalg.lstsq(matrix, values, rcond=None)[0]


def clearance(places: Array) -> float:
    """How far a figure is from points that coincide and from lying on one line; 0 for too near."""
    if len(places) == 1:
        return 1.0
    distances = np.linalg.norm(places[:, None] - places[None], axis=2)
    gaps = distances + np.eye(len(places)) * 1e9  # none from a point to itself
    least = float(gaps.min())
    extent = float(np.ptp(places, axis=0).max())
    if not least > 0.01 * extent:
        return 0.0
    centred = places - places.mean(0)
    height = float(np.linalg.svd(centred, compute_uv=False)[-1])
    return min(least, 0.03 * extent + height)


def determined(
    places: Array, free: Sequence[int], system: System, moves: int = 0
) -> bool:
    """Whether no free point can move without breaking a condition.

    A figure of its own has four `moves` that keep its shape: two shifts, a turn, another size.
    """
    rank = 2 * len(free) - moves
    jacobian = system.jacobian(places, free, system.residuals(places))
    if len(jacobian) < rank:
        return False
    values = np.linalg.svd(jacobian, compute_uv=False)
    return bool(rank < 1 or values[rank - 1] > 1e-3 * max(values[0], 1e-12))


def scattered(places: Array, free: Sequence[int], size: float) -> Iterator[Array]:
    """Starts: free points by a fixed chance about the middle of the others, in a ring at first."""
    fixed = np.delete(places, list(free), axis=0)
    middle = fixed.mean(0) if len(fixed) else np.zeros(2)
    random = np.random.default_rng(7)
    count = len(free)
    offsets = unit_vectors(2 * np.pi * np.arange(count) / max(count, 1))
    for _ in range(STARTS):
        start = np.array(places, float)
        start[list(free)] = middle + size * offsets
        yield start
        offsets = random.standard_normal((count, 2))


def solutions(
    places: Array, system: System, free: Sequence[int], size: float, good: float = GOOD
) -> Iterator[Array]:
    """Figures that fulfil all conditions, their points apart, the others in their places."""
    for start in scattered(places, free, size):
        settled, worst = settle(start, system, free)
        if worst < good * size and clearance(settled) > 0:
            yield settled
        if system.work > MOST_WORK:
            return


def clearest(figures: Iterable[Array], free: Sequence[int]) -> Array | None:
    """The first figure whose points stand well apart, else the one where they do most."""
    best, most = None, 0.0
    for places in figures:
        moved = places[list(free)]
        apart = clearance(moved) / max(float(np.ptp(moved, axis=0).max()), 1e-9)
        if apart > most:
            best, most = places, apart
        if most > 0.2:
            break
    return best
