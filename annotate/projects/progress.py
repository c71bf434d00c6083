"""How far a labelling project is: tasks, people, agreement so far, from a snapshot."""

from __future__ import annotations

from statistics import median
from typing import Any

import msgspec

from ...base.display import Display, Table
from ...problem import Vote
from ..votes import Remark, agreement, canonical, latest
from .answers import Given, last_answers, person
from .doubt import in_doubt
from .project import Project
from .pull import gold_of, is_gold, votes_on_file
from .remarks import remarks_of
from .snapshot import AnsweredTask
from .team import NextTask, Pair, pairs_of


class Progress(msgspec.Struct, kw_only=True):
    """One person's part: `gold` is the share of gold tasks answered as the gold has it.

    `gold_low` and `gold_high` bound it (Wilson, 95 %), `seconds` is the median of a task, and
    `untouched` the share of filled-in forms that were submitted as they came.
    """

    answers: int = 0
    refused: int = 0
    skipped: int = 0
    remarks: int = 0
    seconds: float | None = None
    untouched: float | None = None
    gold_tasks: int = 0
    gold: float | None = None
    gold_low: float | None = None
    gold_high: float | None = None
    fast: bool = False  # less than a third of the others' seconds


class Status(Display, msgspec.Struct, kw_only=True):
    """Counts of tasks and people. `done` tasks have all the answers that are wanted.

    `gold_tasks` are those of `push --gold`, and those with an answer that the curator marked as
    ground truth (the star in Label Studio); `hours_left` is the work that the open answers are at
    the median of the seconds so far; `agreement` holds each field's Krippendorff's alpha, None
    below two people an item.
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
    remarks: int
    hours_left: float | None
    people: dict[str, Progress]
    agreement: dict[str, float | None]
    pairs: list[Pair] = []  # of voters, those who differ most first
    written: list[Remark] = []  # the newest first
    next: list[NextTask] = []  # those in doubt first, then those that were started
    seconds: dict[str, dict[str, float]] = {}  # medians, by kind and person

    def headline(self) -> str:
        return f"{self.done} of {self.tasks} tasks done, {self.started} started, {self.open} open"

    def table(self) -> Table:
        header = [
            "annotator",
            "answers",
            "refused",
            "skipped",
            "remarks",
            "seconds",
            "untouched",
            "gold tasks",
            "as gold",
        ]
        return header, [
            [
                name,
                p.answers,
                p.refused,
                p.skipped,
                p.remarks,
                "" if p.seconds is None else f"{p.seconds:.0f}",
                "" if p.untouched is None else f"{p.untouched:.0%}",
                p.gold_tasks,
                _bounded(p),
            ]
            for name, p in self.people.items()
        ]


def _bounded(progress: Progress) -> str:
    if progress.gold is None or progress.gold_low is None:
        return ""
    return f"{progress.gold:.2f} ({progress.gold_low:.2f} to {progress.gold_high:.2f})"


def status_of(
    project: Project,
    rows: list[AnsweredTask],
    answers: list[Given],
    people: dict[int, str],
    curator: str = "",
    url: str = "",
) -> Status:
    """The counts of a snapshot; what the `curator` gave as gold is compared with, not counted.

    `url` is the project's page on the server.
    """
    everybody = last_answers(answers)
    current = [g for g in everybody if not is_gold(g, curator)]
    placed = gold_of(project)
    gold = placed | {g.problem_id: g.votes for g in everybody if g.starred}
    ours = [row for row in rows if row.ours]
    votes: dict[str, list[dict[str, Any]]] = {row.name: [] for row in ours}
    for g in current:
        if not g.reason and g.problem_id in votes:
            votes[g.problem_id].append(g.votes)
    counts = [len(given) for given in votes.values()]
    waiting = [_still_wanted(project, given) for given in votes.values()]
    seconds = [g.seconds for g in current if g.seconds]
    now = _with_pulled(
        project,
        [v for g in current if g.problem_id not in placed for v in g.as_votes()],
    )
    return Status(
        project=str(project.folder),
        kind=project.kind,
        wanted=project.people,
        tasks=len(ours),
        done=sum(not left for left in waiting),
        started=sum(
            bool(left and count) for left, count in zip(waiting, counts, strict=True)
        ),
        open=sum(not count for count in counts),
        skipped=sum(_skips(row) > 0 for row in ours),
        refused=sum(bool(g.reason) for g in current),
        foreign=len(rows) - len(ours),
        gold_tasks=sum(row.name in gold for row in ours),
        remarks=sum(len(g.remarks) for g in current),
        hours_left=round(sum(waiting) * median(seconds) / 3600, 1) if seconds else None,
        people=_people(ours, current, people, gold),
        agreement=alphas(now),
        pairs=pairs_of(now),
        written=sorted(remarks_of(current), key=lambda remark: remark.at, reverse=True),
        next=_next(ours, votes, waiting, url),
    )


def _still_wanted(project: Project, given: list[dict[str, Any]]) -> int:
    """Answers that a task waits for: those of everybody, and one more while it is in doubt."""
    if project.people <= len(given) < project.doubt and in_doubt(given):
        return 1
    return max(0, project.people - len(given))


def _next(
    rows: list[AnsweredTask],
    given: dict[str, list[dict[str, Any]]],
    waiting: list[int],
    url: str,
) -> list[NextTask]:
    """The tasks that wait for answers: in doubt, started, open; each in the server's order."""
    found = []
    numbers = {row.name: row.id for row in rows}
    for (name, answers), left in zip(given.items(), waiting, strict=True):
        if left:
            rank = 0 if len(answers) > 1 and in_doubt(answers) else 1 if answers else 2
            why = f"{('in doubt', 'started', 'open')[rank]}: {left} more"
            at = f"{url}?task={numbers[name]}"
            found.append(
                (rank, NextTask(id=name, answers=len(answers), why=why, url=at))
            )
    return [task for _, task in sorted(found, key=lambda ranked: ranked[0])]


