"""From a construction to a spec: what is known becomes points, constructions and things drawn.

A constructed point is checked: where our construction puts it elsewhere than GeoGebra drew it, it
keeps its coordinates. So a spec shows what the file shows, whatever was understood of it.
"""

from __future__ import annotations

import math
import re
from collections.abc import Callable, Iterator
from typing import Any

import numpy as np

from ...errors import UserError
from ..diagram import compose
from ..figure import read_spec
from ..issues import Issue
from .archive import Construction, Element

TWIN = 1e-6  # of the figure: two points at one place
SAME = 1e-3  # of the figure: so near a construction gives what was drawn
DASHED = ("10", "15", "20", "30")  # GeoGebra's kinds of lines
NAME = re.compile(r"([A-Za-z])(?:_\{?(\d{1,3})\}?|(\d{1,3}))?('{0,2})")
MODES = {"1": "both", "2": "value", "3": "caption"}  # of labels; others show the name
GRAPHS = ("function", "implicitpoly")  # what needs axes
LINES = ("Segment", "Line", "Ray", "Vector")
DEGREES = 180 / math.pi


class Writer:
    """A spec that grows by the objects of a construction."""

    def __init__(self, construction: Construction) -> None:
        self.construction = construction
        self.elements = construction.elements
        self.issues = list(construction.issues)
        self.names: dict[str, str] = {}  # GeoGebra's label of a point -> ours
        self.free: list[str] = []
        self.spec: dict[str, Any] = {
            "points": {},
            "construct": {},
            "draw": [],
            "marks": [],
            "labels": [],
            "hide": [],
        }

    def write(self) -> dict[str, Any]:
        for element in self.elements.values():
            if element.kind == "point":
                self._point(element)
        self._axes()
        for element in self.elements.values():
            if element.kind != "point" and element.is_shown:
                self._thing(element)
        if self.construction.title:
            self.spec["title"] = self.construction.title
        spec = {key: part for key, part in self.spec.items() if part}
        return self._checked(spec)

    # Points

    def _point(self, element: Element) -> None:
        w = element.number("coords", "z", 1.0) or 1.0
        place = [_rounded(element.number("coords", axis) / w) for axis in "xy"]
        if not all(map(math.isfinite, place)):
            return self._leave(element, "it has no place")
        name = self._name(element.label)
        self.names[element.label] = name
        how = CONSTRUCTED.get(element.command, _as_drawn)(self, element)
        if how is not None and element.is_shown:
            self.spec["construct"][name] = how
        else:
            self.spec["points"][name] = place
            if not element.command and not element.expression:
                self.free.append(name)
        if not element.has_label:
            self.spec["hide"].append(name)

    def _name(self, label: str) -> str:
        """A point's name as specs have it; another one where that is taken or cannot be."""
        match = NAME.fullmatch(label)
        name = f"{match[1]}{match[2] or match[3] or ''}{match[4]}" if match else ""
        k = 1
        while not name or name in self.names.values():
            name = f"P{k}"
            k += 1
        if match is None:
            self._tell(
                label, f"the point is called {name}: {label} is no name of a point"
            )
        return name

    def place(self, label: str) -> list[float] | None:
        element = self.elements.get(label)
        if element is None or element.kind != "point":
            return None
        w = element.number("coords", "z", 1.0) or 1.0
        return [element.number("coords", axis) / w for axis in "xy"]

    def points(self, labels: list[str]) -> list[str] | None:
        """Our names of points; None where one is no point."""
        if all(label in self.names for label in labels):
            return [self.names[label] for label in labels]
        return None

    def ends(self, label: str) -> list[str] | None:
        """Two named points of a line-like object."""
        element = self.elements.get(label)
        if element is None:
            return None
        if element.command in LINES and len(element.inputs) == 2:
            return self.points(element.inputs)
        if element.command == "Polygon":  # a side of it
            corners = self.points(element.inputs)
            sides = element.outputs[1:]
            if corners and label in sides:
                k = sides.index(label)
                return [corners[k], corners[(k + 1) % len(corners)]]
        return None

    # Things

    def _axes(self) -> None:
        graphs = [e for e in self.elements.values() if e.kind in GRAPHS and e.is_shown]
        if not graphs and not self.construction.has_axes:
            return
        places = [place for place in map(self.place, self.names) if place]
        reach = np.abs(np.array([*places, [4.0, 4.0]])).max(0)
        x, y = (math.ceil(value) + 1 for value in reach.tolist())
        self.spec["axes"] = {
            "x": [-x, x],
            "y": [-y, y],
            "grid": self.construction.has_grid,
        }

    def _thing(self, element: Element) -> None:
        known = DRAWN.get(element.kind)
        if known is None or not known(self, element):
            made = f"command {element.command}" if element.command else element.kind
            self._leave(element, f"{made} is not known here")

    def draw(self, element: Element, item: dict[str, Any]) -> bool:
        style = element.attributes.get("lineStyle", {})
        if style.get("type") in DASHED:
            item["dash"] = True
        self.spec["draw"].append(item)
        return True

    def label(self, element: Element, kind: str, value: Any, unit: str = "") -> None:
        """The label that GeoGebra shows: name, value, or caption."""
        if not element.has_label:
            return
        mode = MODES.get(
            element.attributes.get("labelMode", {}).get("val", "0"), "name"
        )
        caption = element.attributes.get("caption", {}).get("val", "")
        name = _formula(element.label)
        text = {
            "name": name,
            "value": f"{{}}{unit}",
            "both": f"{name} = {{}}{unit}",
            "caption": caption or name,
        }[mode]
        item: dict[str, Any] = {kind: value, "text": text}
        if mode in ("value", "both"):
            item["tag"] = "EC"
        self.spec["labels"].append(item)

    def _leave(self, element: Element, why: str) -> None:
        self._tell(element.label, f"{element.label} is left out: {why}")

    def _tell(self, where: str, what: str) -> None:
        self.issues.append(Issue("geogebra-unread", what, where))

    # Proof

    def _checked(self, spec: dict[str, Any]) -> dict[str, Any]:
        """The spec whose constructed points lie where GeoGebra drew them."""
        ours = {name: label for label, name in self.names.items()}
        for _ in range(len(self.names) + 1):
            wrong = self._misplaced(spec, ours)
            if wrong is None:
                break
            place = self.place(ours[wrong]) or [0.0, 0.0]
            del spec["construct"][wrong]
            spec.setdefault("points", {})[wrong] = [*map(_rounded, place)]
            self._tell(
                ours[wrong],
                f"{wrong} stays where it is drawn: its construction is not known",
            )
        self._same_places(spec)
        if not spec.get("construct"):
            spec.pop("construct", None)
        return spec

    def _same_places(self, spec: dict[str, Any]) -> None:
        """A point that lies where one before it does is a second name of that one."""
        shown = [
            name for name in self.names.values() if name not in spec.get("hide", [])
        ]
        places = {
            name: place
            for label, name in self.names.items()
            if name in shown and (place := self.place(label))
        }
        size = max([1.0, *(abs(v) for place in places.values() for v in place)])
        first: list[str] = []
        for name, place in places.items():
            twin = next(
                (n for n in first if math.dist(places[n], place) < TWIN * size), ""
            )
            if not twin:
                first.append(name)
                continue
            spec.get("points", {}).pop(name, None)
            made = spec.get("construct") or {}
            made.pop(name, None)
            spec["construct"] = {name: {"same": twin}, **made}
            self._tell(name, f"{name} lies where {twin} does: one point, two names")

    def _misplaced(self, spec: dict[str, Any], ours: dict[str, str]) -> str | None:
        constructed: list[str] = list(spec.get("construct") or {})
        if not constructed:
            return None
        bare = {key: spec[key] for key in ("points", "construct") if spec.get(key)}
        try:
            figure = compose(read_spec(bare | {"hide": list(ours)})).figure
        except UserError as error:
            named = re.search(r"construct\.(\w'*)", error.message)
            if named and named[1] in constructed:
                return str(named[1])
            return str(constructed[0])
        places = np.stack(list(figure.points.values()))
        size = max(float(np.ptp(places, axis=0).max()), 1.0)
        for name in constructed:
            place = self.place(ours[name])
            if place is None or math.dist(figure.points[name], place) > SAME * size:
                return str(name)
        return None


