"""Answers from the server into votes.jsonl: checked, appended, never overwritten."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Sequence
from datetime import timedelta
from itertools import pairwise
from pathlib import Path
from typing import Any

import msgspec

from ...base.display import and_more
from ...base.files import (
    encode,
    locked,
    read_jsonl,
    write_bytes,
    write_jsonl,
)
from ...base.registry import plugged
from ...errors import UserError, nearest
from ...problem import Vote
from ..server import Client, connect, note_version
from ..votes import latest, read_votes, remarks_path
from .answers import (
    NOBODY,
    PersonAnswer,
    RefusedAnswer,
    last_answers,
    person,
    read_answers,
    time_of,
)
from .changes import changes, read_otherwise, rollback_remark, with_authors
from .doubt import ask_more
from .groups import joined
from .people import People, read_people
from .project import (
    Project,
    interface_hash,
    on_server,
    open_project,
    people_of,
    working,
)
from .remarks import (
    CORRECTIONS,
    REMARKS,
    remarks_of,
    remarks_on_skips,
    write_corrections,
)
from .snapshot import AnsweredTask, snapshot
from .uploaded_pictures import take_pictures

MINUTE = timedelta(minutes=1)  # servers that answer at one time may differ by less
REOPENED = "reopened.jsonl"
GOLD = "gold.jsonl"  # known labels
ON_GOLD = "on_gold.jsonl"  # what people gave where labels are known


class Reopened(msgspec.Struct, kw_only=True):
    """A line of reopened.jsonl: an answer that push took off the server to ask its author.

    It was half an answer, or `again` is true: the lead wants to hear this person once more.
    """

    problem_id: str
    annotator: str
    at: str
    again: bool = False


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
    more: list[str]  # tasks that wait for one person more than the server has it
    remarks: list[str] = []


def pull(
    folder: str | Path,
    *,
    server: str | None = None,
    plugins: Sequence[str | Path] = (),
) -> Pulled:
    """Fetch the answers of the project in `folder` into its votes.jsonl.

    Args:
        folder: The project's folder.
        server: The address of a Label Studio, whose token is LABEL_STUDIO_API_KEY, or the folder
            that `serve` uses [default: LABEL_STUDIO_URL].
        plugins: Python file that adds kinds of task: it is run.

    Raises UserError when `folder` is no project, and for what `pull_answers` names.

    Example: `pull("labels/subject").new_votes`
    """
    client, _ = connect(server)
    note_version(client)
    project = open_project(Path(folder))  # a wrong folder is named, not made
    folders = [project.folder / name for name in sorted(project.groups)] or [
        project.folder
    ]
    with plugged(plugins):
        return joined([_pull(folder, client) for folder in folders])


def _pull(folder: Path, client: Client) -> Pulled:
    with working(folder):
        return pull_answers(open_project(folder), client)


def pull_answers(project: Project, client: Client) -> Pulled:
    """Fetch all answers, check them against interface and tree, append what is new to votes.jsonl.

    A vote that its person has deleted, cleared or replaced by no vote since is withdrawn there;
    an answer that somebody else has changed is that person's. Answers that are no votes, or half of
    one, go to refused.jsonl; what people wrote beside
    their votes goes to remarks.jsonl, and their corrections to corrections.yaml; pairs of
    duplicates also give decisions.jsonl. What a
    lead gave as gold is no vote, and neither are answers to the problems of `push --gold`,
    which go to on_gold.jsonl. Votes under another name of a person in `people.yaml` are filed anew.
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
    team = read_people(project.folder)
    leads = team.leads(person(record.get("created_by"), people))
    project.save()
    answers = read_answers(rows, people, kind, tree, interface, team.now)
    for answer in answers:
        answer.group = project.group
        answer.instructions = project.instructions_at(answer.order[1], answer.at)
    on_file = votes_on_file(project)
    renamed = team.filed_anew(on_file)
    on_file += renamed
    if kind.uploads:
        take_pictures(project, client, answers)
    answers = _without_gold(project, with_authors(answers, on_file), leads)
    gold = gold_of(project)
    tasks = {
        (row.name, row.about): row.created_at
        for row in rows
        if row.ours and row.name not in gold  # what was known before it counts on
    }
    # an account may have been made since `people` were asked for
    accounts = {people[number] for number in client.users() if number in people}
    reopened_rows = _reopened(project)
    reopened = {
        (row.problem_id, team.now(row.annotator)): row.at for row in reopened_rows
    }
    new, withdrawals = changes(on_file, answers, tasks, accounts, reopened)
    rollback = rollback_remark(withdrawals, answers)
    if rollback:
        withdrawals = []
    refused = [answer.refusal() for answer in last_answers(answers) if answer.reason]
    append_new(project.folder / "votes.jsonl", renamed + new + withdrawals)
    append_new(project.folder / "refused.jsonl", refused)
    written = [*remarks_of(answers), *remarks_on_skips(rows, people)]
    new_remarks = append_new(project.folder / REMARKS, written) if written else 0
    corrections = write_corrections(project.folder / CORRECTIONS, rows, written)
    on_file = votes_on_file(project)
    if project.recipe_votes:
        append_new(project.folder / project.recipe_votes, on_file)
        append_new(remarks_path(project.folder / project.recipe_votes), written)
    data = {row.name: row.data for row in rows}
    for name, rows_of in kind.tables.items():
        write_jsonl(project.folder / name, rows_of(data, on_file))
    answered = {(answer.problem_id, answer.annotator) for answer in answers}
    out = team.out()
    asked = {
        row.problem_id
        for row in reopened_rows
        if row.again
        and (row.problem_id, team.now(row.annotator)) not in answered
        and team.now(row.annotator) not in out
    }
    more = ask_more(project, client, rows, answers, gold, out, asked)
    under_names = [v for v in on_file if team.now(v.annotator) == v.annotator]
    votes = [vote for vote in under_names if not vote.withdrawn]
    counting, _ = latest(under_names)
    without_withdrawals, superseded = latest(votes)
    return Pulled(
        tasks=len(rows),
        answers=len(answers),
        passed=sum(bool(a.was_cancelled) for row in rows for a in row.annotations),
        new_votes=len(new),
        votes=len(votes),
        superseded=len(superseded),
        withdrawn=len(without_withdrawals) - len(counting),
        refused=refused,
        new_remarks=new_remarks,
        corrections=len(corrections),
        people=dict(sorted(Counter(answer.annotator for answer in answers).items())),
        more=more,
        remarks=[
            *([rollback] if rollback else []),
            *_remarks(project, record, rows, answers, team),
            *(
                f"votes of {name} are on file, whom {team.path} does not name: write whose they "
                "are, `names: [...]`"
                for name in team.strangers(on_file, accounts)
            ),
            *_left_out(counting, team, {*accounts, *(v.annotator for v in on_file)}),
            *_unsure(on_file, answers),
        ],
    )