def _skips(row: AnsweredTask) -> int:
    return sum(bool(annotation.was_cancelled) for annotation in row.annotations)


def _people(
    rows: list[AnsweredTask],
    current: list[Given],
    people: dict[int, str],
    gold: dict[str, dict[str, Any]],
) -> dict[str, Progress]:
    given: dict[str, list[Given]] = {}
    for g in current:
        given.setdefault(g.annotator, []).append(g)
    found = {name: _progress(answers, gold) for name, answers in given.items()}
    for row in rows:
        for annotation in row.annotations:
            if annotation.was_cancelled:
                name = person(annotation.completed_by, people)
                found.setdefault(name, Progress()).skipped += 1
    return dict(sorted(found.items()))


def _progress(answers: list[Given], gold: dict[str, dict[str, Any]]) -> Progress:
    """One person's part of the answers; an answer that is the gold itself is not compared."""
    compared = [g for g in answers if g.problem_id in gold and not g.starred]
    right = sum(
        all(
            canonical(g.votes.get(field)) == canonical(value)
            for field, value in gold[g.problem_id].items()
        )
        for g in compared
    )
    seconds = [g.seconds for g in answers if g.seconds]
    filled_in = [g for g in answers if g.prefilled]
    progress = Progress(
        answers=len(answers),
        refused=sum(bool(g.reason) for g in answers),
        remarks=sum(len(g.remarks) for g in answers),
        seconds=median(seconds) if seconds else None,
        gold_tasks=len(compared),
    )
    if filled_in:
        progress.untouched = sum(g.prefilled == "untouched" for g in filled_in) / len(
            filled_in
        )
    if compared:
        progress.gold = right / len(compared)
        progress.gold_low, progress.gold_high = wilson(right, len(compared))
    return progress


def wilson(right: int, n: int) -> tuple[float, float]:
    """The 95 % interval of a share (Wilson 1927).

    >>> [round(bound, 3) for bound in wilson(9, 10)]
    [0.596, 0.982]
    """
    z = 1.959964
    middle = (right + z * z / 2) / (n + z * z)
    half = z / (n + z * z) * (right * (n - right) / n + z * z / 4) ** 0.5
    return middle - half, middle + half


def _with_pulled(project: Project, now: list[Vote]) -> list[Vote]:
    """The votes of now; what was pulled before and is not on the server any more counts, too."""
    pulled = latest(votes_on_file(project))[0]
    there = {(vote.problem_id, vote.field, vote.annotator) for vote in now}
    return now + [
        v for v in pulled if (v.problem_id, v.field, v.annotator) not in there
    ]


def alphas(votes: list[Vote]) -> dict[str, float | None]:
    """Alpha of every field that anybody voted on."""
    fields = sorted({vote.field for vote in votes if vote.value != "pending"})
    return {field: agreement(votes, field).levels[0].alpha for field in fields}
