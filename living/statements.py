"""What a question says of its figure, read and held to the figure: relations, shapes, values, and
what is asked.

The words are those that English has for `RELATIONS` and `MEASURES` of figures; a sentence in which
none stands is not proved, and is told as one for people to read.
"""

from __future__ import annotations

import math
import operator
import re
from collections.abc import Callable, Iterator
from itertools import combinations, pairwise
from typing import Any, NamedTuple

import numpy as np

from ..render.diagram import Composition
from ..render.figure import (
    MEASURES,
    RELATIONS,
    Stroke,
    angle,
    area,
    call,
    hold,
    items,
    length,
)

P = r"[A-Z](?:_?\d{1,2}|'{1,2})?"
IS = r"\s*(?:is|are|=|measures|has a length of)\s*"
VALUE = r"(-?\d+(?:\.\d+)?)(?![\d.]*[\\/(])"
KINDS = {  # of four corners: the names in use, by what holds, the narrowest first
    "square": (True, True, 2), "rectangle": (True, False, 2), "rhombus": (False, True, 2),
    "parallelogram": (False, False, 2), "trapezium": (False, False, 1),
}  # fmt: skip
FOUR = r"(square|rectangle|rhomb|parallelogram|trapezi|trapezoid)[a-z]*"


class Told(NamedTuple):
    """A number that a text gives to a thing of the figure, and what the figure measures."""

    kind: str
    number: float
    measured: float
    quote: str


class Contradicted(ValueError):
    """What a text says is not so in the figure; `narrower`: it is more than that."""

    def __init__(self, what: str, narrower: bool = False) -> None:
        super().__init__(what)
        self.narrower = narrower


def plain(text: str) -> str:
    """A text without what only dresses its formulas."""
    text = re.sub(r"\\(angle|triangle)\b\s*", r"\1 ", text.replace("∠", "angle "))
    text = re.sub(r"\\parallel\b|∥", " is parallel to ", text)
    text = re.sub(r"\\perp\b|⊥", " is perpendicular to ", text)
    text = re.sub(r"\^\s*\{?\\circ\}?", "°", text)
    return re.sub(r"\\[,;! ]|\\(?:text|mathrm)\b", " ", text.replace("$", ""))


def sentences(text: str) -> list[str]:
    return [part for part in re.split(r"(?<=[.?!;])\s+", text) if part.strip()]


def run(count: str) -> str:
    """A name of so many points: `AB` of two."""
    return rf"(?<![A-Za-z])(?:{P}){{{count}}}(?![A-Za-z'])"


def _list(count: str) -> str:
    return rf"({run(count)}(?:(?:,? and |, ){run(count)})*)"


LINE = run("2")
CORNER = run("3")


def names_of(text: str) -> list[str]:
    """The points of a name."""
    return re.findall(P, text)


def _each(text: str) -> list[str]:
    return re.findall(rf"(?:{P})+", text)


def _require(composition: Composition, op: str, value: Any) -> None:
    """Raises UserError or ValueError where a relation does not hold."""
    (item,) = items({"check": [{op: value}]}, "check", RELATIONS, "DI")
    hold(iter(call(RELATIONS[op], item, composition.figure.convert)))


Reader = Callable[[Composition, re.Match[str], str], None]


def _two_lines(composition: Composition, match: re.Match[str], sentence: str) -> None:
    relation = "equal" if match["how"] == "=" else match["how"]
    _require(composition, relation, [match["first"], match["second"]])


def _some_lines(composition: Composition, match: re.Match[str], sentence: str) -> None:
    lines = _each(match[1])
    if len({frozenset(names_of(line)) for line in lines}) < len(lines):
        raise Contradicted(f"one line twice: {match[1]}")
    if match[2] == "perpendicular":
        for pair in combinations(lines, 2):
            _require(composition, "perpendicular", list(pair))
    else:
        _require(composition, match[2], lines)


