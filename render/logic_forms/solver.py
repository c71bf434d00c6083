"""Place points so that geometric conditions hold: damped least squares (Levenberg, Marquardt).

Deterministic: from given places, or from fixed starts when there are none.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

import numpy as np

from ...errors import UserError
from ..figure import Array

Residual = Callable[[Array], float]  # places (n, 2) -> zero when the condition holds
GOOD = 1e-4  # of the figure's size
STARTS = 24


def settle(start: Array, conditions: Sequence[Residual], steps: int = 80) -> tuple[Array, float]:
    """Move points as little as the conditions allow; returns places and the largest residual.

    >>> right = lambda p: float(np.dot(p[1] - p[0], p[2] - p[0]))
    >>> settle(np.array([[0, 0], [1, 0], [0.1, 1]]), [right])[1] < 1e-9
    True
    """
    x: Array = np.asarray(start, float).ravel().copy()
    damping = 1e-2

    def residuals(v: Array) -> Array:
        places = v.reshape(-1, 2)
        return np.array([condition(places) for condition in conditions])

    r = residuals(x)
    for _ in range(steps):
        if not len(r) or np.abs(r).max() < 1e-12:
            break
        h = 1e-6
        columns = [(residuals(x + h * e) - residuals(x - h * e)) / (2 * h) for e in np.eye(len(x))]
        jacobian = np.stack(columns, 1)
        normal, slope = jacobian.T @ jacobian, jacobian.T @ r
        step = np.linalg.lstsq(normal + damping * np.eye(len(x)), -slope, rcond=None)[0]
        trial = residuals(x + step)
        if float(trial @ trial) < float(r @ r):
            x, r, damping = x + step, trial, max(damping / 5, 1e-12)
        else:
            damping *= 4
            if damping > 1e8:
                break
    worst = float(np.abs(r).max()) if len(r) else 0.0
    return x.reshape(-1, 2), worst


def solve(count: int, conditions: Sequence[Residual], names: Sequence[str], size: float) -> Array:
    """Places for `count` points from fixed starts: of all that fit, the one of most clearance.

    Raises UserError when no start leads to a figure: the conditions contradict each other.
    """
    random = np.random.default_rng(7)
    best, most = None, 0.0
    for trial in range(STARTS):
        turn = 2 * np.pi * np.arange(count) / max(count, 1)
        ring = size * np.stack([np.cos(turn), np.sin(turn)], 1)
        start = ring + (0.6 * size * random.standard_normal((count, 2)) if trial else 0)
        places, worst = settle(start, conditions)
        gaps = np.linalg.norm(places[:, None] - places[None], axis=2) + np.eye(count) * 1e9
        extent = float(np.ptp(places, axis=0).max())
        height = float(np.linalg.svd(places - places.mean(0), compute_uv=False)[-1])
        clearance = min(float(gaps.min()), 0.03 * extent + height)
        if worst < GOOD * max(size, 1e-9) and gaps.min() > 0.02 * extent and clearance > most:
            best, most = places, clearance
            if clearance > 0.2 * extent and height > 0.4 * extent:
                break
    if best is None:
        raise UserError(
            f"no figure of {', '.join(names)} fulfils all conditions",
            "they contradict each other, or let points coincide",
        )
    return best
