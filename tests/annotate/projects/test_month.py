"""A month of a team: what servers, clones and people do that must not change a label."""

from __future__ import annotations

import shutil
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest
from benchwright import push
from benchwright import vote as decide
from benchwright.annotate.projects import MARK, open_project
from benchwright.annotate.projects.groups import deal
from benchwright.annotate.projects.owner import PUSHING
from benchwright.annotate.projects.progress import wilson
from benchwright.annotate.projects.team import suspicions
from benchwright.annotate.server import Account, add_elsewhere, add_people
from benchwright.annotate.votes import Remark, read_votes
from benchwright.base.files import read_jsonl, write_jsonl
from benchwright.base.pictures import store_picture
from benchwright.errors import UserError
from benchwright.problem import Vote
from label_studio import LabelStudio, picked, typed
from month import ALL_YES, KIND, Month
from small import png, problem


@pytest.fixture
def month(studio: LabelStudio, tmp_path: Path) -> Month:
    return Month(studio, tmp_path)


def test_a_task_that_was_deleted_and_pushed_again_keeps_its_votes(month: Month) -> None:
    month.studio.client.delete_task(month.studio.tasks(month.number)["a-1"])
    assert month.push().added == 1
    pulled = month.pull()
    assert (pulled.withdrawn, pulled.votes) == (0, 6)
    assert month.decided() == ALL_YES


def test_a_text_that_changes_and_comes_back_has_its_votes_again(month: Month) -> None:
    write_jsonl(month.problems, [problem(0, question="Else?"), *month.rows[1:]])
    with pytest.raises(
        UserError, match=r"1 of anna, 1 of ben \(a-0\): Asked again: the problem"
    ):
        month.push()
    assert [name for name, _ in month.push(yes=True).again] == ["a-0"]
    month.pull()
    write_jsonl(month.problems, month.rows)
    month.push()  # nobody has answered the other text: nothing to ask
    pulled = month.pull()
    assert (pulled.withdrawn, pulled.votes) == (0, 6)
    entries = decide(
        month.folder / "votes.jsonl", KIND, policy="majority", problems=month.problems
    )
    assert {entry.id: entry.value for entry in entries} == ALL_YES


def test_a_problem_that_becomes_gold_keeps_the_label_it_had(
    month: Month, tmp_path: Path
) -> None:
    gold = tmp_path / "gold.jsonl"
    write_jsonl(
        gold, [Vote(problem_id="a-2", field=KIND, value="yes", annotator="lead")]
    )
    month.push(gold=gold)
    assert month.pull().withdrawn == 0
    assert month.decided() == ALL_YES


def test_what_people_who_left_have_said_stays_theirs(month: Month) -> None:
    add_people(month.studio.client, ["zoe"], [])
    month.answer("a-0", "zoe", "no")
    month.pull()
    zoe = {name: number for number, name in month.studio.users().items()}["zoe"]
    month.studio.http.delete(f"/api/users/{zoe}/")
    pulled = month.pull()
    assert pulled.withdrawn == 0
    voters = {vote.annotator for vote in read_votes(month.folder / "votes.jsonl")}
    assert voters == {"anna", "ben", "zoe"}


def test_two_clones_push_one_project(month: Month, tmp_path: Path) -> None:
    clone = tmp_path / "clone"
    shutil.copytree(month.folder, clone)
    write_jsonl(month.problems, [problem(k) for k in range(40)])

    refused: list[str] = []

    def give(folder: Path) -> int:
        try:
            return int(
                push(month.problems, folder, KIND, server=month.studio.server).added
            )
        except UserError as error:
            refused.append(error.message)
            return 0

    with ThreadPoolExecutor(2) as pool:
        added = list(pool.map(give, [month.folder, clone]))
    assert max(added) == 37
    assert all("is being pushed to from" in message for message in refused)
    assert len(month.studio.tasks(month.number)) == 40
    assert len(month.studio.client.tasks(month.number)) == 40


def test_a_push_that_died_elsewhere_is_taken_over_by_word(month: Month) -> None:
    mark = MARK + open_project(month.folder).key
    month.studio.client.update_project(
        month.number, description=f"{mark}{PUSHING}pc:/x"
    )
    with pytest.raises(UserError, match="pushed to from pc:/x"):
        month.push()
    month.push(yes=True)
    month.push()
    month.pull()
    assert month.studio.client.project(month.number)["description"] == mark


def test_an_answer_that_is_saved_anew_was_given_under_the_guidelines_of_then(
    month: Month, tmp_path: Path
) -> None:
    guide = tmp_path / "guide.md"
    guide.write_text("Look at both.", "utf-8")
    month.push(guidelines=guide)
    number = month.answer("a-1", "chris")
    month.pull()
    guide.write_text("Look at both, twice.", "utf-8")
    month.push(guidelines=guide)
    month.studio.person("chris").patch(
        f"/api/annotations/{number}", {"result": [picked(KIND, "no")]}
    )
    month.pull()
    given = [
        vote
        for vote in read_votes(month.folder / "votes.jsonl")
        if vote.annotator == "chris" and vote.field == KIND
    ]
    assert [vote.value for vote in given] == ["yes", "no"]
    assert given[0].instructions != given[1].instructions


