"""Vectors: directions, turns and areas, of the plane where nothing else is said.

A vector is an array (2,) or (3,); several are an array (n, 2) or (n, 3). Angles that have the name
`degrees` are degrees, all others radians.
"""

from __future__ import annotations

import math

import numpy as np

from .figure import Array

TINY = 1e-9


def unit(vector: Array) -> Array:
    """A vector of length 1 in that direction; ValueError where there is none."""
    length = np.linalg.norm(vector)
    if length < TINY:
        raise ValueError("two of the points coincide")
    return vector / length


def unit_vectors(angles: Array) -> Array:
    """Directions (n, 2) of angles (n,)."""
    return np.stack([np.cos(angles), np.sin(angles)], 1)


def turn(vector: Array, degrees: float) -> Array:
    """A vector turned counterclockwise."""
    angle = np.radians(degrees)
    c = np.cos(angle)
    s = np.sin(angle)
    x, y = vector
    return np.array([c * x - s * y, s * x + c * y])


def quarter_turn(vectors: Array) -> Array:
    """A vector (2,) or vectors (n, 2), turned by a right angle: from x to y."""
    x, y = vectors.T
    return np.stack([-y, x], -1)


def turning(angle: float) -> Array:
    """The matrix that turns rows of vectors (n, 2) counterclockwise: `rows @ turning(angle)`."""
    c = np.cos(angle)
    s = np.sin(angle)
    return np.array([[c, s], [-s, c]])


def heading(vector: Array) -> float:
    """Direction of a vector in degrees."""
    x, y = vector
    return float(np.degrees(np.arctan2(y, x)))


def across(u: Array, v: Array) -> float:
    """The area of the parallelogram on two vectors, in the plane with a sign (left is positive)."""
    if len(u) == 2:
        return float(u[0] * v[1] - u[1] * v[0])
    return math.hypot(*np.cross(u, v))
