"""How far a project is: tasks, people, gold tasks, agreement, as data and as a page."""

from __future__ import annotations

from pathlib import Path

from benchwright.annotate.projects import AnsweredTask, Project
from benchwright.annotate.projects.lead_page import write_status
from benchwright.annotate.projects.progress import status_of
from snapshots import PEOPLE, annotation, answers, moment, task, whole


def test_a_lead_sees_who_cannot_have_read_the_texts(tmp_path: Path) -> None:
    rows = []
    for k in range(12):
        row = task(annotation(2 * k, 2, whole("logic", 3), k, lead_time=30.0),
                   annotation(2 * k + 1, 3, whole("logic", 3), k, lead_time=2.0),
                   name=f"p-{k}")  # fmt: skip
        row.data["characters"] = 400 if k < 8 else 50
        rows.append(row)
    project = Project(key="k", kind="subject", people=2, folder=tmp_path)
    found = status_of(project, rows, answers(*rows), PEOPLE)
    assert found.people["ben"].look == ["67% of the texts cannot be read so quickly"]
    assert found.people["anna"].look == []


def test_tasks_people_and_gold(tmp_path: Path) -> None:
    skipped = annotation(9, 3, [], 1, was_cancelled=True)
    rows = [
        task(annotation(1, 2, whole("logic", 3), 1), annotation(2, 3, whole("logic", 3), 2),
             annotation(3, 1, whole("logic", 3), 3, ground_truth=True), name="p"),
        task(annotation(4, 2, whole("algebra", 1), 4), annotation(5, 3, whole("topology", 1), 5),
             annotation(6, 1, whole("algebra", 1), 6, ground_truth=True), name="q"),
        task(annotation(7, 2, whole("alchemy", 1), 7), skipped, name="r"),
        AnsweredTask(data={"text": "x"}),
    ]  # fmt: skip
    project = Project(key="k", kind="subject", people=2, folder=tmp_path)
    found = status_of(project, rows, answers(*rows), PEOPLE, {PEOPLE[1]})
    assert (found.tasks, found.done, found.started, found.open) == (3, 2, 0, 1)
    assert (found.skipped, found.refused, found.foreign, found.gold_tasks) == (
        1,
        1,
        1,
        2,
    )
    assert (found.people["anna"].gold, found.people["ben"].gold) == (1.0, 0.5)
    assert (found.people["anna"].refused, found.people["ben"].skipped) == (1, 1)
    assert found.agreement["level"] == 1.0
    assert 0 < (found.agreement["subject"] or 0) < 1
    anna = found.people["anna"]
    assert (anna.first, anna.last) == (moment(1), moment(7))
    said = ["level: 1", "level: 3", "subject: algebra", "subject: logic"]
    assert anna.given == dict.fromkeys(said, 1)
    assert anna.agrees["level"] == 1.0  # on both problems that ben answered, too
    assert anna.agrees["subject"] == 0.5
    write_status(found, tmp_path / "status.html")
    page = (tmp_path / "status.html").read_text("utf-8")
    assert "anna" in page
    assert "of 3 tasks" in page
    assert "What each did" in page
    assert "subject 0.50" in page
    assert "Deals" not in page  # it has no groups
