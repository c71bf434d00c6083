"""The border of a box: the ground around it, and the strokes that go into it."""

from __future__ import annotations

import math
from collections.abc import Iterator

import msgspec
import numpy as np

from ..figure import Array
from ..reading import runs_of
from .printed_words import Box

RING = 3  # pixels around a box that show its ground
REACH = 20  # pixels outside a box along which a stroke is followed
SEEN = 8  # pixels: what is seen of a stroke that is no piece of a letter
CONTRAST = 60  # a pixel so much darker than the ground is ink
LYING, MOST = (
    10,
    12,
)  # pixels: a stroke along a side is so long, and the side moves at most so far
WIDEST = 25  # pixels of a stroke along the border; what is wider is an area


class Stroke(msgspec.Struct):
    """A stroke that goes into a box: where, its look, how many pixels of it are seen.

    Its direction inwards is `inwards` if it is straight, and `curved` if it bends.
    """

    at: Array
    inwards: Array
    curved: Array
    width: float
    color: Array
    length: int

    @property
    def sure(self) -> bool:
        """Whether enough of it is seen to lead it elsewhere than straight on."""
        return self.length >= max(SEEN, 2 * self.width)


class Side(msgspec.Struct):
    """One side of a box: the first pixel outside it, the ways along it and out, its length."""

    corner: Array
    along: Array
    out: Array
    length: int

    def places(self, depth: int, beyond: int = 0) -> Array:
        """The pixels (x, y) in the row `depth` outside, so many more at both ends."""
        steps = np.arange(-beyond, self.length + beyond)
        return np.asarray(self.corner + depth * self.out + steps[:, None] * self.along)


class Border(msgspec.Struct):
    """The pixels around a box, clockwise from its upper left corner."""

    sides: list[Side]
    places: Array  # (n, 2): x, y
    inside: Array  # whether a place is in the picture
    colors: Array  # (n, 3), the ground's where a stroke stands
    strokes: Array  # whether ink stands there
    level: Array  # the ground's brightness


def brightness(pixels: Array, dark: bool) -> Array:
    """0 is ink, 255 the ground, on white paper as on black."""
    values = pixels.astype(np.int16)
    return np.asarray(255 - values.max(-1) if dark else values.min(-1))


def look(pixels: Array, places: Array) -> tuple[Array, Array]:
    """The colours at places, and which of them lie in the picture."""
    x, y = places.T
    there = (x >= 0) & (y >= 0) & (x < pixels.shape[1]) & (y < pixels.shape[0])
    return pixels[np.where(there, y, 0), np.where(there, x, 0)], np.asarray(there)


def off_strokes(pixels: Array, box: Box, dark: bool) -> Box:
    """The box with every side that lies along a stroke moved out past it."""
    left, top, right, bottom = box
    ground = np.percentile(brightness(pixels[top:bottom, left:right], dark), 75)
    moved = list(box)
    limits = (0, 0, pixels.shape[1], pixels.shape[0])
    for k, (start, limit) in enumerate(zip(box, limits, strict=True)):
        upright, step = k % 2 == 0, -1 if k < 2 else 1
        long = max(LYING, 0.4 * ((bottom - top) if upright else (right - left)))
        for edge in range(
            start, start + step * (min(MOST, abs(limit - start)) + 1), step
        ):
            line = slice(max(0, edge - 1), edge + 1)
            rows = (
                pixels[top:bottom, line]
                if upright
                else pixels[line, left:right].swapaxes(0, 1)
            )
            ink = (brightness(rows, dark) < ground - CONTRAST / 2).any(1)
            if max((b - a for a, b in _runs(ink)), default=0) < long:
                moved[k] = edge
                break
    return moved[0], moved[1], moved[2], moved[3]


def border_of(pixels: Array, box: Box, dark: bool) -> Border:
    """The border of a box; strokes are what is darker than the ground on both of their sides."""
    left, top, right, bottom = box
    width, height = right - left, bottom - top
    sides = [
        Side(np.array([left, top - 1]), np.array([1, 0]), np.array([0, -1]), width),
        Side(np.array([right, top]), np.array([0, 1]), np.array([1, 0]), height),
        Side(np.array([right - 1, bottom]), np.array([-1, 0]), np.array([0, 1]), width),
        Side(
            np.array([left - 1, bottom - 1]),
            np.array([0, -1]),
            np.array([-1, 0]),
            height,
        ),
    ]
    seen = []
    for depth in range(RING):
        places = np.concatenate([side.places(depth) for side in sides])
        seen.append(look(pixels, places))
    levels = np.stack(
        [np.where(there, brightness(rgb, dark), -1) for rgb, there in seen]
    )
    brightest = levels.argmax(0)
    ground = np.stack([rgb for rgb, _ in seen])[brightest, np.arange(levels.shape[1])]
    inside = seen[0][1]
    level = _closed(np.where(inside, levels.max(0), 255), WIDEST)
    strokes = inside & (levels[0] < level - CONTRAST)
    places = np.concatenate([side.places(0) for side in sides])
    return Border(sides, places, inside, ground, strokes, level)


