"""Asking again: tasks whose problem has changed since, answers that were refused or taken back.

Nothing that people gave is lost: answers to a changed task are pulled before it makes way, and a
refused answer stands in refused.jsonl.
"""

from __future__ import annotations

from typing import Any

from ...files import append_line, read_jsonl
from ...latex import htmls_of
from ..server import Client, names
from ..votes import latest, read_votes
from .answers import RefusedAnswer, person
from .project import Project
from .pull import REOPENED, Reopened, pull_answers
from .tasks import Task

CHANGED = "Asked again: the problem has changed since it was answered."
WITHDRAWN = "Asked again: an answer was taken back."


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
        client.delete_task(there[task.id]["id"])
        task.texts["note"] = "\n".join(filter(None, [CHANGED, task.texts.get("note", "")]))
    return [(task.id, CHANGED) for task in changed]


def reopen_refused(
    project: Project, client: Client, there: dict[str, dict[str, Any]]
) -> list[tuple[str, str]]:
    """Take answers that a pull refused off the server, so that their people are asked again.

    The task says on top why. What a half answer gives goes on counting until there is a whole one.
    Returns ids and reasons.
    """
    path = project.folder / "refused.jsonl"
    refused: dict[str, list[RefusedAnswer]] = {}
    for answer in read_jsonl(path, RefusedAnswer) if path.exists() else []:
        refused.setdefault(answer.problem_id, []).append(answer)
    people = names(client) if refused else {}
    again: list[tuple[str, str]] = []
    for name in sorted(refused.keys() & there.keys()):
        task = client.task(there[name]["id"])
        reasons = []
        for annotation in _last_of_each(task["annotations"]):
            givers = {person(annotation.get(key), people) for key in ("completed_by", "updated_by")}
            for answer in refused[name]:
                if answer.annotator in givers and annotation["result"] == answer.results:
                    row = Reopened(problem_id=name, annotator=answer.annotator, at=answer.at)
                    append_line(project.folder / REOPENED, row)
                    client.delete_annotation(annotation["id"])
                    reasons.append(answer.reason)
                    break
        if reasons:
            told = (f"Asked again: an answer was refused: {reason}" for reason in reasons)
            _note(client, task, "\n".join(told))
        again += [(name, reason) for reason in reasons]
    return sorted(again)


def _last_of_each(annotations: list[dict[str, Any]]) -> list[dict[str, Any]]:
    """The last annotation of each person: an earlier one has been replaced already."""
    ordered = sorted(annotations, key=lambda annotation: int(annotation["id"]))
    return list(
        {str(annotation.get("completed_by")): annotation for annotation in ordered}.values()
    )


def note_withdrawn(
    project: Project, client: Client, there: dict[str, dict[str, Any]]
) -> list[tuple[str, str]]:
    """Say on tasks whose answers were taken back that they wait; Label Studio gives them out again.

    Returns ids and reasons, each once.
    """
    path = project.folder / "votes.jsonl"
    votes = read_votes(path) if path.exists() else []
    answering = {(vote.problem_id, vote.annotator) for vote in latest(votes)[0]}
    waiting = {
        vote.problem_id: f"{WITHDRAWN} {vote.annotator}"
        for vote in votes
        if vote.withdrawn and (vote.problem_id, vote.annotator) not in answering
    }
    again = []
    for name, reason in sorted(waiting.items()):
        task = there.get(name)
        if task and WITHDRAWN not in str(task["data"].get("note_html", "")):
            _note(client, task, WITHDRAWN)
            again.append((name, reason))
    return again


def _note(client: Client, task: dict[str, Any], text: str) -> None:
    note = htmls_of([text])[0] + str(task["data"].get("note_html", ""))
    client.update_task(task["id"], task["data"] | {"note_html": note})
