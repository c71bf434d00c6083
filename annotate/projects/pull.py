"""Answers from the server into votes.jsonl: checked, appended, never overwritten."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from datetime import timedelta
from itertools import pairwise
from pathlib import Path
from typing import Any

import msgspec

from ...base.files import (
    encode,
    locked,
    path_or_none,
    read_jsonl,
    write_bytes,
    write_jsonl,
)
from ...base.registry import plugged
from ...errors import UserError
from ...problem import Vote
from ..server import Client, connect
from ..votes import latest, read_votes, remarks_path
from .answers import Given, RefusedAnswer, last_answers, person, read_answers, time_of
from .changes import changes, lost, with_authors
from .doubt import ask_more
from .groups import together
from .project import Project, digest, on_server, open_project, people_of, working
from .remarks import CORRECTIONS, REMARKS, remarks_of, write_corrections
from .snapshot import AnsweredTask, snapshot
from .uploaded_pictures import take_pictures

MINUTE = timedelta(
    minutes=1
)  # servers that make answers at one time may differ by less
REOPENED = "reopened.jsonl"
GOLD, ON_GOLD = (
    "gold.jsonl",
    "on_gold.jsonl",
)  # known labels, and what people gave there


class Reopened(msgspec.Struct, kw_only=True):
    """A line of reopened.jsonl: a half answer that push took off the server to ask its author."""

    problem_id: str
    annotator: str
    at: str


class Pulled(msgspec.Struct, kw_only=True):
    """What a pull found. `people` counts the answers that each person has given."""

    tasks: int
    answers: int
    passed: int  # tasks that somebody skipped without an answer
    new_votes: int
    votes: int  # on file now
    superseded: int  # of these, replaced by a later answer of the same person
    withdrawn: int  # of these, taken back on the server since; they stay on file, and do not count
    refused: list[RefusedAnswer]  # of these, what a half answer does give counts
    new_remarks: int  # lines of remarks.jsonl: what people wrote beside their votes
    corrections: int  # entries of corrections.yaml: errata to take
    people: dict[str, int]
    more: list[str]  # tasks in doubt, which one person more is asked
    remarks: list[str] = []


def pull(
    folder: str | Path,
    *,
    url: str | None = None,
    token: str | None = None,
    data: str | Path | None = None,
    plugins: Sequence[str | Path] = (),
) -> Pulled:
    """Fetch the answers of the project in `folder` into its votes.jsonl.

    Args:
        folder: The project's folder.
        url: A Label Studio elsewhere [default: LABEL_STUDIO_URL].
        token: Its token, either kind [default: LABEL_STUDIO_API_KEY, which nobody else sees].
        data: Folder that `serve` uses.
        plugins: Python file that adds kinds of task: it is run.

    Raises UserError when `folder` is no project, and for what `pull_answers` names.

    Example: `pull("labels/subject").new_votes`
    """
    client, _ = connect(url, token, path_or_none(data))
    project = open_project(Path(folder))  # a wrong folder is named, not made
    folders = [project.folder / name for name in sorted(project.groups)] or [
        project.folder
    ]
    with plugged(plugins):
        return together([_pull(folder, client) for folder in folders])


def _pull(folder: Path, client: Client) -> Pulled:
    with working(folder):
        return pull_answers(open_project(folder), client)


def pull_answers(project: Project, client: Client) -> Pulled:
    """Fetch all answers, check them against interface and tree, append what is new to votes.jsonl.

    A vote that its person has deleted, cleared or replaced by no vote since is withdrawn there;
    an answer that somebody else has changed is that person's. Answers that are no votes, or half of
    one, go to refused.jsonl; what people wrote beside
    their votes goes to remarks.jsonl, and their corrections to corrections.yaml; pairs of
    duplicates also give decisions.jsonl. What the
    curator gave as gold is no vote, and neither are answers to the problems of `push --gold`,
    which go to on_gold.jsonl.
    Raises UserError when the server stays away or the project was deleted; votes that are on file
    stay untouched in every case.
    """
    kind, tree, interface = project.load()
    record = on_server(project, client)
    if record is None:
        raise UserError(
            f"{project.folder} was never pushed to {client.url}", "push first"
        )
    rows = snapshot(client, record["id"])
    people = people_of(project, client)
    curator = person(record.get("created_by"), people)
    project.save()
    answers = read_answers(rows, people, kind, tree, interface, project.active_moves())
    for one in answers:
        one.group, one.instructions = (
            project.group,
            project.instructions_at(one.order[1]),
        )
    path, on_file = project.folder / "votes.jsonl", votes_on_file(project)
    if kind.uploads:
        take_pictures(project, client, answers)
    answers = [
        given for given in with_authors(answers, on_file) if not is_gold(given, curator)
    ]
    gold = gold_of(project)
    on_gold = [vote for g in answers if g.problem_id in gold for vote in g.as_votes()]
    append_new(project.folder / ON_GOLD, on_gold)
    answers = [given for given in answers if given.problem_id not in gold]
    asked = {(row.name, row.about) for row in rows if row.ours}
    new, gone = changes(
        on_file, answers, asked, set(people.values()), _reopened(project)
    )
    if restored := lost(gone, answers):
        gone = []
    refused = [given.refusal() for given in last_answers(answers) if given.reason]
    append_new(path, new + gone)
    append_new(project.folder / "refused.jsonl", refused)
    written = remarks_of(answers)
    new_remarks = append_new(project.folder / REMARKS, written) if written else 0
    corrections = write_corrections(project.folder / CORRECTIONS, rows, written)
    on_file = votes_on_file(project)
    if project.recipe_votes:
        append_new(project.folder / project.recipe_votes, on_file)
        append_new(remarks_path(project.folder / project.recipe_votes), written)
    for name, rows_of in kind.tables.items():
        write_jsonl(
            project.folder / name,
            rows_of({row.name: row.data for row in rows}, on_file),
        )
    more = ask_more(project, client, rows, answers)
    votes = [vote for vote in on_file if not vote.withdrawn]
    counting, _ = latest(on_file)
    given, superseded = latest(votes)
    return Pulled(
        tasks=len(rows),
        answers=len(answers),
        passed=sum(bool(a.was_cancelled) for row in rows for a in row.annotations),
        new_votes=len(new),
        votes=len(votes),
        superseded=len(superseded),
        withdrawn=len(given) - len(counting),
        refused=refused,
        new_remarks=new_remarks,
        corrections=len(corrections),
        people=dict(sorted(Counter(given.annotator for given in answers).items())),
        more=more,
        remarks=[
            *([restored] if restored else []),
            *_remarks(project, record, rows, answers),
        ],
    )


def gold_of(project: Project) -> dict[str, dict[str, Any]]:
    """The known labels of `push --gold`: problem -> field -> value."""
    path = project.folder / GOLD
    known: dict[str, dict[str, Any]] = {}
    for vote in read_votes(path) if path.exists() else []:
        known.setdefault(vote.problem_id, {})[vote.field] = vote.value
    return known


def is_gold(given: Given, curator: str) -> bool:
    """Whether an answer is what others are compared with: the curator's own, with the star."""
    return given.starred and given.author == curator


