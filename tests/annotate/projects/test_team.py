"""A team of people for months: accounts that go, two who push at once, remarks, gold."""

from __future__ import annotations

import sqlite3
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import hypothesis
import pytest
import yaml
from benchwright import pull, push
from benchwright import vote as decide
from benchwright.annotate.projects import (
    MARK,
    make_project,
    open_project,
    pull_answers,
    push_tasks,
    status,
)
from benchwright.annotate.projects.doubt import in_doubt
from benchwright.annotate.votes import agreement
from benchwright.base.files import read_jsonl, write_jsonl
from benchwright.errors import UserError
from benchwright.problem import Vote
from httpx import HTTPStatusError
from hypothesis import strategies as st
from label_studio import LabelStudio, picked, plain
from small import problem


def written(name: str, text: str) -> dict[str, Any]:
    """The result of a field for typed text."""
    return {
        "from_name": name,
        "to_name": "question",
        "type": "textarea",
        "value": {"text": [text]},
    }


def decided(folder: Path) -> dict[str, Any]:
    votes = folder / "votes.jsonl"
    return {
        entry.id: entry.value for entry in decide(votes, "alignment", policy="majority")
    }


def member(studio: LabelStudio, name: str, folder: Path) -> int:
    """A new account, which a test may remove."""
    from benchwright.annotate.server import add_people

    add_people(studio.client, [name], [])
    return {who: number for number, who in studio.users().items()}[name]


def test_accounts_that_are_removed_or_renamed_change_nothing(
    studio: LabelStudio, tmp_path: Path
) -> None:
    project = make_project(tmp_path / "removed", "alignment", None)
    number = push_tasks(project, plain(4), studio.client).project
    eve, fay = member(studio, "eve", tmp_path), member(studio, "fay", tmp_path)
    for k in range(4):
        for name, verdict in (("anna", "yes"), ("eve", "yes"), ("fay", "incomplete")):
            studio.answer(number, f"p-{k}", name, [picked("alignment", verdict)])
    assert pull_answers(project, studio.client).answers == 12
    before = decided(project.folder)
    assert set(before.values()) == {"yes"}
    with sqlite3.connect(
        studio.data / "label_studio.sqlite3"
    ) as base:  # no call renames others
        base.execute(
            "update htx_user set email = 'fay@new.example' where id = ?", [fay]
        )
    organisation = studio.http.get("/api/organizations")[0]["id"]
    for removed in (eve, fay):
        studio.http.delete(f"/api/organizations/{organisation}/memberships/{removed}/")
        found = pull_answers(open_project(project.folder), studio.client)
        assert (found.new_votes, found.withdrawn, found.superseded) == (0, 0, 0)
        assert decided(project.folder) == before
    assert set(open_project(project.folder).names.values()) >= {"eve", "fay", "anna"}


def test_two_people_who_push_at_once_make_one_project(
    studio: LabelStudio, tmp_path: Path
) -> None:
    write_jsonl(tmp_path / "problems.jsonl", [problem(k) for k in range(20)])
    there = {"server": studio.server, "out": tmp_path / "labels", "kind": "alignment"}
    with ThreadPoolExecutor(2) as pool:
        pushes = [
            pool.submit(push, tmp_path / "problems.jsonl", **there) for _ in range(2)
        ]
        done = [each.result() for each in pushes]
    assert sorted(each.added for each in done) == [0, 20]
    assert len({each.project for each in done}) == 1
    assert len(studio.tasks(done[0].project)) == 20
    raised = push(tmp_path / "problems.jsonl", people=5, **there)
    record = studio.http.get(f"/api/projects/{raised.project}")
    assert (
        record["maximum_annotations"],
        open_project(tmp_path / "labels").people,
    ) == (5, 5)
    push(tmp_path / "problems.jsonl", **there)
    assert open_project(tmp_path / "labels").people == 5
    twin = studio.client.create_project(
        title="twin", label_config=record["label_config"],
        description=MARK + open_project(tmp_path / "labels").key,
    )  # fmt: skip
    with pytest.raises(UserError, match=rf"projects {raised.project}, {twin['id']} of"):
        pull(tmp_path / "labels", server=studio.server)


