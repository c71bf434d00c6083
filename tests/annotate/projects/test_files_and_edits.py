"""What becomes of a project whose files or whose page on the server somebody has edited.

One after the other on one project: each is told, and no label changes.
"""

from __future__ import annotations

import re
import time
import unicodedata
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from benchwright import vote as decide
from benchwright.annotate.kinds import Kind
from benchwright.annotate.projects import MARK, open_project
from benchwright.annotate.projects.answers import SAME_MOMENT
from benchwright.annotate.projects.people import FILE
from benchwright.annotate.server import add_people
from benchwright.annotate.votes import read_votes
from benchwright.base.files import write_jsonl
from benchwright.errors import UserError
from benchwright.problem import Vote
from label_studio import LabelStudio, picked
from month import ALL_YES, KIND, Month
from small import problem

# what happens, what is said of it
FAULTS: dict[Callable[[Month], Any], str] = {}


def said(pattern: str) -> Callable[[Callable[[Month], Any]], Callable[[Month], Any]]:
    def note(fault: Callable[[Month], Any]) -> Callable[[Month], Any]:
        FAULTS[fault] = pattern
        return fault

    return note


def votes(month: Month) -> Path:
    return month.folder / "votes.jsonl"


def settle(month: Month, **options: Any) -> str:
    """Push and pull as people do; what both say."""
    pushed = month.push(**options)
    return f"{pushed.again} {pushed.left} {month.pull().remarks}"


@said("a-1: somebody has edited the task on the server")
def a_text_is_edited_on_the_server(month: Month) -> str:
    number = month.studio.tasks(month.number)["a-1"]
    data = month.studio.http.get(f"/api/tasks/{number}")["data"]
    path = f"/api/tasks/{number}/"
    month.studio.http.patch(path, {"data": data | {"question_html": "Otherwise?"}})
    told = str(month.pull().remarks)
    with pytest.raises(UserError, match=r"1 of anna, 1 of ben \(a-1\): Asked again: s"):
        month.push()
    month.push(yes=True)
    for name in ("anna", "ben"):
        month.answer("a-1", name)
    assert "edited" not in str(month.pull().remarks)
    return told


@said(r"instructions_edited\.html has them, and ours are there again")
def the_instructions_are_edited(month: Month) -> str:
    text = "<p>Always say yes.</p>"
    month.studio.client.update_project(month.number, expert_instruction=text)
    settle(month)
    kept = (month.folder / "instructions_edited.html").read_text("utf-8")
    assert kept == text
    return ""


@said("its description does not begin with '.*put this back")
def the_description_is_edited(month: Month) -> str:
    client = month.studio.client
    client.update_project(month.number, description="Team A")
    with pytest.raises(UserError) as error:
        month.pull()
    mark = MARK + open_project(month.folder).key
    client.update_project(month.number, description=f"{mark}, of team A")
    return str(error.value)


@said("has votes, and its project.json is gone")
def the_project_file_is_lost(month: Month) -> str:
    path = month.folder / "project.json"
    kept = path.read_bytes()
    path.unlink()
    with pytest.raises(UserError) as error:
        month.push()
    path.write_bytes(kept)
    return str(error.value)


@said("")
def the_votes_lose_their_last_line_end(month: Month) -> None:
    votes(month).write_bytes(votes(month).read_bytes().rstrip(b"\n"))
    month.answer("a-0", "chris")
    assert month.pull().new_votes == 1
    assert len(read_votes(votes(month))) == len(votes(month).read_bytes().splitlines())


@said("")
def the_votes_have_line_ends_of_windows(month: Month) -> None:
    before = len(read_votes(votes(month)))
    votes(month).write_bytes(votes(month).read_bytes().replace(b"\n", b"\r\n"))
    month.answer("a-1", "chris")
    month.pull()
    assert len(read_votes(votes(month))) == before + 1


@said(r"votes\.jsonl:1: JSON is malformed.*repair or remove this line")
def a_merge_leaves_its_marks_in_the_votes(month: Month) -> str:
    lines = votes(month).read_bytes()
    votes(month).write_bytes(b"<<<<<<< HEAD\n" + lines)
    with pytest.raises(UserError) as error:
        month.pull()
    votes(month).write_bytes(lines)
    return str(error.value)


@said("1 answers are of accounts that were deleted before a pull")
def an_account_is_deleted_before_the_pull(month: Month) -> str:
    add_people(month.studio.client, ["yan"], [])
    month.answer("a-0", "yan", "no")
    numbers = {name: number for number, name in month.studio.users().items()}
    month.studio.http.delete(f"/api/users/{numbers['yan']}/")
    return settle(month)


