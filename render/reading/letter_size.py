"""How large a picture's own letters are, so that what is added to it is printed alike.

Characters are connected pieces of ink that are neither blobs (dots, arrowheads) nor straight
(dashes, ticks); the height that most of them share is that of capitals and digits.
"""

from __future__ import annotations

from functools import reduce

import numpy as np

from .components import Array, components, runs_of

CONTRAST = 70  # a pixel so much darker than the paper is ink
LEAST = 6  # pixels: what is lower shows no shape
LARGEST, OF_SIDE = (
    0.2,
    0.5,
)  # height at most, of the square root of the area and of the shorter side
WIDEST = 1.7  # of the height: W
BLOB, STRAIGHT = (
    0.8,
    0.3,
)  # ink of the ellipse with the same spread; its shorter axis of the longer
SOLID = 0.88  # ink of the bar with the same spread
ALIKE = 1.25  # heights of capitals, digits and letters with ascenders
TALLER = 1.75  # capitals are at most so much higher than x
FEWEST = 2
MAX_RUNS = 400_000  # more is no drawing


def letter_height(pixels: Array) -> float | None:
    """The height in pixels of the capitals and digits that a picture prints; None without any.

    `pixels` are grey, or in colours: (height, width) or (height, width, 3).

    >>> letter_height(np.full((90, 90, 3), 255, np.uint8)) is None
    True
    """
    channels = [pixels] if pixels.ndim == 2 else [pixels[..., k] for k in range(3)]
    bright = reduce(np.minimum, channels).astype(np.int16)
    runs = runs_of(bright < int(np.median(bright)) - CONTRAST)
    if not 0 < len(runs) <= MAX_RUNS:
        return None
    heights = np.sort(_characters(runs, pixels.shape[:2]))
    first = np.searchsorted(heights, heights / ALIKE)
    alike = np.arange(1, len(heights) + 1) - first  # so many end at each height
    if not len(heights) or alike.max() < FEWEST:
        return None
    best = len(alike) - 1 - int(np.argmax(alike[::-1]))  # of equals the larger
    low, high = heights[first[best]], heights[best]
    above = heights[(heights > high) & (heights < TALLER * low)]
    if len(above) >= max(FEWEST, alike.max() / 4):  # most were low ones: the m of 5 cm
        return float(np.median(above))
    return float(np.median(heights[first[best] : best + 1]))


def is_solid(rows: Array, starts: Array, ends: Array) -> bool:
    """Whether a component, given by its runs, is a dot or a dash: full as a disc or a bar is."""
    x = np.concatenate([np.arange(a, b) for a, b in zip(starts, ends, strict=True)])
    y = np.repeat(rows, ends - starts)
    shorter, longer = np.linalg.eigvalsh(
        np.cov(np.stack([x, y]), bias=True) + np.eye(2) / 12
    )
    return bool(len(x) >= SOLID * 12 * np.sqrt(shorter * longer))


def _characters(runs: Array, shape: tuple[int, ...]) -> Array:
    """The heights of all components that look like characters."""
    part = components(runs)
    row, start, end = (column.astype(float) for column in runs.T)
    length = end - start
    count = int(part.max()) + 1

    def total(values: Array) -> Array:
        return np.bincount(part, values, count)

    low, high = np.full((2, count), np.inf), np.full((2, count), -np.inf)
    for axis, (first, last) in enumerate(((row, row + 1), (start, end))):
        np.minimum.at(low[axis], part, first)
        np.maximum.at(high[axis], part, last)
    height, width = high - low
    area, x, y = total(length), (start + end) / 2, row + 0.5
    mean_x, mean_y = total(length * x) / area, total(length * y) / area
    dx, dy = x - mean_x[part], y - mean_y[part]
    xx = total(length * (dx**2 + length**2 / 12)) / area
    yy = total(length * dy**2) / area + 1 / 12
    xy = total(length * dx * dy) / area
    root = np.sqrt((xx - yy) ** 2 / 4 + xy**2)
    shorter, longer = np.maximum((xx + yy) / 2 - root, 0), (xx + yy) / 2 + root
    most = min(LARGEST * float(np.sqrt(shape[0] * shape[1])), OF_SIDE * min(shape))
    fits = (height >= LEAST) & (height <= most) & (width <= WIDEST * height)
    inside = (low > 0).all(0) & (high[0] < shape[0]) & (high[1] < shape[1])
    curved = shorter > STRAIGHT**2 * longer
    hollow = area < BLOB * 4 * np.pi * np.sqrt(shorter * longer)
    return np.asarray(height[fits & inside & curved & hollow])
