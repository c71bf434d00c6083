"""Where in a reply its answer may stand: every candidate with what speaks for and against it.

A candidate is a value (in figures, in a formula, in words), an option's letter (`letters`) or,
where the gold is words, a phrase. Its features are of the kind "behind the word for answer", "in a
reason", "ends its line": the table `weights.toml` says what each counts. A refusal is a candidate.
"""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Callable, Iterable, Iterator
from functools import lru_cache
from itertools import pairwise
from typing import NamedTuple

from ...problem import AnswerKind
from ...words import numbers, spoken, words
from .marked import boxed, fields, tags
from .page import LONGEST, Page
from .sentences import Mark, Sentence, lead_end, marks_of, reaches_on
from .values import JOIN, is_value, with_unit

SENTENCES = 3  # from the end, whose values are candidates although nothing declares them
VALUES = 40  # of one sentence, from its end
SHORT = 60  # characters of a sentence that may be nothing but an answer in words


class Candidate(NamedTuple):
    """text[start:end] may be the answer `said`; `features` say why, `rule` is the first of them."""

    start: int
    end: int
    said: str
    rule: str
    features: frozenset[str]
    later: int = 0  # sentences that state something behind it
    overtaken: int = 0  # declarations behind it


EXPLICIT = frozenset(["boxed", "tag", "field", "answer", "hash", "correction"])
# in such a place something is mentioned, not stated: what stands before it stays the last statement
MENTIONED = frozenset(
    ["supposed", "asked", "compared", "in brackets", "in a list", "several", "goes on", "denied",
     "restated", "refuses", "used, behind a preposition"]
)  # fmt: skip
_RULES = {
    "hash": "labelled", "answer": "declared", "is the answer": "declared", "choose": "declared",
    "is right": "declared", "label": "labelled", "correction": "correction", "result": "declared",
    "whole": "whole reply", "so": "conclusion", "so, further": "conclusion",
    "own text follows": "letter with text", "text": "option text",
}  # fmt: skip
Finder = Callable[[Sentence, int], Iterable[Candidate]]


def declared(features: set[str]) -> set[str]:
    """With "the correct option for this year is C" as the declaration that it is."""
    said = features & {"answer, further", "option", "option, further"}
    aside = features & {"reason", "condition", "relative", "denied"}
    return features | {"answer"} if said and "behind is" in features and not aside else features


def candidate(start: int, end: int, said: str, features: set[str]) -> Candidate:
    """With the rule that names it."""
    rule = next((rule for name, rule in _RULES.items() if name in features), "stated")
    return Candidate(start, end, said, rule, frozenset(features))


def values(page: Page, kind: AnswerKind | None) -> list[Candidate]:
    """The values of a reply that may be its answer, in the order of their places."""

    def content(said: str) -> str:
        """What a box holds; nothing where a value is asked for and it refuses."""
        return "" if kind == "number" and declines(said) else said

    def find(sentence: Sentence, _: int) -> Iterator[Candidate]:
        return _values(sentence, kind)

    return ranked(page, scanned(page, find, marked(page, content)))


def scanned(
    page: Page, find: Finder, marked: Iterable[Candidate], only: Iterable[int] | None = None
) -> list[Candidate]:
    """What `find` finds in the sentences of a page, from the last one on, and what is marked.

    Of all sentences, unless those to look at are given, as far as the last declaration and over
    SENTENCES that state something: what stands before is behind all of them in the order.
    """
    explicit = list(marked)
    marks = _marks_by_sentence(page)
    stated, unasked, first = 0, page.asked < len(page.text), len(page.sentences)
    found: list[Candidate] = []
    numbers = range(len(page.sentences)) if only is None else sorted(only)
    for number in reversed(numbers):
        start, end = page.sentences[number]
        if unasked and start < page.asked:
            stated, unasked = 0, False  # what follows a question that nobody asked takes nothing
        if stated >= SENTENCES and not unasked and only is None:
            if number < min(marks, default=number + 1):
                break
            if number not in marks:
                continue
        first = number
        here = [
            c for c in find(Sentence(page, number, marks.get(number, [])), number)
            if not any(c.start < box.end and box.start < c.end for box in explicit)
        ]  # fmt: skip
        found += here
        stated += any(not c.features & MENTIONED for c in here)
        declares = any(c.features & EXPLICIT for c in here) or any(b.end <= end for b in explicit)
        if declares and stated and start < page.asked and only is None:
            break
    return [*_refused(page, found, first), *explicit]


