"""An exam's text cut into one piece per problem; shared text goes to the problems it names."""

from __future__ import annotations

import re
from bisect import bisect
from collections.abc import Iterator

import msgspec

from .numbering import ExamSection, best_run, doubtful, sections
from .options import option_runs
from .plain_text import blind


class ExamPiece(msgspec.Struct):
    """One problem's text before it is understood; `shared` is text it shares with others."""

    number: int
    section: int
    text: str
    tail: str = ""  # what stands behind a heading, before the next number
    shared: str = ""
    answer: str = ""
    solution: str = ""
    flags: list[str] = []


def cut(text: str) -> tuple[list[ExamPiece], list[str], str]:
    """Pieces of an exam's text, the titles of its sections (index 0: before any heading), and

    the start of what stands before the first number when that is more than words.
    """
    covered = blind(text)
    heads = sections(text)
    options = option_runs(covered)

    def one_run(start: int, end: int) -> bool:
        return bisect(options, end) - bisect(options, start) == 1

    run = best_run(covered, heads, lambda start, end: 0.02 * one_run(start, end))
    doubts = doubtful(run, covered, one_run)
    pieces: list[ExamPiece] = []
    for k, this in enumerate(run):
        end = run[k + 1].start if k + 1 < len(run) else len(text)
        stop = min([h.start for h in heads if this.end <= h.start < end], default=end)
        section = len([h for h in heads if h.start <= this.start])
        flags = ["number-doubtful"] if k in doubts else []
        tail = "".join(_without(text, heads, stop, end))
        pieces.append(ExamPiece(this.number, section, text[this.end : stop], tail, flags=flags))
    before = text[: run[0].start] if run else ""
    front = ExamPiece(0, 0, "", "".join(_without(before, heads, 0, len(before))))
    _share([front, *pieces])
    words = front.tail.strip()
    preamble = words[:80] if _MORE_THAN_WORDS.search(words) else ""
    return pieces, ["", *(head.title for head in heads)], preamble


_MORE_THAN_WORDS = re.compile(r"\$|<image\d+>|(?m:^[ \t(（]*\d{1,3}[ \t]*[.)．、）](?!\d))")


def _without(text: str, heads: list[ExamSection], start: int, end: int) -> Iterator[str]:
    """text[start:end] without its headings."""
    for head in heads:
        if start <= head.start < end:
            yield text[start : head.start]
            start = head.end
    yield text[start:end]


_SHARED = re.compile(
    r"(?mi)^[ \t]*(?:\*\*)?[^\n]{0,40}?\b(?:questions?|problems?|items?|exercises?)[ \t]+"
    r"(\d{1,3})[ \t]*(?:-|–|—|to|and|through|&)[ \t]*(\d{1,3})\b"
    r"|^[ \t]*[^\n]{0,20}?第?[ \t]*(\d{1,3})[ \t]*[~～–—至-][ \t]*(\d{1,3})[ \t]*题"
)
_INSTRUCTION = re.compile(r"(?i)\bpoints?\b|\bmarks?\b|\bworth\b|每[小]?题|分[)）。，]|共\d+分")


def _share(pieces: list[ExamPiece]) -> None:
    """Text such as `Questions 5-7 refer to ...` behind a problem goes to the problems named."""
    for k, piece in enumerate(pieces):
        for part in ("tail", "text"):
            whole: str = getattr(piece, part)
            for match in _SHARED.finditer(whole):
                first, last = sorted(int(g) for g in match.groups() if g)
                others = [
                    p for p in pieces[k + 1 :][:20]
                    if first <= p.number <= last and p.section == pieces[k + 1].section
                ]  # fmt: skip
                if not others or first != pieces[k + 1].number:
                    continue
                setattr(piece, part, whole[: match.start()])
                shared = whole[match.start() :].strip()
                if not _INSTRUCTION.search(shared.split("\n", 1)[0]):
                    for other in others:
                        other.shared = shared
                break
        tail = piece.tail.strip()
        if tail and not _INSTRUCTION.search(tail):
            piece.flags.append(f"text-after-heading: {tail[:80]}")
