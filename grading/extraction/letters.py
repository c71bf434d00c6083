"""Where in a reply option letters stand: alone, in a row, as an option's text.

They are candidates as values are, of the same sentences (`candidates`), and have a few features
of their own: brackets, the option's own text behind it, "is right", a list of the options.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from functools import lru_cache
from typing import NamedTuple

from ...words import spoken, words
from ..equivalence import Rules, judged, judgement
from .candidates import Candidate, closing, declared, declines, scanned
from .option_text import mentions, pieces, spelled
from .page import Page, unmarked
from .sentences import ASIDES, Sentence, sentence_of

NONE = "-"  # what is declared is no option
LAST = 12  # sentences in which options are named by their texts
MOST = 24  # mentions of one sentence, from its end
BEHIND = 120  # characters behind a sentence's end that letters at its end look at
DECLARATION = 3  # sentences at the end in which no option may be declared
_OPTION_TEXT = r"(?:\([^()\n]{0,60}\)|,?\s*\"[^\"\n]{0,60}\")?"
_CONNECTS = r"(?:,?\s{0,9}(?:which|that|but|and|it|this)\b){0,9}"
_IS = (
    rf"(?:(?:选项|[是がは은는이都均全也—-]|{words('is')}"
    r"|must|should|can|both|all|also|the|my|our|only|most|clearly)\s{0,9}+){0,9}+"
)
_ENDS_LINE = r"(?=\W*(?:\n|\Z))"
_NO_ALONE = rf"(?:{words('no')}|[✗✘❌]){_ENDS_LINE}"
_YES_ALONE = rf"(?:{words('yes')}|[✓✔✅]){_ENDS_LINE}"
_WRONG = rf"(?:[与和]\w{{1,12}}?)?(?:n't|not\b|{words('wrong')})|{_NO_ALONE}"
_RIGHT = rf"(?:{words('correct')}|best|better|answer)(?![吗的])|{_YES_ALONE}"
# Behind a letter: "(3 cm), which is clearly not", "项是正确".
_JUDGED = re.compile(
    rf"[\s\"')\]项項]{{0,9}}+{_OPTION_TEXT}{_CONNECTS}\s{{0,9}}{_IS}"
    rf"(?:(?P<wrong>{_WRONG})|(?P<right>{_RIGHT}))",
    re.IGNORECASE,
)
# At the end of an option's line in a list: "B. 15 - no".
_LISTED_JUDGED = re.compile(
    rf"[^\n]{{0,60}}?[\s:：(-]\s?(?:(?P<wrong>{_NO_ALONE})|(?P<right>{_YES_ALONE}))",
    re.IGNORECASE,
)
_PAUSES = "is reason condition relative preposition joins either denies so".split()
_GOES_ON = re.compile(  # A triangle
    rf"\s+(?!{words(*_PAUSES)}|\b(?:the|this|as|which|here|note)\b)[a-z]{{2,}}"
)
# What joins one option's text to the next: "red or the green".
_JOINS = re.compile(rf"\W*(?:{words('joins', 'either')}|[/,])\W*(?:(?:the|an?)\s+)?")
_OR = rf"{words('either')}|/"
_EITHER = re.compile(_OR)
_BETWEEN = (  # letters of a row, on one line
    rf"(?:[)\]}}\"'”]|\.(?!\s)){{0,2}}(?:[ \t,，、;；&+]|以及|{words('joins')}"
    rf"|{_OR}|option|选项|[项)(\[\"'“]){{0,24}}+"
)
# A letter that opens a line, or stands in brackets, as those of a list of options do.
_LISTED = re.compile(
    r"(?:(?:^|\n)\W{0,4}(?=[A-Z][).:：．、])|(?<=\()(?=[A-Z]\)))(?P<letter>[A-Z])"
)
_ASKS = frozenset("answer option choose is leads pause".split())
_TWO_SENTENCES = re.compile(r"[.!?。！？]\s*\S")
_STOPS = re.compile(r"\s*(?:[.):：,，、(（-]|$)|[^A-Za-z]*$")
_REACHING = frozenset(["behind is", "denied"])
_LABELLED = re.compile(r"\s*+[】\]」》]?\s*+[:：]?\s*+(\w[^\nA-Za-z]{0,60}?)\s*\Z")
_WORD = re.compile(r"\w")
_IN_FORMULAS = re.compile(r"[\d√π+·/−-]")
_YES, _NO, _NEGATES = (
    re.compile(words(role), re.IGNORECASE) for role in ("yes", "no", "negates")
)
# What may stand beside a letter; what makes it a name, a unit or part of a formula.
_LETTER_BEFORE = r"(?<![A-Za-z0-9\\_'’])"
_LETTER_BEHIND = (
    r"(?![A-Za-z0-9_^°\\]|['’][a-z]|-[A-Za-z]"
    r"|\s*[=+*^≤≥∈]|\s*[<>]\s*[\w(]|\s*/(?!\s*[A-Z]))"
)


class Choice(NamedTuple):
    """The labels of an item, and the texts of its options; these may be empty."""

    labels: tuple[str, ...]
    texts: tuple[str, ...]

    def valued(self, answer: str) -> str:
        """The one option that is equal to an answer, or nothing."""
        equal = [
            label
            for label, text in zip(self.labels, self.texts, strict=True)
            if text and judged(answer, text, Rules(), None).equal
        ]
        return equal[0] if len(equal) == 1 else ""


Mention = tuple[
    int, int, str
]  # text[start:end] is the text of the option with this label


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
    least = _least_length(choice)

    def find(sentence: Sentence) -> Iterator[Candidate]:
        start = sentence.start
        last = len(page.sentences) - 1
        listed = _listed(page.masked)
        near = sentence.number > last - LAST
        named: list[Mention] = []
        if near or _patterns(choice.labels)[0].search(page.masked, start, sentence.end):
            end = max(sentence.end, start + least)
            found = mentions(page.text[start:end], choice.labels, choice.texts)[-MOST:]
            named = [(start + a, start + b, label) for a, b, label in found]
        rows = _rows(page.masked, choice, start, sentence.end, named)
        for row in rows[-MOST:]:
            yield _letter(sentence, row, named, choice, row.start in listed)
        if sentence.number == 0:
            yield from _denied(sentence, choice)
        if sentence.number == last and not rows:
            yield from _no_option(page, choice)
        if near:
            yield from _named(sentence, named, listed)

    def content(text: str) -> str:
        """What a box holds: options, nothing where it refuses, else no option."""
        return short(text, choice) or ("" if declines(text) else NONE)

    boxes = list(declared(page, content))
    if not whole and (last := closing(page.text, boxes)):
        return [last]
    candidates = scanned(page, find, boxes, several or whole)
    if any(map(declines, choice.texts)):  # an option says that there is no answer
        candidates = [
            c
            for c in candidates
            if "refuses" not in c.features or "boxed" in c.features
        ]
    return [*candidates, *_together(candidates)] if several else candidates


def _least_length(choice: Choice) -> int:
    """How far behind its start a sentence is read: options of two sentences must fit."""
    texts = [text for text in choice.texts if _TWO_SENTENCES.search(text)]
    return max(map(len, texts)) + 40 if texts else 0


def _named(
    sentence: Sentence, named: list[Mention], listed: set[int]
) -> Iterator[Candidate]:
    """The options whose text a sentence names."""
    if not named:
        return
    text = sentence.page.text
    end = max(sentence.end, *(b for _, b, _ in named))
    of_all = {"text", *(f"{mark}, further" for mark in sentence.marks)}
    if any(sentence.line_start <= place <= sentence.end for place in listed):
        of_all.add("restated")
    only_one = len({label for *_, label in named}) == 1
    for a, b, label in named:
        here = of_all | (sentence.reach(a).live & _REACHING)
        if not _WORD.search(text, b, end):
            here.add("ends the sentence")
        if only_one:
            here.add("only text")
        elif any(_are_joined(text, (a, b), (c, d)) for c, d, _ in named):
            here.add("either")  # red or green
        yield Candidate(sentence.start, end, label, _declared(here))


def _are_joined(text: str, place: tuple[int, int], beside: tuple[int, int]) -> bool:
    (a, b), (c, d) = place, beside
    return bool(_JOINS.fullmatch(text, b, c) or _JOINS.fullmatch(text, d, a))


def short(content: str, choice: Choice) -> str:
    """The letters, or the option's text, of a short answer: `(B)`, `B. value`, `A, C`."""
    text = unmarked(content)
    for start, end, labels, either in _rows(text, choice, 0, len(text)):
        leads = all(word.roles & _ASKS for word in spoken(text, 0, start))
        if leads and _STOPS.match(text, end):
            return NONE if either else ",".join(labels)
    named = mentions(content, choice.labels, choice.texts)
    if len({label for *_, label in named}) == 1:
        start, end, label = named[-1]
        left_side = content.rfind("=", 0, start) + 1
        beside = content[left_side:start] + content[end:]
        if not any(_IN_FORMULAS.match(piece.said) for piece in pieces(beside)):
            return label
    return choice.valued(content)


