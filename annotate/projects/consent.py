"""What a command would take off the server, said before it does: whose answers, how many, why."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence

import msgspec

from ...base.display import and_more
from ...errors import UserError
from .answers import person
from .snapshot import Annotation, AnsweredTask

SHOWN = 3  # problems of one cause that the message names


class Loss(msgspec.Struct, frozen=True):
    """An answer that would be taken off the server, and why."""

    problem: str
    annotator: str
    why: str

    @classmethod
    def of(
        cls,
        row: AnsweredTask,
        annotation: Annotation,
        people: Mapping[int, str],
        why: str,
    ) -> Loss:
        return cls(row.name, person(annotation.completed_by, people), why)


def losses_of(
    rows: Iterable[AnsweredTask], people: Mapping[int, str], reasons: Mapping[str, str]
) -> list[Loss]:
    """All answers on tasks that would make way; `reasons` say why, by problem."""
    return [
        Loss.of(row, annotation, people, reasons[row.name])
        for row in rows
        if row.ours and row.name in reasons
        for annotation in row.annotations
        if not annotation.was_cancelled
    ]


def require_consent(yes: bool, losses: Sequence[Loss]) -> None:
    """Raises UserError saying whose answers would make way and why, unless `yes`."""
    if yes or not losses:
        return
    by_cause: dict[str, list[Loss]] = {}
    for loss in losses:
        by_cause.setdefault(loss.why, []).append(loss)
    causes = []
    for why, same in by_cause.items():
        people = Counter(loss.annotator for loss in same)
        whose = ", ".join(f"{count} of {name}" for name, count in people.most_common())
        problems = list(dict.fromkeys(loss.problem for loss in same))
        named = ", ".join(problems[:SHOWN]) + and_more(len(problems), SHOWN)
        causes.append(f"{whose} ({named}): {why}")
    raise UserError(
        f"{len(losses)} answers would be taken off the server and asked again: "
        f"{'; '.join(causes[:SHOWN])}{and_more(len(causes), SHOWN)}",
        "they stay on file (votes.jsonl, refused.jsonl); --yes goes on",
    )
