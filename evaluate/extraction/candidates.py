"""Where in a reply its answer may stand: every candidate with what speaks for and against it.

A candidate is a value (in figures, in a formula, in words) or, where the gold is words, a phrase.
Its features are of the kind "behind the word for answer", "in a reason", "ends its line": the
table `weights.toml` says what each counts. A refusal is a candidate, too.
"""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Iterator
from typing import NamedTuple

from ...problem import AnswerKind
from ...words import numbers, scale_at, spoken, unit, words
from .marked import answer_boxes, fields, joined_boxes, tags
from .page import FORMULA, LONGEST, Page
from .refusals import declines, refusals
from .values import JOIN, UNIT, numeral_end

SENTENCES = 6  # from the end, whose values are candidates although nothing declares them
MARKS = 24  # words that declare, from the end
VALUES = 40  # of one sentence, from its end


class Candidate(NamedTuple):
    """text[start:end] may be the answer `said`; `features` say why, `rule` is the first of them."""

    start: int
    end: int
    said: str
    rule: str
    features: frozenset[str]
    later: int = 0  # sentences with values behind it
    overtaken: int = 0  # declarations behind it


class Mark(NamedTuple):
    """What stands behind `end` is declared."""

    kind: str
    start: int
    end: int


_LEAD = re.compile(
    rf"(?:[^\w{FORMULA}]|{words('is', 'right', 'leads', 'so')}|\bfinal\b)*", re.IGNORECASE
)
_IS = re.compile(rf"(?:{words('is', 'gives')}|[=≈:：])(?:[\W]|{words('leads')})*$", re.IGNORECASE)
_IS_AFTER = re.compile(rf"[^.。\n]{{0,40}}?{words('is')}\W*[\d{FORMULA}]", re.IGNORECASE)
_PREDICATE = re.compile(
    rf"\W*(?:\w+\W+){{0,3}}?(?:is|are)\s+(?:the|our|my)\s+(?:\w+\s+){{0,2}}answer", re.IGNORECASE
)
_LABEL = re.compile(r"\W*(?P<name>[^\W\d][^\n:：=.,。，]{0,40})[:：]\W*$")
_REASON = re.compile(words("reason"), re.IGNORECASE)
_RELATIVE = re.compile(words("relative"), re.IGNORECASE)
_CONDITION = re.compile(words("condition"), re.IGNORECASE)
_PREPOSITION = re.compile(rf"{words('preposition')}\W*$", re.IGNORECASE)
_IS_WHAT = re.compile(rf"\W*{words('is')}(?!\W*[\d{FORMULA}])", re.IGNORECASE)
_SUPPOSES = re.compile(rf"\W*{words('supposes')}", re.IGNORECASE)
_COMPARED = re.compile(rf"{words('compared')}\W*$", re.IGNORECASE)
_CORRECTS = re.compile(rf"\W*{words('corrects')}\b", re.IGNORECASE)
_NEGATED = re.compile(r"(?:\bnot|n't|\bnor|不是|不等于)\W*$", re.IGNORECASE)
_COUNTS = re.compile(r"\bthere(?:'s|\s+(?:\w+\s+){1,3})(?:only|exactly|a total of|about)?\s*$", re.I)
_CLAUSE = re.compile(r"[,，;；:：](?!\d)|\b(?:then|we)\b|则|那么|得", re.IGNORECASE)
_LATIN = re.compile(r"[A-Za-z]{2,}|[一-鿿]")
_PLAIN = re.compile(r"[\s$¥€£\\{}()~+−-]*[\d.,\s]*\d[\d.,\s]*(?:\\?%|°|\^?\{?\\circ\}?)?[\s$}\\)]*")
_SYMBOL = re.compile(r"(?<![A-Za-z\\])[a-zA-Z](?![A-Za-z])|\\(?:alpha|beta|theta)\b")
_COLLECTION = re.compile(r"[(\[{].*,.*[)\]}]|[<>≤≥∪∈]|\\(?:le|ge|cup|in|infty|lt|gt)|[,，、]|\bor\b|或|和|±|\\pm")
_VERB = re.compile(rf"(?:{words('is')}|[:：])(?:\s|{words('leads')})*", re.IGNORECASE)
_BOLD = re.compile(r"\*\*\s*([^*\n]{1,200}?)\s*\*\*")
_ASIDE = re.compile(rf"[,，]?\s+{words('reason', 'condition', 'relative')}|，(?=[即也这因所故故而])|\s*[✓✔✅]")
_EDGES = " \t*_`#>\"“”'.,。，;；！!:：()|"
SHORT = 60  # characters of a reply, or a last line, that is nothing but an answer
_ASK = re.compile(r"[?？]")


