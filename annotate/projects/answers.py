"""A snapshot's annotations as answers of people: who gave them, which is their last, which votes.

An annotation belongs to whoever changed it last. Of several by one person on one task the last
counts, by the order in which the server made them: a clock that runs back does not reorder them.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from datetime import datetime
from operator import attrgetter
from typing import Any, Literal

import msgspec

from ...errors import UserError
from ...pipeline import bug
from ...problem import Vote
from ...taxonomy import Tree
from ..kinds import Kind, TaskAnswer, controls_of, missing_of, required_of
from .renamed_labels import moved
from .snapshot import Annotation, AnsweredTask

NO_MOVES: Mapping[str, str] = {}
DAMAGED = "damaged: "  # starts the reason of an answer that no page has written
SAME_MOMENT = (
    1.0  # seconds between making and last saving of an annotation nobody has changed
)


class RefusedAnswer(msgspec.Struct, kw_only=True):
    """An answer that is no vote, or half of one, as it was given, and why."""

    problem_id: str
    annotator: str
    at: str
    reason: str
    results: list[Any]


class Given(msgspec.Struct, kw_only=True):
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
    moves: Mapping[str, str] = NO_MOVES,
) -> list[Given]:
    """Every answer of a snapshot, a person's earlier ones on a task before the last one.

    `moves` says what labels of an earlier tree are now.
    """
    controls, required = controls_of(interface), required_of(interface)
    answers = []
    for row in rows:
        made = ""
        for annotation in sorted(row.annotations, key=attrgetter("id")):
            if annotation.was_cancelled:
                continue
            made = max(made, annotation.created_at or "")
            given = _given(row, annotation, people, made)
            results = [moved(result, moves, tree) for result in annotation.result or []]
            answer = TaskAnswer(row.data, results, tree)
            try:
                if not row.ours:
                    raise UserError("the task is none of ours", "it was added by hand")
                if given.annotator == answer.data.get("author"):
                    raise UserError(
                        f"{given.annotator} wrote it", "somebody else reviews it"
                    )
                answer.check(controls)
                given.votes = kind.read(answer)
                given.reason = missing_of(required, answer)
            except (
                UserError,
                LookupError,
                TypeError,
                ValueError,
                AttributeError,
            ) as error:
                given.reason = (
                    str(error)
                    if isinstance(error, UserError)
                    else f"{DAMAGED}{error!r}"
                )
            except Exception as error:
                raise bug(
                    f"kind {kind.name!r}", kind.votes, error, f"task {row.name}"
                ) from error
            given.remarks = (
                answer.remarks() if not given.reason.startswith(DAMAGED) else {}
            )
            answers.append(given)
    return sorted(
        answers, key=lambda given: (given.problem_id, given.annotator, given.order)
    )


def last_answers(answers: Iterable[Given]) -> list[Given]:
    """The last answer of each person on each task."""
    return list(
        {(given.problem_id, given.annotator): given for given in answers}.values()
    )


def _given(
    row: AnsweredTask, annotation: Annotation, people: Mapping[int, str], made: str
) -> Given:
    author, changed = person(annotation.completed_by, people), ""
    created, updated = annotation.created_at or "", annotation.updated_at or ""
    if annotation.updated_by and _seconds(created, updated) > SAME_MOMENT:
        changed = person(annotation.updated_by, people)
    at = updated or created
    return Given(
        problem_id=row.name,
        annotator=changed or author,
        author=author,
        at=at,
        order=(max(made, at), annotation.id),
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
    kept = all(result.get("origin") == "prediction" for result in results)
    return (
        "untouched" if kept and len(results) == row.data.get("prefilled") else "changed"
    )


def person(who: Any, people: Mapping[int, str]) -> str:
    """The name of an account that the server gives as a number, or as a row with its number."""
    number = who.get("id") if isinstance(who, dict) else who
    return people.get(int(number or 0), f"user {number}")


def _seconds(created: str, updated: str) -> float:
    try:
        return abs((time_of(updated) - time_of(created)).total_seconds())
    except ValueError:
        return 0.0


def time_of(text: str) -> datetime:
    """A moment of the server, `2026-01-02T03:04:05.678901Z`."""
    return datetime.fromisoformat(text.replace("Z", "+00:00"))
