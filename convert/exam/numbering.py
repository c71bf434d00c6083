"""Where the problems of an exam start: the best consistent numbering of its lines.

Candidates are grouped by template (`templates`). Of each the path of most candidates is found on
which numbers go up by one, may have gaps (lost pages, excerpts), and may start again, best behind
a heading or in the next chapter. The best path over all templates is the numbering; what only
heads others (sections) or stands inside them (parts) is none. One pass over the candidates.
"""

from __future__ import annotations

import re
from bisect import bisect_left, bisect_right
from collections.abc import Callable, Container, Iterator, Mapping, Sequence
from itertools import pairwise
from math import log2
from string import ascii_uppercase
from types import MappingProxyType

import msgspec

from ...latex import HAN
from ..documents import FILLER
from .headings import ADMINISTRATIVE
from .instructions import asks
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
    """A template's best path over its lines."""

    template: Template
    lines: list[Candidate]
    run: list[Candidate]
    score: float


BETTER = 0.5  # what a path must score more than one that starts before it
LINE_NUMBER = re.compile(r"(?m)^[ \t(（]*\d{1,4}[ \t]*[.)．、）](?!\d)")


def best_numbering(
    covered: str, heads: Sequence[int], ended: Callable[[int, int], bool]
) -> Numbering:
    """The numbers of the problems; `heads` are where headings start.

    `ended(start, end)` tells whether a problem has ended in between: it has options or an answer.
    What counts parts, sentences that is, numbers problems where nothing else does.
    """
    paths = [
        path
        for template, lines in candidates(covered).items()
        if (path := _path(template, lines, covered, heads, ended))
    ]
    paths.sort(key=lambda path: (path.template.of_parts, path.run[0].start))
    best: _Path | None = None
    for path in paths:
        if best is None:
            best = path
            continue
        if path.template.of_parts > best.template.of_parts:
            break
        if _repeats(path, best) and _asking(best, covered) > _asking(path, covered):
            continue  # the key of those before
        if path.score > best.score + BETTER:
            best = best if _counts_parts(path, best, covered) else path
        elif _is_titled(best, path, covered):
            best = path
    return _numbering(best, covered) if best else Numbering()


def _path(
    template: Template,
    found: list[Candidate],
    covered: str,
    heads: Sequence[int],
    ended: Callable[[int, int], bool],
) -> _Path | None:
    """A template's best path; one of numbers without any mark, as axes have them, counts half."""
    numbers = numbers_of(template, found, covered, heads)
    counted = template.script in ("arabic", "han", "dotted")
    if len(numbers) < 2 and not (counted and numbers and numbers[0].number == 1):
        return None
    lines = sorted([*numbers, *(c for c in found if c.weak)], key=lambda c: c.start)
    worth = {}
    for before, this, stop in _neighbours(lines, len(covered)):
        if this.weak:  # a decimal, unless problems end before and behind it
            is_number = ended(before.end, this.start) and ended(this.end, stop)
            worth[this.start] = 0.1 if is_number else -0.2
    again = _asked_again(numbers, covered)
    run, score = best_path(lines, heads, again=again, worth=worth)
    if len(run) < 2 and not counted:
        return None
    if template.of_parts and not _are_sentences(run, covered):
        return None
    path = _Path(template, lines, run, score / 2 if is_bare(template) else score)
    if template.word and template.script == "bullet":
        # such a word starts what asks, and hardly another heading does
        others = {*heads} - {c.start for c in run}
        if _asking(path, covered) <= 0.5 or 2 * len(others) >= len(run):
            return None
    return path


def _repeats(path: _Path, before: _Path) -> bool:
    """Whether the numbers of a path are those of another that ends before it."""
    behind = path.run[0].start > before.run[-1].start
    return behind and {c.label for c in path.run} == {c.label for c in before.run}


def _asking(path: _Path, covered: str) -> float:
    """The share of problems with a question mark, a blank or options."""
    texts = [
        covered[this.end : stop]
        for _, this, stop in _neighbours(path.run, len(covered))
    ]
    return sum(map(asks, texts)) / len(texts)


def is_bare(template: Template, script: str = "arabic") -> bool:
    """Whether it is a number without any mark."""
    return not (template.word or template.marks) and template.script == script


