"""Geometry3K (Inter-GPS) logic forms to a diagram spec.

    Equals(LengthOf(Line(A, B)), 5)  ->  labels: [{segment: AB, text: "5"}]

Forms say what is drawn (DI), what marks say (IP) and what labels say (EC). Given point positions
are settled so that right angles, parallels and circles are exact; without positions the figure is
solved from the forms, lengths and angles included.
"""

from __future__ import annotations

import math
import re
from collections.abc import Iterable, Mapping
from typing import Any

import numpy as np

from ...errors import UserError
from ..figure import NAME, Array
from ..issues import Issue
from .parser import Fact, Reading, UnreadError
from .predicates import read_all
from .residuals import Conditions, is_number
from .solver import settle, solve
from .spec_writer import spec_of_reading, unread

MAX_FORMS, MAX_POINTS = 300, 40


def spec_of_forms(data: Mapping[str, Any] | Iterable[str]) -> tuple[dict[str, Any], list[Issue]]:
    """A spec from a list of logic forms, or from an annotation of Geometry3K.

    The annotation's keys are `diagram_logic_form(s)`, `text_logic_form(s)`, `line_instances`,
    `circle_instances` and `point_positions` (pixels, y down). What is asked (Find) is no issue;
    forms that are not understood, name nothing in the figure (`Tangent(Line($), Circle($))`), or
    that no label says (a perimeter) are issues `logic-form-unread`.
    Raises UserError for too few points and for conditions that contradict each other.
    """
    forms, positions, extra = _inputs(data)
    if len(forms) > MAX_FORMS:
        raise UserError(f"{len(forms)} logic forms", f"the limit is {MAX_FORMS}")
    reading = Reading()
    _instances(extra, reading)
    read_all(forms, reading)
    if not 2 <= len(reading.names) <= MAX_POINTS:
        count = len(reading.names)
        cause = f"; not understood: {reading.unread[0]}" if reading.unread else ""
        raise UserError(f"logic forms of {count} points{cause}", f"give 2 to {MAX_POINTS} points")
    places = _places(reading, positions)
    spec, issues = spec_of_reading(reading, places)
    return spec, [unread(text) for text in reading.unread] + issues


def _inputs(data: Any) -> tuple[list[str], dict[str, Any], Mapping[str, Any]]:
    if not isinstance(data, Mapping):
        return [str(form) for form in data], {}, {}
    forms: list[str] = []
    for key in ("diagram_logic_form", "text_logic_form", "dissolved_text_logic_form"):
        for spelling in (key, key + "s"):
            forms += [str(form) for form in data.get(spelling) or []]
    return list(dict.fromkeys(forms)), dict(data.get("point_positions") or {}), data


def _instances(extra: Mapping[str, Any], reading: Reading) -> None:
    """Lines and circles that an annotation lists; an empty entry is its way to say none."""
    for key, shape in (("line_instances", "Line"), ("circle_instances", "Circle")):
        for entry in filter(None, map(str, extra.get(key) or [])):
            whole = re.fullmatch(f"(?:{NAME})+", entry)
            names = tuple(re.findall(NAME, entry)) if whole else (entry,)
            try:
                reading.line((shape, names)) if shape == "Line" else reading.circle((shape, names))
            except UnreadError as why:
                reading.unread.append(f"{key} {entry[:40]!r} ({why})")


def _places(reading: Reading, positions: Mapping[str, Any]) -> dict[str, Array]:
    names = reading.names
    exact = not all(name in positions for name in names)
    if exact:
        _choose(reading, None)
        texts = [t for _, t in (*reading.lengths, *reading.radii, *reading.diameters)]
        size = max((float(t) for t in texts if is_number(t)), default=10.0)
        conditions = Conditions(reading, measured=True).residuals
        places = _level(solve(len(names), conditions, names, size), reading, most=90)
    else:
        start = np.array([[float(positions[n][0]), -float(positions[n][1])] for n in names])
        _choose(reading, start)
        places, worst = settle(start, Conditions(reading, measured=False).residuals)
        moved = np.linalg.norm(places - start, axis=1).max() / max(np.ptp(start, axis=0).max(), 1)
        if worst > 0.02 or moved > 0.15:
            raise UserError(
                "the logic forms contradict the point positions",
                f"points would move by {moved:.0%} of the figure",
            )
        places = _level(places, reading, most=4)  # drawn by hand, or scanned askew
    size = float(np.ptp(places, axis=0).max())
    places = (places - places.min(0)) * (10 / max(size, 1e-9))
    return {name: np.round(place, 5) for name, place in zip(names, places, strict=True)}


def _choose(reading: Reading, start: Array | None) -> None:
    """Of alternatives take what the positions show, else what agrees best with the other forms."""
    conditions = Conditions(reading, measured=False)
    for alternatives in reading.either:
        known = {_unturned(fact) for fact in reading.facts}
        middles = _middles(reading.facts)

        def cost(facts: list[Fact], known: Any = known, middles: Any = middles) -> float:
            if start is not None:
                off: list[float] = [abs(r(start)) for f in facts for r in conditions.of(f)]
                return math.fsum(off)
            agreed = sum(_unturned(fact) in known for fact in facts)
            clashes: int = sum(middles.get(line, p) != p for line, p in _middles(facts).items())
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
