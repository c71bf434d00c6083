"""The scene: strokes in pixels, as pieces that labels measure their distance to.

A piece is one straight part of a stroke: `start` and `end` (pieces, 2) hold their ends.
"""

from __future__ import annotations

import numpy as np

from ..figure import Array, Stroke, quarter_turn

LEVEL = 0.08  # sine: two lines that differ by less run level
LEVEL_APART = 8.0  # pixels at zoom 1: so near and level, two lines look like one
APART = 1.5  # pixels at zoom 1: any other line farther away is another one
MEETS = 2.5  # pixels at zoom 1: a stroke so near to a point meets it
UP_RIGHT = -np.pi / 4  # y points down
# Places on a box in halves of its size: its corners, and the middles of its sides too.
CORNERS = np.array([[1, 1], [1, -1], [-1, 1], [-1, -1]])
MIDDLES = np.array([[1, 0], [-1, 0], [0, 1], [0, -1]])
FRAME = np.vstack([CORNERS, MIDDLES])


class Scene:
    """All pieces of all strokes in pixels. `zoom` is the size of the page's unit."""

    def __init__(
        self, strokes: list[Stroke], zoom: float, page: tuple[int, int]
    ) -> None:
        self.zoom = zoom
        self.start, self.end = np.empty((2, 0, 2))
        self.add(strokes)
        ends = np.concatenate([self.start, self.end])
        if len(ends):
            self.centroid = (ends.min(0) + ends.max(0)) / 2
        else:
            self.centroid = np.array(page) / 2

    def add(self, strokes: list[Stroke]) -> None:
        """Take in more strokes: dimension lines and leaders are lines like others."""
        starts = [self.start]
        ends = [self.end]
        for stroke in strokes:
            only_fill = stroke.fill and not stroke.width
            if stroke.light or only_fill:
                continue
            starts.append(stroke.outline[:-1])
            ends.append(stroke.outline[1:])
        self.start = np.concatenate(starts)
        self.end = np.concatenate(ends)

    def free_direction(self, at: Array) -> float:
        """The middle of the largest free angle between the strokes that meet at a point."""
        near = MEETS * self.zoom
        distances = distance_to_pieces(at[None], self.start, self.end)[0]
        touching = distances < near
        ends = np.concatenate([self.start[touching], self.end[touching]])
        arms = ends - at
        arms = arms[np.linalg.norm(arms, axis=1) > near]
        if not len(arms):
            return UP_RIGHT
        x, y = arms.T
        angles = np.sort(np.arctan2(y, x))
        around = np.append(angles, angles[0] + 2 * np.pi)
        gaps = np.diff(around)
        middles = angles + gaps / 2
        sizes = gaps - 0.01 * np.sin(middles)  # a tie goes upwards
        return float(middles[np.argmax(sizes)])

    def nearer_to_others(
        self, centres: Array, half: Array, segment: Array, margin: float = 0.0
    ) -> Array:
        """Whether another stroke is nearer to each box than its own segment, or almost.

        `centres` (n, 2) and `half` (2,) are of the boxes, `segment` (2, 2) is what they name; the
        answer has one truth a box.
        """
        start, end = self._others(centres, half, segment)
        if not len(start):
            return np.zeros(len(centres), bool)
        frames = centres[:, None] + half * FRAME
        points = frames.reshape(-1, 2)

        def distance(start: Array, end: Array, if_crossed: float) -> Array:
            """Distance of each box to the nearest of some pieces (boxes,)."""
            nearest = distance_to_pieces(points, start, end).min(1)
            distances = nearest.reshape(len(centres), -1).min(1)
            crossed = _crossed(centres, half, start, end)
            distances[crossed] = if_crossed
            return distances

        # a box on its own line is at it; one on another line is nearer to that still
        to_segment = distance(segment[:1], segment[1:], if_crossed=0)
        to_others = distance(start, end, if_crossed=-1)
        return np.asarray(to_others < to_segment + margin)

    def _others(
        self, centres: Array, half: Array, segment: Array
    ) -> tuple[Array, Array]:
        """Starts and ends of the pieces near the boxes that are not the segment itself.

        What runs level with the segment is the same line to the eye, as a cone's slant and its
        outline.
        """
        if not len(self.start):
            return self.start, self.end
        _, normal = unit_and_normal(*segment)
        off_start = abs((self.start - segment[0]) @ normal)
        off_end = abs((self.end - segment[0]) @ normal)
        off = np.maximum(off_start, off_end)
        along = self.end - self.start
        lengths = np.linalg.norm(along, axis=1)
        level = abs(along @ normal) < LEVEL * lengths
        apart = np.where(level, LEVEL_APART, APART)
        others = off > apart * self.zoom
        # pieces far from all boxes are left out for speed
        reach = half + 60 * self.zoom
        low = centres.min(0) - reach
        high = centres.max(0) + reach
        largest = np.maximum(self.start, self.end)
        smallest = np.minimum(self.start, self.end)
        others &= (largest > low).all(1)
        others &= (smallest < high).all(1)
        return self.start[others], self.end[others]


def length(vector: Array) -> float:
    """Length of one vector."""
    return float(np.linalg.norm(vector))


def unit_and_normal(a: Array, b: Array) -> tuple[Array, Array]:
    """The unit vector from A to B, and the one a quarter turn from it."""
    way = b - a
    ahead = way / max(length(way), 1e-9)
    return ahead, quarter_turn(ahead)


def _crossed(centres: Array, half: Array, start: Array, end: Array) -> Array:
    """Whether any piece runs through each box (Liang and Barsky's clipping)."""
    along = end - start
    slow = np.where(np.abs(along) < 1e-9, 1e-9, along)
    # fractions of each piece at which it passes the sides of each box: (boxes, pieces, 2)
    low = (centres[:, None] - half - start) / slow
    high = (centres[:, None] + half - start) / slow
    enter = np.minimum(low, high).max(2).clip(0)
    leave = np.maximum(low, high).min(2).clip(max=1)
    return np.asarray((enter < leave).any(1))


def distance_to_pieces(points: Array, start: Array, end: Array) -> Array:
    """Distance of every point to every piece: (points, pieces)."""
    along = end - start
    squares = np.maximum((along**2).sum(1), 1e-12)
    away = points[:, None] - start[None]  # (points, pieces, 2)
    fraction = np.clip((away * along).sum(2) / squares, 0, 1)
    nearest = fraction[..., None] * along
    return np.asarray(np.linalg.norm(away - nearest, axis=2))