def _neighbours(
    lines: list[Candidate], length: int
) -> Iterator[tuple[Candidate, Candidate, int]]:
    """Each line with the one before it, and where the next one starts."""
    stops = [*(c.start for c in lines[1:]), length]
    return zip([Candidate(0, 0, 0), *lines], lines, stops, strict=False)


def _asked_again(numbers: list[Candidate], covered: str) -> set[int]:
    """Where numbers start again with two problems that ask, and those before go on nowhere."""
    final = {c.number: c.start for c in numbers}
    return {
        this.start
        for (last, this, stop), (_, following, end) in pairwise(
            _neighbours(numbers, len(covered))
        )
        if (this.number, following.number) == (1, 2)
        and final.get(last.number + 1, 0) < this.start
        and asks(covered[this.end : stop])
        and asks(covered[following.end : end])
    }


_SENTENCE = re.compile(r"\w\W*\s\W*\w.*[.?!。？！]\W?$", re.S)


def _are_sentences(run: list[Candidate], covered: str) -> bool:
    """Whether most of some lines are sentences."""
    texts = [covered[c.end : c.end + 400].strip().split("\n\n", 1)[0] for c in run]
    sentences = sum(_SENTENCE.search(text) is not None for text in texts)
    return len(texts) > 2 and 2 * sentences > len(texts)


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
    if is_bare(template) or is_bare(template, "dotted"):
        usual = _LONE if template.script == "arabic" else _LONE_DOTTED
        numbers = [c for c in numbers if (lone or usual).match(covered, c.end)]
    if template.word and template.script != "bullet":
        return numbers
    if len(numbers) < 3 or any(c.number != 1 for c in numbers):
        return numbers
    heads = () if template.word else heads  # they may be such lines themselves
    counted: list[Candidate] = []
    for c in numbers:
        again = not counted or _last(heads, counted[-1].start) != _last(heads, c.start)
        n = 1 if again else counted[-1].number + 1
        counted.append(msgspec.structs.replace(c, number=n))
    return counted


# Sections and parts -----------------------------------------------------------------------------


_MORE_THAN_A_TITLE = re.compile(r"\S\s*\n\s*\S|[?？]\s*$")  # two lines, a question


def _leads(outer: list[Candidate], inner: list[Candidate], covered: str) -> list[str]:
    """Per number of `outer` with numbers of `inner` below, the text between the two."""
    starts = [c.start for c in inner]
    leads = []
    for _, this, stop in _neighbours(outer, len(covered)):
        first = bisect_left(starts, this.end)
        if first < bisect_left(starts, stop):
            leads.append(covered[this.end : starts[first]])
    return leads


def _is_titled(outer: _Path, inner: _Path, covered: str) -> bool:
    """Whether the lines of `outer` are the titles of sections that `inner` numbers."""
    leads = _leads(outer.run, inner.run, covered)
    has_all = len(inner.run) >= len(outer.run) == len(leads)
    if not has_all or inner.template.of_parts > outer.template.of_parts:
        return False
    return all(len(x) < 80 and not _MORE_THAN_A_TITLE.search(x) for x in leads)


def _counts_parts(inner: _Path, outer: _Path, covered: str) -> bool:
    """Whether the numbers of `inner` start again below most numbers of `outer`, behind a text."""
    numbers = [c for c in inner.lines if not c.weak]
    leads = _leads(outer.run, numbers, covered)
    again = sum(c.number == inner.run[0].number for c in numbers)
    return (
        2 * len(leads) > len(outer.run) > 1 == outer.run[0].number
        and len(numbers) <= 6 * len(leads) <= 6 * again
        and 2 * sum(map(_is_stem, leads)) > len(leads)
    )


def _is_stem(lead: str) -> bool:
    """Whether a text above numbers is the begin of a problem: a formula, a sentence, a colon."""
    text = lead.strip()
    said = re.search(r"[.。．:：,，;；]$", text) and not ADMINISTRATIVE.search(text)
    return bool(re.search(r"[^\W\d_]", text)) and bool(FILLER in text or said)


def _numbering(path: _Path, covered: str) -> Numbering:
    run = with_word(path.run, covered)
    used = {c.start for c in run}
    numbers = [c for c in path.lines if not c.weak]
    unused = [c for c in path.lines if c.start not in used]
    counts = [c.number for c in numbers]
    all_unlike = len({c.label for c in numbers}) == len(numbers) >= 6
    is_whole = all_unlike and max(counts) - min(counts) < 1.25 * len(numbers)
    if is_whole and sum(not c.weak for c in unused) >= 2:
        return Numbering(numbers, [], True, path.template)
    return Numbering(run, unused, False, path.template)


