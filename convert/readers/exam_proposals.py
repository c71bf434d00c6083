"""Cuts of exams that a model proposes, as files.

A proposal holds for the text whose hash it carries, a person decides it where anything is in doubt,
and it is replayed without a model.
"""

from __future__ import annotations

import hashlib
from pathlib import Path

import msgspec

from ...errors import UserError
from ...llm import Model
from ..exam import Proposal, Span


class Spans(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """What a model is to reply."""

    spans: list[Span]


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
    _, types = msgspec.json.schema_components([Spans])
    messages = [{"role": "user", "content": _TASK + lines}]
    request = Request(
        id="cut", messages=messages, schema={**types["Spans"], "$defs": types}
    )
    [answer] = ask([request], model, cache)
    try:
        reply = msgspec.json.decode(answer.text, type=Spans)
    except msgspec.DecodeError as error:
        what = answer.error or f"{error}"
        raise UserError(
            f"{model.name} gives no spans: {what}", "ask another model"
        ) from error
    return Proposal(about=text_hash(text), model=model.name, spans=reply.spans)


def read_proposal(path: Path) -> Proposal:
    """Read a proposal. Raises UserError for a file that is none."""
    try:
        return msgspec.json.decode(path.read_bytes(), type=Proposal)
    except (OSError, msgspec.DecodeError) as error:
        raise UserError(
            f"{path} is not a cut: {error}", "give what --cut-by wrote"
        ) from error


def check_decided(proposal: Proposal, text: str, decided: bool = False) -> None:
    """Raises UserError for a proposal on another text, or with doubts that nobody decided.

    `decided`: these are looked at now.
    """
    if proposal.about != text_hash(text):
        raise UserError("the cut is about another text", "ask again with --cut-by")
    if proposal.doubts and not (proposal.decided or decided):
        told = f"{len(proposal.doubts)} doubts of the cut are undecided: {proposal.doubts[0]}"
        raise UserError(told, "mend its spans, and set decided: true")
