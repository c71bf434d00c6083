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
from .spans import SHOWN, Cut, Role, Stretch, assembled
from .structure import Structure
from .templates import Candidate

SHOWN_IN_FRONT = 400  # characters of the text before the first problem, in a doubt


class _Block(msgspec.Struct, frozen=True):
    """What stands in front of the k-th problem: a heading, or other text."""

    k: int
    start: int
    end: int
    title: str = ""


def cut(looked: Structure) -> Cut:
    """Cut an exam's text without its keys."""
    text = looked.rest
    heads = looked.heads
    run = looked.numbering.run
    borders = [*(number.start for number in run), len(text)]
    texts = [text[n.end : end] for n, end in zip(run, borders[1:], strict=True)]
    doubts = _number_doubts(text, looked)
    blocks = [*_blocks(0, 0, borders[0], text, heads)]
    stretches: list[Stretch] = []
    line = ""  # before this problem, and it might be its instruction
    for k, (number, end) in enumerate(zip(run, borders[1:], strict=True)):
        inside = _within(heads, number.end, end)
        following = texts[k + 1 : k + 3]
        stop, doubted = _problem_end(text, number.end, end, following, inside)
        names = NAMES.search(text, number.end, stop)
        if names and _named(names, run, k + 1):
            stop = names.start()
        line_before = line
        line = text[stop:end].strip()[:SHOWN] if doubted else ""
        if line or line_before:
            doubts[k].append(f"instruction-doubtful: {line or line_before}")
        texts[k] = text[number.end : stop]
        stem = Stretch(number.start, stop, "stem", (str(k),), doubts=doubts[k])
        stretches.append(stem)
        blocks += _blocks(k + 1, stop, end, text, heads)
    # a block governs the problems up to the next one
    ends = dict(pairwise([*sorted({block.k for block in blocks}), len(run)]))
    for block in blocks:
        stretches += _roles(text, block, run, texts, ends[block.k])
    parts = assembled(text, stretches, {number.start: number for number in run})
    parts.doubts = _front_once(parts.doubts, bool(run))
    if looked.numbering.shuffled:
        _doubt_order(parts)
    return parts


def _number_doubts(text: str, looked: Structure) -> list[list[str]]:
    """Per problem, what is in doubt about the numbers in it and beside it."""
    near, lost = doubtful(looked.numbering, len(text), looked.one_run)
    problems = range(len(looked.numbering.run))
    doubts = [["number-doubtful"] if k in near else [] for k in problems]
    for k, rival in lost:
        line = text[rival.start : rival.start + SHOWN].strip().split("\n", 1)[0]
        doubts[k].append(f"number-unused: {line}")
    return doubts


def _front_once(doubts: list[str], are_problems: bool) -> list[str]:
    """Doubts, of those about the text before the first problem one, and that first."""
    front = [doubt for doubt in doubts if doubt.startswith("text-before-first")]
    others = [doubt for doubt in doubts if doubt not in front]
    return front[:1] + others if are_problems else others


def _within(heads: list[Heading], start: int, end: int) -> list[Heading]:
    def place(position: int) -> int:
        return bisect_left(heads, position, key=lambda head: head.start)

    return heads[place(start) : place(end)]


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
    behind = following if stop == end else []  # a heading ends what governs
    first, second = [*behind, None, None][:2]
    instruction, doubted = instruction_start(text[start:stop], first, second)
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

# Something to look at, not something to do.
_SHOWS = re.compile(r"<image\d|\$|[^\n]\n[^\n]")
_MORE_THAN_A_TITLE = re.compile(
    r"<image\d|\$|[a-z][^\n]{15,200}[.:?][ \t]*(?:\n|$)|[。？]"
)


def _named(match: re.Match[str] | None, run: list[Candidate], k: int) -> list[str]:
    """The problems from the k-th on whose range a line names, when it starts with the k-th."""
    if not match or k >= len(run):
        return []
    first, last = sorted(int(number) for number in match.groups() if number)
    if first != run[k].number:
        return []
    behind = range(k, len(run))
    named = takewhile(lambda j: first <= run[j].number <= last, behind)
    return [str(j) for j in named]


def _roles(
    text: str, block: _Block, run: list[Candidate], texts: list[str], last: int
) -> Iterator[Stretch]:
    """What a block is: a heading, or text for the problems it names, or for all up to `last`."""
    k = block.k
    start = block.start
    end = block.end
    words = text[start:end].strip()
    doubt = ""
    if block.title or ADMINISTRATIVE.search(words.split("\n", 1)[0]):
        pass
    elif named := _named(NAMES.search(words), run, k):
        role: Role = "figure" if _SHOWS.search(words) else "instruction"
        yield Stretch(start, end, role, named)
        return
    elif k < last and (instruction := instruction_in(words, texts[k], not k)):
        begin = text.rindex(instruction, start, end)
        by_words = instructs(instruction)
        below = [str(j) for j in range(k, last) if by_words or not asks(texts[j])]
        yield Stretch(begin, end, "instruction", below)
        end = begin
        words = text[start:end].strip()
        doubt = f"text-after-heading: {words[:SHOWN]}" if k else ""
    elif k:
        doubt = f"text-after-heading: {words[:SHOWN]}"
    elif _MORE_THAN_A_TITLE.search(words) or LINE_NUMBER.search(words):
        doubt = f"text-before-first: {words[:SHOWN_IN_FRONT]}"
    if words:
        about = (str(k - 1),) if doubt and k else ()
        doubts = [doubt] if doubt else ()
        yield Stretch(start, end, "outside", about, block.title, doubts)


# Two columns ------------------------------------------------------------------------------------

_ENDED = re.compile(r"[.．?!。？！…:：;；)）>$}]\s*\Z")
_COLUMNS = (2, 3, 4)  # beside each other on a page
_LONGEST_BLOCK = 60  # problems on a page


def _doubt_order(parts: Cut) -> None:
    """Flag problems whose numbers do not go up, and put them in order.

    Where columns that were read row by row explain the order, only those are that may end early.
    """
    numbers = [problem.number for problem in parts.problems]
    parts.doubts.append(f"numbers-shuffled: {' '.join(map(str, numbers[:20]))}")
    explained = _in_columns(numbers)
    for problem, following in pairwise(parts.problems):
        if explained:
            has_options = option_runs(blind(problem.question))
            doubtful = not (_ENDED.search(problem.question) or has_options)
        else:
            doubtful = following.number != problem.number + 1
        if doubtful:
            problem.flags, following.flags = ["numbers-shuffled"], ["numbers-shuffled"]
    parts.problems.sort(key=lambda problem: problem.number)


def _in_columns(order: list[int]) -> bool:
    """Whether numbers are blocks of two, three or four columns read row by row: 1 4 2 5 3 6 7 .."""
    reached = {0}
    for start in range(len(order)):
        if start not in reached:
            continue
        first = min(order) + start
        for size in range(1, min(_LONGEST_BLOCK, len(order) - start) + 1):
            block = order[start : start + size]
            in_order = [*range(first, first + size)]
            if any(_by_columns(block, count) == in_order for count in _COLUMNS):
                reached.add(start + size)
    return len(order) in reached


def _by_columns(block: list[int], count: int) -> list[int]:
    """A block that was read row by row, as its columns go."""
    return [number for k in range(count) for number in block[k::count]]