@lru_cache(maxsize=64)
def _patterns(labels: tuple[str, ...]) -> tuple[re.Pattern[str], re.Pattern[str]]:
    """A letter, or several without a gap; letters in a row.

    Small letters count in brackets or quotes, at the end of the text, and with a mark behind them.
    """
    upper = "|".join(map(re.escape, sorted(labels, key=len, reverse=True)))
    lower = upper.lower()
    letter = (
        rf"{_LETTER_BEFORE}(?:(?:{upper})+|(?<=[(\[\"'])(?:{lower})(?=[.]?[)\]\"'])"
        rf"|(?<=[:：]\s)(?=(?:{lower}){{2}}){_ascending(labels)}(?=\.?\s*$)"
        rf"|(?:{lower})(?=[.)]?\s*$|[.)]\s|(?:,\s*|\s+and\s+)(?:{lower})\b)){_LETTER_BEHIND}"
    )
    return re.compile(letter), re.compile(rf"{letter}(?:{_BETWEEN}{letter})*+")


def _ascending(labels: Sequence[str]) -> str:
    """Small letters in their order: ac, abd; those of words are in none."""
    return "".join(f"{label.lower()}?" for label in labels if len(label) == 1)


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
    named: Sequence[Mention] = (),
) -> list[Row]:
    """Letters, and letters in a row, that begin between two places, outside of options' texts."""
    letter_pattern, row_pattern = _patterns(choice.labels)
    rows = []
    for match in row_pattern.finditer(text, start, end + BEHIND):
        if match.start() >= end:
            break
        letters = [  # a row ends with its sentence
            letter
            for letter in letter_pattern.finditer(text, *match.span())
            if letter.start() < end
            and not any(_is_within(letter, mention) for mention in named)
        ]
        for row in _without_repetition(letters):
            first = row[0].start()
            behind = row[-1].end()
            labels = _labels([letter[0] for letter in row], choice)
            either = _EITHER.search(text[first:behind]) is not None
            rows.append(Row(first, behind, labels, either))
    return rows


