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

from .headings import Heading, headings, notes
from .inline_answers import is_answered
from .instructions import (
    asks,
    asks_nothing,
    from_instruction,
    governs,
    instruction_start,
    instructs,
)
from .labels import ADMINISTRATIVE, BREAK
from .numbering import LINE_NUMBER, Numbering, best_numbering, doubtful
from .options import option_runs
from .plain_text import blanked, blind


class Outside(msgspec.Struct, frozen=True):
    """Text that belongs to no problem; `before` is the raw id of the problem behind it, if any."""

    kind: Literal["front", "heading", "instruction", "notes", "page-line", "key"]
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

    kind: Literal["heading", "text", "notes"]
    text: str
    index: int


class Cut(msgspec.Struct):
    """The pieces in the order of their numbers, the titles of sections (index 0: before any)."""

    pieces: list[ExamPiece]
    titles: list[str]
    between: list[Between]
    front: str = ""  # the begin of what stands before the first number, where it is more than words
    instructions: list[str] = []  # each with the numbers of the problems it stands above
    shuffled: bool = False


_WIDE = re.compile("[ \t]{3,}|　{2,}|\t+")


class Look(msgspec.Struct, frozen=True):
    """What a first look finds: headings, notes to the candidates, and the numbers of problems."""

    heads: list[Heading]
    noted: list[tuple[int, int]]
    numbering: Numbering
    options: list[int]  # where sets of options start

    def one_run(self, start: int, end: int) -> bool:
        """Whether exactly one set of options starts in a stretch."""
        return bisect_left(self.options, end) - bisect_left(self.options, start) == 1


def look(text: str) -> Look:
    """The numbers of an exam's text, and what they are told by."""
    covered = blind(text)
    heads = headings(text)
    noted = notes(text, covered, heads)
    numbers = Look(heads, noted, Numbering(), option_runs(covered))
    scanned = blanked(covered, noted)

    def best(scanned: str) -> Numbering:
        return best_numbering(
            scanned,
            [head.start for head in heads if not head.weak],
            lambda start, end: 0.02 * numbers.one_run(start, end),
            lambda start, end: numbers.one_run(start, end) or is_answered(text[start:end]),
        )

    numbering = best(scanned)
    if len(numbering.run) < 2:  # all problems in one line, with wide spaces between them
        spread = best(_WIDE.sub(lambda gap: "\n" * len(gap[0]), scanned))
        numbering = spread if len(spread.run) > 2 else numbering
    taken = {c.start for c in numbering.run}
    heads = [h for h in heads if not taken & {h.start}]
    return msgspec.structs.replace(numbers, heads=heads, numbering=numbering)


def cut(text: str) -> Cut:
    """Cut an exam's text without its keys."""
    looked = look(text)
    heads, noted, numbering, one_run = (
        looked.heads, looked.noted, looked.numbering, looked.one_run
    )  # fmt: skip
    run = numbering.run
    starts = [head.start for head in heads]
    note_starts = [start for start, _ in noted]

    def inside(start: int, end: int) -> tuple[list[Heading], list[tuple[int, int]]]:
        """The headings and the notes that start in text[start:end]."""
        return (
            heads[bisect_left(starts, start) : bisect_left(starts, end)],
            noted[bisect_left(note_starts, start) : bisect_left(note_starts, end)],
        )

    near, lost = doubtful(numbering, len(text), one_run)
    pieces: list[ExamPiece] = []
    between: list[Between] = []
    first = run[0].start if run else len(text)
    between += _between(text, 0, first, *inside(0, first), 0)
    borders = [*(candidate.start for candidate in run), len(text)]
    doubts = ""  # the line before this problem that might be its instruction
    for k, this in enumerate(run):
        end = borders[k + 1]
        following = [
            text[c.end : border]
            for c, border in zip(run[k + 1 : k + 3], borders[k + 2 : k + 4], strict=True)
        ]
        stop, doubted = _problem_end(text, this.end, end, following, *inside(this.end, end))
        section = bisect_right(starts, this.start)
        flags = ["number-doubtful"] if k in near else []
        if doubted or doubts:
            line = text[stop:end].strip() if doubted else doubts
            flags.append(f"instruction-doubtful: {line[:80]}")
        doubts = text[stop:end].strip()[:80] if doubted else ""
        pieces.append(
            ExamPiece(
                this.number,
                this.start,
                text[this.start : this.end],
                section,
                text[this.end : stop],
                flags=flags,
            )
        )
        between += _between(text, stop, end, *inside(stop, end), k + 1)
    for k, rival in lost:
        line = text[rival.start : rival.start + 80].strip().split("\n", 1)[0]
        pieces[k].flags.append(f"number-unused: {line}")
    titles = [""]
    for head in heads:
        titles.append(titles[-1] if head.title == BREAK else head.title)
    result = Cut(pieces, titles, between, shuffled=numbering.shuffled)
    _share(result)
    if numbering.shuffled:
        for before, after in pairwise(pieces):
            if after.number != before.number + 1:
                for piece in (before, after):
                    piece.flags = ["numbers-shuffled"]
        result.pieces.sort(key=lambda piece: piece.number)
    count_runs(result.pieces)
    return result


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
    text: str,
    start: int,
    end: int,
    following: list[str],
    heads: list[Heading],
    noted: list[tuple[int, int]],
) -> tuple[int, bool]:
    """Where the problem that starts at `start` ends, at the latest at `end`, and if in doubt.

    `following` are the texts of the next problems.
    """
    stop = min([*(a for a, _ in noted), *(h.start for h in heads if not h.weak)], default=end)
    for head in reversed(heads):
        if head.start < stop and head.weak:
            if text[head.end : stop].strip() and not _only_instructs(text[head.end : stop]):
                break
            stop = head.start
    behind = (*(following if stop == end else []), None, None)  # a heading ends what governs
    instruction, doubted = instruction_start(text[start:stop], behind[0], behind[1])
    return (stop, doubted) if instruction is None else (start + instruction, doubted)


