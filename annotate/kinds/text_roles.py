"""MathVerse's text roles (section 2.2)."""

from __future__ import annotations

from functools import partial
from operator import attrgetter
from typing import Any

import msgspec

from ...base.pictures import MARK
from ...errors import UserError
from ...problem import Problem, Span
from ...taxonomy import Tree
from .answers import TaskAnswer
from .interface import (
    comment,
    header,
    markable_text,
    page,
    picture,
    region_text,
    rendered_text,
    tag,
)
from .registry import kind
from .tasks import Material, Task, problem_task

ROLES_OF_TEXT = [
    ("DI", "#2f80ed", "Descriptive information: the diagram shows it anyway"),
    ("IP", "#27ae60", "Implicit property: to be perceived in the diagram"),
    ("EC", "#eb5757", "Essential condition: a measure the diagram does not give"),
    ("Question", "#f2994a", "What is asked"),
]
SILENT = " \t\r\n.,;:!?()[]{}$，。；：！？、（）"  # characters that need no role


def _roles(tree: Tree | None) -> str:
    labels = tag("Labels", name="role", toName="source", choice="single")
    for k, (name, colour, hint) in enumerate(ROLES_OF_TEXT, 1):
        labels.append(
            tag("Label", value=name, background=colour, hotkey=str(k), hint=hint)
        )
    hint = "Text that stands here when this part is removed (may be empty)"
    alt = region_text("alt", hint, "source")
    left = [
        header("Mark every part of the question"),
        labels,
        markable_text("source", "question", "symbol"),
        tag("View", alt, visibleWhen="region-selected", whenTagName="role"),
        comment_on("source"),
    ]
    return page(left, [header("As it reads"), rendered_text(), picture()])


def proposal_of(question: str, spans: list[Span]) -> list[dict[str, Any]]:
    """Spans as results of this interface, for people to correct; the rest is the question."""
    results: list[dict[str, Any]] = []

    def region(start: int, end: int, role: str, alt: str | None = None) -> None:
        where = {"id": f"s{len(results)}", "to_name": "source"}
        value = {
            "start": start,
            "end": end,
            "text": question[start:end],
            "labels": [role],
        }
        results.append(where | {"from_name": "role", "type": "labels", "value": value})
        if alt:
            text = {"text": [alt]}
            results.append(
                where | {"from_name": "alt", "type": "textarea", "value": text}
            )

    end = 0
    for span in sorted(spans, key=lambda s: (s.start, -s.end)):
        if question[end : span.start].strip(SILENT):
            region(end, span.start, "Question")
        region(span.start, span.end, span.role, span.alt)
        end = max(end, span.end)
    if question[end:].strip(SILENT):
        region(end, len(question), "Question")
    return results


def comment_on(to: str) -> Any:
    folded = comment()
    for area in folded.iter("TextArea"):
        area.set("toName", to)
    return folded


def roles_task(problem: Problem, note: str = "") -> Task:
    """A problem whose spans are marked already, for people to correct."""
    task = problem_task(problem, note, "spans")
    task.proposal = proposal_of(problem.question, problem.spans)
    return task


def _tasks(material: Material) -> list[Task]:
    """One a problem; the spans that a model gave, or the problem's own, are marked on request."""
    make = roles_task if material.prefill else partial(problem_task, field="spans")
    tasks = material.each(make)
    for task in tasks:
        advice = material.advice.get(task.id, [])
        drafts = [vote for vote in advice if vote.field == "spans"]
        if drafts:
            draft = min(drafts, key=attrgetter("annotator"))
            spans = msgspec.convert(draft.value, list[Span])
            task.proposal = proposal_of(task.data["question"], spans)
    return tasks


@kind(
    "roles",
    title="Text roles",
    instruction="Mark the whole question: descriptive information the diagram shows anyway (DI), "
    "implicit properties to be perceived in it (IP), essential conditions (EC), and what is asked.",
    form=_roles,
    tasks=_tasks,
    field="spans",
)
def roles(answer: TaskAnswer) -> dict[str, Any]:
    """{"spans": [{start, end, role, alt}]}; offsets in code points of the question.

    Raises UserError when a part of the question carries no role, or a span leaves the text.
    """
    question = str(answer.data["question"])
    marked = bytearray(len(question))
    spans = []
    for value, alt in answer.regions("role"):
        start, end = _offsets(question, value)
        marked[start:end] = b"\1" * (end - start)
        role = value["labels"][0]
        if role != "Question":
            spans.append({"start": start, "end": end, "role": role, "alt": alt or None})
    for mark in MARK.finditer(question):  # of a picture: it has no role
        marked[mark.start() : mark.end()] = b"\1" * len(mark[0])
    if stretch := _unmarked(question, marked):
        raise UserError(
            f"no role for {stretch!r}", "ask the annotator to mark the whole question"
        )
    return {"spans": sorted(spans, key=lambda s: (s["start"], -s["end"], s["role"]))}


def _offsets(question: str, value: dict[str, Any]) -> tuple[int, int]:
    """Browsers count UTF-16 units; the marked text tells which unit was meant."""
    start = int(value["start"])
    end = int(value["end"])
    text = value.get("text")
    if 0 <= start < end <= len(question):
        part = question[start:end]
        if text in (None, part) or _bare(str(text)) == _bare(part):
            return start, end
    units = question.encode("utf-16-le")
    try:
        before = len(units[: 2 * start].decode("utf-16-le"))
        inside = units[2 * start : 2 * end].decode("utf-16-le")
    except UnicodeDecodeError:
        inside = ""
    if not inside or inside != (text or inside):
        raise UserError(
            f"span {start}-{end} is not in the question", "was the question changed?"
        )
    return before, before + len(inside)


def _bare(text: str) -> str:
    r"""Without white space: the page writes line ends as `\n`, and one more behind a whole line."""
    return "".join(text.replace("\\n", "").split())


def _unmarked(question: str, marked: bytearray) -> str:
    """The first stretch that should carry a role and does not."""
    without_marked = "".join(
        "\0" if mark else character
        for mark, character in zip(marked, question, strict=True)
    )
    for part in without_marked.split("\0"):
        if stretch := part.strip(SILENT):
            return stretch[:60]
    return ""
