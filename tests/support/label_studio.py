"""A real Label Studio for tests: started once, killed and started again at will.

It lies in `.cache` of the checkout, where this file puts it when it is run (`make label-studio`).
"""

from __future__ import annotations

import os
import secrets
import signal
import socket
import subprocess
import sys
import time
from contextlib import suppress
from pathlib import Path
from typing import Any, ClassVar

import pytest
from benchwright.annotate.kinds import Task
from benchwright.annotate.server import (
    VERSION,
    Account,
    Client,
    install,
    read_site,
    served,
)
from real_data import ROOT

ENVIRONMENT = ROOT / ".cache" / f"label-studio-{VERSION}"
PEOPLE = ["anna", "ben", "chris"]


def free_port() -> int:
    """A port that nothing listens on, from below those that the system gives to connections.

    The server binds it half a minute later; one of the system's own could be a client's by then.
    """
    while True:
        port = 20_000 + secrets.randbelow(10_000)
        with socket.socket() as probe, suppress(OSError):
            probe.bind(("127.0.0.1", port))
            return port


class LabelStudio:
    """`annotate serve` in a process of its own, its administrator's client and its people."""

    def __init__(self, data: Path) -> None:
        if not (ENVIRONMENT / "ready").exists():
            pytest.skip("Label Studio is not installed: make label-studio")
        self.data = data
        self.tokens: dict[str, str] = {}
        self.port = free_port()
        self.start()

    def start(self) -> None:
        command = [sys.executable, "-m", "benchwright", "annotate", "serve", *self.options,
                   "--port", str(self.port), "--environment", str(ENVIRONMENT)]  # fmt: skip
        for name in PEOPLE:
            command += ["--annotator", name]
        self.serve = subprocess.Popen(command, stdout=subprocess.PIPE, text=True)
        assert self.serve.stdout is not None
        self.said = [line for _, line in zip(range(5), self.serve.stdout, strict=False)]
        assert len(self.said) == 5, self.said
        site = read_site(self.data)
        assert site is not None
        self.site, self.people = site, site.people
        self.client = Client(site.url, site.token)
        self.http = Browser(site.url, site.token)

    def kill(self) -> None:
        """What a power cut does to the server; `serve` notices and ends."""
        process = Path(f"/proc/{self.serve.pid}/task/{self.serve.pid}")
        children = (process / "children").read_text(encoding="utf-8")
        for child in children.split():
            os.killpg(int(child), signal.SIGKILL)
        assert self.serve.wait(120) == 1

    def kill_serve(self) -> None:
        """What the out-of-memory killer does to `serve`; Label Studio goes with it."""
        self.serve.kill()
        self.serve.wait()
        end = time.monotonic() + 120
        while self.listens():
            assert time.monotonic() < end, "Label Studio outlives serve"
            time.sleep(0.1)

    def listens(self) -> bool:
        with socket.socket() as probe:
            return probe.connect_ex(("127.0.0.1", self.port)) == 0

    def close(self) -> int:
        self.serve.send_signal(signal.SIGINT)
        return self.serve.wait(120)

    @property
    def files(self) -> Path:
        return served(self.data)

    @property
    def server(self) -> str:
        """How functions are told of this server."""
        return str(self.data)

    @property
    def options(self) -> list[str]:
        """What the commands need to find this server."""
        return ["--server", self.server]

    def answer(
        self, project: int, task: str, person: str, results: list[dict[str, Any]]
    ) -> int:
        """An answer of `person`, as the labelling page would post it; returns its number."""
        number = self.tasks(project)[task]
        user = {name: key for key, name in self.users().items()}[person]
        made = self.http.post(
            f"/api/tasks/{number}/annotations",
            {"result": results, "completed_by": user},
        )
        return int(made["id"])

    def tasks(self, project: int) -> dict[str, int]:
        """Our task ids -> the server's; every id stands there once."""
        rows = self.client.tasks(project)
        found = {row["data"]["id"]: row["id"] for row in rows}
        assert len(found) == len(rows)
        return found

    def person(self, name: str) -> Browser:
        """One of our people, by the personal access token from the account page."""
        return Browser(self.site.url, self.token(name))

    def token(self, name: str) -> str:
        if name not in self.tokens:
            (account,) = (p for p in self.people if p.name == name)
            self.tokens[name] = personal_token(self.site.url, account)
        return self.tokens[name]

    def users(self) -> dict[int, str]:
        from benchwright.annotate.server import names

        return names(self.client)


