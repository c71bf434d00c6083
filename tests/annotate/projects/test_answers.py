"""Answers of a snapshot as votes: whose they are, which one counts, what a later pull changes."""

from __future__ import annotations

from typing import Any

import pytest
from benchwright.annotate.projects import AnsweredTask
from benchwright.annotate.projects.answers import last_answers
from benchwright.annotate.projects.changes import changes, with_authors
from benchwright.annotate.projects.pull import _clock_ran_back
from benchwright.annotate.votes import latest
from benchwright.problem import Vote
from hypothesis import given
from hypothesis import strategies as st
from label_studio import picked
from snapshots import PEOPLE, annotation, answers, moment, task, whole


class File:
    """votes.jsonl as pull keeps it."""

    def __init__(self) -> None:
        self.lines: list[Vote] = []
        self.reopened: dict[tuple[str, str], str] = {}

    def pull(self, *rows: AnsweredTask) -> tuple[int, int]:
        found = with_authors(answers(*rows), self.lines)
        asked = {(row.name, row.about): row.created_at for row in rows}
        new, gone = changes(
            self.lines, found, asked, set(PEOPLE.values()), self.reopened
        )
        self.lines += new + gone
        return len(new), len(gone)

    def counting(self) -> dict[tuple[str, str], Any]:
        return {(v.annotator, v.field): v.value for v in latest(self.lines)[0]}


def test_a_later_answer_supersedes_the_whole_earlier_one() -> None:
    """Not field by field: a level that the later answer does not give is no vote any more."""
    file = File()
    first = annotation(1, 2, whole("logic", 3), 1)
    assert file.pull(task(first)) == (2, 0)
    assert file.pull(
        task(first, annotation(2, 2, [picked("label", "algebra")], 5))
    ) == (1, 1)
    assert file.counting() == {("anna", "subject"): "algebra"}
    fresh = File()
    fresh.pull(task(first, annotation(2, 2, [picked("label", "algebra")], 5)))
    assert fresh.counting() == {("anna", "subject"): "algebra"}


def test_an_answer_belongs_to_whoever_changed_it_last() -> None:
    file = File()
    mine = annotation(1, 2, whole("logic", 3), 1, updated_by=2)
    file.pull(task(mine))
    edited = annotation(1, 2, whole("algebra", 3), 1, saved=9, updated_by=3)
    file.pull(task(edited))
    assert file.counting() == {  # nobody else takes anna's word back
        ("anna", "subject"): "logic", ("anna", "level"): 3,
        ("ben", "subject"): "algebra", ("ben", "level"): 3,
    }  # fmt: skip
    fresh = File()
    fresh.pull(task(edited))
    assert {who for who, _ in fresh.counting()} == {"ben"}


@pytest.mark.parametrize("saved", [1, 9])
def test_entered_on_behalf_or_only_looked_at_stays_the_authors(saved: int) -> None:
    file = File()
    entered = annotation(1, 2, whole("logic", 3), 1, updated_by=1)
    file.pull(task(entered))
    starred = annotation(1, 2, whole("logic", 3), 1, saved=saved, updated_by=1)
    assert file.pull(task(starred)) == (0, 0)
    assert {who for who, _ in file.counting()} == {"anna"}


def test_a_clock_that_runs_back_reorders_nothing() -> None:
    file = File()
    first = annotation(1, 2, whole("logic", 3), 600)
    file.pull(task(first))
    edited = annotation(1, 2, whole("algebra", 3), 600, saved=60)
    file.pull(task(edited))
    assert file.counting()["anna", "subject"] == "algebra"
    second = annotation(2, 2, whole("topology", 3), 30)
    rows = task(first, second)
    file.pull(rows)
    assert file.counting()["anna", "subject"] == "topology"
    assert file.pull(rows) == (0, 0)
    assert "annotation 2 is dated 9:30:00 before annotation 1" in _clock_ran_back(
        [rows]
    )
    fresh = File()
    fresh.pull(rows)
    assert fresh.counting()["anna", "subject"] == "topology"


def test_half_answers_count_for_what_they_give_and_say_what_lacks() -> None:
    (half,) = answers(task(annotation(1, 2, [picked("label", "logic")], 1)))
    assert half.votes == {"subject": "logic"}
    assert half.reason == "half an answer: nothing given for level"
    file = File()
    file.pull(task(annotation(1, 2, [picked("label", "logic")], 1)))
    file.reopened["p", "anna"] = moment(1)
    assert file.pull(task()) == (0, 0)
    file.pull(task(annotation(2, 2, whole("logic", 1), 5)))
    assert file.pull(task()) == (0, 2)  # she took the whole answer back
    assert file.counting() == {}


def test_foreign_tasks_are_named_and_nothing_else() -> None:
    row = AnsweredTask(
        data={"id": "p", "text": "x"}, annotations=[annotation(1, 2, [], 1)]
    )
    (found,) = answers(row)
    assert found.reason == "the task is none of ours: it was added by hand"
    assert found.votes == {}


states = st.lists(
    st.tuples(
        st.integers(1, 3),  # annotation
        st.sampled_from(["logic", "algebra", "gone", "half"]),
        st.integers(0, 900),  # when it was saved: clocks may jump
    ),
    max_size=12,
)


@given(states)
def test_the_file_always_says_what_the_server_says(
    events: list[tuple[int, str, int]],
) -> None:
    """Whatever people and clocks did between two pulls; nothing on file is lost or doubled."""
    file, there = File(), {}
    for number, state, saved in events:
        if state == "gone":
            there.pop(number, None)
        else:
            results = [picked("label", "logic")] if state == "half" else whole(state, 1)
            made = 100 * number
            there[number] = annotation(number, 2, results, made, saved=max(made, saved))
        before = list(file.lines)
        file.pull(task(*there.values()))
        assert file.lines[: len(before)] == before
        expected = {
            ("anna", field): value
            for answer in last_answers(answers(task(*there.values())))
            for field, value in answer.votes.items()
        }
        assert file.counting() == expected
        assert file.pull(task(*there.values())) == (0, 0)
