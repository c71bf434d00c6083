"""Forty faults of a team, one after the other on one project: no label changes, no task doubles.

After each, the same problems are pushed and the answers pulled again, as people would do.
"""

from __future__ import annotations

import json
import os
import shutil
import sqlite3
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from pathlib import Path
from typing import Any

import pytest
from benchwright import Pulled, Pushed, pull, push
from benchwright import vote as decide
from benchwright.annotate.projects import MARK, open_project, status
from benchwright.annotate.server import Client, Fault, add_people
from benchwright.base.files import read_jsonl, write_jsonl
from benchwright.errors import UserError
from benchwright.problem import Vote
from label_studio import LabelStudio, picked
from shares import THOROUGH
from small import problem

SAID = {  # what three people say of six problems: agreement, majorities, a tie, nobody yet
    "anna": ["yes", "yes", "no", "yes", "no"],
    "ben": ["yes", "yes", "no", "no", "no"],
    "eve": ["yes", "no", "no", "incomplete", "yes"],
}
LABELS = ["yes", "yes", "no", None, "no"]


class Team:
    """A project of six problems with the answers of three people, and what was decided."""

    def __init__(self, studio: LabelStudio, folder: Path) -> None:
        self.studio, self.folder = studio, folder / "labels"
        self.problems = folder / "problems.jsonl"
        self.rows = [problem(k) for k in range(6)]
        add_people(studio.client, ["eve"], [])
        write_jsonl(self.problems, self.rows)
        self.number = self.push().project
        for name, verdicts in SAID.items():
            for row, verdict in zip(self.rows, verdicts, strict=False):
                self.answer(row.id, name, verdict)
        self.pull()
        self.labels = dict(zip([row.id for row in self.rows], LABELS, strict=False))
        assert self.decided() == self.labels

    def push(self, **options: Any) -> Pushed:
        agreed = {"server": self.studio.server, "yes": True} | options
        return push(self.problems, self.folder, "alignment", **agreed)

    def pull(self) -> Pulled:
        return pull(self.folder, server=self.studio.server)

    def answer(self, name: str, who: str, verdict: str) -> int:
        return self.studio.answer(
            self.number, name, who, [picked("alignment", verdict)]
        )

    def decided(self) -> dict[str, Any]:
        votes = self.folder / "votes.jsonl"
        return {e.id: e.value for e in decide(votes, "alignment", policy="majority")}

    def account(self, name: str) -> int:
        return {who: number for number, who in self.studio.users().items()}[name]

    def sql(self, statement: str, *values: Any) -> list[Any]:
        """What no call of the server does; it is shared with the server as its own workers are."""
        with sqlite3.connect(
            self.studio.data / "label_studio.sqlite3", timeout=60
        ) as base:
            return base.execute(statement, values).fetchall()

    def edit(self, **fields: Any) -> None:
        path = self.folder / "project.json"
        path.write_text(
            json.dumps(json.loads(path.read_text("utf-8")) | fields), "utf-8"
        )


FAULTS: dict[str, Callable[[Team], object]] = {}


def fault(function: Callable[[Team], object]) -> Callable[[Team], object]:
    FAULTS[function.__name__] = function
    return function


@fault
def pushed_twice(team: Team) -> None:
    team.push()


@fault
def pulled_twice(team: Team) -> None:
    assert team.pull().new_votes == 0


@fault
def two_push_at_once(team: Team) -> None:
    with ThreadPoolExecutor(2) as pool:
        assert [one.added for one in pool.map(lambda _: team.push(), range(2))] == [
            0,
            0,
        ]


@fault
def two_pull_at_once(team: Team) -> None:
    with ThreadPoolExecutor(2) as pool:
        assert [one.new_votes for one in pool.map(lambda _: team.pull(), range(2))] == [
            0,
            0,
        ]


@fault
def a_push_during_a_pull(team: Team) -> None:
    with ThreadPoolExecutor(2) as pool:
        pulled, pushed = pool.submit(team.pull), pool.submit(team.push)
        assert (pulled.result().new_votes, pushed.result().added) == (0, 0)