def _four(composition: Composition, match: re.Match[str], sentence: str) -> None:
    shapes = match["shapes"] or match["these"]
    word = (match["kind"] or match["called"]).lower()
    named = next(kind for kind in KINDS if kind.startswith(word[:6]))
    for shape in _each(shapes):
        kind = _kind(composition, shape)
        if kind == named:
            continue
        narrower = kind is not None and all(map(operator.ge, KINDS[kind], KINDS[named]))
        message = f"{shape} is no {named} but a {kind or 'figure of no name'}"
        raise Contradicted(message, narrower)


def _kind(composition: Composition, shape: str) -> str | None:
    """The narrowest name of a shape of four corners."""
    a, b, c, d = (composition.figure.point(name) for name in names_of(shape))
    corners = [(d, a, b), (a, b, c), (b, c, d)]
    right = all(abs(angle(list(corner)) - 90) < 0.5 for corner in corners)
    sides = [math.dist(p, q) for p, q in pairwise((a, b, c, d, a))]
    equal = max(sides) - min(sides) < 0.005 * max(sides)
    parallels = _parallel(b - a, c - d) + _parallel(c - b, d - a)
    properties = (right, equal, parallels)
    return next((kind for kind in KINDS if KINDS[kind] == properties), None)


def _parallel(u: Any, v: Any) -> bool:
    across = np.linalg.norm(np.cross(np.append(u, 0)[:3], np.append(v, 0)[:3]))
    return bool(across < 0.01 * np.linalg.norm(u) * np.linalg.norm(v))


def _right_corners(
    composition: Composition, match: re.Match[str], sentence: str
) -> None:
    """`angles ABC and ACD are right`, `right angles at A and D` of the shape named before."""
    how = (match["how"] or match["which"]).lower()
    for name in _each(match["corners"] or match["ends"]):
        size = _corner(composition, name, sentence)
        good = {
            "right": abs(size - 90) < 0.5,
            "acute": size < 89.5,
            "obtuse": size > 90.5,
        }[how]
        if not good:
            raise Contradicted(
                f"angle {name} is not {how}: the figure measures {size:.4g}°"
            )


def _corner(composition: Composition, name: str, sentence: str) -> float:
    """The angle ABC, or A of the shape or path that a sentence names."""
    names = names_of(name)
    if len(names) == 1:
        for shape in re.findall(run("3,"), sentence):
            around = names_of(shape)
            if names[0] in around:
                k = around.index(names[0])
                names = [around[k - 1], around[k], around[(k + 1) % len(around)]]
                break
    if len(names) != 3:
        raise KeyError(name)
    return angle([composition.figure.point(n) for n in names])


def _triangle(composition: Composition, match: re.Match[str], sentence: str) -> None:
    a, b, c = names_of(match["before"] or match["whole"])
    around = [a + b, b + c, c + a]
    sizes = [
        angle([composition.figure.point(n) for n in abc])
        for abc in ((c, a, b), (a, b, c), (b, c, a))
    ]
    what = (match["what"] or match["is"]).lower()
    if what not in ("acute", "obtuse") and not what.startswith(("right", "isosceles")):
        _require(composition, "equal", around)
        return
    if what.startswith("right"):
        holds = any(abs(size - 90) < 0.5 for size in sizes)
    elif what.startswith("isosceles"):
        holds = any(abs(p - q) < 0.5 for p, q in combinations(sizes, 2))
    else:
        holds = max(sizes) > 90.5 if what == "obtuse" else max(sizes) < 89.5
    if not holds:
        raise Contradicted(f"triangle {a}{b}{c} is not {what}")


def _middle(composition: Composition, match: re.Match[str], sentence: str) -> None:
    _require(composition, "midpoint", [match[1], match[2]])


def _middles(composition: Composition, match: re.Match[str], sentence: str) -> None:
    around = names_of(match[2])
    sides = [p + q for p, q in pairwise([*around, around[0]])]
    if len(set(_each(match[1]))) < len(_each(match[1])):
        raise Contradicted(f"one point twice: {match[1]}")
    for point in _each(match[1]):
        if not any(_is(composition, "midpoint", [point, side]) for side in sides):
            raise Contradicted(f"{point} is the middle of no side of {match[2]}")


def _is(composition: Composition, op: str, value: Any) -> bool:
    try:
        _require(composition, op, value)
    except ValueError:
        return False
    return True


