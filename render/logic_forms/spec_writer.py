"""The diagram spec that draws what logic forms say, the points being placed."""

from __future__ import annotations

import re
from typing import Any

import numpy as np

from ..figure import Array
from ..issues import Issue
from .conditions import radius, said_by
from .reading import Circle, Fact, Names, Reading, Value

Places = dict[str, Array]
FACT_MARKS = {  # fact -> mark, option that tells classes apart, how many classes it can tell apart
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
        "draw": _drawn(reading, places),
        "marks": _marks(reading, issues),
        "labels": _labels(reading, places, issues),
        "check": _checks(reading),
    }
    return spec, issues


def _drawn(reading: Reading, places: Places) -> list[dict[str, Any]]:
    draw: list[dict[str, Any]] = [
        {"polygon": list(p), "fill": True} for p in reading.shaded
    ]
    draw += [{"segment": list(line)} for line in _whole(reading.lines, places)]
    draw += [{"sector": _minor((a, b), o, places)} for a, o, b in reading.sectors]
    centres = {centre for centre, _ in reading.circles}
    dots = [n for n in reading.names if n in centres or _strokes_at(n, reading) < 2]
    for circle in reading.circles:
        if size := radius(circle, reading, places):
            draw.append({"circle": circle[0], "radius": round(size, 5)})
    return draw + [{"dot": [centre]} for centre in dots]


def _strokes_at(point: str, reading: Reading) -> int:
    """How many lines end at a point or run through it; one that only lies on one needs a dot."""
    return len(reading.lines_over(point)) + 2 * any(
        point in line for line in reading.lines
    )


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
            name = (
                f"arc {''.join(value.of)}"
                if value.kind == "arc"
                else (f"{value.kind} of circle {value.of[0]}")
            )
            issues.append(
                unread(f"{name} = {value.text}: no line of the figure to label")
            )
            continue
        text = _text(value.text, "°" if place.keys() & {"angle", "arc"} else "")
        labels.append(
            place | {"text": f"$S = {text.strip('$')}$" if "area" in place else text}
        )
    return list({str(label): label for label in labels}.values())


def _place(value: Value, reading: Reading, places: Places) -> dict[str, Any] | None:
    """What of the figure a value stands at: of an arc also where it is written as the angle at
    the centre, of a radius or a diameter a line that is drawn.
    """
    of, circles = value.of, reading.circles.items()
    if value.kind == "angle" and _is_arc(of, reading):
        return {"arc": _minor((of[0], of[2]), of[1], places)}
    if value.kind == "arc":
        centre = next((c for (c, _), on in circles if set(of) <= set(on)), "")
        return {"arc": _minor(of, centre, places)} if centre and len(of) == 2 else None
    if value.kind in ("radius", "diameter"):
        line = (_radius_line if value.kind == "radius" else _diameter_line)(of, reading)
        return {"segment": list(line)} if line else None
    return {"segment" if value.kind == "length" else value.kind: list(of)}


def _is_arc(corner: Names, reading: Reading) -> bool:
    """Whether an angle stands at a circle's centre, its ends on the circle, and has no arms."""
    a, centre, b = corner
    on = (points for (c, _), points in reading.circles.items() if c == centre)
    drawn = {p for line in _lines_through(centre, reading) for p in line}
    return any({a, b} <= set(points) for points in on) and not {a, b} <= drawn


def unread(message: str) -> Issue:
    return Issue("logic-form-unread", message, "logic forms")


def _radius_line(circle: Circle, reading: Reading) -> Names | None:
    """A radius that is drawn, alone or as part of a line through the centre."""
    centre, on = circle[0], reading.circles[circle]
    through = {p for line in _lines_through(centre, reading) for p in line}
    return next(((centre, point) for point in on if point in through), None)


def _diameter_line(circle: Circle, reading: Reading) -> Names | None:
    on = set(reading.circles[circle])
    return next(
        (ln for ln in _lines_through(circle[0], reading) if set(ln) <= on), None
    )


def _lines_through(point: str, reading: Reading) -> list[Names]:
    return [line for line in reading.lines if point in line] + reading.lines_over(point)


def _minor(ends: Names, centre: str, places: Places) -> list[str]:
    """The ends in the order whose counterclockwise arc is the shorter one."""
    a, b = (places[e] - places[centre] for e in ends)
    first, last = ends if a[0] * b[1] - a[1] * b[0] >= 0 else ends[::-1]
    return [first, centre, last]


