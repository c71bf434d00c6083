"""How far a labelling project is: tasks, people, agreement so far, as data and as a page."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from pathlib import Path

import msgspec

from ...base.display import Display, Table
from ...base.files import path_or_none
from ...base.registry import plugged
from ...errors import UserError
from ...pages import Headline, ReportTable, Section, write_page
from ...problem import Vote
from ..server import connect
from ..votes import agreement, latest
from .answers import Given, last_answers, person, read_answers
from .changes import with_authors
from .project import Project, on_server, open_project, people_of
from .pull import votes_on_file
from .snapshot import AnsweredTask, snapshot


class Progress(msgspec.Struct, kw_only=True):
    """One person's part: `gold` is the share of gold tasks answered as the curator did."""

    answers: int = 0
    refused: int = 0
    skipped: int = 0
    gold_tasks: int = 0
    gold: float | None = None


class Status(Display, msgspec.Struct, kw_only=True):
    """Counts of tasks and people. `done` tasks have all the answers that are wanted.

    `gold_tasks` are those with an answer that the curator marked as ground truth (the star in Label
    Studio); `agreement` holds each field's Krippendorff's alpha, None below two people an item.
    """

    project: str
    kind: str
    wanted: int  # answers per task
    tasks: int
    done: int
    started: int
    open: int
    skipped: int
    refused: int
    foreign: int
    gold_tasks: int
    people: dict[str, Progress]
    agreement: dict[str, float | None]

    def headline(self) -> str:
        return f"{self.done} of {self.tasks} tasks done, {self.started} started, {self.open} open"

    def table(self) -> Table:
        header = ["annotator", "answers", "refused", "skipped", "gold tasks", "as gold"]
        return header, [
            [name, p.answers, p.refused, p.skipped, p.gold_tasks,
             "" if p.gold is None else f"{p.gold:.2f}"]
            for name, p in self.people.items()
        ]  # fmt: skip


def status(
    folder: str | Path,
    *,
    url: str | None = None,
    token: str | None = None,
    data: str | Path | None = None,
    out: str | Path | None = None,
    plugins: Sequence[str | Path] = (),
) -> Status:
    """How far the project in `folder` is on its server; nothing is pulled.

    Args:
        folder: The project's folder.
        url: A Label Studio elsewhere [default: LABEL_STUDIO_URL].
        token: Its token, either kind [default: LABEL_STUDIO_API_KEY, which nobody else sees].
        data: Folder that `serve` uses.
        out: Write a page here, too: status.html.
        plugins: Python file that adds kinds of task: it is run.

    Raises UserError when `folder` is no project, or the server has none of it.

    Example: `status("labels/subject").done`
    """
    client, _ = connect(url, token, path_or_none(data))
    project = open_project(Path(folder))
    record = on_server(project, client)
    if record is None:
        raise UserError(f"{folder} was never pushed to {client.url}", "push first")
    with plugged(plugins):
        kind, tree, interface = project.load()
    rows, people = snapshot(client, record["id"]), people_of(project, client)
    answers = read_answers(rows, people, kind, tree, interface, project.active_moves())
    found = status_of(project, rows, with_authors(answers, votes_on_file(project)), people)
    if out is not None:
        write_status(found, Path(out))
    return found


def status_of(
    project: Project, rows: list[AnsweredTask], answers: list[Given], people: dict[int, str]
) -> Status:
    """The counts of a snapshot."""
    current = last_answers(answers)
    given = Counter(g.problem_id for g in current if not g.reason)
    ours = [row for row in rows if row.ours]
    counts = [given[row.name] for row in ours]
    gold = _gold(ours)
    return Status(
        project=str(project.folder),
        kind=project.kind,
        wanted=project.people,
        tasks=len(ours),
        done=sum(count >= project.people for count in counts),
        started=sum(0 < count < project.people for count in counts),
        open=sum(not count for count in counts),
        skipped=sum(_skips(row) > 0 for row in ours),
        refused=sum(bool(g.reason) for g in current),
        foreign=len(rows) - len(ours),
        gold_tasks=len(gold),
        people=_people(ours, current, people, gold),
        agreement=_agreement(project, [vote for g in current for vote in g.as_votes()]),
    )


def _gold(rows: list[AnsweredTask]) -> dict[str, int]:
    """Problem -> the annotation that the curator marked as ground truth."""
    return {
        row.name: annotation.id
        for row in rows
        for annotation in row.annotations
        if annotation.ground_truth
    }


def _skips(row: AnsweredTask) -> int:
    return sum(bool(annotation.was_cancelled) for annotation in row.annotations)


def _people(
    rows: list[AnsweredTask],
    current: list[Given],
    people: dict[int, str],
    gold: dict[str, int],
) -> dict[str, Progress]:
    true = {g.problem_id: g.votes for g in current if gold.get(g.problem_id) == g.order[1]}
    found: dict[str, Progress] = {}
    right: Counter[str] = Counter()
    for g in current:
        progress = found.setdefault(g.annotator, Progress())
        progress.answers += 1
        progress.refused += bool(g.reason)
        if g.problem_id in true and gold[g.problem_id] != g.order[1]:
            progress.gold_tasks += 1
            right[g.annotator] += g.votes == true[g.problem_id]
    for row in rows:
        for annotation in row.annotations:
            if annotation.was_cancelled:
                name = person(annotation.completed_by, people)
                found.setdefault(name, Progress()).skipped += 1
    for name, progress in found.items():
        if progress.gold_tasks:
            progress.gold = right[name] / progress.gold_tasks
    return dict(sorted(found.items()))


def _agreement(project: Project, now: list[Vote]) -> dict[str, float | None]:
    """Alpha of every field that anybody voted on; what was pulled before counts, too."""
    pulled = latest(votes_on_file(project))[0]
    there = {(vote.problem_id, vote.field, vote.annotator) for vote in now}
    votes = now + [v for v in pulled if (v.problem_id, v.field, v.annotator) not in there]
    fields = sorted({vote.field for vote in votes if vote.value != "pending"})
    return {field: agreement(votes, field).levels[0].alpha for field in fields}


def write_status(found: Status, out: Path) -> None:
    """The status as one page."""
    header, rows = found.table()
    alphas = [[field, "n/a" if alpha is None else f"{alpha:.3f}"]
              for field, alpha in found.agreement.items()]  # fmt: skip
    headlines = [
        Headline("done", f"{found.done:,}", f"of {found.tasks:,} tasks"),
        Headline("started", f"{found.started:,}"),
        Headline("open", f"{found.open:,}"),
        Headline("skipped", f"{found.skipped:,}"),
        Headline("to be asked again", f"{found.refused:,}", "refused and half answers"),
    ]
    gold = (
        f"{found.wanted} answers are wanted per task. {found.gold_tasks} gold (control) tasks: "
        "those with an answer that the curator marked as ground truth."
    )
    sections = [
        Section("People", [gold], [ReportTable(list(header), [list(row) for row in rows])]),
        Section("Agreement so far", ["Krippendorff's alpha of each field."],
                [ReportTable(["field", "alpha"], alphas)]),
    ]  # fmt: skip
    write_page(out, f"Labelling: {found.kind}", sections, headlines=headlines)
