"""A team: who disagrees with whom on what, who hurries, what comes next."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping
from itertools import combinations
from pathlib import Path
from statistics import median

import msgspec

from ...problem import Vote
from ..votes import PENDING, canonical, value_text
from .project import open_project
from .pull import votes_on_file

FAST = 1 / 3  # of the others' median: the usual rule for speeders in surveys


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

    >>> one, other = (Vote(problem_id="p", field="f", value=v, annotator=v) for v in "ab")
    >>> [(pair.differ, pair.most) for pair in pairs_of([one, other])]
    [(1, [('a', 'b', 1)])]
    """
    items: dict[tuple[str, str], dict[str, object]] = defaultdict(dict)
    for vote in votes:
        if vote.value != PENDING:
            items[vote.field, vote.problem_id][vote.voter] = vote.value
    both: Counter[tuple[str, str, str]] = Counter()
    values: dict[tuple[str, str, str], Counter[tuple[str, str]]] = defaultdict(Counter)
    for (field, _), given in items.items():
        for one, other in combinations(sorted(given), 2):
            both[field, one, other] += 1
            if canonical(given[one]) != canonical(given[other]):
                said = value_text(given[one]), value_text(given[other])
                values[field, one, other][said] += 1
    pairs = [
        Pair(
            field=key[0],
            one=key[1],
            other=key[2],
            items=n,
            differ=values[key].total(),
            most=[
                (*said, k) for said, k in sorted(values[key].items(), key=_often)[:3]
            ],
        )
        for key, n in both.items()
    ]
    return sorted(
        pairs, key=lambda pair: (-pair.differ / pair.items, pair.field, pair.one)
    )


def _often(counted: tuple[tuple[str, str], int]) -> tuple[int, tuple[str, str]]:
    return -counted[1], counted[0]


def speeders(seconds: Mapping[str, float]) -> set[str]:
    """Those who take less than a third of what the others take for a task.

    >>> speeders({"anna": 38, "ben": 41, "chris": 9})
    {'chris'}
    """
    return {
        name
        for name, own in seconds.items()
        if (others := [taken for n, taken in seconds.items() if n != name])
        and own < FAST * median(others)
    }


def seconds_by_kind(folder: Path) -> dict[str, dict[str, float]]:
    """The median seconds a task took each person, by kind: of the projects beside `folder`."""
    found: dict[str, dict[str, float]] = {}
    for path in sorted(folder.parent.glob("*/project.json")):
        project = open_project(path.parent)
        taken: dict[str, dict[str, float]] = defaultdict(dict)
        for vote in votes_on_file(project):
            if vote.seconds:
                taken[vote.annotator][vote.problem_id] = vote.seconds
        medians = {
            name: median(by_task.values()) for name, by_task in sorted(taken.items())
        }
        found[project.kind] = found.get(project.kind, {}) | medians
    return found
