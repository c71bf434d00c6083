"""Stretches of an exam's text with their roles: rules cut an exam into them, or a model proposes
them, and one function makes the problems.

Every text is copied from the exam, so nothing can be invented. Of a model's spans, what is in none
or in two, and a number that is not the printed one, is a doubt.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Literal

import msgspec

from ...errors import UserError
from ..documents import BREAK, blind
from .answer_keys import KeyEntry, read_entry
from .inline_answers import same
from .instructions import NAMES, asks_nothing, instructs
from .templates import Candidate, candidates

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


class Stretch(msgspec.Struct, frozen=True):
    """text[start:end] and the names of the problems it belongs to; `title` heads a section.

    `doubts` are told of these problems, or of the exam where there are none.
    """

    start: int
    end: int
    role: Role
    problems: Sequence[str] = ()
    title: str = ""
    doubts: Sequence[str] = ()


class ExamPiece(msgspec.Struct):
    """One problem's text before it is understood, from `start` on.

    `section` is the index of its heading; `shared` is text it shares with the problems it names,
    `instruction` a line above it and its neighbours.
    """

    number: int
    start: int
    mark: str  # the number as printed
    section: int
    text: str = ""
    shared: str = ""
    instruction: str = ""
    answer: str = ""
    solution: str = ""
    flags: list[str] = []
    chapter: str = ""  # what counts above the number: 3. of 3.12

    @property
    def label(self) -> str:
        return f"{self.chapter}{self.number}"

    def give(self, entry: KeyEntry) -> None:
        """Give it what a key, or a span of a model, says; another answer is told."""
        known, said = self.answer, entry.answer
        if known and said and not (same(known, said) or same(said, known)):
            self.flags.append(f"two-answers: {known} below the problem, {said} in the key")
        if entry.contrary:
            self.flags.append(f"two-answers: {entry.contrary} in the key")
        self.answer = said or known
        self.solution = "\n".join(filter(None, [self.solution, entry.solution]))


class Between(msgspec.Struct, frozen=True):
    """What stands in no problem, at `start`: a heading, or other text."""

    text: str
    start: int
    heading: bool = False


class Cut(msgspec.Struct):
    """The pieces in the order of the text, the titles of sections (index 0: before any).

    `doubts` are kinds of issues and what they are about.
    """

    pieces: list[ExamPiece] = []
    titles: list[str] = msgspec.field(default_factory=lambda: [""])
    between: list[Between] = []
    doubts: list[str] = []


def assembled(text: str, stretches: list[Stretch], numbers: Mapping[int, Candidate]) -> Cut:
    """The problems that stretches make, and what stands in none.

    `numbers` are the printed ones, by where they start and where they end.
    """
    made = Cut()
    pieces: dict[str, ExamPiece] = {}
    stretches = sorted(stretches, key=lambda one: one.start)
    for one in stretches:
        if one.title:
            made.titles.append(made.titles[-1] if one.title == BREAK else one.title)
        for name in one.problems if one.role == "stem" else ():
            number = numbers.get(one.start)
            count = int(name) if name.isdecimal() else len(pieces) + 1
            count, chapter = (number.number, number.chapter) if number else (count, "")
            mark = text[number.start : number.end] if number else ""
            section = len(made.titles) - 1
            piece = ExamPiece(count, one.start, mark, section, chapter=chapter)
            pieces.setdefault(name, piece)
    for one in sorted(stretches, key=lambda one: one.role == "instruction"):
        number = numbers.get(one.start) if one.role in ("stem", "answer", "solution") else None
        whole = text[one.start : one.end].strip()
        body = text[max(one.start, number.end if number else 0) : one.end].strip()
        own = [pieces[name] for name in one.problems if name in pieces]
        for piece in own:
            _add(piece, one, body)
        for name in one.problems if len(own) < len(one.problems) else ():
            if name not in pieces:
                made.doubts.append(f"cut-number: {one.role} of {name}, which has no stem")
        made.doubts += () if own else one.doubts
        if own and one.role == "instruction":
            made.doubts.append(f"instruction: {own[0].label}-{own[-1].label}: {whole[:80]}")
        if one.role in ("instruction", "outside") or (own and one.start < own[0].start):
            made.between.append(Between(whole, one.start, bool(one.title)))
    made.between.sort(key=lambda block: block.start)
    made.pieces = [*pieces.values()]
    return made


def _add(piece: ExamPiece, one: Stretch, body: str) -> None:
    """Add to a problem what a stretch of it holds, and what is in doubt about it."""
    piece.flags += one.doubts
    if one.role == "instruction":
        if not (instructs(body) or NAMES.search(body) or asks_nothing(piece.text)):
            piece.flags.append(f"instruction-doubtful: {body[:80]}")
        piece.instruction = "\n".join(filter(None, [piece.instruction, body]))
    elif one.role in ("answer", "solution"):
        piece.give(read_entry(body, piece.number, worked=one.role == "solution"))
    elif one.start < piece.start:
        piece.shared = "\n".join(filter(None, [piece.shared, body]))
    elif one.role != "outside":
        piece.text = f"{piece.text}\n{body}".strip()


# What a model proposes ---------------------------------------------------------------------------


def as_cut(text: str, proposal: Proposal) -> Cut:
    """The pieces that a model's spans make, with their answers, and what is in doubt.

    Raises UserError for a span that is not in the text.
    """
    places = places_of(text, proposal)
    found = [c for lines in candidates(blind(text)).values() for c in lines]
    found.sort(key=lambda c: -c.end)
    numbers = {place: c for c in found for place in (c.start, c.end)}
    stretches = [
        Stretch(start, end, span.role, names, doubts=[*_misnamed(span, numbers.get(start))])
        for start, end, span in places
        for names in [() if span.role == "outside" else (*span.problems,)]
    ]
    made = assembled(text, stretches, numbers)
    made.doubts += _uncovered(text, places, {c.end for c in numbers.values()})
    return made


def _misnamed(span: Span, number: Candidate | None) -> Iterator[str]:
    """Names of problems that are not the number printed in front of a span."""
    for name in span.problems:
        if number and name in (number.label, str(number.number)):
            continue
        if span.role == "stem":
            yield f"cut-number: {name} is not printed before it"
        elif number and span.role in ("answer", "solution"):
            yield f"cut-number: the answer of {name} stands at {number.label}"


def places_of(text: str, proposal: Proposal) -> list[tuple[int, int, Span]]:
    """Where the spans stand in the text: start, end and span, in order.

    Raises UserError for a span that is not there.
    """
    ends = [k for k, char in enumerate(f"{text}\n") if char == "\n"]  # of the lines
    starts = [0, *(end + 1 for end in ends)]
    places: list[tuple[int, int, Span]] = []
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


def _uncovered(text: str, places: list[tuple[int, int, Span]], marks: set[int]) -> Iterator[str]:
    """What is in no span, printed numbers apart, and what is in two."""
    reached = 0
    for start, end in [*(place[:2] for place in places), (len(text), 0)]:
        stop = text.rfind("\n", 0, start) + 1 if start in marks else start  # a number before it
        if any(char.isalnum() for char in text[reached:stop]):
            yield f"cut-left-out: {' '.join(text[reached:stop].split())[:80]}"
        if start < reached and end:
            yield f"cut-twice: {' '.join(text[start : min(reached, end)].split())[:80]}"
        reached = max(reached, end)
