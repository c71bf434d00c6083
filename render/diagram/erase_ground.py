"""The ground of a box: every part between the strokes takes the colours of its own border."""

from __future__ import annotations

import numpy as np

from ..figure import Array
from ..reading import components, runs_of
from .erase_border import RING, Border

EVEN = 12  # of 255: a border whose colours differ by no more is of one colour
STEP = 40  # of 255: neighbours on the border that differ so much are two areas


def ground_of(border: Border, size: tuple[int, int], strokes: Array) -> tuple[Array, int]:
    """The box of `size` (width, height) without ink, and how many edges of areas end at it.

    `strokes` is where its strokes are drawn; they part the areas.
    """
    width, height = size
    near = border.strokes.copy()
    for by in (-2, -1, 1, 2):  # the soft edges of strokes
        near |= np.roll(border.strokes, by)
    sure = border.inside & ~near
    if not sure.any():
        sure = border.inside
    if not sure.any():
        return np.full((height, width, 3), 255, np.uint8), 0
    parts = np.zeros((height, width), int)
    if strokes.any():
        runs = runs_of(~strokes)
        parts[...] = -1
        for (row, start, end), part in zip(
            runs, components(runs) if len(runs) else [], strict=True
        ):
            parts[row, start:end] = part
    own = _at_border(parts)
    colors = border.colors.astype(float)
    paper = np.median(colors[sure], axis=0)
    ground = np.broadcast_to(paper, (height, width, 3)).copy()
    edges = 0
    for part in np.unique(parts[parts >= 0]):
        mine = sure & (own == part)
        if not mine.any():
            continue
        inside = parts == part
        paper = np.median(colors[mine], axis=0)
        off = np.abs(colors[mine] - paper).max(1)
        if np.mean(off < EVEN) > 0.8:
            ground[inside] = paper
            continue
        edges += _edges(colors, mine)
        ground[inside] = _blend(colors, mine, size, paper)[inside]
    _under_strokes(ground, parts < 0)
    return np.round(ground).clip(0, 255).astype(np.uint8), edges


def _at_border(parts: Array) -> Array:
    """What stands in the box beside each place of its border."""
    return np.concatenate([parts[0], parts[:, -1], parts[-1, ::-1], parts[::-1, 0]])


def _edges(colors: Array, mine: Array) -> int:
    """How many steps from one colour to another there are along the border."""
    whole = mine & np.roll(mine, -1) & np.roll(mine, -RING)
    step = whole & (np.abs(np.roll(colors, -RING, 0) - colors).max(1) > STEP)
    return int((step & ~np.roll(step, 1)).sum())


def _blend(colors: Array, mine: Array, size: tuple[int, int], paper: Array) -> Array:
    """Every pixel from the border straight left, right, above and below it, the nearer the more."""
    width, height = size
    smooth = np.median([np.roll(colors, k, 0) for k in range(-4, 5)], axis=0)
    smooth[~mine] = paper
    y, x = np.mgrid[0:height, 0:width] + 1.0
    ends = np.cumsum([width, height, width])
    (top, right, bottom, left), valid = np.split(smooth, ends), np.split(mine.astype(float), ends)
    ways = (
        (top[None], valid[0][None], y), (right[:, None], valid[1][:, None], width + 1 - x),
        (bottom[None, ::-1], valid[2][None, ::-1], height + 1 - y),
        (left[::-1, None], valid[3][::-1, None], x),
    )  # fmt: skip
    total, weight = np.zeros((height, width, 3)), np.zeros((height, width))
    for edge, counts, far in ways:
        share = counts / far**2
        total += edge * share[..., None]
        weight += share
    found = weight > 0
    return np.asarray(
        np.where(found[..., None], total / np.where(found, weight, 1)[..., None], paper)
    )


def _under_strokes(ground: Array, empty: Array) -> None:
    """What strokes cover takes the colours beside it, in place."""
    empty = empty.copy()
    for _ in range(max(empty.shape)):
        if not empty.any() or empty.all():
            return
        total, count = np.zeros(ground.shape), np.zeros(empty.shape)
        for axis in (0, 1):
            for ahead in (True, False):
                to = [slice(None), slice(None)]
                of = [slice(None), slice(None)]
                to[axis], of[axis] = slice(1, None), slice(None, -1)
                if ahead:
                    to, of = of, to
                known = ~empty[tuple(of)]
                total[tuple(to)] += ground[tuple(of)] * known[..., None]
                count[tuple(to)] += known
        reached = empty & (count > 0)
        ground[reached] = total[reached] / count[reached][:, None]
        empty &= ~reached
