"""Spans that a model drafts: it sees the picture, which the rules of `propose` cannot.

A draft is a vote of kind model, bound to the text and the pictures it was made for. It must be
spans of the question (`check_spans`) whose six texts read well (`lint`); a model whose draft is
refused is told why and asked once more.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import Any

import msgspec

from ...base.about import about
from ...base.files import inside, path_or_none, records, write_jsonl
from ...base.pictures import picture_root
from ...errors import UserError
from ...llm import Answer, Model, Request, ask, image_part, text_part
from ...problem import Problem, Role, Span, Vote, shown_images
from .lint import lint
from .role_text import check_spans, texts_of

INSTRUCTION = """\
A question of school mathematics comes with a figure. Mark the pieces of its text that give \
conditions, so that versions of it can be made in which only the figure tells them.
- DI: descriptive information that the figure shows anyway: names of points, what is drawn, \
coordinates, and values that the figure prints.
- IP: a property that can be seen in the figure: parallel, tangent, midpoint, the kind of a shape.
- EC: an essential condition: a value or relation that the figure does not print.
What asks is not marked, nor are answer options. Without any set of the pieces the rest must \
read as correct sentences: mark whole clauses with their punctuation; where a piece cannot simply \
go, give as "alt" the words that stand in its place. Pieces may lie inside one another.
Reply with JSON only: {"spans": [{"text": "the piece, copied exactly", "role": "EC", "alt": ""}]}"""
TEXTS = ("text_lite", "vision_intensive", "vision_dominant")
OBJECT = re.compile(r"\{.*\}", re.DOTALL)
SPAN = {
    "type": "object",
    "properties": {
        "text": {"type": "string"},
        "role": {"type": "string", "enum": ["DI", "IP", "EC"]},
        "alt": {"type": "string"},
    },
    "required": ["text", "role", "alt"],
    "additionalProperties": False,
}
SCHEMA = {
    "type": "object",
    "properties": {"spans": {"type": "array", "items": SPAN}},
    "required": ["spans"],
    "additionalProperties": False,
}


class Piece(msgspec.Struct, frozen=True):
    """One span as a model writes it."""

    text: str
    role: Role
    alt: str = ""


class Reply(msgspec.Struct):
    spans: list[Piece]


class Drafted(msgspec.Struct, kw_only=True):
    """The drafts as votes, and by problem why a reply is none; "" for one that never came."""

    votes: list[Vote] = []
    refused: dict[str, str] = {}
    cached: int = 0


def draft_spans(
    problems: str | Path | Iterable[Problem],
    model: Model | str,
    out: str | Path,
    *,
    images: str | Path | None = None,
    cache: str | Path | None = None,
    offline: bool = False,
) -> Drafted:
    """Ask a model for the spans of every problem that has none, and write its drafts as votes.

    The stage `spans: {drafts: OUT}` takes them, or people start from them.

    Args:
        problems: A problems.jsonl.
        model: The model's name.
        out: Drafts to write (JSONL of votes).
        images: Folder that picture paths are relative to [default: found beside the problems].
        cache: Replies already paid for [default: beside the drafts].
        offline: Ask nothing; use the cache alone.

    Raises UserError for a missing picture, key or cache, before anything is asked.

    Example: `draft_spans("problems.jsonl", "gpt-4o", "drafts.jsonl").refused`
    """
    asked = {p.id: p for p in records(problems, Problem) if not p.spans and not p.samples}
    model = Model(name=model) if isinstance(model, str) else model
    root = path_or_none(images)
    if root is None and isinstance(problems, str | Path):
        pictures = (image for problem in asked.values() for image in shown_images(problem))
        root = picture_root(Path(problems), pictures)
    store = path_or_none(cache) or Path(out).with_name("answers.sqlite")
    requests = {problem.id: _request(problem, root) for problem in asked.values()}
    drafted = Drafted()
    for _ in range(2):
        again: dict[str, Request] = {}
        for answer in ask(requests.values(), model, store, offline=offline):
            drafted.cached += answer.cached
            problem = asked[answer.id]
            try:
                value = read_draft(problem.question, answer)
            except UserError as error:
                drafted.refused[answer.id] = error.message
                if answer.status == "ok":
                    again[answer.id] = _once_more(requests[answer.id], answer.text, error.message)
                continue
            drafted.refused.pop(answer.id, None)
            drafted.votes.append(
                Vote(problem_id=answer.id, field="spans", value=msgspec.to_builtins(value),
                     annotator=model.name, kind="model", about=about(problem, "spans"))
            )  # fmt: skip
        requests = again
    write_jsonl(Path(out), drafted.votes)
    return drafted


def _request(problem: Problem, root: Path | None) -> Request:
    shown = shown_images(problem)
    if shown and root is None:
        raise UserError(f"{problem.id} has pictures", "say by --images where their folder is")
    pictures = [image_part(inside(root, image.path)) for image in shown if root]
    content = [text_part(problem.question), *pictures]
    asked: dict[str, Any] = {"role": "user", "content": content}
    messages = [{"role": "system", "content": INSTRUCTION}, asked]
    return Request(id=problem.id, messages=messages, schema=SCHEMA)


def _once_more(request: Request, reply: str, why: str) -> Request:
    more: list[dict[str, Any]] = [
        {"role": "assistant", "content": reply},
        {"role": "user", "content": f"This draft is refused: {why}. Mend it; reply with JSON."},
    ]
    return msgspec.structs.replace(request, messages=[*request.messages, *more])


def read_draft(question: str, answer: Answer) -> list[Span]:
    """The spans of a reply. Raises UserError for a reply that is no draft, with the reason."""
    if answer.status != "ok":
        raise UserError(f"the reply is {answer.status}", "ask again, or another model")
    match = OBJECT.search(answer.text)
    try:
        pieces = msgspec.json.decode(match[0] if match else answer.text, type=Reply).spans
    except (msgspec.DecodeError, RecursionError) as error:
        raise UserError(f"the reply is not as asked for: {error}", "ask another model") from error
    spans = check_spans(question, _placed(question, pieces))
    if not spans:
        raise UserError("nothing is marked", "ask another model")
    known = {(issue.code, issue.message) for issue in lint(question)}
    for version, text in texts_of(question, spans).items():
        for issue in lint(text) if version in TEXTS else ():
            if (issue.code, issue.message) not in known:
                raise UserError(f"{version} reads {text!r}: {issue}", "ask another model")
    return spans


def _placed(question: str, pieces: Sequence[Piece]) -> list[Span]:
    """Pieces where they stand: of equal ones the next behind the piece before."""
    spans: list[Span] = []
    used: dict[str, int] = {}  # where the search for the same words goes on
    at = 0
    for piece in pieces:
        start = question.find(piece.text, max(at, used.get(piece.text, 0)))
        if start < 0:
            start = question.find(piece.text, used.get(piece.text, 0))
        if start < 0 or not piece.text.strip():
            raise UserError(f"{piece.text!r} does not stand in the question", "copy it exactly")
        at, used[piece.text] = start, start + len(piece.text)
        span = Span(start=start, end=used[piece.text], role=piece.role, alt=piece.alt or None)
        spans.append(span)
    return spans
