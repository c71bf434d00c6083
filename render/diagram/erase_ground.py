"""The ground of a box: colours grow in from its border, strokes part them."""

from __future__ import annotations

import numpy as np

from ..figure import Array
from .erase_border import Border

EVEN = 12  # of 255: colours of the border that differ by no more from most of it are one colour
STEP = 40  # of 255: neighbours that differ so much are of two areas
SMOOTH = range(-4, 5)  # places along the border whose median is a place's colour


def ground_of(
    border: Border, size: tuple[int, int], strokes: Array
) -> tuple[Array, bool]:
    """The box of `size` (width, height) without ink, and whether areas of several colours meet.

    `strokes` is where its strokes are drawn; they part the areas.
    """
    width, height = size
    near = border.strokes.copy()
    for by in SMOOTH:  # the soft edges of strokes
        near |= np.roll(border.strokes, by)
    sure = border.inside & ~near
    if not sure.any():
        sure = border.inside
    if not sure.any():
        return np.full((height, width, 3), 255, np.uint8), False
    colors = border.colors.astype(float)
    paper = np.median(colors[sure], axis=0)
    colors = np.median([np.roll(colors, k, 0) for k in SMOOTH], axis=0)
    colors[np.abs(colors - paper).max(1) < EVEN] = paper
    ground = np.full((height + 2, width + 2, 3), paper)
    known = np.zeros((height + 2, width + 2), bool)
    top, right, bottom, left = np.split(
        np.arange(len(colors)), np.cumsum([width, height, width])
    )
    for place, ring in (
        ((0, slice(1, -1)), top),
        ((slice(1, -1), -1), right),
        ((-1, slice(1, -1)), bottom[::-1]),
        ((slice(1, -1), 0), left[::-1]),
    ):
        ground[place], known[place] = colors[ring], sure[ring]
    free = np.pad(~strokes, 1)
    _grown(ground, known, free)
    inner = ground[1:-1, 1:-1]
    apart = [np.abs(np.diff(inner, axis=k)).max(2) > STEP for k in (0, 1)]
    apart = [
        step & ~(strokes[1:] | strokes[:-1])
        if k == 0
        else step & ~(strokes[:, 1:] | strokes[:, :-1])
        for k, step in enumerate(apart)
    ]
    _grown(ground, known, np.ones_like(free))
    return np.round(inner).clip(0, 255).astype(np.uint8), any(
        step.any() for step in apart
    )


def _grown(ground: Array, known: Array, free: Array) -> None:
    """Colours grow from the known places into free ones, step by step, in place."""
    while True:
        total, count = np.zeros(ground.shape), np.zeros(known.shape)
        for axis in (0, 1):
            for by in (-1, 1):
                beside = np.roll(known, by, axis)
                total += np.roll(ground, by, axis) * beside[..., None]
                count += beside
        reached = free & ~known & (count > 0)
        reached[[0, -1]] = reached[:, [0, -1]] = False
        if not reached.any():
            return
        ground[reached] = total[reached] / count[reached][:, None]
        known |= reached
