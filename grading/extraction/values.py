"""The values of a reply, and where its words are asked for its phrases, as candidates."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator
from functools import lru_cache
from itertools import pairwise
from operator import itemgetter
from typing import NamedTuple

from ...latex import HAN
from ...problem import AnswerKind
from ...words import Numeral, numbers, words
from ..answers import (
    has_joint,
    is_collection,
    is_plain_number,
    joint,
    measures,
    stretches,
    whole_end,
    with_unit,
)
from ..equivalence import EMPTY_SAID, REALS_SAID, judgement, spelling
from .asked import Asked, asked
from .candidates import Candidate, closing, declared, declines, scanned
from .page import LONGEST, WORD, Page
from .sentences import ASIDES, CALLED, MARKS, Sentence

VALUES = 40  # of one sentence, from its end
BESIDE = 8  # characters between two values that may be one
MARKED = 8  # times as long as a gold, and a few more, a text may be that spells it with markup
FOLLOWING = 4  # words behind a word that opens a clause
_LISTED = frozenset(["in a list", "joined"])
SUBJECT = 40  # characters of a sentence in front of the words that it ends with
SHORT = 60  # characters of a sentence that may be nothing but an answer in words


def values(
    page: Page,
    kind: AnswerKind | None,
    whole: bool = False,
    golds: Collection[str] = (),
    question: str | None = None,
) -> list[Candidate]:
    """The values of a reply that may be its answer; what spells one of `golds` is one."""
    wanted = asked(question) if question else None

    def content(said: str) -> str:
        """What a box holds; nothing where a value is asked for and it refuses."""
        return "" if kind == "number" and declines(said) else said

    boxes = list(declared(page, content, kind in COLLECTIONS))
    if not whole and (last := closing(page.text, boxes)):
        return [last]

    def find(sentence: Sentence) -> Iterator[Candidate]:
        return _values(sentence, kind, golds, wanted)

    return scanned(page, find, boxes, whole)


def _values(
    sentence: Sentence,
    kind: AnswerKind | None,
    golds: Collection[str],
    wanted: Asked | None,
) -> Iterator[Candidate]:
    """The values of a sentence with what the sentence says of them."""
    page, end = sentence.page, min(sentence.end, sentence.start + LONGEST)
    read = _phrases(sentence, end, golds) if kind == "text" else _places(sentence, end)
    if kind in COLLECTIONS or any("mathbb" in gold for gold in golds):
        read = _with_sets(page.text, sentence.start, end, read)
    listed = kind in COLLECTIONS or any(map(_ASSIGNS.search, golds))
    places = _with_whole(sentence, end, read[-VALUES:], golds, listed)
    if not places:
        return
    first_end = places[0].end
    labelled = not WORD.search(
        page.masked, first_end, sentence.line_end
    ) and _LABEL.match(page.masked, sentence.line_start, places[0].start)
    outer = [
        k for k, place in enumerate(places) if not sentence.in_brackets(place.start)
    ]
    in_words = sum("in words" in place.features for place in places)
    stated: list[Candidate] = []
    asides: set[str] = set()
    for k, (a, b, said, own) in enumerate(places):
        here = own | sentence.around(a, b, first_end) | _kind(said, kind, own)
        if not own.isdisjoint(_LISTED):
            asides |= here & {*ASIDES, "aside"}  # no comma of a list ends a reason
            here |= asides
        else:
            asides = set()
        if k not in outer or (
            "behind is" not in here and said[0] == "(" and said[1:-1].isdecimal()
        ):
            here.add("in brackets")
        if here & {"aside", "in brackets"}:
            here -= {"ends the sentence", "nearly ends the sentence"}
        elif k in (0, outer[-1]):
            here.add(
                "only value" if outer[-1] == 0 else "last value" if k else "first value"
            )
        left, _, right = said.rpartition("=")
        computed = _FIGURE.search(left) and _FIGURE.search(right)
        features = {
            "computed here": computed,
            "used, behind a preposition": not computed
            and "behind a preposition" in here
            and page.used(said, a),
            "label": labelled and k == 0,
            "beside figures": "in words" in here and in_words < len(places),
        }
        here.update(name for name, has in features.items() if has)
        if wanted:
            here |= wanted.features(said, page.masked[b:end])
        yield (found := Candidate(a, b, said, frozenset(here - _OF_LETTERS)))
        if "behind is" in here or "=" in said:
            stated.append(found)
    if (
        kind in ("set", "tuple")
        and len(stated) > 1
        and not any("joined" in p.features for p in places)
    ):
        last = stated[-1]
        yield last._replace(
            start=stated[0].start,
            answer=", ".join(c.answer for c in stated),
            features=last.features - {"no collection"},
        )


def _with_sets(text: str, start: int, end: int, places: list[Place]) -> list[Place]:
    """With sets in words; that there is no solution counts none."""
    for match in _SETS.finditer(text, start, end):
        places = _instead(places, *match.span(), text)
    return places


class Place(NamedTuple):
    """text[start:end] says a value."""

    start: int
    end: int
    said: str
    features: set[str]


@lru_cache(maxsize=512)  # golds are asked about at every lead
def _folded(text: str) -> str:
    return spelling(text.strip(_EDGES)).casefold()


def _with_whole(
    sentence: Sentence,
    end: int,
    places: list[Place],
    golds: Collection[str],
    listed: bool,
) -> list[Place]:
    """With the longest answers behind what declares or states one, instead of their parts.

    What is called the answer may be a list, whatever is asked for; elsewhere only where `listed`.
    """
    text, masked = sentence.page.text, sentence.page.masked
    signs = {w.end for w in sentence.words if "equates" in w.roles}
    stated = signs | {w.end for w in sentence.words if w.roles & {"is", "gives"}}
    declared = set(sentence.marked(*MARKS))
    answers = sentence.marked("answer", "hash")[-VALUES:]
    heads = {sentence.leads_from(lead) for lead in answers}
    stops = [w.start for w in sentence.words if w.roles & ASIDES]
    for lead in sorted(stated | declared)[-VALUES:]:
        head = start = sentence.leads_from(lead)
        start += len(text[start:end]) - len(text[start:end].lstrip(_OPENERS))
        start -= len(text[:start]) - len(text[:start].rstrip(_BRACKETS))
        bound = min([end, *(stop for stop in stops if stop > start)])
        if start >= bound or _is_pronoun(text, start, bound):
            continue
        if gold := _gold_place(text, start, bound, golds):
            put = _replaced if lead in signs else _instead  # y = 3 ends x = 2, y = 3
            places = put(places, *gold, text)
        elif (lead in declared or sentence.marks) and (
            behind := _word_end(sentence, start, end, golds)
        ):
            places = _instead(places, start, behind, text)
        else:
            is_listed = listed or head in heads
            known = _alone(places, start)
            behind = whole_end(text, masked, start, bound, is_listed, known)
            places = _replaced(places, start, behind, text)
    called = _called(text, sentence.start, end)
    if called >= 0 and (gold := _gold_place(text, sentence.start, called, golds)):
        places = _instead(places, *gold, text)
    single = [place for place in places if "joined" not in place.features]
    for place, following in pairwise(single):  # 3 h 20 min, 2 1/2
        if place.end <= following.start <= place.end + BESIDE:
            known = _alone(places, place.start)
            behind = whole_end(text, masked, place.start, end, False, known)
            places = _replaced(places, place.start, behind, text)
    return places


def _alone(places: list[Place], start: int) -> list[tuple[int, int]]:
    """The stretch of the place that begins here, where it is no part of a list and has none."""
    here = [place for place in places if place.start <= start < place.end]
    if len(here) != 1 or here[0].start != start or here[0].features & _LISTED:
        return []
    end = here[0].end
    is_alone = sum(place.start < end and start < place.end for place in places) == 1
    return [(start, end)] if is_alone else []


def _gold_place(
    text: str, start: int, bound: int, golds: Collection[str]
) -> tuple[int, int] | None:
    """Where the text stands that spells a gold, if nothing else of its clause, or line, does."""
    for gold in golds:
        said = gold.strip()
        if said and text.startswith(said, start):  # its signs are no edges
            behind = start + len(said)
            line_end = text.find("\n", behind)
            ends = {end for end in (bound, line_end, len(text)) if end >= behind}
            if not text[behind : min(ends)].strip(_ENDS):
                return start, behind
    phrase = text[start:bound].rstrip(_EDGES)
    if len(phrase) > max(MARKED * len(gold) + MARKED for gold in ("", *golds)):
        return None
    if phrase[-1:].isdigit():  # a prime of minutes or feet is its own
        primes = len(text[start:bound].rstrip(_EDGES.replace("'", "")))
        phrase = text[start : start + primes]
    article = _ARTICLE.match(phrase)
    spelled = {_folded(gold) for gold in golds}
    for said in (phrase, phrase[article.end() :] if article else ""):
        if said and _folded(said) in spelled:
            behind = start + len(phrase)
            if phrase.count("(") > phrase.count(")") and text.startswith(")", behind):
                behind += 1
            return start + len(phrase) - len(said), behind
    return None


def _word_end(sentence: Sentence, start: int, end: int, golds: Collection[str]) -> int:
    """Where a gold in words ends that a clause opens with: "Yes, it is still there"."""
    text = sentence.page.text
    for gold in golds:
        word = gold.strip(_EDGES)
        behind = start + len(word)
        if len(word) < 2 or not word.replace(" ", "").isalpha():
            continue
        if text[start:behind].casefold() != word.casefold() or behind >= end:
            continue
        further = [w for w in sentence.words if w.start >= behind]
        roles = [w.roles for w in further[:FOLLOWING]]
        mark = text[behind:end].lstrip("*_ ")[:1]
        if len(roles) < 2 or not mark:
            continue
        follows = roles[0]
        if mark in _PAUSES:  # a clause of its own, and no list
            is_answer = len(roles) == FOLLOWING and not any(
                r & {"joins", "either"} for r in roles[:2]
            )
        else:  # Tom is the one
            is_answer = "is" in follows or (word[0].isupper() and not follows)
            is_answer &= not any("denies" in r for r in roles)
        if is_answer and not text[behind].isalnum():
            return behind
    return 0


def _replaced(places: list[Place], start: int, end: int, text: str) -> list[Place]:
    """With one answer instead of all its parts, unless it is one already."""
    parts = [place for place in places if place.start < end and start < place.end]
    if start >= end or any(place.start < start or place.end > end for place in parts):
        return places
    return _instead(places, start, end, text)


def _instead(places: list[Place], start: int, end: int, text: str) -> list[Place]:
    """With one answer instead of all that it overlaps."""
    parts = [place for place in places if place.start < end and start < place.end]
    features = set[str]().union(*(place.features for place in parts))
    said = text[start:end]
    features -= _LISTED
    if len(parts) > 1 and has_joint(said):
        features.add("joined")
    whole = Place(start, end, said, features)
    kept = [place for place in places if place not in parts]
    return sorted([*kept, whole], key=itemgetter(0, 1))


def _places(sentence: Sentence, end: int) -> list[Place]:
    """Values with their units, lists of them, and numbers in words."""
    page, text, start = sentence.page, sentence.page.text, sentence.start
    runs = [(a, with_unit(text, b, end)) for a, b in stretches(page.masked, start, end)]
    found = {a: Place(a, b, text[a:b], set()) for a, b in runs}
    lists: list[Place] = []
    excluded = False
    first = None
    for (a, b), (c, d) in pairwise(runs):
        is_either = _excluded((text[a:b], text[c:d]), text[b:c])
        excluded |= is_either
        if is_either or joint(text, b, c):
            first = a if first is None else first
            lists.append(Place(first, d, text[first:d], {"joined"}))
            for one in (found[a], found[c]):
                one.features.add("in a list")
        else:
            first = None
    for a, b in measures(text, start, end):
        found = {c: p for c, p in found.items() if p.end <= a or p.start >= b}
        found[a] = Place(a, b, text[a:b], set())
    for numeral in numbers(text[start:end]):
        a, b = start + numeral.start, start + numeral.end
        if is_value(text, a, b, numeral):
            b = with_unit(text, b, end)
            around = next(
                (place for place in found.values() if place.start <= a < place.end),
                None,
            )
            if around is None:
                found[a] = Place(a, b, text[a:b], {"in words"})
            elif a == around.start and b > around.end:  # 3万5千
                found[a] = Place(a, b, text[a:b], around.features)
    found = {_signed(text, a): p for a, p in found.items()}
    found = {a: p._replace(start=a, said=text[a : p.end]) for a, p in found.items()}
    nones = [
        Place(*none.span(1), "0", {"in words"})
        for none in _NONE.finditer(page.masked, start, end)
    ]
    members = [
        p for p in found.values() if not (excluded and "in a list" in p.features)
    ]
    return sorted([*members, *lists, *nones], key=itemgetter(0, 1))


def _signed(text: str, start: int) -> int:
    """Where a value begins with its sign in words, unless it is taken from another."""
    sign = _SIGN_BEFORE.search(text[max(0, start - LONGEST_SIGN) : start])
    return start - len(sign[0]) if sign else start


def _excluded(pair: tuple[str, str], between: str) -> bool:
    """May either of two values hold, so that neither alone is meant: 7 or 8, x = 2 and x = 5?"""
    if not _JOINED.fullmatch(between):
        return False
    one, other = (said.strip("$ ") for said in pair)
    if _EITHER.search(between) and _PLAIN.fullmatch(one) and _PLAIN.fullmatch(other):
        return one != other
    named = _NAMED.match(one)
    named_again = _NAMED.match(other)
    if named is None or named_again is None:
        return False
    return named[1] == named_again[1] and one != other


LONGEST_SIGN = 16  # characters of a sign in words and what stands before it
_SIGN_BEFORE = re.compile(rf"(?<![\d)}}$]\s){words('minus')}\s+$", re.IGNORECASE)
_EITHER = re.compile(words("either"), re.IGNORECASE)
_JOINED = re.compile(
    rf"\s*+(?:,?\s*+{words('joins', 'either')}|[,，、;])\s*+", re.IGNORECASE
)
_PLAIN = re.compile(r"[-−]?\d[\d,]*(?:\.\d+)?")
_NAMED = re.compile(r"([A-Za-z](?:_\{?\w\}?)?)\s*=")
_OF_LETTERS = frozenset(["choose", "choose, further", "option", "option, further"])
_LABEL = re.compile(r"\W*[^\W\d][^\n:：=.,。，]{0,40}[:：]\W*$")
_NONE = re.compile(  # there are no bars
    r"(?:\bthere\s+\w+|\b(?:has|have|had))\s+(no)\b(?=\s)(?!\s+(?:more|less|fewer|other))",
    re.IGNORECASE,
)
_FIGURE = re.compile(r"\d")
# A set that is said in words, and nothing that is taken from it.
_SETS = re.compile(
    rf"(?<![A-Za-z])(?:{'|'.join(sorted({*EMPTY_SAID, *REALS_SAID}, key=len, reverse=True))})s?"
    r"(?=\s*(?:[.,;!。，；*$)\n]|\Z))",
    re.IGNORECASE,
)
_ASSIGNS = re.compile(r"=[^=]*(?:[,;，；]|\band\b|且|和)[^=]*=")  # a = 2, b = 3
_BOLD = re.compile(r"\*\*\s*([^*\n]{1,200}?)\s*\*\*")
_BRACKETS = "([{\\."  # of the value itself
_OPENERS = ' \t*_`"“:：#'
_ARTICLE = re.compile(rf"{words('article')}\s+", re.IGNORECASE)
_PAUSES = ",;，；:：—–-"
_ENDS = ' \t*_`#"“”.,。，;；！!।'
_EDGES = "✓✔✅ \t*_`#>\"“”'.,。，;；！!:：()|"


def _phrases(sentence: Sentence, end: int, golds: Collection[str]) -> list[Place]:
    """What is said in words: behind a mark or the verb, in bold, or all of a short sentence.

    A sentence that ends with all words of a gold says it, too.
    """
    text, start = sentence.page.text, sentence.start
    if judgement := _judgement(sentence, end, golds):
        return [judgement]
    leads = set(sentence.marked(*MARKS))
    leads |= {w.end for w in sentence.words if w.roles & {"is", "equates", "gives"}}
    leads = {place for place in leads if not _OF_TIME.match(text, place - 1)}
    spans = {sentence.leads_from(place): end for place in sorted(leads)[-VALUES:]}
    spans |= {bold.start(1): bold.end(1) for bold in _BOLD.finditer(text, start, end)}
    if (called := _called(text, start, end)) >= 0:
        spans[start] = end = called
    if end - start <= SHORT:
        spans[start] = end
    lasts = {_said_last(text, start, end, gold) for gold in golds} - {0}
    spans |= dict.fromkeys(lasts, end)
    places = []
    for a, b in sorted(spans.items()):
        asides = [w.start for w in sentence.words if w.start > a and w.roles & ASIDES]
        b = min([b, *asides]) if a not in lasts else b
        said = text[a:b].strip(_EDGES)
        if any(map(str.isalnum, said)) and not _is_pronoun(text, a, b):
            a = text.index(said, a)
            places.append(Place(a, a + len(said), said, set()))
    return places


def _judgement(sentence: Sentence, end: int, golds: Collection[str]) -> Place | None:
    """The one word that a reply opens with, where the gold is true or false."""
    text = sentence.page.text
    said = text[sentence.start : end].strip(_EDGES)
    if text[: sentence.start].strip(_EDGES) or judgement(said) is None:
        return None
    if all(judgement(gold) is None for gold in golds):
        return None
    place = text.index(said, sentence.start)
    return Place(place, place + len(said), said, {"answer"})


def _said_last(text: str, start: int, end: int, gold: str) -> int:
    """Where a gold of several words begins that a sentence ends with, behind few others; or 0."""
    said = text[start:end].rstrip(_EDGES)
    place = len(said) - len(gold.strip(_EDGES))
    if " " not in gold.strip() or not 1 < place <= SUBJECT:
        return 0
    is_last = said[place:].casefold() == gold.strip(_EDGES).casefold()
    return start + place if is_last and said[place - 1] == " " else 0


def _called(text: str, start: int, end: int) -> int:
    """Where a clause calls what stands before it the answer, and ends: Tom is the one."""
    called = CALLED.search(text, start, end)
    ends = called and _ENDS_CALL.match(text, called.end(), end)
    return called.start() if called and ends else -1


_ENDS_CALL = re.compile(r"\W*$|\s+who\b")
_OF_TIME = re.compile(r"(?<=\d):(?=\d)")


def _kind(said: str, kind: AnswerKind | None, features: set[str]) -> set[str]:
    """How a value agrees with the gold's kind."""
    last = said.rsplit("=", 1)[-1]
    if _SETS.fullmatch(said):
        return set()
    valued = any(map(str.isnumeric, last)) or any(name in last for name in _CONSTANTS)
    several = "joined" in features
    collects = kind not in COLLECTIONS or is_collection(said)
    agrees = {
        "several": kind == "number" and several,
        "no value": (
            kind == "number" and not several and not (valued or "in words" in features)
        )
        or not (collects or valued),
        "plain number": kind in ("number", "choice")
        and not several
        and is_plain_number(last),
        "no collection": not collects or (kind == "equation" and "=" not in said),
    }
    return {name for name, has in agrees.items() if has}


