"""Killed at any moment, client or server, in push or pull: every task and every answer stands once.

`KILLS=40 pytest tests/annotate/projects/test_kills.py` kills each at forty random moments.
"""

from __future__ import annotations

import os
import random
import subprocess
import sys
import time
from collections import Counter
from pathlib import Path

import pytest
from benchwright.annotate.projects import open_project
from benchwright.annotate.votes import read_votes
from benchwright.base.files import write_jsonl
from label_studio import PEOPLE, LabelStudio
from small import problem

KILLS = int(os.environ.get("KILLS", "1"))
TASKS = 60
ANSWERED = """
import sys
import benchwright.annotate.projects.push as push
from benchwright.annotate.server.client import Client
from benchwright.cli import main
give = Client.import_tasks
yes = {"from_name": "alignment", "to_name": "question", "type": "choices",
       "value": {"choices": ["yes"]}}
def answered(self, project, tasks):
    people = [{"email": f"{name}@annotators.example"} for name in %r]
    give(self, project, [task | {"annotations": [{"result": [yes], "completed_by": who}
                                                 for who in people]} for task in tasks])
Client.import_tasks = answered
push.BATCH_BYTES = 2_000
main(sys.argv[1:])
"""


class Work:
    """A folder whose push (with three people's answers) and pull are killed and run again."""

    def __init__(self, studio: LabelStudio, folder: Path) -> None:
        self.studio, self.project = studio, folder / "project"
        write_jsonl(folder / "problems.jsonl", [problem(k) for k in range(TASKS)])
        start = [sys.executable, "-c", ANSWERED % PEOPLE, "annotate"]
        push = ["push", str(folder / "problems.jsonl"), "-o", str(self.project), "--kind",
                "alignment"]  # fmt: skip
        self.commands = {
            "push": [*start, *push, *studio.options],
            "pull": [*start, "pull", str(self.project), *studio.options],
        }

    def start(self, what: str) -> subprocess.Popen[bytes]:
        quiet = subprocess.DEVNULL
        return subprocess.Popen(self.commands[what], stdout=quiet, stderr=quiet)

    def finish(self, what: str) -> float:
        """Seconds that the command takes when nobody kills it."""
        began = time.monotonic()
        assert self.start(what).wait(300) == 0
        return time.monotonic() - began

    def check(self) -> None:
        assert len(self.studio.tasks(open_project(self.project).number)) == TASKS
        votes = read_votes(self.project / "votes.jsonl")
        given = Counter((v.problem_id, v.annotator, v.withdrawn) for v in votes)
        assert given == {
            (f"a-{k}", who, False): 1 for k in range(TASKS) for who in PEOPLE
        }


@pytest.fixture(scope="module")
def seconds(
    studio: LabelStudio, tmp_path_factory: pytest.TempPathFactory
) -> dict[str, float]:
    work = Work(studio, tmp_path_factory.mktemp("unkilled"))
    taken = {what: work.finish(what) for what in ("push", "pull")}
    work.check()
    return taken


def lived(process: subprocess.Popen[bytes], seconds: float) -> bool:
    """Whether the process still runs after so many seconds."""
    try:
        process.wait(seconds)
    except subprocess.TimeoutExpired:
        return True
    return False


@pytest.mark.timeout(3600)
def test_clients_killed_at_random_moments(
    studio: LabelStudio, tmp_path: Path, seconds: dict[str, float]
) -> None:
    draw = random.Random(3)
    for k in range(KILLS):
        (tmp_path / f"{k}").mkdir()
        work = Work(studio, tmp_path / f"{k}")
        for what in ("push", "pull"):
            process = work.start(what)
            if lived(process, draw.uniform(0, seconds[what])):
                process.kill()
                process.wait()
            work.finish(what)
        work.check()
        print("client survived", k + 1)


@pytest.mark.timeout(3600)
def test_servers_killed_at_random_moments(
    studio: LabelStudio, tmp_path: Path, seconds: dict[str, float]
) -> None:
    draw = random.Random(4)
    for k in range(KILLS):
        (tmp_path / f"{k}").mkdir()
        work = Work(studio, tmp_path / f"{k}")
        what = ("push", "pull")[k % 2]
        if what == "pull":
            work.finish("push")
        process = work.start(what)
        lived(process, draw.uniform(0, seconds[what]))
        studio.kill_serve()
        studio.start()
        process.wait(
            300
        )  # it waits for the server, or gives up: then the next one goes on
        work.finish("push")
        work.finish("pull")
        work.check()
        print("server survived", k + 1)
