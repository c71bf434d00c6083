"""Asking again: tasks that have changed since, answers that were refused or taken back.

Nothing that people gave is lost: answers to a changed task are pulled before it makes way, and a
refused answer stands in refused.jsonl.
"""

from __future__ import annotations

from collections.abc import Collection
from typing import Any

import msgspec

from ...base.files import append_line, read_jsonl
from ...errors import UserError, nearest
from ...latex import html_of
from ..kinds import Task
from ..server import Client
from ..votes import latest
from .answers import RefusedAnswer, person, read_answers
from .changes import with_authors
from .consent import Loss, losses_of, require_consent
from .people import read_people
from .project import Project, people_of
from .pull import REOPENED, Reopened, append_new, pull_answers, votes_on_file
from .snapshot import Annotation, AnsweredTask, is_edited, snapshot

ASKED_AGAIN = "Asked again: "  # starts every reason
CHANGED = f"{ASKED_AGAIN}the problem has changed since it was answered."
REWRITTEN = f"{ASKED_AGAIN}what is judged here has been rewritten since."
EDITED = f"{ASKED_AGAIN}somebody has edited the task on the server."
WITHDRAWN = f"{ASKED_AGAIN}an answer was taken back."
ONCE_MORE = "the lead asks for it once more."
JUDGED = ("suggestion", "proposed", "author")  # data of a task beside its problem


def replace_changed(
    project: Project,
    client: Client,
    tasks: list[Task],
    pushed: dict[str, dict[str, Any]],
    yes: bool,
) -> list[tuple[str, str]]:
    """Take the `pushed` tasks away whose text, pictures, or steps to judge are others by now.

    Votes on what has been rewritten are withdrawn; those on a problem that has changed know what
    they were given for. Returns the ids that are to be asked again, with the reason; their tasks
    say it on top. Raises UserError where people have answered them, without `yes`.
    """
    changed = [
        (task, reason)
        for task in tasks
        if task.id in pushed and (reason := _change(task, pushed[task.id]["data"]))
    ]
    if not changed:
        return []
    pull_answers(project, client)
    reasons = {task.id: reason for task, reason in changed}
    rows = snapshot(client, project.number)
    require_consent(yes, losses_of(rows, people_of(project, client), reasons))
    rewritten = {task.id for task, reason in changed if reason == REWRITTEN}
    counting, _ = latest(votes_on_file(project))
    withdrawals = [
        msgspec.structs.replace(vote, withdrawn=True)
        for vote in counting
        if vote.kind == "human" and vote.problem_id in rewritten
    ]
    append_new(project.folder / "votes.jsonl", withdrawals)
    for task, reason in changed:
        client.delete_task(pushed[task.id]["id"])
        note = task.texts.get("note")
        task.texts["note"] = f"{reason}\n{note}" if note else reason
    return [(task.id, reason) for task, reason in changed]


def _change(task: Task, old: dict[str, Any]) -> str:
    """Why a task is not what it was, or nothing."""
    if old.get("about", task.about) != task.about:
        return CHANGED
    if any(old.get(key) != task.data.get(key) for key in JUDGED):
        return REWRITTEN
    if is_edited(old):
        return EDITED
    return ""


def reopen_refused(
    project: Project, client: Client, pushed: dict[str, dict[str, Any]], yes: bool
) -> list[tuple[str, str]]:
    """Take answers that a pull refused off the server, so that their people are asked again.

    The task says on top why. What a half answer gives goes on counting until there is a whole one.
    Returns ids and reasons. Raises UserError where there are any, without `yes`.
    """
    path = project.folder / "refused.jsonl"
    refused: dict[str, list[RefusedAnswer]] = {}
    for answer in read_jsonl(path, RefusedAnswer) if path.exists() else []:
        refused.setdefault(answer.problem_id, []).append(answer)
    people = people_of(project, client) if refused else {}
    waiting: list[tuple[dict[str, Any], dict[str, Any], RefusedAnswer]] = []
    for name in sorted(refused.keys() & pushed.keys()):
        task = client.task(pushed[name]["id"])
        for annotation in _last_of_each(task["annotations"]):
            refusal = _refusal_of(annotation, refused[name], people)
            if refusal is not None:
                waiting.append((task, annotation, refusal))
    losses = [
        Loss(refusal.problem_id, refusal.annotator, refusal.reason)
        for _, _, refusal in waiting
    ]
    require_consent(yes, losses)
    for task, annotation, refusal in waiting:
        reason = f"an answer was refused: {refusal.reason}"
        row = Reopened(
            problem_id=refusal.problem_id, annotator=refusal.annotator, at=refusal.at
        )
        _take_off(project, client, task, annotation["id"], row, reason)
    return sorted((refusal.problem_id, refusal.reason) for _, _, refusal in waiting)


