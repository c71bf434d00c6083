"""How far a labelling project is: tasks, people, agreement so far, from a snapshot."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterator, Mapping
from operator import attrgetter
from statistics import median
from typing import Any

import msgspec

from ...base.display import Display, Table
from ...problem import Vote
from ..votes import Agreement, Remark, agreement, canonical, latest, value_text
from .answers import PersonAnswer, last_answers, person
from .doubt import in_doubt, wants_one_more
from .project import Project
from .pull import gold_of, is_gold, votes_on_file
from .remarks import remarks_of
from .snapshot import Annotation, AnsweredTask
from .team import NextTask, Pair, hurried, pairs_of, suspicions

NOBODY: Mapping[str, str] = {}
LONG = 60  # characters, from which on a value is no label
VOTE_KEY = attrgetter("problem_id", "field", "annotator")


class Progress(msgspec.Struct, kw_only=True):
    """One person's part: `gold` is the share of gold tasks answered as the gold has it.

    `gold_low` and `gold_high` bound it (Wilson, 95 %), `seconds` is the median of a task, and
    `untouched` the share of filled-in forms that were submitted as they came. `first` and `last`
    are when the first and the last answer were given, `given` counts what they say, the most
    frequent first, and `agrees` is the agreement with the majority of the others, by field.
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
    look: list[str] = []  # what a lead should look at
    first: str = ""
    last: str = ""
    given: dict[str, int] = {}
    agrees: dict[str, float] = {}

    def cells(self) -> list[Any]:
        """The columns of the table of people, behind the name."""
        bounds = ""
        if self.gold is not None and self.gold_low is not None:
            bounds = f"{self.gold:.2f} ({self.gold_low:.2f} to {self.gold_high:.2f})"
        return [
            self.answers,
            self.refused,
            self.skipped,
            self.remarks,
            "" if self.seconds is None else f"{self.seconds:.0f}",
            "" if self.untouched is None else f"{self.untouched:.0%}",
            self.gold_tasks,
            bounds,
            "; ".join(["fast"] * self.fast + self.look),
        ]


class Deal(msgspec.Struct, kw_only=True):
    """A group's part of the tasks, and how much of it nobody of the group has answered."""

    group: str
    people: list[str]
    tasks: int
    open: int


class Status(Display, msgspec.Struct, kw_only=True):
    """Counts of tasks and people. `done` tasks have all the answers that are wanted.

    `gold_tasks` are those of `push --gold`, and those with an answer that a lead marked as
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
    deals: list[Deal] = []  # of groups

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
            "look at",
        ]
        return header, [
            [name, *progress.cells()] for name, progress in self.people.items()
        ]

    def alpha_rows(self) -> list[list[str]]:
        """Each field and its alpha so far."""
        return [
            [field, "n/a" if alpha is None else f"{alpha:.3f}"]
            for field, alpha in self.agreement.items()
        ]


def status_of(
    project: Project,
    rows: list[AnsweredTask],
    answers: list[PersonAnswer],
    people: dict[int, str],
    leads: Collection[str] = (),
    url: str = "",
    out: Mapping[str, str] = NOBODY,
) -> Status:
    """The counts of a snapshot; what one of the `leads` gave as gold is compared with, not counted.

    `url` is the project's page on the server; what those in `out` say does not count (name -> why).
    """
    last = last_answers(answers)
    current = [answer for answer in last if not is_gold(answer, leads)]
    placed_gold = gold_of(project)
    starred = {a.problem_id: a.votes for a in last if is_gold(a, leads)}
    gold = placed_gold | starred
    ours = [row for row in rows if row.ours]
    votes_on: dict[str, list[dict[str, Any]]] = {row.name: [] for row in ours}
    for answer in current:
        if answer.annotator in out or answer.reason:
            continue
        if answer.problem_id in votes_on:
            votes_on[answer.problem_id].append(answer.votes)
    waiting = [_still_wanted(project, votes) for votes in votes_on.values()]
    seconds = _seconds(current)
    counted = [answer for answer in current if answer.problem_id not in placed_gold]
    given = _with_pulled(project, [v for a in counted for v in a.as_votes()])
    votes = [vote for vote in given if vote.annotator not in out]
    by_person = _people(ours, current, people, gold)
    agreements = agreements_of(votes)
    note_agreement(by_person, agreements)
    for name, reasons in suspicions(votes).items():
        if name in by_person:  # a group's answers are nobody's alone
            by_person[name].look = reasons
    length = {row.name: row.characters for row in ours}
    timed = [
        (answer.annotator, answer.seconds or 0.0, length.get(answer.problem_id, 0))
        for answer in current
    ]
    for name, reason in hurried(timed).items():
        by_person[name].look = [*by_person[name].look, reason]
    for name, why in out.items():
        if name in by_person:
            by_person[name].look = [f"left out: {why}"]
    return Status(
        project=str(project.folder),
        kind=project.kind,
        wanted=project.people,
        tasks=len(ours),
        done=waiting.count(0),
        started=sum(
            bool(left and answered)
            for left, answered in zip(waiting, votes_on.values(), strict=True)
        ),
        open=list(votes_on.values()).count([]),
        skipped=sum(bool(_skips(row)) for row in ours),
        refused=sum(bool(answer.reason) for answer in current),
        foreign=len(rows) - len(ours),
        gold_tasks=sum(row.name in gold for row in ours),
        remarks=sum(len(answer.remarks) for answer in current),
        hours_left=round(sum(waiting) * median(seconds) / 3600, 1) if seconds else None,
        people=by_person,
        agreement=alphas(agreements),
        pairs=pairs_of(votes),
        written=sorted(remarks_of(current), key=attrgetter("at"), reverse=True),
        next=_next(ours, votes_on, waiting, url),
    )


def _still_wanted(project: Project, votes: list[dict[str, Any]]) -> int:
    """Answers that a task waits for: those of everybody, and one more while it is in doubt."""
    if wants_one_more(project, votes):
        return 1
    return max(0, project.people - len(votes))


def _next(
    rows: list[AnsweredTask],
    votes_on: dict[str, list[dict[str, Any]]],
    waiting: list[int],
    url: str,
) -> list[NextTask]:
    """The tasks that wait for answers: in doubt, started, open; each in the server's order."""
    numbers = {row.name: row.id for row in rows}
    by_state: dict[str, list[NextTask]] = {"in doubt": [], "started": [], "open": []}
    for (name, votes), left in zip(votes_on.items(), waiting, strict=True):
        if not left:
            continue
        state = "started" if votes else "open"
        if len(votes) > 1 and in_doubt(votes):
            state = "in doubt"
        by_state[state].append(
            NextTask(
                id=name,
                answers=len(votes),
                why=f"{state}: {left} more",
                url=f"{url}?task={numbers[name]}",
            )
        )
    return [task for tasks in by_state.values() for task in tasks]


