"""Our tasks on a server, by our own ids."""

from __future__ import annotations

from typing import Any

from ..server import Client
from .snapshot import is_ours


def server_tasks(client: Client, number: int) -> dict[str, dict[str, Any]]:
    """Our tasks of the project (id, data) by our ids; unanswered copies of one are deleted."""
    copies: dict[str, list[dict[str, Any]]] = {}
    for task in client.tasks(number):
        if is_ours(task["data"]):
            copies.setdefault(str(task["data"]["id"]), []).append(task)
    for tasks in copies.values():
        tasks.sort(key=lambda task: int(task["id"]))
        for task in tasks[1:]:
            if not client.is_begun(task["id"]):
                client.delete_task(task["id"])
    return {name: tasks[0] for name, tasks in copies.items()}