def test_a_word_on_a_task_that_was_passed_on_is_a_remark(month: Month) -> None:
    number = month.studio.tasks(month.number)["a-0"]
    month.studio.person("chris").post(
        f"/api/tasks/{number}/annotations?was_cancelled=1",
        {"result": [typed("comment", "The picture is black.")], "was_cancelled": True},
    )
    assert month.pull().new_remarks == 1
    [remark] = read_jsonl(month.folder / "remarks.jsonl", Remark)
    assert (remark.annotator, remark.text) == ("chris", "The picture is black.")
    assert month.pull().new_remarks == 0


def test_two_answers_of_one_person_leave_the_third_vote_open(month: Month) -> None:
    month.answer("a-1", "ben", "no")  # three answers now, of two people
    month.pull()
    number = month.studio.tasks(month.number)["a-1"]
    assert month.studio.http.get(f"/api/tasks/{number}")["overlap"] == 4


def test_pictures_are_those_that_were_hashed_and_whole(
    studio: LabelStudio, tmp_path: Path
) -> None:
    images = [store_picture(png(40 + k, 30), tmp_path) for k in range(3)]
    (tmp_path / images[1].path).write_bytes(png(60, 60))
    whole = (tmp_path / images[2].path).read_bytes()
    (tmp_path / images[2].path).write_bytes(whole[:40])
    rows = [problem(k, images=[image]) for k, image in enumerate(images)]
    write_jsonl(tmp_path / "problems.jsonl", rows)
    done = push(
        tmp_path / "problems.jsonl", tmp_path / "labels", KIND, server=studio.server
    )
    assert done.added == 1
    assert [name for name, _ in done.skipped] == ["a-1", "a-2"]
    assert all(
        "has changed since the problems were read" in why for _, why in done.skipped
    )


def test_what_stages_noted_on_an_answer_is_not_shown(
    studio: LabelStudio, tmp_path: Path
) -> None:
    notes = ["answer B is an option's label", "votes on subject: odd (1), even (1)"]
    write_jsonl(tmp_path / "problems.jsonl", [problem(1, notes=notes)])
    done = push(
        tmp_path / "problems.jsonl", tmp_path / "labels", KIND, server=studio.server
    )
    [task] = studio.client.tasks(done.project)
    assert "answer B" not in str(task["data"])
    assert "votes on subject" in task["data"]["note_html"]


def test_names_are_looked_at_before_the_first_account_and_passwords_are_kept(
    studio: LabelStudio, tmp_path: Path
) -> None:
    before = set(studio.users().values())
    with pytest.raises(UserError, match="no account is made yet"):
        add_elsewhere(studio.client, tmp_path, ["fay", "gus", "not a name"])
    assert set(studio.users().values()) == before
    told: list[str] = []
    place = add_elsewhere(studio.client, tmp_path, ["fay", "gus"], told.append)
    assert place.stat().st_mode & 0o077 == 0
    kept = list(read_jsonl(place, Account))
    assert [row.name for row in kept] == ["fay", "gus"]
    assert not any(row.password in line for row in kept for line in told)


def test_deals_are_even_and_stay(tmp_path: Path) -> None:
    first = deal(tmp_path, [f"p{k}" for k in range(60)], "abcd", 2)
    counts = [sum(name in hand for hand in first.values()) for name in "abcd"]
    assert counts == [30, 30, 30, 30]
    more = deal(tmp_path, [f"p{k}" for k in range(61)], "abcd", 2)
    assert {name: more[name] for name in first} == first


def test_a_lead_sees_who_clicks_and_who_guesses() -> None:
    def said(who: str, values: list[str]) -> list[Vote]:
        return [
            Vote(problem_id=f"p{k}", field="f", value=value, annotator=who)
            for k, value in enumerate(values)
        ]

    truth = ["x", "y", "z", "x", "y", "z", "x", "y", "z", "y", "z", "x"]
    shifted = ["y", "z", "x", "y", "z", "x", "y", "z", "x", "z", "x", "y"]
    votes = [
        *said("anna", truth),
        *said("ben", truth),
        *said("clicker", ["x"] * 12),
        *said("guesser", shifted),
    ]
    reasons = suspicions(votes)
    assert "f: 100% x" in reasons["clicker"]
    assert reasons["guesser"] == ["f: agrees with others no more than by chance"]
    assert not reasons.get("anna")
    assert not reasons.get("ben")


def test_people_who_all_say_the_same_are_not_suspected() -> None:
    alike = [
        Vote(problem_id=f"p{k}", field="f", value=value, annotator=who)
        for k in range(12)
        for who, value in (
            ("anna", ["x", "y"]),
            ("ben", ["y", "x"]),
            ("chris", ["x", "y"]),
        )
    ]
    assert not any(suspicions(alike).values())


def test_a_share_of_nothing_has_no_negative_bound() -> None:
    low, high = wilson(0, 3)
    assert (f"{low:.2f}", wilson(3, 3)[1]) == ("0.00", 1.0)
    assert 0.5 < high < 0.6
