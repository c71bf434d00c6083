"""Rules about the question: what is asked for."""

from __future__ import annotations

import re

from .alike import TELLING, Rule, apart, disjoint, least
from .phrases import by_kind
from .reading import Reading
from .senses import PLAIN

_ASKED = (
    *(kind for kind in TELLING if kind != "exchange"), "measure", "formula", "clock", "unit",
    "contest", "place", "size", "how much more", "study",
)  # fmt: skip


_TOTAL = re.compile(
    r"(?i)\b(?:in total|in all|altogether|total)\b|总"
    r"|[总一合]?共(?![同线点边角轭]|有?(?:多少|几)种)"
)
_MOVING = "manner of moving"
_SOUGHT = ("measure", "line", "point", "price", "gain", "angle", "algebra")


def _asked(old: Reading, new: Reading) -> str:
    one, two = ({n for k in _SOUGHT for n in r.wanted.get(k, set())} for r in (old, new))
    if disjoint(one, two) and not one | two <= PLAIN:
        return f"question: it asks for {least(two)}, not {least(one)}"
    if disjoint(old.sought, new.sought) and new.sought & {w.name for w in old.words}:
        return f"question: it asks how many {least(new.sought)}, not {least(old.sought)}"
    for these, those in ((old, new), (new, old)):
        moved = these.wanted.get(_MOVING, set()) - those.wanted.get(_MOVING, set())
        speeds = all("speed" in r.wanted.get("measure", set()) for r in (old, new))
        if speeds and moved & {w.name for w in those.words}:
            return f"question: {least(moved)} is asked about on one side only"
    kind = apart(old.wanted, new.wanted, _ASKED)
    there = {w.name for r in (old, new) for w in r.anchors} if kind != "thing" else (
        {w.name for w in old.anchors} & {w.name for w in new.anchors}
    )  # fmt: skip
    if kind and (new.wanted[kind] | old.wanted[kind]) & there - PLAIN:
        return f"question: it asks for {least(new.wanted[kind])}, not {least(old.wanted[kind])}"
    return ""


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
_ABOUT = ("person", "team", "letter", "thing", "container", "place", "weekday", "colour")


def _about_others(old: Reading, new: Reading) -> str:
    """Somebody else, or something else, is asked about, whom both texts know."""
    one, two = ({name for kind in _ABOUT for name in r.wanted.get(kind, ())} for r in (old, new))
    known = [{word.name for word in r.anchors} for r in (old, new)]
    lost = {x for x in one & known[1] if not any(x in y or y in x for y in two)}
    extra = {x for x in two & known[0] if not any(x in y or y in x for y in one)}
    return f"question: it is about {least(extra)}, not {least(lost)}" if lost and extra else ""


_TIMED = re.compile(r"(?i)\btime|\bwhen|时间|何时|几时|几点")
_SHARE = re.compile(r"(?i)percent|per cent|fraction|rate|%|率|百分|占")
_MORE_THAN = re.compile(
    r"(?i)\bhow (?:many|much) (?:more|fewer|less)\b.*\bthan\b|(?<!减)[多少](?:多少|几)"
)


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
        timed = reading.wanted.get("clock") or _TIMED.search(reading.question)
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
    r"(?i)\bhow (?:many|much|long|old|far)\b|number|count|digit"
    r"|多少|几|数|量|[有是]\s*(?:_|[（(]\s*[）)])"
)
_WHEN = re.compile(r"(?i)\bat what time\b|\bwhen (?:does|do|will|is)\b|何时|什么时[候间]|几[时点]")
_A_TIME = re.compile(r"(?i)time|when|hour|clock|时|点")


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


_MORE = re.compile(r"(?i)\bhow (?:many|much) (?:more|fewer|less)\b|[多少](?=多少)")


_PARTS = ("person", "weekday", "colour", "letter", "price", "gain")
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


def _operation(old: Reading, new: Reading) -> str:
    """A sum, a product or another operation is asked for that the other side does not know."""
    for one, two in ((old, new), (new, old)):
        asked = {name for names in one.wanted.values() for name in names} & _OPERATIONS.keys()
        for name in sorted(asked):
            if not re.search(f"(?i){_OPERATIONS[name]}", two.text):
                return f"question: {name!r} is asked for on one side only"
    return ""


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
        added = more.wanted.get(kind, set()) - less.wanted.get(kind, set())
        if len(added) == 1 and added <= known.get(kind, set()):
            return f"question: it asks for {'a part' if one else 'the total'}"
    return ""


RULES: tuple[Rule, ...] = (
    _asked, _about_others, _asked_otherwise, _counting, _operation, _phase, _whole,
)  # fmt: skip