def _rounded(value: float) -> float:
    return round(value, 4) + 0.0


def _formula(label: str) -> str:
    """A name of GeoGebra as a formula: α, f, a_1."""
    return f"${label}$"


# Constructed points: GeoGebra's command -> ours; None where it is as drawn.

How = dict[str, Any] | None


def _as_drawn(writer: Writer, element: Element) -> How:
    if element.command and element.command not in ("Point", "PointIn"):
        known = element.command in KEPT
        if not known:
            writer._tell(
                element.label,
                f"command {element.command} is not known: the point stays as drawn",
            )
    return None


def _mid(writer: Writer, element: Element) -> How:
    points = writer.points(element.inputs)
    if len(element.inputs) == 1:
        points = writer.ends(element.inputs[0])
    return {"mid": points} if points and len(points) == 2 else None


def _meet(writer: Writer, element: Element) -> How:
    lines = [writer.ends(label) for label in element.inputs[:2]]
    if len(lines) == 2 and all(lines):
        return {"meet": [name for line in lines for name in line or ()]}
    return None


def _of_points(ours: str, count: int) -> Callable[[Writer, Element], How]:
    def made(writer: Writer, element: Element) -> How:
        points = writer.points(element.inputs)
        return {ours: points} if points and len(points) == count else None

    return made