_WORD_BEHIND = re.compile(
    r"(?:\s*\*\*[^\W\d_]{1,16}|[^\W\d_]{2,16})(?:\*\*)?[.:)：](?:\*\*)?[ \t]*"
    r"|[^\W\d_]{3,16}(?=[ \t]*(?:[(（\[][^()\n]*[)）\]][ \t]*)?\n)"  # it stands alone
)


def with_word(run: list[Candidate], covered: str) -> list[Candidate]:
    """The run with the word behind the number where it is the same: `1. feladat.`, `1. **Q:**`."""
    words = [_WORD_BEHIND.match(covered, c.end) for c in run]
    unlike = {word[0].strip() if word else "" for word in words}
    if len(run) < 3 or len(unlike) > 1 or not words[0]:
        return run
    return [
        msgspec.structs.replace(c, end=word.end()) if word else c
        for c, word in zip(run, words, strict=True)
    ]


# The best path ----------------------------------------------------------------------------------

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
    worth: Mapping[int, float] = MappingProxyType({}),
) -> tuple[list[Candidate], float]:
    """The path of highest score, and its score: one for each number, less for gaps and restarts.

    A restart needs no heading where a number in `again` starts; `worth` is another score for what
    starts there. A list inside a problem is no restart: numbers that go on behind it where they
    stopped before it leave it out.
    """
    states: list[_State] = []
    recent: dict[tuple[str, int], list[int]] = {}  # chapter, number -> its candidates
    top: list[int] = []  # per candidate, the best end so far
    starts = [candidate.start for candidate in numbers]
    for j, this in enumerate(numbers):
        own = worth.get(this.start, 1)
        ways = [_State(own if this.number == 1 else own - 0.6)]  # as the first of all
        for step in range(1, min(_GAP, this.number) + 1):
            lower = recent.get((this.chapter, this.number - step), ())
            cost = gap(step) if lower and step > 1 else 0
            for i in reversed(lower[-2 if step > 1 else -_NEAR :]):
                state = states[i]
                if state.before + 1 != this.number:
                    ways.append(_State(state.score + own - cost, i, state.before))
        headed = 0.9 if this.number == 1 else 2.5
        if top:
            last = numbers[top[-1]]
            new_chapter = last.chapter != this.chapter
            asks_again = this.start in again
            if _goes_on(last, this):
                cost = 0.1
            elif asks_again:
                cost = 1.2
            else:
                cost = headed if new_chapter else 4.0
            before = -1 if asks_again or new_chapter else last.number
            ways.append(_State(states[top[-1]].score + own - cost, top[-1], before))
        if behind := bisect_left(starts, _last(heads, this.start)):
            i = top[behind - 1]
            ways.append(_State(states[i].score + own - headed, i))
        state = max(ways, key=lambda way: way.score)
        states.append(state)
        recent.setdefault((this.chapter, this.number), []).append(j)
        top.append(j if not j or state.score > states[top[-1]].score else top[-1])
    at = top[-1] if top else -1
    total = states[at].score if top else 0.0
    run = []
    while at >= 0:
        run.append(numbers[at])
        at = states[at].back
    return run[::-1], total


def _goes_on(last: Candidate, this: Candidate) -> bool:
    """Whether 2.1 follows a number of chapter 1., and B1 one of A."""
    above, below = (c.chapter.rpartition(".")[0] or c.chapter for c in (last, this))
    counted = above.isdecimal() and below.isdecimal() and int(below) == int(above) + 1
    return this.number == 1 and (counted or (above, below) in pairwise(ascii_uppercase))


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
        end = [*starts, length][k + 1]
        following = run[k + 1].number if k + 1 < len(run) else 0
        steps = rival.number - this.number
        if rival.weak and (steps != 1 or rival.number == following):
            continue
        settled = one_run(this.end, end) and not one_run(this.end, rival.start)
        if 0 <= steps <= 2 and (rival.number == following or not settled):
            near |= {k, min(k + 1, len(run) - 1)}
        elif rival.number == listed.get(k, 0) + 1:
            listed[k] = rival.number
        elif not rival.weak:
            lost.append((k, rival))
    return near, lost