def _skips(row: AnsweredTask) -> list[Annotation]:
    return [annotation for annotation in row.annotations if annotation.was_cancelled]


def _seconds(answers: list[PersonAnswer]) -> list[float]:
    return [answer.seconds for answer in answers if answer.seconds]


def _people(
    rows: list[AnsweredTask],
    answers: list[PersonAnswer],
    people: dict[int, str],
    gold: dict[str, dict[str, Any]],
) -> dict[str, Progress]:
    answers_of: dict[str, list[PersonAnswer]] = {}
    for answer in answers:
        answers_of.setdefault(answer.annotator, []).append(answer)
    progress = {name: _progress(part, gold) for name, part in answers_of.items()}
    for row in rows:
        for annotation in _skips(row):
            name = person(annotation.completed_by, people)
            progress.setdefault(name, Progress()).skipped += 1
    return dict(sorted(progress.items()))


def _progress(answers: list[PersonAnswer], gold: dict[str, dict[str, Any]]) -> Progress:
    """One person's part of the answers; an answer that is the gold itself is not compared."""
    compared = [a for a in answers if a.problem_id in gold and not a.starred]
    seconds = _seconds(answers)
    progress = Progress(
        answers=len(answers),
        refused=sum(bool(answer.reason) for answer in answers),
        remarks=sum(len(answer.remarks) for answer in answers),
        seconds=median(seconds) if seconds else None,
        gold_tasks=len(compared),
        first=min((answer.at for answer in answers), default=""),
        last=max((answer.at for answer in answers), default=""),
        given=dict(Counter(_said(answers)).most_common()),
    )
    prefilled = [answer.prefilled for answer in answers if answer.prefilled]
    if prefilled:
        progress.untouched = prefilled.count("untouched") / len(prefilled)
    if compared:
        right = sum(_as_gold(answer, gold[answer.problem_id]) for answer in compared)
        progress.gold = right / len(compared)
        progress.gold_low, progress.gold_high = wilson(right, len(compared))
    return progress


def _said(answers: list[PersonAnswer]) -> Iterator[str]:
    """What answers say, a text a field; written texts and drawings are no answer of a list."""
    for answer in answers:
        for field, value in answer.votes.items():
            text = value_text(value)
            if len(text) <= LONG:
                yield f"{field}: {text}"


def _as_gold(answer: PersonAnswer, gold: dict[str, Any]) -> bool:
    return all(
        canonical(answer.votes.get(field)) == canonical(value)
        for field, value in gold.items()
    )


def wilson(right: int, n: int) -> tuple[float, float]:
    """The 95 % interval of a share (Wilson 1927).

    >>> [round(bound, 3) for bound in wilson(9, 10)]
    [0.596, 0.982]
    """
    z = 1.959964
    middle = (right + z * z / 2) / (n + z * z)
    half = z / (n + z * z) * (right * (n - right) / n + z * z / 4) ** 0.5
    return max(0.0, middle - half), min(1.0, middle + half)


def _with_pulled(project: Project, votes: list[Vote]) -> list[Vote]:
    """The votes of now; what was pulled before and is not on the server any more counts, too."""
    pulled, _ = latest(votes_on_file(project))
    keys = set(map(VOTE_KEY, votes))
    return votes + [vote for vote in pulled if VOTE_KEY(vote) not in keys]


def agreements_of(votes: list[Vote]) -> dict[str, Agreement]:
    """The agreement on every field that anybody voted on."""
    fields = sorted({vote.field for vote in votes if vote.value != "pending"})
    return {field: agreement(votes, field) for field in fields}


def alphas(agreements: Mapping[str, Agreement]) -> dict[str, float | None]:
    """Alpha of every field."""
    return {field: found.levels[0].alpha for field, found in agreements.items()}


def note_agreement(
    people: Mapping[str, Progress], agreements: Mapping[str, Agreement]
) -> None:
    """Say of each person how often the majority of the others says the same."""
    for name, progress in people.items():
        for field, found in agreements.items():
            share = found.by_annotator.get(name, {}).get("with_the_others")
            if share is not None:
                progress.agrees[field] = share
