"""Where the points of a reading stand: at their positions, settled, or solved from the forms.

An annotation may leave a point without a position. It is then placed by what the forms say of it
and of the points around it; a figure of its own is solved and stands beside the others; a point
that nothing determines is left out by name, never drawn at a guess.
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from itertools import islice
from typing import Any

import msgspec
import numpy as np

from ...errors import UserError
from ..figure import (
    GOOD,
    Array,
    Figure,
    System,
    clearest,
    determined,
    settle,
    solutions,
    solver,
)
from .conditions import conditions, measures, misfit, silent
from .reading import Fact, Reading

NOWHERE = np.array(
    [-1.0, -1.0]
)  # how Geometry3K and its kin write that a point has no position
CLOSE, MOVED = 0.02, 0.15  # of the figure: conditions kept so well, points moved so far
CONTRADICTED = (
    0.06  # of the figure: a fact so far from true in the positions is left out
)
TRIES = 8


class Placement(msgspec.Struct):
    """Places of points, names of those that nothing determines, what is not as the forms say."""

    places: dict[str, Array]
    lost: list[str] = []
    denied: list[str] = []


def place_points(reading: Reading, positions: Mapping[str, Any]) -> Placement:
    """Place all points of a reading, the longer side of the figure being 10.

    Raises UserError for positions that are no numbers and for forms that contradict each other.
    """
    at = _given(reading, positions)
    if len(at) < 2:
        places = _level(_solved(reading), reading, most=90)
        return Placement(_scaled(places, reading))
    start = np.array([at.get(name, np.zeros(2)) for name in reading.names])
    fixed = [k for k, name in enumerate(reading.names) if name in at]
    _choose(reading, start if len(at) == len(reading.names) else None)
    places, denied = _settled(start, fixed, reading)
    if len(fixed) < len(reading.names):
        places, rest = _completed(places, fixed, reading)
        denied += rest.denied
        if rest.lost:
            return Placement({}, rest.lost, denied)
    places = _level(places, reading, most=4)  # drawn by hand, or scanned askew
    return Placement(_scaled(places, reading), [], denied)


def _given(reading: Reading, positions: Mapping[str, Any]) -> dict[str, Array]:
    """The positions that are some, y up."""
    at = {}
    for name in reading.names:
        value = positions.get(name)
        try:
            place = None if value is None else Figure({}).point(list(value))
        except (TypeError, ValueError) as error:
            raise UserError(
                f"point_positions of {name}: {value!r}", "write finite numbers [x, y]"
            ) from error
        if place is not None and (place != NOWHERE).any():
            at[name] = place * [1, -1]
    return at


def _solved(reading: Reading) -> Array:
    """The figure that fulfils all forms, its points as far apart as they may be."""
    _choose(reading, None)
    names, count = ", ".join(reading.names), len(reading.names)
    size = max(
        (v.number for v in reading.values_of("length", "radius", "diameter")), default=0
    )
    system = System(
        conditions([*silent(reading), *measures(reading)], reading.names), count
    )
    found = solutions(np.zeros((count, 2)), system, range(count), size or 10.0)
    best = clearest(found, range(count))
    if best is not None:
        return best
    if system.work > solver.MOST_WORK:
        what = (
            f"no figure of {names} in {solver.MOST_WORK:,} evaluations of its relations"
        )
        raise UserError(what, "they may contradict each other")
    what = f"no figure of {names} fulfils all relations"
    raise UserError(what, "they contradict each other, or let points coincide")


def _scaled(places: Array, reading: Reading) -> dict[str, Array]:
    size = float(np.ptp(places, axis=0).max())
    places = (places - places.min(0)) * (10 / max(size, 1e-9))
    return {
        name: np.round(at, 5) for name, at in zip(reading.names, places, strict=True)
    }


def _settled(
    start: Array, fixed: list[int], reading: Reading
) -> tuple[Array, list[str]]:
    """Given points moved until all facts about them hold; facts that positions deny are left out.

    Raises UserError when the positions contradict more than a third of them.
    """
    denied: list[str] = []
    extent = max(float(np.ptp(start[fixed], axis=0).max()), 1.0)
    while True:
        system = System(conditions(silent(reading), reading.names), len(start))
        others = set(range(len(start))) - set(fixed)
        places, worst = settle(start, system.only(others, touching=False), fixed)
        moved = np.linalg.norm(places - start, axis=1).max() / extent
        if worst <= max(CLOSE, 1e-4 * extent) and moved <= MOVED:
            return places, denied
        fact = _most_denied(reading, start, fixed, CONTRADICTED * extent)
        if fact is None or 3 * (len(denied) + 1) > len(reading.facts) + len(denied):
            raise UserError(
                "the logic forms contradict the point positions",
                f"points would move by {moved:.0%} of the figure",
            )
        reading.facts.remove(fact)
        denied.append(f"{_words(fact)}: the positions deny it, it is left out")


def _most_denied(
    reading: Reading, start: Array, fixed: list[int], least: float
) -> Fact | None:
    """The fact about given points that is farthest from true."""
    given = {reading.names[k] for k in fixed}
    off = {
        f: misfit(f, reading, start)
        for f in reading.facts
        if _named(f.arguments) <= given
    }
    worst = max(off, key=off.__getitem__, default=None)
    return worst if worst and off[worst] > least else None


def _words(fact: Fact) -> str:
    parts = ("".join(map(str, argument)) for argument in fact.arguments)
    return f"{fact.kind.replace('_', ' ')} {', '.join(parts)}"


def _named(arguments: Any) -> set[str]:
    """All names in nested arguments; numbers say which of several circles."""
    if isinstance(arguments, str):
        return {arguments}
    nested = arguments if isinstance(arguments, tuple) else ()
    return {name for argument in nested for name in _named(argument)}


# Points without positions


def _completed(
    places: Array, fixed: list[int], reading: Reading
) -> tuple[Array, Placement]:
    """Points without a position placed by the forms, and what nothing determines, by name."""
    known, rest = set(fixed), Placement({})
    for group in _groups(reading):
        if not (free := sorted(group - known)):
            continue
        found, is_open = _found(places, sorted(known), free, not group & known, reading)
        names = [reading.names[k] for k in free]
        if found is None:
            rest.lost += names
            continue
        places = found
        known |= group
        if is_open:
            what = (
                f"figure {''.join(names)} has no positions and the forms leave it open"
            )
            rest.denied.append(what)
    return places, rest


def _groups(reading: Reading) -> list[set[int]]:
    """Figures: points joined by lines, by circles, or by lying on a line."""
    index = {name: k for k, name in enumerate(reading.names)}
    together = [set(line) for line in reading.lines]
    together += [{center, *on} for (center, _), on in reading.circles.items()]
    on_lines = (
        f.arguments for f in reading.facts if f.kind in ("between", "collinear")
    )
    together += [_named(arguments) for arguments in on_lines]
    groups: list[set[int]] = []
    for names in (*together, *({name} for name in reading.names)):
        members = {index[name] for name in names}
        touched = [group for group in groups if group & members]
        groups = [group for group in groups if group not in touched]
        groups.append(members.union(*touched))
    return groups


def _found(
    places: Array, given: list[int], free: list[int], apart: bool, reading: Reading
) -> tuple[Array | None, bool]:
    """Places of points that the given ones determine, or of a figure of its own beside them.

    None where nothing does; also whether the forms leave the shape open.
    """
    extent = max(float(np.ptp(places[given], axis=0).max()), 1e-9)
    said = silent(reading)
    measured = [*said, *_measures(reading, places, given)]
    for facts in (measured, said) if apart else (said, measured):
        system = System(conditions(facts, reading.names), len(places))
        system = system.only(set(free), touching=True)
        found = list(
            islice(solutions(places, system, free, 0.4 * extent, 25 * GOOD), TRIES)
        )
        if not apart:
            same = all(
                np.abs(other - found[0]).max() < 0.03 * extent for other in found
            )
            if found and same and determined(found[0], free, system):
                return found[0], False
            continue
        sizes = [float(np.ptp(places[free], axis=0).max()) for places in found]
        fit = (
            f
            for f, s in zip(found, sizes, strict=True)
            if 0.1 * extent < s < 4 * extent
        )
        if len(free) > 1 and (best := clearest(fit, free)) is not None:
            return _beside(best, given, free, system, reading), not determined(
                best, free, system, moves=4
            )
    return None, False


def _beside(
    places: Array, given: list[int], free: list[int], system: System, reading: Reading
) -> Array:
    """A figure on its level base, where its parallels let it, to the right of what is given."""
    extent = max(float(np.ptp(places[given], axis=0).max()), 1e-9)
    turned = places.copy()
    turned[free] = _level(places, reading, most=90)[free]
    if np.abs(system.residuals(turned)).max(initial=0.0) < 10 * GOOD * extent:
        places = turned
    low, corner, floor = places[free].min(0), places[given].max(0), places[given].min(0)
    places[free] += [corner[0] + 0.25 * extent - low[0], floor[1] - low[1]]
    return places


def _measures(reading: Reading, places: Array, given: list[int]) -> list[Fact]:
    """Lengths and angles that are numbers, in the scale of the points that stand already."""
    at = {reading.names[k]: places[k] for k in given}
    numbers = [(v.of, v.number) for v in reading.values_of("length") if v.number]
    if not numbers:
        return measures(reading, 0.0)
    drawn = [
        math.dist(at[a], at[b]) / n for (a, b), n in numbers if {a, b} <= at.keys()
    ]
    extent = float(np.ptp(places[given], axis=0).max())
    scale = (
        float(np.median(drawn)) if drawn else 0.6 * extent / max(n for _, n in numbers)
    )
    return measures(reading, scale)


# Choices


def _choose(reading: Reading, start: Array | None) -> None:
    """Of alternatives take what the positions show, else what agrees best with the other forms."""
    for alternatives in reading.either:
        known = {_unturned(fact) for fact in reading.facts}
        middles = _middles(reading.facts)

        def cost(
            facts: list[Fact], known: Any = known, middles: Any = middles
        ) -> float:
            if start is not None:
                return math.fsum(misfit(fact, reading, start) for fact in facts)
            agreed = sum(_unturned(fact) in known for fact in facts)
            clashes: int = sum(
                middles.get(line, p) != p for line, p in _middles(facts).items()
            )
            return 10.0 * clashes - agreed

        best = min(range(len(alternatives)), key=lambda k: cost(alternatives[k]))
        reading.facts += alternatives[best]
    reading.either = []
    reading.facts = list(dict.fromkeys(reading.facts))


def _unturned(fact: Fact) -> tuple[str, frozenset[frozenset[str]]]:
    """A fact without the order in which its lines and their ends are named."""
    return fact.kind, frozenset(map(frozenset, fact.arguments))


def _middles(facts: list[Fact]) -> dict[frozenset[str], str]:
    """The middle of each segment that has one."""
    pairs = [fact.arguments for fact in facts if fact.kind == "equal"]
    return {frozenset((a, d)): b for (a, b), (c, d) in pairs if b == c}


def _level(places: Array, reading: Reading, most: float) -> Array:
    """Turn a figure by at most so many degrees so that one of its outer lines is its level base.

    Free to turn, the longest is; else the one that is most nearly level.
    """
    at = dict(zip(reading.names, places, strict=True))
    lines = [(at[a], at[b]) for a, b in reading.lines]
    outer = [(a, b) for a, b in lines if _is_outer(a, b, places)]
    if not outer:
        return places
    if most == 90:
        a, b = max(outer, key=lambda line: float(np.linalg.norm(line[1] - line[0])))
    else:
        a, b = min(outer, key=lambda line: abs(_tilt(*line)))
    tilt = _tilt(a, b)
    if abs(tilt) > most:
        return places
    c, s = np.cos(np.radians(tilt)), np.sin(np.radians(tilt))
    turned = places @ np.array([[c, -s], [s, c]])
    base = float(a @ np.array([-s, c]))
    return np.asarray(-turned if most == 90 and turned[:, 1].mean() < base else turned)


def _tilt(a: Array, b: Array) -> float:
    """Degrees from -90 to 90 between a line and the level."""
    return (float(np.degrees(np.arctan2(*(b - a)[::-1]))) + 90) % 180 - 90


def _is_outer(a: Array, b: Array, places: Array) -> bool:
    """Whether all points lie on one side of the line."""
    u, v = b - a, places - a
    side = (u[0] * v[:, 1] - u[1] * v[:, 0]) / max(float(u @ u), 1e-9)
    return bool((side > -1e-3).all() or (side < 1e-3).all())
