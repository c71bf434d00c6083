"""Where in a reply option letters stand: alone, in a row, as an option's text.

They are candidates as values are, of the same sentences (`candidates`), and have a few features
of their own: brackets, the option's own text behind it, "is right", a list of the options.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from contextlib import suppress
from functools import lru_cache
from itertools import islice
from typing import NamedTuple

from ...words import spoken, words
from ..answers import LimitExceeded, ParseError, read
from ..equivalence import Rules, same
from .candidates import Candidate, declared, declines, marked, scanned
from .option_text import MOST, mentions_of, words_at
from .page import Page, unmarked
from .sentences import Sentence, sentence_of

NONE = "-"  # what is declared is no option
_TOLD = r"(?:\([^()\n]{0,60}\)|,?\s*\"[^\"\n]{0,60}\")?"  # the option's text behind its letter
_JUDGED = re.compile(
    rf"[\s\"')\]项項]*{_TOLD}(?:,?\s*(?:which|that|but|and|it|this)\b)*\s*(?:(?:选项|[是がは은는이都均全也"
    rf"—-]|{words('is')}|must|should|can|both|all|also|the|my|our|only|most|clearly)\s*)*"
    rf"(?:(?P<wrong>(?:[与和]\w{{1,12}}?)?(?:n't|not\b|{words('wrong')}))"
    rf"|(?P<right>{words('correct')}|best|answer)(?![吗的]))",
    re.IGNORECASE,
)
_PAUSES = ("is", "reason", "condition", "relative", "preposition", "joins", "denies", "so")
_GOES_ON = re.compile(  # A triangle
    rf"\s+(?!{words(*_PAUSES)}|\b(?:the|this|as|which|here|note)\b)[a-z]{{2,}}"
)
_YES, _NO = re.compile(words("yes"), re.IGNORECASE), re.compile(words("no"), re.IGNORECASE)
_NEGATES = re.compile(words("negates"), re.IGNORECASE)
_BETWEEN = re.compile(
    r"[)\]}\"'”.]{0,2}(?:[\s,，、;；&+]|and(?![a-z])|以及|[和与及]|(?P<or>or(?![a-z])|或者?|/)"
    r"|option|选项|[项)(\[\"'“])*"
)
_LISTED = re.compile(r"(?:(?:^|\n)\W{0,4}(?=[A-Z][).:：．、])|(?<=\()(?=[A-Z]\)))(?P<letter>[A-Z])")
_ASKS = frozenset("answer option choose is leads pause".split())
_TWO_SENTENCES = re.compile(r"[.!?。！？]\s*\S")
_STOPS = re.compile(r"\s*(?:[.):：,，、(（-]|$)|[^A-Za-z]*$")
_TEXT_LEAD = re.compile(r"[\s().:：、．\-,\]\"'，。]*")
# what reading two answers side by side may raise
_UNREADABLE = (
    ParseError, LimitExceeded, RecursionError, ValueError, ArithmeticError, LookupError,
)  # fmt: skip


class Choice(NamedTuple):
    """The labels of an item, and the texts of its options; these may be empty."""

    labels: tuple[str, ...]
    texts: tuple[str, ...]

    def text_of(self, label: str) -> str:
        found = dict(zip(self.labels, self.texts, strict=True)).get(label, "")
        return found.casefold().strip()

    def equal(self, answer: str) -> str:
        """The one option that is equal to an answer, or nothing."""
        hits = []
        for label, option in zip(self.labels, self.texts, strict=True):
            with suppress(*_UNREADABLE):
                if option and same(read(option), read(answer), Rules()):
                    hits.append(label)
        return hits[0] if len(hits) == 1 else ""


class Group(NamedTuple):
    """Letters in a row."""

    start: int
    end: int
    letters: list[str]
    either: bool  # "or" stands between them


def letters(page: Page, choice: Choice, several: bool, whole: bool = False) -> list[Candidate]:
    """The letters of a reply that may be its answer, in the order of their places."""
    page = page.unmarked()
    groups: dict[int, list[Group]] = {}
    for group in _groups(page.masked, choice, _told_by_texts(page.text, choice)):
        groups.setdefault(page.sentence_at(group.start), []).append(group)
    listed = _listed(page.masked)
    reach = max((len(t) + 40 for t in choice.texts if _TWO_SENTENCES.search(t)), default=0)

    def find(sentence: Sentence) -> Iterator[Candidate]:
        for group in groups.get(sentence.number, [])[-MOST:]:
            yield _letter(sentence, group, choice, group.start in listed)
        if not sentence.number:
            yield from _denied(page, choice)
        if sentence.number < last:
            return
        text = page.text[sentence.start : max(sentence.end, sentence.start + reach)]
        for label, said in mentions_of(text, choice.labels, choice.texts):
            here = {"text", *said, *(f"{mark}, further" for _, mark in sentence.marks)}
            if any(sentence.line_start <= place <= sentence.end for place in listed):
                here.add("restated")
            yield Candidate(sentence.start, sentence.end, label, declared(here))

    boxed = marked(
        page, lambda content: short(content, choice) or ("" if declines(content) else NONE)
    )
    last = max(0, len(page.sentences) - LAST)
    nothing = [] if len(page.sentences) - 1 in groups else _no_option(page, choice)
    found = scanned(page, find, [*boxed, *nothing], several or whole)
    if any(declines(text) for text in choice.texts):
        found = [c for c in found if "refuses" not in c.features or "boxed" in c.features]
    return [*found, *_together(found)] if several else found


LAST = 12  # sentences in which options are named by their texts


def short(content: str, choice: Choice) -> str:
    """The letters, or the option's text, of a short answer: `(B)`, `B. value`, `A, C`."""
    text = unmarked(content)
    for a, b, said, either in _groups(text, choice, []):
        asked = all(word.roles & _ASKS for word in spoken(text, 0, a))
        if asked and _STOPS.match(text, b):
            return NONE if either else ",".join(dict.fromkeys(said))
    found = mentions_of(content, choice.labels, choice.texts)
    if len({label for label, _ in found}) == 1:
        return found[-1][0]
    return choice.equal(content)