def _marks_by_sentence(page: Page) -> dict[int, list[Mark]]:
    """The words that declare, in the sentences that they reach into."""
    found: dict[int, list[Mark]] = {}
    for mark in marks_of(page.masked):
        number = page.sentence_at(mark.start)
        found.setdefault(number, []).append(mark)
        if number + 1 < len(page.sentences) and reaches_on(page, mark, page.sentences[number][1]):
            found.setdefault(number + 1, []).append(mark)
    return found


_REFUSES = re.compile(words("refuses"), re.IGNORECASE)


@lru_cache(maxsize=256)  # options are asked about with every reply
def declines(text: str) -> bool:
    """Does a short text say that there is no answer?

    >>> declines("It cannot be determined."), declines("He would need to buy 5.")
    (True, False)
    """
    return bool(_REFUSES.search(text))


def _refused(page: Page, found: list[Candidate], since: int) -> list[Candidate]:
    """With the sentences that refuse; one that states something behind its clause does not."""
    offset = page.sentences[min(since, len(page.sentences) - 1)][0]
    refused: dict[int, int] = {}
    for number in {
        page.sentence_at(offset + a) for _, a, _ in spoken(page.masked[offset:], "hinders")
    }:
        if said := [m.end() for m in _REFUSES.finditer(page.masked, *page.sentences[number])]:
            refused[number] = said[-1]
    for k, c in enumerate(found if refused else ()):
        number = page.sentence_at(c.start)
        if number not in refused:
            continue
        if re.search("[,，:：;；]", page.masked[refused[number] : c.start]):
            del refused[number]
        else:
            found[k] = c._replace(features=c.features | {"in a refusal"})
    return found + [
        Candidate(*page.sentences[k], "", "declined", frozenset(["refuses"]))
        for k in sorted(refused)
    ]


def ranked(page: Page, found: Iterable[Candidate]) -> list[Candidate]:
    """With what can be said only when all are known, in the order of their places."""
    found = sorted(found)
    asked = [c for c in found if c.start <= page.asked]
    whole = {"whole"} if not re.search(r"[A-Za-z]{2}|[一-鿿]", page.masked) else set()
    result = []
    for side in (asked, found[len(asked) :]):
        told = whole | ({"behind a question"} if asked and side is not asked else set())
        stating = sorted({page.sentence_at(c.start) for c in side if not c.features & MENTIONED})
        explicit = [
            c.start
            for c in side
            if c.features & EXPLICIT and not c.features & {"denied", "goes on"}
        ]
        for c in side:
            last = page.sentence_at(max(c.start, c.end - 1))
            result.append(
                c._replace(
                    later=len(stating) - bisect_right(stating, last),
                    overtaken=len(explicit) - bisect_right(explicit, c.start),
                    features=c.features | told,
                )
            )
    return result


def marked(page: Page, read: Callable[[str], str]) -> Iterator[Candidate]:
    """Boxes, tags and fields, as `read` reads them; one that holds nothing is a refusal."""
    text = page.text
    places = [("answer tag", *tag) for tag in tags(text)[-1:] if tag[0].strip(" .*\n")]
    places += [("answer field", *field) for field in fields(text)[-1:]]
    places += [("boxed", *box) for box in [boxed(text)] if box]
    for rule, content, start, end in places:
        said = read(content) if re.search(r"\w", content) else ""
        features = {rule.removeprefix("answer "), *([] if said else ["refuses"])}
        yield Candidate(start, end, said, rule if said else "declined", frozenset(features))


def _values(sentence: Sentence, kind: AnswerKind | None) -> Iterator[Candidate]:
    """The values of a sentence with what the sentence says of them."""
    page, start = sentence.page, sentence.start
    end = min(sentence.end, start + LONGEST)
    find = _phrases if kind == "text" else _places
    places = find(page, start, end)[-VALUES:]
    if not places and sentence.marks:  # "The answer is C", of a question without options
        places = [place for place in _phrases(page, start, end) if _ALONE.fullmatch(place[2])]
    if not places:
        return
    first_end = places[0][1]
    words_behind = re.search(r"[A-Za-z]{2}|[一-鿿]", page.masked[first_end : sentence.line_end])
    label = not words_behind and sentence.labels(places[0][0])
    figures = any("in words" not in features for *_, features in places)
    joined = any("joined" in features for *_, features in places)
    outer = [k for k, place in enumerate(places) if not sentence.in_brackets(place[0])]
    stated: list[Candidate] = []
    for k, (a, b, said, features) in enumerate(places):
        here = features | sentence.around(a, b, first_end) | _kind(said, kind, features)
        here -= _OF_LETTERS
        if k not in outer or ("behind is" not in here and _REMARK.fullmatch(page.masked, a, b)):
            here.add("in brackets")
        if here & {"aside", "in brackets"}:
            here -= {"ends the sentence", "nearly ends the sentence"}
        elif k in (0, outer[-1]):
            here.add("only value" if outer[-1] == 0 else "last value" if k else "first value")
        here |= page.origin(said, a)
        if here >= {"behind a preposition", "used before"}:
            here.add("used, behind a preposition")
        if k == 0 and label:
            here.add("label")
        if k == 0 and sentence.corrects and "behind is" in here:
            here.add("correction")
        if "in words" in here and figures:
            here.add("beside figures")
        found = candidate(a, b, said, here)
        yield found
        if "behind is" in here or "=" in said:
            stated.append(found)
    if kind in ("set", "tuple") and len(stated) > 1 and not joined:
        last = stated[-1]
        yield last._replace(
            start=stated[0].start, said=", ".join(c.said for c in stated),
            features=last.features - {"no collection"},
        )  # fmt: skip


