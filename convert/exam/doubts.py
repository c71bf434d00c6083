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
from .options import Stem, option_runs, options_or_parts
from .plain_text import blind

_PAGE_LINE = re.compile(
    r"(?mi)^[ \t]*(?:[-–—][ \t]*\d{1,3}[ \t]*[-–—]|(?:page|seite)[ \t]*\d{1,3}\b.*|\d{1,3}"
    r"|.*\b(?:next page|turn over|page \d{1,3}(?: of \d{1,3})?)\W*|第[ \t]*\d+[ \t]*页.*"
    r"|(?:©|copyright\b|\(c\)[ \t]*(?:19|20)\d\d).*)$"
)


def doubts(pieces: list[ExamPiece], stems: list[Stem]) -> list[list[str]]:
    """Per problem, what is unusual in this exam; `section` is the piece's run of numbers."""
    flags: list[list[str]] = [[] for _ in pieces]
    _missing_numbers(pieces, flags)
    usual = _usual([len(stem.options) for stem in stems if stem.options])
    ends = [[*_last_paragraphs(stem.text)] for stem in stems]
    times = Counter(line for lines in ends for line in {*map(_masked, lines)})
    for piece, stem, lines, piece_flags in zip(pieces, stems, ends, flags, strict=True):
        count = len(stem.options)
        if count and usual and count != usual:
            piece_flags.append(f"option-count: {count}, usually {usual}")
        if not count and options_or_parts(piece.text):
            piece_flags.append("options-or-parts")
        if len(option_runs(blind(piece.text))) > 1:
            piece_flags.append("two-option-sets")
        piece_flags += [f"page-line: {line.strip()}" for line in _PAGE_LINE.findall(piece.text)]
        piece_flags += [f"repeated-line: {line}" for line in lines if times[_masked(line)] >= 3]
    return flags


def without_page_lines(text: str) -> tuple[str, list[str]]:
    """The text without running heads and feet, and these.

    Such a line names a page, stands behind an empty line, and comes at least twice, whatever its
    page number.
    """
    page_lines = [
        m
        for m in _PAGE_LINE.finditer(text)
        if re.search(r"\n\s*\n$|^\s*$", text[max(0, m.start() - 9) : m.start()])
    ]
    times = Counter(_masked(match[0]) for match in page_lines)
    repeated = [m for m in page_lines if times[_masked(m[0])] > 1 and not m[0].strip().isdigit()]
    for match in reversed(repeated):
        text = text[: match.start()].rstrip("\n") + "\n" + text[match.end() :]
    return text, [match[0].strip() for match in repeated]


def _missing_numbers(pieces: list[ExamPiece], flags: list[list[str]]) -> None:
    """A gap in the numbers: the missing problem is probably inside the one before."""
    for k, (before, after) in enumerate(pairwise(pieces)):
        if after.section == before.section and after.number - before.number > 1:
            flags[k].append(f"number-missing: {before.number + 1}")
        elif after.section != before.section and after.number > 1:
            flags[k].append("number-missing: 1")
    if pieces and pieces[0].number > 1:
        flags[0].append("number-missing: 1")
    for k, piece in enumerate(pieces):
        following = pieces[k + 1 : k + 2]
        if not following or following[0].section != piece.section:  # the last of its run
            number = piece.number + 1
            inside = rf"(?<![\d.,])[(（第]?[ \t]*{number}[ \t]*(?:[.)）题](?!\d)|[．、])[ \t]*\S"
            if re.search(inside, blind(piece.text)):
                flags[k].append(f"number-missing: {number}")


def _usual(counts: list[int]) -> int:
    """The number of options of four problems in five, where there is one."""
    usual = mode(counts) if len(counts) >= 5 else 0
    return usual if counts.count(usual) >= 0.8 * len(counts) else 0


def _last_paragraphs(text: str) -> Iterator[str]:
    """Short paragraphs of words behind the first one, which is the problem itself."""
    for paragraph in re.split(r"\n[ \t]*\n", text)[1:]:
        line = paragraph.strip()
        if 3 < len(line) <= 80 and line[0].isalpha():
            yield line


def _masked(line: str) -> str:
    return re.sub(r"\d+", "0", line)
