"""Place points so that relations hold: damped least squares (Levenberg, Marquardt).

Deterministic: from given places, or from fixed starts when there are none. Work is counted in
evaluations of single relations, so that the same input ends alike on any machine.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from itertools import pairwise
from typing import Any

import numpy as np

from .figure import Array
from .relations import RELATIONS
from .spec import signature

Condition = Callable[
    [Array], list[float]
]  # places (n, 2) -> zeros where a relation holds
GOOD = 1e-4  # of the figure's size
STARTS = 24
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
        given = values(places)
        agreements = relation(*given) if spread else relation(given)
        return [agreement.residual for agreement in agreements]

    return residuals


def _bound(value: Any, at: Callable[[Any], int | None]) -> Callable[[Array], Any]:
    """Arguments as a function of the places that they name."""
    if isinstance(value, list | tuple):
        parts = [_bound(part, at) for part in value]
        return lambda places: [part(places) for part in parts]
    k = at(value)
    return (lambda places: value) if k is None else (lambda places: places[k])


class System:
    """Conditions on `count` points, which points each of them touches, and the work so far."""

    def __init__(self, conditions: Sequence[Condition], count: int) -> None:
        self.count, self.work = count, 0
        places, elsewhere = np.random.default_rng(3).standard_normal((2, count, 2))
        before = [condition(places) for condition in conditions]
        stops = np.cumsum([0, *map(len, before)]).tolist()
        self.parts = [
            (c, slice(*rows))
            for c, rows in zip(conditions, pairwise(stops), strict=True)
        ]
        self.touched: list[
            set[int]
        ] = []  # for every point the conditions that it changes
        for point in range(count):
            moved = places.copy()
            moved[point] = elsewhere[point]
            self.touched.append(
                {k for k, c in enumerate(conditions) if c(moved) != before[k]}
            )

    def residuals(self, places: Array) -> Array:
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
        h = 1e-7
        jacobian = np.zeros((len(base), 2 * len(free)))
        for column, (point, axis) in enumerate((p, k) for p in free for k in (0, 1)):
            ahead, rows = places.copy(), base.copy()
            ahead[point, axis] += h
            for k in self.touched[point]:
                self._evaluate(k, ahead, rows)
            jacobian[:, column] = (rows - base) / h
        return np.nan_to_num(jacobian)

    def only(self, points: set[int], *, touching: bool) -> System:
        """The same points with the conditions that touch some of these, or that touch none."""
        hit = set().union(*(self.touched[point] for point in points))
        kept = [c for k, (c, _) in enumerate(self.parts) if (k in hit) == touching]
        return System(kept, self.count)


def settle(
    start: Array, system: System, free: Sequence[int] | None = None, steps: int = 80
) -> tuple[Array, float]:
    """Move points as little as the conditions allow; returns places and the largest residual.

    Only the points `free` move; unsaid, all do.

    >>> level = lambda places: [float(places[1][1] - places[0][1])]
    >>> settle(np.array([[0, 0], [1, 0.5]]), System([level], 2))[1] < 1e-9
    True
    """
    x: Array = np.asarray(start, float).copy()
    moving = list(range(len(x))) if free is None else list(free)
    damping = 1e-2
    r = system.residuals(x)
    for _ in range(steps):
        if not len(r) or not np.abs(r).max() >= 1e-12 or system.work > MOST_WORK:
            break
        jacobian = system.jacobian(x, moving, r)
        normal, slope = jacobian.T @ jacobian, jacobian.T @ r
        trial = x.copy()
        trial[moving] += _solved(normal + damping * np.eye(len(slope)), -slope).reshape(
            -1, 2
        )
        there = system.residuals(trial)
        if float(there @ there) < float(r @ r):
            x, r, damping = trial, there, max(damping / 5, 1e-12)
        else:
            damping *= 4
            if damping > 1e8:
                break
    return x, float(np.nan_to_num(np.abs(r), nan=np.inf).max(initial=0.0))


def _solved(matrix: Array, values: Array) -> Array:
    try:
        return np.linalg.solve(matrix, values)
    except np.linalg.LinAlgError:  # the damping is lost beside numbers so large
        return np.linalg.lstsq(matrix, values, rcond=None)[0]


def clearance(places: Array) -> float:
    """How far a figure is from points that coincide and from lying on one line; 0 for too near."""
    if len(places) == 1:
        return 1.0
    gaps = (
        np.linalg.norm(places[:, None] - places[None], axis=2)
        + np.eye(len(places)) * 1e9
    )
    extent = float(np.ptp(places, axis=0).max())
    height = float(np.linalg.svd(places - places.mean(0), compute_uv=False)[-1])
    least = float(gaps.min())
    return min(least, 0.03 * extent + height) if least > 0.01 * extent else 0.0


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
    given = np.delete(places, list(free), axis=0)
    about = given.mean(0) if len(given) else np.zeros(2)
    random = np.random.default_rng(7)
    turn = 2 * np.pi * np.arange(len(free)) / max(len(free), 1)
    ring = np.stack([np.cos(turn), np.sin(turn)], 1)
    for _ in range(STARTS):
        start = np.array(places, float)
        start[list(free)] = about + size * ring
        yield start
        ring = random.standard_normal((len(free), 2))


def solutions(
    places: Array, system: System, free: Sequence[int], size: float, good: float = GOOD
) -> Iterator[Array]:
    """Figures that fulfil all conditions, their points apart, the others in their places."""
    for start in scattered(places, free, size):
        found, worst = settle(start, system, free)
        if worst < good * size and clearance(found) > 0:
            yield found
        if system.work > MOST_WORK:
            return


def clearest(found: Iterable[Array], free: Sequence[int]) -> Array | None:
    """The first figure whose points stand well apart, else the one where they do most."""
    best, most = None, 0.0
    for places in found:
        moved = places[list(free)]
        apart = clearance(moved) / max(float(np.ptp(moved, axis=0).max()), 1e-9)
        if apart > most:
            best, most = places, apart
        if most > 0.2:
            break
    return best
