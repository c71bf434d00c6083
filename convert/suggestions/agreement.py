"""Do two tellings of a problem say the same? Their readings are compared, part by part."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Iterable, Set
from fractions import Fraction
from itertools import combinations, product

from .bounds import agree
from .figures import Number
from .phrases import Things, by_kind
from .reading import Reading, read
from .relations import Relation
from .words import is_kept, of_a_section

Rule = Callable[[Reading, Reading], str]

# Kinds whose words tell in whose company a number stands.
_TELLING = (
    "person", "colour", "weekday", "month", "team", "thing", "shape", "price", "letter", "compass",
    "gain", "part of day", "then and now", "exchange", "add and take away", "win and lose", "flow",
    "change", "region", "side", "height of place", "place in a row", "line", "angle", "point",
    "algebra", "time", "using", "hand",
)  # fmt: skip
_COUNTED = ("thing", "container", "person", "contest", "measure", "point", "drawn")
_ASKED = (
    *(kind for kind in _TELLING if kind != "exchange"), "measure", "formula", "clock", "unit",
    "contest", "place", "size", "how much more", "study",
)  # fmt: skip
# Kinds whose words each side may say or leave out, and say in its own way.
_LOOSE = frozenset(
    {"negation", "strict", "generic", "quantifier", "make and break", "move", "place",
     "quality", "possibility", "contest", "shape", "line", "point", "price"}
)  # fmt: skip


def disagreement(before: str, after: str) -> str:
    """The first thing that `after` says otherwise than `before`; empty when there is none.

    >>> disagreement("求面积的最大值", "Find the greatest area")
    ''
    >>> disagreement("求面积", "Find the volume")
    "sense: 'area' became 'volume'"
    >>> disagreement("小明比小红大3岁", "Xiao Hong is 3 years older than Xiao Ming")
    "roles: 'ming' and 'hong' have changed places"
    """
    old, new = read(before, after), read(after, before)
    return next((found for rule in RULES if (found := rule(old, new))), "")


# -- words ----------------------------------------------------------------------------------------


_STRICT = frozenset({"strict"})
_BOUNDS = frozenset({"at least", "at most"})  # of numbers, which `_bounded` compares


def _properties(old: Reading, new: Reading) -> str:
    one, two = ({w.name for w in r.words if w.kind in _STRICT} for r in (old, new))
    if old.bounds.keys() == new.bounds.keys():
        one, two = one - _BOUNDS, two - _BOUNDS
    if any(w.name == "height" for r in (old, new) for w in r.words):
        one, two = one - {"right"}, two - {"right"}  # an altitude is perpendicular
    return f"sense: {min(one ^ two)!r} stands on one side only" if one != two else ""


def _terms(old: Reading, new: Reading) -> str:
    """A term of mathematics that is lost or new."""
    one, two = ({w.name for w in r.words if is_kept(w)} for r in (old, new))
    for term in sorted(one ^ two):
        others = {w.name for r in (old, new) for w in r.words} - {term}
        if not any(term.endswith(" " + x) or x.endswith(" " + term) for x in others & (one | two)):
            return f"term: {term!r} stands on one side only"
    return ""


def _negations(old: Reading, new: Reading) -> str:
    one, two = (
        sum(w.kind == "negation" or w.name == "none" for w in r.words)
        + sum(n.value == 0 for n in r.numbers)
        for r in (old, new)
    )
    return "sense: a negation stands on one side only" if one != two else ""


def _denied(old: Reading, new: Reading) -> str:
    """A negation that moved from one number, or the question, to another."""
    one, two = _once(old.numbers), _once(new.numbers)
    moved = [v for v in one if v in two and one[v].denied != two[v].denied]
    crossed = {one[v].denied for v in moved} | ({old.denied} if old.denied != new.denied else set())
    if len(crossed) > 1:
        return f"sense: a negation moved from or to '{moved[0]}'"
    return ""


def _replaced(old: Reading, new: Reading) -> str:
    """A word that is lost where another of its kind is new."""
    one, two = by_kind(old.words), by_kind(new.words)
    for kind in sorted((one.keys() & two.keys()) - _LOOSE):
        lost, extra = one[kind] - two[kind], two[kind] - one[kind]
        for x, y in product(sorted(lost), sorted(extra)):
            if kind in _NOUNS and not _same_place(old, new, x, y):
                continue
            if not {x, y} <= _PLAIN and not _begins(x, y) and not x.endswith(" " + y):
                return f"sense: {x!r} became {y!r}"
    quantified = [{w.name for w in r.words if w.kind == "quantifier"} for r in (old, new)]
    if {"some"} in quantified and {"all"} in quantified:
        return "sense: 'some' and 'all' were exchanged"
    return ""


def _opposites(old: Reading, new: Reading) -> str:
    """A word said less often where its opposite is said more: rose and fell, rose and rose."""
    one, two = (
        Counter((w.kind, w.name) for w in r.words if w.kind in _OPPOSED) for r in (old, new)
    )
    for kind, name in sorted(one - two):
        if more := [n for k, n in two - one if k == kind]:
            return f"sense: {name!r} became {min(more)!r}"
    return ""


_OPPOSED = frozenset({"change", "flow", "win and lose", "how much more", "side", "compass"})
_PLAIN = frozenset(
    {"length", "side", "speed", "average", "distance", "sum", "root", "solution", "probability",
     "expression", "equation", "general term", "average speed", "average score", "quadratic",
     "real number", "function"}
)  # fmt: skip


_NOUNS = frozenset({"thing", "container", "person", "shape", "team"})


def _begins(one: str, two: str) -> bool:
    """Is one the other and more? What is ridden on average is an average speed."""
    one, two = one.removeprefix("average "), two.removeprefix("average ")  # which is asked apart
    return one == two or one.startswith(two + " ") or two.startswith(one + " ")


def _same_place(old: Reading, new: Reading, one: str, two: str) -> bool:
    """Could a noun stand for the other: apples and pears; 96 stamps and 96 coins; both asked?"""
    if one.endswith(" " + two) or two.endswith(" " + one):
        return False  # an apple tree is a tree
    if of_a_section(one, two):
        return True
    pairs = _pairs(old.numbers, new.numbers)
    return (one in old.sought and two in new.sought) or any(
        one in a.counted.get(kind, set()) and two in b.counted.get(kind, set())
        for a, b in pairs for kind in _NOUNS
    )  # fmt: skip


_TOTAL = re.compile(
    r"(?i)\b(?:in total|in all|altogether|total)\b|总"
    r"|[总一合]?共(?![同线点边角轭]|有?(?:多少|几)种)"
)


# -- numbers --------------------------------------------------------------------------------------


def _pairs(old: Iterable[Number], new: Iterable[Number]) -> Iterable[tuple[Number, Number]]:
    """Numbers that are said once on both sides."""
    one, two = _once(old), _once(new)
    return [(one[value], two[value]) for value in one if value in two]


def _once(numbers: Iterable[Number]) -> dict[Fraction, Number]:
    numbers = list(numbers)
    said = Counter(n.value for n in numbers)
    return {n.value: n for n in numbers if said[n.value] == 1}


def _marks(old: Reading, new: Reading) -> str:
    """A number in another unit, or that is no longer so many times, so much per cent."""
    for one, two in _pairs(old.numbers, new.numbers):
        units = one.marks - _CHANGES, two.marks - _CHANGES
        if units[0] and units[1] and not units[0] & units[1]:
            return f"unit: '{one.value}' has {min(units[1])!r} instead of {min(units[0])!r}"
        if "occasions" in one.marks | two.marks:
            continue
        for mark in sorted((one.marks ^ two.marks) & {"times", "per cent"}):
            return f"number: '{one.value}' is {mark!r} on one side only"
        if {"to", "by"} <= one.marks ^ two.marks:
            return f"number: '{one.value}': 'to' and 'by' were exchanged"
    return ""


_CHANGES = frozenset({"to", "by", "per"})


def _paired(old: Reading, new: Reading) -> str:
    """Two pairs of numbers that exchanged one: 3 left of 5 and 2 of 7, 2 left of 5 and 3 of 7."""
    once = _once(old.numbers).keys() & _once(new.numbers).keys()
    for one, two in combinations(old.pairs - new.pairs, 2):
        if not one & two and (one | two) <= once:
            crossed = [p for p in new.pairs if p <= one | two and p not in (one, two)]
            if len(crossed) == 2:
                return f"roles: '{min(one)}' is with '{min(crossed[0] - one)}'"
    return ""


def _rearranged(old: Reading, new: Reading) -> str:
    """The same ratio of things that are named in another order."""
    for one in old.ratios:
        for two in new.ratios:
            same = one.numbers == two.numbers and set(one.things) == set(two.things)
            if same and one.things != two.things:
                return f"ratio: it is of {two.things[0]!r} to {two.things[1]!r}"
    return ""


def _company(old: Reading, new: Reading) -> str:
    """A number that stands with another person, thing, colour... than before."""
    there = by_kind(new.anchors)
    known = {kind: names & there.get(kind, set()) for kind, names in by_kind(old.anchors).items()}
    for one, two in _pairs(old.numbers, new.numbers):
        if one.value != 1 and (kind := _apart(one.company, two.company, _TELLING)):
            first, second = one.company[kind], two.company[kind]
            if first | second <= known.get(kind, set()):
                return f"roles: '{one.value}' is of {_least(second)}, not {_least(first)}"
        for kind in _NAMED:
            first, second = one.company.get(kind, set()), two.company.get(kind, set())
            if len(first) == len(second) and first != second:
                return f"roles: '{one.value}' is of {_least(second - first)} now"
        if kind := _apart(one.counted, two.counted, _COUNTED):
            first, second = one.counted[kind], two.counted[kind]
            if (first | second) & known.get(kind, set()):
                return f"roles: '{one.value}' counts {_least(second)}, not {_least(first)}"
    return ""


_NAMED = ("person", "letter", "team", "weekday", "colour")


def _swapped(old: Reading, new: Reading) -> str:
    """Two numbers that exchanged the things they stand with."""
    pairs = [pair for pair in _pairs(old.numbers, new.numbers) if pair[0].value != 1]
    for (a1, a2), (b1, b2) in combinations(pairs, 2):
        for kind in (*_TELLING, "measure", "move", "exchange"):
            one, two = a1.around.get(kind, set()), b1.around.get(kind, set())
            three, four = a2.around.get(kind, set()), b2.around.get(kind, set())
            if one & four and two & three and not one & three and not two & four:
                return f"roles: '{a1.value}' and '{b1.value}' have changed places"
    return ""


def _each_for_two(old: Reading, new: Reading) -> str:
    """Each, or both, of something became two of it, or the second; or the other way round."""
    return _one_for_two(old, new) or _one_for_two(new, old)


def _one_for_two(old: Reading, new: Reading) -> str:
    pairs = [any(n.value == 2 for n in r.numbers) for r in (old, new)]
    if pairs == [False, True] and _EVERY.search(old.text) and not _EVERY.search(new.text):
        return "number: 'each' and '2' were exchanged"
    both = [bool(_BOTH.search(r.text)) for r in (old, new)]
    rows = [{w.name for w in r.words if w.kind == "place in a row"} for r in (old, new)]
    if both == [True, False] and (rows[1] - rows[0]) & {"second", "third"}:
        return "number: 'both' and 'one' were exchanged"
    return ""


_EVERY = re.compile(r"(?i)\b(?:each(?! other| side)|every)\b|每|各")
_BOTH = re.compile(r"(?i)\bboth\b|都")


def _operands(old: Reading, new: Reading) -> str:
    """Three times, or a third, of another thing than before."""
    for one, two in _pairs(old.numbers, new.numbers):
        if kind := _apart(one.operand, two.operand, _TELLING):
            names = _least(two.operand[kind]), _least(one.operand[kind])
            return f"roles: '{one.value}' times {names[0]}, not {names[1]}"
    return ""


def _apart(one: Things, two: Things, kinds: tuple[str, ...]) -> str:
    """The first kind of which both have something, and nothing in common."""
    return next((k for k in kinds if _disjoint(one.get(k, set()), two.get(k, set()))), "")


def _disjoint(one: Set[str], two: Set[str]) -> bool:
    """Have both something, and nothing in common? A triangular pyramid is a pyramid."""
    return bool(one and two) and not any(
        x in y or y in x or _begins(x, y)  # a pyramid, a triangular pyramid; P, APB
        for x in one
        for y in two
    )


def _least(names: Iterable[str]) -> str:
    return repr(min(names, default="it"))


# -- relations ------------------------------------------------------------------------------------


def _turned(old: Reading, new: Reading) -> str:
    """A relation whose two ends have changed places, or that is by another amount."""
    for one in old.relations:
        others = [r for r in new.relations if r.axis == one.axis]
        if not others:
            continue
        x, y = (_least(name for _, name in end) for end in (one.first, one.second))
        if one.axis == "about":
            if not any(r.second & one.second for r in others):
                return f"roles: it is not turned about {y}"
            continue
        shared = [r for r in others if r.amounts & one.amounts]
        others = shared or others
        if max(_evidence(one, other) for other in others) < 0:
            return f"roles: {x} and {y} have changed places"

        if len(shared) == 1 and (moved := _moved(one, shared[0])):
            return moved
        amounts = others[0].amounts if len(others) == 1 and one.amounts and not shared else None
        if amounts and amounts <= {n.value for n in old.numbers}:
            return f"roles: it is by '{min(amounts)}' instead of '{min(one.amounts)}'"
    return ""


def _bounded(old: Reading, new: Reading) -> str:
    """A number that is to be exceeded on one side, and not to be exceeded on the other."""
    for value in sorted(old.bounds.keys() & new.bounds.keys()):
        one, two = old.bounds[value], new.bounds[value]
        if not agree(one, two):
            return f"bound: '{value}' is {'/'.join(sorted(two))}, not {'/'.join(sorted(one))}"
    return ""


def _more_by(old: Reading, new: Reading) -> str:
    """A number that tells how much more something is than another, on one side only."""
    if old.differences and new.differences:
        return ""
    excused = old.bounds.keys() | new.bounds.keys() | (old.taken | new.taken)
    for value in sorted(
        {
            n.value
            for n, _ in _pairs(old.numbers, new.numbers)
            if n.value > 1 and "per cent" not in n.marks
        }
    ):
        if value in old.differences | new.differences and value not in excused:
            return f"quantity: '{value}' is by how much more on one side only"
    return ""


def _subjects(old: Reading, new: Reading) -> str:
    """Somebody else leaves, wins or misses."""
    one, two = _doers(old), _doers(new)
    for act in sorted(one.keys() & two.keys()):
        if one[act] != two[act]:
            return f"roles: {two[act]!r} does what {one[act]!r} did: {act!r}"
    return ""


def _doers(reading: Reading) -> dict[str, str]:
    """Who stands nearest before an act that is told once, in its clause."""
    acts = [w for w in reading.words if w.name in ("leave", "miss", "win", "lose", "hit")]
    doers = {}
    for word in acts:
        before = [
            a for a in reading.anchors
            if a.kind in ("letter", "person") and a.start < word.start
            and reading.clause(a.start) == reading.clause(word.start)
        ]  # fmt: skip
        if before and sum(w.name == word.name for w in acts) == 1:
            doers[word.name] = before[-1].name
    return doers


def _together(old: Reading, new: Reading) -> str:
    """Of those who work alone nobody works with another any more, or somebody does now."""
    alone = all(_ALONE.search(r.text) for r in (old, new))
    if alone and bool(_JOINTLY.search(old.text)) != bool(_JOINTLY.search(new.text)):
        return "roles: 'together' stands on one side only"
    return ""


_ALONE = re.compile(r"(?i)\b(?:alone|(?:him|her|it)self|themselves|on its own)\b|单独|独自|独立")
_JOINTLY = re.compile(
    r"(?i)\b(?:together|jointly|cooperat\w+|both|combined|work(?:s|ed|ing)? with)\b"
    r"|合[作做修力]|共同|两[队人管]|[一同]起|同时开|齐"
)


def _for_each(old: Reading, new: Reading) -> str:
    """A number for each of something that became the number of all together."""
    for one, two in _pairs(old.numbers, new.numbers):
        for each, other, reading in ((one, two, new), (two, one, old)):
            if each.value == 1 or "per" not in each.marks or "per" in other.marks:
                continue
            if _FOR_ALL.search(reading.text[max(0, other.start - 4) : other.start + _NEXT]):
                return f"quantity: '{one.value}' is for each or for all"
    return ""


_NEXT = 24  # characters
_FOR_ALL = re.compile(r"(?i)^.{0,3}共|\b(?:in total|in all|altogether|together)\b")


def _divided(old: Reading, new: Reading) -> str:
    """Another number that is divided by, or taken away."""
    for axis in ("division", "minus"):
        by = [
            {n for r in x.relations if r.axis == axis for k, n in r.second if k == "number"}
            for x in (old, new)
        ]
        if by[0] and by[1] and by[0].isdisjoint(by[1]):
            return f"roles: {axis} by {min(by[1])} instead of {min(by[0])}"
    return ""


def _moved(one: Relation, two: Relation) -> str:
    """By as much as before, somebody else is more, or less."""
    for end, other in ((one.first, two.first), (one.second, two.second)):
        for kind in ("person", "letter", "formula", "weekday", "then and now"):
            x, y = ({name for k, name in e if k == kind} for e in (end, other))
            if len(x) == len(y) == 1 and x != y:
                return f"roles: {_least(y)} stands for {_least(x)}"
    return ""


def _evidence(one: Relation, two: Relation) -> int:
    """How many ends are where they were, less those that changed places."""
    x, y = one.first - one.second, one.second - one.first
    a, b = two.first - two.second, two.second - two.first
    straight, crossed = len(x & a) + len(y & b), len(x & b) + len(y & a)
    figures = any(kind == "number" for kind, _ in (x & b) | (y & a))
    sure = (
        crossed > 1 or figures or (x and y and a and b) or one.axis in ("division", "minus", "way")
    )
    return straight - (crossed if sure else 0)


_BEFORE = 0.5  # what it weighs to stand in the same part, or before it
_NEAR = (1.0, 0.5)  # what the nearest things on each side weigh
# numbers in the other order, words in the other order, or in the same order
_UNMOVED, _TURNED, _IN_ORDER = 0.25, 1.0, 1.75  # by how much the crossed reading must fit better
_SILENT = frozenset({"generic", "quantifier", "possibility"})
_MOST = 48  # things looked at


def _exchanged(old: Reading, new: Reading) -> str:
    """Two numbers, or words of one kind, that stand where the other stood."""
    one, two = _around(old), _around(new)
    order = {item: k for k, item in enumerate(two)}
    related = _related(old) & _related(new)
    alike = {("number", str(v)): n.marks for v, n in _once(old.numbers).items() if not n.dual}
    for first, second in combinations([item for item in one if item in two], 2):
        if first[0] != second[0] or frozenset((first[1], second[1])) in related:
            continue
        if first[0] in ("thing", "contest"):
            continue
        if first[0] == "letter" and len(first[1]) != len(second[1]):
            continue
        straight = _alike(one[first], two[first]) + _alike(one[second], two[second])
        crossed = _alike(one[first], two[second]) + _alike(one[second], two[first])
        margin = _TURNED if order[first] > order[second] else _IN_ORDER
        if (
            margin == _TURNED
            and first in alike
            and second in alike
            and alike[first] == alike[second]
        ):
            margin = _UNMOVED
        if crossed >= straight + margin:
            return f"roles: {first[1]!r} and {second[1]!r} have changed places"
    return ""


def _related(reading: Reading) -> set[frozenset[str]]:
    """Pairs that are the two ends of a comparison, which `_turned` looks at."""
    return {
        frozenset((x, y))
        for r in reading.relations if r.axis == "more" for _, x in r.first for _, y in r.second
    }  # fmt: skip


def _around(reading: Reading) -> dict[tuple[str, str], Counter[str]]:
    """What stands next to each number and each word that is said once, and how near."""
    items = sorted(
        [(w.start, w.kind, w.name) for w in reading.words if w.kind not in _SILENT]
        + [(a.start, a.kind, a.name) for a in reading.anchors if a.kind in ("letter", "formula")]
        + [(n.start, "number", str(n.value)) for n in reading.numbers if n.value != 1]
    )
    said = Counter(item[1:] for item in items)
    around: dict[tuple[str, str], Counter[str]] = {}
    for k, (start, kind, name) in enumerate(items):
        if said[kind, name] > 1 or len(around) >= _MOST or kind in _LOOSE:
            continue
        here = reading.clause(start)
        weights: Counter[str] = Counter()
        for side in (items[max(0, k - len(_NEAR)) : k][::-1], items[k + 1 : k + 1 + len(_NEAR)]):
            for weight, item in zip(_NEAR, side, strict=False):
                if reading.clause(item[0]) == here:
                    weights[item[2]] = max(weights[item[2]], weight)  # type: ignore[assignment]
        around[kind, name] = weights
    for value, number in _once(reading.numbers).items():
        near = around.get(("number", str(value)), Counter())
        for name in {name for names in number.around.values() for name in names} if near else ():
            near[name] = max(near[name], _BEFORE)  # type: ignore[assignment]
    return around


def _alike(one: Counter[str], two: Counter[str]) -> float:
    return sum((one & two).values())


# -- the question ---------------------------------------------------------------------------------


def _asked(old: Reading, new: Reading) -> str:
    one, two = ({n for k in _SOUGHT for n in r.asked.get(k, set())} for r in (old, new))
    if _disjoint(one, two) and not one | two <= _PLAIN:
        return f"question: it asks for {_least(two)}, not {_least(one)}"
    if _disjoint(old.sought, new.sought) and new.sought & {w.name for w in old.words}:
        return f"question: it asks how many {_least(new.sought)}, not {_least(old.sought)}"
    for these, those in ((old, new), (new, old)):
        moved = these.asked.get(_MOVING, set()) - those.asked.get(_MOVING, set())
        speeds = all("speed" in r.asked.get("measure", set()) for r in (old, new))
        if speeds and moved & {w.name for w in those.words}:
            return f"question: {_least(moved)} is asked about on one side only"
    kind = _apart(old.asked, new.asked, _ASKED)
    there = {w.name for r in (old, new) for w in r.anchors} if kind != "thing" else (
        {w.name for w in old.anchors} & {w.name for w in new.anchors}
    )  # fmt: skip
    if kind and (new.asked[kind] | old.asked[kind]) & there - _PLAIN:
        return f"question: it asks for {_least(new.asked[kind])}, not {_least(old.asked[kind])}"
    return ""


_MOVING = "manner of moving"
_SOUGHT = ("measure", "line", "point", "price", "gain", "angle", "algebra")
_CLOCK = "second|minute|hour|day|week|month|year"
_FORMS = {
    "duration": r"how long(?= (?:did|does|do|will|would|is the (?:trip|journey)))|after how long"
    rf"|how many (?:more )?(?:{_CLOCK})s?\b"
    r"|(?:几|多少)(?:秒|分钟|小时|天|周|个?月|年)|多长时间|多久",
    "distance": r"how far|how many (?:more )?(?:kilo|centi)?met(?:er|re)s\b"
    r"|(?:几|多少)(?:千米|公里|米)|多远",
    "percentage": r"what (?:percent|percentage|fraction|part|proportion)"
    r"|(?:find|determine|estimate|calculate|what is|is) the (?:percentage|fraction|proportion)"
    r"|百分之几|几分之几|百分比|百分率|几成",
    "average": r"average|\bmeans?\b(?! that)|平均|均值",
    "age": r"how old|(?:几|多少|多大)岁|多大年龄",
    "count": r"how many of the following|(?<=[的中])有?[（(]\s*[）)]个|有几个",
    "choice": r"which (?:one )?of the following|下列[^。？?]{0,20}的(?:一个)?是[（(]"
    r"|下列[^。？?]{0,20}的是\s*$",
}


def _asked_otherwise(old: Reading, new: Reading) -> str:
    """A time is asked for instead of a distance, a count instead of a choice."""
    one, two = (
        {kind for kind, form in _FORMS.items() if re.search(f"(?i){form}", r.text)}
        for r in (old, new)
    )
    if (
        len(one) == len(two) == 1
        and one != two
        and ("choice" not in one | two or "count" in one | two)
    ):
        return f"question: it asks for a {min(two)} instead of a {min(one)}"
    for these, those, reading in ((one, two, new), (two, one, old)):
        timed = reading.asked.get("clock") or _TIMED.search(reading.question)
        if "duration" in these - those and reading.question and not timed:
            return "question: a duration is asked for on one side only"
        if "percentage" in these - those and reading.question and not _SHARE.search(reading.text):
            return "question: a percentage is asked for on one side only"
    if ("average" in one) != ("average" in two):
        return "sense: 'average' stands on one side only"
    more = [bool(_MORE_THAN.search(reading.question)) for reading in (old, new)]
    related = all(any(r.axis == "more" for r in reading.relations) for reading in (old, new))
    if more[0] != more[1] and not related:
        return "question: a difference is asked for on one side only"
    return ""


def _counting(old: Reading, new: Reading) -> str:
    """So many of something are asked for, and on the other side no number at all; or a point in
    time, and on the other side none."""
    for one, two in ((old, new), (new, old)):
        if not two.question or not one.question:
            continue
        if _HOW_MANY.search(one.question) and not _A_NUMBER.search(two.question):
            return "question: a number of things is asked for on one side only"
        if _WHEN.search(one.question) and not _A_TIME.search(two.question):
            return "question: a point in time is asked for on one side only"
    return ""


_UNIT_WORDS = (
    r"yuan|dollars?|degrees?|points|tons?|percent|(?:square |cubic )?\w*met(?:er|re)s?"
    r"|(?:kilo)?grams?|lit(?:er|re)s?|seconds?|minutes?|hours?|days?|weeks?|months?|years?|times"
)
_HOW_MANY = re.compile(
    rf"(?i)\bhow many (?!(?:more |fewer )?(?:{_UNIT_WORDS})\b)"
    r"|(?:find|determine|calculate|what is|estimate) the number of\b"
    r"|(?:多少|[有共]几)[个种条人只张本名]"
)
_A_NUMBER = re.compile(
    r"(?i)\bhow (?:many|much|long|old|far)\b|number|count|digit|多少|几|数|量|[有是]\s*(?:_|[（(]\s*[）)])"
)
_WHEN = re.compile(r"(?i)\bat what time\b|\bwhen (?:does|do|will|is)\b|何时|什么时[候间]|几[时点]")
_A_TIME = re.compile(r"(?i)time|when|hour|clock|时|点")
_TIMED = re.compile(r"(?i)\btime|\bwhen|时间|何时|几时|几点")


_MORE = re.compile(r"(?i)\bhow (?:many|much) (?:more|fewer|less)\b|[多少](?=多少)")
_SHARE = re.compile(r"(?i)percent|per cent|fraction|rate|%|率|百分|占")
_MORE_THAN = re.compile(
    r"(?i)\bhow (?:many|much) (?:more|fewer|less)\b.*\bthan\b|(?<!减)[多少](?:多少|几)"
)
_PARTS = ("person", "weekday", "colour", "letter", "price", "gain")


def _phase(old: Reading, new: Reading) -> str:
    """What was there at first is asked for, or what is there in the end."""
    one, two = (
        (bool(_FIRST.search(r.question)), bool(_IN_THE_END.search(r.question))) for r in (old, new)
    )
    if {one, two} == {(True, False), (False, True)}:
        return "question: it asks for what there was at first, or is in the end"
    one_of = [bool(_ONE_OF.search(r.question)) for r in (old, new)]
    if old.question and new.question and one_of[0] != one_of[1]:
        return "question: 'exactly one' is asked for on one side only"
    return ""


_FIRST = re.compile(
    r"(?i)\bat first\b|\boriginally\b|\binitially\b|\bstart(?:ed)? with\b|\bat the start\b"
    r"|\boriginal (?!price)|原[来先有数]|起初|最初"
)
_IN_THE_END = re.compile(
    r"(?i)\bnow\b|\b(?:in|at) the end\b|\bfinally\b|\bnew\b|\bresulting\b|现在|最后|最终|新"
)
_ONE_OF = re.compile(
    r"(?i)\b(?:exactly|precisely|only|just) one of\b|"
    r"|[恰只仅]好?有?[^，。；]{0,4}?一[个人种项门](?!实?[数根解])"
)


def _compared(old: Reading, new: Reading) -> str:
    """Two things are equal on one side, and one is more than the other on the other side."""
    equal = [bool(_EQUAL.search(r.text)) for r in (old, new)]
    more = [bool(_UNEQUAL.search(r.text)) for r in (old, new)]
    if equal[0] != equal[1] and more[0] != more[1]:
        return "sense: 'equal' and 'more' were exchanged"
    return ""


_EQUAL = re.compile(r"(?i)equal|\bsame\b|as (?:many|much) as|相等|等于|一样|相同")
_UNEQUAL = re.compile(
    r"(?i)\b(?:more|less|fewer|greater|than)\b|exceed|[多少大小高低][于出]|超过|比[^，。；例]{1,12}[多少大小高低]"
)


def _only(old: Reading, new: Reading) -> str:
    """So many do only this: of one side alone."""
    one, two = (bool(_ONLY.search(r.text)) for r in (old, new))
    return "sense: 'only' stands on one side only" if one != two else ""


_ONLY = re.compile(
    r"(?i)\d[^,.;，。；]{0,24}?(?:(?<!differ )(?<!differing )\bonly"
    r"(?! (?:one|two|three|once|if|when|\d))|[只仅](?=[参学会买做选喜]))"
)


def _operation(old: Reading, new: Reading) -> str:
    """A sum, a product or another operation is asked for that the other side does not know."""
    for one, two in ((old, new), (new, old)):
        asked = {name for names in one.asked.values() for name in names} & _OPERATIONS.keys()
        for name in sorted(asked):
            if not re.search(f"(?i){_OPERATIONS[name]}", two.text):
                return f"question: {name!r} is asked for on one side only"
    return ""


_OPERATIONS = {
    "sum": r"sum|total|add|plus|altogether|in all|和|总|加|一共|[^解]共",
    "product": r"product|multipl|积|乘",
    "difference": r"difference|differ|more|less|fewer|apart|exceed|差|[多少大小高低]",
    "quotient": r"quotient|divi|商|除",
    "equation": r"equation|expression|formula|方程|[解达]式|关系式",
    "coordinate": r"coordinate|axis|axes|坐标|轴",
    "ratio": r"ratio|fraction|proportion|比|几分之|:|∶",
    "speed": r"speed|fast|rate|pace|per|/|速|每",
}


def _whole(old: Reading, new: Reading) -> str:
    """A part is asked for instead of the total, or the total instead of a part."""
    one, two = (bool(_TOTAL.search(r.question)) for r in (old, new))
    if one == two:
        return ""
    less, more = (old, new) if one else (new, old)
    if _MORE.search(more.question) and not _MORE.search(less.question):
        return "question: it asks for the total or for the difference"
    known = by_kind(less.anchors)
    for kind in _PARTS:
        added = more.asked.get(kind, set()) - less.asked.get(kind, set())
        if len(added) == 1 and added <= known.get(kind, set()):
            return f"question: it asks for {'a part' if one else 'the total'}"
    return ""


RULES: tuple[Rule, ...] = (
    _properties, _terms, _negations, _denied, _replaced, _opposites, _marks, _each_for_two,
    _paired, _rearranged, _swapped, _company, _operands, _turned, _bounded, _more_by, _subjects,
    _together, _for_each, _divided, _exchanged, _asked, _asked_otherwise, _counting,
    _operation, _phase, _compared, _only, _whole,
)  # fmt: skip