def candidates(page: Page, kind: AnswerKind | None) -> list[Candidate]:
    """The candidates of a reply, in the order of their places."""
    marked = [*_marked(page, kind)]
    boxes = [(c.start, c.end) for c in marked]
    marks = marks_of(page.masked, "result", "solution", "so")
    by_sentence: dict[int, list[Mark]] = {}
    for mark in marks:
        by_sentence.setdefault(page.sentence_at(mark.start), []).append(mark)
    wanted = set(by_sentence)
    carried: dict[int, list[Mark]] = {}
    for number, own in by_sentence.items():
        _, end = page.sentences[number]
        on = [m for m in own if _LEAD.fullmatch(page.masked, m.end, max(end, m.end))]
        if on and number + 1 < len(page.sentences):
            carried[number + 1] = on
            wanted.add(number + 1)
    refused = refusals(page)
    found: list[Candidate] = []
    rank, behind_question = 0, False
    for number in range(len(page.sentences) - 1, -1, -1):
        start, end = page.sentences[number]
        if behind_question and start < page.asked and found:
            rank, behind_question = 0, False  # what is behind the question takes nothing away
        behind_question = behind_question or start > page.asked
        if number in refused:
            found.append(Candidate(start, end, "", "declined", frozenset(["refuses"]), rank))
        if rank >= SENTENCES and number not in wanted and not behind_question:
            if page.asked == len(page.text) and not any(n < number for n in (*wanted, *refused)):
                break
            continue
        own = carried.get(number, []) + by_sentence.get(number, [])
        here = [
            c._replace(later=rank) for c in _values(page, number, own, kind)
            if not any(c.start < b and a < c.end for a, b in boxes)
        ]  # fmt: skip
        if number in refused:
            here = [c._replace(features=c.features | {"in a refusal"}) for c in here]
        found += here
        rank += any(not c.features & MENTIONED for c in here)
        if rank and start < page.asked and (
            any(c.features & EXPLICIT for c in here) or any(b <= end for _, b in boxes)
        ):
            break  # what stands before the last declaration is behind it in the order
    later = {c.start: c.later for c in found}
    for c in marked:
        found.append(c._replace(later=len({rank for at, rank in later.items() if at >= c.end})))
    explicit = sorted(c.start for c in found if c.features & EXPLICIT)
    whole = bool(page.masked.strip()) and not _LATIN.search(page.masked)
    unasked = any(c.start < page.asked for c in found)
    return sorted(
        c._replace(
            overtaken=len(explicit) - bisect_right(explicit, c.start),
            features=c.features | ({"whole"} if whole else set())
            | ({"behind a question"} if unasked and c.start > page.asked else set()),
        )
        for c in found
    )  # fmt: skip


# a value in such a place is mentioned, not stated: what stands before it stays the last statement
MENTIONED = frozenset(
    ["supposed", "asked", "compared", "used, behind a preposition", "in brackets", "in a list",
     "behind a colon"]
)  # fmt: skip
EXPLICIT = frozenset(["boxed", "tag", "field", "answer", "hash", "correction"])


def marks_of(text: str, *roles: str) -> list[Mark]:
    """The last words of these roles, and ####."""
    found = [
        Mark("answer" if role == "declares" else role, start, end)
        for role, start, end in spoken(text, "answer", "declares", *roles)
    ]
    found += [Mark("hash", *m.span()) for m in _HASH.finditer(text)] if "####" in text else []
    return sorted(found, key=lambda mark: mark.start)[-MARKS:]


_HASH = re.compile(r"####(?!#)")


def _marked(page: Page, kind: AnswerKind | None) -> Iterator[Candidate]:
    """Boxes, tags and fields; one that holds no value where one is asked for is a refusal."""
    text = page.text
    if boxed := answer_boxes(text):
        content = joined_boxes(text, boxed)
        yield _declared(content, boxed[-1].start, boxed[-1].end, "boxed", kind)
    for content, start, end in tags(text)[-1:]:
        if content.strip(" .*\n"):
            yield _declared(content, start, end, "answer tag", kind)
    for content, start, end in fields(text)[-1:]:
        yield _declared(content, start, end, "answer field", kind)


