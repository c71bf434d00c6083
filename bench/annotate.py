"""Label Studio: 3,000 real problems pushed and pulled, beside the server's one-by-one way."""

from __future__ import annotations

import json
import socket
import tempfile
import time
from pathlib import Path
from typing import Any

from benchwright.annotate.kinds import problem_task
from benchwright.annotate.projects.project import make_project
from benchwright.annotate.projects.pull import pull_answers
from benchwright.annotate.projects.push import push_tasks
from benchwright.annotate.server.client import Client
from benchwright.annotate.server.environment import default_environment
from benchwright.annotate.server.server import running, served
from benchwright.base.files import sha256_file
from benchwright.problem import Image, Option, Problem, Source
from shared_data import needed

TASKS, PEOPLE = 3000, 3
SAMPLE = 30  # tasks and answers given one by one, scaled up


def main() -> None:
    needed("math-v")
    with tempfile.TemporaryDirectory() as name, socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port = probe.getsockname()[1]
        probe.close()
        folder = Path(name)
        with running(folder / "data", default_environment(), port) as (site, _):
            measure(
                folder, Client(site.url, site.token), Answering(site.url, site.token)
            )


def measure(folder: Path, client: Client, answering: Client) -> None:
    tasks = [problem_task(problem) for problem in problems()]
    project = make_project(folder / "subject", "subject", "math-v")
    files = served(folder / "data")
    first = timed(lambda: push_tasks(project, tasks, client, needed("math-v"), files))
    again = timed(lambda: push_tasks(project, tasks, client, needed("math-v"), files))
    voted = make_project(folder / "voted", "subject", "math-v")
    push_tasks(voted, tasks, answering, needed("math-v"), files)
    fetched = timed(lambda: pull_answers(voted, client))
    assert pull_answers(voted, client).answers == PEOPLE * len(tasks)
    fields = dict.fromkeys(["image", "question_html", "note_html"], "x")
    rows = [fields | {"id": f"one-{k}"} for k in range(SAMPLE)]
    single = timed(lambda: [one_task(client, project.number, row) for row in rows])
    by_one = single / SAMPLE * TASKS
    print(f"push {TASKS:,} tasks, drawing their mathematics   {first:6.1f} s")
    print(
        f"push them again                            {again:6.1f} s   {again / first:.2f} of it"
    )
    print(
        f"pull them with {PEOPLE * len(tasks):,} answers               {fetched:6.1f} s"
    )
    print(
        f"tasks made one by one (scaled)             {by_one:6.1f} s   {by_one / first:.1f} x push"
    )


class Answering(Client):
    """A client whose tasks come with an answer of each of three people."""

    def import_tasks(self, project: int, tasks: list[dict[str, Any]]) -> None:
        answers = [
            {"result": [picked("label", "logic"), picked("level", "3")]}
        ] * PEOPLE
        super().import_tasks(
            project, [task | {"annotations": answers} for task in tasks]
        )


def picked(name: str, value: str) -> dict[str, Any]:
    return {"from_name": name, "to_name": "question", "type": "choices",
            "value": {"choices": [value]}}  # fmt: skip


def one_task(client: Client, project: int, data: dict[str, Any]) -> None:
    client.write(lambda ls: ls.tasks.create(project=project, data=data))


def timed(work: Any) -> float:
    start = time.monotonic()
    work()
    return time.monotonic() - start


def problems() -> list[Problem]:
    made = []
    data = needed("math-v")
    for line in (data / "test.jsonl").read_text("utf-8").splitlines()[:TASKS]:
        row = json.loads(line)
        sha256 = sha256_file(data / row["image"])
        options = [
            Option(label="ABCDE"[k], text=text) for k, text in enumerate(row["options"])
        ]
        made.append(
            Problem(
                id=f"math-v-{row['id']}",
                origin=f"math-v-{row['id']}",
                source=Source(name="math-v", raw_id=row["id"]),
                question=row["question"],
                options=options,
                images=[Image(path=row["image"], sha256=sha256, width=1, height=1)],
            )
        )
    return made


if __name__ == "__main__":
    main()