def test_what_people_write_arrives(studio: LabelStudio, tmp_path: Path) -> None:
    """Comments of any form, reasons, and corrections as errata that the stage takes."""
    problems = [problem(k, answer="42") for k in range(2)]
    write_jsonl(tmp_path / "problems.jsonl", problems)
    folder = tmp_path / "checks"
    done = push(
        tmp_path / "problems.jsonl", folder, "mathverse-checks", server=studio.server
    )
    no = [
        picked("answer", "no"),
        written("correct_answer", "43"),
        written("comment", "6 x 7 + 1"),
    ]
    rest = [picked(name, "yes") for name in ("consistency", "category", "suitable")]
    for name in ("anna", "ben"):
        studio.answer(done.project, problems[0].id, name, [*no, *rest])
    half = [picked("answer", "yes"), written("comment", "too hard to say")]
    studio.answer(done.project, problems[1].id, "anna", half)
    found = pull(folder, server=studio.server)
    assert (found.new_remarks, found.corrections) == (5, 1)
    remarks = list(read_jsonl(folder / "remarks.jsonl", dict))
    assert {(r["id"], r["annotator"], r["control"], r["text"]) for r in remarks} == {
        (problems[0].id, name, control, text)
        for name in ("anna", "ben")
        for control, text in (("correct_answer", "43"), ("comment", "6 x 7 + 1"))
    } | {(problems[1].id, "anna", "comment", "too hard to say")}
    (erratum,) = yaml.safe_load((folder / "corrections.yaml").read_text("utf-8"))
    assert (erratum["field"], erratum["old"], erratum["new"]) == ("answer", "42", "43")
    assert (erratum["by"], erratum["reason"]) == ("anna, ben", "6 x 7 + 1")
    assert pull(folder, server=studio.server).new_remarks == 0
    assert status(folder, server=studio.server).remarks == 5


def test_gold_is_compared_and_never_counted(
    studio: LabelStudio, tmp_path: Path
) -> None:
    problems = [problem(k) for k in range(3)]
    write_jsonl(tmp_path / "problems.jsonl", problems)
    known = Vote(
        problem_id=problems[2].id, field="alignment", value="no", annotator="lead"
    )
    write_jsonl(tmp_path / "gold.jsonl", [known])
    folder = tmp_path / "gold"
    done = push(tmp_path / "problems.jsonl", folder, "alignment", gold=tmp_path / "gold.jsonl",
                server=studio.server)  # fmt: skip
    for name, verdict in (("anna", "no"), ("ben", "yes")):
        studio.answer(
            done.project, problems[2].id, name, [picked("alignment", verdict)]
        )
        studio.answer(
            done.project, problems[0].id, name, [picked("alignment", verdict)]
        )
    admin = studio.site.admin.name
    starred = studio.answer(
        done.project, problems[0].id, admin, [picked("alignment", "yes")]
    )
    studio.http.patch(f"/api/annotations/{starred}", {"ground_truth": True})
    pull(folder, server=studio.server)
    votes = list(read_jsonl(folder / "votes.jsonl", Vote))
    assert {(v.problem_id, v.annotator) for v in votes} == {
        (problems[0].id, "anna"), (problems[0].id, "ben")
    }  # fmt: skip
    on_gold = read_jsonl(folder / "on_gold.jsonl", Vote)
    assert {(v.problem_id, v.annotator) for v in on_gold} == {
        (problems[2].id, "anna"), (problems[2].id, "ben")
    }  # fmt: skip
    found = status(folder, server=studio.server)
    assert (found.people["anna"].gold, found.people["ben"].gold) == (0.5, 0.5)
    assert found.gold_tasks == 2
    strange = Vote(
        problem_id="elsewhere", field="alignment", value="no", annotator="lead"
    )
    write_jsonl(tmp_path / "strange.jsonl", [strange])
    with pytest.raises(UserError, match="no task 'elsewhere'"):
        push(tmp_path / "problems.jsonl", folder, gold=tmp_path / "strange.jsonl",
             kind="alignment", server=studio.server)  # fmt: skip


def test_a_third_person_is_asked_only_where_two_disagree(
    studio: LabelStudio, tmp_path: Path
) -> None:
    write_jsonl(tmp_path / "problems.jsonl", [problem(k) for k in range(3)])
    folder = tmp_path / "doubt"
    done = push(tmp_path / "problems.jsonl", folder, "alignment", people="2-3",
                server=studio.server)  # fmt: skip
    given = {
        "a-0": ("yes", "yes"),
        "a-1": ("yes", "incomplete"),
        "a-2": ("yes", "pending"),
    }
    for name, verdicts in given.items():
        for person, verdict in zip(("anna", "ben"), verdicts, strict=True):
            studio.answer(done.project, name, person, [picked("alignment", verdict)])
    assert pull(folder, server=studio.server).more == ["a-1", "a-2"]
    assert status(folder, server=studio.server).done == 1
    chris = studio.person("chris")
    for _ in range(2):
        task = chris.get(f"/api/projects/{done.project}/next")
        assert task["data"]["id"] in ("a-1", "a-2")
        chris.post(
            f"/api/tasks/{task['id']}/annotations",
            {"result": [picked("alignment", "yes")]},
        )
    with pytest.raises(HTTPStatusError):
        chris.get(f"/api/projects/{done.project}/next")
    assert pull(folder, server=studio.server).more == []
    assert decided(folder) == dict.fromkeys(given, "yes")
    assert status(folder, server=studio.server).done == 3


