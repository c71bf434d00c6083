"""Where the problems of an exam start: the best consistent numbering of its lines.

Candidates are grouped by template (`templates`). Of each the path of most candidates is found on
which numbers go up by one, may have gaps (lost pages, excerpts), and may start again, best behind
a heading or in the next chapter. The best path over all templates is the numbering; what only
heads others (sections) or stands inside them (parts) is none. One pass over the candidates.
"""

from __future__ import annotations

import re
from bisect import bisect_left, bisect_right
from collections.abc import Callable, Container, Iterator, Sequence
from itertools import pairwise
from math import log2

import msgspec

from ...latex import HAN
from .instructions import asks
from .labels import ADMINISTRATIVE, FILLER
from .templates import Candidate, Template, candidates


class Numbering(msgspec.Struct, frozen=True):
    """The numbers of the problems in the order of the text, and the lines of their template left
    out.

    `shuffled`: every line of the template is used and the numbers do not go up, as where two
    columns were read row by row.
    """

    run: list[Candidate] = []
    unused: list[Candidate] = []
    shuffled: bool = False
    template: Template | None = None


class _Path(msgspec.Struct, frozen=True):
    """A template's best path."""

    template: Template
    numbers: list[Candidate]
    run: list[Candidate]
    score: float
    weak: list[Candidate] = []


LINE_NUMBER = re.compile(r"(?m)^[ \t(（]*\d{1,4}[ \t]*[.)．、）](?!\d)")


def best_numbering(
    covered: str,
    heads: Sequence[int],
    ends: Callable[[int, int], bool] = lambda start, end: False,
) -> Numbering:
    """The numbers of the problems; `heads` are where headings start.

    `ends(start, end)` tells where a problem must have ended: behind options or an answer. Numbers
    without any mark are taken only where they are far more than all others: axes and tables of
    plain text are full of them; what counts parts only where nothing else counts.
    """
    paths = sorted(_paths(covered, heads), key=lambda path: path.run[0].start)
    plain = [p for p in paths if not _is_bare(p.template) and not p.template.of_parts]
    best = _best(plain, covered)
    bare = _best([p for p in paths if _is_bare(p.template)], covered)
    score = best.score if best else 0.0
    if bare and bare.score > max(2 * score, score + 0.5):
        best = bare
    parts = _best([p for p in paths if p.template.of_parts and _asks(p, covered)], covered)
    if best is None or (parts and len(best.run) == 1 and parts.run[0].start < best.run[0].start):
        best = parts or best
    return _numbering(best, ends, covered) if best else Numbering()


def _is_bare(template: Template) -> bool:
    return not template.word and not template.marks and template.script == "arabic"


def _paths(covered: str, heads: Sequence[int]) -> Iterator[_Path]:
    for template, found in candidates(covered).items():
        numbers = numbers_of(template, found, covered, heads)
        alone = len(numbers) == 1
        if alone and (numbers[0].number != 1 or template.script not in ("arabic", "han")):
            continue
        run, score = best_path(numbers, heads, again=_asked_again(numbers, covered))
        if len(run) > 1 or (run and template.script in ("arabic", "han", "dotted")):
            yield _Path(template, numbers, run, score, [c for c in found if c.weak])


def _asked_again(numbers: list[Candidate], covered: str) -> set[int]:
    """Where numbers start again with two problems that ask, and those before go on nowhere."""
    starts, behind = set[int](), {0}
    ends = [*(c.start for c in numbers[1:]), len(covered)]
    for k in range(len(numbers) - 1, 0, -1):
        last, this = numbers[k - 1].number, numbers[k]
        two = last > 1 == this.number and [c.number for c in numbers[k + 1 : k + 2]] == [2]
        asking = (asks(covered[numbers[j].end : ends[j]]) for j in (k, k + 1))
        if two and last + 1 not in behind and all(asking):
            starts.add(this.start)
        behind.add(this.number)
    return starts


# What stands behind a number without marks: a text; no axis, no column of numbers.
_LONE = re.compile(rf"(?<=[ \t　])[A-Z{HAN}]|[ \t]*\n(?!\s*-?\d[\d.,]*[ \t]*(?:\n|\Z))")
_LONE_DOTTED = re.compile(rf"\s*(?:[^\W\d]|{FILLER}|\*\*|\\)")


