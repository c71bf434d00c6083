"""From a spec to a checked figure and the strokes, dots and labels that are drawn of it."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from typing import Any

import msgspec
import numpy as np

from ...errors import UserError, nearest
from ..figure import (
    CONSTRUCTIONS,
    FLAT,
    GRAPHS,
    LYING,
    MARKS,
    NAME,
    PLANE_ONLY,
    RELATIONS,
    SHAPES,
    SOLIDS,
    SOLVE,
    TOGETHER,
    UPRIGHT,
    Array,
    Axes,
    Color,
    Dot,
    Figure,
    Pixel,
    Point,
    Solid,
    SpecItem,
    Stamp,
    Stroke,
    Tint,
    arguments,
    axes,
    call,
    hold,
    items,
    names,
    number,
    outlines,
    projection,
    read_spec,
    seen_from,
    signature,
    solved,
    towards_viewer,
    without_seams,
)
from ..issues import Issue
from ..labels import LABELS, Label, move
from .panels import panels_of
from .sheets import sheet_kind, sheet_of

DRAW = SHAPES | GRAPHS
BOLD = 1.8  # times as wide
BASE = frozenset({"DI"})
LEVEL = 0.045  # of a number line's length: how far intervals stand apart
ROUND = ("cylinder", "cone", "frustum", "sphere", "hemisphere")
# A label that is a name and no condition: a point's or a line's letter, the number of an angle.
NAME_OF_LINE = re.compile(r"\$?(?:[A-Za-z]|\\[a-z]{2,7})(?:_\{?\d\}?|\d)?'{0,2}\$?")
NUMBER_OF_ANGLE = re.compile(r"\$?\d{1,2}\$?|[①-⑳]")


class Composition(msgspec.Struct):
    """A checked figure with everything a spec draws of it, before any pixel."""

    figure: Figure
    axes: Axes | None
    drawn: list[tuple[SpecItem, list[Stroke | Dot | Stamp]]]
    marks: list[SpecItem]
    labels: list[Label]
    issues: list[Issue] = []
    hand: bool = False  # labels are written by hand
    is_to_scale: bool = True
    panels: list[tuple[str, Composition]] = []  # of several figures: captions, and each


def compose(spec: Mapping[str, Any]) -> Composition:
    """Build the figure of a spec and check all that it claims.

    Raises UserError naming the item for undefined or coincident points, impossible constructions,
    and predicates that the figure does not fulfil.
    """
    if spec.get("panels"):
        return Composition(Figure({}), None, [], [], [], panels=list(_panels(spec)))
    if kind := sheet_kind(spec):
        item, sketch = sheet_of(spec, kind)
        things: list[Stroke | Dot | Stamp] = [*sketch.things]
        return Composition(Figure({}), None, [(item, things)], [], sketch.labels)
    issues: list[Issue] = []
    figure = _figure(spec, issues)
    window = _axes(spec, figure)
    solid_strokes = _solids(spec, figure)
    _construct(spec, figure)
    doubles = _doubles(spec)
    _distinct(figure, {*doubles, *hidden_names(spec)})
    for item in items(spec, "check", RELATIONS, "DI"):
        check(item, figure)
    draw_items = items(spec, "draw", DRAW, "DI")
    drawn = solid_strokes + [(item, _draw(item, figure)) for item in draw_items]
    _part_intervals(drawn, figure)
    marks = items(spec, "marks", MARKS, "IP")
    for item in marks:
        # Once at unit size: whatever is wrong is found before anything is drawn.
        mark(item, figure, lambda direction: 1.0)
    labels = _labels(spec, figure)
    whole = Composition(figure, window, drawn, marks, labels, issues)
    whole.is_to_scale = bool(spec.get("scale", True))
    return whole


def _panels(spec: Mapping[str, Any]) -> Iterator[tuple[str, Composition]]:
    for panel in (panel for row in panels_of(spec) for panel in row):
        if isinstance(panel, Mapping):
            figure = {key: part for key, part in panel.items() if key != "caption"}
            yield str(panel.get("caption", "")), compose(read_spec(figure))


def hidden_names(spec: Mapping[str, Any]) -> list[str]:
    """The names that are not printed: `hide: [A, B]` or `hide: AB`."""
    return [str(name) for name in names(spec.get("hide") or [])]


def check(item: SpecItem, figure: Figure) -> None:
    """Raises UserError that names the item whose relation does not hold in the figure."""
    relation = RELATIONS[item.op]
    values, _ = arguments(relation, item, figure.convert)
    try:
        hold(relation(*values))
    except ValueError as error:
        raise item.error(str(error)) from error


def _figure(spec: Mapping[str, Any], issues: list[Issue]) -> Figure:
    solid = spec.get("kind") == "solid" or bool(spec.get("solids"))
    figure = Figure({}, 3 if solid else 2, upside_down=spec.get("kind") == "picture")
    powers = str((spec.get("axes") or {}).get("log", ""))
    figure.log = ("x" in powers, "y" in powers)
    on_line = spec.get("axes") and "y" not in spec["axes"]
    for name, place in (spec.get("points") or {}).items():
        if on_line and not (isinstance(place, list) and len(place) == 2):
            # One number is a place.
            place = [*(place if isinstance(place, list) else [place]), 0]
        item = SpecItem("point", place, {}, BASE, f"points.{name}")
        figure.points[named(name, item)] = call(_coordinates, item, figure.convert)
    if relations := items(spec, "solve", SOLVE, "DI"):
        solution = solved(relations, figure)
        figure.points |= solution.points
        issues += [
            Issue(
                "idle-near",
                f"near: {name} chooses no figure: name another point",
                "solve",
            )
            for name in solution.idle
        ]
    return figure


def _coordinates(place: Point) -> Array:
    return np.asarray(place, float)


def named(name: Any, item: SpecItem) -> str:
    """A point's name, checked: one letter, an index, primes."""
    if not isinstance(name, str) or not re.fullmatch(NAME, name):
        raise item.error(
            f"{name!r} is no point name", "use a letter, an index, primes: A, B1, C'"
        )
    return name


