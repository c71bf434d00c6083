"""Where in a reply option letters stand: alone, in a row, as an option's text.

They are candidates as values are, of the same sentences (`candidates`), and have a few features
of their own: brackets, the option's own text behind it, "is right", a list of the options.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from functools import lru_cache
from itertools import takewhile
from operator import itemgetter
from typing import NamedTuple

from ...words import spoken, words
from ..equivalence import Rules, judged
from .candidates import Candidate, declared, declines, scanned
from .option_text import mentions, pieces, spelled
from .page import Page, unmarked
from .sentences import ASIDES, Sentence, sentence_of

NONE = "-"  # what is declared is no option
LAST = 12  # sentences in which options are named by their texts
_TOLD = r"(?:\([^()\n]{0,60}\)|,?\s*\"[^\"\n]{0,60}\")?"  # the option's text behind its letter
_JUDGED = re.compile(
    rf"[\s\"')\]项項]*{_TOLD}(?:,?\s*(?:which|that|but|and|it|this)\b)*\s*(?:(?:选项|[是がは은는이都均全也"
    rf"—-]|{words('is')}|must|should|can|both|all|also|the|my|our|only|most|clearly)\s*)*"
    rf"(?:(?P<wrong>(?:[与和]\w{{1,12}}?)?(?:n't|not\b|{words('wrong')}))"
    rf"|(?P<right>{words('correct')}|best|answer)(?![吗的]))",
    re.IGNORECASE,
)
_PAUSES = "is reason condition relative preposition joins either denies so".split()
_GOES_ON = re.compile(  # A triangle
    rf"\s+(?!{words(*_PAUSES)}|\b(?:the|this|as|which|here|note)\b)[a-z]{{2,}}"
)
_OTHER = re.compile(rf"\W*(?:{words('joins', 'either')}|[/,])\W*(?:(?:the|an?)\s+)?")
_OR = rf"{words('either')}|/"
_BETWEEN = (  # letters of a row, on one line
    rf"[)\]}}\"'”.]{{0,2}}(?:[ \t,，、;；&+]|以及|{words('joins')}"
    rf"|{_OR}|option|选项|[项)(\[\"'“]){{0,24}}+"
)
_LISTED = re.compile(
    r"(?:(?:^|\n)\W{0,4}(?=[A-Z][).:：．、])|(?<=\()(?=[A-Z]\)))(?P<letter>[A-Z])"
)
_ASKS = frozenset("answer option choose is leads pause".split())
_TWO_SENTENCES = re.compile(r"[.!?。！？]\s*\S")
_STOPS = re.compile(r"\s*(?:[.):：,，、(（-]|$)|[^A-Za-z]*$")
_SAID = frozenset(["behind is", "denied"])
MOST = 24  # mentions of one sentence, from its end
_LABELLED = re.compile(r"\s*+[】\]」》]?\s*+[:：]?\s*+(\w[^\nA-Za-z]{0,60}?)\s*\Z")
_WORD = re.compile(r"\w")
_IN_FORMULAS = re.compile(r"[\d√π+·/−-]")
_YES_OR_NO = [
    re.compile(words(role), re.IGNORECASE) for role in ("yes", "no", "negates")
]


class Choice(NamedTuple):
    """The labels of an item, and the texts of its options; these may be empty."""

    labels: tuple[str, ...]
    texts: tuple[str, ...]

    def valued(self, answer: str) -> str:
        """The one option that is equal to an answer, or nothing."""
        said = zip(self.labels, self.texts, strict=True)
        hits = [
            label
            for label, text in said
            if text and judged(answer, text, Rules(), None).equal
        ]
        return hits[0] if len(hits) == 1 else ""


class Row(NamedTuple):
    """Letters in a row: text[start:end]."""

    start: int
    end: int
    letters: tuple[str, ...]
    either: bool  # "or" stands between them


def letters(
    page: Page, choice: Choice, several: bool, whole: bool = False
) -> list[Candidate]:
    """The letters of a reply that may be its answer, in the order of their places."""
    listed = _listed(page.masked)
    least = max(
        (len(t) + 40 for t in choice.texts if _TWO_SENTENCES.search(t)), default=0
    )
    last = len(page.sentences) - 1

    def find(sentence: Sentence) -> Iterator[Candidate]:
        start, end = sentence.start, max(sentence.end, sentence.start + least)
        near = sentence.number > last - LAST
        named: list[tuple[int, int, str]] = []
        if near or _patterns(choice.labels)[0].search(page.masked, start, sentence.end):
            named = [
                (start + a, start + b, label)
                for a, b, label in mentions(
                    page.text[start:end], choice.labels, choice.texts
                )
            ][-MOST:]
        rows = _rows(page.masked, choice, start, sentence.end, named)
        for row in rows[-MOST:]:
            yield _letter(sentence, row, named, row.start in listed)
        if not sentence.number:
            yield from _denied(sentence, choice)
        if sentence.number == last and not rows:
            yield from _no_option(page, choice)
        if near:
            yield from _named(sentence, named, listed)

    boxed = declared(
        page, lambda said: short(said, choice) or ("" if declines(said) else NONE)
    )
    found = scanned(page, find, boxed, several or whole)
    if any(declines(text) for text in choice.texts):
        found = [
            c for c in found if "refuses" not in c.features or "boxed" in c.features
        ]
    return [*found, *_together(found)] if several else found


def _named(
    sentence: Sentence, named: list[tuple[int, int, str]], listed: set[int]
) -> Iterator[Candidate]:
    """The options whose text a sentence names."""
    text, start = sentence.page.text, sentence.start
    end = max([sentence.end, *(b for _, b, _ in named)])
    further = {f"{mark}, further" for mark in sentence.marks} if named else set()
    if any(sentence.line_start <= place <= sentence.end for place in listed):
        further.add("restated")
    for a, b, label in named:
        here = {"text", *further, *(sentence.reach(a).live & _SAID)}
        if not _WORD.search(text, b, end):
            here.add("ends the sentence")
        if len({other for *_, other in named}) == 1:
            here.add("only text")
        elif any(
            _OTHER.fullmatch(text, *gap)
            for c, d, _ in named
            for gap in ((b, c), (d, a))
        ):
            here.add("either")  # red or green
        yield Candidate(start, end, label, _declared(here))


def short(content: str, choice: Choice) -> str:
    """The letters, or the option's text, of a short answer: `(B)`, `B. value`, `A, C`."""
    text = unmarked(content)
    for a, b, said, either in _rows(text, choice, 0, len(text)):
        asked = all(word.roles & _ASKS for word in spoken(text, 0, a))
        if asked and _STOPS.match(text, b):
            return NONE if either else ",".join(said)
    named = mentions(content, choice.labels, choice.texts)
    if len({label for *_, label in named}) == 1:
        a, b, label = named[-1]
        beside = content[content.rfind("=", 0, a) + 1 : a] + content[b:]
        if not any(_IN_FORMULAS.match(piece.said) for piece in pieces(beside)):
            return label
    return choice.valued(content)


