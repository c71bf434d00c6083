"""Where the problems of an exam start: the best consistent numbering of its lines.

Candidates are numbers at line starts, told apart by their style (`7.`, `(7)`, `Problem 7`, ..). Of
each style the path of most candidates is found on which numbers go up by one, may have gaps (lost
pages, excerpts), and may start again, best behind a heading. One pass over the candidates.
"""

from __future__ import annotations

import re
from bisect import bisect_left, bisect_right
from collections.abc import Callable, Sequence
from math import log2

import msgspec

from ...latex import HAN


class Candidate(msgspec.Struct, frozen=True):
    """A number at the start of a line: text[start:end] is the number with its marks."""

    number: int
    start: int
    end: int


class Numbering(msgspec.Struct, frozen=True):
    """The numbers of the problems in the order of the text, and the lines of their style left out.

    `shuffled`: every line of the style is used and the numbers do not go up, as where two columns
    were read row by row.
    """

    run: list[Candidate] = []
    unused: list[Candidate] = []
    shuffled: bool = False


_PREFIX = r"(?m)^[ \t>]*(?:#{1,6}[ \t]+|-[ \t]+)?"
_WORDS = r"(?:Problem|Question|Exercise|Task|Aufgabe|Q)[ \t]*(?:No\.?[ \t]*)?"
_STYLES = {  # tried in this order; the first with the longest run wins
    "word": rf"{_WORDS}(\d{{1,4}})(?:[ \t]*[.:)．]|(?=\s))",
    "chinese": r"第[ \t]*(\d{1,4})[ \t]*题[.:：．、]?",
    "dot": r"(\d{1,4})[ \t]*(?:\.(?!\d)|．|、)",
    "bracket": r"(\d{1,4})[ \t]*[)）]",
    "brackets": r"[(（\[【][ \t]*(\d{1,4})[ \t]*[)）\]】]",
}
_BARE = rf"(\d{{1,3}})(?=[ \t]+[A-Z{HAN}]|[ \t]*\n(?!\s*-?\d[\d.,]*[ \t]*(?:\n|\Z)))"
_PATTERNS = {name: re.compile(f"{_PREFIX}{style}[ \t]*") for name, style in _STYLES.items()}
_BARE_PATTERN = re.compile(f"{_PREFIX}{_BARE}[ \t]*")
LINE_NUMBER = re.compile(r"(?m)^[ \t(（]*\d{1,4}[ \t]*[.)．、）](?!\d)")


def candidates(covered: str) -> dict[str, list[Candidate]]:
    """Per style, the numbers at the starts of lines of a blinded text."""
    return {style: _found(pattern, covered) for style, pattern in _PATTERNS.items()}


def _found(pattern: re.Pattern[str], covered: str) -> list[Candidate]:
    return [Candidate(int(m[1]), m.start(), m.end()) for m in pattern.finditer(covered)]


def best_numbering(
    covered: str, heads: Sequence[int], worth: Callable[[int, int], float]
) -> Numbering:
    """The numbers of the problems; `heads` are where headings start.

    `worth(start, end)` tells small preferences between runs of the same length apart. Numbers
    without any mark are taken only where they are far more than all others: axes and tables of
    plain text are full of them.
    """
    best, best_score = Numbering(), 0.0
    for numbers in candidates(covered).values():
        run, score = best_path(numbers, heads, worth, len(covered))
        if score > best_score + 0.5:
            best, best_score = _numbering(numbers, run), score
    bare = _found(_BARE_PATTERN, covered)
    run, score = best_path(bare, heads, worth, len(covered))
    if score > max(2 * best_score, best_score + 0.5):
        return _numbering(bare, run)
    return best


def _numbering(numbers: list[Candidate], run: list[Candidate]) -> Numbering:
    used = {candidate.start for candidate in run}
    unused = [candidate for candidate in numbers if candidate.start not in used]
    values = {candidate.number for candidate in numbers}
    whole = len(values) == len(numbers) >= 6 and max(values) - min(values) < 1.25 * len(values)
    if len(unused) >= 2 and whole:
        return Numbering(numbers, [], shuffled=True)
    return Numbering(run, unused)


