"""Answers from the server into votes.jsonl: checked, appended, never overwritten."""

from __future__ import annotations

import time
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import msgspec

from ...errors import UserError
from ...files import encode, locked, path_or_none, write_bytes, write_jsonl
from ...problem import Vote
from ...taxonomy import Tree
from ..kinds import Kind, TaskAnswer, controls_of
from ..server import Client, Fault, Missing, connect, names
from ..votes import latest, read_votes
from .duplicate_decisions import decisions_of
from .project import Project, digest, on_server, open_project

SNAPSHOT_SECONDS = 600.0
ATTEMPTS = 5


class RefusedAnswer(msgspec.Struct, kw_only=True):
    """An answer that is no vote, as it was given, and why."""

    problem_id: str
    annotator: str
    at: str
    reason: str
    results: list[Any]


class Pulled(msgspec.Struct, kw_only=True):
    """What a pull found. `people` counts the answers that each person has given."""

    tasks: int
    answers: int
    passed: int  # tasks that somebody skipped without an answer
    new_votes: int
    votes: int  # on file now
    superseded: int  # of these, replaced by a later answer of the same person
    withdrawn: int  # of these, taken back on the server since; they stay on file, and do not count
    refused: list[RefusedAnswer]
    people: dict[str, int]
    remarks: list[str] = []


def pull(
    folder: str | Path,
    *,
    url: str | None = None,
    token: str | None = None,
    data: str | Path | None = None,
) -> Pulled:
    """Fetch the answers of the project in `folder` into its votes.jsonl.

    The server is the one at `url`, or the one that `serve` keeps in `data`. Raises UserError when
    `folder` is no project, and for what `pull_answers` names.

    Example: `pull("labels/subject").new_votes`
    """
    client, _ = connect(url, token, path_or_none(data))
    return pull_answers(open_project(Path(folder)), client)


def pull_answers(project: Project, client: Client) -> Pulled:
    """Fetch all answers, check them against interface and tree, append what is new to votes.jsonl.

    A vote that its person has deleted, cleared or replaced by no vote since is withdrawn there.
    Answers that are no votes go to refused.jsonl; pairs of duplicates also give decisions.jsonl.
    Raises UserError when the server stays away or the project was deleted; votes that are on file
    stay untouched in every case.
    """
    kind, tree, interface = project.load()
    record = on_server(project, client)
    if record is None:
        raise UserError(f"{project.folder} was never pushed to {client.url}", "push first")
    remarks = []
    if digest(record["label_config"]) != project.interface:
        remarks.append("the interface was edited on the server; answers are checked against ours")
    rows = snapshot(client, record["id"])
    people = names(client)
    read = _read(rows, people, kind, tree, controls_of(interface))
    path = project.folder / "votes.jsonl"
    new = append_new(path, sorted(read.votes, key=lambda v: (v.at, v.problem_id, v.field)))
    append_new(project.folder / "refused.jsonl", read.refused)
    on_file = read_votes(path) if path.exists() else []
    gone = _withdrawn(on_file, read.votes, rows, set(people.values()))
    append_new(path, gone)
    on_file += gone
    if project.recipe_votes:
        append_new(project.folder / project.recipe_votes, on_file)
    if project.kind == "duplicates":
        pairs = {str(row["data"].get("id")): row["data"] for row in rows}
        write_jsonl(project.folder / "decisions.jsonl", decisions_of(pairs, on_file))
    votes = [vote for vote in on_file if not vote.withdrawn]
    counting, _ = latest(on_file)
    given, superseded = latest(votes)
    return Pulled(
        tasks=len(rows),
        answers=sum(read.people.values()),
        passed=read.passed,
        new_votes=new,
        votes=len(votes),
        superseded=len(superseded),
        withdrawn=len(given) - len(counting),
        refused=read.refused,
        people=dict(sorted(read.people.items())),
        remarks=remarks,
    )


