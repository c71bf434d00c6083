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
    heading,
    length,
    quarter_turn,
    settle,
    solutions,
    solver,
    turning,
)
from .conditions import conditions, measures, misfit, unmeasured
from .reading import Fact, Reading

# How Geometry3K and its kin write that a point has no position.
NOWHERE = np.array([-1.0, -1.0])
CLOSE, MOVED = 0.02, 0.15  # of the figure: conditions kept so well, points moved so far
# Of the figure: a fact so far from true in the positions is left out.
CONTRADICTED = 0.06
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
    at = _positions_of(reading, positions)
    if len(at) < 2:
        places = _level(_solved(reading), reading, most=90)
        return Placement(_scaled(places, reading))
    start = np.array([at.get(name, np.zeros(2)) for name in reading.names])
    fixed = [k for k, name in enumerate(reading.names) if name in at]
    is_complete = len(fixed) == len(reading.names)
    _choose(reading, start if is_complete else None)
    places, denied = _settled(start, fixed, reading)
    if not is_complete:
        places, rest = _completed(places, fixed, reading)
        denied += rest.denied
        if rest.lost:
            return Placement({}, rest.lost, denied)
    places = _level(places, reading, most=4)  # drawn by hand, or scanned askew
    return Placement(_scaled(places, reading), [], denied)


def _positions_of(reading: Reading, positions: Mapping[str, Any]) -> dict[str, Array]:
    """The positions that are some, y up."""
    at = {}
    for name in reading.names:
        value = positions.get(name)
        if value is None:
            continue
        try:
            place = Figure({}).point(list(value))
        except (TypeError, ValueError) as error:
            raise UserError(
                f"point_positions of {name}: {value!r}", "write finite numbers [x, y]"
            ) from error
        if (place != NOWHERE).any():
            at[name] = place * [1, -1]
    return at


def _solved(reading: Reading) -> Array:
    """The figure that fulfils all forms, its points as far apart as they may be."""
    _choose(reading, None)
    count = len(reading.names)
    lengths = reading.values_of("length", "radius", "diameter")
    size = max((value.number for value in lengths), default=0) or 10.0
    facts = [*unmeasured(reading), *measures(reading)]
    system = System(conditions(facts, reading.names), count)
    points = range(count)
    figures = solutions(np.zeros((count, 2)), system, points, size)
    best = clearest(figures, points)
    if best is not None:
        return best
    names = ", ".join(reading.names)
    if system.work > solver.MOST_WORK:
        what = (
            f"no figure of {names} in {solver.MOST_WORK:,} evaluations of its relations"
        )
        raise UserError(what, "they may contradict each other")
    what = f"no figure of {names} fulfils all relations"
    raise UserError(what, "they contradict each other, or let points coincide")


def _extent(places: Array) -> float:
    """The longer side of the box around points."""
    return float(np.ptp(places, axis=0).max())


def _scaled(places: Array, reading: Reading) -> dict[str, Array]:
    scale = 10 / max(_extent(places), 1e-9)
    rounded = np.round((places - places.min(0)) * scale, 5)
    return dict(zip(reading.names, rounded, strict=True))


def _settled(
    start: Array, fixed: list[int], reading: Reading
) -> tuple[Array, list[str]]:
    """Given points moved until all facts about them hold; facts that positions deny are left out.

    Raises UserError when the positions contradict more than a third of them.
    """
    denied: list[str] = []
    extent = max(_extent(start[fixed]), 1.0)
    others = set(range(len(start))) - set(fixed)
    count = len(reading.facts)
    while True:
        system = System(conditions(unmeasured(reading), reading.names), len(start))
        places, worst = settle(start, system.only(others, touching=False), fixed)
        moved = np.linalg.norm(places - start, axis=1).max() / extent
        if worst <= max(CLOSE, 1e-4 * extent) and moved <= MOVED:
            return places, denied
        fact = _most_denied(reading, start, fixed, CONTRADICTED * extent)
        if fact is None or 3 * (len(denied) + 1) > count:
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
    placed = {reading.names[k] for k in fixed}
    about_placed = [f for f in reading.facts if _names_in(f.arguments) <= placed]
    misfits = {fact: misfit(fact, reading, start) for fact in about_placed}
    worst = max(misfits, key=misfits.__getitem__, default=None)
    return worst if worst and misfits[worst] > least else None


def _words(fact: Fact) -> str:
    parts = ("".join(map(str, argument)) for argument in fact.arguments)
    return f"{fact.kind.replace('_', ' ')} {', '.join(parts)}"


def _names_in(arguments: Any) -> set[str]:
    """All names in nested arguments; numbers say which of several circles."""
    if isinstance(arguments, str):
        return {arguments}
    nested = arguments if isinstance(arguments, tuple) else ()
    return {name for argument in nested for name in _names_in(argument)}


# Points without positions


def _completed(
    places: Array, fixed: list[int], reading: Reading
) -> tuple[Array, Placement]:
    """Points without a position placed by the forms, and what nothing determines, by name."""
    placed = set(fixed)
    rest = Placement({})
    for group in _groups(reading):
        free = sorted(group - placed)
        if not free:
            continue
        place = _attached if group & placed else _apart
        completed, is_open = place(places, sorted(placed), free, reading)
        names = [reading.names[k] for k in free]
        if completed is None:
            rest.lost += names
            continue
        places = completed
        placed |= group
        if is_open:
            what = (
                f"figure {''.join(names)} has no positions and the forms leave it open"
            )
            rest.denied.append(what)
    return places, rest


