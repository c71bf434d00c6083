"""Snapshots of a labelling project, as Label Studio exports them."""

from __future__ import annotations

from typing import Any

from benchwright.annotate.kinds import load_kind
from benchwright.annotate.projects import AnsweredTask
from benchwright.annotate.projects.answers import PersonAnswer, read_answers
from benchwright.annotate.projects.snapshot import Annotation
from benchwright.taxonomy import load_tree
from label_studio import picked

PEOPLE = {1: "admin", 2: "anna", 3: "ben"}
TREE = load_tree("math-v")
SUBJECT = load_kind("subject")


def moment(minute: int) -> str:
    return f"2026-01-01T{minute // 60:02}:{minute % 60:02}:00.000000Z"


def annotation(
    number: int, who: int, results: list[Any], made: int, **more: Any
) -> Annotation:
    saved = moment(more.pop("saved", made))
    return Annotation(id=number, completed_by=who, result=results, created_at=moment(made),
                      updated_at=saved, **more)  # fmt: skip


def whole(label: str, level: int) -> list[Any]:
    return [picked("label", label), picked("level", str(level))]


def task(*annotations: Annotation, name: str = "p") -> AnsweredTask:
    data = {"id": name, "about": "h", "note_html": ""}
    return AnsweredTask(data=data, annotations=list(annotations))


def answers(*rows: AnsweredTask) -> list[PersonAnswer]:
    return read_answers(rows, PEOPLE, SUBJECT, TREE, SUBJECT.interface(TREE))