@lru_cache(maxsize=64)
def _patterns(labels: tuple[str, ...]) -> tuple[re.Pattern[str], re.Pattern[str]]:
    """A letter, or several without a gap; letters in a row."""
    one = "|".join(map(re.escape, sorted(labels, key=len, reverse=True)))
    lower = one.lower()
    letter = (
        rf"(?<![A-Za-z0-9\\_'’])(?:(?:{one})+|(?<=[(\[\"'])(?:{lower})(?=[.]?[)\]\"'])"
        rf"|(?:{lower})(?=[.)]?\s*$|[.)]\s))"
        r"(?![A-Za-z0-9_^°\\]|['’][a-z]|-[A-Za-z]|\s*[=+*^≤≥∈]|\s*[<>]\s*[\w(]|\s*/(?!\s*[A-Z]))"
    )
    return re.compile(letter), re.compile(rf"{letter}(?:{_BETWEEN}{letter})*+")


@lru_cache(maxsize=64)
def says(labels: tuple[str, ...]) -> re.Pattern[str]:
    """How a formula begins that is letters or words, and no value: `$B$`, `$\\text{So B}$`."""
    letters = _patterns(labels)[1].pattern
    return re.compile(
        rf"(?:\W*{letters}(?:\W*\Z|[).:：])|(?=.*[a-z]{{3}})[^\\\d=+^_<>/*]*\Z)",
        re.IGNORECASE,
    )


