"""An exam's text cut at the numbers of its problems: what is theirs, and what stands between them.

Every character goes to a problem, or to what belongs to none. Text that several problems share goes
to those it names, an instruction to those below it.
"""

from __future__ import annotations

import re
from bisect import bisect_left
from collections.abc import Iterator
from itertools import pairwise, takewhile

import msgspec

from ...options import option_runs
from ..documents import blind
from .headings import ADMINISTRATIVE, Heading
from .instructions import NAMES, asks, instruction_in, instruction_start, instructs
from .numbering import LINE_NUMBER, doubtful
from .spans import Cut, Role, Stretch, assembled
from .structure import Structure
from .templates import Candidate


class _Block(msgspec.Struct, frozen=True):
    """What stands in front of the k-th problem: a heading, or other text."""

    k: int
    start: int
    end: int
    title: str = ""


def cut(looked: Structure) -> Cut:
    """Cut an exam's text without its keys."""
    text, heads, run = looked.rest, looked.heads, looked.numbering.run
    borders = [*(candidate.start for candidate in run), len(text)]
    texts = [text[c.end : end] for c, end in zip(run, borders[1:], strict=True)]
    near, lost = doubtful(looked.numbering, len(text), looked.one_run)
    doubts = [["number-doubtful"] if k in near else [] for k in range(len(run))]
    for k, rival in lost:
        shown = text[rival.start : rival.start + 80].strip().split("\n", 1)[0]
        doubts[k].append(f"number-unused: {shown}")
    blocks = [*_blocks(0, 0, borders[0], text, heads)]
    line = ""  # before this problem, and it might be its instruction
    for k, (this, end) in enumerate(zip(run, borders[1:], strict=True)):
        inside = _within(heads, this.end, end)
        stop, doubted = _problem_end(text, this.end, end, texts[k + 1 : k + 3], inside)
        names = NAMES.search(text, this.end, stop)
        stop = names.start() if names and _named(names, run, k + 1) else stop
        before, line = line, text[stop:end].strip()[:80] if doubted else ""
        if before or line:
            doubts[k].append(f"instruction-doubtful: {line or before}")
        texts[k] = text[this.end : stop]
        blocks += _blocks(k + 1, stop, end, text, heads)
    stops = [c.end + len(own) for c, own in zip(run, texts, strict=True)]
    stretches = [
        Stretch(c.start, stop, "stem", (str(k),), doubts=doubts[k])
        for k, (c, stop) in enumerate(zip(run, stops, strict=True))
    ]
    ends = dict(pairwise([*sorted({block.k for block in blocks}), len(run)]))
    for block in blocks:
        stretches += _roles(text, block, run, texts, ends[block.k])
    made = assembled(text, stretches, {c.start: c for c in run})
    front = {doubt: 0 for doubt in made.doubts if doubt.startswith("text-before-first")}
    made.doubts = [*front][: bool(run)] + [
        doubt for doubt in made.doubts if doubt not in front
    ]
    if looked.numbering.shuffled:
        _doubt_order(made)
    return made


def _within(heads: list[Heading], start: int, end: int) -> list[Heading]:
    first, last = (
        bisect_left(heads, place, key=lambda head: head.start) for place in (start, end)
    )
    return heads[first:last]


def _problem_end(
    text: str, start: int, end: int, following: list[str], heads: list[Heading]
) -> tuple[int, bool]:
    """Where the problem that starts at `start` ends, at the latest at `end`, and if in doubt.

    `following` are the texts of the next problems.
    """
    stop = min((head.start for head in heads if not head.weak), default=end)
    for head in reversed(heads):
        if head.start < stop and head.weak:
            below = text[head.end : stop].strip()
            if below and instruction_start(f"x\n\n{below}", None)[0] != len("x\n\n"):
                break
            stop = head.start
    behind = (
        *(following if stop == end else []),
        None,
        None,
    )  # a heading ends what governs
    instruction, doubted = instruction_start(text[start:stop], behind[0], behind[1])
    return (stop, doubted) if instruction is None else (start + instruction, doubted)


