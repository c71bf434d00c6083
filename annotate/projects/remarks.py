"""What people wrote beside their votes: remarks.jsonl, and corrections as errata to take.

A control called `correct_<field>` asks for what should stand in that field of the problem; the
task's data hold under the same name what stood there when people were asked.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any

from ...base.files import write_bytes
from ..kinds import TaskAnswer
from ..votes import Remark
from .answers import PersonAnswer, person
from .snapshot import Annotation, AnsweredTask

REMARKS, CORRECTIONS = "remarks.jsonl", "corrections.yaml"
CORRECT = "correct_"  # starts the controls that ask for what should stand there


def remarks_of(answers: Iterable[PersonAnswer]) -> list[Remark]:
    """Every remark of the answers, in their order."""
    return [
        Remark(
            id=answer.problem_id,
            annotator=answer.annotator,
            control=control,
            text=text,
            about=answer.about,
            at=answer.at,
        )
        for answer in answers
        for control, text in answer.remarks.items()
    ]


def remarks_on_skips(
    rows: Iterable[AnsweredTask], people: Mapping[int, str]
) -> list[Remark]:
    """What people wrote on tasks that they passed on, without an answer."""
    return [
        Remark(
            id=row.name,
            annotator=person(annotation.completed_by, people),
            control=control,
            text=text,
            about=row.about,
            at=annotation.updated_at or annotation.created_at or "",
        )
        for row in rows
        if row.ours
        for annotation in row.annotations
        if annotation.was_cancelled
        for control, text in _written(row, annotation).items()
    ]


def _written(row: AnsweredTask, annotation: Annotation) -> dict[str, str]:
    results = [r for r in annotation.result or [] if isinstance(r.get("value"), dict)]
    return TaskAnswer(row.data, results).remarks()


def write_corrections(
    path: Path, rows: Iterable[AnsweredTask], remarks: Iterable[Remark]
) -> list[dict[str, Any]]:
    """The corrections among the remarks as errata: one a problem, field and new text.

    They name everybody who wrote them; what else these people wrote on the problem is the reason.
    """
    import yaml

    data_of = {(row.name, row.about): row.data for row in rows}
    reasons: dict[tuple[str, str], list[str]] = {}  # problem, person -> remarks
    corrections: dict[tuple[str, str, str], list[Remark]] = {}
    old: dict[tuple[str, str, str], Any] = {}  # what stood there
    for remark in remarks:
        data = data_of.get((remark.id, remark.about), {})
        if not remark.control.startswith(CORRECT):
            reasons.setdefault((remark.id, remark.annotator), []).append(remark.text)
        elif remark.control in data:
            key = (remark.id, remark.control, remark.text)
            corrections.setdefault(key, []).append(remark)
            old.setdefault(key, data[remark.control])
    entries = []
    for key, same in sorted(corrections.items()):
        problem, control, text = key
        people = list(dict.fromkeys(remark.annotator for remark in same))
        why = [text for name in people for text in reasons.get((problem, name), [])]
        entries.append(
            {
                "id": problem,
                "field": control.removeprefix(CORRECT),
                "old": old[key],
                "new": text,
                "reason": "; ".join(dict.fromkeys(why)) or "corrected by annotators",
                "by": ", ".join(people),
                "at": max(remark.at for remark in same),
            }
        )
    if entries:
        text = yaml.safe_dump(entries, allow_unicode=True, sort_keys=False)
        write_bytes(path, text.encode())
    return entries