def _on_circle(composition: Composition, match: re.Match[str], sentence: str) -> None:
    point, centre = (composition.figure.points[name] for name in match.groups())
    radii = [
        length((centre, stroke.path[0]))
        for item, strokes in composition.drawn
        if item.op == "circle" and item.value == match[2]
        for stroke in strokes
        if isinstance(stroke, Stroke)
    ]
    distance = length((centre, point))
    if not any(abs(distance - radius) < 0.005 * radius for radius in radii):
        raise Contradicted(f"{match[1]} does not lie on a circle about {match[2]}")


def _placed(composition: Composition, match: re.Match[str], sentence: str) -> None:
    place = composition.figure.points[match[1]]
    if composition.axes is None:
        raise Contradicted("the figure has no axes to read it from")
    if math.dist(place, (float(match[2]), float(match[3]))) > 1e-6:
        raise Contradicted(f"it lies at ({place[0]:.4g}, {place[1]:.4g})")


def _of_one(composition: Composition, match: re.Match[str], sentence: str) -> None:
    points = composition.figure.points
    measure = MEASURES[match[2]]
    first, *others = (
        float(measure([points[name] for name in names_of(shape)]))
        for shape in _each(match[1])
    )
    if any(abs(other - first) > 0.005 * first for other in others):
        raise Contradicted(f"the figure measures {first:.4g} and {others[0]:.4g}")


def _bisects(composition: Composition, match: re.Match[str], sentence: str) -> None:
    _require(composition, "bisects", [match[1], match[2]])


def _lies_on(composition: Composition, match: re.Match[str], sentence: str) -> None:
    line = names_of(match[2])
    for point in names_of(match[1]):
        if point in line or not _is(composition, "collinear", [point, *line]):
            raise Contradicted(f"{point} does not lie on {match[2]}")


def _centre(composition: Composition, match: re.Match[str], sentence: str) -> None:
    """Where bisectors, medians or heights of a triangle meet."""
    around = names_of(match["of"])
    point = match["first"] or match["last"]
    for k, corner in enumerate(around):
        before = around[k - 1]
        behind = around[(k + 1) % 3]
        if match["what"].startswith("bisector"):
            _require(composition, "bisects", [corner + point, before + corner + behind])
        elif match["what"].startswith("height") or match["what"].startswith("altitude"):
            _require(composition, "perpendicular", [corner + point, before + behind])
    if match["what"].startswith("median"):
        _require(composition, "centroid", [point, match["of"]])