@fault
def status_is_asked_during_a_pull(team: Team) -> None:
    with ThreadPoolExecutor(2) as pool:
        done = (
            pool.submit(team.pull),
            pool.submit(status, team.folder, server=team.studio.server),
        )
        assert done[1].result().tasks == len(team.studio.tasks(team.number))
        done[0].result()


@fault
def an_account_is_renamed(team: Team) -> None:
    team.sql(
        "update htx_user set email = 'eva@new.example' where id = ?",
        team.account("eve"),
    )


@fault
def a_name_is_given_to_another_account(team: Team) -> None:
    """Whoever comes later under a name that was given away is somebody else."""
    add_people(team.studio.client, ["eve"], [])
    team.answer(team.rows[0].id, "eve", "yes")


@fault
def two_people_have_one_name(team: Team) -> None:
    add_people(team.studio.client, ["anna@elsewhere.example"], [])
    team.answer(team.rows[0].id, "anna@elsewhere.example", "yes")


@fault
def an_account_is_removed(team: Team) -> None:
    organisation = team.studio.http.get("/api/organizations")[0]["id"]
    eve = next(
        k for k, name in open_project(team.folder).names.items() if name == "eve"
    )
    team.studio.http.delete(f"/api/organizations/{organisation}/memberships/{eve}/")


@fault
def an_account_comes_back(team: Team) -> None:
    organisation = team.studio.http.get("/api/organizations")[0]["id"]
    eve = next(
        k for k, name in open_project(team.folder).names.items() if name == "eve"
    )
    team.sql(
        "update organizations_organizationmember set deleted_at = null "
        "where organization_id = ? and user_id = ?", organisation, eve,
    )  # fmt: skip


@fault
def two_accounts_are_merged(team: Team) -> None:
    """A person had two accounts: the file of people says so, and they are one voter."""
    team.pull()
    people = "ben: {names: [anna@elsewhere.example]}\n"
    (team.folder / "people.yaml").write_text(people, "utf-8")


@fault
def more_people_are_asked(team: Team) -> None:
    team.push(people=5)


@fault
def fewer_people_are_asked(team: Team) -> None:
    team.push(people=3)


@fault
def doubt_is_asked_for(team: Team) -> None:
    team.push(people="3-4")


@fault
def a_button_is_pressed_twice(team: Team) -> None:
    team.answer(team.rows[1].id, "anna", "yes")
    team.answer(team.rows[1].id, "anna", "yes")


@fault
def an_answer_is_saved_again_unchanged(team: Team) -> None:
    (row, *_) = team.studio.http.get(
        f"/api/projects/{team.number}/export?exportType=JSON"
    )
    kept = row["annotations"][0]
    team.studio.http.patch(f"/api/annotations/{kept['id']}", {"result": kept["result"]})


@fault
def somebody_looks_at_anothers_answer(team: Team) -> None:
    number = team.studio.tasks(team.number)[team.rows[2].id]
    (first, *_) = team.studio.http.get(f"/api/tasks/{number}")["annotations"]
    team.studio.person("chris").patch(
        f"/api/annotations/{first['id']}", {"result": first["result"]}
    )


@fault
def an_answer_lies_there_as_a_draft(team: Team) -> None:
    number = team.studio.tasks(team.number)[team.rows[1].id]
    team.studio.person("chris").post(
        f"/api/tasks/{number}/drafts", {"result": [picked("alignment", "no")]}
    )


@fault
def a_task_is_passed_on(team: Team) -> None:
    number = team.studio.tasks(team.number)[team.rows[0].id]
    team.studio.person("chris").post(
        f"/api/tasks/{number}/annotations?was_cancelled=1",
        {"result": [], "was_cancelled": True},
    )


@fault
def half_an_answer_comes(team: Team) -> None:
    team.studio.answer(team.number, team.rows[0].id, "chris", [])


@fault
def a_choice_comes_that_no_form_has(team: Team) -> None:
    team.answer(team.rows[1].id, "chris", "perhaps")