@lru_cache(maxsize=64)
def _pattern(labels: tuple[str, ...]) -> re.Pattern[str]:
    one = "|".join(map(re.escape, sorted(labels, key=len, reverse=True)))
    lower = one.lower()
    return re.compile(
        rf"(?<![A-Za-z0-9\\_'’])(?:(?P<run>(?:{one}){{2,}})|(?P<one>{one}"
        rf"|(?<=[(\[\"'])(?:{lower})(?=[.]?[)\]\"'])|(?:{lower})(?=[.)]?\s*$|[.)]\s)))"
        r"(?![A-Za-z0-9_^°\\]|['’][a-z]|-[A-Za-z]|\s*[=+*^≤≥∈]|\s*[<>]\s*[\w(]|\s*/(?!\s*[A-Z]))"
    )


def _groups(text: str, choice: Choice, told: list[tuple[int, int]]) -> Iterator[Group]:
    """Letters, and letters in a row, outside of options' texts."""
    group: Group | None = None
    for match in _pattern(choice.labels).finditer(text):
        a, b = match.span()
        if any(start <= a < end for start, end in told):
            continue
        one = match["one"]
        said = [one.upper() if one.upper() in choice.labels else one] if one else [*match["run"]]
        gap = None
        if group and a - group.end < 30 and "\n" not in text[group.end : a]:
            gap = _BETWEEN.fullmatch(text, group.end, a)
        if group and gap and choice.text_of(group.letters[-1]) != match[0].casefold():  # not (D) E
            group = Group(group.start, b, group.letters + said, group.either or bool(gap["or"]))
            continue
        if group:
            yield group
        group = Group(a, b, said, False)
    if group:
        yield group


def _told_by_texts(text: str, choice: Choice) -> list[tuple[int, int]]:
    """Where the reply says the text of an option in which letters stand: "AD", "A and C"."""
    lettered = _lettered(choice)
    return [place for option in lettered for place in islice(words_at(text, option), MOST)]