def _without_gold(
    project: Project, answers: list[PersonAnswer], leads: Collection[str]
) -> list[PersonAnswer]:
    """The answers that are votes; those to problems whose labels are known go to on_gold.jsonl."""
    gold = gold_of(project)
    on_gold: list[Vote] = []
    counted: list[PersonAnswer] = []
    for answer in answers:
        if is_gold(answer, leads):
            continue
        if answer.problem_id in gold:
            on_gold += answer.as_votes()
        else:
            counted.append(answer)
    append_new(project.folder / ON_GOLD, on_gold)
    return counted


def gold_of(project: Project) -> dict[str, dict[str, Any]]:
    """The known labels of `push --gold`: problem -> field -> value."""
    gold: dict[str, dict[str, Any]] = {}
    for vote in _votes_in(project.folder / GOLD):
        gold.setdefault(vote.problem_id, {})[vote.field] = vote.value
    return gold


def is_gold(answer: PersonAnswer, leads: Collection[str]) -> bool:
    """Whether an answer is what others are compared with: a lead's own, with the star."""
    return answer.starred and answer.author in leads


def votes_on_file(project: Project) -> list[Vote]:
    """Every vote ever pulled."""
    return _votes_in(project.folder / "votes.jsonl")


def _votes_in(path: Path) -> list[Vote]:
    return read_votes(path) if path.exists() else []


