"""The numbers, coordinates and equations that labels print, and what the figure has there.

One checker for specs, seeds and versions: a seed is held to every digit, a spec to what the eye
sees, for it may be drawn not to scale.
"""

from __future__ import annotations

import math
import re
from collections.abc import Iterable, Iterator
from itertools import combinations
from typing import Any, NamedTuple

from ..figure import Array, angle, area, curve, length
from ..issues import Issue
from ..labels import Label
from .compose import Composition
from .facts import curves, same_curve

AGREE = 1e-6  # of a length
LEAST_TURN = 1e-3  # degrees
DEGREES = 10.0  # an angle drawn so far from its label is seen
LONGER = 1.08  # a segment drawn so much longer than one with a greater label is seen
# `y = ...` alone or behind words; of x + y = 8 the end is no equation
EQUATION = re.compile(
    r"(?:.*(?:[a-z]{2}|[:,;])\s+)?(?:y|[a-z]\(x\))\s*=\s*(.+?)[.,;]?\s*"
)
COORDINATES = re.compile(r"([A-Z]\d?'*)?\s*\((-?\d+(?:\.\d+)?),\s*(-?\d+(?:\.\d+)?)\)")
NAME = re.compile(r"[A-Z](?:_?\d{1,2}|'{1,2})?(?![A-Za-z])")
# What stands behind a number without being a name: 5 cm, 50°.
VALUE = re.compile(r"(.*?[\d)}])\s*(°|\\?[A-Za-z]+(?:\^?[23²³])?)?")
DEGREE_SIGN = re.compile(r"\^\s*\{?\\circ\}?|\\degree")
# What LaTeX writes with braces; the innermost are spelled first, so that these may nest.
BRACED = tuple(
    (re.compile(pattern), put)
    for pattern, put in (
        (r"\\(?:text|mathrm)\{\s*([^{}]*)\}", r" \1"),
        (r"\\[dt]?frac\{([^{}]*)\}\{([^{}]*)\}", r"((\1)/(\2))"),
        (r"\\sqrt\{([^{}]*)\}", r"sqrt(\1)"),
        (r"\^\{([^{}]*)\}", r"^(\1)"),
    )
)
DEEPEST = 12  # levels of braces
# What LaTeX writes and the reader of expressions says otherwise; "{x}" last.
SPELLINGS = tuple(
    (re.compile(pattern), put)
    for pattern, put in (
        (r"\\(?:cdot|times)(?![A-Za-z])", "*"),
        (r"\\(?:left|right)(?![A-Za-z])", ""),
        (r"\\(sin|cos|tan|ln|log|pi)(?![A-Za-z])", r"\1"),
        (r"\\[,;! ]", " "),
        (r"[{}$]", ""),
    )
)


class Claim(NamedTuple):
    """A number that words or a label give to a thing of the figure, and what is measured there.

    `off` is how far a rounded number may be from what it stands for, `places` what it is given to:
    the ends of a line, an angle's points, an area's corners.
    """

    kind: str
    number: float
    measured: float
    quote: str
    unit: str = ""
    off: float = 0.0
    places: tuple[Array, ...] = ()

    def is_of_same(self, other: Claim) -> bool:
        """Whether two numbers are given to one thing."""
        if (
            self.kind != other.kind
            or len(self.places) != len(other.places)
            or not self.places
        ):
            return False
        if self.kind == "angle":
            return _is_same_angle(self.places, other.places)
        near = AGREE * max(math.dist(self.places[0], place) for place in self.places)
        return all(
            any(math.dist(place, there) <= near for there in other.places)
            for place in self.places
        )


