"""What makes a cut doubtful when an exam's problems are compared with each other.

An exam is regular: its numbers go up by one, its problems have equally many options, and no line
but a running head is printed again and again. What breaks the rule is flagged for a person.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator
from itertools import pairwise
from statistics import mode

from .cut import ExamPiece
from .headings import PAGE_LINE, masked
from .inline_answers import answer_marks, bare
from .options import Stem, option_runs
from .plain_text import blind

_FIGURE = re.compile(
    r"(?i)\b(?:figure|graph|diagram|picture)s?[ \t]+(?:below|above|shown|shows)\b"
    r"|\b(?:in|from)[ \t]+the[ \t]+(?:(?:adjoining|accompanying|following)[ \t]+)?"
    r"(?:figure|diagram|picture)\b"
    r"|\bfollowing[ \t]+(?:figure|graph|diagram|picture)[ \t]+(?:shows|represents|gives)\b"
    r"|[如右下上]图"
)
_DOTTED = re.compile(  # numbers of books, which are not read: `4.35 Find ..`, `Exercise 2.1.3: ..`
    r"(?m)^[ \t]*(?:#{1,6}[ \t]+)?(?:\*\*)?(?:[A-Z][a-z]+[ \t]+)?"
    r"(\d{1,3}(?:\.\d{1,3}){1,2})[.:*]*[ \t]+[^\W\d]"
)
_DRAWN = re.compile(r"<image\d|\\begin\{(?:tab|array|picture|tikz)|<table|\||\$\$")


_BULLETS = re.compile(  # three or more bullets end a problem, behind a question
    r"[.?!。？][)）$\s]*\n(?:[ \t]*[-*•+][ \t]+[^\n?？]+(?:\n[ \t]+[^-*•+\s][^\n]*)*\s*){3,}\Z"
)


def doubts(
    pieces: list[ExamPiece], printed: list[str], stems: list[Stem], titles: list[str]
) -> list[list[str]]:
    """Per problem, what is unusual in this exam; `titles` are those of its sections.

    `printed` is each problem's text with its answer and its solution.
    """
    flags: list[list[str]] = [[] for _ in pieces]
    _missing_numbers(pieces, flags)
    _second_column(pieces, flags)
    usual = _usual([len(stem.options) for stem in stems if stem.options])
    ends = [[*_last_paragraphs(stem.text)] for stem in stems]
    times = Counter(line for lines in ends for line in {*map(masked, lines)})
    every = zip(pieces, printed, stems, ends, flags, strict=True)
    for piece, whole, stem, lines, piece_flags in every:
        count = len(stem.options)
        if count and count != usual and (usual or count == 3):
            piece_flags.append(f"option-count: {count}, usually {usual or 'more'}")
        shown = "\n".join([piece.shared, piece.instruction, piece.text])
        asked = "\n".join([titles[piece.section], piece.instruction, piece.text])
        if _FIGURE.search(asked) and not _DRAWN.search(shown):
            piece_flags.append("figure-missing")
        if not count and _BULLETS.search(stem.text):
            piece_flags.append("options-or-bullets")
        if len(option_runs(blind(whole))) > 1:
            piece_flags.append("two-option-sets")
        first, *others = [*map(bare, answer_marks(whole)), ""]
        if other := next((x for x in others if x and not _same(first, x)), ""):
            piece_flags.append(f"two-answers: {first[:40]}, {other[:40]}")
        page_lines = [m[0].strip() for m in PAGE_LINE.finditer(piece.text) if m.start()]
        dotted = _DOTTED.findall(piece.text)
        if len(dotted) >= 3:
            piece_flags.append(f"number-unused: {dotted[0]} and {len(dotted) - 1} more")
        if page_lines:
            more = f" and {len(page_lines) - 1} more" if page_lines[1:] else ""
            piece_flags.append(f"page-line: {page_lines[0]}{more}")
        piece_flags += [f"repeated-line: {line}" for line in lines if times[masked(line)] >= 3]
    _unknown_marks(pieces, flags)
    return flags


def _same(answer: str, other: str) -> bool:
    """Whether two answers are the same, as `C` and `Option C` are."""
    return answer == other or (
        len(answer) == 1 and re.findall(r"(?<![^\W_])[A-H](?![^\W_])", other) == [answer]
    )


_MARK = re.compile(r"(?m)^[ \t]*(?:\*\*)?([^\W\d_]{2,20})[ \t]*(?:\*\*)?[:：]")


def _unknown_marks(pieces: list[ExamPiece], flags: list[list[str]]) -> None:
    """A word with a colon that opens a line in most problems might be the mark of an answer."""
    marks = [{*_MARK.findall(piece.text.partition("\n")[2])} for piece in pieces]
    times = Counter(mark for found in marks for mark in found)
    for found, piece_flags in zip(marks, flags, strict=True):
        for mark in sorted(found):
            if times[mark] >= 3 and 3 * times[mark] >= 2 * len(pieces):
                piece_flags.append(f"mark-unknown: {mark}:")


def _missing_numbers(pieces: list[ExamPiece], flags: list[list[str]]) -> None:
    """A gap in the numbers: the missing problem is probably inside the one before."""
    for k, (before, after) in enumerate(pairwise(pieces)):
        if after.run == before.run and after.number - before.number > 1:
            flags[k].append(f"number-missing: {before.number + 1}")
        elif after.run != before.run and after.number > 1:
            flags[k].append("number-missing: 1")
    if pieces and pieces[0].number > 1:
        flags[0].append("number-missing: 1")
    for k, piece in enumerate(pieces):
        following = pieces[k + 1 : k + 2]
        if not following or following[0].run != piece.run:  # the last of its run
            number = piece.number + 1
            inside = (
                rf"(?<![\d.,])(?:[(（第][ \t]*+)?{number}[ \t]*+(?:[.)）题](?!\d)|[．、])[ \t]*\S"
            )
            if re.search(inside, blind(piece.text)):
                flags[k].append(f"number-missing: {number}")


_IN_LINE = re.compile(  # a number behind a sentence, a formula or a wide space
    r"(?:(?<=[.?!。？；;)）\ufdd3][ \t　])|(?<=[ \t　]{2})|(?<=\t))"
    r"[(（]?(\d{1,4})[ \t]?(?:[.)）](?!\d)|[．、])[ \t]?[^ \t]"
)


def _second_column(pieces: list[ExamPiece], flags: list[list[str]]) -> None:
    """Two or more numbers that go on where a run ends, in its lines: a second column."""
    inside: dict[tuple[int, int], int] = {}  # run and number -> the piece that holds it
    for k, piece in enumerate(pieces):
        for match in _IN_LINE.finditer(blind(piece.text)):
            inside.setdefault((piece.run, int(match[1])), k)
    for run, last in {piece.run: piece.number for piece in pieces}.items():
        number = last + 1
        while (run, last + 2) in inside and (run, number) in inside:
            flags[inside[run, number]].append(f"number-missing: {number}")
            number += 1


def _usual(counts: list[int]) -> int:
    """The number of options of four problems in five, where there is one."""
    usual = mode(counts) if len(counts) >= 5 else 0
    return usual if counts.count(usual) >= 0.8 * len(counts) else 0


def _last_paragraphs(text: str) -> Iterator[str]:
    """Short paragraphs of words behind the first one, which is the problem itself."""
    for paragraph in re.split(r"\n[ \t]*\n", text)[1:]:
        line = paragraph.strip()
        if 3 < len(line) <= 80 and (line[0].isalpha() or line[0] == "["):
            yield line
