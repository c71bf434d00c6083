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
from .instructions import asks_nothing, is_bare
from .labels import ASKS
from .numbering import with_word
from .options import option_runs
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
    above: str = ""  # what else stands between the title and the first number

    @property
    def labels(self) -> set[int]:
        return {c.number for c in self.numbers}


def numbered_again(text: str, run: list[Candidate], heads: list[Heading]) -> list[Again]:
    """The stretches behind problems that have their numbers again, in order."""
    runs = _runs(text, run, heads)
    found: list[Again] = []
    half = len(runs) // 2
    if len(runs) > 2 and len(runs) % 2 == 0:
        pairs = list(zip(runs[:half], runs[half:], strict=True))
        if all(_again(a, b) for a, b in pairs):
            readings = [_reading(a, b) for a, b in pairs]
            if "section" not in readings:
                [reading, *_] = sorted(readings, key=["both", "worked", "key"].index)
                return [_stretch(text, runs[half], None, reading)]
    for k, (before, after) in enumerate(pairwise(runs)):
        if found and found[-1].start == before.title.start:
            continue
        reading = _reading(before, after) if _again(before, after) else "section"
        if reading == "section" and _NAMED.search(after.title.title):
            reading = "both"  # answers of some other problems than those before
        if reading != "section":
            following = runs[k + 2] if k + 2 < len(runs) else None
            found.append(_stretch(text, after, following, reading))
    if not found and runs and (last := _other_template(text, run, heads)):
        runs[-1].texts[-1] = text[run[-1].end : last.title.start].strip()
        reading = _reading(runs[-1], last) if _again(runs[-1], last) else "section"
        if reading != "section":
            found.append(_stretch(text, last, None, reading))
    return found


def _stretch(text: str, run: _Run, following: _Run | None, reading: Reading) -> Again:
    end = following.title.start if following else len(text)
    return Again(run.title.start, run.title.end, end, run.title.title, reading)


def _runs(text: str, numbers: Sequence[Candidate], heads: list[Heading]) -> list[_Run]:
    """The numbers parted where one stands again, each run with its texts and its title."""
    parted: list[list[Candidate]] = []
    seen: set[str] = set()
    for c in numbers:
        behind = parted and c.chapter == parted[-1][-1].chapter and c.number < parted[-1][-1].number
        if not parted or c.label in seen or behind:
            parted.append([])
            seen = set()
        parted[-1].append(c)
        seen.add(c.label)
    titles = [
        _title(text, parted[k - 1][-1].end if k else 0, run[0].start, heads)
        for k, run in enumerate(parted)
    ]
    runs = []
    for k, run in enumerate(parted):
        stop = titles[k + 1].start if k + 1 < len(parted) else len(text)
        ends = [*(c.start for c in run[1:]), stop]
        texts = [
            _HEADING.split(text[c.end : end], maxsplit=1)[0].strip()
            for c, end in zip(run, ends, strict=True)
        ]
        above = text[titles[k].end : run[0].start].strip()
        runs.append(_Run(run, texts, titles[k], above))
    return runs


_HEADING = re.compile(r"\n[ \t]*#{1,6}[ \t]")
_LINE = re.compile(r"[^\n]{1,80}$")


def _title(text: str, start: int, end: int, heads: list[Heading]) -> Heading:
    """The heading above a number: one that is marked, or a short line that is no sentence."""
    last = bisect_left(heads, end, key=lambda head: head.start) - 1
    if last >= 0 and heads[last].start >= start:
        return heads[last]
    above = text[start:end].rstrip()
    line = _LINE.search(above)
    alone = line and (not above[: line.start()].strip() or "\n" in above[: line.start()])
    if line and alone and line.start() and not re.search(r"[.?!。？！]\W*$", line[0]):
        at = start + line.start()
        return Heading(line[0].strip(), at, at + len(line[0]))
    return Heading("", end, end)


def _other_template(text: str, run: list[Candidate], heads: list[Heading]) -> _Run | None:
    """The longest numbers of another template behind the last problem's, below a title."""
    behind = run[-1].end
    best: _Run | None = None
    for template, lines in candidates(blind(text[behind:])).items():
        if template.of_parts or (not template.word and not template.marks):
            continue
        moved = [
            msgspec.structs.replace(c, start=c.start + behind, end=c.end + behind)
            for c in lines
            if c.start
        ]
        steady = bool(moved) and all(a.number < b.number for a, b in pairwise(moved))
        if not steady or (best and len(moved) <= len(best.numbers)):
            continue
        moved = with_word(moved, text)
        title = _title(text, behind, moved[0].start, heads)
        ends = [*(c.start for c in moved[1:]), len(text)]
        texts = [text[c.end : end].strip() for c, end in zip(moved, ends, strict=True)]
        if title.title:
            best = _Run(moved, texts, title, text[title.end : moved[0].start].strip())
    return best


def _again(before: _Run, after: _Run) -> bool:
    return (
        len(after.numbers) >= 2
        and after.labels <= before.labels
        and 2 * len(after.labels) >= len(before.labels)
    )


# What the second numbers are --------------------------------------------------------------------

_NAMED = re.compile(rf"(?i){words('answer')}|{words('answer', 'solution', languages=SCHOOL)}")
_LETTERS = re.compile(r"[(（\[*]*[A-Ha-h](?:[ ,，、]*[A-H]){0,7}[)）\]*.。．]*")
_DRESS = re.compile(
    r"\\(?:[dt]?frac|sqrt|pm|mp|pi|infty|cdot|times|left|right|text|mathrm|circ|degree|quad"
    r"|[,;:! ])(?![A-Za-z])|[${}*~]"
)
_VALUE = re.compile(
    r"(?:[A-Za-z](?:_\w)?\s*(?:=|\\in)\s*)?[\d\s.,/()\[\]+±−^_|%°′:;=\\-]*[A-Za-zµ]{0,3}"
)


def _reading(before: _Run, after: _Run) -> Reading:
    """What the numbers of `after` are when they are those of `before`."""
    texts = after.texts
    chosen = [bool(_LETTERS.fullmatch(t)) for t in texts]
    offered = [bool(option_runs(blind(t))) for t in before.texts]
    if _most(chosen) and _most(offered):
        return "key"
    if alike(before.title.title, after.title.title):
        return "section"
    asking = [
        bool(re.search(r"[?？]|[(（_]\s*[)）_]", t)) or bool(option_runs(blind(t))) for t in texts
    ]
    if sum(asking) * 5 > len(texts):
        return "section"
    bare = [asks_nothing(t) for t in texts]
    short = median(map(len, texts)) <= max(6, median(map(len, before.texts)) / 2)
    valued = _most([bool(_VALUE.fullmatch(_DRESS.sub("", t).strip())) for t in texts])
    told = bool(after.above) or bool(ASKS.search(after.title.title))
    if short and valued and not told:
        return "key"
    by_number = {c.number: t for c, t in zip(before.numbers, before.texts, strict=True)}
    asked = [by_number[c.number] for c in after.numbers]
    if len(texts) >= 3 and _about(asked, texts):
        return "worked"
    plain = short or _most([is_bare(blind(t)) for t in texts])
    if plain and _most(bare) and not _most([asks_nothing(t) for t in before.texts]):
        return "both"
    return "section"


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