def _only_instructs(text: str) -> bool:
    return instruction_start(f"x\n\n{text.strip()}", None)[0] == len("x\n\n")


def _between(
    text: str, start: int, end: int, heads: list[Heading], noted: list[tuple[int, int]], index: int
) -> Iterator[Between]:
    """text[start:end] in its headings, notes and other text."""
    marks: list[tuple[int, int, Literal["heading", "notes"]]] = [(a, b, "notes") for a, b in noted]
    marks += [(head.start, head.end, "heading") for head in heads]
    for a, b, kind in sorted(marks, key=lambda mark: (mark[0], -mark[1])):
        if a < start:  # a heading inside notes
            continue
        if text[start:a].strip():
            yield Between("text", text[start:a].strip(), index)
        yield Between(kind, text[a:b].strip(), index)
        start = b
    if text[start:end].strip():
        yield Between("text", text[start:end].strip(), index)


# Text for several problems ----------------------------------------------------------------------

_NAMES = re.compile(
    r"(?mi)^[ \t]*(?:\*\*)?[^\n]{0,40}?\b(?:questions?|problems?|items?|exercises?)[ \t]+"
    r"(?:numbers?[ \t]+|nos?\.?[ \t]*)?"
    r"(\d{1,4})[ \t]*(?:-|–|—|to|and|through|&)[ \t]*(\d{1,4})\b"
    r"|^[ \t]*[^\n]{0,20}?第?[ \t]*(\d{1,4})[ \t]*题?[~～–—至、，与和及-]"
    r"第?[ \t]*(\d{1,4})[ \t]*(?:小)?题"
)
_REFERS = re.compile(  # something to look at, not something to do
    r"(?i)<image\d|\$|\\begin\{|\brefer\b|\bbased on\b|\b(?:figure|graph|diagram|table|chart"
    r"|passage|information|data|text|situation|scenario|picture|map)\b|图|材料|阅读|根据|信息|表"
    r"|[^\n]\n[^\n]|\.\s+[A-Z]"
)
_MORE_THAN_A_TITLE = re.compile(r"<image\d|\$|[a-z][^\n]{15,200}[.:?][ \t]*(?:\n|$)|[。？]")


def _share(result: Cut) -> None:
    """Text such as `Questions 5-7 refer to ...` goes to the problems named, or to those below."""
    pieces = result.pieces
    named: list[Between] = []
    for k, piece in enumerate(pieces[:-1]):  # in the midst of a problem's last lines
        match = next(_NAMES.finditer(piece.text), None)
        if match and _named(match, pieces, k + 1):
            rest = piece.text[match.start() :].strip()
            piece.text = piece.text[: match.start()]
            named.append(Between("text", rest, k + 1))
    texts = [b for b in result.between if b.kind == "text"]
    result.between = sorted([*result.between, *named], key=lambda b: b.index)
    borders = {b.index for b in result.between}
    for block in [*texts, *named]:
        k = block.index
        match = next(_NAMES.finditer(block.text), None)
        others = _named(match, pieces, k) if match else []
        administrative = bool(ADMINISTRATIVE.search(block.text.split("\n", 1)[0]))
        if others and not administrative:
            for other in others:
                if _REFERS.search(block.text):
                    other.shared = block.text
                else:
                    other.instruction = block.text
        elif administrative or k >= len(pieces):
            if k >= len(pieces) and not administrative and pieces:
                pieces[-1].flags.append(f"text-after-heading: {block.text[:80]}")
        elif instructs(block.text) or governs(block.text, pieces[k].text, not k):
            _instruct(result, block, borders)
        elif k == 0:
            if _MORE_THAN_A_TITLE.search(block.text) or LINE_NUMBER.search(block.text):
                result.front = result.front or block.text[:400]
        else:
            pieces[k - 1].flags.append(f"text-after-heading: {block.text[:80]}")


def _named(match: re.Match[str], pieces: list[ExamPiece], k: int) -> list[ExamPiece]:
    """The problems from the k-th on whose range a line names, when it starts with the k-th."""
    first, last = sorted(int(g) for g in match.groups() if g)
    if k >= len(pieces) or first != pieces[k].number:
        return []
    return [
        p for p in pieces[k : k + 100]
        if first <= p.number <= last and p.section == pieces[k].section
    ]  # fmt: skip


_PICTURE = re.compile(r"<image\d+>")


def _instruct(result: Cut, block: Between, borders: set[int]) -> None:
    """A line for the problems below it, as far as the next line or heading between two.

    A problem that asks a question of its own is left out; one that is a sentence is doubtful, for
    it may be what the line is about, or ask for itself.
    """
    pieces, k = result.pieces, block.index
    last = k + 1
    while last < len(pieces) and last not in borders:
        last += 1
    if _PICTURE.search(block.text):
        pieces[k].shared = block.text
        pieces[k].flags.append(f"text-after-heading: {block.text[:80]}")
        return
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
    result.instructions.append(f"{names}: {instruction[:80]}")
