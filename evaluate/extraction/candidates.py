"""Where in a reply its answer may stand: every candidate with what speaks for and against it.

A candidate is a value (in figures, in a formula, in words) or, where the gold is words, a phrase.
Its features are of the kind "behind the word for answer", "in a reason", "ends its line": the
table `weights.toml` says what each counts. A refusal is a candidate, too.
"""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Iterator
from itertools import pairwise
from typing import NamedTuple

from ...problem import AnswerKind
from ...words import numbers, scale_at, unit, words
from .marked import answer_boxes, fields, joined_boxes, tags
from .page import LONGEST, Page
from .refusals import declines, refusals
from .sentences import Mark, Sentence, lead_end, marks_of, reaches_on
from .values import JOIN, UNIT, numeral_end

SENTENCES = 6  # from the end, whose values are candidates although nothing declares them
VALUES = 40  # of one sentence, from its end
SHORT = 60  # characters of a sentence that may be nothing but an answer in words


class Candidate(NamedTuple):
    """text[start:end] may be the answer `said`; `features` say why, `rule` is the first of them."""

    start: int
    end: int
    said: str
    rule: str
    features: frozenset[str]
    later: int = 0  # sentences that state a value behind it
    overtaken: int = 0  # declarations behind it


EXPLICIT = frozenset(["boxed", "tag", "field", "answer", "hash", "correction"])
# a value in such a place is mentioned, not stated: what stands before it stays the last statement
MENTIONED = frozenset(
    ["supposed", "asked", "compared", "used, behind a preposition", "in brackets", "in a list",
     "behind a colon", "several"]
)  # fmt: skip
_RULES = {
    "answer": "declared", "hash": "declared", "is the answer": "declared",
    "answer, further": "declared", "label": "labelled", "correction": "correction",
    "result": "declared", "so": "conclusion", "so, further": "conclusion", "whole": "whole reply",
}  # fmt: skip


def candidates(page: Page, kind: AnswerKind | None) -> list[Candidate]:
    """The candidates of a reply, in the order of their places.

    From the end on, as far as the last declaration and over SENTENCES that hold values: what
    stands before is behind all of them in the order.
    """
    boxed = [*marked(page, kind)]
    marks = _marks_by_sentence(page)
    unread = sorted(marks)
    found: list[Candidate] = []
    ranks: dict[int, int] = {}
    rank, unasked = 0, page.asked < len(page.text)
    for number in range(len(page.sentences) - 1, -1, -1):
        start, end = page.sentences[number]
        if unasked and start < page.asked:
            rank, unasked = 0, False  # what follows a question that nobody asked takes nothing away
        if rank >= SENTENCES and not unasked:
            if not unread or number < unread[0]:
                break
            if number not in marks:
                continue
        ranks[number] = rank
        here = [
            c._replace(later=rank) for c in _values(page, number, marks.get(number, []), kind)
            if not any(c.start < box.end and box.start < c.end for box in boxed)
        ]  # fmt: skip
        found += here
        rank += any(not c.features & MENTIONED for c in here)
        declared = any(c.features & EXPLICIT for c in here) or any(b.end <= end for b in boxed)
        if declared and rank and start < page.asked:
            break
    found += _refused(page, found, ranks)
    later = {c.start: c.later for c in found}
    found += [
        c._replace(later=len({rank for at, rank in later.items() if at >= c.end})) for c in boxed
    ]
    return _compared(page, found)


def _marks_by_sentence(page: Page) -> dict[int, list[Mark]]:
    """The words that declare, in the sentences that they reach into."""
    found: dict[int, list[Mark]] = {}
    for mark in marks_of(page.masked, "result", "solution", "so"):
        number = page.sentence_at(mark.start)
        found.setdefault(number, []).append(mark)
        if number + 1 < len(page.sentences) and reaches_on(page, mark, page.sentences[number][1]):
            found.setdefault(number + 1, []).append(mark)
    return found


def _refused(page: Page, found: list[Candidate], ranks: dict[int, int]) -> list[Candidate]:
    """The refusals among the sentences looked at; one with a value behind it is none."""
    refused = refusals(page, min(ranks, default=0))
    for k, c in enumerate(found):
        number = page.sentence_at(c.start) if refused else -1
        if number not in refused:
            continue
        if re.search("[,，:：;；]", page.masked[refused[number] : c.start]):
            del refused[number]
        else:
            found[k] = c._replace(features=c.features | {"in a refusal"})
    return [
        Candidate(*page.sentences[k], "", "declined", frozenset(["refuses"]), ranks.get(k, 0))
        for k in sorted(refused)
    ]


