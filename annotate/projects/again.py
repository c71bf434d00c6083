"""Asking again: tasks whose problem has changed since, and answers that were refused.

Nothing that people gave is lost: answers to a changed task are pulled before it makes way, and a
refused answer stands in refused.jsonl.
"""

from __future__ import annotations

from typing import Any

from ...files import read_jsonl
from ...latex import htmls_of
from ..server import Client
from .project import Project
from .pull import RefusedAnswer, pull_answers
from .tasks import Task

CHANGED = "Asked again: the problem has changed since it was answered."


def replace_changed(
    project: Project, client: Client, tasks: list[Task], there: dict[str, dict[str, Any]]
) -> list[tuple[str, str]]:
    """Take the tasks of `there` away whose text or pictures are not those of `tasks` any more.

    Returns the ids that are to be asked again, with the reason; their tasks say it on top.
    """
    changed = [
        task
        for task in tasks
        if (old := there.get(task.id)) and old["data"].get("about", task.about) != task.about
    ]
    if not changed:
        return []
    pull_answers(project, client)
    for task in changed:
        client.delete(f"/api/tasks/{there[task.id]['id']}")
        task.texts["note"] = "\n".join(filter(None, [CHANGED, task.texts.get("note", "")]))
    return [(task.id, CHANGED) for task in changed]


def reopen_refused(
    project: Project, client: Client, there: dict[str, dict[str, Any]]
) -> list[tuple[str, str]]:
    """Take answers that a pull refused off the server, so that their people are asked again.

    The task says on top why. Returns ids and reasons.
    """
    path = project.folder / "refused.jsonl"
    refused: dict[str, list[RefusedAnswer]] = {}
    for answer in read_jsonl(path, RefusedAnswer) if path.exists() else []:
        refused.setdefault(answer.problem_id, []).append(answer)
    again: list[tuple[str, str]] = []
    for name, answers in refused.items():
        if name not in there:
            continue
        task = client.get(f"/api/tasks/{there[name]['id']}")
        reasons = [
            reason
            for annotation in task["annotations"]
            if (reason := _refusal(annotation, answers, client))
        ]
        if not reasons:
            continue
        again += [(name, reason) for reason in reasons]
        told = "\n".join(f"Asked again: an answer was refused: {reason}" for reason in reasons)
        note = htmls_of([told])[0] + str(task["data"].get("note_html", ""))
        data = task["data"] | {"note_html": note}
        client.patch(f"/api/tasks/{task['id']}", {"data": data})
    return again


def _refusal(annotation: dict[str, Any], answers: list[RefusedAnswer], client: Client) -> str:
    """Why an answer was refused, when it was; it leaves the server."""
    for answer in answers:
        if annotation["result"] == answer.results:
            client.delete(f"/api/annotations/{annotation['id']}")
            return answer.reason
    return ""