@fault
def a_task_is_imported_by_hand(team: Team) -> None:
    row = team.studio.client.tasks(team.number)[0]
    team.studio.http.post(
        f"/api/projects/{team.number}/import", [{"data": row["data"]}]
    )
    team.push()


@fault
def a_task_of_somebody_else_is_added(team: Team) -> None:
    data = team.studio.client.tasks(team.number)[0]["data"] | {"id": ""}
    team.studio.http.post(f"/api/projects/{team.number}/import", [{"data": data}])
    assert any("none of ours" in remark for remark in team.pull().remarks)
    tasks = team.studio.client.tasks(team.number)
    (foreign,) = (row["id"] for row in tasks if not row["data"]["id"])
    team.studio.client.delete_task(foreign)


@fault
def the_interface_is_edited_on_the_server(team: Team) -> None:
    record = team.studio.client.project(team.number)
    xml = record["label_config"].replace('value="yes"', 'value="sure"')
    team.studio.client.update_project(team.number, label_config=xml)
    with pytest.raises(UserError, match="interface"):
        team.push(yes=False)
    team.push(yes=True)


@fault
def the_project_is_retitled(team: Team) -> None:
    team.studio.client.update_project(team.number, title="Team A, spring")


@fault
def a_twin_project_stands_beside_it(team: Team) -> None:
    record = team.studio.client.project(team.number)
    twin = team.studio.client.create_project(
        title="twin", label_config=record["label_config"],
        description=MARK + open_project(team.folder).key,
    )  # fmt: skip
    with pytest.raises(UserError, match="are both of"):
        team.pull()
    team.studio.http.delete(f"/api/projects/{twin['id']}/")


@fault
def problems_come_in_another_order(team: Team) -> None:
    write_jsonl(team.problems, team.rows[::-1])


@fault
def a_problem_is_left_out_and_comes_back(team: Team) -> None:
    write_jsonl(team.problems, team.rows[1:])
    team.push()
    write_jsonl(team.problems, team.rows)


@fault
def a_label_that_is_not_shown_changes(team: Team) -> None:
    changed = [problem(k, labels={"subject": "other"}) for k in range(6)]
    write_jsonl(team.problems, changed)


@fault
def guidelines_change(team: Team) -> None:
    for text in ("# Look at both", "# Look at both, twice"):
        (team.problems.parent / "rules.md").write_text(text, "utf-8")
        team.push(guidelines=team.problems.parent / "rules.md")


@fault
def guidelines_are_a_megabyte(team: Team) -> None:
    (team.problems.parent / "long.md").write_text("x" * 1_000_000, "utf-8")
    with pytest.raises(UserError, match="guidelines"):
        team.push(guidelines=team.problems.parent / "long.md")


@fault
def a_push_dies_before_it_has_noted_its_project(team: Team) -> None:
    team.edit(number=0)


@fault
def the_connection_breaks_in_an_import(team: Team) -> None:
    """The request is carried out, and its answer is lost."""
    give, calls = Client.import_tasks, []

    def broken(self: Client, project: int, tasks: list[dict[str, Any]]) -> None:
        give(self, project, tasks)
        calls.append(tasks)
        if len(calls) == 1:
            raise Fault("the connection broke")

    write_jsonl(team.problems, [*team.rows, problem(99)])
    Client.import_tasks = broken  # type: ignore[method-assign]
    try:
        team.push()
    finally:
        Client.import_tasks = give  # type: ignore[method-assign]
    assert len(calls) == 1


