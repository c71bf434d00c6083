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


def without_seams(strokes: list[Stroke], solids: list[Solid]) -> list[Stroke]:
    """The straight strokes cut to where they are edges of all solids together.

    Only convex solids count: of the others (a prism on an L) nothing is removed.
    """
    hulls = [planes for solid in solids if (planes := _half_spaces(solid)) is not None]
    if len(hulls) < 2:
        return strokes
    corners = np.concatenate([face for solid in solids for face in solid.faces])
    radius = NEAR * float(np.ptp(corners, axis=0).max())
    return [
        part
        for stroke in strokes
        for part in (_visible(stroke, hulls, radius) if _straight(stroke) else [stroke])
    ]


def _straight(stroke: Stroke) -> bool:
    return len(stroke.path) == 2 and stroke.hides and not stroke.closed


def _half_spaces(solid: Solid) -> tuple[Array, Array] | None:
    """Unit normals and offsets of the faces of a convex solid; None for any other."""
    normals = np.array([normal(face) for face in solid.faces])
    sizes = np.linalg.norm(normals, axis=1)
    if len(normals) < 4 or (sizes < 1e-12).any():
        return None
    normals = normals / sizes[:, None]
    offsets = np.array(
        [n @ face[0] for n, face in zip(normals, solid.faces, strict=True)]
    )
    corners = np.concatenate(solid.faces)
    size = float(np.ptp(corners, axis=0).max())
    return (
        (normals, offsets)
        if (corners @ normals.T <= offsets + 1e-6 * size).all()
        else None
    )


def _visible(
    stroke: Stroke, hulls: list[tuple[Array, Array]], radius: float
) -> list[Stroke]:
    """The runs of pieces of an edge that are edges of the whole."""
    a, b = stroke.path
    t = np.linspace(0, 1, PIECES + 1)
    seam = _is_flat(a + ((t[:-1] + t[1:]) / 2)[:, None] * (b - a), b - a, hulls, radius)
    if not seam.any():
        return [stroke]
    cuts = [0, *(np.flatnonzero(np.diff(seam)) + 1).tolist(), PIECES]
    return [
        msgspec.structs.replace(
            stroke, path=np.stack([a + t[k] * (b - a), a + t[m] * (b - a)])
        )
        for k, m in pairwise(cuts)
        if not seam[k]
    ]


def _is_flat(
    places: Array, ahead: Array, hulls: list[tuple[Array, Array]], radius: float
) -> Array:
    ahead = ahead / np.linalg.norm(ahead)
    across = np.cross(ahead, np.eye(3)[int(np.argmin(np.abs(ahead)))])
    across = across / np.linalg.norm(across)
    turn = 2 * np.pi * (np.arange(AROUND) + 0.37) / AROUND
    circle = np.cos(turn)[:, None] * across + np.sin(turn)[:, None] * np.cross(
        ahead, across
    )
    around = places[:, None] + radius * circle
    filled = np.zeros(around.shape[:2], bool)
    for normals, offsets in hulls:
        filled |= (around @ normals.T <= offsets + 1e-9).all(2)
    share = filled.sum(1)
    changes = (filled != np.roll(filled, 1, axis=1)).sum(1)
    flat = (np.abs(share - AROUND / 2) <= FLAT) & (changes == 2)
    return np.asarray(flat | (share == AROUND))
