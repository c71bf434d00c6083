"""A cut that a model proposes: spans of numbered lines with their roles, and no text of its own.

Every text is copied from the exam, so nothing can be invented; what is in no span or in two, and a
number that is not the printed one, is a doubt. A proposal is a file: it holds for the text whose
hash it carries, a person decides it where anything is in doubt, and it is replayed without a model.
"""

from __future__ import annotations

import hashlib
from bisect import bisect_right
from collections.abc import Iterator
from itertools import pairwise
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal, get_args

import msgspec

from ...errors import UserError
from .answer_keys import KeyEntry
from .cut import Between, Cut, ExamPiece, count_runs
from .inline_answers import bare, inline_answer
from .plain_text import blind
from .templates import Candidate, candidates

if TYPE_CHECKING:
    from ...llm import Model

Role = Literal["instruction", "stem", "option", "answer", "solution", "figure", "outside"]


class Span(msgspec.Struct, frozen=True, kw_only=True):
    """Lines `first` to `last`, from 1, of `problems`; in them the characters from `start` of the
    first line up to `end` of the last, from 0: all where None.
    """

    role: Role
    problems: list[str]
    first: int
    last: int
    start: int | None = None
    end: int | None = None


class Proposal(msgspec.Struct, kw_only=True):
    """A model's cut of the exam whose plain text has the hash `about`, and what is in doubt."""

    about: str
    model: str
    spans: list[Span]
    doubts: list[str] = []
    decided: bool = False  # a person has looked at the doubts


SCHEMA: dict[str, Any] = {
    "type": "object",
    "properties": {
        "spans": {
            "type": "array",
            "items": {
                "type": "object",
                "properties": {
                    "role": {"enum": list(get_args(Role))},
                    "problems": {"type": "array", "items": {"type": "string"}},
                    "first": {"type": "integer"},
                    "last": {"type": "integer"},
                    "start": {"type": ["integer", "null"]},
                    "end": {"type": ["integer", "null"]},
                },
                "required": ["role", "problems", "first", "last", "start", "end"],
                "additionalProperties": False,
            },
        }
    },
    "required": ["spans"],
    "additionalProperties": False,
}
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
    [answer] = ask([Request(id="cut", messages=messages, schema=SCHEMA)], model, cache)
    try:
        reply = msgspec.json.decode(answer.text, type=dict[str, list[Span]])
        return Proposal(about=text_hash(text), model=model.name, spans=reply["spans"])
    except (msgspec.DecodeError, KeyError) as error:
        what = answer.error or f"{error}"
        raise UserError(f"{model.name} gives no spans: {what}", "ask another model") from error


def read_proposal(path: Path) -> Proposal:
    """Read a proposal. Raises UserError for a file that is none."""
    try:
        return msgspec.json.decode(path.read_bytes(), type=Proposal)
    except (OSError, msgspec.DecodeError) as error:
        raise UserError(f"{path} is not a cut: {error}", "give what --cut-by wrote") from error


def check_decided(proposal: Proposal, text: str) -> None:
    """Raises UserError for a proposal on another text, or with doubts that nobody decided."""
    if proposal.about != text_hash(text):
        raise UserError("the cut is about another text", "ask again with --cut-by")
    if proposal.doubts and not proposal.decided:
        raise UserError(
            f"{len(proposal.doubts)} doubts of the cut are undecided: {proposal.doubts[0]}",
            "mend its spans, and set decided: true",
        )


# From spans to pieces ---------------------------------------------------------------------------


class _Place(msgspec.Struct, frozen=True):
    span: Span
    start: int
    end: int