def numbers_of(
    template: Template,
    found: list[Candidate],
    covered: str,
    heads: Sequence[int],
    lone: re.Pattern[str] | None = None,
) -> list[Candidate]:
    """A template's lines without decimals, and without lone numbers where it has no marks.

    Lines that are all numbered 1, as Markdown allows, are counted from each heading on.
    """
    numbers = [c for c in found if not c.weak]
    if not template.word and not template.marks and template.script in ("arabic", "dotted"):
        usual = _LONE if template.script == "arabic" else _LONE_DOTTED
        numbers = [c for c in numbers if (lone or usual).match(covered, c.end)]
    if template.word or len(numbers) < 3 or any(c.number != 1 for c in numbers):
        return numbers
    counted: list[Candidate] = []
    for c in numbers:
        again = not counted or _last(heads, counted[-1].start) != _last(heads, c.start)
        n = 1 if again else counted[-1].number + 1
        counted.append(msgspec.structs.replace(c, number=n))
    return counted


def _best(paths: list[_Path], covered: str) -> _Path | None:
    """The path of the highest score; of the same, the first; sections and parts give way."""
    best: _Path | None = None
    for path in paths:
        if best is None or path.score > best.score + 0.5:
            inner = best is not None and _inside(path, best, covered)
            best = best if inner else path
        elif _heads(best, path, covered):
            best = path
    return best


def _leads(outer: list[Candidate], inner: list[Candidate], covered: str) -> list[str]:
    """Per number of `outer` with numbers of `inner` below, the text between the two."""
    starts = [c.start for c in inner]
    leads = []
    for this, following in pairwise([*outer, Candidate(0, len(covered), len(covered))]):
        first, last = bisect_left(starts, this.end), bisect_left(starts, following.start)
        if first < last:
            leads.append(covered[this.end : starts[first]])
    return leads


def _heads(outer: _Path, inner: _Path, covered: str) -> bool:
    """Whether the lines of `outer` are the titles of sections that `inner` numbers."""
    leads = _leads(outer.run, inner.run, covered)
    titles = [not re.search(r"\S\s*\n\s*\S", lead) and len(lead) < 80 for lead in leads]
    return (
        len(leads) == len(outer.run)
        and all(titles)
        and len(inner.run) >= len(outer.run)
        and not any(re.search(r"[?？]\s*$", lead) for lead in leads)
        and inner.template.of_parts <= outer.template.of_parts
    )


def _inside(inner: _Path, outer: _Path, covered: str) -> bool:
    """Whether the numbers of `inner` start again below most numbers of `outer`, behind a text."""
    leads = _leads(outer.run, inner.numbers, covered)
    stems = [lead for lead in leads if _is_stem(lead)]
    first = inner.run[0].number
    again = sum(c.number == first for c in inner.numbers)
    return (
        2 * len(leads) > len(outer.run) > 1
        and len(inner.numbers) <= 6 * len(leads)
        and 2 * len(stems) > len(leads)
        and again >= len(leads)
        and outer.run[0].number == 1
    )


def _is_stem(lead: str) -> bool:
    """Whether a text above numbers is the begin of a problem: a formula, a sentence, a colon."""
    text = lead.strip()
    said = re.search(r"[.。．:：,，;；]$", text) and not ADMINISTRATIVE.search(text)
    return bool(re.search(r"[^\W\d_]", text)) and bool(FILLER in text or said)


def _asks(path: _Path, covered: str) -> bool:
    """Whether most of a path's lines are sentences, and more than two."""
    lines = [covered[c.end : c.end + 400].split("\n\n", 1)[0].strip() for c in path.run]
    return len(lines) > 2 and sum(bool(_SENTENCE.search(x)) for x in lines) * 2 > len(lines)


_SENTENCE = re.compile(r"\w\W*\s\W*\w.*[.?!。？！]\W?$", re.S)


