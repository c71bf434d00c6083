"""What is killed, lost or deleted between us and Label Studio: nothing is lost or doubled."""

from __future__ import annotations

import json
import signal
import subprocess
import sys
import threading
from collections.abc import Callable
from pathlib import Path
from typing import Any

import benchwright.annotate.projects.push as push_module
import pytest
from benchwright.annotate.projects import (
    make_project,
    open_project,
    pull_answers,
    push_tasks,
)
from benchwright.annotate.projects.tasks import task_data
from benchwright.annotate.server import Client
from benchwright.annotate.votes import read_votes
from benchwright.base.files import write_jsonl
from benchwright.cli import cli
from benchwright.errors import UserError
from benchwright.problem import Problem, Source
from click.testing import CliRunner
from label_studio import Answering, LabelStudio, picked, plain


class Killing(Client):
    """A client whose server is killed after its n-th call of `what`.

    The server starts again while the client waits for it.
    """

    def __init__(
        self, studio: LabelStudio, what: str, n: int, kill: Callable[[], None]
    ) -> None:
        super().__init__(studio.site.url, studio.site.token, patience=600)
        self.what, self.left, self.kill_server = what, n, kill
        self.starting = threading.Thread(target=studio.start)

    def import_tasks(self, project: int, tasks: list[dict[str, Any]]) -> None:
        super().import_tasks(project, tasks)
        self._after("import")

    def start_export(self, project: int) -> int:
        number = super().start_export(project)
        self._after("export")
        return number

    def _after(self, what: str) -> None:
        self.left -= what == self.what
        if what == self.what and self.left == 0:
            self.kill_server()
            self.starting.start()


def test_server_killed_during_push_and_pull(
    studio: LabelStudio, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(push_module, "BATCH_BYTES", 2_000)  # some fifty requests
    project = make_project(tmp_path / "killed", "alignment", None)
    client = Killing(studio, "import", 5, studio.kill)
    assert push_tasks(project, plain(2000), client).added == 2000
    assert client.left < 0  # it went on after the kill
    client.starting.join()
    assert len(studio.tasks(project.number)) == 2000

    answering = Answering(studio.site.url, studio.site.token)
    answering.answers = {
        f"q-{k}": [("anna@annotators.example", [picked("alignment", "yes")])]
        for k in range(500)
    }
    push_tasks(project, plain(500, "q"), answering)
    client = Killing(studio, "export", 1, studio.kill_serve)
    assert pull_answers(project, client).new_votes == 500
    assert client.left <= 0
    client.starting.join()
    votes = read_votes(project.folder / "votes.jsonl")
    assert sorted(v.problem_id for v in votes) == sorted(f"q-{k}" for k in range(500))


DYING = """
import os, signal, sys
from benchwright.annotate.server.client import Client
from benchwright.cli import main
give = Client.import_tasks
def last(self, *more):
    give(self, *more)
    os.kill(os.getpid(), signal.SIGKILL)
Client.import_tasks = last
main(sys.argv[1:])
"""


def test_a_killed_push_resumes(studio: LabelStudio, tmp_path: Path) -> None:
    problems = [
        Problem(id=f"k-{n}", origin=f"k-{n}", source=Source(name="k", raw_id=str(n)),
                question="a long question " * 4000)
        for n in range(400)
    ]  # fmt: skip
    write_jsonl(tmp_path / "problems.jsonl", problems)
    words = ["annotate", "push", str(tmp_path / "problems.jsonl"), "-o", str(tmp_path / "project"),
             "--kind", "alignment", *studio.options]  # fmt: skip
    killed = subprocess.run([sys.executable, "-c", DYING, *words])
    assert killed.returncode == -signal.SIGKILL
    number = json.loads((tmp_path / "project" / "project.json").read_text())["number"]
    there = len(studio.tasks(number))
    assert 0 < there < 400
    command = [sys.executable, "-m", "benchwright", *words, "--json"]
    done = json.loads(subprocess.run(command, capture_output=True, check=True).stdout)
    assert (done["project"], done["there"], done["added"]) == (
        number,
        there,
        400 - there,
    )
    assert len(studio.tasks(number)) == 400


def test_a_project_created_but_not_recorded_is_found_again(
    studio: LabelStudio, tmp_path: Path
) -> None:
    project = make_project(tmp_path / "lost", "alignment", None)
    number = push_tasks(project, plain(2), studio.client).project
    project.number = 0  # as after a kill between creating and recording
    project.save()
    again = push_tasks(open_project(project.folder), plain(3), studio.client)
    assert (again.project, again.added, again.there) == (number, 1, 2)


def test_a_task_that_arrived_twice_stands_once(
    studio: LabelStudio, tmp_path: Path
) -> None:
    project = make_project(tmp_path / "twice", "alignment", None)
    number = push_tasks(project, plain(3), studio.client).project
    data, _ = task_data(plain(2), None, lambda files: dict.fromkeys(files, ""))
    studio.http.post(f"/api/projects/{number}/import", [{"data": d} for d in data])
    push_tasks(project, plain(4), studio.client)
    assert sorted(studio.tasks(number)) == ["p-0", "p-1", "p-2", "p-3"]


def test_deleted_project_and_foreign_project(
    studio: LabelStudio, tmp_path: Path
) -> None:
    project = make_project(tmp_path / "gone", "alignment", None)
    number = push_tasks(project, plain(1), studio.client).project
    studio.http.delete(f"/api/projects/{number}")
    result = CliRunner().invoke(
        cli, ["annotate", "pull", str(project.folder), *studio.options]
    )
    assert isinstance(result.exception, UserError)
    assert "is gone from" in str(result.exception)
    other = make_project(tmp_path / "other", "alignment", None)
    project.number = push_tasks(other, plain(1), studio.client).project
    with pytest.raises(UserError, match="is not the one of"):
        pull_answers(project, studio.client)
