"""Dealing again: nobody who is away, behind or left out holds up a project; what was said stays."""

from __future__ import annotations

from collections import Counter
from pathlib import Path
from typing import Any

import pytest
from benchwright import pull, push
from benchwright import vote as decide
from benchwright.annotate.projects import open_project, status
from benchwright.annotate.projects.groups import deal, deal_again, read_deals
from benchwright.annotate.projects.people import FILE
from benchwright.annotate.server import add_people
from benchwright.annotate.votes import read_votes
from benchwright.base.files import write_jsonl
from benchwright.cli import cli
from benchwright.errors import UserError
from click.testing import CliRunner
from httpx import HTTPStatusError
from label_studio import LabelStudio, picked
from small import problem

KIND = "alignment"


class Project:
    """A project of `count` problems on the server, in `labels`."""

    def __init__(self, studio: LabelStudio, folder: Path, count: int) -> None:
        self.studio, self.folder = studio, folder / "labels"
        self.problems = folder / "problems.jsonl"
        write_jsonl(self.problems, [problem(k) for k in range(count)])

    def push(self, **options: Any) -> Any:
        return push(
            self.problems, self.folder, KIND, server=self.studio.server, **options
        )

    def pull(self) -> Any:
        return pull(self.folder, server=self.studio.server)

    def answer(self, task: str, name: str, verdict: str, group: str = "") -> None:
        number = open_project(self.folder / group).number
        self.studio.answer(number, task, name, [picked(KIND, verdict)])

    def votes_of(self, name: str) -> list[Any]:
        votes = read_votes(self.folder / "votes.jsonl")
        return [vote for vote in votes if (vote.annotator, vote.field) == (name, KIND)]

    def held(self, group: str) -> set[str]:
        return set(self.studio.tasks(open_project(self.folder / group).number))

    def next_of(self, name: str) -> str:
        number = open_project(self.folder).number
        try:
            task = self.studio.person(name).get(f"/api/projects/{number}/next")
        except HTTPStatusError:
            return ""
        return str(task["data"]["id"])


@pytest.fixture
def project(studio: LabelStudio, tmp_path: Path) -> Project:
    add_people(studio.client, ["eve"], [])
    return Project(studio, tmp_path, 12)


def test_a_group_that_stops_in_the_middle_is_taken_over_and_all_is_decided(
    project: Project,
) -> None:
    """Four people, each problem to two; one answers two of six, goes, and is left out at last."""
    people = ("anna", "ben", "chris", "eve")
    project.push(group={name: name for name in people}, people=2)
    assert {name: len(project.held(name)) for name in people} == dict.fromkeys(
        people, 6
    )
    mine = sorted(project.held("eve"))
    for task in mine[:2]:
        project.answer(task, "eve", "no", "eve")

    words = ["push", str(project.problems), "-o", str(project.folder), "--kind", KIND]
    words += ["--away", "eve", "--people", "2", *project.studio.options]
    done_by_command = CliRunner().invoke(cli, ["annotate", *words])
    assert (done_by_command.exit_code, "dealt again: " in done_by_command.output) == (
        0,
        True,
    )
    assert project.held("eve") == set(mine[:2])
    counts = Counter(task for name in people for task in project.held(name))
    assert set(counts.values()) == {2}
    loads = [len(project.held(name)) for name in people[:3]]
    assert sum(loads) == 22
    assert max(loads) - min(loads) <= 2
    assert project.push(people=2).dealt == {}

    done: set[tuple[str, str]] = set()

    def all_answer() -> None:
        for name in people[:3]:
            for task in project.held(name):
                if (name, task) not in done:
                    project.answer(task, name, "yes", name)
                    done.add((name, task))

    all_answer()
    project.pull()
    votes = project.folder / "votes.jsonl"
    decided = {e.id: e.value for e in decide(votes, KIND, policy="majority")}
    assert sorted(task for task, value in decided.items() if value is None) == mine[:2]

    (project.folder.parent / FILE).write_text("eve: {out: all no}\n", "utf-8")
    assert sum(project.push(people=2).dealt.values()) == 2
    all_answer()
    pulled = project.pull()
    assert any("without: {eve: all no}" in remark for remark in pulled.remarks)
    entries = decide(votes, KIND, policy="majority", without={"eve": "all no"})
    assert {entry.value for entry in entries} == {"yes"}
    assert [len(entry.votes) for entry in entries] == [2] * 12
    assert len(project.votes_of("eve")) == 2
    assert status(project.folder, server=project.studio.server).people["eve"].look == [
        "left out: all no"
    ]


