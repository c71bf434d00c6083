"""A team: who disagrees with whom on what, who hurries, what comes next."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Mapping
from itertools import combinations
from pathlib import Path
from statistics import median
from typing import Any

import msgspec

from ...problem import Vote
from ..votes import PENDING, canonical, ratings_of, value_text
from .project import open_project
from .pull import votes_on_file

FAST = 1 / 3  # of the others' median: the usual rule for speeders in surveys
READ = (
    60  # characters a second: adults read 20 to 30 (Brysbaert 2019: 238 words a minute)
)
ENOUGH = 10  # items, before one person's votes say something of the person
NEARLY_ALL = 0.9  # of a person's votes are one answer
MOST_VALUES = 3  # on which two people differ, as a pair names them


class Pair(msgspec.Struct, kw_only=True, frozen=True):
    """Two voters on one field: items of both, how many differ, and on which values most."""

    field: str
    one: str
    other: str
    items: int
    differ: int
    most: list[tuple[str, str, int]]  # value of one, of the other, how often


class NextTask(msgspec.Struct, kw_only=True, frozen=True):
    """A task that waits for answers, and its page on the server."""

    id: str
    answers: int
    why: str
    url: str


def pairs_of(votes: Iterable[Vote]) -> list[Pair]:
    """Who disagrees with whom on what, those who differ most first; passing is not disagreeing.

    >>> votes = [Vote(problem_id="p", field="f", value=v, annotator=v) for v in "ab"]
    >>> [(pair.differ, pair.most) for pair in pairs_of(votes)]
    [(1, [('a', 'b', 1)])]
    """
    by_field: dict[str, list[Vote]] = defaultdict(list)
    for vote in votes:
        if vote.value != PENDING:
            by_field[vote.field].append(vote)
    pairs = [pair for field in by_field for pair in _pairs(field, by_field[field])]
    return sorted(
        pairs, key=lambda pair: (-pair.differ / pair.items, pair.field, pair.one)
    )


def _pairs(field: str, votes: list[Vote]) -> Iterator[Pair]:
    items: Counter[tuple[str, str]] = Counter()
    differences: dict[tuple[str, str], Counter[tuple[str, str]]] = defaultdict(Counter)
    for ratings in ratings_of(votes).values():
        for voters in combinations(sorted(ratings), 2):
            items[voters] += 1
            a, b = (ratings[voter] for voter in voters)
            if canonical(a) != canonical(b):
                differences[voters][value_text(a), value_text(b)] += 1
    for voters, count in items.items():
        counts = differences[voters]
        ranked = sorted(counts.items(), key=lambda item: (-item[1], item[0]))
        yield Pair(
            field=field,
            one=voters[0],
            other=voters[1],
            items=count,
            differ=counts.total(),
            most=[(a, b, times) for (a, b), times in ranked[:MOST_VALUES]],
        )


def speeders(seconds: Mapping[str, float]) -> set[str]:
    """Those who take less than a third of what the others take for a task.

    >>> speeders({"anna": 38, "ben": 41, "chris": 9})
    {'chris'}
    """
    fast = set()
    for name, mine in seconds.items():
        others = [theirs for other, theirs in seconds.items() if other != name]
        if others and mine < FAST * median(others):
            fast.add(name)
    return fast


def hurried(answers: Iterable[tuple[str, float, int]]) -> dict[str, str]:
    """Who gave half of the answers in less time than a text needs to be read at all.

    `answers` are people, seconds, and characters of what was shown.

    >>> hurried([("chris", 1.5, 300)] * 10 + [("anna", 20.0, 300)] * 10)
    {'chris': '100% of the texts cannot be read so quickly'}
    """
    too_quick: dict[str, list[bool]] = defaultdict(list)
    for name, seconds, characters in answers:
        if seconds and characters:
            too_quick[name].append(characters > READ * seconds)
    return {
        name: f"{sum(quick) / len(quick):.0%} of the texts cannot be read so quickly"
        for name, quick in sorted(too_quick.items())
        if len(quick) >= ENOUGH and 2 * sum(quick) >= len(quick)
    }


def suspicions(votes: Iterable[Vote]) -> dict[str, list[str]]:
    """What a lead should look at, by person: one answer to nearly all, agreement as if by chance.

    Only people with votes on `ENOUGH` items that others answered, too, are judged.
    """
    by_field: dict[str, list[Vote]] = defaultdict(list)
    for vote in votes:
        if vote.value not in (PENDING, None) and vote.kind == "human":
            by_field[vote.field].append(vote)
    reasons: dict[str, list[str]] = defaultdict(list)
    for field, cast in sorted(by_field.items()):
        ratings = ratings_of(cast)
        for name in sorted({vote.voter for vote in cast}):
            mine = {p: given[name] for p, given in ratings.items() if name in given}
            others = {
                p: [value for who, value in ratings[p].items() if who != name]
                for p in mine
            }
            shared = [p for p in mine if others[p]]
            if len(shared) >= ENOUGH:
                reasons[name] += _reasons(field, shared, mine, others)
    return dict(reasons)


def _reasons(
    field: str,
    shared: list[str],
    mine: Mapping[str, Any],
    others: Mapping[str, list[Any]],
) -> Iterator[str]:
    """Why one person's votes on a field should be looked at."""
    given = Counter(canonical(mine[problem]) for problem in shared)
    theirs = Counter(
        canonical(value) for problem in shared for value in others[problem]
    )
    [(most, times)] = given.most_common(1)
    share = times / len(shared)
    if share >= NEARLY_ALL and theirs[most] / theirs.total() < share / 2:
        value = next(v for v in mine.values() if canonical(v) == most)
        yield f"{field}: {share:.0%} {value_text(value)}"
    agreeing = sum(
        sum(canonical(value) == canonical(mine[problem]) for value in others[problem])
        / len(others[problem])
        for problem in shared
    ) / len(shared)
    chance = sum(
        count / len(shared) * theirs[value] / theirs.total()
        for value, count in given.items()
    )
    if (
        agreeing <= chance < NEARLY_ALL
    ):  # where nearly all is one answer, chance explains it
        yield f"{field}: agrees with others no more than by chance"


def seconds_by_kind(folder: Path) -> dict[str, dict[str, float]]:
    """The median seconds a task took each person, by kind: of the projects beside `folder`."""
    medians: dict[str, dict[str, float]] = {}
    for path in sorted(folder.parent.glob("*/project.json")):
        project = open_project(path.parent)
        seconds: dict[str, dict[str, float]] = defaultdict(dict)
        for vote in votes_on_file(project):
            if vote.seconds:
                seconds[vote.annotator][vote.problem_id] = vote.seconds
        by_person = medians.setdefault(project.kind, {})
        for name, by_task in sorted(seconds.items()):
            by_person[name] = median(by_task.values())
    return medians