def _groups(reading: Reading) -> list[set[int]]:
    """Figures: points joined by lines, by circles, or by lying on a line."""
    together = [set(line) for line in reading.lines]
    together += [{center, *on} for (center, _), on in reading.circles.items()]
    for fact in reading.facts:
        if fact.kind in ("between", "collinear"):
            together.append(_names_in(fact.arguments))
    together += [{name} for name in reading.names]
    numbers = {name: k for k, name in enumerate(reading.names)}
    groups: list[set[int]] = []
    for names in together:
        members = {numbers[name] for name in names}
        touched = [group for group in groups if group & members]
        groups = [group for group in groups if group not in touched]
        groups.append(members.union(*touched))
    return groups


def _attached(
    places: Array, placed: list[int], free: list[int], reading: Reading
) -> tuple[Array | None, bool]:
    """Places of points that the placed ones determine; None where nothing does."""
    tolerance = 0.03 * max(_extent(places[placed]), 1e-9)
    facts = unmeasured(reading)
    for trial in (facts, facts + _measures(reading, places, placed)):
        system, figures = _figures(trial, places, placed, free, reading)
        if not figures:
            continue
        first = figures[0]
        is_unique = all(np.abs(other - first).max() < tolerance for other in figures)
        if is_unique and determined(first, free, system):
            return first, False
    return None, False


def _apart(
    places: Array, placed: list[int], free: list[int], reading: Reading
) -> tuple[Array | None, bool]:
    """A figure of its own beside the placed points, and whether the forms leave its shape open.

    None where nothing determines it.
    """
    extent = max(_extent(places[placed]), 1e-9)
    facts = unmeasured(reading)
    for trial in (facts + _measures(reading, places, placed), facts):
        system, figures = _figures(trial, places, placed, free, reading)
        fitting = [f for f in figures if 0.1 < _extent(f[free]) / extent < 4]
        best = clearest(fitting, free) if len(free) > 1 else None
        if best is not None:
            moved = _beside(best, placed, free, system, reading)
            return moved, not determined(best, free, system, moves=4)
    return None, False


def _figures(
    facts: list[Fact],
    places: Array,
    placed: list[int],
    free: list[int],
    reading: Reading,
) -> tuple[System, list[Array]]:
    """What facts say of free points, and the first figures that fulfil it."""
    extent = max(_extent(places[placed]), 1e-9)
    system = System(conditions(facts, reading.names), len(places))
    system = system.only(set(free), touching=True)
    figures = solutions(places, system, free, 0.4 * extent, 25 * GOOD)
    return system, list(islice(figures, TRIES))


def _beside(
    places: Array, placed: list[int], free: list[int], system: System, reading: Reading
) -> Array:
    """A figure on its level base, where its parallels let it, to the right of what is given."""
    extent = max(_extent(places[placed]), 1e-9)
    turned = places.copy()
    turned[free] = _level(places, reading, most=90)[free]
    if np.abs(system.residuals(turned)).max(initial=0.0) < 10 * GOOD * extent:
        places = turned
    left, bottom = places[free].min(0)
    right = places[placed].max(0)[0]
    floor = places[placed].min(0)[1]
    places[free] += [right + 0.25 * extent - left, floor - bottom]
    return places


def _measures(reading: Reading, places: Array, placed: list[int]) -> list[Fact]:
    """Lengths and angles that are numbers, in the scale of the points that stand already."""
    at = {reading.names[k]: places[k] for k in placed}
    lengths = [value for value in reading.values_of("length") if value.number]
    if not lengths:
        return measures(reading, 0.0)
    scales = []
    for value in lengths:
        a, b = value.of
        if a in at and b in at:
            scales.append(math.dist(at[a], at[b]) / value.number)
    if scales:
        return measures(reading, float(np.median(scales)))
    longest = max(value.number for value in lengths)
    return measures(reading, 0.6 * _extent(places[placed]) / longest)


# Choices


def _choose(reading: Reading, start: Array | None) -> None:
    """Of alternatives take what the positions show, else what agrees best with the other forms."""
    for alternatives in reading.either:
        best = min(alternatives, key=lambda facts: _cost(facts, reading, start))
        reading.facts += best
    reading.either = []
    reading.facts = list(dict.fromkeys(reading.facts))


def _cost(facts: list[Fact], reading: Reading, start: Array | None) -> float:
    """How badly facts fit the positions, or, without any, the other forms."""
    if start is not None:
        return math.fsum(misfit(fact, reading, start) for fact in facts)
    others = {_unturned(fact) for fact in reading.facts}
    agreed = sum(_unturned(fact) in others for fact in facts)
    middles = _middles(reading.facts)
    # a segment has one middle: a second one is worse than any agreement is good
    clashes = [p for line, p in _middles(facts).items() if middles.get(line, p) != p]
    return 10.0 * len(clashes) - agreed


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
    is_free = most == 90
    if is_free:
        a, b = max(outer, key=length)
    else:
        a, b = min(outer, key=lambda line: abs(_tilt(*line)))
    tilt = _tilt(a, b)
    if abs(tilt) > most:
        return places
    matrix = turning(-np.radians(tilt))
    turned = places @ matrix
    base = float((a @ matrix)[1])
    is_upside_down = is_free and turned[:, 1].mean() < base
    return np.asarray(-turned if is_upside_down else turned)


def _tilt(a: Array, b: Array) -> float:
    """Degrees from -90 to 90 between a line and the level."""
    return (heading(b - a) + 90) % 180 - 90


def _is_outer(a: Array, b: Array, places: Array) -> bool:
    """Whether all points lie on one side of the line."""
    along = b - a
    off = (places - a) @ quarter_turn(along)
    side = off / max(float(along @ along), 1e-9)
    return bool((side > -1e-3).all() or (side < 1e-3).all())