COLLECTIONS = ("set", "tuple", "interval")
# closed: the numbers and sets that mathematics writes without a figure, and upright words
_CONSTANTS = r"infinit π ∞ √ ∅ \pi \infty \sqrt \empty \math \text e$ e}".split()


_OF_THE = re.compile(r"(?i)\s+of\s+the\b")  # one of the two
_STANDS = re.compile(
    rf"(?:个|(?<=..)[{HAN}]{{1,3}})?(?![{HAN}])"
)  # not the 三 of 三角形


_POINTS = re.compile(r"(?i)\b(?:the|this|that|each|which|any|every|no)\s$")


def _is_pronoun(text: str, start: int, end: int) -> bool:
    """Does a word only point at something, and counts nothing? Tom is the one."""
    said = text[start:end].rstrip(_EDGES).lower()
    return said == "one" and _POINTS.search(text[max(0, start - 7) : start]) is not None


def is_value(text: str, start: int, end: int, numeral: Numeral) -> bool:
    """Is a number in words at a place a value? An ordinal is none."""
    if not numeral.counts or (numeral.form == "cardinal" and _OF_THE.match(text, end)):
        return False
    if _is_pronoun(text, start, end):
        return False
    return text[start].isascii() or bool(
        _STANDS.match(text[start : end + 4], end - start)
    )
