"""A tree that changes while answers exist: a plan, moves, and nothing lost in between."""

from __future__ import annotations

from pathlib import Path

import pytest
from benchwright import pull, push, vote
from benchwright.annotate.projects import status
from benchwright.annotate.server import Client
from benchwright.annotate.votes import latest, read_votes
from benchwright.base.files import write_jsonl
from benchwright.errors import UserError
from label_studio import LabelStudio, leaves, picked
from small import problem

DEEP = """
name: sums
source: ours
levels: [topic, skill]
{changes}
nodes:
  - {{name: Numbers, children: [{{name: {sums}}}, {{name: Powers}}{more}]}}
"""


def tree(path: Path, sums: str, more: str = "", changes: str = "") -> Path:
    path.write_text(DEEP.format(sums=sums, more=more, changes=changes), "utf-8")
    return path


def test_a_changed_tree_stops_with_a_plan_and_moves_bring_the_answers_along(
    studio: LabelStudio, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    problems = tmp_path / "problems.jsonl"
    write_jsonl(problems, [problem(1), problem(2)])
    where = {"server": studio.server, "kind": "concepts", "out": tmp_path / "labels"}
    first = push(problems, tree=str(tree(tmp_path / "old.yaml", "Sums")), **where)
    for name, skill in (("a-1", "Sums"), ("a-2", "Powers")):
        given = [picked("certain", "concepts"), leaves("concepts", ["Numbers", skill])]
        studio.answer(first.project, name, "anna", given)
    assert pull(tmp_path / "labels", server=studio.server).new_votes == 2

    more = tree(
        tmp_path / "more.yaml", "Sums", ", {name: Roots}"
    )  # nothing is lost: no question
    assert push(problems, tree=str(more), **where).there == 2

    new = str(tree(tmp_path / "new.yaml", "Sums and differences"))
    with pytest.raises(UserError) as caught:
        push(problems, tree=new, **where)
    assert "1 answers give 'Sums'" in caught.value.message
    assert "`renamed: {Sums: ...}` (did you mean 'Sums and" in caught.value.remedy
    wrong = tree(
        tmp_path / "wrong.yaml", "Sums and differences", "", "renamed: {Sums: Sum}"
    )
    with pytest.raises(UserError, match="renamed: Sums: 'Sum' is not in the tree"):
        push(problems, tree=str(wrong), **where)

    def cut(*_: object) -> None:
        raise KeyboardInterrupt

    renamed = "renamed: {Sums: Sums and differences}"
    new = str(tree(tmp_path / "new.yaml", "Sums and differences", "", renamed))
    with monkeypatch.context() as broken:
        broken.setattr(Client, "update_annotation", cut)
        with pytest.raises(KeyboardInterrupt):
            push(problems, tree=new, **where)
    found = pull(
        tmp_path / "labels", server=studio.server
    )  # the server still has the old label
    assert (found.refused, found.withdrawn) == ([], 0)
    assert push(problems, tree=new, **where).there == 2  # goes on
    found = pull(tmp_path / "labels", server=studio.server)
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
        tmp_path / "labels", server=studio.server
    )  # though we wrote an answer anew
    assert {name: person.answers for name, person in told.people.items()} == {"anna": 2}


MOVED = """
name: sums
source: ours
levels: [topic, skill]
{changes}
nodes:
  - {{name: Numbers, children: [{{name: Sums}}, {{name: Roots}}]}}
  - {{name: Algebra, children: [{powers}]}}
"""


def test_a_leaf_that_moves_keeps_its_answers_and_one_that_is_split_is_asked_again(
    studio: LabelStudio, tmp_path: Path
) -> None:
    problems, folder = tmp_path / "problems.jsonl", tmp_path / "labels"
    write_jsonl(problems, [problem(1), problem(2), problem(3)])
    where = {"server": studio.server, "kind": "concepts", "out": folder}
    first = push(problems, tree=str(tree(tmp_path / "old.yaml", "Sums")), **where)
    given = {"a-1": "Sums", "a-2": "Powers", "a-3": "Powers"}
    for name, skill in given.items():
        results = [
            picked("certain", "concepts"),
            leaves("concepts", ["Numbers", skill]),
        ]
        studio.answer(first.project, name, "anna", results)
    branch = [picked("certain", "concepts"), leaves("concepts", ["Numbers"])]
    studio.answer(first.project, "a-1", "ben", branch)
    pulled = pull(folder, server=studio.server)
    assert pulled.new_votes == 3
    [refused] = pulled.refused
    assert "'Numbers' is no leaf of the tree: pick one below it" in refused.reason

    def now() -> dict[str, list[str]]:
        counting, _ = latest(read_votes(folder / "votes.jsonl"))
        return {vote.problem_id: vote.value for vote in counting}

    moved = tmp_path / "moved.yaml"
    moved.write_text(MOVED.format(changes="", powers="{name: Powers}"), "utf-8")
    with pytest.raises(UserError, match=r"1 of ben \(a-1\): 'Numbers' is no leaf"):
        push(problems, tree=str(moved), **where)
    assert push(problems, tree=str(moved), yes=True, **where).again == [
        ("a-1", refused.reason)
    ]
    pulled = pull(folder, server=studio.server)
    assert (pulled.withdrawn, pulled.refused) == (0, [])
    assert now() == {name: [skill] for name, skill in given.items()}

    split = tmp_path / "split.yaml"
    changes = "split: {Powers: [Squares, Cubes]}"
    powers = "{name: Squares}, {name: Cubes}"
    split.write_text(MOVED.format(changes=changes, powers=powers), "utf-8")
    with pytest.raises(
        UserError, match=r"2 of anna .*'Powers' was split since: Squares, Cubes"
    ):
        push(problems, tree=str(split), **where)
    push(problems, tree=str(split), yes=True, **where)
    task = studio.client.task(studio.tasks(first.project)["a-2"])
    assert task["annotations"] == []
    assert "was split since" in task["data"]["note_html"]
    cubes = [picked("certain", "concepts"), leaves("concepts", ["Algebra", "Cubes"])]
    studio.answer(first.project, "a-2", "anna", cubes)
    pulled = pull(folder, server=studio.server)
    assert pulled.refused == []
    assert now()["a-2"] == ["Cubes"]
    decided = {
        e.id: e.value
        for e in vote(
            folder / "votes.jsonl", "skill", tree=split, policy="majority", quorum=1
        )
    }
    assert decided == {
        "a-1": ["Sums"],
        "a-2": ["Cubes"],
        "a-3": None,
    }  # nobody's, until asked