def _compared(page: Page, found: list[Candidate]) -> list[Candidate]:
    """With what can be said only when all are known."""
    explicit = sorted(c.start for c in found if c.features & EXPLICIT)
    whole = {"whole"} if found and not re.search(r"[A-Za-z]{2}|[一-鿿]", page.masked) else set()
    asked = any(c.start < page.asked for c in found)
    return sorted(
        c._replace(
            overtaken=len(explicit) - bisect_right(explicit, c.start),
            features=c.features | whole
            | ({"behind a question"} if asked and c.start > page.asked else set()),
        )
        for c in found
    )  # fmt: skip


def marked(page: Page, kind: AnswerKind | None) -> Iterator[Candidate]:
    """Boxes, tags and fields; one that holds no value where one is asked for is a refusal."""
    text = page.text
    places = [("answer tag", *tag) for tag in tags(text)[-1:] if tag[0].strip(" .*\n")]
    places += [("answer field", *field) for field in fields(text)[-1:]]
    if boxes := answer_boxes(text):
        places.append(("boxed", joined_boxes(text, boxes), boxes[-1].start, boxes[-1].end))
    for rule, said, start, end in places:
        empty = not re.search(r"\w", said) or (kind == "number" and declines(said))
        features = frozenset([rule.removeprefix("answer "), *(["refuses"] if empty else [])])
        yield Candidate(start, end, said, "declined" if empty else rule, features)


def _values(
    page: Page, number: int, marks: list[Mark], kind: AnswerKind | None
) -> Iterator[Candidate]:
    """The values of a sentence with what the sentence says of them."""
    start, end = page.sentences[number]
    find = _phrases if kind == "text" else _places
    places = find(page, start, min(end, start + LONGEST))[-VALUES:]
    if not places:  # "The answer is C", of a question without options
        phrases = _phrases(page, start, min(end, start + LONGEST))
        places = [place for place in phrases if _ALONE.fullmatch(place[2])]
    if not places:
        return
    sentence = Sentence(page, number, marks)
    first_end = places[0][1]
    label = sentence.labels(places[0][0])
    words_behind = re.search(r"[A-Za-z]{2}|[一-鿿]", page.masked[first_end : sentence.line_end])
    figures = any("in words" not in features for *_, features in places)
    joined = any("joined" in features for *_, features in places)
    outer = [k for k, place in enumerate(places) if not sentence.in_brackets(place[0])]
    stated: list[Candidate] = []
    for k, (a, b, said, features) in enumerate(places):
        here = features | sentence.around(a, b, first_end) | sentence.declared(a)
        here |= _kind(said, kind, "joined" in here) | page.numbers.said_before(said, a)
        if not here & {"in brackets", "aside"} and (k == 0 or k == outer[-1]):
            only = k == 0 and k == outer[-1]
            here.add("only value" if only else "first value" if k == 0 else "last value")
        if k == 0 and label and not words_behind:
            here.add("label")
        if k == 0 and sentence.corrects and "behind is" in here:
            here.add("correction")
        if "in words" in here and figures:
            here.add("beside figures")
        if not label and page.masked.find(":", first_end, a) >= 0:
            here.add("behind a colon")
        if here >= {"behind a preposition", "used before"}:
            here.add("used, behind a preposition")
        rule = next((rule for name, rule in _RULES.items() if name in here), "stated")
        candidate = Candidate(a, b, said, rule, frozenset(here))
        yield candidate
        if "behind is" in here or "=" in said:
            stated.append(candidate)
    if kind in ("set", "tuple") and len(stated) > 1 and not joined:
        last = stated[-1]
        yield last._replace(
            start=stated[0].start, said=", ".join(c.said for c in stated),
            features=last.features - {"no collection"} | {"assembled"},
        )  # fmt: skip