def _mirror(writer: Writer, element: Element) -> How:
    point = writer.points(element.inputs[:1])
    line = writer.ends(element.inputs[1]) if len(element.inputs) > 1 else None
    if point and line:
        return {"reflect": [*point, *line]}
    about = writer.points(element.inputs)
    return {"rotate": [*about, 180]} if about and len(about) == 2 else None


def _rotate(writer: Writer, element: Element) -> How:
    if len(element.inputs) != 3:
        return None
    point, size, centre = element.inputs
    about = writer.points([point, centre])
    turn = _angle(writer, size)
    return {"rotate": [*about, turn]} if about and turn is not None else None


def _translate(writer: Writer, element: Element) -> How:
    if len(element.inputs) != 2:
        return None
    point = writer.points(element.inputs[:1])
    way = writer.ends(element.inputs[1])
    return {"translate": [*point, *way]} if point and way else None


def _dilate(writer: Writer, element: Element) -> How:
    if len(element.inputs) != 3:
        return None
    point, factor, centre = element.inputs
    about = writer.points([point, centre])
    times = _number(writer, factor)
    return {"dilate": [*about, times]} if about and times is not None else None


def _centre(writer: Writer, element: Element) -> How:
    """TriangleCenter(A, B, C, n): incentre, centroid, circumcentre, orthocentre."""
    kind = {"1": "incenter", "2": "centroid", "3": "circumcenter", "4": "orthocenter"}
    points = writer.points(element.inputs[:3])
    ours = kind.get(element.inputs[-1]) if len(element.inputs) == 4 else None
    return {ours: points} if ours and points else None


def _centroid(writer: Writer, element: Element) -> How:
    polygon = writer.elements.get(element.inputs[0]) if element.inputs else None
    corners = writer.points(polygon.inputs) if polygon else None
    return {"centroid": corners} if corners and len(corners) == 3 else None


def _number(writer: Writer, text: str) -> float | None:
    element = writer.elements.get(text)
    if element is not None and "value" in element.attributes:
        return element.number("value", "val")
    try:
        return float(text)
    except ValueError:
        return None


def _angle(writer: Writer, text: str) -> float | None:
    """Degrees: `60°`, `45 * ° `, or the name of an angle, whose value is in radians."""
    match = re.fullmatch(r"\s*(-?\d+(?:\.\d+)?)\s*\*?\s*°\s*", text)
    if match:
        return float(match[1])
    value = _number(writer, text)
    return None if value is None else round(value * DEGREES, 6)


CONSTRUCTED: dict[str, Callable[[Writer, Element], How]] = {
    "Midpoint": _mid,
    "Intersect": _meet,
    "IntersectionPoint": _meet,
    "Mirror": _mirror,
    "Reflect": _mirror,
    "Rotate": _rotate,
    "Translate": _translate,
    "Dilate": _dilate,
    "TriangleCenter": _centre,
    "Centroid": _centroid,
}
# Commands whose points are read where they are drawn.
KEPT = (
    "Center",
    "Polygon",
    "Vertex",
    "Focus",
    "Extremum",
    "Root",
    "Tangent",
    "ClosestPoint",
)


# Things that are drawn: the kind of GeoGebra's element -> whether it was understood.


def _line(op: str) -> Callable[[Writer, Element], bool]:
    def drawn(writer: Writer, element: Element) -> bool:
        ends = writer.ends(element.label)
        if ends is None and element.command in ("Polygon", "PolyLine"):
            return True
        if ends is None:
            return op == "line" and _by_equation(writer, element)
        if element.command != "Polygon":
            writer.draw(element, {op: ends})
        if op == "segment":
            writer.label(element, "segment", ends)
            _ticks(writer, element, ends)
        return True

    return drawn