def _without_repetition(letters: list[re.Match[str]]) -> Iterator[list[re.Match[str]]]:
    """Rows that name each letter once: "between C and D, C" are two."""
    row: list[re.Match[str]] = []
    for letter in letters:
        if letter[0] in [before[0] for before in row]:
            yield row
            row = []
        row.append(letter)
    if row:
        yield row


def _is_within(letter: re.Match[str], mention: Mention) -> bool:
    """Does a letter stand in the text of an option, and is that not the letter itself?"""
    start, end, _ = mention
    return end > start + 1 and start <= letter.start() and letter.end() <= end


def _labels(letters: Sequence[str], choice: Choice) -> tuple[str, ...]:
    """The labels that letters of a row name, each once."""
    labels: list[str] = []
    for letter in letters:
        before = choice.texts[choice.labels.index(labels[-1])] if labels else ""
        if letter.lower() == spelled(before):  # the text of D in (D) E
            continue
        if letter in choice.labels:
            labels.append(letter)
        elif letter.upper() in choice.labels:
            labels.append(letter.upper())
        else:
            several = letter if letter[0] in choice.labels else letter.upper()
            labels += several  # ABD
    return tuple(dict.fromkeys(labels))


@lru_cache(maxsize=2)  # each sentence asks
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
    sentence: Sentence,
    row: Row,
    named: list[Mention],
    choice: Choice,
    restated: bool,
) -> Candidate:
    """Letters in a row, with what stands around them and what is said of them behind."""
    text = sentence.page.masked
    start, end, labels, either = row
    here = sentence.around(start, end, len(text)) - {"goes on"} | {"letter"}
    behind = end
    for a, b, label in named:
        if labels == (label,) and a >= end and not _WORD.search(text, end, a):
            here.add("own text follows")
            behind = b
    rest = text[behind : behind + 80]
    verdict = _judged(rest, [a - behind for a, *_ in named])
    own = choice.texts[choice.labels.index(labels[0])] if restated else ""
    if restated and judgement(own) is None:
        listed = _LISTED_JUDGED.match(text, end)
        verdict = listed or verdict
        restated = not listed
    denied = "denied" in here
    bracketed = text[start - 1 : start] in ("(", "[") and text[end : end + 1] in (
        ")",
        "]",
    )
    features = {
        "either": either and len(labels) > 1,
        "opens the reply": not _WORD.search(text, 0, start),
        "ends the reply": not _WORD.search(text, end),
        "bracketed": bracketed,
        "goes on": "own text follows" not in here and _GOES_ON.match(rest),
        "restated": restated and len(labels) == 1,
        "is right": verdict and verdict["right"] and not denied,
        "denied": verdict and (verdict["wrong"] or denied),
    }
    here.update(name for name, holds in features.items() if holds)
    return Candidate(start, end, ",".join(labels), _declared(here))


