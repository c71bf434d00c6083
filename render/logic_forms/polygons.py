"""Kinds of polygons in logic forms: what their names imply of their sides, without marks."""

from __future__ import annotations

from typing import Any

from .parser import Fact, Names, Reading, UnreadError, sides

_PARALLELS = (("parallel", 0, 2), ("parallel", 1, 3))
_IMPLIED: dict[str, tuple[tuple[tuple[str, int, int], ...], ...]] = {  # of several lists one holds
    "Parallelogram": (_PARALLELS,),
    "Rectangle": ((*_PARALLELS, ("perpendicular", 0, 1)),),
    "Rhombus": ((*_PARALLELS, ("equal", 0, 1)),),
    "Square": ((*_PARALLELS, ("perpendicular", 0, 1), ("equal", 0, 1)),),
    "Trapezoid": ((("parallel", 0, 2),), (("parallel", 1, 3),)),
    "Kite": ((("equal", 0, 3), ("equal", 1, 2)), (("equal", 0, 1), ("equal", 2, 3))),
}
POLYGON_KINDS = {  # as Inter-GPS lists them
    "Triangle", "Quadrilateral", "Polygon", "Pentagon", "Hexagon", "Heptagon", "Octagon", *_IMPLIED,
}  # fmt: skip


def imply(reading: Reading, kind: str, corners: Names) -> None:
    """What the kind of a polygon says of its sides."""
    around, lists = sides(corners), _IMPLIED.get(kind, ())
    if lists and len(corners) != 4:
        raise UnreadError("a quadrilateral has four corners")
    facts = [[Fact(op, (around[i], around[j])) for op, i, j in implied] for implied in lists]
    if len(facts) == 1:
        reading.facts += facts[0]
    elif facts:
        reading.either.append(facts)


def polygon_of(reading: Reading, value: Any) -> Names:
    """A polygon of the figure, with what its kind implies."""
    if not isinstance(value, tuple) or value[0] not in POLYGON_KINDS:
        raise UnreadError("names no polygon")
    known = value[1] in reading.polygons
    corners = reading.polygon(value)
    if not known:
        imply(reading, value[0], corners)
    return corners
