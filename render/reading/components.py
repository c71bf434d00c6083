"""Connected components of a mask, found by its runs: stretches of set pixels in rows."""

from __future__ import annotations

from typing import Any

import numpy as np

Array = np.ndarray[Any, np.dtype[Any]]


def runs_of(ink: Array) -> Array:
    """Stretches of ink in rows: (row, start, end), from the top and the left.

    >>> runs_of(np.array([[0, 1, 1, 0, 1]], bool)).tolist()
    [[0, 1, 3], [0, 4, 5]]
    """
    padded = np.pad(ink, ((0, 0), (1, 1))).astype(np.int8)
    edges = np.diff(padded, axis=1)
    row, start = np.nonzero(edges == 1)
    _, end = np.nonzero(edges == -1)
    return np.stack([row, start, end], 1)


def components(runs: Array) -> Array:
    """The number of the component of each run; runs that touch, also by a corner, share it."""
    upper, lower = _touching(runs)
    label = np.arange(len(runs))
    while True:
        a = label[upper]
        b = label[lower]
        apart = a != b
        if not apart.any():
            _, numbers = np.unique(label, return_inverse=True)
            return np.asarray(numbers)
        larger = np.maximum(a, b)[apart]
        smaller = np.minimum(a, b)[apart]
        np.minimum.at(label, larger, smaller)
        while (label[label] != label).any():
            label = label[label]


def _touching(runs: Array) -> tuple[Array, Array]:
    """Pairs of runs, by their indices, of which the second touches the first from below."""
    row, start, end = runs.T
    # A place (row, column) is one number, so that runs are sorted and can be searched.
    stride = int(end.max()) + 2
    below = (row + 1) * stride
    first = np.searchsorted(row * stride + end, below + start)
    stop = np.searchsorted(row * stride + start, below + end, "right")
    count = np.maximum(stop - first, 0)
    upper = np.repeat(np.arange(len(runs)), count)
    first_pair = np.cumsum(count) - count
    step = np.arange(len(upper)) - np.repeat(first_pair, count)
    return upper, step + np.repeat(first, count)
