"""An exam's text cut into one piece per problem, and what stands between them.

Every character goes to a piece, or to the list of what belongs to no problem; text that several
problems share goes to the problems it names.
"""

from __future__ import annotations

import re
from bisect import bisect_left, bisect_right
from collections.abc import Iterator
from itertools import pairwise
from typing import Literal

import msgspec

from ...options import option_runs
from ..documents import BREAK, blind
from .headings import ADMINISTRATIVE, Heading
from .instructions import (
    asks,
    asks_nothing,
    from_instruction,
    governs,
    instruction_start,
    instructs,
)
from .numbering import LINE_NUMBER, doubtful
from .structure import Structure


class Outside(msgspec.Struct):
    """Text that belongs to no problem; `before` is the raw id of the problem behind it, if any."""

    kind: Literal["front", "heading", "instruction", "page-line", "key"]
    text: str
    before: str = ""


class ExamPiece(msgspec.Struct):
    """One problem's text before it is understood, from `start` on.

    `section` is the index of its heading; `shared` is text it shares with the problems it names,
    `instruction` a line above it and its neighbours.
    """

    number: int
    start: int
    mark: str  # the number as printed
    section: int
    text: str
    run: int = 1  # how often the numbers have started again, from 1
    shared: str = ""
    instruction: str = ""
    answer: str = ""
    solution: str = ""
    flags: list[str] = []


class Between(msgspec.Struct):
    """What stands between a problem and the next one, `index`: a heading, or other text."""

    text: str
    index: int
    kind: Literal["heading", "text"] = "text"


class Cut(msgspec.Struct):
    """The pieces in the order of their numbers, the titles of sections (index 0: before any).

    `doubts` are kinds of issues and what they are about.
    """

    pieces: list[ExamPiece]
    titles: list[str]
    between: list[Between]
    doubts: list[str] = []


def cut(looked: Structure) -> Cut:
    """Cut an exam's text without its keys."""
    text, heads, run = looked.rest, looked.heads, looked.numbering.run
    starts = [head.start for head in heads]
    borders = [*(candidate.start for candidate in run), len(text)]
    texts = [text[c.end : end] for c, end in zip(run, borders[1:], strict=True)]
    titles = [""]
    for head in heads:
        titles.append(titles[-1] if head.title == BREAK else head.title)
    result = Cut([], titles, [*_between(text, 0, borders[0], heads, 0)])
    near, lost = doubtful(looked.numbering, len(text), looked.one_run)
    line = ""  # before this problem, and it might be its instruction
    for k, (this, end) in enumerate(zip(run, borders[1:], strict=True)):
        inside = heads[bisect_left(starts, this.end) : bisect_left(starts, end)]
        stop, doubted = _problem_end(text, this.end, end, texts[k + 1 : k + 3], inside)
        before, line = line, text[stop:end].strip()[:80] if doubted else ""
        flags = ["number-doubtful"] if k in near else []
        if before or line:
            flags.append(f"instruction-doubtful: {line or before}")
        mark, section = text[this.start : this.end], bisect_right(starts, this.start)
        body = text[this.end : stop]
        result.pieces.append(ExamPiece(this.number, this.start, mark, section, body, flags=flags))
        result.between += _between(text, stop, end, heads, k + 1)
    for k, rival in lost:
        shown = text[rival.start : rival.start + 80].strip().split("\n", 1)[0]
        result.pieces[k].flags.append(f"number-unused: {shown}")
    _share(result)
    if looked.numbering.shuffled:
        _doubt_order(result)
    count_runs(result.pieces)
    return result


_ENDED = re.compile(r"[.．?!。？！…:：;；)）>$}]\s*\Z")


def _doubt_order(result: Cut) -> None:
    """Flag problems whose numbers do not go up, and put them in order.

    Where columns that were read row by row explain the order, only those are that may end early.
    """
    numbers = [piece.number for piece in result.pieces]
    result.doubts.append(f"numbers-shuffled: {' '.join(map(str, numbers[:20]))}")
    explained = _in_columns(numbers)
    for one, other in pairwise(result.pieces):
        broken = not (_ENDED.search(one.text) or option_runs(blind(one.text)))
        if broken if explained else other.number != one.number + 1:
            one.flags = other.flags = ["numbers-shuffled"]
    result.pieces.sort(key=lambda piece: piece.number)


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


def count_runs(pieces: list[ExamPiece]) -> None:
    """Say of each piece how often the numbers have started again."""
    seen = set[int]()
    part = 1
    for piece in pieces:
        if piece.number in seen:
            part, seen = part + 1, set()
        seen.add(piece.number)
        piece.run = part


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
    behind = (*(following if stop == end else []), None, None)  # a heading ends what governs
    instruction, doubted = instruction_start(text[start:stop], behind[0], behind[1])
    return (stop, doubted) if instruction is None else (start + instruction, doubted)