class Browser:
    """What the pages of Label Studio ask of the server, beside the client that is tested."""

    def __init__(self, url: str, token: str) -> None:
        import httpx

        self.http = httpx.Client(base_url=url, timeout=300, trust_env=False)
        kind = "Token"
        if token.count(".") == 2:
            answer = self.http.post("/api/token/refresh/", json={"refresh": token})
            kind, token = "Bearer", answer.json()["access"]
        self.http.headers["Authorization"] = f"{kind} {token}"

    def get(self, path: str, **params: Any) -> Any:
        return self.http.get(path, params=params).raise_for_status().json()

    def post(self, path: str, body: Any) -> Any:
        return self.http.post(path, json=body).raise_for_status().json()

    def patch(self, path: str, body: Any) -> Any:
        return self.http.patch(path, json=body).raise_for_status().json()

    def delete(self, path: str) -> None:
        self.http.delete(path).raise_for_status()


def personal_token(url: str, account: Account) -> str:
    """A JWT; the server gives one per person, once."""
    import httpx

    with httpx.Client(base_url=url, headers={"Referer": url}) as browser:
        browser.get("/user/login/")
        form = {"email": account.email, "password": account.password,
                "csrfmiddlewaretoken": browser.cookies["csrftoken"]}  # fmt: skip
        assert browser.post("/user/login/", data=form).status_code == 302
        made = browser.post(
            "/api/token/", headers={"X-CSRFToken": browser.cookies["csrftoken"]}
        )
        return str(made.json()["token"])


class Answering(Client):
    """A client whose imports carry answers: hundreds of people's answers in one request.

    (The server takes a quarter of a second for each single one.)
    """

    answers: ClassVar[
        dict[str, list[tuple[str, list[Any]]]]
    ] = {}  # task -> e-mail, results

    def import_tasks(self, project: int, tasks: list[dict[str, Any]]) -> None:
        answered = [
            task
            | {
                "annotations": [
                    {"result": results, "completed_by": {"email": email}}
                    for email, results in self.answers.get(task["data"]["id"], [])
                ]
            }
            for task in tasks
        ]
        super().import_tasks(project, answered)


def picked(name: str, *values: str, to: str = "question") -> dict[str, Any]:
    """The result of a group of choices."""
    return {
        "from_name": name, "to_name": to, "type": "choices", "value": {"choices": list(values)}
    }  # fmt: skip


def leaves(name: str, *paths: list[str]) -> dict[str, Any]:
    """The result of a tree picker."""
    return {
        "from_name": name, "to_name": "question", "type": "taxonomy",
        "value": {"taxonomy": list(paths)},
    }  # fmt: skip


def typed(
    name: str, text: str, region: str = "", to: str = "question"
) -> dict[str, Any]:
    """The result of a text area, of the whole task or of one region."""
    result = {
        "from_name": name,
        "to_name": to,
        "type": "textarea",
        "value": {"text": [text]},
    }
    return result | ({"id": region} if region else {})


def plain(count: int, letter: str = "p") -> list[Task]:
    """Tasks without mathematics and pictures."""
    return [
        Task(
            id=f"{letter}-{k}",
            texts={"question": "x", "note": ""},
            pictures={"image": []},
        )
        for k in range(count)
    ]


if __name__ == "__main__":
    install(ENVIRONMENT)
