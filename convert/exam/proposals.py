"""A cut that a model proposes: spans of numbered lines with their roles, and no text of its own.

Every text is copied from the exam, so nothing can be invented; what is in no span or in two, and a
number that is not the printed one, is a doubt.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Literal

import msgspec

from ...errors import UserError
from ..documents import blind
from .cut import Between, Cut, ExamPiece, count_runs
from .inline_answers import bare, inline_answer
from .templates import candidates

Role = Literal["instruction", "stem", "option", "answer", "solution", "figure", "outside"]


class Span(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """Lines `first` to `last`, from 1, of `problems`; in them the characters from `start` of the
    first line up to `end` of the last, from 0: all where None.
    """

    role: Role
    problems: list[str]
    first: int
    last: int
    start: int | None
    end: int | None


class Proposal(msgspec.Struct, kw_only=True):
    """A model's cut of the exam whose plain text has the hash `about`, and what is in doubt."""

    about: str
    model: str
    spans: list[Span]
    doubts: list[str] = []
    decided: bool = False  # a person has looked at the doubts


_LATER = ("instruction", "answer", "solution")  # said of a problem that has a stem
_Place = tuple[int, int, Span]  # text[start:end]


def as_cut(text: str, proposal: Proposal) -> Cut:
    """The pieces that the spans make, with their answers, and what is in doubt.

    Raises UserError for a span that is not in the text.
    """
    places = places_of(text, proposal)
    found = [c for lines in candidates(blind(text)).values() for c in lines]
    numbers = {c.start: c for c in sorted(found, key=lambda c: -c.end)}
    made = Cut([], [""], [], [*_uncovered(text, places, {c.end for c in numbers.values()})])
    pieces: dict[str, ExamPiece] = {}
    for start, end, span in sorted(places, key=lambda place: place[2].role in _LATER):
        number = numbers.get(text.rfind("\n", 0, start) + 1)
        if number and start not in (number.start, number.end):  # not printed in front of the span
            number = None
        body = text[max(start, number.end if number else 0) : end].strip()
        if span.role == "outside":
            made.between.append(Between(text[start:end].strip(), len(pieces)))
        for name in span.problems if span.role != "outside" else ():
            printed = number and name in (number.label, str(number.number))
            if piece := pieces.get(name):
                _add(piece, span.role, text[start:end], body)
                if number and not printed and span.role in ("answer", "solution"):
                    made.doubts.append(f"cut-number: the answer of {name} stands at {number.label}")
            elif span.role in _LATER:
                made.doubts.append(f"cut-number: {span.role} of {name}, which has no stem")
            else:
                count = int(name) if name.isdecimal() else len(pieces) + 1
                count, mark = (
                    (number.number, text[number.start : number.end]) if number else (count, "")
                )
                flags = [] if printed else [f"cut-number: {name} is not printed before it"]
                pieces[name] = ExamPiece(count, start, mark, 0, body, flags=flags)
    made.pieces = [*pieces.values()]
    count_runs(made.pieces)
    return made


def _add(piece: ExamPiece, role: Role, text: str, body: str) -> None:
    """Add to a problem what another span of it holds; `body` is its text without its number."""
    if role == "instruction":
        piece.instruction = text.strip()
    elif role in _LATER:
        _, answer, worked = inline_answer(body)
        piece.answer = piece.answer or bare(answer or (body if role == "answer" else ""))
        worked = worked or (body if role == "solution" else "")
        piece.solution = "\n".join(filter(None, [piece.solution, worked]))
    else:
        piece.text += f"\n{text}"


def places_of(text: str, proposal: Proposal) -> list[_Place]:
    """Where the spans stand in the text: start, end and span, in order.

    Raises UserError for a span that is not there.
    """
    ends = [k for k, char in enumerate(f"{text}\n") if char == "\n"]  # of the lines
    starts = [0, *(end + 1 for end in ends)]
    places: list[_Place] = []
    for span in proposal.spans:
        there = 1 <= span.first <= span.last <= len(ends)
        start = starts[span.first - 1] + (span.start or 0) if there else 0
        last = ends[span.last - 1] if there else 0
        end = last if span.end is None or not there else starts[span.last - 1] + span.end
        if not (there and start <= ends[span.first - 1] and start <= end <= last):
            lines = f"lines {span.first}-{span.last}"
            raise UserError(f"the cut has {lines}, which are not there so", "ask another model")
        places.append((start, end, span))
    return sorted(places, key=lambda place: place[:2])


def _uncovered(text: str, places: list[_Place], marks: set[int]) -> Iterator[str]:
    """What is in no span, printed numbers apart, and what is in two."""
    reached = 0
    for start, end in [*(place[:2] for place in places), (len(text), 0)]:
        stop = text.rfind("\n", 0, start) + 1 if start in marks else start  # a number before it
        if any(char.isalnum() for char in text[reached:stop]):
            yield f"cut-left-out: {' '.join(text[reached:stop].split())[:80]}"
        if start < reached and end:
            yield f"cut-twice: {' '.join(text[start : min(reached, end)].split())[:80]}"
        reached = max(reached, end)