_GAP = 60  # the longest gap between two neighbouring numbers that is looked for
_NEAR = 6  # candidates of the number before that are weighed


class _State(msgspec.Struct):
    """The best path that ends at a candidate."""

    score: float
    back: int = -1
    before: int = -1  # the last number before the latest start without a heading


def best_path(
    numbers: Sequence[Candidate],
    heads: Sequence[int],
    worth: Callable[[int, int], float],
    length: int,
    gap: Callable[[int], float] = lambda step: 0.3 + 0.2 * log2(step),
) -> tuple[list[Candidate], float]:
    """The path of highest score, and its score: one for each number, less for gaps and restarts.

    A list inside a problem is no restart: numbers that go on behind it where they stopped before
    it leave it out.
    """
    states: list[_State] = []
    recent: dict[int, list[int]] = {}  # number -> its last candidates
    top: list[int] = []  # per candidate, the best end so far
    starts = [candidate.start for candidate in numbers]
    for j, this in enumerate(numbers):
        state = _State(1.0 if this.number == 1 else 0.4)
        near = [(i, 0.0) for i in reversed(recent.get(this.number - 1, ())[-_NEAR:])]
        for step in range(2, min(_GAP, this.number) + 1):
            near += [(i, gap(step)) for i in reversed(recent.get(this.number - step, ())[-2:])]
        for i, cost in near:
            if states[i].before + 1 == this.number:
                continue
            score = states[i].score + 1 - cost + worth(numbers[i].end, this.start)
            if score > state.score:
                state = _State(score, i, states[i].before)
        ends = [(top[-1], 4.0, numbers[top[-1]].number)] if top else []
        headed = bisect_left(starts, _last(heads, this.start))
        if headed:
            ends.append((top[headed - 1], 0.9 if this.number == 1 else 2.5, -1))
        for i, cost, before in ends:
            if states[i].score + 1 - cost > state.score:
                state = _State(states[i].score + 1 - cost, i, before)
        states.append(state)
        recent.setdefault(this.number, []).append(j)
        top.append(j if not j or state.score > states[top[-1]].score else top[-1])
    if not states:
        return [], 0.0
    finals = [s.score + worth(c.end, length) for s, c in zip(states, numbers, strict=True)]
    at = max(range(len(finals)), key=lambda k: (finals[k], -k))
    total, run = finals[at], []
    while at >= 0:
        run.append(numbers[at])
        at = states[at].back
    return run[::-1], total


def _last(heads: Sequence[int], position: int) -> int:
    """The last heading up to a position; -1 where there is none."""
    index = bisect_right(heads, position)
    return heads[index - 1] if index else -1


def doubtful(
    numbering: Numbering, length: int, one_run: Callable[[int, int], bool]
) -> tuple[set[int], list[tuple[int, Candidate]]]:
    """Lines left out that could as well start a problem.

    First the indices of problems next to a line with a number that could be theirs: options settle
    it, for those of a problem stand before the next one's number; nothing settles a number that is
    printed twice. Then the other lines whose number fits no list, with the index of the problem
    they stand in.
    """
    run = numbering.run
    starts = [candidate.start for candidate in run]
    near: set[int] = set()
    lost: list[tuple[int, Candidate]] = []
    listed: dict[int, int] = {}  # problem -> the last number of a list inside it
    for rival in numbering.unused:
        k = bisect_right(starts, rival.start) - 1
        if k < 0:
            continue
        this = run[k]
        end = starts[k + 1] if k + 1 < len(run) else length
        following = run[k + 1].number if k + 1 < len(run) else 0
        before_options = one_run(this.end, end) and not one_run(this.end, rival.start)
        if 0 <= rival.number - this.number <= 2 and (
            rival.number == following or not before_options
        ):
            near |= {k, min(k + 1, len(run) - 1)}
        elif rival.number == listed.get(k, 0) + 1:
            listed[k] = rival.number
        else:
            lost.append((k, rival))
    return near, lost
