"""The file of people: who is whom, one voice each, whose stars are gold; nothing else says it."""

from __future__ import annotations

import time
from pathlib import Path
from typing import Any

import pytest
from benchwright import pull, push
from benchwright import vote as decide
from benchwright.annotate.projects import open_project, status
from benchwright.annotate.projects.answers import SAME_MOMENT
from benchwright.annotate.projects.people import FILE, read_people
from benchwright.annotate.server import add_people
from benchwright.annotate.votes import latest, read_votes
from benchwright.base.files import write_jsonl
from benchwright.errors import UserError
from benchwright.problem import Vote
from httpx import HTTPStatusError
from label_studio import LabelStudio, picked
from small import problem

KIND = "alignment"


class Labels:
    """A project of `count` problems in `labels/alignment`."""

    def __init__(
        self, studio: LabelStudio, folder: Path, count: int, **options: Any
    ) -> None:
        self.studio, self.folder = studio, folder / "labels" / KIND
        self.problems = folder / "problems.jsonl"
        write_jsonl(self.problems, [problem(k) for k in range(count)])
        self.number = self.push(**options).project

    def push(self, **options: Any) -> Any:
        return push(
            self.problems, self.folder, KIND, server=self.studio.server, **options
        )

    def pull(self) -> Any:
        return pull(self.folder, server=self.studio.server)

    def answer(self, task: str, name: str, verdict: str) -> int:
        return self.studio.answer(self.number, task, name, [picked(KIND, verdict)])

    def people(self, text: str) -> None:
        (self.folder.parent / FILE).write_text(text, "utf-8")

    def counting(self) -> dict[tuple[str, str], Any]:
        counting, _ = latest(read_votes(self.folder / "votes.jsonl"))
        return {
            (v.problem_id, v.annotator): v.value for v in counting if v.field == KIND
        }


def test_two_accounts_of_one_person_are_one_voice_and_two_again(
    studio: LabelStudio, tmp_path: Path
) -> None:
    labels = Labels(studio, tmp_path, 2)
    add_people(studio.client, ["anna2"], [])
    second = {name: number for number, name in studio.users().items()}["anna2"]
    for name, verdicts in (("anna", "yes no"), ("anna2", "no no"), ("ben", "yes yes")):
        for task, verdict in zip(("a-0", "a-1"), verdicts.split(), strict=True):
            labels.answer(task, name, verdict)
    labels.pull()
    before = labels.counting()
    assert len(before) == 6
    [first, other] = decide(labels.folder / "votes.jsonl", KIND, policy="majority")
    assert (first.value, other.value) == ("yes", "no")  # two of three, by two accounts
    labels.people(f"anna: {{accounts: [{second}], names: [anna2]}}\n")
    pulled = labels.pull()
    assert (pulled.withdrawn, pulled.remarks) == (0, [])
    assert labels.counting() == {
        ("a-0", "anna"): "no", ("a-0", "ben"): "yes",  # her last answer
        ("a-1", "anna"): "no", ("a-1", "ben"): "yes",
    }  # fmt: skip
    [first, other] = decide(labels.folder / "votes.jsonl", KIND, policy="majority")
    assert (first.value, other.value) == (None, None)
    assert labels.pull().new_votes == 0
    assert set(status(labels.folder, server=studio.server).people) == {"anna", "ben"}
    lines = len(read_votes(labels.folder / "votes.jsonl"))
    (labels.folder.parent / FILE).unlink()
    labels.pull()
    assert labels.counting() == before
    assert len(read_votes(labels.folder / "votes.jsonl")) > lines  # it only grows


def test_votes_follow_a_person_whose_tasks_are_gone_and_who_has_a_new_name(
    studio: LabelStudio, tmp_path: Path
) -> None:
    labels = Labels(studio, tmp_path, 2)
    labels.answer("a-0", "anna", "yes")
    labels.answer("a-1", "ben", "no")
    labels.pull()
    studio.client.delete_task(studio.tasks(labels.number)["a-0"])
    labels.people("Anna Example: {names: [anna]}\n")
    pulled = labels.pull()
    assert labels.counting() == {("a-0", "Anna Example"): "yes", ("a-1", "ben"): "no"}
    assert pulled.withdrawn == 0


