"""A snapshot's annotations as answers of people: who gave them, which is their last, which votes.

An annotation belongs to whoever changed it last. Of several by one person on one task the last
counts, by the order in which the server made them: a clock that runs back does not reorder them.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from datetime import datetime
from operator import attrgetter
from typing import Any, Literal, NamedTuple

import msgspec

from ...errors import UserError
from ...pipeline import bug
from ...problem import Vote
from ...taxonomy import Tree, as_list
from ..kinds import (
    Kind,
    Requirement,
    TaskAnswer,
    controls_of,
    missing_of,
    required_of,
)
from ..votes import PENDING
from .renamed_labels import with_new_labels
from .snapshot import Annotation, AnsweredTask

NOBODY = "user 0"  # whose account was deleted
DAMAGED = "damaged: "  # starts the reason of an answer that no page has written
# Seconds between making and last saving of an annotation nobody has changed.
SAME_MOMENT = 1.0
# What reading a result that no page has written may raise.
DAMAGES = (LookupError, TypeError, ValueError, AttributeError)


class RefusedAnswer(msgspec.Struct, kw_only=True):
    """An answer that is no vote, or half of one, as it was given, and why."""

    problem_id: str
    annotator: str
    at: str
    reason: str
    results: list[Any]


class PersonAnswer(msgspec.Struct, kw_only=True):
    """One answer: its votes, or why it has none; a half answer has both."""

    problem_id: str
    annotator: str
    author: str  # who gave it first
    at: str
    order: tuple[str, int]
    votes: dict[str, Any] = {}
    about: str = ""
    remarks: dict[str, str] = {}  # what was written beside the votes, by control
    seconds: float | None = None
    prefilled: Literal["", "untouched", "changed"] = ""
    starred: bool = False  # marked as ground truth
    group: str = ""
    instructions: str = ""  # hash of the guidelines that it was given under
    meanings: dict[str, str] = {}  # field -> hash of what its labels meant
    reason: str = ""
    results: list[Any] = []

    def as_votes(self) -> list[Vote]:
        return [
            Vote(
                problem_id=self.problem_id,
                field=field,
                value=value,
                annotator=self.annotator,
                at=self.at,
                about=self.about,
                seconds=self.seconds,
                prefilled=self.prefilled,
                group=self.group,
                instructions=self.instructions,
                meaning=self.meanings.get(field, ""),
            )
            for field, value in sorted(self.votes.items())
        ]

    def refusal(self) -> RefusedAnswer:
        return RefusedAnswer(
            problem_id=self.problem_id,
            annotator=self.annotator,
            at=self.at,
            reason=self.reason,
            results=self.results,
        )


def read_answers(
    rows: Iterable[AnsweredTask],
    people: Mapping[int, str],
    kind: Kind,
    tree: Tree | None,
    interface: str,
    now: Callable[[str], str] = str,
) -> list[PersonAnswer]:
    """Every answer of a snapshot, a person's earlier ones on a task before the last one.

    `now` says who is meant by a name that a task has: its author may have another one since.
    """
    page = _Page(kind, controls_of(interface), required_of(interface))
    answers = []
    for row in rows:
        newest = ""  # of the annotations so far
        if "author" in row.data:
            row.data["author"] = now(str(row.data["author"]))
        for annotation in sorted(row.annotations, key=attrgetter("id")):
            if annotation.was_cancelled:
                continue
            newest = max(newest, annotation.created_at or "")
            answer = _without_votes(row, annotation, people, newest)
            results = [
                with_new_labels(result, tree) for result in annotation.result or []
            ]
            _read_votes(answer, row, TaskAnswer(row.data, results, tree), page)
            answers.append(answer)
    return sorted(answers, key=attrgetter("problem_id", "annotator", "order"))


class _Page(NamedTuple):
    """What was asked: the kind, the choices of its controls, and what a whole answer gives."""

    kind: Kind
    controls: dict[str, list[str] | None]
    required: list[Requirement]


def _read_votes(
    answer: PersonAnswer, row: AnsweredTask, form: TaskAnswer, page: _Page
) -> None:
    """Take votes and remarks from the form, or note why there are none."""
    kind = page.kind
    try:
        if not row.ours:
            raise UserError("the task is none of ours", "it was added by hand")
        if answer.annotator == row.data.get("author"):
            raise UserError(f"{answer.annotator} wrote it", "somebody else reviews it")
        form.check(page.controls)
        answer.votes = kind.read(form)
        answer.reason = missing_of(page.required, form)
        answer.meanings = _meanings(answer.votes, form.tree)
    except UserError as error:
        answer.reason = str(error)
    except DAMAGES as error:
        answer.reason = f"{DAMAGED}{error!r}"
    except Exception as error:
        where = f"task {row.name}"
        raise bug(f"kind {kind.name!r}", kind.votes, error, where) from error
    if not answer.reason.startswith(DAMAGED):
        answer.remarks = form.remarks()


def _meanings(votes: dict[str, Any], tree: Tree | None) -> dict[str, str]:
    """What the labels of a tree meant to whoever gave them: a hash of their definitions."""
    if tree is None or votes.get(tree.field) in (None, PENDING):
        return {}
    return {tree.field: tree.meaning(map(str, as_list(votes[tree.field])))}


def last_answers(answers: Iterable[PersonAnswer]) -> list[PersonAnswer]:
    """The last answer of each person on each task."""
    last = {(answer.problem_id, answer.annotator): answer for answer in answers}
    return list(last.values())


def _without_votes(
    row: AnsweredTask, annotation: Annotation, people: Mapping[int, str], newest: str
) -> PersonAnswer:
    """Who gave an answer, when and how; its votes are read afterwards."""
    author = annotator = person(annotation.completed_by, people)
    created = annotation.created_at or ""
    updated = annotation.updated_at or ""
    edited = annotation.updated_by and _seconds(created, updated) > SAME_MOMENT
    if edited and not annotation.ground_truth:  # a star is an edit by whoever gave it
        annotator = person(annotation.updated_by, people) or author
    at = updated or created
    return PersonAnswer(
        problem_id=row.name,
        annotator=annotator,
        author=author,
        at=at,
        order=(max(newest, at), annotation.id),
        about=row.about,
        results=annotation.result or [],
        seconds=annotation.lead_time,
        prefilled=_prefilled(row, annotation),
        starred=bool(annotation.ground_truth),
    )


def _prefilled(
    row: AnsweredTask, annotation: Annotation
) -> Literal["", "untouched", "changed"]:
    """Whether an answer is what the form was filled in with; the page marks what was touched."""
    if not annotation.parent_prediction:
        return ""
    results = annotation.result or []
    from_prediction = [r for r in results if r.get("origin") == "prediction"]
    if len(from_prediction) == len(results) == row.data.get("prefilled"):
        return "untouched"
    return "changed"


def person(who: Any, people: Mapping[int, str]) -> str:
    """The name of an account that the server gives as a number, or as a row with its number."""
    given = who.get("id") if isinstance(who, dict) else who
    number = int(given or 0)
    return people.get(number, f"user {number}")


def _seconds(created: str, updated: str) -> float:
    try:
        return abs((time_of(updated) - time_of(created)).total_seconds())
    except ValueError:
        return 0.0


def time_of(text: str) -> datetime:
    """A moment of the server, `2026-01-02T03:04:05.678901Z`."""
    return datetime.fromisoformat(text.replace("Z", "+00:00"))
