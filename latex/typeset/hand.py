"""Characters as a hand writes them: strokes of a pen, made outlines like those of fonts."""

from __future__ import annotations

from functools import lru_cache
from itertools import pairwise
from pathlib import Path

import numpy as np

from ..ink import ink_of
from .outlines import Array, MathBox, Outline, closed, make_box

PEN = 0.034  # em: half of the thickness of a stroke
STEPS = 6  # pieces between two points of a smooth stroke
ROUND = 6  # corners of half a pen's tip
SLANT = 0.12


@lru_cache(1)
def _alphabet() -> dict[str, tuple[float, list[Array]]]:
    """Character -> its width and its strokes, in em."""
    alphabet = {}
    for line in Path(__file__).with_suffix(".txt").read_text("utf-8").splitlines():
        if line.startswith("# ") or not line:
            continue
        char, width, strokes = line.split(" ", 2)
        paths = [_path(stroke) for stroke in strokes.split(" | ")]
        alphabet[char] = float(width) / 100, paths
    return alphabet


def _path(stroke: str) -> Array:
    points = [point.split(",") for point in stroke.lstrip("~").split()]
    path = np.array(points, float) / 100
    return _smooth(path) if stroke.startswith("~") else path


def _smooth(path: Array) -> Array:
    """A curve through all points (Catmull and Rom)."""
    before = np.vstack([2 * path[:1] - path[1:2], path, 2 * path[-1:] - path[-2:-1]])
    t = np.linspace(0, 1, STEPS, endpoint=False)[:, None]
    pieces = []
    for p, q, r, s in zip(before, before[1:], before[2:], before[3:], strict=False):
        bend = 2 * q + (r - p) * t + (2 * p - 5 * q + 4 * r - s) * t**2
        pieces.append((bend + (3 * q - p - 3 * r + s) * t**3) / 2)
    return np.vstack([*pieces, path[-1:]])


@lru_cache(512)
def hand_glyph(char: str) -> MathBox | None:
    """The outline of a character that the alphabet has; None for others."""
    entry = _alphabet().get(char)
    if entry is None:
        return None
    width, paths = entry
    outlines: list[Outline] = []
    for path in paths:
        leaning = path @ np.array([[1, 0], [SLANT, 1]])
        for k, (a, b) in enumerate(pairwise(leaning)):
            pen = PEN * (1 + 0.12 * np.sin(1.7 * k))  # no pen presses evenly
            outlines.append(closed(_capsule(a, b, pen)))
    return make_box(outlines, width + 0.04, ink_of(char))


def _capsule(a: Array, b: Array, pen: float) -> Array:
    """The outline of a pen's way, counterclockwise, so that ways that cross are full."""
    way = b - a
    heading = np.arctan2(way[1], way[0])
    half = np.linspace(-np.pi / 2, np.pi / 2, ROUND)
    at_b = b + pen * np.stack([np.cos(heading + half), np.sin(heading + half)], 1)
    back = heading + np.pi + half
    at_a = a + pen * np.stack([np.cos(back), np.sin(back)], 1)
    ring = np.vstack([at_b, at_a])
    return np.vstack([ring, ring[:1]])
