"""Spans by rule where only a plain question exists: a first draft for people to correct.

Sentences that state are conditions clause by clause; of a sentence that asks, the clauses before
the asking and the subordinate clauses after it (`…, which passes through (1, 4)?`). A value makes
a condition EC, a recognisable property IP, and what the diagram shows anyway (points, names,
coordinates) DI. A clause that only points at the figure, and what asks, stays.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator
from itertools import pairwise

from ...latex import HAN, replace_maths
from ...problem import Role, Span
from .lint import values as numbers_of

_ASKING_WORDS = (
    "find|determine|calculate|compute|evaluate|solve|what|how|write|state|give|"
    "round|express|choose|complete|estimate|prove|describe|identify|select|explain|draw|factorise|"
    "hence|use|using|does|do|would"
)
_LEFT_OPEN = r"(?:=|\b(?:is|are|equals?):?)(?:\s*<image\d+>)*\s*$"
# What makes a sentence a task: a verb that asks, a question mark, a blank to fill, a sentence left
# open. Not ", which", which goes on about the figure.
_ASKS = re.compile(
    rf"(?i)\b(?:{_ASKING_WORDS}|following\s+(?:is|are|statements?))\b|(?<!, )\bwhich\b"
    rf"|\?|[(（]\s*[)）]|_{{2,}}|{_LEFT_OPEN}"
    r"|求|则|多少|证明|计算|下列|哪"
)
_FIGURE = "figure|diagram|graph|picture"
# Words that only point at the figure.
_LOOKS = re.compile(
    r"(?i)\b(?:as |is |are )?(?:shown|drawn|pictured|given)(?: in| below| here)?\b|"
    rf"\bin the (?:\w+ )?(?:{_FIGURE}|image)\b|\bconsider\b|"
    rf"\b(?:{_FIGURE})s? (?:below |above )?shows?\b|\bbelow is\b|如图|所示"
)
# Sentences about the answer or about letters, which no diagram shows.
_HELPS = re.compile(
    r"(?i)\b(?:answer|measurements|represents?|denotes?|corresponds|model(?:l?ed|s)?)\b"
)
_THINGS = (
    r"points?|lines?|segments?|angles?|triangles?|rectang\w+|squares?|circles?|ellipse|"
    r"parabola|hyperbola|curves?|functions?|graphs?|axis|axes|\w-intercepts?|vert\w+|"
    r"cent(?:er|re)|foci|focus|radius|diameter|"
    r"chords?|arcs?|sides?|lengths?|heights?|diagonals?|parallelogram|trapezi\w+|polygon|"
    r"intersect\w*|cones?|cylinders?|spheres?|pyramids?|prisms?|cuboids?|cubes?|pipes?|"
    r"bearings?|north|south|east|west|altitude|distance|elevation|depression"
)
_NAMED_BY_POINTS = r"(?-i:\b(?:[A-Z][0-9₀-₉'′]*){2,4}(?!\w))"  # AB, A1B1C1
_LENGTH = r"\d\s*(?:cm|mm|km|m|metres|meters|feet|inches)\b"
# What a figure is made of, in words, names, Chinese or signs.
_GEOMETRY = re.compile(
    rf"(?i)\b(?:{_THINGS})\b|{_NAMED_BY_POINTS}|[{HAN}∠△⊙∥⊥⟂]|"
    rf"{_LENGTH}|\\(?:angle|triangle|odot|parallel|perp)\b"
)
_CHOICES = re.compile(r"(?im)^\s*choices?\s*:|^\s*A\s*[:.．、]")
_MASK = "\ue003"  # a comma or stop inside mathematics or parentheses
# Coordinates: (1, 2), also with their comma masked.
_POINTS = re.compile(r"\(\s*-?[^(),\s]{1,24}\s*[,\ue003]\s*-?[^(),\s]{1,24}\s*\)")
_LINE_OR_ANGLE = r"\$?(?:\\?(?:angle|triangle)|[∠△])?\s*(?-i:[A-Z]{1,3})\b"
# A number with or without a unit, or an equation; not AB = CD, which is a property.
_VALUE = re.compile(
    r"(?i)\d+(?:\.\d+)?\s*(?:°|\\?\^|cm|mm|km|m\b|met|cent|kilo|feet|inch|units?\b|%)|"
    r"(?:=|\bis\b|\bof\b|\bare\b|\bmeasures\b|等于|为|是)\s*\$?-?\s*[\d\\]|\d|"
    rf"=(?!\s*{_LINE_OR_ANGLE})"
)
# Numbers that are no value: a right angle has a mark; a graph's name; a number of things.
_NO_VALUE = re.compile(
    r"(?:=|\bis|为|是)\s*\$?90\s*(?:°|\^?\{?\\circ\}?|degrees)|"
    r"[xyz]?\s*=\s*[fghpqFG]\s*\(\s*[a-z]\s*\)|"
    r"\b\d+\s+(?:[a-z-]+\s+)?(?:points|lines|sides|curves|functions|circles|triangles|times)\b"
)
# What axes let read.
_ON_AXES = re.compile(
    r"(?i)\b[xy]\$?-(?:axis|axes|intercepts?)|\borigin\b|\bvert(?:ex|ices)\b|\basymptotes?\b|"
    r"[xy]\$?\s*轴|原点|顶点坐标|渐近线"
)
# A number with a unit, or a function: no axis tells it.
_UNIT = re.compile(
    r"(?i)\d\s*(?:°|\^?\\circ|degrees?\b|cm|mm|km|m\b|met|feet|inch|units?\b|%|厘米|米)|[fgy]\S*\s*="
)
_PROPERTY_WORDS = (
    r"parallel|perpendicular|tangent|congruent|similar|bisect\w*|midpoint|isosceles|"
    r"equilateral|right[- ]angled?|regular|inscribed|circumscribed|symmetric\w*|"
    r"north|south|east|west|translat\w+|periodic|square|rectangle|rhombus|parallelogram|"
    r"trapezi\w+|kite"
)
# What can be seen in a figure, or is marked in it: words, signs, a right angle, AB = CD.
_PROPERTY = re.compile(
    rf"(?i)\b(?:{_PROPERTY_WORDS})\b|"
    r"∥|⊥|⟂|≌|∽|\\parallel|\\perp|(?<!\d)90\s*(?:°|\^?\{?\\circ|degrees)|Rt△|"
    rf"(?-i:[A-Z])\s*=\s*{_LINE_OR_ANGLE}|"
    r"平行|垂直|相切|切线|全等|相似|平分|中点|中线|等腰|等边|正方形|矩形|菱形|对称"
)
_DESCRIBES = re.compile(
    r"(?i)\b(?:pass(?:es|ing)?|go(?:es|ing)|through|open(?:s|ing)|has|have|intersect\w*|formed|"
    r"label\w*|marked|centered|lies?|lying|colou?red|in (?:red|blue|green|black|gr[ae]y))\b"
)
# What may follow the asking in the same sentence.
_AFTER = re.compile(
    r"(?i),?\s+(?:(?:which|that|whose|where|having|if|given that)\b|with (?=[a-z ]*(?:radius|"
    r"height|length|width|side|diameter|angle|area|point|vert|cent)))"
)
# Where what follows the asking ends: the main clause goes on.
_NEXT = re.compile(
    r"(?i),\s+(?=(?:have|has|is|are|find|what|how|determine|calculate|to|then)\b)"
)
_SOLIDS = (
    r"(?:(?:square|triangular|rectangular|right|circular|closed) )?"
    r"(?:cone|cylinder|sphere|hemisphere|pyramid|prism|cuboid|cube|frustum)"
)
_OF_GRAPHS = (
    "equations?|asymptotes?|foci|focus|vertex|vertices|cent(?:er|re)|directrix|"
    "eccentricity|domain|range|intercepts?|axis of symmetry"
)
_PLANE_FIGURES = (
    "circle|sector|triangle|"
    "rectangle|square|trapezium|trapezoid|parallelogram|rhombus|kite|semicircle|pentagon|"
    "hexagon|octagon|annulus"
)
# The name of a shape is a property to be seen: what stands there without it. Not "triangle ABC":
# without the name its points would be left.
_NAMES = (
    (re.compile(rf"(?i)\b{_SOLIDS}\b"), "solid figure"),
    (re.compile(r"圆锥|圆柱|圆台|[三四五六]?棱[锥柱台]|长方体|正方体"), "几何体"),
    (
        re.compile(
            rf"(?i)\b(?:{_OF_GRAPHS}) of (?:the|this) (hyperbola|parabola|ellipse)\b"
        ),
        "graph",
    ),
    (
        re.compile(r"(双曲线|抛物线|椭圆)的(?:标准)?(?:方程|渐近线|焦点|离心率|顶点)"),
        "曲线",
    ),
    (
        re.compile(
            rf"(?i)\b(?:area|perimeter|circumference) of (?:the|this) ({_PLANE_FIGURES})\b"
            r"(?-i:(?! [A-Z$\\⊙]))"
        ),
        "figure",
    ),
)
# A verb or a relation that states.
_STATES = re.compile(
    r"(?i)\b(?:is|are|has|have|measures?|lies?|meets?|bisects?|passes|intersects?|touch(?:es)?|"
    r"goes|equals?)\b|[=∥⊥⟂≌∽]|\\(?:parallel|perp|cong|sim)\b"
)
_FRAME = re.compile(r"(?i)(?:as|in|at|on|for|from|given|consider)\b")
# How a clause begins that cannot stand alone.
_DEPENDS = re.compile(
    r"(?i)(?:and\s+)?(?:which|where|whose|with|when|so|such|respectively|having)\b"
)
_CJK = re.compile(f"[{HAN}]")
_ASIDE = re.compile(r"[(（][^()（）\n]{1,200}[)）]")
_SENTENCES = re.compile(r"(?<=[.?!])\s+(?=[A-Z($\"'\\])|(?<=[。？！；])|\n+")
_CLAUSES = re.compile(r"[,;]\s+|，")
# "and" between two values: "AB = 3 and the height is 5".
_JOINED = re.compile(
    r",?\s+and\s+(?=(?:the |a |an )?[A-Za-z\\$∠]+[\w\s]*?(?:=|\bis\b|\bof\b)\s*\$?\d)"
)

RoleRange = tuple[int, int, Role]


def propose(
    question: str, values: Role = "EC", printed: Collection[str] = frozenset()
) -> list[Span]:
    """Spans that a person may start from; `values="DI"` where the pictures print their values.

    A clause whose numbers are all among `printed`, those that the picture prints, is DI.

    >>> text = "As shown in the figure, AB is tangent to circle O, angle A = 50°, find angle O."
    >>> [(text[s.start:s.end], s.role) for s in propose(text)]
    [('AB is tangent to circle O,', 'IP'), ('angle A = 50°,', 'EC')]
    """
    in_picture = numbers_of(" ".join(printed))

    def role_of(start: int, end: int) -> Role:
        numbers = numbers_of(question[start:end])
        of_values = "DI" if numbers and numbers <= in_picture else values
        return _role(masked[start:end], of_values)

    masked = _masked(question)
    choices = _CHOICES.search(masked)
    stop = choices.start() if choices else len(masked)
    spans: list[Span] = []
    for start, end in _pieces(masked, _SENTENCES, 0, stop):
        asks = bool(_ASKS.search(masked, start, end))
        conditions = _asking if asks else _stating
        pieces = [
            (*_trimmed(masked, a, b), role_of(a, b))
            for a, b in conditions(masked, start, end)
        ]
        if not asks:
            pieces = _whole(masked, start, end, pieces)
        spans += [Span(start=a, end=b, role=role) for a, b, role in pieces if a < b]
    if _covers_all(question, spans):
        return []  # nothing would be asked: leave it to a person
    return spans + list(_names(question, spans))


def _masked(question: str) -> str:
    """The question without commas and stops that end no clause: those in formulas and asides."""
    masked = replace_maths(question, lambda formula: re.sub(r"[.,;?]", _MASK, formula))
    return _ASIDE.sub(lambda m: re.sub(r"[.,;?，。；？]", _MASK, m[0]), masked)


def _whole(text: str, start: int, end: int, pieces: list[RoleRange]) -> list[RoleRange]:
    """A stating sentence goes as a whole when nothing of it is kept.

    What leads in ("In the figure", "In rectangle ABCD") is kept with the clauses that follow it;
    the full stop of a sentence of several roles stays with the rest.
    """
    leading = [p for p in pieces if not _states(text, *p[:2])]
    stating = [p for p in pieces if p not in leading]
    roles = {role for *_, role in stating or leading}
    if len(roles) == 1:
        return [(*_trimmed(text, start, end), roles.pop())]
    if not stating:
        return pieces
    a, b, role = stating[-1]
    stating[-1] = (a, len(text[:b].rstrip(".。；")), role)
    others = roles - {"DI"}
    first, last = _trimmed(text, start, stating[0][0])
    if first < last and len(others) == 1:
        stating.insert(0, (first, last, others.pop()))
    return stating


def _pieces(
    text: str, cut: re.Pattern[str], start: int, end: int
) -> Iterator[tuple[int, int]]:
    ends = [match.end() for match in cut.finditer(text, start, end)]
    yield from pairwise([start, *(at for at in ends if at < end), end])


def _stating(text: str, start: int, end: int) -> Iterator[tuple[int, int]]:
    """A stating sentence is a condition in all its clauses."""
    for clause in _statements(text, start, end):
        if _says(text, *clause):
            yield from _parts(text, *clause)


def _statements(text: str, start: int, end: int) -> Iterator[tuple[int, int]]:
    """Clauses with a verb of their own; lists, relative clauses and asides stay with theirs.

    "AB, CD are chords, which meet at P, and AP = 3" is two: up to P, and the rest. What stands
    before the first verb ("As shown in the figure", "In triangle ABC") is a clause as well.
    """
    done, last = start, start
    for a, b in _pieces(text, _CLAUSES, start, end):
        frame = a == start and _FRAME.match(text, a, b)
        if a > done and _states(text, done, a) and not _DEPENDS.match(text, a, b):
            yield done, a
            done = a
        if frame and not _states(text, a, b):
            yield a, b
            done = b
        last = b
    if last > done:
        yield done, last


def _states(text: str, start: int, end: int) -> bool:
    return bool(_STATES.search(text, start, end) or _CJK.search(text, start, end))


def _asking(text: str, start: int, end: int) -> Iterator[tuple[int, int]]:
    """Of an asking sentence the clauses before the asking, and what is subordinate after it."""
    at = start
    for clause in _pieces(text, _CLAUSES, start, end):
        if _ASKS.search(text, *clause):
            break
        at = clause[1]
        if _says(text, *clause):
            yield from _parts(text, *clause)
    asking = _ASKS.search(text, at, end)
    opening = _AFTER.search(text, asking.end(), end) if asking else None
    if opening:
        stop = _NEXT.search(text, opening.end(), end)
        last = stop.start() + 1 if stop else len(text[:end].rstrip(" \n.?。？"))
        clause = (opening.start(), last)
        has_value = _VALUE.search(text, *clause) or _POINTS.search(text, *clause)
        if has_value and _says(text, *clause):
            yield clause


def _says(text: str, start: int, end: int) -> bool:
    """Whether a clause says something about the figure, and does not only point at it."""
    clause = text[start:end]
    is_of_figure = _GEOMETRY.search(clause) or _POINTS.search(clause)
    if _HELPS.search(clause) or not is_of_figure:
        return False
    if not _LOOKS.search(clause):
        return True
    rest = _LOOKS.sub("", clause)
    content = (_VALUE, _POINTS, _PROPERTY, _DESCRIBES)
    return any(pattern.search(rest) for pattern in content)


def _parts(text: str, start: int, end: int) -> list[tuple[int, int]]:
    parts = list(_pieces(text, _JOINED, start, end))
    return parts if all(_states(text, *part) for part in parts) else [(start, end)]


def _trimmed(text: str, start: int, end: int) -> tuple[int, int]:
    inner = text[start:end]
    return start + len(inner) - len(inner.lstrip()), start + len(inner.rstrip())


def _role(clause: str, values: Role) -> Role:
    rest = _NO_VALUE.sub("", _POINTS.sub("", clause))
    is_read_off = _ON_AXES.search(rest) and not _UNIT.search(rest)
    if _VALUE.search(rest) and not is_read_off:
        return values
    return "IP" if _PROPERTY.search(clause) else "DI"


def _covers_all(question: str, spans: list[Span]) -> bool:
    covered = sum(s.end - s.start for s in spans)
    return bool(spans) and covered >= len(question.strip()) - 2


def _names(question: str, spans: list[Span]) -> Iterator[Span]:
    """Names of shapes as spans, where they stand free or inside a value's span."""
    for pattern, alt in _NAMES:
        for match in pattern.finditer(question):
            start, end = match.span(match.lastindex or 0)
            inside = [s for s in spans if s.start <= start and end <= s.end]
            crossing = [s for s in spans if s.start < end and start < s.end]
            if len(inside) == len(crossing) and all(s.role == "EC" for s in inside):
                yield Span(start=start, end=end, role="IP", alt=alt)
