"""Numbers that stand again behind the problems: their key under an unknown heading, or a section?

No word decides, for headings have many languages. Answers are short values, letters of options, or
about the problem of the same number; a section asks, or its title goes on from the one before.
Where both can be, both are said, and nothing is published.
"""

from __future__ import annotations

import re
from bisect import bisect_left
from collections.abc import Sequence
from itertools import pairwise
from statistics import median
from typing import Literal

import msgspec

from ...words import SCHOOL, words
from .headings import Heading
from .instructions import asks, asks_nothing, is_bare
from .labels import ASKS
from .numbering import with_word
from .plain_text import blind
from .templates import Candidate, alike, candidates

Reading = Literal["key", "worked", "section", "both"]


class Again(msgspec.Struct, frozen=True):
    """text[start:end] has the numbers of problems again, below `title`, and reads as `reading`."""

    start: int
    begin: int
    end: int
    title: str
    reading: Reading


class _Run(msgspec.Struct):
    """Numbers of which none stands twice, the texts behind them, and the title above."""

    numbers: list[Candidate]
    texts: list[str]
    title: Heading
    above: str  # what else stands between the title and the first number


def numbered_again(text: str, run: list[Candidate], heads: list[Heading]) -> list[Again]:
    """The stretches behind problems that have their numbers again, in order."""
    runs_of = parted(run)
    titles = [
        _title(text, runs_of[k - 1][-1].end if k else 0, own[0].start, heads)
        for k, own in enumerate(runs_of)
    ]
    stops = [*(title.start for title in titles[1:]), len(text)]
    runs = [_run(text, *one) for one in zip(runs_of, titles, stops, strict=False)]
    half = len(runs) // 2
    if half > 1 and 2 * half == len(runs):  # the sections of a key behind those of the problems
        readings = [_reading(a, b) for a, b in zip(runs[:half], runs[half:], strict=True)]
        if "section" not in readings:
            reading = min(readings, key=["both", "worked", "key"].index)
            return [_stretch(runs[half], len(text), reading)]
    found: list[Again] = []
    for k, (before, after) in enumerate(pairwise(runs), 1):
        if found and found[-1].start == before.title.start:
            continue
        reading = _reading(before, after)
        if reading == "section" and _NAMED.search(after.title.title):
            reading = "both"  # answers of some other problems than those before
        if reading != "section":
            found.append(_stretch(after, stops[k], reading))
    if not found and runs and (last := _other_template(text, run, heads)):
        reading = _reading(_run(text, runs_of[-1], titles[-1], last.title.start), last)
        if reading != "section":
            found.append(_stretch(last, len(text), reading))
    return found


def _stretch(run: _Run, end: int, reading: Reading) -> Again:
    return Again(run.title.start, run.title.end, end, run.title.title, reading)


def parted(numbers: Sequence[Candidate]) -> list[list[Candidate]]:
    """The numbers parted where one stands again."""
    runs: list[list[Candidate]] = []
    seen = set[str]()
    for c in numbers:
        last = runs[-1][-1] if runs else c
        if not runs or c.label in seen or (c.chapter == last.chapter and c.number < last.number):
            runs.append([])
            seen.clear()
        runs[-1].append(c)
        seen.add(c.label)
    return runs


_HEADING = re.compile(r"\n[ \t]*#{1,6}[ \t]")
_LINE = re.compile(r"[^\n]{1,80}$")


def _run(text: str, numbers: list[Candidate], title: Heading, stop: int) -> _Run:
    ends = [*(c.start for c in numbers[1:]), stop]
    texts = [
        _HEADING.split(text[c.end : end], maxsplit=1)[0].strip()
        for c, end in zip(numbers, ends, strict=True)
    ]
    return _Run(numbers, texts, title, text[title.end : numbers[0].start].strip())


def _title(text: str, start: int, end: int, heads: list[Heading]) -> Heading:
    """The heading above a number: one that is marked, or a short line that is no sentence."""
    last = bisect_left(heads, end, key=lambda head: head.start) - 1
    if last >= 0 and heads[last].start >= start:
        return heads[last]
    above = text[start:end].rstrip()
    line = _LINE.search(above)
    front = above[: line.start()] if line else ""
    alone = front and ("\n" in front or not front.strip())
    if line and alone and not re.search(r"[.?!。？！]\W*$", line[0]):
        at = start + line.start()
        return Heading(line[0].strip(), at, at + len(line[0]))
    return Heading("", end, end)


def _other_template(text: str, run: list[Candidate], heads: list[Heading]) -> _Run | None:
    """The longest numbers of another template behind the last problem's, below a title."""
    behind = run[-1].end
    best: list[Candidate] = []
    for template, lines in candidates(blind("\n" * behind + text[behind:])).items():
        plain = template.of_parts or not (template.word or template.marks)
        steady = all(a.number < b.number for a, b in pairwise(lines))
        if not plain and steady and len(lines) > len(best):
            best = with_word(lines, text)
    title = _title(text, behind, best[0].start, heads) if best else None
    return _run(text, best, title, len(text)) if title and title.title else None


# What the second numbers are --------------------------------------------------------------------

_NAMED = re.compile(rf"(?i){words('answer')}|{words('answer', 'solution', languages=SCHOOL)}")
_LETTER = re.compile(r"\\[A-Za-z]+|([^\W\d_])")


def _is_value(text: str) -> bool:
    """Whether a text holds no more than a unit, a name or an option's letter beside numbers."""
    return sum(map(bool, _LETTER.findall(text))) <= 3


def _reading(before: _Run, after: _Run) -> Reading:
    """What the numbers of `after` are when most numbers of `before` stand in them again."""
    texts = after.texts
    asked = {c.number: text for c, text in zip(before.numbers, before.texts, strict=True)}
    again = {c.number for c in after.numbers}
    if len(texts) < 2 or not again <= asked.keys() or 2 * len(again) < len(asked):
        return "section"
    if alike(before.title.title, after.title.title) or 5 * sum(map(asks, texts)) > len(texts):
        return "section"
    short = median(map(len, texts)) <= max(6, median(map(len, before.texts)) / 2)
    told = bool(after.above) or bool(ASKS.search(after.title.title))
    if short and not told and _most([*map(_is_value, texts)]):
        return "key"
    if len(texts) >= 3 and _about([asked[c.number] for c in after.numbers], texts):
        return "worked"
    plain = short or _most([is_bare(blind(t)) for t in texts])
    nothing = _most([*map(asks_nothing, texts)]) and not _most([*map(asks_nothing, before.texts)])
    return "both" if plain and nothing else "section"


def _most(flags: list[bool]) -> bool:
    return 3 * sum(flags) >= 2 * len(flags) > 0


_TOKEN = re.compile(r"\d+|\\[A-Za-z]+|[^\W\d_]{4,}|[\u3400-\u9fff]{2}")


def _about(questions: list[str], answers: list[str]) -> bool:
    """Whether each answer has more in common with its own question than with the others.

    Rare tokens count; what most questions have in common says nothing.
    """
    sets = [set(_TOKEN.findall(t)) for t in questions]
    times: dict[str, int] = {}
    for tokens in sets:
        for token in tokens:
            times[token] = times.get(token, 0) + 1
    own = 0
    n = min(len(questions), len(answers), 60)
    for k in range(n):
        said = {t for t in _TOKEN.findall(answers[k]) if t in times and 2 * times[t] <= len(sets)}
        shares = [sum(1 / times[t] for t in said & tokens) for tokens in sets[:n]]
        own += shares[k] > 0 and shares[k] == max(shares) and shares.count(shares[k]) == 1
    return 3 * own >= 2 * n
