"""All tasks of a project and the answers to them, as the server exports them at one moment."""

from __future__ import annotations

import time
from typing import Any

import msgspec

from ...base.about import digest
from ...errors import UserError
from ..server import Client, Fault, Missing

SNAPSHOT_SECONDS = 600.0
ATTEMPTS = 5
CHARACTERS = "characters"  # of the texts of a task, in its data
SHOWN = "shown"  # hash of its texts, in its data


class Annotation(msgspec.Struct, kw_only=True):
    """One answer on the server. People are numbers there, or rows with a number."""

    id: int
    result: list[Any] | None = None
    completed_by: Any = None
    updated_by: Any = None
    created_at: str | None = None
    updated_at: str | None = None
    was_cancelled: bool | None = False
    ground_truth: bool | None = False
    lead_time: float | None = None  # seconds
    parent_prediction: Any = None  # what the form was filled in with


class AnsweredTask(msgspec.Struct, kw_only=True):
    """One task on the server with its answers; `data` is what a push gave it."""

    data: dict[str, Any]
    id: int = 0  # the server's
    created_at: str = ""
    annotations: list[Annotation] = []

    @property
    def name(self) -> str:
        """Our id of it."""
        return str(self.data.get("id") or "")

    @property
    def about(self) -> str:
        """Hash of what is shown."""
        return str(self.data.get("about") or "")

    @property
    def characters(self) -> int:
        """How long its texts are; 0 where an earlier push did not say."""
        return int(self.data.get(CHARACTERS) or 0)

    @property
    def edited(self) -> bool:
        """Whether its texts are not those that a push gave it."""
        return is_edited(self.data)

    @property
    def ours(self) -> bool:
        return is_ours(self.data)


def is_ours(data: dict[str, Any]) -> bool:
    """Whether a task came from a push: others may be added by hand in the browser."""
    return bool(data.get("id")) and "note_html" in data


def texts_hash(data: dict[str, Any]) -> str:
    """The hash of the texts that a task shows; the note on top is ours to change."""
    texts = {
        key: value
        for key, value in sorted(data.items())
        if key.endswith("_html") and key != "note_html"
    }
    return digest(texts)


def is_edited(data: dict[str, Any]) -> bool:
    """Whether somebody changed a task's texts on the server; early pushes kept no hash of them."""
    return SHOWN in data and data[SHOWN] != texts_hash(data)


def snapshot(client: Client, number: int) -> list[AnsweredTask]:
    """The project's tasks with their answers. Raises UserError when the server gives none."""
    for _ in range(ATTEMPTS):
        try:
            export = client.start_export(number)
            if _is_ready(client, number, export):
                data = client.take_export(number, export)
                return msgspec.json.decode(data, type=list[AnsweredTask])
        except (Fault, Missing, msgspec.DecodeError):
            client.wait()  # a restarted server may have lost the export: make another
    raise UserError(
        f"{client.url} gave no export in {ATTEMPTS} attempts", "see the server's log"
    )


def _is_ready(client: Client, number: int, export: int) -> bool:
    """Wait until the server has written an export, or gives it up."""
    end = time.monotonic() + SNAPSHOT_SECONDS
    while True:
        ready = client.exported(number, export)
        if ready is not None or time.monotonic() >= end:
            return bool(ready)
        time.sleep(0.2)