@fault
def an_export_breaks_off(team: Team) -> None:
    take, calls = Client.take_export, []

    def cut(self: Client, project: int, number: int) -> bytes:
        calls.append(number)
        data = take(self, project, number)
        return data[: len(data) // 2] if len(calls) == 1 else data

    Client.take_export = cut  # type: ignore[method-assign]
    try:
        team.pull()
    finally:
        Client.take_export = take  # type: ignore[method-assign]
    assert len(calls) == 2


@fault
def the_votes_are_deleted(team: Team) -> None:
    (team.folder / "votes.jsonl").unlink()


@fault
def half_of_the_votes_are_yesterdays(team: Team) -> None:
    path = team.folder / "votes.jsonl"
    lines = path.read_bytes().splitlines(keepends=True)
    path.write_bytes(b"".join(lines[: len(lines) // 2]))


@fault
def a_pull_died_and_left_its_lock_and_half_a_file(team: Team) -> None:
    (team.folder / ".project.lock").write_bytes(b"")
    (team.folder / ".votes.jsonl.tmp").write_bytes(b'{"problem_id": "a-')


@fault
def the_folder_is_moved(team: Team) -> None:
    moved = team.folder.with_name("moved")
    team.folder.rename(moved)
    team.folder = moved


@fault
def the_folder_is_pulled_on_two_machines(team: Team) -> None:
    copy = team.folder.with_name("copy")
    shutil.copytree(team.folder, copy)
    pull(copy, server=team.studio.server)
    assert decide(copy / "votes.jsonl", "alignment", policy="majority")


@fault
def a_model_advises_beside_the_people(team: Team) -> None:
    votes = list(read_jsonl(team.folder / "votes.jsonl", Vote))
    advice = [
        Vote(problem_id=row.id, field="alignment", value="no", annotator="m", kind="model",
             about=votes[0].about if row.id == votes[0].problem_id else "")
        for row in team.rows[:5]
    ]  # fmt: skip
    write_jsonl(team.folder / "votes.jsonl", [*votes, *advice])


@fault
def a_pull_runs_in_another_time_zone(team: Team) -> None:
    before = os.environ.get("TZ")
    os.environ["TZ"] = "Pacific/Kiritimati"
    try:
        team.pull()
    finally:
        os.environ.pop("TZ")
        if before is not None:
            os.environ["TZ"] = before


@fault
def the_servers_clock_runs_back(team: Team) -> None:
    number = team.answer(team.rows[4].id, "anna", "no")
    team.sql(
        "update task_completion set created_at = '2020-01-01 00:00:00', "
        "updated_at = '2020-01-01 00:00:00' where id = ?", number,
    )  # fmt: skip
    assert any("clock ran back" in remark for remark in team.pull().remarks)


@fault
def the_server_is_restored_from_yesterdays_copy(team: Team) -> None:
    """The copy lacks what two people answered today; nobody took it back."""
    base = team.studio.data / "label_studio.sqlite3"
    copy = team.problems.parent / "yesterday.sqlite3"
    with sqlite3.connect(base) as now, sqlite3.connect(copy) as then:
        now.backup(then)
    last = team.rows[5].id
    for name in ("anna", "ben"):
        team.answer(last, name, "yes")
    team.pull()
    team.labels[last] = "yes"
    team.studio.kill()
    for extra in ("-wal", "-shm"):
        with suppress(FileNotFoundError):
            base.with_name(base.name + extra).unlink()
    shutil.copyfile(copy, base)
    team.studio.start()
    assert any("earlier copy" in remark for remark in team.pull().remarks)


@pytest.fixture(scope="module")
def team(studio: LabelStudio, tmp_path_factory: pytest.TempPathFactory) -> Team:
    return Team(studio, tmp_path_factory.mktemp("team"))


# Nothing heals a label: what one fault changes is still there after the next, so an ordinary run
# looks after every second one, and after the last.
LOOKED_AFTER = list(FAULTS) if THOROUGH else list(FAULTS)[::-2]


@pytest.mark.parametrize("name", FAULTS)
def test_no_label_changes_and_no_task_doubles(team: Team, name: str) -> None:
    FAULTS[name](team)
    if name not in LOOKED_AFTER:
        return
    before = set(team.studio.tasks(team.number)) | {row.id for row in team.rows}
    assert team.push().project == team.number
    team.pull()
    assert team.decided() == team.labels
    assert (
        set(team.studio.tasks(team.number)) == before
    )  # and every id stands there once


def test_these_are_forty() -> None:
    assert len(FAULTS) >= 40
