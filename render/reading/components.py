"""Connected components of a mask, found by its runs: stretches of set pixels in rows."""

from __future__ import annotations

from typing import Any

import numpy as np

Array = np.ndarray[Any, np.dtype[Any]]


def runs_of(ink: Array) -> Array:
    """Stretches of ink in rows: (row, start, end), from the top and the left."""
    edges = np.diff(np.pad(ink, ((0, 0), (1, 1))).astype(np.int8), axis=1)
    row, start = np.nonzero(edges == 1)
    return np.stack([row, start, np.nonzero(edges == -1)[1]], 1)


def components(runs: Array) -> Array:
    """The number of the component of each run; runs that touch, also by a corner, share it."""
    row, start, end = runs.T
    stride = int(end.max()) + 2
    below = (row + 1) * stride
    low = np.searchsorted(row * stride + end, below + start)
    count = np.maximum(
        np.searchsorted(row * stride + start, below + end, "right") - low, 0
    )
    one = np.repeat(np.arange(len(runs)), count)
    other = (
        np.arange(len(one))
        - np.repeat(np.cumsum(count) - count, count)
        + np.repeat(low, count)
    )
    label = np.arange(len(runs))
    while True:
        a, b = label[one], label[other]
        apart = a != b
        if not apart.any():
            return np.asarray(np.unique(label, return_inverse=True)[1])
        np.minimum.at(label, np.maximum(a, b)[apart], np.minimum(a, b)[apart])
        while (label[label] != label).any():
            label = label[label]