def _is_same_angle(one: tuple[Array, ...], other: tuple[Array, ...]) -> bool:
    """Whether two angles have one vertex, and arms in the same directions."""
    (a, vertex, b), (c, there, d) = one, other
    if math.dist(vertex, there) > AGREE * max(
        math.dist(a, vertex), math.dist(b, vertex)
    ):
        return False
    ways = [(p - vertex) / math.dist(p, vertex) for p in (a, b, c, d)]
    straight = math.dist(ways[0], ways[2]) + math.dist(ways[1], ways[3])
    crossed = math.dist(ways[0], ways[3]) + math.dist(ways[1], ways[2])
    return min(straight, crossed) < LEAST_TURN


def spelled(text: str) -> str:
    r"""LaTeX as the reader of expressions takes it.

    >>> spelled(r"$\frac{3}{4}\sqrt{2}$ cm")
    '((3)/(4))sqrt(2) cm'
    >>> spelled(r"$\frac{\sqrt{5}}{2}$")
    '((sqrt(5))/(2))'
    """
    text = DEGREE_SIGN.sub("°", text)
    for _ in range(DEEPEST):
        before = text
        for pattern, put in BRACED:
            text = pattern.sub(put, text)
        if text == before:
            break
    for pattern, put in SPELLINGS:
        text = pattern.sub(put, text)
    return text.strip()


def equation(text: str) -> Any:
    """The expression of `y = x^2 - 3` or `f(x) = ...` at the end of a text; None where none is."""
    match = EQUATION.fullmatch(spelled(text))
    try:
        return curve(match[1]) if match else None
    except ValueError:
        return None


def label_values(composition: Composition) -> Iterator[Claim]:
    """The labels that print one number, and what the figure measures there."""
    for label in composition.labels:
        value = _value(label.text)
        thing = _thing(label, composition)
        if value is None or thing is None:
            continue
        number, unit, off = value
        kind, measured, places = thing
        if kind == "arc":  # its length, or its degrees
            measured = measured[1] if unit == "°" else measured[0]
            kind = "angle" if unit == "°" else "length"
        yield Claim(kind, number, measured, label.where, unit, off, places)


def _value(text: str) -> tuple[float, str, float] | None:
    """A label that is one number: it, its unit, and half of its last decimal."""
    match = VALUE.fullmatch(spelled(text))
    if match is None or not re.search(r"\d", match[1]):
        return None
    try:
        value = float(curve(match[1])(math.nan))
    except ValueError:
        return None
    decimals = re.fullmatch(r"-?\d+\.(\d+)", match[1])
    off = 0.5 * 10.0 ** -len(decimals[1]) if decimals else 0.0
    return (value, match[2] or "", off) if math.isfinite(value) else None


def _thing(
    label: Label, composition: Composition
) -> tuple[str, Any, tuple[Array, ...]] | None:
    """What a label names, its measure and its places; where its author placed it, it names the
    same."""
    op, _, name = label.named.partition(" ")
    anchor = list(label.anchor)
    if label.kind == "fixed" and op in ("segment", "angle", "area"):
        anchor = composition.figure.list_of_points(name)
    if op == "segment":
        return "length", length((anchor[0], anchor[1])), tuple(anchor)
    if op == "angle":
        return "angle", angle(anchor), tuple(anchor)
    if op == "area":
        return "area", area(anchor), tuple(anchor)
    if op == "arc" and label.kind == "arc":
        size = sum(map(math.dist, anchor, anchor[1:]))
        vertex = composition.figure.list_of_points(name)[1]
        turn = math.degrees(size / max(math.dist(anchor[0], vertex), 1e-9))
        return "arc", (size, turn), ()
    return None


def misnamed(composition: Composition) -> Iterator[tuple[str, str]]:
    """Labels with the name or the coordinates of another place, or the equation of another curve:
    where, and what is wrong."""
    axes = composition.axes
    for label in composition.labels:
        text = spelled(label.text)
        if label.kind == "point":
            if problem := _wrong_place(text, label, composition):
                yield label.where, problem
        elif axes is not None and label.kind in ("curve", "near", "fixed"):
            expression = equation(label.text)
            drawn = curves(composition)
            window = composition.figure.window
            if expression is None or not drawn or any(composition.figure.log):
                continue
            if label.kind == "curve":
                drawn = [curve(label.named.partition(" ")[2])] if label.named else drawn
            if not any(same_curve(expression, f, window) for f in drawn):
                yield (
                    label.where,
                    f"{label.text} is the equation of no curve that is drawn",
                )


