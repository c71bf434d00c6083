"""Geometry3K (Inter-GPS) logic forms to a diagram spec.

    Equals(LengthOf(Line(A, B)), 5)  ->  labels: [{segment: AB, text: "5"}]

Forms say what is drawn (DI), what marks say (IP) and what labels say (EC). Given point positions
are settled so that right angles, parallels and circles are exact; without positions the figure is
solved from the forms, lengths and angles included.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from typing import Any

from ...errors import UserError
from ..figure import NAME
from ..issues import Issue
from .positions import place_points
from .predicates import read_all
from .reading import Reading, UnreadError
from .spec_writer import spec_of_reading, unread

MAX_FORMS, MAX_POINTS = 300, 40
FORM_KEYS = ("diagram_logic_form", "text_logic_form", "dissolved_text_logic_form")
NAMES = re.compile(f"(?:{NAME})+")  # of points, without anything between them


def spec_of_forms(
    data: Mapping[str, Any] | Iterable[str],
) -> tuple[dict[str, Any], list[Issue]]:
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
    left_out: list[str] = []
    lost: list[str] = []
    while True:  # once more for every set of points that nothing determines
        reading = _read(forms, extra, lost)
        placement = place_points(reading, positions)
        if not placement.lost:
            break
        lost += placement.lost
        about_lost = [form for form in forms if _mentions(form, placement.lost)]
        left_out += [f"{form[:80]} (no position)" for form in about_lost]
        forms = [form for form in forms if form not in about_lost]
    spec, issues = spec_of_reading(reading, placement.places)
    if lost:
        names = ", ".join(lost)
        message = f"points {names} have no position and nothing determines one"
        left_out.insert(0, f"{message}: left out")
    messages = (*left_out, *reading.unread, *placement.denied)
    return spec, [unread(message) for message in messages] + issues


def _read(forms: list[str], extra: Mapping[str, Any], lost: list[str]) -> Reading:
    """The forms and instances read, without the points that are left out."""
    reading = Reading()
    _instances(extra, reading, lost)
    read_all(forms, reading)
    if not 2 <= len(reading.names) <= MAX_POINTS:
        count = len(reading.names)
        cause = f"; not understood: {reading.unread[0]}" if reading.unread else ""
        raise UserError(
            f"logic forms of {count} points{cause}", f"give 2 to {MAX_POINTS} points"
        )
    return reading


def _mentions(form: str, names: list[str]) -> bool:
    return any(re.search(rf"[(,]\s*{re.escape(name)}\s*[,)]", form) for name in names)


def _inputs(data: Any) -> tuple[list[str], dict[str, Any], Mapping[str, Any]]:
    if not isinstance(data, Mapping):
        return [str(form) for form in data], {}, {}
    forms: list[str] = []
    for key in FORM_KEYS:
        for spelling in (key, key + "s"):
            texts = map(str, data.get(spelling) or [])
            forms += [text for text in texts if text.strip()]
    return list(dict.fromkeys(forms)), dict(data.get("point_positions") or {}), data


def _instances(extra: Mapping[str, Any], reading: Reading, lost: list[str]) -> None:
    """Lines and circles that an annotation lists; an empty entry is its way to say none."""
    instances = (
        ("line_instances", "Line", reading.line),
        ("circle_instances", "Circle", reading.circle),
    )
    for key, shape, take_in in instances:
        for entry in filter(None, map(str, extra.get(key) or [])):
            is_names = NAMES.fullmatch(entry)
            names = tuple(re.findall(NAME, entry)) if is_names else (entry,)
            if set(names) & set(lost):
                continue
            try:
                take_in((shape, names))
            except UnreadError as why:
                reading.unread.append(f"{key} {entry[:40]!r} ({why})")
