"""Pictures reach the server in few requests, once each, whatever breaks."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from benchwright.annotate.server import Client, Fault, local_store, upload_store
from benchwright.errors import UserError


class Memory(Client):
    """A server that keeps uploads; its `breaks`-th upload is carried out but not answered."""

    def __init__(self, breaks: int = 0) -> None:
        super().__init__("http://nowhere", "0" * 40)
        self.kept: list[str] = []
        self.batches: list[int] = []
        self.breaks = breaks

    def projects(self) -> dict[int, str]:
        return {7: "benchwright pictures k"}

    def uploads(self, project: int) -> list[str]:
        return [f"upload/{project}/0a1b2c3d-{name}" for name in self.kept]

    def upload(self, project: int, files: Any) -> None:
        self.kept += files
        self.batches.append(len(files))
        if len(self.batches) == self.breaks:
            raise Fault("cut off")

    def wait(self) -> None:
        pass


def files(count: int) -> dict[str, Any]:
    return {f"{k}.png": lambda k=k: bytes([k % 256]) for k in range(count)}


def test_a_hundred_in_a_request_and_nothing_twice() -> None:
    server = Memory()
    found = upload_store(server, "k")(files(250))
    assert server.batches == [100, 100, 50]
    assert found["249.png"] == "/data/upload/7/0a1b2c3d-249.png"
    upload_store(server, "k")(files(251))
    assert server.batches == [100, 100, 50, 1]


def test_a_broken_upload_goes_on_with_what_is_missing() -> None:
    server = Memory(breaks=2)
    upload_store(server, "k")(files(250))
    assert sorted(server.kept) == sorted(files(250))


def test_requests_are_bounded_in_bytes(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("benchwright.annotate.server.picture_store.BATCH_BYTES", 3)
    server = Memory()
    upload_store(server, "k")(files(5))
    assert server.batches == [3, 2]


def broken() -> bytes:
    raise UserError("no picture")


def unreadable() -> bytes:
    raise PermissionError("no permission")


@pytest.mark.parametrize("kind", ["local", "upload"])
def test_a_file_that_cannot_be_made_is_named_and_the_rest_kept(
    kind: str, tmp_path: Path
) -> None:
    store = local_store(tmp_path) if kind == "local" else upload_store(Memory(), "k")
    found = store(
        {"bad.png": broken, "secret.png": unreadable, "good.png": lambda: b"x"}
    )
    assert str(found["bad.png"]) == "no picture"
    assert "no permission" in str(found["secret.png"])
    assert str(found["good.png"]).endswith("good.png")