def _declared(said: str, start: int, end: int, rule: str, kind: AnswerKind | None) -> Candidate:
    empty = not re.search(r"\w", said) or kind == "number" and declines(said)
    features = frozenset([rule.removeprefix("answer "), *(["refuses"] if empty else [])])
    return Candidate(start, end, said, "declined" if empty else rule, features)


def _values(
    page: Page, number: int, marks: list[Mark], kind: AnswerKind | None
) -> Iterator[Candidate]:
    """The values of a sentence with what the sentence says of them."""
    start, end = page.sentences[number]
    masked = page.masked
    find = _phrases if kind == "text" else _places
    places = find(page, start, min(end, start + LONGEST))[-VALUES:]
    if not places:
        return
    shared = set()
    if _SUPPOSES.match(masked, start, end):
        shared.add("supposed")
    corrected = _CORRECTS.match(masked, start, end)
    if end < len(masked) and _ASK.match(masked, end):
        shared.add("asked")
    line_end = masked.find("\n", end)
    line_end = len(masked) if line_end < 0 else line_end
    line_start = masked.rfind("\n", 0, start) + 1
    label = _LABEL.match(masked, line_start, places[0][0])
    stated: list[tuple[int, int, str, set[str]]] = []
    outer = [k for k, p in enumerate(places) if not _in_brackets(masked[start : p[0]])] or [-1]
    figures = any("in words" not in place[3] for place in places)
    first_end = places[0][1]
    for k, (a, b, said, features) in enumerate(places):
        here = shared | features | _place(page, start, end, a, b, said, first_end)
        first = k == 0
        if not here & {"in brackets", "aside"}:
            last = k == outer[-1]
            rank = "only value" if first and last else "first value" if first else "last value"
            if first or last:
                here.add(rank)
        if corrected and first and "behind is" in here:
            here.add("correction")
        if "in words" in here and figures:
            here.add("beside figures")
        if not label and masked.find(":", first_end, a) >= 0:
            here.add("behind a colon")
        if label and first and not _LATIN.search(masked, b, line_end):
            here.add("label")
        before = [m for m in marks if m.end <= a]
        for mark in before:
            lead = _LEAD.fullmatch(masked, mark.end, a) if a - mark.end < 100 else None
            here.add(mark.kind if lead else f"{mark.kind}, further")
        here |= _kind(said, kind)
        if kind == "number" and "joined" in here:
            here.add("several")
        yield Candidate(a, b, said, _rule(here), frozenset(here))
        if ("behind is" in here or "=" in said) and "joined" not in here:
            stated.append((a, b, said, here))
    if kind in ("set", "tuple") and len(stated) > 1 and not any("joined" in place[3] for place in places):
        here = frozenset(stated[-1][3] - {"no collection"} | {"assembled"})
        said = ", ".join(part for _, _, part, _ in stated)
        yield Candidate(stated[0][0], stated[-1][1], said, _rule(set(here)), here)


def _places(page: Page, start: int, end: int) -> list[tuple[int, int, str, set[str]]]:
    """Values with their units, lists of them, and numbers in words."""
    text = page.text
    runs = [(a, _with_unit(text, b, end)) for a, b in page.runs(start, end)]
    found: list[tuple[int, int, str, set[str]]] = [
        (a, b, text[a:b], set()) for a, b in runs
    ]
    first = None
    for k, ((a, b), (c, d)) in enumerate(zip(runs, runs[1:], strict=False)):
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
        b = numeral_end(text, a)
        k = bisect_right(taken, a) - 1
        if b and k >= 0 and a == runs[k][0] and b > runs[k][1]:
            found[k] = (a, b, text[a:b], found[k][3])  # 3万5千
        elif b and not (k >= 0 and a < runs[k][1]):
            found.append((a, b, text[a:b], {"in words", *(["one"] if numeral.value == 1 else [])}))
    for none in re.finditer(r"\b[Nn]o\b(?= )", page.masked[start:end]):
        found.append((start + none.start(), start + none.end(), "0", {"in words", "no"}))
    return sorted(found, key=lambda place: place[:2])


def _phrases(page: Page, start: int, end: int) -> list[tuple[int, int, str, set[str]]]:
    """What is said in words: behind the verb, in bold, or all of a short sentence."""
    text, found = page.text, {}
    for mark in marks_of(page.masked[start:end]):
        if lead := _LEAD.match(page.masked, start + mark.end, end):
            found[lead.end()] = end
    for verb in [*_VERB.finditer(page.masked, start, end)][-3:]:
        found[verb.end()] = end
    for bold in _BOLD.finditer(text, start, end):
        found[bold.start(1)] = bold.end(1)
    if end - start <= SHORT:
        found[start] = end
    places = []
    for a, b in sorted(found.items()):
        if aside := _ASIDE.search(text, a, b):
            b = aside.start()
        a += len(text[a:b]) - len(text[a:b].lstrip(_EDGES))
        b -= len(text[a:b]) - len(text[a:b].rstrip(_EDGES))
        if a < b:
            places.append((a, b, text[a:b], {"phrase"}))
    return places


