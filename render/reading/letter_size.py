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
LARGEST = 0.2  # height at most, of the square root of the area
OF_SIDE = 0.5  # height at most, of the shorter side
WIDEST = 1.7  # of the height: W
BLOB = 0.8  # ink of the ellipse with the same spread
STRAIGHT = 0.3  # the shorter axis of that ellipse, of the longer
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
    channels = [pixels]
    if pixels.ndim == 3:
        channels = [pixels[..., k] for k in range(3)]
    bright = reduce(np.minimum, channels).astype(np.int16)
    paper = int(np.median(bright))
    runs = runs_of(bright < paper - CONTRAST)
    if not 0 < len(runs) <= MAX_RUNS:
        return None
    boxes = _characters(runs, pixels.shape[:2])
    return _common_height(np.sort(boxes[:, 3] - boxes[:, 1]))


def letter_boxes(pixels: Array) -> list[tuple[float, float, float, float]]:
    """Where letters as high as the picture's capitals stand: left, top, right, bottom of each.

    >>> letter_boxes(np.full((90, 90, 3), 255, np.uint8))
    []
    """
    capitals = letter_height(pixels)
    if capitals is None:
        return []
    bright = pixels.min(2) if pixels.ndim == 3 else pixels
    bright = bright.astype(np.int16)
    runs = runs_of(bright < int(np.median(bright)) - CONTRAST)
    boxes = _characters(runs, pixels.shape[:2])
    heights = boxes[:, 3] - boxes[:, 1]
    alike = boxes[(heights > capitals / ALIKE) & (heights < capitals * ALIKE)]
    return [(a, b, c, d) for a, b, c, d in alike.tolist()]


def _common_height(heights: Array) -> float | None:
    """The height that most characters share; `heights` rise."""
    if not len(heights):
        return None
    first = np.searchsorted(heights, heights / ALIKE)
    votes = np.arange(1, len(heights) + 1) - first  # for each height as the largest
    most = votes.max()
    if most < FEWEST:
        return None
    best = int(np.flatnonzero(votes == most)[-1])
    alike = heights[first[best] : best + 1]
    low = alike[0]
    high = alike[-1]
    taller = heights[(heights > high) & (heights < TALLER * low)]
    if len(taller) >= max(FEWEST, most / 4):  # most were low ones: the m of 5 cm
        return float(np.median(taller))
    return float(np.median(alike))


def is_solid(rows: Array, starts: Array, ends: Array) -> bool:
    """Whether a component, given by its runs, is a dot or a dash: full as a disc or a bar is."""
    x = np.concatenate([np.arange(a, b) for a, b in zip(starts, ends, strict=True)])
    y = np.repeat(rows, ends - starts)
    of_one_pixel = np.eye(2) / 12
    spread = np.cov(np.stack([x, y]), bias=True) + of_one_pixel
    shorter, longer = np.linalg.eigvalsh(spread)
    bar = 12 * np.sqrt(shorter * longer)
    return bool(len(x) >= SOLID * bar)


def _characters(runs: Array, shape: tuple[int, ...]) -> Array:
    """The boxes of all components that look like characters, (n, 4)."""
    part = components(runs)
    count = int(part.max()) + 1
    row, start, end = (column.astype(float) for column in runs.T)
    top, bottom = _bounds(row, row + 1, part, count)
    left, right = _bounds(start, end, part, count)
    height = bottom - top
    width = right - left
    largest = min(
        LARGEST * float(np.sqrt(shape[0] * shape[1])),
        OF_SIDE * min(shape),
    )
    is_of_a_size = (height >= LEAST) & (height <= largest)
    is_narrow = width <= WIDEST * height
    # What touches the edge is cut off, or is the picture's frame.
    is_off_top_left = (top > 0) & (left > 0)
    is_off_bottom_right = (bottom < shape[0]) & (right < shape[1])
    area, shorter, longer = _ellipses(row, start, end, part, count)
    is_curved = shorter > STRAIGHT**2 * longer
    is_hollow = area < BLOB * 4 * np.pi * np.sqrt(shorter * longer)
    is_inside = is_off_top_left & is_off_bottom_right
    is_character = is_of_a_size & is_narrow & is_inside & is_curved & is_hollow
    boxes = np.stack([left, top, right, bottom], 1)
    return np.asarray(boxes[is_character])


def _bounds(first: Array, last: Array, part: Array, count: int) -> tuple[Array, Array]:
    """The least and the greatest place of every component along one axis."""
    low = np.full(count, np.inf)
    high = np.full(count, -np.inf)
    np.minimum.at(low, part, first)
    np.maximum.at(high, part, last)
    return low, high


def _ellipses(
    row: Array, start: Array, end: Array, part: Array, count: int
) -> tuple[Array, Array, Array]:
    """The area of every component, and its variances along and across its main axis."""

    def total(values: Array) -> Array:
        return np.bincount(part, values, count)

    length = end - start
    area = total(length)
    x = (start + end) / 2
    y = row + 0.5
    mean_x = total(length * x) / area
    mean_y = total(length * y) / area
    dx = x - mean_x[part]
    dy = y - mean_y[part]
    # A run and a pixel have a spread of their own: their length squared by 12.
    xx = total(length * (dx**2 + length**2 / 12)) / area
    yy = total(length * dy**2) / area + 1 / 12
    xy = total(length * dx * dy) / area
    middle = (xx + yy) / 2
    root = np.sqrt((xx - yy) ** 2 / 4 + xy**2)
    shorter = np.maximum(middle - root, 0)
    return area, shorter, middle + root
