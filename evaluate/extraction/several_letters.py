"""Which options does a reply choose, where several may be right? The letters, in the item's order.

The order of rules: the whole reply; the last of label, box, tag and declaration; a sentence that
calls several options right; options that are called right one by one; a last line of letters; and
then the one letter of `choose`.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from functools import lru_cache

import msgspec

from ...words import words
from . import option_wordings as wording
from .declining import declines
from .final_answer import SCANNED
from .marked import answer_boxes, tags
from .option_letter import choose, denied, plain
from .visible import visible


class Letters(msgspec.Struct, frozen=True):
    """The labels chosen, none where the reply names none, and the rule that fired."""

    letters: tuple[str, ...]
    rule: str


class _Patterns(msgspec.Struct, frozen=True):
    run: re.Pattern[str]  # letters in a row: A, B and D; (A)(B); ABD
    declared: re.Pattern[str]
    correct: re.Pattern[str]
    leading: re.Pattern[str]  # one letter a line, each with its text
    mentions: re.Pattern[str]


@lru_cache(maxsize=64)
def _patterns(labels: tuple[str, ...]) -> _Patterns:
    letter = rf"[({{\[\"'“]{{0,2}}(?:{'|'.join(map(re.escape, labels))})[)}}\]\"'”]{{0,2}}"
    between = rf"(?:[\s,，、;；/&+.．]|{words('and')}|{words('option')}|项){{0,8}}"
    run = rf"(?<![A-Za-z0-9])(?P<run>{letter}(?:{between}{letter}){{0,25}})(?![A-Za-z0-9_^'=])"
    run += rf"(?!\s*(?:,\s*)?(?:\bor\b|或者?)\s*{letter}(?![A-Za-z]))"  # a choice not made
    lead = rf"\W{{0,4}}(?:(?:{words('option')}|options|choices|letters|all)\s*)?"
    plural = r"\b(?:correct|right|true|all)\s+(?:options|choices|letters|statements)\s+are\s*:?"
    are = (
        r"\s*(?:项|选项|三项|两项)?\s*(?:均|都|全|分别)?\s*(?:是|are|is)?\s*"
        r"(?:(?:all|both|均|都)\s*)?(?:the\s+)?"
    )
    return _Patterns(
        run=re.compile(lead + run, re.IGNORECASE),
        declared=re.compile(
            rf"(?:{wording.DECLARES}|{wording.CHOOSES}|{plural}){lead}{run}", re.IGNORECASE
        ),
        correct=re.compile(rf"{run}{are}{words('correct')}(?!吗)"),
        leading=re.compile(rf"^\W{{0,4}}({'|'.join(map(re.escape, labels))})[.．、:：)）]\s*\S"),
        mentions=re.compile(rf"(?:{'|'.join(map(re.escape, labels))})"),
    )


def choose_all(response: str, labels: Sequence[str], texts: Sequence[str]) -> Letters:
    """The letters that a reply chooses.

    >>> choose_all("So (A) and (C) are correct, B is not.", "ABCD", [""] * 4).letters
    ('A', 'C')
    >>> choose_all("【答案】 B D <eoa>", "ABCD", [""] * 4)
    Letters(letters=('B', 'D'), rule='labelled')
    """
    said = visible(response)
    if said.truncated:
        return Letters((), "truncated")
    raw = said.text.strip()[-SCANNED:].strip()
    patterns = _patterns(tuple(labels))
    text = plain(raw)
    if not text:
        return Letters((), "none")
    for rule, run in _found(raw, text, patterns):
        letters = _in_order(run, labels, patterns)
        if letters:
            return Letters(letters, rule)
    one = choose(response, labels, texts)
    return Letters((one.letter,) if one.letter else (), one.rule)


def _found(raw: str, text: str, patterns: _Patterns) -> Iterator[tuple[str, str]]:
    """Stretches of letters, by the strongest rule first."""
    whole = patterns.run.match(text)
    if whole and not text[whole.end() :].strip(" .。)"):
        yield "whole reply", whole["run"]
    yield from _declared(raw, text, patterns)
    correct = [m for m in patterns.correct.finditer(text) if not _denies(text, m)]
    several = [m for m in correct if len(patterns.mentions.findall(m["run"])) > 1]
    if several:
        yield "declared", several[-1]["run"]
    if len(correct) > 1:
        yield "judged one by one", " ".join(m["run"] for m in correct)
    last = text.rsplit("\n", 1)[-1].strip()
    closing = patterns.run.match(last)
    if closing and not last[closing.end() :].strip(" .。)") and not declines(raw):
        yield "closing", closing["run"]


def _declared(raw: str, text: str, patterns: _Patterns) -> Iterator[tuple[str, str]]:
    """Labels, boxes, tags and declarations, the last first; a later one wins over a box."""
    boxed = answer_boxes(raw)
    since = len(plain(raw[: boxed[-1].end])) if boxed else 0
    for label in reversed(list(wording.LABELS.finditer(text, since))):
        if run := _statement(text[label.end() :], patterns):
            yield "labelled", run
            break
    for match in reversed(list(patterns.declared.finditer(text, since))):
        if not _denies(text, match) and not wording.CONTINUES.match(text, match.end("run")):
            yield "declared", match["run"]
            break
    if boxed and (run := _statement(plain(boxed[-1].content), patterns)):
        yield "boxed", run
    if (marked := tags(raw)) and (run := _statement(plain(marked[-1][0]), patterns)):
        yield "answer tag", run


def _statement(text: str, patterns: _Patterns) -> str:
    """The letters that a statement begins with, or that its lines begin with."""
    lines = text[:2000].lstrip().split("\n")
    listed = [m[1] for line in lines if (m := patterns.leading.match(line))]
    match = patterns.run.match(lines[0])
    if match is None or wording.CONTINUES.match(lines[0], match.end("run")):
        return ""
    several = len(patterns.mentions.findall(match["run"])) > 1
    return match["run"] if several or len(listed) < 2 else " ".join(listed)


def _denies(text: str, match: re.Match[str]) -> bool:
    return denied(text, match.start("run"), match.start("run"), match.end("run"))


def _in_order(run: str, labels: Sequence[str], patterns: _Patterns) -> tuple[str, ...]:
    named = {
        letter.upper() for letter in patterns.mentions.findall(re.sub(r"\b[a-z]{2,}\b", "", run))
    }
    return tuple(label for label in labels if label in named)