def _rows(
    text: str,
    choice: Choice,
    start: int,
    end: int,
    named: Sequence[tuple[int, int, str]] = (),
) -> list[Row]:
    """Letters, and letters in a row, that begin between two places, outside of options' texts."""
    letter, row = _patterns(choice.labels)
    rows = []
    for match in takewhile(
        lambda match: match.start() < end, row.finditer(text, start)
    ):
        own = [
            one
            for one in letter.finditer(text, *match.span())
            if not any(a <= one.start() < one.end() <= b > a + 1 for a, b, _ in named)
        ]
        said: list[str] = []
        for one in map(itemgetter(0), own):
            text_of = (
                spelled(choice.texts[choice.labels.index(said[-1])]) if said else ""
            )
            if one.lower() != text_of:  # not (D) E
                said += next(
                    ([x] for x in (one, one.upper()) if x in choice.labels), [*one]
                )
        if own:
            a, b = own[0].start(), own[-1].end()
            rows.append(
                Row(a, b, tuple(dict.fromkeys(said)), bool(re.search(_OR, text[a:b])))
            )
    return rows


def _listed(text: str) -> set[int]:
    """Where letters only restate the options: A. ... B. ... C. ... in a row."""
    rows: list[list[re.Match[str]]] = []
    for mark in _LISTED.finditer(text):
        if rows and mark["letter"] > rows[-1][-1]["letter"]:
            rows[-1].append(mark)
        else:
            rows.append([mark])
    return {mark.start("letter") for row in rows if len(row) > 1 for mark in row}


def _letter(
    sentence: Sentence, row: Row, named: list[tuple[int, int, str]], restated: bool
) -> Candidate:
    text, (a, b, said, either) = sentence.page.masked, row
    here = sentence.around(a, b, len(text)) - {"goes on"} | {"letter"}
    rest = text[b : b + 80]
    for start, end, label in named:
        if said == (label,) and start >= b and not _WORD.search(text, b, start):
            here.add("own text follows")
            rest = text[end : end + 80]
    judged = _JUDGED.match(rest)
    features = {
        "either": either and len(said) > 1,
        "opens the reply": not _WORD.search(text, 0, a),
        "ends the reply": not _WORD.search(text, b),
        "bracketed": text[a - 1 : a] in ("(", "[") and text[b : b + 1] in (")", "]"),
        "goes on": "own text follows" not in here and _GOES_ON.match(rest),
        "restated": restated and len(said) == 1,
        "is right": judged and judged["right"] and "denied" not in here,
        "denied": judged and (judged["wrong"] or "denied" in here),
    }
    here.update(name for name, has in features.items() if has)
    return Candidate(a, b, ",".join(said), _declared(here))


def _declared(features: set[str]) -> frozenset[str]:
    """With "the correct option for this year is C" as the declaration that it is."""
    said = features & {"answer, further", "option", "option, further"}
    declares = (
        said and "behind is" in features and features.isdisjoint({*ASIDES, "denied"})
    )
    return frozenset(features | {"answer"} if declares else features)


def _together(found: list[Candidate]) -> Iterator[Candidate]:
    """Letters that are called right one by one, or that open the lines behind a label."""
    right = [
        c for c in found if "is right" in c.features and "restated" not in c.features
    ]
    if len({c.said for c in right}) > 1:
        yield right[-1]._replace(said=_all(right), features=frozenset(["one by one"]))
    own = [c for c in found if c.features & {"restated", "alone on its line"}]
    labelled = [k for k, c in enumerate(own) if "answer" in c.features]
    if labelled and len(own) > labelled[-1] + 1:
        own = own[labelled[-1] :]
        features = own[0].features - {"restated"} | {"listed"}
        yield own[0]._replace(said=_all(own), features=features)


def _all(candidates: list[Candidate]) -> str:
    return ",".join(
        dict.fromkeys(letter for c in candidates for letter in c.said.split(","))
    )


def _denied(first: Sentence, choice: Choice) -> Iterator[Candidate]:
    """The option "no", where the options are yes and no, and the first sentence denies."""
    yes, no, negates = _YES_OR_NO
    said = [text.strip(" .") for text in choice.texts]
    for k, text in enumerate(said if len(said) == 2 else []):
        opposite = no.fullmatch(text) and yes.fullmatch(said[1 - k])
        if opposite and negates.search(first.page.masked, first.start, first.end):
            features = frozenset(["denied statement"])
            yield Candidate(first.start, first.end, choice.labels[k], features)


def _no_option(page: Page, choice: Choice) -> Iterator[Candidate]:
    """What is declared at the end, where that is no option: 【答案】无解."""
    last = range(max(0, len(page.sentences) - 3), len(page.sentences))
    labels = [end for k in last for end in sentence_of(page, k).marked("answer")]
    said = _LABELLED.match(page.masked, labels[-1]) if labels else None
    if said and not short(said[1], choice):
        yield Candidate(*said.span(1), NONE, frozenset(["answer"]))
