"""Sampling: curves as polylines that break where the function does.

Breaks are found by bisection: a pole or a jump is never joined by a line, and a curve that ends
(a root at zero, say) reaches its end.
"""

from __future__ import annotations

import numpy as np

from .expressions import Expression
from .figure import Array

SAMPLES = 480
HALVINGS = 40  # of the step in which a curve breaks
JUMP = 0.2  # of the window's height: a step so high may be a pole or a jump
NOWHERE = 2  # a fraction beyond the end of any piece, which is 1


def sample(f: Expression, low: float, high: float, heights: Array) -> list[Array]:
    """Unbroken runs of points (n, 2) of y = f(x) for x in [low, high].

    `heights` are the lowest and the highest y of the window.
    """
    if not low < high:
        return []
    x = np.linspace(low, high, SAMPLES)
    y = f(x)
    points = np.stack([x, y], 1)
    defined = np.isfinite(y)
    jump = JUMP * (heights[1] - heights[0])
    runs: list[list[Array]] = [[]]
    start = 0
    for stop in _doubtful(y, defined, jump):
        runs[-1].append(points[start:stop][defined[start:stop]])
        start = stop
        before = stop - 1
        after = stop
        left, right = _narrowed(f, x[before], x[after])
        is_joined = defined[before] and defined[after]
        if is_joined and abs(f(right) - f(left)) <= jump:
            continue
        if defined[before]:
            runs[-1].append(np.array([[left, f(left)]]))
        if defined[after]:
            runs.append([np.array([[right, f(right)]])])
    runs[-1].append(points[start:][defined[start:]])
    joined = [np.concatenate(run) for run in runs if run]
    return [run for run in joined if len(run) > 1]


def _doubtful(y: Array, defined: Array, jump: float) -> list[int]:
    """Indices of samples before which the curve may break: it ends or begins, or steps far."""
    before = defined[:-1]
    after = defined[1:]
    with np.errstate(invalid="ignore"):
        is_far = np.abs(np.diff(y)) > jump
    doubtful = (after != before) | (after & before & is_far)
    indices: list[int] = (np.flatnonzero(doubtful) + 1).tolist()
    return indices


def _narrowed(f: Expression, left: float, right: float) -> tuple[float, float]:
    """Narrowed to where f ends, or the larger change happens: a jump stays, a slope shrinks."""
    for _ in range(HALVINGS):
        middle = (left + right) / 2
        before = f(left)
        here = f(middle)
        after = f(right)
        if np.isfinite(before) != np.isfinite(after):
            is_before = np.isfinite(here) == np.isfinite(before)
        elif np.isfinite(here):
            is_before = abs(here - before) <= abs(after - here)
        else:
            break
        if is_before:
            left = middle
        else:
            right = middle
    return float(left), float(right)


def clipped(path: Array, box: Array) -> list[Array]:
    """The parts of a polyline (n, 2) inside a box [[x0, x1], [y0, y1]]."""
    starts = path[:-1]
    ways = np.diff(path, axis=0)
    enter, leave = _inside(starts, ways, box)
    parts: list[list[Array]] = []
    is_open = False  # whether the last part goes on
    for start, way, first, last in zip(starts, ways, enter, leave, strict=True):
        if first >= last:
            is_open = False
            continue
        if not (is_open and first == 0):
            parts.append([start + first * way])
        parts[-1].append(start + last * way)
        is_open = last == 1
    return [np.array(part) for part in parts]


def _inside(starts: Array, ways: Array, box: Array) -> tuple[Array, Array]:
    """The fractions (pieces,) of each piece at which it enters a box and leaves it.

    Liang and Barsky's clipping; where a piece meets no box it enters after it leaves.
    """
    enter: Array = np.zeros(len(starts))
    leave: Array = np.ones(len(starts))
    with np.errstate(all="ignore"):
        for start, way, sides in zip(starts.T, ways.T, box, strict=True):
            low, high = sides
            at_sides = (sides[None, :] - start[:, None]) / way[:, None]  # (pieces, 2)
            is_level = way == 0
            is_outside = (start < low) | (start > high)
            level = np.where(is_outside, NOWHERE, enter)
            enter = np.where(is_level, level, np.maximum(enter, at_sides.min(1)))
            leave = np.where(is_level, leave, np.minimum(leave, at_sides.max(1)))
    return enter, leave
