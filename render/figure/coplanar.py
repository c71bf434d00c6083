"""Seams of composite solids: edges along which solids meet in one plane, or inside one another.

A textbook draws the solid as a whole, so that such an edge is no edge. Judged around each piece of
an edge: where the solids fill just half of a small circle about it, or all of it, there is no edge.
"""

from __future__ import annotations

from itertools import pairwise

import msgspec
import numpy as np

from .figure import Array, Stroke
from .solids import Solid, normal

PIECES = 48  # of an edge
AROUND = 72  # places on the circle: one in five degrees
FLAT = 2  # places by which a half may be off
NEAR = 2e-3  # of the figure's size: the circle's radius
OFFSET = 0.37  # of a step: where on the circle the first place lies

HalfSpaces = tuple[
    Array, Array
]  # of a solid's faces: unit normals (n, 3), offsets (n,)


def without_seams(strokes: list[Stroke], solids: list[Solid]) -> list[Stroke]:
    """The straight strokes cut to where they are edges of all solids together.

    Only convex solids count: of the others (a prism on an L) nothing is removed.
    """
    half_spaces = [_half_spaces(solid) for solid in solids]
    hulls = [planes for planes in half_spaces if planes is not None]
    if len(hulls) < 2:
        return strokes
    corners = np.concatenate([face for solid in solids for face in solid.faces])
    radius = NEAR * float(np.ptp(corners, axis=0).max())
    parts = []
    for stroke in strokes:
        if _is_edge(stroke):
            parts += _visible(stroke, hulls, radius)
        else:
            parts.append(stroke)
    return parts


def _is_edge(stroke: Stroke) -> bool:
    return len(stroke.path) == 2 and stroke.hides and not stroke.closed


def _half_spaces(solid: Solid) -> HalfSpaces | None:
    """Unit normals and offsets of the faces of a convex solid; None for any other."""
    normals = np.array([normal(face) for face in solid.faces])
    sizes = np.linalg.norm(normals, axis=1)
    if len(normals) < 4 or (sizes < 1e-12).any():
        return None
    normals = normals / sizes[:, None]
    first_corners = [face[0] for face in solid.faces]
    offsets = np.array(
        [n @ corner for n, corner in zip(normals, first_corners, strict=True)]
    )
    corners = np.concatenate(solid.faces)
    size = float(np.ptp(corners, axis=0).max())
    is_convex = (corners @ normals.T <= offsets + 1e-6 * size).all()
    return (normals, offsets) if is_convex else None


def _visible(stroke: Stroke, hulls: list[HalfSpaces], radius: float) -> list[Stroke]:
    """The runs of pieces of an edge that are edges of the whole."""
    a, b = stroke.path
    fractions = np.linspace(0, 1, PIECES + 1)
    ends = a + fractions[:, None] * (b - a)
    middles = (fractions[:-1] + fractions[1:]) / 2
    is_seam = _is_flat(a + middles[:, None] * (b - a), b - a, hulls, radius)
    if not is_seam.any():
        return [stroke]
    changes = (np.flatnonzero(np.diff(is_seam)) + 1).tolist()
    return [
        msgspec.structs.replace(stroke, path=ends[[start, stop]])
        for start, stop in pairwise([0, *changes, PIECES])
        if not is_seam[start]
    ]


def _is_flat(
    places: Array, ahead: Array, hulls: list[HalfSpaces], radius: float
) -> Array:
    """Whether the solids fill half of a circle about each place (n, 3) of an edge, or all of it."""
    ahead = ahead / np.linalg.norm(ahead)
    least = int(np.argmin(np.abs(ahead)))
    across = np.cross(ahead, np.eye(3)[least])
    across = across / np.linalg.norm(across)
    up = np.cross(ahead, across)
    turn = 2 * np.pi * (np.arange(AROUND) + OFFSET) / AROUND
    circle = np.cos(turn)[:, None] * across + np.sin(turn)[:, None] * up
    around = places[:, None] + radius * circle  # (places, AROUND, 3)
    filled = np.zeros(around.shape[:2], bool)
    for normals, offsets in hulls:
        filled |= (around @ normals.T <= offsets + 1e-9).all(2)
    share = filled.sum(1)
    changes = (filled != np.roll(filled, 1, axis=1)).sum(1)
    is_half = (np.abs(share - AROUND / 2) <= FLAT) & (changes == 2)
    return np.asarray(is_half | (share == AROUND))
