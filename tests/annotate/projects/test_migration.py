"""A tree that changes while answers exist: a plan, moves, and nothing lost in between."""

from __future__ import annotations

from pathlib import Path

import pytest
from benchwright.annotate.projects.pull import pull
from benchwright.annotate.projects.push import push
from benchwright.annotate.projects.status import status
from benchwright.annotate.server.client import Client
from benchwright.annotate.votes.votes import latest, read_votes
from benchwright.base.files import write_jsonl
from benchwright.errors import UserError
from label_studio import LabelStudio, leaves, picked
from small import problem

DEEP = """
name: sums
source: ours
levels: [topic, skill]
nodes:
  - {{name: Numbers, children: [{{name: {sums}}}, {{name: Powers}}{more}]}}
"""


def tree(path: Path, sums: str, more: str = "") -> Path:
    path.write_text(DEEP.format(sums=sums, more=more), "utf-8")
    return path


def test_a_changed_tree_stops_with_a_plan_and_moves_bring_the_answers_along(
    studio: LabelStudio, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    problems = tmp_path / "problems.jsonl"
    write_jsonl(problems, [problem(1), problem(2)])
    where = {"data": studio.data, "kind": "concepts", "out": tmp_path / "labels"}
    first = push(problems, tree=str(tree(tmp_path / "old.yaml", "Sums")), **where)
    for name, skill in (("a-1", "Sums"), ("a-2", "Powers")):
        given = [picked("certain", "concepts"), leaves("concepts", ["Numbers", skill])]
        studio.answer(first.project, name, "anna", given)
    assert pull(tmp_path / "labels", data=studio.data).new_votes == 2

    more = tree(
        tmp_path / "more.yaml", "Sums", ", {name: Roots}"
    )  # nothing is lost: no question
    assert push(problems, tree=str(more), **where).there == 2

    new = str(tree(tmp_path / "new.yaml", "Sums and differences"))
    with pytest.raises(UserError) as caught:
        push(problems, tree=new, **where)
    assert "1 answers give 'Sums'" in caught.value.message
    assert (
        "--migrate 'Sums=...' (did you mean 'Sums and differences'"
        in caught.value.remedy
    )
    with pytest.raises(UserError, match="the new tree has no 'Sum'"):
        push(problems, tree=new, migrate={"Sums": "Sum"}, **where)

    def cut(*_: object) -> None:
        raise KeyboardInterrupt

    moves = {"Sums": "Sums and differences"}
    with monkeypatch.context() as broken:
        broken.setattr(Client, "update_annotation", cut)
        with pytest.raises(KeyboardInterrupt):
            push(problems, tree=new, migrate=moves, **where)
    found = pull(
        tmp_path / "labels", data=studio.data
    )  # the server still has the old label
    assert (found.refused, found.withdrawn) == ([], 0)
    assert (
        push(problems, tree=new, **where).there == 2
    )  # goes on without being told again
    found = pull(tmp_path / "labels", data=studio.data)
    assert (found.new_votes, found.refused, found.withdrawn, found.remarks) == (
        0,
        [],
        0,
        [],
    )
    counting, _ = latest(read_votes(tmp_path / "labels" / "votes.jsonl"))
    assert {(v.problem_id, v.annotator, *v.value) for v in counting} == {
        ("a-1", "anna", "Sums and differences"), ("a-2", "anna", "Powers"),
    }  # fmt: skip
    assert (
        "Sums and differences" in studio.client.project(first.project)["label_config"]
    )
    told = status(
        tmp_path / "labels", data=studio.data
    )  # though we wrote an answer anew
    assert {name: person.answers for name, person in told.people.items()} == {"anna": 2}