def votes_on_file(project: Project) -> list[Vote]:
    """Every vote ever pulled."""
    path = project.folder / "votes.jsonl"
    return read_votes(path) if path.exists() else []


def _reopened(project: Project) -> dict[tuple[str, str], str]:
    path = project.folder / REOPENED
    rows = read_jsonl(path, Reopened) if path.exists() else []
    return {(row.problem_id, row.annotator): row.at for row in rows}


def _remarks(
    project: Project,
    record: dict[str, Any],
    rows: list[AnsweredTask],
    answers: list[Given],
) -> list[str]:
    """What a curator should know about the project and its answers."""
    remarks = []
    if digest(record["label_config"]) != project.interface:
        remarks.append(
            "the interface was edited on the server; answers are checked against ours"
        )
    if foreign := sum(not row.ours for row in rows):
        remarks.append(
            f"{foreign} tasks are none of ours: somebody added them in the browser"
        )
    remarks += [
        f"{given.problem_id}: {given.annotator} changed {given.author}'s answer; it counts as "
        f"{given.annotator}'s"
        for given in answers
        if given.annotator != given.author and not given.reason
    ]
    if project.group:
        remarks += [
            f"{name} is not of group {project.group}; what {name} answers there is the group's"
            for name in sorted(
                {given.annotator for given in answers} - set(project.members)
            )
        ]
    if back := _clock_ran_back(rows):
        remarks.append(
            f"the server's clock ran back: {back}; answers keep the server's order"
        )
    return remarks


def _clock_ran_back(rows: list[AnsweredTask]) -> str:
    """The first two annotations of which the later one is dated more than a minute earlier."""
    made = sorted(
        (a.id, a.created_at) for row in rows for a in row.annotations if a.created_at
    )
    for (one, before), (other, after) in pairwise(made):
        if after < before and (earlier := time_of(before) - time_of(after)) > MINUTE:
            return f"annotation {other} is dated {earlier} before annotation {one}"
    return ""


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