def _reopened(project: Project) -> list[Reopened]:
    path = project.folder / REOPENED
    return list(read_jsonl(path, Reopened)) if path.exists() else []


def _remarks(
    project: Project,
    record: dict[str, Any],
    rows: list[AnsweredTask],
    answers: list[PersonAnswer],
    team: People,
) -> list[str]:
    """What a curator should know about the project and its answers."""
    remarks = []
    if interface_hash(record["label_config"]) != project.interface:
        remarks.append(
            "the interface was edited on the server; answers are checked against ours"
        )
    edited = [row.name for row in rows if row.ours and row.edited]
    if edited:
        remarks.append(
            f"{', '.join(edited[:5])}{and_more(len(edited), 5)}: somebody has edited the task on "
            "the server, and answers may be on another text; push --yes puts ours back"
        )
    if foreign := sum(not row.ours for row in rows):
        remarks.append(
            f"{foreign} tasks are none of ours: somebody added them in the browser"
        )
    remarks += [
        f"{answer.problem_id}: {answer.annotator} changed {answer.author}'s answer; it counts as "
        f"{answer.annotator}'s"
        for answer in answers
        if answer.annotator != answer.author and not answer.reason
    ]
    if project.group:
        strangers = {answer.annotator for answer in answers} - set(
            map(team.now, project.members)
        )
        remarks += [
            f"{name} is not of group {project.group}; what {name} answers there is the group's"
            for name in sorted(strangers)
        ]
    if example := _clock_ran_back(rows):
        remarks.append(
            f"the server's clock ran back: {example}; answers keep the server's order"
        )
    return remarks


def _left_out(counting: list[Vote], team: People, known: set[str]) -> list[str]:
    """Whose votes on file only the recipe can leave out, and names that nobody has."""
    voters = {vote.annotator for vote in counting}
    remarks = []
    for name, why in team.out().items():
        if name in voters:
            remarks.append(
                f"{name} is left out, and others are asked; the recipe has to say so too: "
                f"`without: {{{name}: {why}}}`"
            )
        elif name not in known:
            remarks.append(
                f"{team.path} leaves out {name}, who has neither an account nor votes: "
                f"{nearest(name, sorted(known))}"
            )
    return remarks


def _unsure(on_file: list[Vote], answers: list[PersonAnswer]) -> list[str]:
    """What has become of votes that nobody took back, and of answers that nobody's account has."""
    remarks = []
    kept = read_otherwise(on_file, answers)
    if kept:
        fields = ", ".join(sorted({vote.field for vote in kept}))
        remarks.append(
            f"{len(kept)} votes ({fields}) are not what their answers are read as by now: has the "
            "kind of task changed? They stay"
        )
    nobodys = sum(answer.annotator == NOBODY for answer in answers)
    if nobodys:
        remarks.append(
            f"{nobodys} answers are of accounts that were deleted before a pull: nobody can tell "
            f"them apart any more, they count as one person's, {NOBODY}"
        )
    return remarks


def _clock_ran_back(rows: list[AnsweredTask]) -> str:
    """The first two annotations of which the later one is dated more than a minute earlier."""
    created = sorted(
        (a.id, a.created_at) for row in rows for a in row.annotations if a.created_at
    )
    for (first, before), (second, after) in pairwise(created):
        if after < before:
            gap = time_of(before) - time_of(after)
            if gap > MINUTE:
                return f"annotation {second} is dated {gap} before annotation {first}"
    return ""


def append_new(path: Path, records: Sequence[Any]) -> int:
    """Add the records that the file does not hold yet; returns how many.

    Old lines stay as they are; the file is replaced whole, so a kill
    leaves either the old or the new one.
    """
    path.parent.mkdir(parents=True, exist_ok=True)
    with locked(path.with_name(f".{path.name}.lock")):
        old = path.read_bytes() if path.exists() else b""
        old_lines = set(old.splitlines())
        lines = dict.fromkeys(map(encode, records))
        new = [line for line in lines if line.rstrip() not in old_lines]
        if old and not old.endswith(b"\n"):
            old += b"\n"  # an editor left the last line without an end
        if new:
            write_bytes(path, old + b"".join(new))
    return len(new)