@lru_cache(maxsize=64)
def _lettered(choice: Choice) -> tuple[str, ...]:
    """The texts of options in which letters stand."""
    find = _pattern(choice.labels).search
    return tuple(dict.fromkeys(t for t in choice.texts if len(t) > 1 and find(unmarked(t))))


def _listed(text: str) -> set[int]:
    """Where letters only restate the options: A. ... B. ... C. ... in a row."""
    rows: list[list[re.Match[str]]] = []
    for mark in _LISTED.finditer(text):
        if rows and mark["letter"] > rows[-1][-1]["letter"]:
            rows[-1].append(mark)
        else:
            rows.append([mark])
    return {mark.start("letter") for row in rows if len(row) > 1 for mark in row}


def _letter(sentence: Sentence, group: Group, choice: Choice, restated: bool) -> Candidate:
    text, (a, b, said, either) = sentence.page.masked, group
    here = sentence.around(a, b, len(text)) - {"goes on"} | {"letter"}
    distinct = [*dict.fromkeys(said)]
    if len(distinct) > 1 and either:
        here.add("either")
    if not re.search(r"\w", text[:a]):
        here.add("opens the reply")
    if not re.search(r"\w", text[b:]):
        here.add("ends the reply")
    if text[a - 1 : a] in ("(", "[") and text[b : b + 1] in (")", "]"):
        here.add("bracketed")
    rest = text[b : b + 80]
    if len(distinct) == 1 and (own := choice.text_of(distinct[0])):
        after = text[_TEXT_LEAD.match(text, b).end() :][: len(own)].casefold()  # type: ignore[union-attr]
        if after.startswith(own[:20]) and after == own[: len(after)]:
            here.add("own text follows")
            rest = rest.casefold().partition(own)[2]
    if _GOES_ON.match(rest) and "own text follows" not in here:
        here.add("goes on")
    if restated and len(said) == 1:
        here.add("restated")
    if judged := _JUDGED.match(rest):
        here.add("is right" if judged["right"] and "denied" not in here else "denied")
    return Candidate(a, b, ",".join(distinct), declared(here))


def _together(found: list[Candidate]) -> Iterator[Candidate]:
    """Letters that are called right one by one, or that open the lines behind a label."""
    right = [c for c in sorted(found) if "is right" in c.features and "restated" not in c.features]
    if len({c.said for c in right}) > 1:
        said = ",".join(dict.fromkeys(letter for c in right for letter in c.said.split(",")))
        yield right[-1]._replace(said=said, features=frozenset(["one by one"]))
    own = [c for c in sorted(found) if c.features & {"restated", "alone on its line"}]
    labelled = [k for k, c in enumerate(own) if "answer" in c.features]
    if labelled and len(own) > labelled[-1] + 1:
        own = own[labelled[-1] :]
        said = ",".join(dict.fromkeys(letter for c in own for letter in c.said.split(",")))
        yield own[0]._replace(said=said, features=own[0].features - {"restated"} | {"listed"})


def _denied(page: Page, choice: Choice) -> Iterator[Candidate]:
    """The option "no", where the options are yes and no, and the first sentence denies."""
    said = {text.strip(" .").casefold(): k for k, text in enumerate(choice.texts)}
    yes = [k for text, k in said.items() if _YES.fullmatch(text)]
    no = [k for text, k in said.items() if _NO.fullmatch(text)]
    start, end = page.sentences[0]
    if len(said) == 2 and yes and no and _NEGATES.search(page.masked, start, end):
        yield Candidate(start, end, choice.labels[no[0]], frozenset(["denied statement"]))


_LABELLED = re.compile(r"\s*+[】\]」》]?\s*+[:：]?\s*+(\w[^\nA-Za-z]{0,60}?)\s*\Z")


def _no_option(page: Page, choice: Choice) -> Iterator[Candidate]:
    """What is declared at the end, where that is no option: 【答案】无解."""
    last = range(max(0, len(page.sentences) - 3), len(page.sentences))
    labels = [end for k in last for end, mark in sentence_of(page, k).marks if mark == "answer"]
    said = _LABELLED.match(page.masked, labels[-1]) if labels else None
    if said and not short(said[1], choice):
        yield Candidate(*said.span(1), NONE, frozenset(["answer"]))