def test_votes_of_nobody_are_told(studio: LabelStudio, tmp_path: Path) -> None:
    labels = Labels(studio, tmp_path, 1)
    stray = Vote(problem_id="a-0", field=KIND, value="yes", annotator="a.smith")
    write_jsonl(labels.folder / "votes.jsonl", [stray])
    assert labels.pull().remarks == []
    labels.people("anna:\n")
    [remark] = labels.pull().remarks
    assert remark.startswith("votes of a.smith are on file, whom ")
    labels.people("anna: {names: [a.smith]}\n")
    assert labels.pull().remarks == []
    assert labels.counting() == {("a-0", "anna"): "yes"}


def test_stars_are_gold_by_those_who_have_the_right_and_starve_no_task(
    studio: LabelStudio, tmp_path: Path
) -> None:
    labels = Labels(studio, tmp_path, 2, people=2)
    labels.people("ben: {gold: true}\n")
    given = {
        name: labels.answer(task, name, "yes")
        for task, name in (("a-0", "ben"), ("a-1", "anna"))
    }
    time.sleep(2 * SAME_MOMENT)  # the star is then an edit by the lead
    for number in given.values():
        studio.http.patch(f"/api/annotations/{number}", {"ground_truth": True})
    labels.answer("a-0", "anna", "yes")
    labels.answer("a-1", "ben", "yes")
    chris = studio.person("chris")
    following = f"/api/projects/{labels.number}/next"
    with pytest.raises(HTTPStatusError):  # the server counts the star as an answer
        chris.get(following)
    labels.pull()
    assert labels.counting() == {
        ("a-0", "anna"): "yes", ("a-1", "anna"): "yes", ("a-1", "ben"): "yes"
    }  # fmt: skip
    assert chris.get(following)["data"]["id"] == "a-0"
    found = status(labels.folder, server=studio.server)
    assert (found.gold_tasks, found.done) == (1, 1)
    assert found.people["anna"].gold == 1.0
    labels.answer("a-0", "chris", "no")
    labels.pull()
    with pytest.raises(HTTPStatusError):
        chris.get(following)
    assert status(labels.folder, server=studio.server).done == 2


def test_groups_stand_in_the_file_and_a_person_is_in_one(
    studio: LabelStudio, tmp_path: Path
) -> None:
    folder = tmp_path / "labels" / KIND
    folder.mkdir(parents=True)
    file = folder.parent / FILE
    file.write_text("anna: {group: a}\nben: {group: a}\nchris: {group: b}\n", "utf-8")
    write_jsonl(tmp_path / "problems.jsonl", [problem(k) for k in range(3)])

    def give() -> Any:
        return push(tmp_path / "problems.jsonl", folder, KIND, server=studio.server)

    assert sorted(give().groups) == ["a", "b"]
    assert open_project(folder).groups == {"a": ["anna", "ben"], "b": ["chris"]}
    number = open_project(folder / "a").number
    studio.answer(number, "a-0", "ben", [picked(KIND, "yes")])
    assert pull(folder, server=studio.server).remarks == []
    file.write_text("anna: {group: a}\nben: {group: b}\nchris: {group: b}\n", "utf-8")
    give()
    assert open_project(folder / "b").members == ["ben", "chris"]
    file.write_text("anna: {group: a, names: [chris]}\n", "utf-8")
    with pytest.raises(UserError, match="anna is in two groups: a and b"):
        give()


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("anna: {accounts: [2]}\nben: {accounts: [2]}", r":2: account 2 is anna's and"),
        ("anna: {names: [x]}\nben:\n  names: [x]", r":2: the name 'x' is anna's and"),
        ("anna: {names: [ben]}\nben:", r":2: 'ben' is a person, and a name of anna"),
        ("anna:\nben: {acounts: [2]}", r":2: ben: .*acounts"),
        ("anna: {accounts: 2}", r":1: anna: Expected `array`"),
        ("anna: {}\nanna: {}", "line 2: key 'anna' stands twice"),
        ("- anna", "names nobody"),
        ("3: {}", "3 is no name"),
        ("anna: [", "repair"),
    ],
)
def test_what_is_no_file_of_people_is_named(
    tmp_path: Path, text: str, said: str
) -> None:
    (tmp_path / FILE).write_text(text, "utf-8")
    with pytest.raises(UserError, match=said) as error:
        read_people(tmp_path / "labels")
    assert FILE in str(error.value)