def _ticks(writer: Writer, element: Element, ends: list[str]) -> None:
    """GeoGebra's decorations of equal segments."""
    ticks = {"1": 1, "2": 2, "3": 3}.get(
        element.attributes.get("decoration", {}).get("type", "")
    )
    if ticks:
        writer.spec["marks"].append({"equal": [ends], "ticks": ticks})


def _by_equation(writer: Writer, element: Element) -> bool:
    """A line ax + by + c = 0, drawn through the figure: parallels, perpendiculars, tangents."""
    a, b, c = (element.number("coords", axis) for axis in "xyz")
    if not math.isfinite(a + b + c) or not (a or b):
        return False
    places = np.array([p for p in map(writer.place, writer.names) if p] or [[0.0, 0.0]])
    middle = places.mean(0)
    reach = max(float(np.ptp(places, axis=0).max()), 2.0) * 0.7
    normal = np.array([a, b]) / math.hypot(a, b)
    foot = middle - normal * (normal @ middle + c / math.hypot(a, b))
    way = np.array([-normal[1], normal[0]]) * reach
    ends = [[*map(_rounded, (foot + side * way).tolist())] for side in (-1, 1)]
    return writer.draw(element, {"segment": ends})


def _polygon(writer: Writer, element: Element) -> bool:
    corners = writer.points(element.inputs)
    if corners is None or len(corners) < 3:  # Polygon(A, B, 5): regular
        numbered = [
            label
            for label in element.outputs
            if label in writer.names and label not in element.inputs
        ]
        corners = writer.points([*element.inputs[:2], *numbered])
    if corners is None or len(corners) < 3:
        return False
    writer.draw(element, {"polygon": corners})
    writer.label(element, "area", corners)
    return True


def _conic(writer: Writer, element: Element) -> bool:
    inputs = element.inputs
    if (
        element.command in ("Circle", "Circumcircle", "Incircle")
        or element.command == ""
    ):
        if element.command == "Circle" and len(inputs) == 2:
            both = writer.points(inputs)
            if both:
                return writer.draw(element, {"circle": both[0], "through": both[1]})
        circle = _circle(element)
        if circle is not None:
            centre, radius = circle
            named = writer.points(inputs[:1]) if len(inputs) == 2 else None
            middle: Any = named[0] if named else centre
            return writer.draw(element, {"circle": middle, "radius": radius})
    equation = _conic_equation(element)
    if equation is None:
        return False
    if "axes" not in writer.spec:
        writer.spec["axes"] = {"x": [-6, 6], "y": [-6, 6], "numbers": False}
    return writer.draw(element, {"implicit": equation})


def _matrix(element: Element) -> list[float]:
    """A0 x² + A1 y² + A2 + 2 A3 xy + 2 A4 x + 2 A5 y = 0."""
    return [element.number("matrix", f"A{k}", math.nan) for k in range(6)]


def _circle(element: Element) -> tuple[list[float], float] | None:
    xx, yy, one, xy, x, y = _matrix(element)
    if (
        not math.isfinite(xx)
        or not xx
        or abs(xx - yy) > 1e-6 * abs(xx)
        or abs(xy) > 1e-6
    ):
        return None
    centre = [-x / xx, -y / xx]
    square = centre[0] ** 2 + centre[1] ** 2 - one / xx
    if square <= 0:
        return None
    return [*map(_rounded, centre)], _rounded(math.sqrt(square))


def _conic_equation(element: Element) -> str | None:
    xx, yy, one, xy, x, y = _matrix(element)
    if not all(map(math.isfinite, (xx, yy, one, xy, x, y))):
        return None
    parts = [(xx, "x^2"), (yy, "y^2"), (2 * xy, "x*y"), (2 * x, "x"), (2 * y, "y")]
    terms = " + ".join(f"({value:.8g})*{power}" for value, power in parts if value)
    return f"{terms} + ({one:.8g}) = 0" if terms else None


def _arc(writer: Writer, element: Element) -> bool:
    ops = {
        "CircleArc": "arc",
        "CircularArc": "arc",
        "CircleSector": "sector",
        "CircularSector": "sector",
    }
    points = writer.points(element.inputs)
    if points is None:
        return False
    if element.command in ops and len(points) == 3:
        centre, first, last = points
        return writer.draw(element, {ops[element.command]: [first, centre, last]})
    if element.command == "Semicircle" and len(points) == 2:
        a, b = points
        name = writer._name("M")
        writer.names[f"{element.label} "] = name
        writer.spec["points"][name] = [
            _rounded((p + q) / 2)
            for p, q in zip(
                *(writer.place(label) or [0, 0] for label in element.inputs),
                strict=True,
            )
        ]
        writer.spec["hide"].append(name)
        return writer.draw(element, {"arc": [b, name, a]})
    return False


