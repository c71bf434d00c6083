"""The scene: strokes in pixels, as pieces that labels measure their distance to."""

from __future__ import annotations

import numpy as np

from ..figure import Array, Stroke

LEVEL, BESIDE = (
    0.08,
    8.0,
)  # sine, pixels at zoom 1: so near and level, two lines look like one


class Scene:
    """All pieces of all strokes in pixels. `zoom` is the size of the page's unit."""

    def __init__(
        self, strokes: list[Stroke], zoom: float, page: tuple[int, int]
    ) -> None:
        self.zoom = zoom
        self.start, self.end = np.empty((2, 0, 2))
        self.add(strokes)
        every = np.concatenate([self.start, self.end])
        self.centroid = (
            (every.min(0) + every.max(0)) / 2 if len(every) else np.array(page) / 2
        )

    def add(self, strokes: list[Stroke]) -> None:
        """Take in more strokes: dimension lines and leaders are lines like others."""
        starts, ends = [self.start], [self.end]
        for stroke in strokes:
            if stroke.light or (stroke.fill and not stroke.width):
                continue
            path = (
                np.vstack([stroke.path, stroke.path[:1]])
                if stroke.closed
                else stroke.path
            )
            starts.append(path[:-1])
            ends.append(path[1:])
        self.start, self.end = np.concatenate(starts), np.concatenate(ends)

    def free_direction(self, at: Array) -> float:
        """The middle of the largest free angle between the strokes that meet at a point."""
        touching = (
            distance_to_pieces(at[None], self.start, self.end)[0] < 2.5 * self.zoom
        )
        ends = np.concatenate([self.start[touching], self.end[touching]]) - at
        ends = ends[np.linalg.norm(ends, axis=1) > 2.5 * self.zoom]
        if not len(ends):
            return -np.pi / 4
        angles = np.sort(np.arctan2(ends[:, 1], ends[:, 0]))
        gaps = np.diff(np.append(angles, angles[0] + 2 * np.pi))
        middles = angles + gaps / 2
        return float(
            middles[int(np.argmax(gaps - 0.01 * np.sin(middles)))]
        )  # a tie goes upwards

    def nearer_to_others(
        self, centres: Array, half: Array, own: Array, margin: float = 0.0
    ) -> Array:
        """Whether another stroke is nearer to each box than its own segment, or almost."""
        if not len(self.start):
            return np.zeros(len(centres), bool)
        ahead = (own[1] - own[0]) / max(float(np.linalg.norm(own[1] - own[0])), 1e-9)
        normal = np.array([-ahead[1], ahead[0]])
        off = np.maximum(
            abs((self.start - own[0]) @ normal), abs((self.end - own[0]) @ normal)
        )
        along = self.end - self.start
        level = abs(along @ normal) < LEVEL * np.linalg.norm(along, axis=1)
        others = (
            off > np.where(level, BESIDE, 1.5) * self.zoom
        )  # a cone's slant and its outline
        reach = half + 60 * self.zoom
        low, high = centres.min(0) - reach, centres.max(0) + reach
        others &= (np.maximum(self.start, self.end) > low).all(1)
        others &= (np.minimum(self.start, self.end) < high).all(1)
        if not others.any():
            return np.zeros(len(centres), bool)
        start, end = self.start[others], self.end[others]
        frame = half * np.array(
            [[1, 1], [1, -1], [-1, 1], [-1, -1], [1, 0], [-1, 0], [0, 1], [0, -1]]
        )
        points = (centres[:, None] + frame).reshape(-1, 2)
        to_own = (
            distance_to_pieces(points, own[:1], own[1:])
            .reshape(len(centres), -1)
            .min(1)
        )
        to_own[_crossed(centres, half, own[:1], own[1:])] = 0
        to_others = (
            distance_to_pieces(points, start, end)
            .min(1)
            .reshape(len(centres), -1)
            .min(1)
        )
        to_others[_crossed(centres, half, start, end)] = -1
        return np.asarray(to_others < to_own + margin)


def _crossed(centres: Array, half: Array, start: Array, end: Array) -> Array:
    """Whether any piece runs through each box (Liang and Barsky's clipping)."""
    along = end - start
    slow = np.where(np.abs(along) < 1e-9, 1e-9, along)
    low = (centres[:, None] - half - start) / slow
    high = (centres[:, None] + half - start) / slow
    enter = np.minimum(low, high).max(2).clip(0)
    leave = np.maximum(low, high).min(2).clip(max=1)
    return np.asarray((enter < leave).any(1))


def distance_to_pieces(points: Array, start: Array, end: Array) -> Array:
    """Distance of every point to every piece: (points, pieces)."""
    along = end - start
    square = np.maximum((along**2).sum(1), 1e-12)
    away = points[:, None] - start[None]
    t = np.clip((away * along).sum(2) / square, 0, 1)
    return np.asarray(np.linalg.norm(away - t[..., None] * along, axis=2))