def _with_unit(text: str, end: int, bound: int) -> int:
    scaled = scale_at(text, end)[1] if end < bound else end
    found = UNIT.match(text, scaled, bound)
    if not found or (found[0].strip().isalpha() and unit(found[0].strip()) is None):
        return scaled
    return found.end()


def _in_brackets(before: str) -> bool:
    return before.rfind("(") > before.rfind(")")


def _place(page: Page, start: int, end: int, a: int, b: int, said: str, first_end: int) -> set[str]:
    """What the sentence says around a value."""
    masked, text = page.masked, page.text
    found = set()
    near = masked[max(start, a - 60) : a]
    rest = masked[b:end]
    if not rest.strip(" *_.,)\"”’，、✓✔✅"):
        found.add("ends the sentence")
    elif not _LATIN.search(rest) or len(rest.split()) <= 3:
        found.add("nearly ends the sentence")
    line_start, line_end = text.rfind("\n", 0, a) + 1, text.find("\n", b)
    alone = masked[line_start:a] + masked[b : line_end if line_end >= 0 else len(text)]
    if not alone.strip(" *_.,$\t|#:"):
        found.add("alone on its line")
    if text[max(0, a - 3) : a].strip().endswith("**") and text[b : b + 4].lstrip(" .").startswith("**"):
        found.add("bold")
    if _COUNTS.search(near):
        found.add("counted")
    elif _IS.search(near):
        found.add("behind is")
    if _IS_AFTER.match(rest):
        found.add("before is")
    if _PREDICATE.match(rest):
        found.add("is the answer")
    if _COMPARED.search(near):
        found.add("compared")
    if _NEGATED.search(near):
        found.add("negated")
    sentence = masked[start:a]
    clause = [m.end() for m in _CLAUSE.finditer(sentence)]
    own = clause[-1] if clause else 0
    for name, pattern in (("reason", _REASON), ("condition", _CONDITION), ("relative", _RELATIVE)):
        if reasons := [m.start() for m in pattern.finditer(sentence)]:
            found.add(name if reasons[-1] >= own else f"behind a {name}")
            if reasons[-1] >= own and start + reasons[-1] >= first_end > 0:
                found.add("aside")
    if _PREPOSITION.search(near):
        found.add("behind a preposition")
    if _IS_WHAT.match(rest):
        found.add("is what")
    found |= page.numbers.said_before(said, a)
    if _in_brackets(sentence):
        found.add("in brackets")
    if found & {"aside", "in brackets"}:
        found -= {"ends the sentence", "nearly ends the sentence"}
    if found >= {"behind a preposition", "used before"}:
        found.add("used, behind a preposition")
    if rest.lstrip(" *").startswith(("=", "≈", "\\approx")):
        found.add("goes on")
    if re.match(r"\s*(?:/|per\b|each\b|every\b|a\s|times\b|more\b|of\b)", rest):
        found.add("of a part")
    return found


def _kind(said: str, kind: AnswerKind | None) -> set[str]:
    """How a value agrees with the gold's kind."""
    plain = bool(_PLAIN.fullmatch(said.rsplit("=", 1)[-1]))
    if kind in ("number", "choice"):
        return {"plain number"} if plain else ({"symbols"} if _SYMBOL.search(said.rsplit("=", 1)[-1]) else set())
    if kind in ("set", "tuple", "interval"):
        return {"collection"} if _COLLECTION.search(said) else {"no collection"}
    if kind == "equation":
        return {"equation"} if "=" in said else {"no equation"}
    if kind in ("expression", "matrix"):
        return {"symbols wanted"} if _SYMBOL.search(said.rsplit("=", 1)[-1]) else {"no symbols"}
    return set()


_RULES = {
    "answer": "declared", "hash": "declared", "is the answer": "declared",
    "answer, further": "declared", "label": "labelled", "correction": "correction",
    "result": "declared", "so": "conclusion", "so, further": "conclusion", "whole": "whole reply",
}  # fmt: skip


def _rule(features: set[str]) -> str:
    return next((rule for name, rule in _RULES.items() if name in features), "stated")