def _angle_mark(writer: Writer, element: Element) -> bool:
    points = writer.points(element.inputs)
    if points is None and len(element.inputs) == 2:  # of two lines that share an end
        lines = [writer.ends(label) for label in element.inputs]
        points = _corner(*lines) if all(lines) else None  # type: ignore[arg-type]
    if points is None or len(points) != 3:
        return element.command == ""  # a slider
    size = element.number("value", "val") * DEGREES
    if size > 180:
        points = points[::-1]
        size = 360 - size
    if abs(size - 90) < 0.05:
        writer.spec["marks"].append({"right": points})
    else:
        writer.spec["marks"].append({"angle": [points]})
    if element.has_label and not abs(size - 90) < 0.05:
        writer.label(element, "angle", points, "°")
    return True


def _corner(one: list[str], other: list[str]) -> list[str] | None:
    shared = [name for name in one if name in other]
    if len(shared) != 1:
        return None
    (vertex,) = shared
    first = next(name for name in one if name != vertex)
    last = next(name for name in other if name != vertex)
    return [first, vertex, last]


def _function(writer: Writer, element: Element) -> bool:
    body = element.expression.partition("=")[2].strip() or element.expression
    try:
        from ..figure import curve

        curve(_spelled(body))
    except ValueError as error:
        writer._tell(element.label, f"{element.label}: {error}")
        return True
    writer.draw(element, {"curve": _spelled(body)})
    if element.has_label:
        text = f"${element.label}$"
        writer.spec["labels"].append({"curve": _spelled(body), "text": text})
    return True


def _implicit(writer: Writer, element: Element) -> bool:
    """A curve by its equation in x and y."""
    from ..figure import curve

    left, equals, right = _spelled(element.expression.rpartition(":")[2]).partition("=")
    if not equals:
        return False
    try:
        curve(f"({left})-({right})", "xy")
    except ValueError as error:
        writer._tell(element.label, f"{element.label}: {error}")
        return True
    return writer.draw(element, {"implicit": f"{left}={right}"})


def _spelled(expression: str) -> str:
    """GeoGebra's spelling of an expression as ours."""
    for old, new in (
        ("ℯ", "e"),
        ("²", "^2"),
        ("³", "^3"),
        ("sgn(", "sign("),
        (" ", ""),
    ):
        expression = expression.replace(old, new)
    return expression


def _text(writer: Writer, element: Element) -> bool:
    expression = element.expression.strip()
    content = expression.strip('"').strip()
    is_one = expression[:1] == expression[-1:] == '"' and expression.count('"') == 2
    if '"' in expression and not is_one:  # pieces and values, put together
        writer._leave(element, "its text is computed")
        return True
    place = element.attributes.get("startPoint", {})
    if not content:
        return True
    try:
        at = [_rounded(float(place["x"])), _rounded(float(place["y"]))]
    except (KeyError, ValueError):
        return False
    is_latex = element.attributes.get("isLaTeX", {}).get("val") == "true"
    text = f"${content}$" if is_latex and "$" not in content else content
    writer.spec["labels"].append({"near": at, "text": text})
    return True


def _ignored(writer: Writer, element: Element) -> bool:
    return True  # numbers, booleans and lists draw nothing


def _polyline(writer: Writer, element: Element) -> bool:
    points = writer.points(element.inputs)
    return bool(points) and writer.draw(element, {"path": points})


DRAWN: dict[str, Callable[[Writer, Element], bool]] = {
    "segment": _line("segment"),
    "line": _line("line"),
    "ray": _line("ray"),
    "vector": _line("arrow"),
    "polygon": _polygon,
    "polyline": _polyline,
    "conic": _conic,
    "conicpart": _arc,
    "angle": _angle_mark,
    "function": _function,
    "implicitpoly": _implicit,
    "text": _text,
    "numeric": _ignored,
    "boolean": _ignored,
    "list": _ignored,
    "button": _ignored,
}


def commands() -> Iterator[str]:
    """The commands of GeoGebra that are read."""
    yield from sorted({*CONSTRUCTED, *KEPT, *LINES})