def _blocks(
    k: int, start: int, end: int, text: str, heads: list[Heading]
) -> Iterator[_Block]:
    """text[start:end] in its headings and other text."""
    for head in [*_within(heads, start, end), Heading("", end, end)]:
        if text[start : head.start].strip():
            yield _Block(k, start, head.start)
        if head.title:
            yield _Block(k, head.start, head.end, head.title)
        start = head.end


# Text for several problems ----------------------------------------------------------------------

_SHOWS = re.compile(
    r"<image\d|\$|[^\n]\n[^\n]"
)  # something to look at, not something to do
_MORE_THAN_A_TITLE = re.compile(
    r"<image\d|\$|[a-z][^\n]{15,200}[.:?][ \t]*(?:\n|$)|[。？]"
)


def _named(match: re.Match[str] | None, run: list[Candidate], k: int) -> list[str]:
    """The problems from the k-th on whose range a line names, when it starts with the k-th."""
    first, last = sorted(int(g) for g in match.groups() if g) if match else (0, 0)
    if not match or k >= len(run) or first != run[k].number:
        return []
    return [
        *map(
            str, takewhile(lambda j: first <= run[j].number <= last, range(k, len(run)))
        )
    ]


def _roles(
    text: str, block: _Block, run: list[Candidate], texts: list[str], last: int
) -> Iterator[Stretch]:
    """What a block is: a heading, or text for the problems it names, or for all up to `last`."""
    k, start, end = block.k, block.start, block.end
    told = text[start:end].strip()
    doubt = ""
    if block.title or ADMINISTRATIVE.search(told.split("\n", 1)[0]):
        pass
    elif named := _named(NAMES.search(told), run, k):
        role: Role = "figure" if _SHOWS.search(told) else "instruction"
        yield Stretch(start, end, role, named)
        start = end
    elif k < last and (instruction := instruction_in(told, texts[k], not k)):
        begin = text.rindex(instruction, start, end)
        by_words = instructs(instruction)
        below = [str(j) for j in range(k, last) if by_words or not asks(texts[j])]
        yield Stretch(begin, end, "instruction", below)
        end = begin
        doubt = f"text-after-heading: {text[start:end].strip()[:80]}" if k else ""
    elif k:
        doubt = f"text-after-heading: {told[:80]}"
    elif _MORE_THAN_A_TITLE.search(told) or LINE_NUMBER.search(told):
        doubt = f"text-before-first: {told[:400]}"
    if text[start:end].strip():
        about = (str(k - 1),) if doubt and k else ()
        yield Stretch(
            start, end, "outside", about, block.title, [doubt] if doubt else ()
        )


# Two columns ------------------------------------------------------------------------------------

_ENDED = re.compile(r"[.．?!。？！…:：;；)）>$}]\s*\Z")


def _doubt_order(made: Cut) -> None:
    """Flag problems whose numbers do not go up, and put them in order.

    Where columns that were read row by row explain the order, only those are that may end early.
    """
    numbers = [problem.number for problem in made.problems]
    made.doubts.append(f"numbers-shuffled: {' '.join(map(str, numbers[:20]))}")
    explained = _in_columns(numbers)
    for one, other in pairwise(made.problems):
        broken = not (_ENDED.search(one.question) or option_runs(blind(one.question)))
        if broken if explained else other.number != one.number + 1:
            one.flags, other.flags = ["numbers-shuffled"], ["numbers-shuffled"]
    made.problems.sort(key=lambda problem: problem.number)


def _in_columns(order: list[int]) -> bool:
    """Whether numbers are blocks of two, three or four columns read row by row: 1 4 2 5 3 6 7 .."""
    reached = {0}
    for start in (start for start in range(len(order)) if start in reached):
        first = min(order) + start
        for size in range(1, min(60, len(order) - start) + 1):
            block, wanted = order[start : start + size], [*range(first, first + size)]
            columns = ([n for k in range(c) for n in block[k::c]] for c in (2, 3, 4))
            if wanted in columns:
                reached.add(start + size)
    return len(order) in reached