def _axes(spec: Mapping[str, Any], figure: Figure) -> Axes | None:
    options = dict(spec.get("axes") or {})
    if not options:
        if spec.get("kind") in ("function", "line"):
            raise UserError(
                f"kind {spec['kind']} has no axes", "give axes: {x: [-5, 5]}"
            )
        return None
    item = SpecItem("axes", options.pop("x", None), options, BASE, "axes")
    window: Axes = call(axes, item, figure.convert)
    figure.window = np.array([window.x, window.y or (-1.0, 1.0)])
    return window


def _solids(
    spec: Mapping[str, Any], figure: Figure
) -> list[tuple[SpecItem, list[Stroke | Dot | Stamp]]]:
    """Build the solids; their corners become points, their faces hide what lies behind."""
    solid_items = items(spec, "solids", SOLIDS, "DI")
    if figure.dimension == 2:
        return []
    figure.projection = _projection(spec, solid_items)
    viewer = towards_viewer(figure.projection)
    built: list[tuple[SpecItem, Solid]] = []
    for item in solid_items:
        first = [figure] if item.op == "polyhedron" else []
        solid: Solid = call(SOLIDS[item.op], item, figure.convert, *first)
        for name, place in solid.points.items():
            former = figure.points.get(name, place)
            if np.linalg.norm(former - place) > 1e-6:
                raise item.error(f"point {name} is defined twice", "use another name")
            figure.points[named(name, item)] = place
        figure.faces = figure.faces + solid.faces
        built.append((item, solid))
    whole = [solid for _, solid in built]
    return [
        (item, [*without_seams(solid.strokes, whole), *outlines(solid, viewer)])
        for item, solid in built
    ]


def _projection(spec: Mapping[str, Any], solid_items: list[SpecItem]) -> Array:
    """How solids are seen: as the spec says, or as textbooks draw them; those that stand together
    are seen alike."""
    upright = [item for item in solid_items if not item.options.get("axis")]
    kinds = {item.op in ROUND for item in upright}
    if spec.get("projection") is None and kinds == {True, False}:
        return seen_from(*TOGETHER)
    return projection(*_oblique(spec, solid_items))