def reopen(
    project: Project,
    client: Client,
    row: AnsweredTask,
    annotation: Annotation,
    people: dict[int, str],
    reason: str,
) -> None:
    """Take one answer off the server, so that its author is asked again; its task says why."""
    reopened = Reopened(
        problem_id=row.name,
        annotator=person(annotation.completed_by, people),
        at=annotation.updated_at or annotation.created_at or "",
    )
    task = {"id": row.id, "data": row.data}
    _take_off(project, client, task, annotation.id, reopened, reason)


def ask_again(
    project: Project, client: Client, who: Collection[str], yes: bool
) -> list[tuple[str, str]]:
    """Take all answers of some people off the server: they are asked once more, about everything.

    What they said is pulled before, and counts until they answer anew. Returns ids and reasons.
    Raises UserError for somebody without an account, and, without `yes`, saying what makes way.
    """
    people = people_of(project, client)
    for name in who:
        if name not in people.values():
            raise UserError(
                f"nobody is called {name!r}", nearest(name, list(people.values()))
            )
    if not who:
        return []
    pull_answers(project, client)
    kind, tree, interface = project.load()
    rows = snapshot(client, project.number)
    read = read_answers(
        rows, people, kind, tree, interface, read_people(project.folder).now
    )
    answers = [
        answer
        for answer in with_authors(read, votes_on_file(project))
        if answer.annotator in who
    ]
    losses = [Loss(a.problem_id, a.annotator, ONCE_MORE) for a in answers]
    require_consent(yes, losses)
    tasks = {row.name: {"id": row.id, "data": row.data} for row in rows}
    for answer in answers:
        line = Reopened(
            problem_id=answer.problem_id,
            annotator=answer.annotator,
            at=answer.at,
            again=True,
        )
        task = tasks[answer.problem_id]
        _take_off(project, client, task, answer.order[1], line, ONCE_MORE)
    return [(loss.problem, f"{loss.annotator}: {ONCE_MORE}") for loss in losses]


def _take_off(
    project: Project,
    client: Client,
    task: dict[str, Any],
    annotation: int,
    row: Reopened,
    reason: str,
) -> None:
    append_line(project.folder / REOPENED, row)
    client.delete_annotation(annotation)
    _note(client, task, f"{ASKED_AGAIN}{reason}")


def _refusal_of(
    annotation: dict[str, Any], refused: list[RefusedAnswer], people: dict[int, str]
) -> RefusedAnswer | None:
    """The first refused answer that an annotation still is, by one of its authors."""
    author = person(annotation.get("completed_by"), people)
    editor = person(annotation.get("updated_by"), people)
    for answer in refused:
        by_author = answer.annotator in (author, editor)
        if by_author and annotation["result"] == answer.results:
            return answer
    return None


def _last_of_each(annotations: list[dict[str, Any]]) -> list[dict[str, Any]]:
    """The last annotation of each person: an earlier one has been replaced already."""
    ordered = sorted(annotations, key=lambda annotation: int(annotation["id"]))
    last = {str(annotation.get("completed_by")): annotation for annotation in ordered}
    return list(last.values())


def note_withdrawn(
    project: Project, client: Client, pushed: dict[str, dict[str, Any]]
) -> list[tuple[str, str]]:
    """Say on tasks whose answers were taken back that they wait; Label Studio gives them out again.

    Returns ids and reasons, each once.
    """
    votes = votes_on_file(project)
    answering = {(vote.problem_id, vote.annotator) for vote in latest(votes)[0]}
    waiting = {
        vote.problem_id: f"{WITHDRAWN} {vote.annotator}"
        for vote in votes
        if vote.withdrawn and (vote.problem_id, vote.annotator) not in answering
    }
    again = []
    for name, reason in sorted(waiting.items()):
        if name not in pushed:
            continue
        task = pushed[name]
        note = str(task["data"].get("note_html", ""))
        if WITHDRAWN not in note and REWRITTEN not in note:
            _note(client, task, WITHDRAWN)
            again.append((name, reason))
    return again


def _note(client: Client, task: dict[str, Any], text: str) -> None:
    """Say a text on top of a task; what was said there before stays below it."""
    note = html_of(text) + str(task["data"].get("note_html", ""))
    task["data"] = task["data"] | {"note_html": note}
    client.update_task(task["id"], task["data"])
