"""The diagram spec that draws what logic forms say, the points being placed."""

from __future__ import annotations

import re
from typing import Any

from ..figure import Array, across, length, relations
from ..issues import Issue
from .conditions import radius, relations_of
from .reading import NUMBER, Circle, Fact, Names, Reading, Value

Places = dict[str, Array]
ROOT = re.compile(r"sqrt\(([^()]*)\)")  # without parentheses of its own
SUM = re.compile(r"[+^-]")  # what a unit behind it needs parentheses for
# Fact -> mark, option that tells classes apart, how many classes it can tell apart.
FACT_MARKS = {
    "equal": ("equal", "ticks", 4),
    "parallel": ("parallel", "chevrons", 3),
    "equal_angles": ("angle", "arcs", 3),
}


def spec_of_reading(
    reading: Reading, places: Places
) -> tuple[dict[str, Any], list[Issue]]:
    """The spec, and issues for what it cannot show."""
    issues: list[Issue] = []
    spec = {
        "kind": "plane",
        "points": {name: [float(v) for v in place] for name, place in places.items()},
        "draw": _drawings(reading, places),
        "marks": _marks(reading, issues),
        "labels": _labels(reading, places, issues),
        "check": _checks(reading),
    }
    return spec, issues


def _drawings(reading: Reading, places: Places) -> list[dict[str, Any]]:
    draw: list[dict[str, Any]] = [
        {"polygon": list(p), "fill": True} for p in reading.shaded
    ]
    draw += [{"segment": list(line)} for line in _whole(reading.lines, places)]
    draw += [{"sector": _shorter_arc((a, b), o, places)} for a, o, b in reading.sectors]
    for circle in reading.circles:
        if size := radius(circle, reading, places):
            draw.append({"circle": circle[0], "radius": round(size, 5)})
    centres = {centre for centre, _ in reading.circles}
    for name in reading.names:
        if name in centres or _strokes_at(name, reading) < 2:
            draw.append({"dot": [name]})
    return draw


def _strokes_at(point: str, reading: Reading) -> int:
    """How many lines end at a point or run through it; one that only lies on one needs a dot."""
    ends_one = any(point in line for line in reading.lines)
    return len(reading.lines_over(point)) + 2 * ends_one


def _labels(
    reading: Reading, places: Places, issues: list[Issue]
) -> list[dict[str, Any]]:
    labels: list[dict[str, Any]] = [
        {"angle": list(corner), "text": number, "tag": "DI"}
        for number, corner in reading.numbered.items()
    ]
    values = reading.values_of("length", "angle", "area", "arc", "radius", "diameter")
    for value in values:
        place = _place(value, reading, places)
        if place is None:
            name = f"{value.kind} of circle {value.of[0]}"
            if value.kind == "arc":
                name = f"arc {''.join(value.of)}"
            message = f"{name} = {value.text}: no line of the figure to label"
            issues.append(unread(message))
            continue
        text = _label_text(value.text, "°" if place.keys() & {"angle", "arc"} else "")
        if "area" in place:
            text = f"$S = {text.strip('$')}$"
        labels.append(place | {"text": text})
    return _distinct(labels)


def _distinct(entries: list[dict[str, Any]]) -> list[dict[str, Any]]:
    return list({str(entry): entry for entry in entries}.values())


def _place(value: Value, reading: Reading, places: Places) -> dict[str, Any] | None:
    """What of the figure a value stands at: of an arc also where it is written as the angle at
    the centre, of a radius or a diameter a line that is drawn.
    """
    of = value.of
    kind = value.kind
    if kind == "angle" and _is_arc(of, reading):
        first, centre, last = of
        return {"arc": _shorter_arc((first, last), centre, places)}
    if kind == "arc":
        circles = reading.circles.items()
        centre = next((c for (c, _), on in circles if set(of) <= set(on)), "")
        if not centre or len(of) != 2:
            return None
        return {"arc": _shorter_arc(of, centre, places)}
    if kind in ("radius", "diameter"):
        line_of = _radius_line if kind == "radius" else _diameter_line
        line = line_of(of, reading)
        return {"segment": list(line)} if line else None
    return {"segment" if kind == "length" else kind: list(of)}


def _is_arc(corner: Names, reading: Reading) -> bool:
    """Whether an angle stands at a circle's centre, its ends on the circle, and has no arms."""
    a, centre, b = corner
    ends = {a, b}
    about = (points for (c, _), points in reading.circles.items() if c == centre)
    is_on_circle = any(ends <= set(points) for points in about)
    return is_on_circle and not ends <= _joined(centre, reading)


def unread(message: str) -> Issue:
    return Issue("logic-form-unread", message, "logic forms")


def _radius_line(circle: Circle, reading: Reading) -> Names | None:
    """A radius that is drawn, alone or as part of a line through the centre."""
    centre = circle[0]
    joined = _joined(centre, reading)
    radii = ((centre, p) for p in reading.circles[circle] if p in joined)
    return next(radii, None)