def _oblique(
    spec: Mapping[str, Any], solid_items: list[SpecItem]
) -> tuple[float, float]:
    """Ratio and direction of depth: as the spec says, or as textbooks draw its first solid."""
    setting = spec.get("projection")
    if setting is not None:
        try:
            ratio, degrees = (number(v) for v in dict(setting)["oblique"])
        except (KeyError, TypeError, ValueError) as error:
            raise UserError(
                f"projection {setting!r}", "write {oblique: [0.45, 41]}"
            ) from error
        if not 0.05 <= ratio <= 1:
            raise UserError(f"projection: ratio {ratio:g}", "use 0.05 to 1")
        return ratio, degrees
    for item in solid_items:
        if item.op in ROUND:
            return {"x": LYING, "y": FLAT}.get(str(item.options.get("axis")), UPRIGHT)
    return FLAT


def _construct(spec: Mapping[str, Any], figure: Figure) -> None:
    for name, how in (spec.get("construct") or {}).items():
        where = f"construct.{name}"
        if not isinstance(how, dict) or len(how) != 1:
            raise UserError(f"{where}: {how!r}", "write {construction: [arguments]}")
        ((op, value),) = how.items()
        item = SpecItem(str(op), value, {}, BASE, where)
        if op not in CONSTRUCTIONS:
            raise UserError(
                f"{where}: no construction {op!r}", nearest(op, list(CONSTRUCTIONS))
            )
        if name in figure.points:
            raise item.error("the point is defined twice", "give it another name")
        if op in PLANE_ONLY and figure.dimension == 3:
            raise item.error("works only in the plane")
        place = call(CONSTRUCTIONS[op], item, figure.convert)
        if not np.isfinite(place).all():
            raise item.error("the construction has no finite result")
        figure.points[named(name, item)] = place


def _doubles(spec: Mapping[str, Any]) -> dict[str, str]:
    """Second names: V of `construct: {V: {same: P}}`, and the name that it stands for."""
    doubles = {}
    for name, how in (spec.get("construct") or {}).items():
        if isinstance(how, dict) and isinstance(how.get("same"), str):
            doubles[name] = how["same"]
    return doubles


def _distinct(figure: Figure, unprinted: set[str]) -> None:
    """Two names for one place would print one name over the other."""
    printed = [name for name in figure.points if name not in unprinted]
    if len(printed) < 2:
        return
    places = np.stack([figure.points[name] for name in printed])
    extent = max(float(np.ptp(places, axis=0).max()), 1e-9)
    apart = np.linalg.norm(places[:, None] - places[None], axis=2)
    close = np.argwhere(np.triu(apart < 1e-6 * extent, 1))
    if len(close):
        a, b = (printed[k] for k in close[0])
        remedy = f"move one, or write construct: {{{b}: {{same: {a}}}}}: one point, two names"
        raise UserError(f"points {a} and {b} coincide", remedy)


def _part_intervals(
    drawn: list[tuple[SpecItem, list[Stroke | Dot | Stamp]]], figure: Figure
) -> None:
    """Intervals of a number line that overlap stand one above the other, over their ends."""
    if figure.window is None:
        return
    low, high = figure.window[0]
    levels: list[list[tuple[float, float]]] = []  # what stands at each height
    for item, things in drawn:
        if item.op != "interval":
            continue
        bar = next(thing for thing in things if isinstance(thing, Stroke))
        start, end = sorted(bar.path[:, 0].tolist())
        level = 0
        while level < len(levels) and any(
            a < end and start < b for a, b in levels[level]
        ):
            level += 1
        if level == len(levels):
            levels.append([])
        levels[level].append((start, end))
        if not level:
            continue
        up = np.array([0.0, LEVEL * level * (high - low)])
        ends = [thing.at for thing in things if isinstance(thing, Dot)]
        for thing in things:
            if isinstance(thing, Stroke):
                thing.path = thing.path + up
            elif isinstance(thing, Dot):
                thing.at = thing.at + up
        things += [
            Stroke(np.stack([at, at + up]), dash=True, width=0.7, color="gray")
            for at in ends
        ]


