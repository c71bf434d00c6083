"""Facts of logic forms as residuals that are zero in a true figure."""

from __future__ import annotations

import re
from collections.abc import Sequence
from functools import partial
from itertools import combinations

import numpy as np

from ..figure import Array
from .parser import Circle, Fact, Names, Reading
from .solver import Residual


class Conditions:
    """Residuals of a reading; `measured` adds the lengths and angles that are numbers.

    Lengths count `scale` to their unit; without a scale only angles are measured.
    """

    def __init__(self, reading: Reading, measured: bool, scale: float = 1.0) -> None:
        self.index = {name: k for k, name in enumerate(reading.names)}
        self.circles = reading.circles
        self.facts = reading.facts
        self.residuals: list[Residual] = [r for fact in reading.facts for r in self.of(fact)]
        for (centre, _), points in reading.circles.items():
            for point in points[1:]:
                self.residuals += self._equal((centre, points[0]), (centre, point))
        silent = len(self.residuals)
        if measured:
            self._measures(reading, scale)
        self.measures = self.residuals[silent:]

    def of(self, fact: Fact) -> list[Residual]:
        """The residuals of one fact."""
        residuals: list[Residual] = getattr(self, f"_{fact.kind}")(*fact.arguments)
        return residuals

    def radius(self, circle: Circle) -> Residual | None:
        """The radius of a circle: to a point on it, else to a line that touches it."""
        center, points = circle[0], self.circles[circle]
        if points:
            o, p = self._at(center, points[0])
            return lambda x: float(np.linalg.norm(x[p] - x[o]))
        touching = (f.arguments[0] for f in self.facts if f.arguments[1:] == (circle,))
        line = next(touching, None)
        return partial(_distance, at=self._at(center, *line)) if line else None

    def _measures(self, reading: Reading, scale: float) -> None:
        for values, share in ((reading.radii, scale), (reading.diameters, 0.5 * scale)):
            for circle, text in values:
                radius = self.radius(circle)
                if radius and is_number(text) and scale:
                    self.residuals.append(partial(_off, measure=radius, target=share * float(text)))
        for line, text in reading.lengths:
            if is_number(text) and scale:
                self._length(line, scale * float(text))
        for corner, text in reading.angles:
            if is_number(text):
                self._angle(corner, float(text))

    def _at(self, *names: str) -> list[int]:
        return [self.index[name] for name in names]

    def _between(self, point: str, line: Names) -> list[Residual]:
        p, i, j = self._at(point, *line)

        def between(x: Array) -> float:
            """How far P is from segment AB: its detour, or its distance beyond an end."""
            u, v = x[j] - x[i], x[p] - x[i]
            size = float(np.linalg.norm(u)) + 1e-9
            along = float(u @ v) / size
            off = float(u[0] * v[1] - u[1] * v[0]) / size
            beyond = max(0.05 * size - along, along - 0.95 * size, 0.0)
            return off + float(np.sign(off) or 1) * beyond

        return [between]

    def _collinear(self, point: str, line: Names) -> list[Residual]:
        at = self._at(point, *line)
        return [lambda x: _distance(x, at)]

    def _perpendicular(self, one: Names, two: Names) -> list[Residual]:
        return self._angle_between(one, two, 90)

    def _parallel(self, one: Names, two: Names) -> list[Residual]:
        return self._angle_between(one, two, 0)

    def _angle_between(self, one: Names, two: Names, degrees: float) -> list[Residual]:
        a, b, c, d = self._at(*one, *two)

        def residual(x: Array) -> float:
            u, v = x[b] - x[a], x[d] - x[c]
            size = float(np.sqrt(np.linalg.norm(u) * np.linalg.norm(v))) + 1e-9
            off = u @ v if degrees == 90 else u[0] * v[1] - u[1] * v[0]
            return float(off) / size

        return [residual]

    def _equal(self, one: Names, two: Names) -> list[Residual]:
        a, b, c, d = self._at(*one, *two)
        return [lambda x: float(np.linalg.norm(x[b] - x[a]) - np.linalg.norm(x[d] - x[c]))]

    def _bisected(self, line: Names, base: Names) -> list[Residual]:
        """A line through the middle of a base."""
        a, b, c, d = self._at(*line, *base)
        return [lambda x: _distance(np.stack([(x[c] + x[d]) / 2, x[a], x[b]]), [0, 1, 2])]

    def _equal_angles(self, one: Names, two: Names) -> list[Residual]:
        i, j = self._at(*one), self._at(*two)
        return [lambda x: (_turn(x, i) - _turn(x, j)) * _size(x, i)]

    def _tangent(self, line: Names, circle: Circle) -> list[Residual]:
        """At a named point of contact the radius is perpendicular; else the distance is right."""
        on = set(self.circles[circle])
        along = {
            f.arguments[0] for f in self.facts if f.kind == "between" and f.arguments[1] == line
        }
        contact = sorted(on & ({*line} | along))
        if contact:
            return self._angle_between((circle[0], contact[0]), line, 90)
        radius, at = self.radius(circle), self._at(circle[0], *line)
        return [lambda x: abs(_distance(x, at)) - abs(radius(x))] if radius else []

    def _similar(self, one: Names, two: Names) -> list[Residual]:
        """All sides and diagonals in one ratio."""
        pairs = list(combinations(range(len(one)), 2))
        i, j = self._at(*one), self._at(*two)

        def residual(x: Array, k: int) -> float:
            p, q = ([float(np.linalg.norm(x[s[a]] - x[s[b]])) for a, b in pairs] for s in (i, j))
            return (p[k] * q[0] - q[k] * p[0]) / (p[0] + q[0] + 1e-9)

        return [partial(residual, k=k) for k in range(1, len(pairs))]

    def _congruent(self, one: Names, two: Names) -> list[Residual]:
        return [
            residual
            for a, b in combinations(range(len(one)), 2)
            for residual in self._equal((one[a], one[b]), (two[a], two[b]))
        ]

    def _centroid(self, point: str, corners: Names) -> list[Residual]:
        p, i = self.index[point], self._at(*corners)
        return [
            lambda x: float(x[p][0] - x[i].mean(0)[0]),
            lambda x: float(x[p][1] - x[i].mean(0)[1]),
        ]

    def _length(self, line: Sequence[str], value: float) -> None:
        a, b = self._at(*line)
        self.residuals.append(lambda x: float(np.linalg.norm(x[b] - x[a])) - value)

    def _angle(self, corner: Sequence[str], degrees: float) -> None:
        i, radians = self._at(*corner), np.radians(degrees)
        self.residuals.append(lambda x: (_turn(x, i) - radians) * _size(x, i))


def _off(x: Array, measure: Residual, target: float) -> float:
    return abs(measure(x)) - target


def _distance(x: Array, at: Sequence[int]) -> float:
    """Signed distance of a point from a line: indices of P, A, B."""
    p, a, b = (x[k] for k in at)
    u, v = b - a, p - a
    return float(u[0] * v[1] - u[1] * v[0]) / (float(np.linalg.norm(u)) + 1e-9)


def _turn(x: Array, corner: list[int]) -> float:
    a, b, c = (x[k] for k in corner)
    u, v = a - b, c - b
    return float(abs(np.arctan2(u[0] * v[1] - u[1] * v[0], u @ v)))


def _size(x: Array, corner: list[int]) -> float:
    return float(np.linalg.norm(x[corner[0]] - x[corner[1]]))


def is_number(text: str) -> bool:
    return re.fullmatch(r"\d+(\.\d+)?", text.strip()) is not None