def test_whoever_is_left_out_of_a_pool_has_others_asked(project: Project) -> None:
    tasks = ["a-0", "a-1", "a-2"]
    write_jsonl(project.problems, [problem(k) for k in range(3)])
    project.push(people=2)
    for task in tasks:
        for name in ("anna", "eve"):
            project.answer(task, name, "yes" if name == "anna" else "no")
    project.pull()
    assert project.next_of("chris") == ""
    with pytest.raises(UserError, match="deals its tasks to nobody"):
        project.push(away=["eve"])
    (project.folder / FILE).write_text("eve: {out: the first option}\n", "utf-8")
    assert sorted(project.push().more) == tasks
    assert status(project.folder, server=project.studio.server).done == 0
    for _ in tasks:
        project.answer(project.next_of("chris"), "chris", "yes")
    assert (project.pull().more, project.next_of("ben")) == ([], "")
    found = status(project.folder, server=project.studio.server)
    assert (found.done, found.agreement[KIND]) == (3, None)  # all say yes
    entries = decide(
        project.folder / "votes.jsonl", KIND, policy="majority", without={"eve": "x"}
    )
    assert [entry.value for entry in entries] == ["yes"] * 3


def test_one_person_is_asked_again_about_everything(project: Project) -> None:
    tasks = ["a-0", "a-1", "a-2"]
    write_jsonl(project.problems, [problem(k) for k in range(3)])
    project.push(people=2)
    for task in tasks:
        for name, verdict in (("anna", "yes"), ("ben", "no")):
            project.answer(task, name, verdict)
    votes = project.folder / "votes.jsonl"

    def counted() -> list[dict[str, Any]]:
        entries = decide(votes, KIND, policy="majority")
        return [{v.annotator: v.value for v in entry.votes} for entry in entries]

    with pytest.raises(UserError, match=r"3 of ben \(a-0, a-1, a-2\): the lead asks"):
        project.push(again=["ben"])
    with pytest.raises(UserError, match="nobody is called 'benn'"):
        project.push(again=["benn"])
    asked = project.push(again=["ben"], yes=True).again
    assert [name for name, _ in asked] == tasks
    assert counted() == [{"anna": "yes", "ben": "no"}] * 3  # until they are given anew
    project.answer("a-0", "chris", "yes")  # who was quicker
    assert "a-0" in project.pull().more
    for _ in tasks:
        project.answer(project.next_of("ben"), "ben", "yes")
    assert (project.pull().more, project.next_of("ben")) == ([], "")
    assert counted() == [
        {"anna": "yes", "ben": "yes", "chris": "yes"},
        *[{"anna": "yes", "ben": "yes"}] * 2,
    ]
    assert len(project.votes_of("ben")) == 6


def test_deals_are_even_and_no_group_gets_a_task_twice(tmp_path: Path) -> None:
    tasks = [f"p{k}" for k in range(60)]
    deal(tmp_path, tasks, "abcd", 2)
    before = read_deals(tmp_path)
    mine = {task for task, hand in before.items() if "d" in hand}
    got, kept = deal_again(tmp_path, {"d": mine}, "abcd")
    after = read_deals(tmp_path)
    assert (sum(got.values()), kept) == (len(mine), [])
    assert all(len(set(hand)) == 2 and "d" not in hand for hand in after.values())
    loads = Counter(name for hand in after.values() for name in hand)
    assert max(loads.values()) - min(loads.values()) <= 2
    assert {t: h for t, h in after.items() if t not in mine} == {
        t: h for t, h in before.items() if t not in mine
    }
    _, kept = deal_again(tmp_path, {"b": set(tasks), "c": set(tasks)}, "abc")
    assert sorted(kept) == sorted(tasks)  # one of two can be a's, the other stays
