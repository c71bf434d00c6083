"""Sampling: curves as polylines that break where the function does.

Breaks are found by bisection: a pole or a jump is never joined by a line, and a curve that ends
(a root at zero, say) reaches its end.
"""

from __future__ import annotations

import numpy as np

from .expressions import Expression
from .figure import Array

SAMPLES = 480


def sample(f: Expression, low: float, high: float, rows: Array) -> list[Array]:
    """Unbroken runs of points of y = f(x) for x in [low, high]."""
    if not low < high:
        return []
    x = np.linspace(low, high, SAMPLES)
    y = f(x)
    points = np.stack([x, y], 1)
    fine = np.isfinite(y)
    jump = 0.2 * (rows[1] - rows[0])
    with np.errstate(invalid="ignore"):
        unsure = (fine[1:] != fine[:-1]) | (
            fine[1:] & fine[:-1] & (np.abs(np.diff(y)) > jump)
        )
    runs: list[list[Array]] = [[]]
    start = 0
    for k in (np.flatnonzero(unsure) + 1).tolist():
        runs[-1].append(points[start:k][fine[start:k]])
        start = k
        left, right = _narrowed(f, x[k - 1], x[k])
        if fine[k - 1] and fine[k] and abs(f(right) - f(left)) <= jump:
            continue
        if fine[k - 1]:
            runs[-1].append(np.array([[left, f(left)]]))
        if fine[k]:
            runs.append([np.array([[right, f(right)]])])
    runs[-1].append(points[start:][fine[start:]])
    joined = [np.concatenate(run) for run in runs if run]
    return [run for run in joined if len(run) > 1]


def _narrowed(f: Expression, left: float, right: float) -> tuple[float, float]:
    """Narrowed to where f ends, or the larger change happens: a jump stays, a slope shrinks."""
    for _ in range(40):
        middle = (left + right) / 2
        before, here, after = f(left), f(middle), f(right)
        if np.isfinite(before) != np.isfinite(after):
            is_before = np.isfinite(here) == np.isfinite(before)
        elif np.isfinite(here):
            is_before = abs(here - before) <= abs(after - here)
        else:
            break
        left, right = (middle, right) if is_before else (left, middle)
    return float(left), float(right)


def clipped(path: Array, box: Array) -> list[Array]:
    """The parts of a polyline inside a box [[x0, x1], [y0, y1]] (Liang and Barsky)."""
    a, d = path[:-1], np.diff(path, axis=0)
    enter: Array = np.zeros(len(a))
    leave: Array = np.ones(len(a))
    with np.errstate(all="ignore"):
        for axis in (0, 1):
            t = (box[axis][None, :] - a[:, axis, None]) / d[:, axis, None]
            flat = d[:, axis] == 0
            out = (a[:, axis] < box[axis][0]) | (a[:, axis] > box[axis][1])
            enter = np.where(flat, np.where(out, 2, enter), np.maximum(enter, t.min(1)))
            leave = np.where(flat, leave, np.minimum(leave, t.max(1)))
    pieces: list[list[Array]] = []
    open_piece = False
    for k in range(len(a)):
        if enter[k] >= leave[k]:
            open_piece = False
            continue
        if not (open_piece and enter[k] == 0):
            pieces.append([a[k] + enter[k] * d[k]])
        pieces[-1].append(a[k] + leave[k] * d[k])
        open_piece = leave[k] == 1
    return [np.array(piece) for piece in pieces]