TASK = re.compile(r"\s*(?:Find|Calculate|Determine|Work out|Compute|Give)\b")
# A part of a sentence up to a comma, a stop, or "and the".
CLAUSE = re.compile(r"(?:(?! and the )[^,;.])+")
# A shape that is named is drawn.
DRAWN = re.compile(rf"(?i:(triangle|angle|{FOUR}|path)s?) {_list('3,6')}")
_ON = r"(?:side |line |segment )?"
READERS: list[tuple[re.Pattern[str], Reader]] = [
    (re.compile(pattern), reader)
    for pattern, reader in (
        (
            rf"(?P<first>{LINE}) is (?P<how>parallel|perpendicular) to (?P<second>{LINE})",
            _two_lines,
        ),
        (rf"(?P<first>{LINE})\s*(?P<how>=)\s*(?P<second>{LINE})", _two_lines),
        (rf"{_list('2')} are (parallel|perpendicular|equal)\b", _some_lines),
        (
            rf"(?i:(?P<kind>{FOUR})) (?P<shapes>(?-i:{_list('4')}))"
            rf"|(?P<these>{_list('4')}) (?:is|are) (?:an? )?(?P<called>{FOUR})",
            _four,
        ),
        (
            rf"(?i:angles?) (?P<corners>{_list('1,3')})(?: of [a-z]+ (?:{P}){{3,}})? (?:is|are) "
            rf"(?:an? )?(?P<how>right|acute|obtuse)|"
            rf"(?P<which>right|acute|obtuse) angles? (?:at|in) "
            rf"(?P<ends>{_list('1')})",
            _right_corners,
        ),
        (
            rf"(?P<what>right|isosceles|equilateral|acute|obtuse)(?:-angled)? triangle "
            rf"(?P<before>{CORNER})|(?i:triangle) (?P<whole>{CORNER})(?:, which)? (?:is|has) "
            rf"(?:an? )?(?P<is>right|isosceles|equilateral|acute|obtuse|equal sides)",
            _triangle,
        ),
        (
            rf"({run('1')}) (?:is |as |in |be )*the (?:middle|midpoint|centre) of "
            rf"{_ON}({LINE})",
            _middle,
        ),
        (
            rf"{_list('1')} are the (?:middles|midpoints) of the sides of triangle ({CORNER})",
            _middles,
        ),
        (rf"({run('1')})\((-?[\d.]+), ?(-?[\d.]+)\)", _placed),
        (
            rf"({run('1')}) (?:lies )?on (?:the|a) circle (?:about|with centre) ({run('1')})",
            _on_circle,
        ),
        (
            rf"{_list('3,6')} are [a-z]+ (?:of|with) (?:one|equal|the same) (area|perimeter)",
            _of_one,
        ),
        (rf"({LINE}) (?:halves|bisects) (?:the )?angle ({CORNER})", _bisects),
        (
            rf"{_list('1,2')} (?:lies? |is (?:a point )?|(?:a )?point )?on {_ON}({LINE})",
            _lies_on,
        ),
        (
            rf"(?:(?P<first>{run('1')}) is where )?(?:[Tt]he )?(?P<what>bisectors?|medians|heights|"
            rf"altitudes)(?: of angles? {_list('1')})? of triangle (?P<of>{CORNER}) meet"
            rf"(?: (?:in|at) (?P<last>{run('1')}))?",
            _centre,
        ),
    )
]
MEASURED = (
    (
        re.compile(rf"(?<!of )(?<!on )(?P<of>{LINE}){IS}{VALUE}(?! ?(?:°|deg))"),
        "length",
    ),
    (re.compile(rf"\b(?i:angle) (?P<of>{run('1,3')}){IS}{VALUE}"), "angle"),
    (
        re.compile(rf"\bangle [A-Z]+{IS}{VALUE}[^,.;]*? and angle (?P<of>{CORNER})"),
        "",
    ),
    (re.compile(rf"\barea of (?:[a-z]+ )?(?P<of>{run('3,')}){IS}{VALUE}"), "area"),
    (
        re.compile(rf"\bperimeter of (?:[a-z]+ )?(?P<of>{run('3,')}){IS}{VALUE}"),
        "perimeter",
    ),
)


def held(text: str, composition: Composition) -> Iterator[Told]:
    """Hold each sentence to the figure; the values that it gives are yielded to be compared.

    Raises Contradicted for the first thing that is not so.
    """
    for sentence in sentences(plain(text)):
        _drawn(sentence, composition)
        for pattern, reader in READERS:
            for match in pattern.finditer(sentence):
                _hold(reader, composition, match, sentence)
        for pattern, op in MEASURED:
            if not op:
                continue
            for match in pattern.finditer(sentence):
                measured = _measured(op, match["of"], text, composition)
                if measured is not None:
                    number = float(match[match.lastindex or 0])
                    yield Told(op, number, measured, match[0])


def _hold(
    reader: Reader, composition: Composition, match: re.Match[str], sentence: str
) -> None:
    """Hold what one reader read to the figure; what is said of something else is passed over."""
    try:
        reader(composition, match, sentence)
    except Contradicted as error:
        raise Contradicted(f"{match[0]!r}: {error}", error.narrower) from error
    except KeyError:
        return
    except Exception as error:
        names = names_of(" ".join(re.findall(run("1,6"), match[0])))
        if set(names) <= composition.figure.points.keys():
            raise Contradicted(f"{match[0]!r}: {error}") from error


def _measured(op: str, name: str, text: str, composition: Composition) -> float | None:
    """What the figure measures of a thing that a text names; None where it has none such."""
    points = composition.figure.points
    names = names_of(name)
    if not set(names) <= points.keys():
        return None
    try:
        if op == "angle":
            return _corner(composition, name, text)
        return float(MEASURES[op]([points[each] for each in names]))
    except KeyError:
        return None