def _wrong_place(text: str, label: Label, composition: Composition) -> str:
    place = label.anchor[0]
    at = COORDINATES.fullmatch(text)
    if at and composition.axes is not None and composition.axes.y is not None:
        x, y = composition.figure.off_axes(place)
        if math.dist((x, y), (float(at[2]), float(at[3]))) > 1e-3 * max(
            1.0, abs(x), abs(y)
        ):
            return f"{label.text} stands at ({x:.4g}, {y:.4g})"
    name = NAME.match(text)
    other = composition.figure.points.get(name[0]) if name else None
    if other is not None and math.dist(other, place) > AGREE:
        return f"{label.text} stands at another point"
    return ""


def mismatch(claims: Iterable[Claim], to_scale: bool) -> str:
    """The first number that is not what the figure measures; "" where all are, in one scale."""
    scales: list[
        tuple[float, float, str]
    ] = []  # how often what is measured, off, place
    for claim in claims:
        if claim.kind == "angle":
            if abs(claim.measured - claim.number) > max(LEAST_TURN, claim.off):
                difference = f"{claim.measured:.4g} degrees, not {claim.number:.4g}"
                return f"{claim.quote}: the angle measures {difference}"
        elif claim.number and not claim.measured:
            return f"{claim.quote}: the figure measures nothing there"
        elif claim.number:
            scale = claim.number / claim.measured
            off = claim.off / claim.measured
            if claim.kind == "area":
                scale = math.sqrt(abs(scale))
            scales.append((scale, off, claim.quote))
    return _unequal(scales, to_scale)


def _unequal(scales: list[tuple[float, float, str]], to_scale: bool) -> str:
    """The first length that has not the scale of the others, "" where all have one."""
    if not scales:
        return ""
    middle = sorted(scale for scale, *_ in scales)[len(scales) // 2]
    for scale, off, place in scales:
        if abs(scale - middle) > AGREE * max(1.0, abs(middle)) + off:
            times = f"{scale / middle:.4g} times what the figure measures"
            return f"{place}: its number is {times}"
    if to_scale and abs(middle - 1) > AGREE + max(off for _, off, _ in scales):
        _, _, place = scales[0]
        return f"{place}: it is {middle:.4g} times what the figure measures"
    return ""


def contradictions(
    composition: Composition, words: Iterable[Claim] = ()
) -> list[Issue]:
    """Issues for labels, and for numbers that `words` give, that the drawn figure contradicts to
    the eye.

    Lengths and areas are compared in pairs of the same unit, by order only.
    """
    issues = [
        Issue("label-contradicts", f"{what}: correct the label or the figure", where)
        for where, what in misnamed(composition)
    ]
    sizes: list[Claim] = []
    for claim in [*label_values(composition), *words]:
        if claim.kind != "angle":
            sizes.append(claim)
        elif claim.unit == "°":
            off = min(
                abs(claim.measured - claim.number),
                abs(360 - claim.measured - claim.number),
            )
            if off > DEGREES:
                text = f"the angle labelled {claim.number:g}° is drawn with {claim.measured:.0f}°"
                issues.append(Issue("not-to-scale", text, claim.quote))
    for pair in combinations(sizes, 2):
        small, large = sorted(pair, key=lambda claim: claim.number)
        same = small.kind == large.kind and small.unit == large.unit
        if (
            same
            and small.number < large.number
            and small.measured > LONGER * large.measured
        ):
            text = f"{small.number:g} is drawn larger than {large.number:g}"
            issues.append(Issue("not-to-scale", text, small.quote))
    return issues