def _diameter_line(circle: Circle, reading: Reading) -> Names | None:
    points = set(reading.circles[circle])
    lines = _lines_through(circle[0], reading)
    return next((line for line in lines if set(line) <= points), None)


def _lines_through(point: str, reading: Reading) -> list[Names]:
    return [line for line in reading.lines if point in line] + reading.lines_over(point)


def _joined(point: str, reading: Reading) -> set[str]:
    """The ends of all lines through a point."""
    return set().union(*_lines_through(point, reading))


def _shorter_arc(ends: Names, centre: str, places: Places) -> list[str]:
    """The ends in the order whose counterclockwise arc is the shorter one."""
    a, b = (places[end] - places[centre] for end in ends)
    first, last = ends if across(a, b) >= 0 else ends[::-1]
    return [first, centre, last]


def _checks(reading: Reading) -> list[dict[str, Any]]:
    """What shapes and relations imply without a mark: the drawing measures it again."""
    unmarked = [fact for fact in reading.facts if not fact.marked]
    facts = [part for fact in unmarked for part in relations_of(fact, reading)]
    return [{fact.kind: _listed(fact.arguments)} for fact in facts][:100]


def _listed(argument: Any) -> Any:
    if isinstance(argument, tuple):
        return [_listed(part) for part in argument]
    return argument


def _marks(reading: Reading, issues: list[Issue]) -> list[dict[str, Any]]:
    facts = [fact for fact in reading.facts if fact.marked]
    right = [fact.arguments for fact in facts if fact.kind == "perpendicular"]
    corners = [_corner(first, second, reading) for first, second in right]
    marks: list[dict[str, Any]] = [{"right": corner} for corner in corners if corner]
    for kind, (mark, option, most) in FACT_MARKS.items():
        groups = _groups([fact for fact in facts if fact.kind == kind])
        for number, group in enumerate(groups, 1):
            if number <= most:
                marks.append({mark: [list(part) for part in group], option: number})
                continue
            parts = ", ".join("".join(part) for part in group)
            message = f"{kind} {parts}: more classes than {option} can tell apart"
            issues.append(unread(message))
    return _distinct(marks + _angle_marks(reading, marks))


def _angle_marks(reading: Reading, marks: list[dict[str, Any]]) -> list[dict[str, Any]]:
    """Marks of the angles that have a number or a value and no other mark."""
    covered = {_unturned(mark["right"]) for mark in marks if "right" in mark}
    for mark in marks:
        covered.update(map(_unturned, mark.get("angle", ())))
    numbered = list(reading.numbered.values())
    values = [v.of for v in reading.values_of("angle") if not _is_arc(v.of, reading)]
    angles = []
    for corner in numbered + values:
        if _unturned(corner) not in covered:
            covered.add(_unturned(corner))
            tag = "DI" if corner in numbered else "EC"
            angles.append({"angle": list(corner), "tag": tag})
    return angles


def _unturned(corner: Any) -> Names:
    """A corner or line named alike from both sides."""
    return min(tuple(corner), tuple(corner)[::-1])


def _corner(first: Names, second: Names, reading: Reading) -> list[str] | None:
    """Where two perpendicular lines meet in a named point, as the corner of a mark."""
    common = sorted(reading.along(first) & reading.along(second))
    if not common:
        return None
    vertex = common[0]
    arms = [next(p for p in line if p != vertex) for line in (first, second)]
    return [arms[0], vertex, arms[1]]


def _groups(facts: list[Fact]) -> list[list[Names]]:
    """Pairs joined into classes of equals, in order of appearance."""
    # each: one name for both directions -> the name as written
    groups: list[dict[Names, Names]] = []
    for fact in facts:
        pair = {_unturned(part): part for part in fact.arguments}
        merged: dict[Names, Names] = {}
        apart = []
        for group in groups:
            if group.keys() & pair.keys():
                merged |= group
            else:
                apart.append(group)
        groups = [*apart, merged | pair]
    return [list(group.values()) for group in groups]


def _whole(lines: list[Names], places: Places) -> list[Names]:
    """Lines without those that are part of a longer one."""

    def is_part(line: Names, other: Names) -> bool:
        a, b = (places[name] for name in other)
        return other != line and all(_is_inside(places[p], a, b) for p in line)

    return [line for line in lines if not any(is_part(line, other) for other in lines)]


def _is_inside(point: Array, a: Array, b: Array) -> bool:
    """Whether a point lies on AB, as near as points are placed."""
    size = length((a, b))
    share = float((point - a) @ (b - a)) / max(size**2, 1e-9)
    off = relations.distance(point, (a, b))
    return off < 0.01 * size and -0.001 <= share <= 1.001


def _label_text(value: str, unit: str = "") -> str:
    """A value as a label: numbers with their unit, expressions as mathematics."""
    value = value.strip().replace("**", "^").replace("*", "")
    if NUMBER.fullmatch(value):
        return value + unit
    tex = ROOT.sub(r"\\sqrt{\1}", value)
    if unit and SUM.search(tex):
        tex = f"({tex})"
    return f"${tex}^\\circ$" if unit == "°" else f"${tex}$"