_OF_LETTERS = frozenset(["choose", "choose, further", "option", "option, further"])


def _places(page: Page, start: int, end: int) -> list[tuple[int, int, str, set[str]]]:
    """Values with their units, lists of them, and numbers in words."""
    text = page.text
    runs = [(a, with_unit(text, b, end)) for a, b in page.runs(start, end)]
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
        a, b = start + numeral.start, start + numeral.end
        k = bisect_right(taken, a) - 1
        if not is_value(text, a, b, numeral):
            continue
        if k >= 0 and a == runs[k][0] and b > runs[k][1]:
            found[k] = (a, b, text[a:b], found[k][3])  # 3万5千
        elif k < 0 or a >= runs[k][1]:
            found.append((a, b, text[a:b], {"in words"}))
    for none in _NONE.finditer(page.masked, start, end):
        found.append((*none.span(1), "0", {"in words"}))
    return sorted(found, key=lambda place: place[:2])


_NONE = re.compile(  # there are no bars
    r"(?:\bthere\s+\w+|\b(?:has|have|had))\s+(no)\b(?=\s)(?!\s+(?:more|less|fewer|other))",
    re.IGNORECASE,
)
_REMARK = re.compile(r"\(\d+\)")


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
    places: list[tuple[int, int, str, set[str]]] = []
    for a, b in sorted(spans.items()):
        if aside := _ASIDE.search(text, a, b):
            b = aside.start()
        a += len(text[a:b]) - len(text[a:b].lstrip(_EDGES))
        b -= len(text[a:b]) - len(text[a:b].rstrip(_EDGES))
        if a < b:
            places.append((a, b, text[a:b], set()))
    return places


_ALONE = re.compile(r"[A-Za-z]|\\[A-Za-z]+\S{0,40}")  # one sign
_PLAIN = re.compile(r"[\s$¥€£\\{}()~+−-]*[\d.,\s]*\d[\d.,\s]*(?:\\?%|°|\^?\{?\\circ\}?)?[\s$}\\)]*")
_SYMBOL = re.compile(r"(?<![A-Za-z\\])[a-zA-Z](?![A-Za-z])|\\(?:alpha|beta|theta)\b")
_COLLECTION = re.compile(
    r"[(\[{].*,.*[)\]}]|[<>≤≥∪∈]|\\(?:le|ge|cup|in|infty|lt|gt)|[,，、]|\bor\b|或|和|±|\\pm"
)


def _has_value(said: str) -> bool:
    """Whether a formula may have a value: one of names and signs alone, $ABF$ or $a$, has none."""
    return any(map(str.isnumeric, said)) or any(name in said for name in _CONSTANTS)


# closed: the numbers and sets that mathematics writes without a figure, and upright words
_CONSTANTS = r"π ∞ √ ∅ \pi \infty \sqrt \empty \math \text e$ e}".split()


def _kind(said: str, kind: AnswerKind | None, features: set[str]) -> set[str]:
    """How a value agrees with the gold's kind."""
    last = said.rsplit("=", 1)[-1]
    if kind in ("number", "choice"):
        if "joined" in features:
            return {"several"} if kind == "number" else set()
        if kind == "number" and not (features & {"in words"} or _has_value(last)):
            return {"no value"}
        symbols = {"symbols"} if _SYMBOL.search(last) else set()
        return {"plain number"} if _PLAIN.fullmatch(last) else symbols
    if kind in ("set", "tuple", "interval"):
        if _COLLECTION.search(said):
            return set()
        return {"no collection"} if _has_value(last) else {"no collection", "no value"}
    if kind == "equation":
        return set() if "=" in said else {"no collection"}
    return set()
