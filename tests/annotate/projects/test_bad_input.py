"""Servers, tokens, clocks and disks that fail in the middle: named, finished by the next run."""

from __future__ import annotations

import errno
import os
import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

import benchwright.annotate.projects.pull as pull_module
import benchwright.annotate.projects.push as push_module
import pytest
from benchwright import pull, push
from benchwright.annotate.projects import (
    make_project,
    open_project,
    pull_answers,
    push_tasks,
)
from benchwright.annotate.server import Client
from benchwright.annotate.votes import read_votes
from benchwright.base.files import write_jsonl
from benchwright.errors import BenchwrightError, UserError
from label_studio import LabelStudio, picked, plain
from label_studio_sdk.core.api_error import ApiError
from small import problem

KIND = "alignment"


class Failing(Client):
    """A client whose second import, or first export, fails as `fail` has it."""

    def __init__(self, studio: LabelStudio, fail: Callable[[Client], None]) -> None:
        super().__init__(studio.site.url, studio.site.token)
        self.fail, self.imports = fail, 0

    def import_tasks(self, project: int, tasks: list[dict[str, Any]]) -> None:
        self.imports += 1
        if self.imports == 2:
            self.fail(self)
        super().import_tasks(project, tasks)

    def start_export(self, project: int) -> int:
        self.fail(self)
        return super().start_export(project)


def expires(client: Client) -> None:
    """The real server answers to a token that it does not know any more."""

    def sign(request: Any) -> None:
        request.headers["Authorization"] = "Token 0"

    client._http.event_hooks = {"request": [sign]}
    client._http.cookies.clear()


def has_no_space(client: Client) -> None:
    """Label Studio's own answer where SQLite cannot write."""
    with client._named():
        raise ApiError(status_code=500, body="database or disk is full")


@pytest.mark.parametrize(
    ("fail", "said"),
    [(expires, "refuses the legacy token"), (has_no_space, "database or disk is full")],
)
def test_what_fails_in_the_middle_is_named_and_the_next_run_finishes(
    studio: LabelStudio,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    fail: Callable[[Client], None],
    said: str,
) -> None:
    monkeypatch.setattr(push_module, "BATCH_BYTES", 200)  # several requests
    project = make_project(tmp_path / "labels", KIND, None)
    with pytest.raises(UserError, match=said):
        push_tasks(project, plain(30), Failing(studio, fail))
    there = len(studio.tasks(open_project(project.folder).number))
    assert 0 < there < 30
    project = open_project(project.folder)
    done = push_tasks(project, plain(30), studio.client, yes=True)
    assert (done.there, done.added) == (there, 30 - there)
    studio.answer(project.number, "p-0", "anna", [picked(KIND, "yes")])
    with pytest.raises(UserError, match=said):
        pull_answers(project, Failing(studio, fail))
    assert not (project.folder / "votes.jsonl").exists()
    assert pull_answers(project, studio.client).new_votes == 1


def test_a_full_disk_of_ours_leaves_the_votes_as_they_were(
    studio: LabelStudio, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    project = make_project(tmp_path / "labels", KIND, None)
    number = push_tasks(project, plain(2), studio.client).project
    studio.answer(number, "p-0", "anna", [picked(KIND, "yes")])
    pull_answers(project, studio.client)
    before = (project.folder / "votes.jsonl").read_bytes()
    studio.answer(number, "p-1", "anna", [picked(KIND, "yes")])
    real = os.replace

    def full(source: Any, target: Any, **more: Any) -> None:
        if str(target).endswith("votes.jsonl"):
            raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC), str(target))
        real(source, target, **more)

    with monkeypatch.context() as disk:
        disk.setattr(os, "replace", full)
        disk.setattr(Path, "replace", lambda self, target: full(self, target))
        with pytest.raises(BenchwrightError, match=r"votes\.jsonl.*No space left"):
            pull_answers(open_project(project.folder), studio.client)
    assert (project.folder / "votes.jsonl").read_bytes() == before
    assert pull_answers(open_project(project.folder), studio.client).new_votes == 1
    assert len(read_votes(project.folder / "votes.jsonl")) == 2


def test_a_server_of_another_version_is_told(
    studio: LabelStudio,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    write_jsonl(tmp_path / "problems.jsonl", [problem(1)])
    there = {"server": studio.server}
    push(tmp_path / "problems.jsonl", tmp_path / "labels", KIND, **there)
    assert "forms were tried" not in capsys.readouterr().err
    monkeypatch.setattr(Client, "version", lambda self: "1.9.0")
    push(tmp_path / "problems.jsonl", tmp_path / "labels", KIND, **there)
    pull(tmp_path / "labels", **there)
    told = capsys.readouterr().err
    assert len(re.findall(r"is Label Studio 1\.9\.0: forms were tried on", told)) == 2


def test_no_clock_of_ours_says_when_a_vote_was_given() -> None:
    """A laptop whose clock is wrong changes nothing: times are the server's."""
    house = Path(pull_module.__file__).parent.parent
    for room in ("projects", "votes", "kinds", "server"):
        for file in (house / room).glob("*.py"):
            assert not re.search(
                r"datetime\.now|time\.time\(|utcnow|fromtimestamp",
                file.read_text("utf-8"),
            ), file
