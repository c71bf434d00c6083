"""What sentences say of solids: which they are, and how large, held to those that are drawn."""

from __future__ import annotations

import math
import re
from collections.abc import Iterator
from typing import Any

from ..diagram import Claim
from ..figure import SOLIDS, number
from .claim import Contradicted, Scene, Undecided, unless, value_of
from .english import IS, UNIT, VALUE, names_of, run

# Words, and the operations that draw such solids; a cube is narrower than a cuboid.
KINDS: dict[str, tuple[str, ...]] = {
    "cube": ("cube",),
    "cuboid": ("box", "cube"),
    "box": ("box", "cube"),
    "rectangular prism": ("box", "cube"),
    "prism": ("prism", "box", "cube"),
    "pyramid": ("pyramid",),
    "tetrahedron": ("pyramid", "polyhedron"),
    "cylinder": ("cylinder",),
    "cone": ("cone",),
    "sphere": ("sphere",),
    "hemisphere": ("hemisphere",),
}
_KIND = "|".join(KINDS)
_NAME = run("2,12")
SOLID = (
    rf"(?P<these>{_NAME}) is (?:an? )?(?:right |regular )?(?P<is>{_KIND})\b"
    rf"|\b(?P<kind>{_KIND})(?: (?P<named>{_NAME}))?(?![A-Za-z])"
)
SIZE = rf"\b(?i:its) (?P<what>radius|diameter|height|edge|(?:space )?diagonal){IS}{VALUE}{UNIT}"
BASE = rf"\b(?i:its|the) (?P<what>base|top) (?P<of>{run('3,')})"


def _solids(scene: Scene) -> list[Any]:
    items = [
        item
        for item, _ in scene.composition.drawn
        if item.op in SOLIDS and item.where.startswith("solids")
    ]
    if not items:
        raise Undecided
    return items


def solid(scene: Scene, match: re.Match[str]) -> Iterator[Claim]:
    """`ABCDEFGH is a cube`, `shows a pyramid ABCDP`: one that is drawn, of these corners."""
    kind = match["is"] or match["kind"]
    names = names_of(match["these"] or match["named"] or "")
    items = _solids(scene)
    if names:
        items = [item for item in items if {*names} == {*names_of(str(item.value))}]
        unless(bool(items), f"no solid with the corners {''.join(names)} is drawn")
    ops = {_operation(item) for item in items}
    if not ops & {*KINDS[kind]}:
        raise Contradicted(f"what is drawn is a {' and a '.join(sorted(ops))}")
    is_narrower = kind in ("cuboid", "box") and ops == {"cube"}
    unless(not is_narrower, "what is drawn is a cube", narrower=True)
    yield from ()


def _operation(item: Any) -> str:
    """The operation that draws it; a box of equal edges is a cube."""
    if (
        item.op == "box"
        and len({round(number(size), 9) for size in item.options["size"]}) == 1
    ):
        return "cube"
    return str(item.op)


def solid_size(scene: Scene, match: re.Match[str]) -> Iterator[Claim]:
    """`its height is 5`, of the one solid that is drawn."""
    items = _solids(scene)
    if len(items) != 1:
        raise Undecided
    size = _size(items[0], match["what"])
    unit = match[0][match.end(match.lastindex or 0) - match.start() :].strip()
    yield Claim("length", value_of(match), size, match[0], unit)


def _size(item: Any, what: str) -> float:
    """A size of a solid by its name. Raises Undecided for one that it does not have."""
    sizes = item.options
    if what == "height" and item.op == "cube":
        what = "edge"
    if (what == "edge" and item.op == "cube") or (
        what == "height" and "height" in sizes
    ):
        return float(number(sizes[what]))
    if what in ("radius", "diameter") and "radius" in sizes:
        return float(number(sizes["radius"])) * (2 if what == "diameter" else 1)
    if "diagonal" in what and item.op == "cube":
        return float(number(sizes["edge"])) * math.sqrt(3)
    raise Undecided


def base_of_solid(scene: Scene, match: re.Match[str]) -> Iterator[Claim]:
    """`Its base ABCD`: the corners at the bottom of the one solid that is drawn."""
    if len(_solids(scene)) != 1:
        raise Undecided
    places = scene.points(match["of"])
    if len(places[0]) != 3:
        raise Undecided
    every = [place[2] for place in scene.figure.points.values()]
    level = min(every) if match["what"] == "base" else max(every)
    is_there = all(abs(place[2] - level) < 1e-6 for place in places)
    unless(is_there, f"{match['of']} is not its {match['what']}")
    yield from ()
