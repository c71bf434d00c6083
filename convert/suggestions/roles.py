"""Who does what to whom: things that changed places, and numbers that went to another thing."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Sequence
from difflib import SequenceMatcher
from itertools import combinations

import msgspec

from ...latex import CJK, is_chinese, maths_spans
from .quantities import quantities
from .senses import Sense, senses

# What may stand between two things that can change places: "x and y", "AB平行于CD".
_SYMMETRIC = frozenset(
    "and or plus times congruent similar parallel perpendicular intersect intersects"
    " meet meets 、 和 与 及 或 加 乘 平 行 垂 直 相 交 似 全 by".split()
)
_FILLING = frozenset("is are be to the of with both 于 于点 是 且".split())
_ORDERED = re.compile(
    r"(?i)\brespectively\b|\bratio\b|\bdifference\b|\bquotient\b|\border(?:ed)?\b|分别|依次|比|差|商"
)
_TOKEN = re.compile(rf"[{CJK}]|[A-Za-z]+(?:'[a-z]+)?|\d+(?:[.,]\d+)*|[-+*/=<>≤≥≠:%°]")
LONGEST, REACH, STARTS = 3, 240, 48  # tokens of a thing; tokens looked at; places tried
_END = ("", "")


def tokens(text: str) -> list[str]:
    """Words without their plural s, Chinese characters, numbers, signs; a formula is one token."""
    out: list[str] = []
    position = 0
    for span in [*maths_spans(text), None]:
        prose = text[position : span.start if span else len(text)]
        out += filter(None, (_word(word) for word in _TOKEN.findall(prose)))
        if span:
            out.append("$" + "".join(span.tex.split()))
            position = span.end
    return out


def _word(word: str) -> str:
    if word.isascii() and word.isalpha() and not (word.isupper() and word not in ("A", "I")):
        word = word.lower()
        if word in ("the", "a", "an"):
            return ""
        return word[:-1] if len(word) > 3 and word.endswith("s") and word[-2] != "s" else word
    return word


def changed_places(before: str, after: str) -> str:
    """Two things of one text that have changed places: putting them back restores the wording.

    >>> changed_places("Tom is older than Ann.", "Ann is older than Tom.")
    "roles: 'ann' and 'tom' have changed places"
    >>> changed_places("If $x=3$, find $y$.", "Find $y$ if $x=3$.")
    ''
    """
    old, new = ([*_END, *tokens(text)[:REACH], *_END] for text in (before, after))
    if crossed := _crossed_in_place(old, new) or _crossed_words(old, new):
        return crossed
    known = set(_grams(old))
    disturbed = [
        k for k in range(2, len(new) - 2)
        if any(gram not in known for gram in _grams(new[k - 2 : k + 3]))
    ][:STARTS]  # fmt: skip
    counts = Counter(old), Counter(new)
    ordered = bool(_ORDERED.search(before))
    for first, second in _pairs(disturbed, len(new) - 2):
        one, two = new[slice(*first)], new[slice(*second)]
        if (
            one == two
            or _figures(one) != _figures(two)
            or any(counts[0][t] != counts[1][t] for t in (*one, *two))
        ):
            continue
        between = new[first[1] : second[0]]
        if _symmetric(between) and not ordered:
            continue
        start, end = first[0] - 2, second[1] + 2
        back = [*new[start : first[0]], *two, *between, *one, *new[second[1] : end]]
        gain = _known(back, known) - _known(new[start:end], known)
        if gain >= 4 and _held(back, known):
            return f"roles: {' '.join(one)!r} and {' '.join(two)!r} have changed places"
    return ""


def _crossed_in_place(old: list[str], new: list[str]) -> str:
    """Two numbers that have changed places in wording that is the same around both."""
    one_masked, two_masked = (
        ["#" if t[:1].isdigit() else t for t in words] for words in (old, new)
    )
    pairs = set()
    for one, two, size in SequenceMatcher(
        None, one_masked, two_masked, autojunk=False
    ).get_matching_blocks():
        for k in range(2, size):
            if one_masked[one + k] == "#" and "#" not in one_masked[one + k - 2 : one + k]:
                pairs.add((old[one + k], new[two + k]))
    for first, second in sorted(pairs):
        if first < second and (second, first) in pairs:
            return f"roles: {first!r} and {second!r} have changed places"
    return ""


def _crossed_words(old: list[str], new: list[str]) -> str:
    """One pair, and only one, that is exchanged in wording that is otherwise the same."""
    changes = {
        (tuple(old[a:b]), tuple(new[c:d])): (b, c)
        for kind, a, b, c, d in SequenceMatcher(None, old, new, autojunk=False).get_opcodes()
        if kind == "replace" and b - a == d - c <= LONGEST
    }
    crossed = [pair for pair in changes if pair[::-1] in changes and pair[0] < pair[1]]
    if len(crossed) != 1:
        return ""
    [(one, two)] = crossed
    (end, _), (start, _) = sorted((changes[one, two], changes[two, one]))
    between = old[end : start - len(two)]
    if _symmetric(between) and not _ORDERED.search(" ".join(old)):
        return ""
    return f"roles: {' '.join(one)!r} and {' '.join(two)!r} have changed places"


def _figures(words: list[str]) -> bool:
    return all(word[0].isdigit() for word in words)


def _held(back: list[str], known: set[tuple[str, ...]]) -> bool:
    """Most of what stands there after putting things back stood there before."""
    grams = list(_grams(back))
    return sum(gram in known for gram in grams) >= 0.7 * len(grams)


def _pairs(starts: list[int], end: int) -> Iterator[tuple[tuple[int, int], tuple[int, int]]]:
    """Pairs of stretches with something between them, short ones first."""
    for long in range(1, LONGEST + 1):
        for k, one in enumerate(starts):
            for two in starts[k + 1 :]:
                for other in range(1, LONGEST + 1):
                    if one + long < two and two + other <= end:
                        yield (one, one + long), (two, two + other)


def _grams(words: list[str]) -> Iterator[tuple[str, ...]]:
    for size in (2, 3):
        yield from (tuple(words[k : k + size]) for k in range(len(words) - size + 1))


def _known(words: list[str], known: set[tuple[str, ...]]) -> int:
    return sum(gram in known for gram in _grams(words))


def _symmetric(between: list[str]) -> bool:
    words = set(between)
    return bool(words & _SYMMETRIC) and words <= _SYMMETRIC | _FILLING


class _Thing(msgspec.Struct, frozen=True):
    name: str
    start: int
    end: int


_THINGS = frozenset(
    "person colour thing measure shape line point weekday side compass functions digit".split()
) | {"height of place"}
_ACTS = frozenset("fold trade giving flow account operation".split())
_NAME = re.compile(r"(?<![A-Za-z])[A-Z]{1,4}'?(?![A-Za-z])")
_CLAUSE = re.compile(r"[,;.，；。、：:]|\band\b|和|与")


def _things(text: str, found: Sequence[Sense]) -> list[_Thing]:
    """What can play a part: known nouns, names of points, formulas."""
    spans = maths_spans(text)
    named = [_Thing(s.name, s.start, s.end) for s in found if s.group in _THINGS]
    named += [_Thing("$" + "".join(s.tex.split()), s.start, s.end) for s in spans]
    inside = {k for s in spans for k in range(s.start, s.end)}
    named += [
        _Thing("$" + m[0], m.start(), m.end()) for m in _NAME.finditer(text)
        if m.start() not in inside
    ]  # fmt: skip
    return sorted(named, key=lambda thing: thing.start)


def rebound(before: str, after: str) -> str:
    """Two numbers that went from one known thing to another, in either language.

    >>> rebound("3个红球和5个白球", "5 red balls and 3 white balls")
    "roles: 'red' and 'white' have changed their numbers"
    """
    old, new = _bound(before), _bound(after)
    pairs = sorted(old)
    for one, first in pairs:
        for two, second in pairs:
            if one >= two or first == second or {(one, second), (two, first)} & old:
                continue
            if {(one, second), (two, first)} <= new and not {(one, first), (two, second)} & new:
                return f"roles: {first!r} and {second!r} have changed their numbers"
    return ""


def _bound(text: str) -> set[tuple[str, str]]:
    """(number, thing) where the thing stands next to the number, in the same clause."""
    acts = [s for s in senses(text) if s.group in _ACTS or s.name in ("more than", "less than")]
    found = [*_things(text, senses(text)), *(_Thing(s.name, s.start, s.end) for s in acts)]
    found.sort(key=lambda thing: thing.start)
    bound: set[tuple[str, str]] = set()
    for quantity in quantities(text):
        before = [s for s in found if s.end <= quantity.start and s.end > quantity.start - 40]
        after = [s for s in found if s.start >= quantity.end and s.start < quantity.end + 24]
        before = [s for s in before if not _CLAUSE.search(text, s.end, quantity.start)]
        bound.update((str(quantity.value), s.name) for s in before)
        if after and not _CLAUSE.search(text, quantity.end, after[0].start):
            bound.add((str(quantity.value), after[0].name))
    return bound


def exchanged(before: str, after: str) -> str:
    """Two numbers, or words of one kind, that stand where the other stood, by what is around them.

    >>> exchanged("鸡和兔共35只，共有94只脚", "94 chickens and rabbits have 35 feet")
    "roles: '35' and '94' have changed places"
    >>> exchanged("从5名男生和4名女生中选3人", "Three are chosen from 5 boys and 4 girls")
    ''
    """
    by_words = is_chinese(before) == is_chinese(after)
    for items, things in ((_numbers, _words if by_words else _anchors), (_pairs_of_words, _around)):
        old, new = (_surroundings(text, items(text), things(text)) for text in (before, after))
        order = {item: k for k, item in enumerate(new)}
        for one, two in combinations([item for item in old if item in new], 2):
            if one[0] != two[0]:
                continue
            straight = _alike(old[one], new[one]) + _alike(old[two], new[two])
            crossed = _alike(old[one], new[two]) + _alike(old[two], new[one])
            turned = order[one] > order[two]
            if crossed >= straight + (_TURNED[by_words] if turned else _IN_ORDER):
                return f"roles: {one[1]!r} and {two[1]!r} have changed places"
    return ""


# by how much the crossed reading must fit better: where the two come in the other order, by known
# words and by all words, or in the same order
_TURNED, _IN_ORDER = (0.5, 1.0), 1.75
_NEAR = (1.0, 0.5)  # what the nearest known words on each side weigh
_CLAUSE_END = re.compile(r"[,.;:?!](?!\d)|[，。；：？！、]")
_LOOSE = frozenset("negation quantifier time truth possibility strict then".split())
_TELLING = frozenset(
    "mm cm dm km kg mg ml tonne gram litre hectare metre mile degree yuan dollar".split()
) | {"per cent", "more than", "less than", "at least", "at most"}
_LETTER = re.compile(r"∠\d|(?<![A-Za-z])(?!I\b|A (?!and|to|is)[a-z])[A-Z]{1,4}(?![A-Za-z])")
_PEOPLE = {"jia": "A", "yi": "B", "bing": "C", "ding": "D"}
_WORD = re.compile(rf"[{CJK}]|[A-Za-z]+")
_IDLE = frozenset(
    "a an the of is are be was were in on at to and or with by for its it that this there their"
    " has have had than as from into each one 的 是 为 有 和 与 了 在 个 它 这 那 其 则"
    " 若 等 于 共 分 别 各 时".split()
)


_Item = tuple[str, str]  # kind, name


def _numbers(text: str) -> dict[_Item, _Thing]:
    """Numbers that are said once, in order."""
    numbers = quantities(text)
    said = Counter(q.value for q in numbers)
    return {
        ("number", str(q.value)): _Thing(str(q.value), q.start, q.end)
        for q in numbers if said[q.value] == 1
    }  # fmt: skip


def _pairs_of_words(text: str) -> dict[_Item, _Thing]:
    """Known words that are said once and have an opposite, in order."""
    found = senses(text)
    said = Counter(s.name for s in found)
    return {
        (s.group, s.name): _Thing(s.name, s.start, s.end)
        for s in found if s.group in _OPPOSITES and said[s.name] == 1
    }  # fmt: skip


def _around(text: str) -> list[_Thing]:
    numbers = [_Thing(str(q.value), q.start, q.end) for q in quantities(text)]
    return sorted([*_anchors(text), *numbers], key=lambda thing: thing.start)


_OPPOSITES = frozenset(
    "region journey flow trade account change person colour posture size side".split()
) | {"height of place", "in and out", "then and now"}


def _surroundings(
    text: str, items: dict[_Item, _Thing], things: list[_Thing]
) -> dict[_Item, Counter[str]]:
    """What stands next to each item, in its clause, and how near."""
    ends = [m.start() for m in _CLAUSE_END.finditer(text)]
    around: dict[_Item, Counter[str]] = {}
    for item, place in list(items.items())[:STARTS]:
        low = max((e for e in ends if e < place.start), default=-1)
        high = min((e for e in ends if e >= place.end), default=len(text))
        clause = [a for a in things if low < a.start < high]
        sides = (
            [a for a in reversed(clause) if a.end <= place.start],
            [a for a in clause if a.start >= place.end],
        )
        weights: Counter[str] = Counter()
        for side in sides:
            for weight, thing in zip(_NEAR, side, strict=False):
                weights[thing.name] = max(weights[thing.name], weight)  # type: ignore[assignment]
        around[item] = weights
    return around


def _anchors(text: str) -> list[_Thing]:
    """Known words and names, which both languages have."""
    found = [
        _Thing(_PEOPLE.get(s.name, s.name), s.start, s.end)
        for s in senses(text)
        if s.group not in _LOOSE or s.name in _TELLING
    ]
    found += [_Thing(m[0], m.start(), m.end()) for m in _LETTER.finditer(text)]
    return sorted(found, key=lambda thing: thing.start)


def _words(text: str) -> list[_Thing]:
    """Words of one language, numbers apart."""
    inside = {k for q in quantities(text) for k in range(q.start, q.end)}
    found = [_Thing(_word(m[0]), m.start(), m.end()) for m in _WORD.finditer(text)]
    return [w for w in found if w.name and w.name not in _IDLE and w.start not in inside]


def _alike(one: Counter[str], two: Counter[str]) -> float:
    return sum((one & two).values())


def of_another(before: str, after: str) -> str:
    """A number, said once, that is now of another thing of the same kind: 48 boys, not students.

    >>> of_another("某班有学生48人，其中男生", "A class has 48 boys, who")
    "roles: '48' is of 'boy' instead of 'student'"
    """
    old, new = _owners(before), _owners(after)
    for number in [n for n in old if n in new]:
        one, two = old[number], new[number]
        if one.name != two.name and one.group == two.group:
            return f"roles: {number!r} is of {two.name!r} instead of {one.name!r}"
    return ""


def _owners(text: str) -> dict[str, Sense]:
    """What stands right beside a number that is said once: 48 boys, 男生48人, 48名男生."""
    numbers = quantities(text)
    said = Counter(q.value for q in numbers)
    chinese = is_chinese(text)
    starts = {s.start: s for s in senses(text) if s.group in _KINDS}
    ends = {s.end: s for s in starts.values()}
    owners: dict[str, Sense] = {}
    for q in numbers:
        owner = starts.get(q.end + 1) or (ends.get(q.start) if chinese else None)
        if owner and said[q.value] == 1:
            owners[str(q.value)] = owner
    return owners


_KINDS = ("person", "colour", "then and now")


def recounted(before: str, after: str) -> str:
    """In one language: another number before the same word, as two-digit and three-digit.

    >>> recounted("a two-digit number 3 less", "a three-digit number 3 less")
    "number: '2 digit' became '3 digit'"
    """
    old, new = _counted(before), _counted(after)
    for value, word in sorted(old - new):
        for other, same in sorted(new - old):
            if word == same and not any(w == word for _, w in old & new):
                return f"number: '{value} {word}' became '{other} {same}'"
    return ""


def _counted(text: str) -> set[tuple[str, str]]:
    counted = set()
    for q in quantities(text):
        word = _WORD.match(text, q.end + (text[q.end : q.end + 1] in (" ", "-")))
        if word and (name := _word(word[0])) and name not in _IDLE:
            counted.add((str(q.value), name))
    return counted


# axis, its English form, its Chinese form, whether what comes second is first in the order; a
# group `x` holds the first of the two, which otherwise stands before the match
_FRAMES = (
    (
        "way",
        r"\bfrom\b(?P<x>[^,.;]{1,60}?)\bto\b",
        r"[从由自](?P<z>[^，。；]{1,30}?)[到向往至]",
        False,
    ),
    ("minus", r"\b(?:subtract|take)\b(?P<x>[^,.;]{1,60}?)\bfrom\b", r"(?!)(?P<z>)", True),
    ("minus", r"\bminus\b|\bless\b(?! than)", r"减去|减", False),
    ("division", r"\bdivided by\b|\bover\b", r"除以", False),
    (
        "ratio",
        r"\bratio of\b(?P<x>[^,.;]{1,60}?)\bto\b",
        r"(?P<z>[^，。；]{1,24}?)[与和跟同](?=[^，。；]{1,24}?的?比)",
        False,
    ),
    (
        "difference",
        r"\bdifference (?:between|of)\b(?P<x>[^,.;]{1,60}?)\band\b",
        r"(?P<z>[^，。；]{1,24}?)[与和](?=[^，。；]{1,24}?的?差)",
        False,
    ),
    (
        "times",
        r"\b(?:is|are|was|be|being|equals?)\b(?: equal)?(?: to)?"
        r" (?=(?:[\w.]+ times|twice|thrice|half)\b)",
        r"(?:[是为]|等于)(?=[^，。；]{1,20}?(?:\d|[一二两三四五六七八九十])+(?:倍|分之))",
        False,
    ),
    ("time", r"\b(?:before|earlier than)\b", r"之?前", False),
    ("time", r"\b(?:after|later than)\b", r"之?后", True),
)


def turned_frames(before: str, after: str) -> str:
    """A comparison, way, difference, quotient or ratio whose two ends have changed places.

    >>> turned_frames("小明比小红大3岁", "Xiao Hong is 3 years older than Xiao Ming")
    "roles: 'ming' and 'hong' have changed places"
    >>> turned_frames("$a$除以$b$", "$a$ divided by $b$")
    ''
    """
    old, new = frames(before), frames(after)
    one, two = set(_ABOUT.findall(before)), set(_ABOUT.findall(after))
    if one and two and one.isdisjoint(two):
        return f"roles: it is turned about {min(two)!r} instead of {min(one)!r}"
    for axis, x, y in sorted(old):
        if (axis, y, x) in new and (axis, x, y) not in new and (axis, y, x) not in old:
            return f"roles: {x.lstrip('$')!r} and {y.lstrip('$')!r} have changed places"
    return ""


_ABOUT = re.compile(
    r"(?:\b(?:about|around)(?: the)?(?: point| vertex)? |绕着?(?:顶?点)?)\$?([A-Z])(?![A-Za-z])"
)


def frames(text: str) -> set[tuple[str, str, str]]:
    """(axis, first, second) for every directed relation between two known things."""
    found = senses(text)
    things = _things(text, found)
    numbers = [_Thing(f"${q.value}", q.start, q.end) for q in quantities(text) if q.value != 1]
    terms = sorted([*things, *numbers], key=lambda thing: thing.start)
    out: set[tuple[str, str, str]] = set()
    for sense in found:
        if sense.name not in ("more than", "less than"):
            continue
        inside = text[sense.start] == "比"
        x = _last(things, sense.start, ("person", "$"), found)
        y = _first(things, sense.start if inside else sense.end)
        if x and y and x != y:
            out.add(("more", x, y) if sense.name == "more than" else ("more", y, x))
    holders = _things(text, [s for s in found if s.group not in ("measure", "motion")])
    holders += [_Thing(s.name, s.start, s.end) for s in found if s.group == "region"]
    holders.sort(key=lambda thing: thing.start)
    names = [thing for thing in things if thing.name.startswith("$")]
    for axis, english, chinese, turned in _FRAMES:
        for match in re.finditer(f"{english}|{chinese}", text, re.IGNORECASE):
            inner = match.groupdict().get("x") or match.groupdict().get("z")
            known = terms if axis in ("division", "minus", "difference") else things
            if axis == "times":
                known = holders
            elif axis == "way" and len(names) > 1:
                known = names
            x = _last(known, match.end() if inner else match.start(), (), found)
            y = _first(known, match.end())
            if axis == "way":
                x = _first(known, match.start())
            if axis in ("division", "minus"):  # "24 divided by a number"
                clause = _CLAUSE.search(text, match.end())
                near = _first(terms, match.end(), clause.start() if clause else len(text))
                x, y = x or "a number", near or "a number"
            if x and y and x != y:
                out.add((axis, y, x) if turned else (axis, x, y))
    return out


def _last(things: list[_Thing], end: int, kinds: tuple[str, ...], found: Sequence[Sense]) -> str:
    """The last thing before a place, people and formulas before others where asked for."""
    before = [thing for thing in things if thing.end <= end and thing.start > end - 60]
    people = {s.name for s in found if s.group == "person"}
    chosen = [t for t in before if t.name.startswith("$") or t.name in people] if kinds else before
    last = chosen or before
    return last[-1].name if last else ""


def _first(things: list[_Thing], start: int, end: int | None = None) -> str:
    end = start + 40 if end is None else end
    after = [thing for thing in things if start <= thing.start < end]
    return after[0].name if after else ""