def _judged(rest: str, options: Sequence[int]) -> re.Match[str] | None:
    """What is said of a letter behind it; (A) no judges nothing where "no" is an option's text."""
    verdict = _JUDGED.match(rest)
    if verdict and verdict.start(verdict.lastgroup or 0) in options:
        return None
    return verdict


def _declared(features: set[str]) -> frozenset[str]:
    """With "the correct option for this year is C" as the declaration that it is."""
    is_named = not features.isdisjoint(("answer, further", "option", "option, further"))
    is_stated = "behind is" in features and features.isdisjoint({*ASIDES, "denied"})
    return frozenset(features | {"answer"} if is_named and is_stated else features)


def _together(candidates: list[Candidate]) -> Iterator[Candidate]:
    """Letters that are called right one by one, or that open the lines behind a label."""
    right = [
        c
        for c in candidates
        if "is right" in c.features and "restated" not in c.features
    ]
    if len({c.answer for c in right}) > 1:
        one_by_one = frozenset(["one by one"])
        yield right[-1]._replace(answer=_all(right), features=one_by_one)
    openers = [c for c in candidates if c.features & {"restated", "alone on its line"}]
    labelled = [k for k, c in enumerate(openers) if "answer" in c.features]
    if labelled and len(openers) > labelled[-1] + 1:
        first, *_ = behind = openers[labelled[-1] :]
        features = first.features - {"restated"} | {"listed"}
        yield first._replace(answer=_all(behind), features=features)


def _all(candidates: list[Candidate]) -> str:
    """The labels of all, each once."""
    answers = ",".join(c.answer for c in candidates)
    return ",".join(dict.fromkeys(answers.split(",")))


def _denied(first: Sentence, choice: Choice) -> Iterator[Candidate]:
    """The option "no", where the options are yes and no, and the first sentence denies."""
    if len(choice.texts) != 2:
        return
    a, b = (text.strip(" .") for text in choice.texts)
    for label, text, opposite in zip(choice.labels, (a, b), (b, a), strict=True):
        is_no = _NO.fullmatch(text) and _YES.fullmatch(opposite)
        if is_no and _NEGATES.search(first.page.masked, first.start, first.end):
            features = frozenset(["denied statement"])
            yield Candidate(first.start, first.end, label, features)


def _no_option(page: Page, choice: Choice) -> Iterator[Candidate]:
    """What is declared at the end, where that is no option: 【答案】无解."""
    labels: list[int] = []
    for number in range(len(page.sentences))[-DECLARATION:]:
        labels += sentence_of(page, number).marked("answer")
    declared = _LABELLED.match(page.masked, labels[-1]) if labels else None
    if declared and not short(declared[1], choice):
        yield Candidate(*declared.span(1), NONE, frozenset(["answer"]))