def as_cut(text: str, proposal: Proposal) -> tuple[Cut, list[KeyEntry], list[str]]:
    """The pieces that the spans make, their answers in order, and what is in doubt.

    Raises UserError for a span that is not in the text.
    """
    starts = [0, *(k + 1 for k, char in enumerate(text) if char == "\n")]
    places = sorted(_places(text, starts, proposal), key=lambda place: place.start)
    numbers = {
        c.start: c
        for found in candidates(blind(text)).values()
        for c in sorted(found, key=lambda c: -c.end)
    }
    marks = {c.end: c for c in numbers.values()}
    doubts = [*_uncovered(text, starts, places, marks)]
    pieces: dict[str, ExamPiece] = {}
    answers: dict[str, KeyEntry] = {}
    between: list[Between] = []
    instructed: list[tuple[Span, str]] = []
    for place in places:
        role, begin = place.span.role, place.start
        line = starts[bisect_right(starts, begin) - 1]
        number = numbers.get(line)  # printed in front of the span, or at its begin
        if number and text[line:begin].strip() and begin not in marks:
            number = None
        body = text[max(begin, number.end if number else 0) : place.end].strip()
        if role == "outside":
            between.append(Between("text", text[begin : place.end].strip(), len(pieces)))
        elif role == "instruction":
            instructed.append((place.span, text[begin : place.end].strip()))
        elif role in ("answer", "solution"):
            _, answer, solution = inline_answer(body)
            answer = bare(answer or (body if role == "answer" else ""))
            solution = solution or (body if role == "solution" else "")
            for name in place.span.problems:
                known = answers.get(name, KeyEntry(0, ""))
                worked = "\n".join(filter(None, [known.solution, solution]))
                answers[name] = KeyEntry(0, known.answer or answer, worked)
                if number and name not in (number.label, str(number.number)):
                    doubts.append(f"cut-number: the answer of {name} stands at {number.label}")
        else:
            for name in place.span.problems:
                if name in pieces:
                    pieces[name].text += "\n" + text[begin : place.end]
                else:
                    pieces[name] = _piece(name, begin, body, number, len(pieces))
                    pieces[name].mark = text[number.start : number.end] if number else ""
    for span, line_text in instructed:
        for name in span.problems:
            if name in pieces:
                pieces[name].instruction = line_text
    for name in [name for name in answers if name not in pieces]:
        doubts.append(f"cut-number: an answer of {name}, which has no stem")
    entries = [
        msgspec.structs.replace(answers.get(name, KeyEntry(0, "")), number=piece.number)
        for name, piece in pieces.items()
    ]
    result = Cut(list(pieces.values()), [""], between)
    count_runs(result.pieces)
    return result, [entry for entry in entries if entry.answer or entry.solution], doubts


def _piece(name: str, start: int, body: str, number: Candidate | None, index: int) -> ExamPiece:
    printed = number is not None and name in (number.label, str(number.number))
    value = number.number if number else int(name) if name.isdecimal() else index + 1
    flags = [] if printed else [f"cut-number: {name} is not printed before it"]
    return ExamPiece(value, start, "", 0, body, flags=flags)


def _places(text: str, starts: list[int], proposal: Proposal) -> Iterator[_Place]:
    ends = [*(start - 1 for start in starts[1:]), len(text)]
    for span in proposal.spans:
        inside = 1 <= span.first <= span.last <= len(starts)
        start = starts[span.first - 1] + (span.start or 0) if inside else 0
        end = starts[span.last - 1] + span.end if inside and span.end is not None else -1
        end = ends[span.last - 1] if inside and end < 0 else end
        known = inside and start <= ends[span.first - 1] and start < end <= ends[span.last - 1]
        if not known and not (inside and start == end):
            lines = f"lines {span.first}-{span.last}"
            raise UserError(f"the cut has {lines}, which are not there so", "ask another model")
        yield _Place(span, start, end)


def _uncovered(
    text: str, starts: list[int], places: list[_Place], marks: dict[int, Candidate]
) -> Iterator[str]:
    """What is in no span, printed numbers apart, and what is in two."""
    reached = 0
    for place in [*places, None]:
        start = place.start if place else len(text)
        if start > reached:
            left = text[reached:start]
            line = left.rpartition("\n")[2] if place else ""
            if line and marks.get(start) and start - len(line) in starts:
                left = left[: len(left) - len(line)]  # a number in front of its stem
            if any(char.isalnum() for char in left):
                yield f"cut-left-out: {' '.join(left.split())[:80]}"
        reached = max(reached, place.end if place else 0)
    for before, after in pairwise(places):
        if after.start < before.end:
            shared = text[after.start : min(before.end, after.end)]
            yield f"cut-twice: {' '.join(shared.split())[:80]}"