def _between(
    text: str, start: int, end: int, heads: list[Heading], index: int
) -> Iterator[Between]:
    """text[start:end] in its headings and other text."""
    first, last = (bisect_left(heads, place, key=lambda head: head.start) for place in (start, end))
    for head in [*heads[first:last], Heading("", end, end)]:
        if text[start : head.start].strip():
            yield Between(text[start : head.start].strip(), index)
        if head.title:
            yield Between(text[head.start : head.end].strip(), index, "heading")
        start = head.end


# Text for several problems ----------------------------------------------------------------------

_NAMES = re.compile(
    r"(?mi)^[ \t]*(?![ \t])(?:\*\*)?[^\n]{0,40}?\b(?:questions?|problems?|items?|exercises?)[ \t]+"
    r"(?:numbers?[ \t]+|nos?\.?[ \t]*)?"
    r"(\d{1,4})[ \t]*(?:-|–|—|to|and|through|&)[ \t]*(\d{1,4})\b"
    r"|^[ \t]*(?![ \t])[^\n]{0,20}?第?[ \t]*(\d{1,4})[ \t]*题?[~～–—至、，与和及-]"
    r"第?[ \t]*(\d{1,4})[ \t]*(?:小)?题"
)
_SHOWS = re.compile(r"<image\d|\$|[^\n]\n[^\n]")  # something to look at, not something to do
_MORE_THAN_A_TITLE = re.compile(r"<image\d|\$|[a-z][^\n]{15,200}[.:?][ \t]*(?:\n|$)|[。？]")


def _share(result: Cut) -> None:
    """Text such as `Questions 5-7 refer to ...` goes to the problems named, or to those below."""
    pieces = result.pieces
    texts = [block for block in result.between if block.kind != "heading"]
    for k, piece in enumerate(pieces[:-1]):  # in the midst of a problem's last lines
        match = _NAMES.search(piece.text)
        if match and _named(match, pieces, k + 1):
            texts.append(Between(piece.text[match.start() :].strip(), k + 1))
            result.between.append(texts[-1])
            piece.text = piece.text[: match.start()]
    result.between.sort(key=lambda block: block.index)
    borders = {block.index for block in result.between}
    front: list[str] = []
    for block in texts:
        k = block.index
        match = _NAMES.search(block.text)
        others = _named(match, pieces, k) if match else []
        if ADMINISTRATIVE.search(block.text.split("\n", 1)[0]):
            continue
        if others:
            for other in others:
                if _SHOWS.search(block.text):
                    other.shared = block.text
                else:
                    other.instruction = block.text
        elif k < len(pieces) and (
            instructs(block.text) or governs(block.text, pieces[k].text, not k)
        ):
            _instruct(result, block, borders)
        elif k:
            pieces[k - 1].flags.append(f"text-after-heading: {block.text[:80]}")
        elif _MORE_THAN_A_TITLE.search(block.text) or LINE_NUMBER.search(block.text):
            front.append(f"text-before-first: {block.text[:400]}")
    result.doubts[:0] = front[:1] if pieces else []


def _named(match: re.Match[str], pieces: list[ExamPiece], k: int) -> list[ExamPiece]:
    """The problems from the k-th on whose range a line names, when it starts with the k-th."""
    first, last = sorted(int(g) for g in match.groups() if g)
    if k >= len(pieces) or first != pieces[k].number:
        return []
    return [
        p for p in pieces[k : k + 100]
        if first <= p.number <= last and p.section == pieces[k].section
    ]  # fmt: skip


def _instruct(result: Cut, block: Between, borders: set[int]) -> None:
    """A line for the problems below it, as far as the next line or heading between two.

    A problem that asks a question of its own is left out; one that is a sentence is doubtful, for
    it may be what the line is about, or ask for itself.
    """
    pieces, k = result.pieces, block.index
    last = next((j for j in range(k + 1, len(pieces)) if j in borders), len(pieces))
    instruction = from_instruction(block.text)
    above = block.text.removesuffix(instruction).strip()
    if k and above:
        pieces[k - 1].flags.append(f"text-after-heading: {above[:80]}")
    named = instructs(instruction)
    for piece in pieces[k:last]:
        if not named and asks(piece.text):
            continue
        if not named and not asks_nothing(piece.text):
            piece.flags.append(f"instruction-doubtful: {instruction[:80]}")
        piece.instruction = "\n".join(filter(None, [piece.instruction, instruction]))
    names = f"{pieces[k].number}-{pieces[last - 1].number}"
    result.doubts.append(f"instruction: {names}: {instruction[:80]}")
