"""Place points so that geometric conditions hold: damped least squares (Levenberg, Marquardt).

Deterministic: from given places, or from fixed starts when there are none. Work is counted in
evaluations of single conditions, so that the same input ends alike on any machine.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

import numpy as np

from ...errors import UserError
from ..figure import Array

Residual = Callable[[Array], float]  # places (n, 2) -> zero when the condition holds
GOOD = 1e-4  # of the figure's size
STARTS = 24
MOST_WORK = 600_000  # evaluations of single conditions: some seconds


class System:
    """Conditions on `count` points, which points each of them touches, and the work so far."""

    def __init__(self, conditions: Sequence[Residual], count: int) -> None:
        self.conditions = list(conditions)
        self.count = count
        self.work = 0
        self.touched = self._touched()

    def residuals(self, places: Array) -> Array:
        self.work += len(self.conditions)
        return np.array([condition(places) for condition in self.conditions])

    def jacobian(self, places: Array, free: Sequence[int]) -> Array:
        """Central differences, two columns a free point, for the conditions it is touched by."""
        h = 1e-6
        jacobian = np.zeros((len(self.conditions), 2 * len(free)))
        for column, (point, axis) in enumerate((p, k) for p in free for k in (0, 1)):
            ahead, back = places.copy(), places.copy()
            ahead[point, axis] += h
            back[point, axis] -= h
            for row in self.touched[point]:
                condition = self.conditions[row]
                jacobian[row, column] = (condition(ahead) - condition(back)) / (2 * h)
            self.work += 2 * len(self.touched[point])
        return jacobian

    def only(self, rows: Sequence[int]) -> System:
        """The same points with some of the conditions."""
        part = System.__new__(System)
        part.conditions = [self.conditions[row] for row in rows]
        part.count, part.work = self.count, 0
        at = {row: k for k, row in enumerate(rows)}
        part.touched = [[at[row] for row in touched if row in at] for touched in self.touched]
        return part

    def _touched(self) -> list[list[int]]:
        """For every point the conditions that change when it moves, tried at places by chance."""
        random = np.random.default_rng(3)
        places, elsewhere = random.standard_normal((2, self.count, 2))
        before = self.residuals(places)
        touched = []
        for point in range(self.count):
            moved = places.copy()
            moved[point] = elsewhere[point]
            touched.append(np.flatnonzero(self.residuals(moved) != before).tolist())
        return touched


def settle(
    start: Array,
    conditions: Sequence[Residual] | System,
    steps: int = 80,
    free: Sequence[int] | None = None,
) -> tuple[Array, float]:
    """Move points as little as the conditions allow; returns places and the largest residual.

    Only the points `free` move; unsaid, all do.

    >>> right = lambda p: float(np.dot(p[1] - p[0], p[2] - p[0]))
    >>> settle(np.array([[0, 0], [1, 0], [0.1, 1]]), [right])[1] < 1e-9
    True
    """
    x: Array = np.asarray(start, float).copy()
    system = conditions if isinstance(conditions, System) else System(conditions, len(x))
    moving = list(range(len(x))) if free is None else list(free)
    damping = 1e-2
    r = system.residuals(x)
    for _ in range(steps):
        if not len(r) or np.abs(r).max() < 1e-12 or system.work > MOST_WORK:
            break
        jacobian = system.jacobian(x, moving)
        normal, slope = jacobian.T @ jacobian, jacobian.T @ r
        step = np.linalg.lstsq(normal + damping * np.eye(len(slope)), -slope, rcond=None)[0]
        trial = x.copy()
        trial[moving] += step.reshape(-1, 2)
        there = system.residuals(trial)
        if float(there @ there) < float(r @ r):
            x, r, damping = trial, there, max(damping / 5, 1e-12)
        else:
            damping *= 4
            if damping > 1e8:
                break
    return x, float(np.abs(r).max()) if len(r) else 0.0


def solve(count: int, conditions: Sequence[Residual], names: Sequence[str], size: float) -> Array:
    """Places for `count` points from fixed starts: of all that fit, the one of most clearance.

    Raises UserError when no start leads to a figure: the conditions contradict each other, or
    need more work than is allowed.
    """
    random = np.random.default_rng(7)
    system = System(conditions, count)
    best, most = None, 0.0
    for trial in range(STARTS):
        turn = 2 * np.pi * np.arange(count) / max(count, 1)
        ring = size * np.stack([np.cos(turn), np.sin(turn)], 1)
        start = ring + (0.6 * size * random.standard_normal((count, 2)) if trial else 0)
        places, worst = settle(start, system)
        gaps = np.linalg.norm(places[:, None] - places[None], axis=2) + np.eye(count) * 1e9
        extent = float(np.ptp(places, axis=0).max())
        height = float(np.linalg.svd(places - places.mean(0), compute_uv=False)[-1])
        clearance = min(float(gaps.min()), 0.03 * extent + height)
        if worst < GOOD * max(size, 1e-9) and gaps.min() > 0.02 * extent and clearance > most:
            best, most = places, clearance
            if clearance > 0.2 * extent and height > 0.4 * extent:
                break
        if system.work > MOST_WORK:
            break
    if best is None and system.work > MOST_WORK:
        raise UserError(
            f"no figure of {', '.join(names)} in {MOST_WORK:,} evaluations of its conditions",
            "give point_positions",
        )
    if best is None:
        raise UserError(
            f"no figure of {', '.join(names)} fulfils all conditions",
            "they contradict each other, or let points coincide",
        )
    return best