@said(r"leaves out benn, .*did you mean 'ben'")
def somebody_unknown_is_left_out(month: Month) -> str:
    (month.folder / FILE).write_text("benn: {out: clicks}\n", "utf-8")
    told = settle(month)
    (month.folder / FILE).unlink()
    return told


@said("'ben' is a person, and a name of anna")
def persons_are_named_in_a_circle(month: Month) -> str:
    text = "anna: {names: [ben]}\nben: {names: [anna]}\n"
    (month.folder / FILE).write_text(text, "utf-8")
    with pytest.raises(UserError) as error:
        month.pull()
    (month.folder / FILE).unlink()
    return str(error.value)


@said("")
def a_name_has_accents_of_either_kind(month: Month) -> None:
    apart, whole = (unicodedata.normalize(form, "Zoë") for form in ("NFD", "NFC"))
    (month.folder / FILE).write_text(f"{apart}: {{names: [ben]}}\n", "utf-8")
    month.pull()
    (entry, *_) = decide(votes(month), KIND, policy="majority", without={apart: "x"})
    assert {vote.annotator for vote in entry.votes}.isdisjoint({apart, whole, "ben"})
    (month.folder / FILE).unlink()


@said("a-2 is 'yes', and 'no'")
def a_known_label_is_given_twice(month: Month) -> str:
    gold = month.folder.parent / "gold.jsonl"
    known = {"lead": "yes", "other": "no"}
    write_jsonl(
        gold,
        [
            Vote(problem_id="a-2", field=KIND, value=value, annotator=name)
            for name, value in known.items()
        ],
    )
    with pytest.raises(UserError) as error:
        month.push(gold=gold)
    return str(error.value)


@said(r"\['a-0'\]")
def a_problem_gets_another_id(month: Month) -> str:
    write_jsonl(month.problems, [problem(7), *month.rows[1:]])
    told = settle(month)
    month.studio.client.delete_task(month.studio.tasks(month.number)["a-7"])
    write_jsonl(month.problems, month.rows)
    return told


@said("")
def a_model_has_predicted(month: Month) -> None:
    number = month.studio.tasks(month.number)["a-0"]
    result = [picked(KIND, "no")]
    body = {"task": number, "model_version": "m", "result": result}
    month.studio.http.post("/api/predictions/", body)


@said("")
def a_choice_is_no_list(month: Month) -> None:
    result = picked(KIND, "yes") | {"value": {"choices": "yes"}}
    month.studio.answer(month.number, "a-2", "chris", [result])
    assert [row.problem_id for row in month.pull().refused] == ["a-2"]


@said(r"votes \(alignment\) are not what their answers are read as by now")
def the_kind_reads_answers_otherwise(month: Month) -> str:
    real = Kind.read

    def read(self: Kind, answer: Any) -> dict[str, Any]:
        return {"other": real(self, answer)[KIND]}

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(Kind, "read", read)
        return settle(month, yes=True)


@said("")
def an_answer_is_starred_before_the_pull(month: Month) -> None:
    number = month.answer("a-2", "chris")
    time.sleep(2 * SAME_MOMENT)  # the star is then an edit by the lead
    month.studio.http.patch(f"/api/annotations/{number}", {"ground_truth": True})
    month.pull()
    voters = {vote.annotator for vote in read_votes(votes(month))}
    assert "admin" not in voters


@said("")
def an_e_mail_is_given_twice(month: Month) -> None:
    before = month.studio.users()
    add_people(month.studio.client, ["Anna", "anna@Annotators.example", "ANNA"], [])
    assert month.studio.users() == before


@said(r"project \d+ is gone from .*its votes stay in")
def the_project_is_deleted_on_the_server(month: Month) -> str:
    month.studio.http.delete(f"/api/projects/{month.number}/")
    with pytest.raises(UserError) as error:
        month.pull()
    return str(error.value)


@pytest.fixture(scope="module")
def month(studio: LabelStudio, tmp_path_factory: pytest.TempPathFactory) -> Month:
    return Month(studio, tmp_path_factory.mktemp("month"))


@pytest.mark.parametrize("fault", FAULTS, ids=lambda fault: fault.__name__)
def test_it_is_told_and_no_label_changes(
    month: Month,
    fault: Callable[[Month], Any],
    capsys: pytest.CaptureFixture[str],
) -> None:
    told = f"{fault(month) or ''} {capsys.readouterr().err}"
    assert re.search(FAULTS[fault], told, re.DOTALL), told
    assert month.decided() == ALL_YES


def test_whoever_is_left_out_and_has_not_voted_is_told(
    capsys: pytest.CaptureFixture[str],
) -> None:
    given = [Vote(problem_id="p", field="f", value="x", annotator="ben")]
    decide(given, "f", policy="majority", without={"benn": "clicks"})
    assert "benn is left out, and has not voted: did you mean 'ben'" in (
        capsys.readouterr().err
    )