def _numbering(path: _Path, ends: Callable[[int, int], bool], covered: str) -> Numbering:
    numbers, length = path.numbers, len(covered)
    run, doubted = with_decimals(path.run, path.weak, ends, length)
    run = with_word(run, covered)
    used = {candidate.start for candidate in run}
    unused = [candidate for candidate in numbers if candidate.start not in used]
    values = {(candidate.chapter, candidate.number) for candidate in numbers}
    counts = [candidate.number for candidate in numbers]
    whole = len(values) == len(numbers) >= 6 and max(counts) - min(counts) < 1.25 * len(values)
    if len(unused) >= 2 and whole:
        return Numbering(numbers, [], True, path.template)
    return Numbering(run, sorted([*unused, *doubted], key=lambda c: c.start), False, path.template)


def with_decimals(
    run: list[Candidate],
    weak: list[Candidate],
    ends: Callable[[int, int], bool],
    length: int,
) -> tuple[list[Candidate], list[Candidate]]:
    """The run with those `2.2031 ..` that it wants, and the others that it could want.

    It wants one whose number is missing between two others, or that goes on where the run stops
    while both it and the one before have an end of their own.
    """
    run, doubted = list(run), list[Candidate]()
    for c in weak:
        k = bisect_left([one.start for one in run], c.start)
        before, after = run[k - 1 : k] if k else [], run[k : k + 1]
        if (before and before[0].number + 1 != c.number) or (not before and c.number != 1):
            continue
        stop = after[0].start if after else length
        missing = bool(after) and after[0].number == c.number + 1
        both = bool(before) and ends(before[0].end, c.start) and ends(c.end, stop)
        if missing or (both and not (after and after[0].number == c.number)):
            run.insert(k, c)
        elif not (after and after[0].number == c.number):
            doubted.append(c)
    return run, doubted


_WORD_BEHIND = re.compile(r"[^\W\d_]{2,16}(?:\*\*)?[.:)：](?:\*\*)?[ \t]*")


def with_word(run: list[Candidate], covered: str) -> list[Candidate]:
    """The run with the word behind the number where it is the same everywhere: `1. feladat.`."""
    words = [_WORD_BEHIND.match(covered, c.end) for c in run]
    if len(run) < 3 or len({word[0].strip() if word else "" for word in words}) > 1 or not words[0]:
        return run
    return [
        msgspec.structs.replace(c, end=word.end()) if word else c
        for c, word in zip(run, words, strict=True)
    ]


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
    gap: Callable[[int], float] = lambda step: 0.3 + 0.2 * log2(step),
    again: Container[int] = (),
) -> tuple[list[Candidate], float]:
    """The path of highest score, and its score: one for each number, less for gaps and restarts.

    A restart needs no heading where a number in `again` starts. A list inside a problem is no
    restart: numbers that go on behind it where they stopped before it leave it out.
    """
    states: list[_State] = []
    recent: dict[tuple[str, int], list[int]] = {}  # chapter and number -> its last candidates
    top: list[int] = []  # per candidate, the best end so far
    starts = [candidate.start for candidate in numbers]
    for j, this in enumerate(numbers):
        state = _State(1.0 if this.number == 1 else 0.4)
        near = [
            (i, 0.0) for i in reversed(recent.get((this.chapter, this.number - 1), ())[-_NEAR:])
        ]
        for step in range(2, min(_GAP, this.number) + 1):
            earlier = recent.get((this.chapter, this.number - step), ())
            near += [(i, gap(step)) for i in reversed(earlier[-2:])]
        for i, cost in near:
            if states[i].before + 1 == this.number:
                continue
            score = states[i].score + 1 - cost
            if score > state.score:
                state = _State(score, i, states[i].before)
        ends = []
        headed = bisect_left(starts, _last(heads, this.start))
        if top:
            another = numbers[top[-1]].chapter != this.chapter
            cost = (0.9 if this.number == 1 else 2.5) if another else 4.0
            if this.start in again:
                another, cost = True, 1.2
            ends.append((top[-1], cost, -1 if another else numbers[top[-1]].number))
        if headed:
            ends.append((top[headed - 1], 0.9 if this.number == 1 else 2.5, -1))
        for i, cost, before in ends:
            if states[i].score + 1 - cost > state.score:
                state = _State(states[i].score + 1 - cost, i, before)
        states.append(state)
        recent.setdefault((this.chapter, this.number), []).append(j)
        top.append(j if not j or state.score > states[top[-1]].score else top[-1])
    if not states:
        return [], 0.0
    at = max(range(len(states)), key=lambda k: (states[k].score, -k))
    total, run = states[at].score, []
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