def _places(page: Page, start: int, end: int) -> list[tuple[int, int, str, set[str]]]:
    """Values with their units, lists of them, and numbers in words."""
    text = page.text
    runs = [(a, _with_unit(text, b, end)) for a, b in page.runs(start, end)]
    found: list[tuple[int, int, str, set[str]]] = [(a, b, text[a:b], set()) for a, b in runs]
    first = None
    for k, ((a, b), (c, d)) in enumerate(pairwise(runs)):
        if (join := JOIN.match(text, b, c + 1)) and join.end() == c:
            first = a if first is None else first
            found.append((first, d, text[first:d], {"joined"}))
            found[k][3].add("in a list")
            found[k + 1][3].add("in a list")
        else:
            first = None
    taken = [a for a, _ in runs]
    for numeral in numbers(text[start:end]):
        a = start + numeral.start
        b = numeral_end(text, a) or 0
        k = bisect_right(taken, a) - 1
        if b and k >= 0 and a == runs[k][0] and b > runs[k][1]:
            found[k] = (a, b, text[a:b], found[k][3])  # 3万5千
        elif b and not (k >= 0 and a < runs[k][1]):
            found.append((a, b, text[a:b], {"in words", *(["one"] if numeral.value == 1 else [])}))
    for none in _NONE.finditer(page.masked, start, end):
        found.append((*none.span(1), "0", {"in words", "no"}))
    return sorted(found, key=lambda place: place[:2])


_NONE = re.compile(  # there are no bars
    r"(?:\bthere\s+\w+|\b(?:has|have|had))\s+(no)\b(?=\s)(?!\s+(?:more|less|fewer|other))",
    re.IGNORECASE,
)


def _with_unit(text: str, end: int, bound: int) -> int:
    scaled = scale_at(text, end)[1] if end < bound else end
    found = UNIT.match(text, scaled, bound)
    if not found or (found[0].strip().isalpha() and unit(found[0].strip()) is None):
        return scaled
    return found.end()


_VERB = re.compile(rf"(?:{words('is')}|[:：])(?:\s|{words('leads')})*", re.IGNORECASE)
_BOLD = re.compile(r"\*\*\s*([^*\n]{1,200}?)\s*\*\*")
_ASIDE = re.compile(
    rf"[,，]?\s+{words('reason', 'condition', 'relative')}|，(?=[即也这因所故故而])|\s*[✓✔✅]"
)
_EDGES = " \t*_`#>\"“”'.,。，;；！!:：()|"


def _phrases(page: Page, start: int, end: int) -> list[tuple[int, int, str, set[str]]]:
    """What is said in words: behind a mark or the verb, in bold, or all of a short sentence."""
    text = page.text
    spans = {lead_end(page, start + m.end, end): end for m in marks_of(page.masked[start:end])}
    spans |= {verb.end(): end for verb in [*_VERB.finditer(page.masked, start, end)][-3:]}
    spans |= {bold.start(1): bold.end(1) for bold in _BOLD.finditer(text, start, end)}
    if end - start <= SHORT:
        spans[start] = end
    places = []
    for a, b in sorted(spans.items()):
        if aside := _ASIDE.search(text, a, b):
            b = aside.start()
        a += len(text[a:b]) - len(text[a:b].lstrip(_EDGES))
        b -= len(text[a:b]) - len(text[a:b].rstrip(_EDGES))
        if a < b:
            places.append((a, b, text[a:b], {"phrase"}))
    return places


_ALONE = re.compile(r"[A-Za-z]|\\[A-Za-z]+\S{0,40}")  # one sign
_PLAIN = re.compile(r"[\s$¥€£\\{}()~+−-]*[\d.,\s]*\d[\d.,\s]*(?:\\?%|°|\^?\{?\\circ\}?)?[\s$}\\)]*")
_SYMBOL = re.compile(r"(?<![A-Za-z\\])[a-zA-Z](?![A-Za-z])|\\(?:alpha|beta|theta)\b")
_COLLECTION = re.compile(
    r"[(\[{].*,.*[)\]}]|[<>≤≥∪∈]|\\(?:le|ge|cup|in|infty|lt|gt)|[,，、]|\bor\b|或|和|±|\\pm"
)


def _kind(said: str, kind: AnswerKind | None, joined: bool) -> set[str]:
    """How a value agrees with the gold's kind."""
    last = said.rsplit("=", 1)[-1]
    if kind in ("number", "choice"):
        if joined:
            return {"several"} if kind == "number" else set()
        symbols = {"symbols"} if _SYMBOL.search(last) else set()
        return {"plain number"} if _PLAIN.fullmatch(last) else symbols
    if kind in ("set", "tuple", "interval"):
        return {"collection" if _COLLECTION.search(said) else "no collection"}
    if kind == "equation":
        return {"equation" if "=" in said else "no equation"}
    if kind in ("expression", "matrix"):
        return {"symbols wanted" if _SYMBOL.search(last) else "no symbols"}
    return set()