def _checks(reading: Reading) -> list[dict[str, Any]]:
    """What shapes and relations imply without a mark: the drawing measures it again."""
    facts = [
        said
        for fact in reading.facts
        if not fact.marked
        for said in said_by(fact, reading)
    ]
    return [{fact.kind: _listed(fact.arguments)} for fact in facts][:100]


def _listed(argument: Any) -> Any:
    return (
        [_listed(part) for part in argument]
        if isinstance(argument, tuple)
        else argument
    )


def _marks(reading: Reading, issues: list[Issue]) -> list[dict[str, Any]]:
    marked = [fact for fact in reading.facts if fact.marked]
    right = [fact.arguments for fact in marked if fact.kind == "perpendicular"]
    corners = [_corner(one, two, reading) for one, two in right]
    marks: list[dict[str, Any]] = [{"right": corner} for corner in corners if corner]
    for kind, (mark, option, most) in FACT_MARKS.items():
        groups = _groups([fact for fact in marked if fact.kind == kind])
        marks += [
            {mark: [list(part) for part in group], option: k + 1}
            for k, group in enumerate(groups[:most])
        ]
        for group in groups[most:]:
            parts = ", ".join("".join(part) for part in group)
            issues.append(
                unread(f"{kind} {parts}: more classes than {option} can tell apart")
            )
    covered = {
        _unturned(c) for m in marks for c in m.get("angle", [m.get("right", ())])
    }
    named = list(reading.numbered.values())
    angles = [v.of for v in reading.values_of("angle") if not _is_arc(v.of, reading)]
    for arms in (*named, *angles):
        if _unturned(arms) not in covered:
            covered.add(_unturned(arms))
            marks.append(
                {"angle": [list(arms)], "tag": "DI" if arms in named else "EC"}
            )
    return list({str(mark): mark for mark in marks}.values())


def _unturned(corner: Any) -> Names:
    """A corner or line named alike from both sides."""
    return min(tuple(corner), tuple(corner)[::-1])


def _corner(one: Names, two: Names, reading: Reading) -> list[str] | None:
    """Where two perpendicular lines meet in a named point, as the corner of a mark."""
    common = sorted(reading.along(one) & reading.along(two))
    if not common:
        return None
    vertex = common[0]
    arms = [next(p for p in line if p != vertex) for line in (one, two)]
    return [arms[0], vertex, arms[1]]


def _groups(facts: list[Fact]) -> list[list[Names]]:
    """Pairs joined into classes of equals, in order of appearance."""
    groups: list[
        dict[Names, Names]
    ] = []  # one name for both directions -> the name as written
    for fact in facts:
        pair = {_unturned(part): part for part in fact.arguments}
        touched = [group for group in groups if group.keys() & pair.keys()]
        merged = {
            key: part for group in (*touched, pair) for key, part in group.items()
        }
        groups = [group for group in groups if group not in touched] + [merged]
    return [list(group.values()) for group in groups]


def _whole(lines: list[Names], places: Places) -> list[Names]:
    """Lines without those that are part of a longer one."""

    def inside(p: Array, a: Array, b: Array) -> bool:
        length = float(np.linalg.norm(b - a))
        off = abs((b - a)[0] * (p - a)[1] - (b - a)[1] * (p - a)[0]) / max(length, 1e-9)
        along = float(np.dot(p - a, b - a)) / max(length**2, 1e-9)
        return off < 0.01 * length and -0.001 <= along <= 1.001

    return [
        line
        for line in lines
        if not any(
            other != line
            and all(inside(places[p], *(places[q] for q in other)) for p in line)
            for other in lines
        )
    ]


def _text(value: str, unit: str = "") -> str:
    """A value as a label: numbers with their unit, expressions as mathematics."""
    value = value.strip().replace("**", "^").replace("*", "")
    if re.fullmatch(r"\d+(\.\d+)?", value):
        return value + unit
    value = re.sub(r"sqrt\(([^()]*)\)", r"\\sqrt{\1}", value)
    whole = f"({value})" if unit and re.search(r"[+^-]", value) else value
    return f"${whole}^\\circ$" if unit == "°" else f"${whole}$"
