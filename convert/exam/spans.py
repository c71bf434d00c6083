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
from ...problem import Option
from ..documents import BREAK, TextPicture, blind
from .answer_keys import KeyEntry, read_entry
from .inline_answers import same
from .instructions import NAMES, asks_nothing, instructs
from .templates import Candidate, candidates

SHOWN = 80  # characters of a line that a doubt shows
Role = Literal[
    "instruction", "stem", "option", "answer", "solution", "figure", "outside"
]


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


class ExamProblem(msgspec.Struct, kw_only=True):
    """One problem as cut, from `start` on; `<imageN>` in its texts names `figures[N - 1]`.

    `shared` is text it shares with the problems it names, `instruction` the line above it and its
    neighbours.
    """

    raw_id: str = ""
    number: int
    chapter: str = ""  # what counts above the number: 3. of 3.12
    start: int
    mark: str  # the number as printed
    section: str
    question: str = ""
    options: list[Option] = []
    figures: list[TextPicture] = []
    answer: str = ""
    solution: str = ""
    hint: str = ""
    parts: list[str] = []  # the answers of its parts, in order
    shared: str = ""
    instruction: str = ""
    flags: list[str] = []

    @property
    def label(self) -> str:
        return f"{self.chapter}{self.number}"

    def give(self, entry: KeyEntry) -> None:
        """Give it what a key, or a span of a model, says; another answer is told."""
        known = self.answer
        said = entry.answer
        if known and said and not (same(known, said) or same(said, known)):
            self.flags.append(
                f"two-answers: {known} below the problem, {said} in the key"
            )
        if entry.contrary:
            self.flags.append(f"two-answers: {entry.contrary} in the key")
        self.answer = said or known
        self.solution = "\n".join(filter(None, [self.solution, entry.solution]))


Kind = Literal["front", "heading", "instruction", "page-line", "key"]


class Outside(msgspec.Struct):
    """Text that belongs to no problem; `before` is the raw id of the problem behind it, if any."""

    kind: Kind
    text: str
    before: str = ""


class Cut(msgspec.Struct):
    """The problems in the order of the text, what stands outside of them, and where.

    `doubts` are kinds of issues and what they are about.
    """

    problems: list[ExamProblem] = []
    outside: list[tuple[int, Outside]] = []
    doubts: list[str] = []


def assembled(
    text: str, stretches: list[Stretch], numbers: Mapping[int, Candidate]
) -> Cut:
    """The problems that stretches make, and what stands in none.

    `numbers` are the printed ones, by where they start and where they end.
    """
    parts = Cut()
    stretches = sorted(stretches, key=lambda stretch: stretch.start)
    problems = _begun(text, stretches, numbers)
    first = next(iter(problems.values())).start if problems else len(text) + 1
    # instructions last: whether they are doubtful depends on the questions
    for stretch in sorted(stretches, key=lambda one: one.role == "instruction"):
        role = stretch.role
        start = stretch.start
        whole = text[start : stretch.end].strip()
        number = numbers.get(start)
        body = whole
        if number and role in ("stem", "answer", "solution"):
            body = text[max(start, number.end) : stretch.end].strip()
        holders = [problems[name] for name in stretch.problems if name in problems]
        for problem in holders:
            _add(problem, stretch, body)
        for name in stretch.problems:
            if name not in problems:
                doubt = f"cut-number: {role} of {name}, which has no stem"
                parts.doubts.append(doubt)
        if not holders:
            parts.doubts += stretch.doubts
        elif role == "instruction":
            governed = f"{holders[0].label}-{holders[-1].label}"
            parts.doubts.append(f"instruction: {governed}: {whole[:SHOWN]}")
        is_shared = bool(holders) and start < holders[0].start
        if role in ("instruction", "outside") or is_shared:
            kind: Kind = "front" if start < first else "instruction"
            outside = Outside("heading" if stretch.title else kind, whole)
            parts.outside.append((start, outside))
    parts.outside.sort(key=lambda place: place[0])
    parts.problems = [*problems.values()]
    return parts


def _begun(
    text: str, stretches: list[Stretch], numbers: Mapping[int, Candidate]
) -> dict[str, ExamProblem]:
    """The problems by name, each as its stem begins it: with its number and its section."""
    problems: dict[str, ExamProblem] = {}
    section = ""
    for stretch in stretches:
        if stretch.title and stretch.title != BREAK:
            section = stretch.title
        start = stretch.start
        for name in stretch.problems if stretch.role == "stem" else ():
            count = int(name) if name.isdecimal() else len(problems) + 1
            number = numbers.get(start) or Candidate(count, start, start)
            problem = ExamProblem(
                number=number.number,
                chapter=number.chapter,
                start=start,
                mark=text[number.start : number.end],
                section=section,
            )
            problems.setdefault(name, problem)
    return problems


def _add(problem: ExamProblem, stretch: Stretch, body: str) -> None:
    """Add to a problem what a stretch of it holds, and what is in doubt about it."""
    problem.flags += stretch.doubts
    role = stretch.role
    if role == "instruction":
        if not (
            instructs(body) or NAMES.search(body) or asks_nothing(problem.question)
        ):
            problem.flags.append(f"instruction-doubtful: {body[:SHOWN]}")
        problem.instruction = "\n".join(filter(None, [problem.instruction, body]))
    elif role in ("answer", "solution"):
        problem.give(read_entry(body, problem.number, worked=role == "solution"))
    elif stretch.start < problem.start:
        problem.shared = "\n".join(filter(None, [problem.shared, body]))
    elif role != "outside":
        problem.question = f"{problem.question}\n{body}".strip()


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
        Stretch(
            start, end, span.role, names, doubts=[*_misnamed(span, numbers.get(start))]
        )
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
        end = (
            last if span.end is None or not there else starts[span.last - 1] + span.end
        )
        if not (there and start <= ends[span.first - 1] and start <= end <= last):
            lines = f"lines {span.first}-{span.last}"
            raise UserError(
                f"the cut has {lines}, which are not there so", "ask another model"
            )
        places.append((start, end, span))
    return sorted(places, key=lambda place: place[:2])


def _uncovered(
    text: str, places: list[tuple[int, int, Span]], marks: set[int]
) -> Iterator[str]:
    """What is in no span, printed numbers apart, and what is in two."""
    reached = 0
    for start, end in [*(place[:2] for place in places), (len(text), 0)]:
        stop = (
            text.rfind("\n", 0, start) + 1 if start in marks else start
        )  # a number before it
        if any(char.isalnum() for char in text[reached:stop]):
            yield f"cut-left-out: {' '.join(text[reached:stop].split())[:80]}"
        if start < reached and end:
            yield f"cut-twice: {' '.join(text[start : min(reached, end)].split())[:80]}"
        reached = max(reached, end)