def style(
    *,
    dash: bool = False,
    bold: bool = False,
    color: Color = "black",
    fill: Tint = "",
    outline: bool = True,
) -> dict[str, Any]:
    """The options that every draw item has; `dash: false` also keeps hidden parts solid, and
    `outline: false` leaves the fill alone.
    """
    return {
        "dash": dash,
        "bold": bold,
        "color": color,
        "fill": fill,
        "outline": outline,
    }


def _draw(item: SpecItem, figure: Figure) -> list[Stroke | Dot | Stamp]:
    """What an item draws, in the style that its options give."""
    function = DRAW[item.op]
    shape_options = signature(function)[1]
    style_options = signature(style)[1]
    of_shape, of_style = {}, {}
    for key, value in item.options.items():
        if key in shape_options:
            of_shape[key] = value
        elif key in style_options:
            of_style[key] = value
        else:
            remedy = nearest(str(key), [*shape_options, *style_options])
            raise item.error(f"no option {key!r}", remedy)
    replace = msgspec.structs.replace
    look = call(style, replace(item, value=[], options=of_style), figure.convert)
    drawn = call(function, replace(item, options=of_shape), figure.convert, figure)
    for thing in drawn:
        if isinstance(thing, Stroke):
            if "dash" in of_style:
                thing.dash, thing.hides = look["dash"], False
            thing.fill = look["fill"] or thing.fill
            if look["bold"]:
                thing.width *= BOLD
            elif not look["outline"]:
                thing.width *= 0
        if "color" in of_style and not isinstance(thing, Stamp):
            thing.color = look["color"]
    return list(drawn)


def mark(item: SpecItem, figure: Figure, pixel: Pixel) -> list[Stroke]:
    """The strokes of a mark; `pixel` gives the length of a pixel along a direction."""
    strokes: list[Stroke] = call(MARKS[item.op], item, figure.convert, pixel)
    return strokes


def _labels(spec: Mapping[str, Any], figure: Figure) -> list[Label]:
    """The labels of a spec, and the names of all points that it does not hide or label."""
    label_items = items(spec, "labels", LABELS, "EC", {"point": "DI"})
    tagged = ["tag" in entry for entry in spec.get("labels") or []]
    labels = [
        _label(item, figure, is_tagged)
        for item, is_tagged in zip(label_items, tagged, strict=True)
    ]
    hidden = set(hidden_names(spec))
    for name in hidden - figure.points.keys():
        raise UserError(f"hide: no point {name!r}", nearest(name, list(figure.points)))
    if spec.get("kind") == "picture":  # which shows its names already
        return labels
    done = hidden | {str(item.value) for item in label_items if item.op == "point"}
    second_names: dict[str, str] = {}  # as textbooks print them behind the first: P(V)
    for name, first in _doubles(spec).items():
        if name not in done:
            second_names[first] = f"{second_names.get(first, '')}({name})"
            done.add(name)
    for name, place in figure.points.items():
        if name not in done:
            second = second_names.get(name)
            text = f"${name}{second}$" if second else name
            where = f"points.{name}"
            labels.append(Label(text, "point", place[None], where, BASE))
    return labels


def _is_name(label: Label) -> bool:
    """Whether a text only names what it stands at, so that every version needs it."""
    numbered = NUMBER_OF_ANGLE.fullmatch(label.text) and label.kind == "angle"
    return bool(numbered or NAME_OF_LINE.fullmatch(label.text))


def _label(item: SpecItem, figure: Figure, is_tagged: bool) -> Label:
    options = dict(item.options)
    place = options.pop("at", None)
    color = options.pop("color", "black")
    if item.op == "point":
        options.setdefault("text", str(item.value))
    plain = msgspec.structs.replace(item, options=options)
    label: Label = call(LABELS[item.op], plain, figure.convert, figure)
    label.where, label.tags = item.where, item.tags
    if not is_tagged and _is_name(label):
        label.tags = BASE
    if isinstance(item.value, str) and item.op != "curve":
        label.named = f"{item.op} {item.value}"
    try:
        label.color = figure.convert(color, Color)
        return label if place is None else move(label, figure.point(place))
    except ValueError as error:
        raise item.error(str(error)) from error
