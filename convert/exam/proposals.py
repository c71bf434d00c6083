"""A cut that a model proposes: spans of numbered lines with their roles, and no text of its own.

Every text is copied from the exam, so nothing can be invented; what is in no span or in two, and a
number that is not the printed one, is a doubt. A proposal is a file: it holds for the text whose
hash it carries, a person decides it where anything is in doubt, and it is replayed without a model.
"""

from __future__ import annotations

import hashlib
from bisect import bisect_right
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Literal

import msgspec

from ...errors import UserError
from ..documents import blind
from .cut import Between, Cut, ExamPiece, count_runs
from .inline_answers import bare, inline_answer
from .templates import Candidate, candidates

if TYPE_CHECKING:
    from ...llm import Model

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


class Spans(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """What a model is to reply."""

    spans: list[Span]


class Proposal(msgspec.Struct, kw_only=True):
    """A model's cut of the exam whose plain text has the hash `about`, and what is in doubt."""

    about: str
    model: str
    spans: list[Span]
    doubts: list[str] = []
    decided: bool = False  # a person has looked at the doubts


_TASK = """\
Below are the numbered lines of an exam. Say which stretch of them is what, as JSON: spans, each
with a role, the numbers of the problems it belongs to as they are printed (an instruction: all
that it governs; outside: none), its first and last line, and, where it is not whole lines, the
characters of the first line to start from and of the last line to end before, counted from 0 behind
the bar. Roles: instruction (tells what to do with several problems), stem (what is asked), option
(all of a problem's options), answer, solution (worked), figure, outside (titles, page lines, notes
to candidates). Every line belongs to exactly one span. Write no text.

"""


def text_hash(text: str) -> str:
    """What a proposal is about."""
    return hashlib.sha256(text.encode()).hexdigest()


def propose(text: str, model: Model, cache: Path) -> Proposal:
    """Ask a model to cut an exam's plain text; replies are kept in `cache`.

    Raises UserError where it gives no spans.
    """
    from ...llm import Request, ask  # only here is a model asked

    lines = "\n".join(f"{n}| {line}" for n, line in enumerate(text.split("\n"), 1))
    messages = [{"role": "user", "content": _TASK + lines}]
    _, types = msgspec.json.schema_components([Spans])
    schema = {**types["Spans"], "$defs": types}
    [answer] = ask([Request(id="cut", messages=messages, schema=schema)], model, cache)
    try:
        reply = msgspec.json.decode(answer.text, type=Spans)
    except msgspec.DecodeError as error:
        what = answer.error or f"{error}"
        raise UserError(f"{model.name} gives no spans: {what}", "ask another model") from error
    return Proposal(about=text_hash(text), model=model.name, spans=reply.spans)


def read_proposal(path: Path) -> Proposal:
    """Read a proposal. Raises UserError for a file that is none."""
    try:
        return msgspec.json.decode(path.read_bytes(), type=Proposal)
    except (OSError, msgspec.DecodeError) as error:
        raise UserError(f"{path} is not a cut: {error}", "give what --cut-by wrote") from error


def check_decided(proposal: Proposal, text: str, decided: bool = False) -> None:
    """Raises UserError for a proposal on another text, or with doubts that nobody decided.

    `decided`: these are looked at now.
    """
    if proposal.about != text_hash(text):
        raise UserError("the cut is about another text", "ask again with --cut-by")
    if proposal.doubts and not (proposal.decided or decided):
        raise UserError(
            f"{len(proposal.doubts)} doubts of the cut are undecided: {proposal.doubts[0]}",
            "mend its spans, and set decided: true",
        )


# From spans to pieces ---------------------------------------------------------------------------


def as_cut(text: str, proposal: Proposal) -> Cut:
    """The pieces that the spans make, with their answers, and what is in doubt.

    Raises UserError for a span that is not in the text.
    """
    starts, places = _starts(text), places_of(text, proposal)
    found = [c for lines in candidates(blind(text)).values() for c in lines]
    numbers = {c.start: c for c in sorted(found, key=lambda c: -c.end)}
    marks = {c.end: c for c in numbers.values()}
    doubts = [*_uncovered(text, starts, places, marks)]
    pieces: dict[str, ExamPiece] = {}
    between: list[Between] = []
    for start, end, span in sorted(places, key=lambda place: place[2].role in _LATER):
        line = starts[bisect_right(starts, start) - 1]
        number = numbers.get(line)  # printed in front of the span, or at its begin
        if number and text[line:start].strip() and start not in marks:
            number = None
        names = (number.label, str(number.number)) if number else ()
        body = text[max(start, number.end if number else 0) : end].strip()
        if span.role == "outside":
            kind: Literal["instruction", "front"] = "instruction" if pieces else "front"
            between.append(Between(kind, text[start:end].strip(), len(pieces)))
        for name in span.problems:
            piece = pieces.get(name)
            if span.role in _LATER and piece is None:
                doubts.append(f"cut-number: {span.role} of {name}, which has no stem")
            elif span.role == "instruction" and piece:
                piece.instruction = text[start:end].strip()
            elif span.role in _LATER and piece:
                _, answer, worked = inline_answer(body)
                answer = bare(answer or (body if span.role == "answer" else ""))
                worked = worked or (body if span.role == "solution" else "")
                piece.answer = piece.answer or answer
                piece.solution = "\n".join(filter(None, [piece.solution, worked]))
                if number and name not in names:
                    doubts.append(f"cut-number: the answer of {name} stands at {number.label}")
            elif piece:
                piece.text += "\n" + text[start:end]
            elif span.role != "outside":
                count = int(name) if name.isdecimal() else len(pieces) + 1
                mark = text[number.start : number.end] if number else ""
                flags = [] if name in names else [f"cut-number: {name} is not printed before it"]
                count = number.number if number else count
                pieces[name] = ExamPiece(count, start, mark, 0, body, flags=flags)
    count_runs([*pieces.values()])
    return Cut([*pieces.values()], [""], between, doubts)


_LATER = ("instruction", "answer", "solution")  # said of a problem that has a stem
_Place = tuple[int, int, Span]  # text[start:end]


def _starts(text: str) -> list[int]:
    """Where the lines of a text start."""
    return [0, *(k + 1 for k, char in enumerate(text) if char == "\n")]


def places_of(text: str, proposal: Proposal) -> list[tuple[int, int, Span]]:
    """Where the spans stand in the text: start, end and span, in order.

    Raises UserError for a span that is not there.
    """
    starts, places = _starts(text), list[_Place]()
    ends = [*(start - 1 for start in starts[1:]), len(text)]
    for span in proposal.spans:
        if not 1 <= span.first <= span.last <= len(starts):
            raise _misplaced(span)
        start = starts[span.first - 1] + (span.start or 0)
        end = ends[span.last - 1] if span.end is None else starts[span.last - 1] + span.end
        if not (start <= ends[span.first - 1] and start <= end <= ends[span.last - 1]):
            raise _misplaced(span)
        places.append((start, end, span))
    return sorted(places, key=lambda place: place[:2])


def _misplaced(span: Span) -> UserError:
    lines = f"lines {span.first}-{span.last}"
    return UserError(f"the cut has {lines}, which are not there so", "ask another model")


def _uncovered(
    text: str, starts: list[int], places: list[_Place], marks: dict[int, Candidate]
) -> Iterator[str]:
    """What is in no span, printed numbers apart, and what is in two."""
    reached = 0
    for start, end, _ in [*places, (len(text), 0, None)]:
        line = text.rfind("\n", 0, start) + 1
        stop = line if start in marks and line in starts else start  # a number before its stem
        if any(char.isalnum() for char in text[reached:stop]):
            yield f"cut-left-out: {' '.join(text[reached:stop].split())[:80]}"
        if start < reached and end:
            yield f"cut-twice: {' '.join(text[start : min(reached, end)].split())[:80]}"
        reached = max(reached, end)