def _withdrawn(
    on_file: list[Vote], now: list[Vote], rows: list[dict[str, Any]], people: set[str]
) -> list[Vote]:
    """Withdrawals of the people's votes that their tasks no longer hold.

    Votes of models, of people elsewhere, on tasks that are gone and on other texts are not ours
    to withdraw. The time is the vote's: no clock decides, and a second pull adds nothing.
    """
    asked = {(str(row["data"].get("id")), _about(row)) for row in rows}
    there = {(vote.problem_id, vote.field, vote.annotator) for vote in now}
    return [
        msgspec.structs.replace(vote, withdrawn=True)
        for vote in latest(on_file)[0]
        if vote.kind == "human"
        and vote.annotator in people
        and (vote.problem_id, vote.about) in asked
        and (vote.problem_id, vote.field, vote.annotator) not in there
    ]


def _about(row: dict[str, Any]) -> str:
    return str((row.get("data") or {}).get("about") or "")


class _Read(msgspec.Struct):
    votes: list[Vote] = []
    refused: list[RefusedAnswer] = []
    people: dict[str, int] = {}
    passed: int = 0


def _read(
    rows: list[dict[str, Any]],
    people: dict[int, str],
    kind: Kind,
    tree: Tree | None,
    controls: dict[str, list[str] | None],
) -> _Read:
    """Every annotation of a snapshot as votes, or as a refusal."""
    read = _Read()
    for row in rows:
        for annotation in row.get("annotations") or []:
            if annotation.get("was_cancelled"):
                read.passed += 1
                continue
            who = annotation.get("completed_by")
            number = who.get("id") if isinstance(who, dict) else who
            person = people.get(int(number or 0), f"user {number}")
            read.people[person] = read.people.get(person, 0) + 1
            at = str(annotation.get("updated_at") or annotation.get("created_at") or "")
            answer = TaskAnswer(row.get("data") or {}, annotation.get("result") or [], tree)
            problem_id = str(answer.data.get("id", ""))
            try:
                if not problem_id:
                    raise UserError("the task has no id of ours", "it was added by hand")
                answer.check(controls)
                read.votes += [
                    Vote(problem_id=problem_id, field=field, value=value, annotator=person, at=at,
                         about=_about(row))
                    for field, value in sorted(kind.read(answer).items())
                ]  # fmt: skip
            except (UserError, LookupError, TypeError, ValueError, AttributeError) as error:
                reason = str(error) if isinstance(error, UserError) else f"damaged: {error!r}"
                read.refused.append(
                    RefusedAnswer(problem_id=problem_id, annotator=person, at=at, reason=reason,
                            results=answer.results)
                )  # fmt: skip
    return read


def append_new(path: Path, records: Sequence[Any]) -> int:
    """Add the records that the file does not hold yet; returns how many.

    Old lines stay as they are; the file is replaced whole, so a kill
    leaves either the old or the new one.
    """
    path.parent.mkdir(parents=True, exist_ok=True)
    with locked(path.with_name(f".{path.name}.lock")):
        old = path.read_bytes() if path.exists() else b""
        known = set(old.splitlines(keepends=True))
        lines = dict.fromkeys(map(encode, records))
        new = [line for line in lines if line not in known]
        if new:
            write_bytes(path, old + b"".join(new))
    return len(new)


def snapshot(client: Client, number: int) -> list[dict[str, Any]]:
    """All tasks of a project with their annotations, as one export of the server."""
    for _ in range(ATTEMPTS):
        try:
            made = client.post(f"/api/projects/{number}/exports/", {"title": "benchwright"})
            path = f"/api/projects/{number}/exports/{made['id']}"
            end = time.monotonic() + SNAPSHOT_SECONDS
            while made["status"] not in ("completed", "failed") and time.monotonic() < end:
                time.sleep(0.5)
                made = client.get(path)
            if made["status"] != "completed":
                continue
            data = client.get_bytes(f"{path}/download", exportType="JSON")
            rows: list[dict[str, Any]] = msgspec.json.decode(data)
            client.delete(path)
            return rows
        except (Fault, Missing, msgspec.DecodeError):
            client.wait()  # a restarted server may have lost the export: make another
    raise UserError(f"{client.url} gave no export in {ATTEMPTS} attempts", "see the server's log")