def _closed(values: Array, window: int) -> Array:
    """A closed line of values without its dark runs narrower than the window."""
    half = min(window, len(values) // 4) // 2
    for choose in (np.maximum, np.minimum):
        values = choose.reduce([np.roll(values, k) for k in range(-half, half + 1)])
    return np.asarray(values)


def strokes_into(pixels: Array, border: Border, dark: bool) -> tuple[list[Stroke], int]:
    """The strokes that go into a box, and how many pieces of ink its border cuts besides."""
    found, cut = [], 0
    for low, high in _cyclic_runs(border.strokes):
        level = int(np.take(border.level, range(low, high), mode="wrap").min())
        ways = list(_ways(border.sides, low, high))
        inner = np.concatenate(
            [side.places(-1)[max(0, a - 1) : b + 1] for side, a, b in ways]
        )
        rgb, there = look(pixels, inner)
        if not (there & (brightness(rgb, dark) < level - CONTRAST)).any():
            continue  # it only touches the box
        seen = [
            _followed(pixels, side, a, b, level - CONTRAST, dark) for side, a, b in ways
        ]
        strokes = [stroke for stroke in seen if stroke is not None]
        if strokes:  # at a corner of the box the way on which it is seen further
            found.append(max(strokes, key=lambda stroke: stroke.length))
        else:
            cut += 1
    return found, cut


def _ways(sides: list[Side], low: int, high: int) -> Iterator[tuple[Side, int, int]]:
    """The sides that a run of the border touches, with the run counted along each."""
    whole, start = sum(side.length for side in sides), 0
    for side in sides:
        for turn in (0, whole):
            a, b = low - start + turn, high - start + turn
            if b > 0 and a < side.length:
                yield side, a, b
        start += side.length


def _cyclic_runs(mask: Array) -> list[tuple[int, int]]:
    """Runs of a closed line of booleans; one across its end has a negative start."""
    runs = _runs(mask)
    if len(runs) > 1 and runs[0][0] == 0 and runs[-1][1] == len(mask):
        runs[0] = (runs.pop()[0] - len(mask), runs[0][1])
    return runs


def _followed(
    pixels: Array, side: Side, low: int, high: int, threshold: int, dark: bool
) -> Stroke | None:
    """Follow a run of ink outwards, past what crosses it; None for what ends at once."""
    beyond = 3 * REACH
    steps, middles, widths, colors = [], list[float](), list[float](), []
    place, slope, first, missed = (low + high - 1) / 2, 0.0, high - low, 0
    for step in range(REACH):
        rgb, there = look(pixels, side.places(step, beyond))
        level = np.where(there, brightness(rgb, dark), 255)
        near = [
            (a, b)
            for a, b in _runs(level < threshold)
            if a - 2 <= place + beyond <= b + 1
        ]
        if not near:
            missed += 1
            if missed > 2:
                break
            place += slope
            continue
        missed = 0
        a, b = min(
            near, key=lambda run: abs((run[0] + run[1] - 1) / 2 - place - beyond)
        )
        if b - a > 1.6 * first + 2:  # another stroke crosses here
            place += slope
            continue
        part = np.arange(max(0, a - 1), min(b + 1, len(level)))
        share = np.clip((threshold + CONTRAST - level[part]) / CONTRAST, 0, None)
        middle = float((part * share).sum() / share.sum()) - beyond
        darkest = int(part[np.argmin(level[part])])
        steps.append(step)
        middles.append(middle)
        widths.append(float(share.sum() / share.max()))
        colors.append(rgb[darkest])
        if len(steps) > 1:
            back = max(0, len(steps) - 5)
            slope = (middle - middles[back]) / (step - steps[back])
        place = middle + slope
    if len(steps) < 4:
        return None
    slope, middle = (float(v) for v in np.polyfit(steps[:10], middles[:10], 1))
    bend, _ = np.polyfit(steps, middles, 2)[1:]
    inwards, curved = (-(side.out + rise * side.along) for rise in (slope, float(bend)))
    inwards, curved = inwards / np.linalg.norm(inwards), curved / np.linalg.norm(curved)
    thick = float(np.median(widths)) * abs(float(inwards @ side.out))
    at = side.corner + middle * side.along
    color = np.median(colors, axis=0)
    return Stroke(
        at.astype(float), inwards, curved, max(1.0, thick), color, steps[-1] + 1
    )


def _runs(row: Array) -> list[tuple[int, int]]:
    return [(start, end) for _, start, end in runs_of(row[None]).tolist()]


def degrees(a: Array, b: Array) -> float:
    """The angle from direction A to direction B, signed."""
    return math.degrees(math.atan2(float(a[0] * b[1] - a[1] * b[0]), float(a @ b)))