def unread(text: str) -> list[str]:
    """Clauses that state something and that no reader knows, or not all whose points: people have
    to hold them to the figure.

    Values are compared with labels and the other route, wherever they stand.
    """
    clauses = []
    patterns = [pattern for pattern, _ in (*READERS, *MEASURED)] + [DRAWN]
    for sentence in sentences(plain(text)):
        if asks(sentence):
            continue
        matches = [m for pattern in patterns for m in pattern.finditer(sentence)]
        for clause in CLAUSE.finditer(sentence):
            words = DRAWN.sub("", clause[0]).split()  # "In triangle ABC" says no more
            is_value = re.search(r"\d", clause[0]) and not re.search(LINE, clause[0])
            if len(words) > 3 and not is_value and not _is_read(clause, matches):
                clauses.append(clause[0].strip())
    return clauses


def _is_read(clause: re.Match[str], matches: list[re.Match[str]]) -> bool:
    """Whether readers know a clause with all its points; that a shape is named does not do."""
    start, end = clause.span()
    inside = [m for m in matches if m.start() < end and start < m.end()]
    names = [start + name.start() for name in re.finditer(run("1,"), clause[0])]
    is_whole = all(any(m.start() <= at < m.end() for m in inside) for at in names)
    return is_whole and any(match.re is not DRAWN for match in inside)


def has_property(text: str) -> bool | None:
    """Whether a text states a property to be seen (IP), or only what lies where (DI), as far as it
    is read; None where nothing is."""
    readers = {reader for pattern, reader in READERS if pattern.search(plain(text))}
    return bool(readers - {_lies_on, _placed}) if readers else None


def asks(sentence: str) -> bool:
    """Whether a sentence asks."""
    return sentence.rstrip().endswith("?") or bool(TASK.match(sentence))


def _drawn(sentence: str, composition: Composition) -> None:
    """A shape or an angle that is named has its points, and its sides are drawn."""
    points = composition.figure.points
    if not points or composition.figure.dimension == 3:
        return
    for match in DRAWN.finditer(sentence):
        kind = match[1].lower()
        for shape in _each(match[match.lastindex or 0]):
            names = names_of(shape)
            if lost := [name for name in names if name not in points]:
                raise Contradicted(f"{match[0]!r}: the figure has no point {lost[0]}")
            if len(set(names)) < len(names):
                raise Contradicted(f"{match[0]!r}: {shape} names one point twice")
            size = area([points[name] for name in names])
            if kind == "triangle" and size < 1e-6 * _extent(composition) ** 2:
                raise Contradicted(f"{match[0]!r}: {shape} is flat")
            ends = names if kind in ("angle", "path") else [*names, names[0]]
            for p, q in pairwise(ends):
                is_arm = kind == "angle"
                if not _covered(points[p], points[q], composition, is_arm):
                    raise Contradicted(f"{match[0]!r}: {p}{q} is not drawn")


def _extent(composition: Composition) -> float:
    return float(np.ptp(np.stack([*composition.figure.points.values()]), axis=0).max())


def _covered(p: Any, q: Any, composition: Composition, is_arm: bool) -> bool:
    """Whether the way from p to q lies on what is drawn; of an angle's arm some of it is enough."""
    pieces: list[tuple[Any, Any]] = []
    for _, strokes in composition.drawn:
        for stroke in strokes:
            if isinstance(stroke, Stroke):
                path = list(stroke.path)
                pieces += pairwise([*path, path[0]] if stroke.closed else path)
    if not pieces:
        return False
    starts, ends = np.array(pieces, float).transpose(1, 0, 2)
    along = ends - starts
    squares = np.einsum("ij,ij->i", along, along) + 1e-12
    near = 1e-3 * length((p, q))
    covered = []
    for share in (0.1, 0.3, 0.5, 0.7, 0.9):
        at = p + share * (q - p)
        t = np.einsum("ij,ij->i", at - starts, along) / squares
        off = np.linalg.norm(starts + np.clip(t, 0, 1)[:, None] * along - at, axis=1)
        covered.append(bool(off.min() < near))
    return any(covered) if is_arm else all(covered)