@hypothesis.given(
    st.lists(st.lists(st.sampled_from("abc"), min_size=3, max_size=3), min_size=1)
)
def test_a_third_in_doubt_gives_the_labels_of_three_everywhere(
    items: list[list[str]],
) -> None:
    for values in items:
        full = [Vote(problem_id="p", field="f", value=v, annotator=str(k))
                for k, v in enumerate(values)]  # fmt: skip
        asked = full if in_doubt([{"f": v} for v in values[:2]]) else full[:2]
        three, adaptive = (
            decide(votes, "f", policy="mathv")[0].value for votes in (full, asked)
        )
        assert three == adaptive


def test_groups_give_one_answer_each(studio: LabelStudio, tmp_path: Path) -> None:
    """MATH-V, G.2: independent groups; each task goes to each of them, or is dealt."""
    write_jsonl(tmp_path / "problems.jsonl", [problem(k) for k in range(6)])
    folder, there = tmp_path / "grouped", {"kind": "alignment", "server": studio.server}
    groups = {"a": "anna,ben", "b": "chris"}
    done = push(tmp_path / "problems.jsonl", folder, group=groups, **there)
    assert (done.added, sorted(done.groups)) == (12, ["a", "b"])
    of_a, of_b = (open_project(folder / name).number for name in "ab")
    names = sorted(studio.tasks(of_a))
    for name in names:
        studio.answer(of_a, name, "anna", [picked("alignment", "yes")])
        studio.answer(of_b, name, "chris", [picked("alignment", "no")])
    studio.answer(of_a, names[0], "ben", [picked("alignment", "no")])
    studio.answer(of_b, names[1], "anna", [picked("alignment", "no")])
    found = pull(folder, server=studio.server)
    assert [r for r in found.remarks if "anna is not of group b" in r]
    votes = list(read_jsonl(folder / "votes.jsonl", Vote))
    assert {v.group for v in votes} == {"a", "b"}
    entries = {e.id: e for e in decide(votes, "alignment", policy="majority")}
    assert all(len(entry.votes) == 2 for entry in entries.values())
    assert entries[names[0]].value == "no"  # the group's last answer is its one answer
    assert entries[names[2]].value is None
    assert pull(folder, server=studio.server).new_votes == 0
    again = push(tmp_path / "problems.jsonl", folder, **there)
    assert (again.added, again.there) == (0, 12)
    found = status(folder, server=studio.server)
    assert found.tasks == 12
    between = agreement(votes, "alignment").levels[0].alpha
    assert found.agreement["alignment"] == between is not None
    assert (done.project, again.url) == (0, "")


def test_tasks_are_dealt_to_some_of_the_groups(
    studio: LabelStudio, tmp_path: Path
) -> None:
    write_jsonl(tmp_path / "problems.jsonl", [problem(k) for k in range(12)])
    folder, there = tmp_path / "dealt", {"kind": "alignment", "server": studio.server}
    groups = {name: name for name in ("anna", "ben", "chris")}
    assert (
        push(tmp_path / "problems.jsonl", folder, group=groups, people=2, **there).added
        == 24
    )
    held = [t for g in groups for t in studio.tasks(open_project(folder / g).number)]
    assert sorted(map(held.count, set(held))) == [2] * 12
    with pytest.raises(UserError, match="has dealt each task to 2"):
        push(tmp_path / "problems.jsonl", folder, people=3, **there)
    with pytest.raises(UserError, match="anna is in two groups"):
        push(
            tmp_path / "problems.jsonl",
            folder,
            group={"x": "anna", "y": "anna"},
            **there,
        )


def test_votes_know_the_guidelines_that_they_were_given_under(
    studio: LabelStudio, tmp_path: Path
) -> None:
    write_jsonl(tmp_path / "problems.jsonl", [problem(k) for k in range(2)])
    guide, folder = tmp_path / "guide.md", tmp_path / "guided"
    there = {"kind": "alignment", "server": studio.server, "guidelines": guide}
    guide.write_text("Cropped <b> pictures are *incomplete*: $x < 1$.", "utf-8")
    done = push(tmp_path / "problems.jsonl", folder, **there)
    shown = studio.http.get(f"/api/projects/{done.project}")["expert_instruction"]
    assert "&lt;b&gt; pictures are <em>incomplete</em>" in shown
    assert "<svg" in shown
    first, second = sorted(studio.tasks(done.project))
    studio.answer(done.project, first, "anna", [picked("alignment", "yes")])
    guide.write_text("Cropped pictures are whole.", "utf-8")
    push(tmp_path / "problems.jsonl", folder, **there)
    studio.answer(done.project, second, "anna", [picked("alignment", "yes")])
    pull(folder, server=studio.server)
    votes = {
        v.problem_id: v.instructions for v in read_jsonl(folder / "votes.jsonl", Vote)
    }
    assert len({*votes.values(), ""}) == 3
    guide.write_text("x" * 1_000_000, "utf-8")
    with pytest.raises(UserError, match="1,000,000 bytes of guidelines"):
        push(tmp_path / "problems.jsonl", folder, **there)
