"""votes.jsonl: every opinion ever given, in order; the latest of a person counts."""

from __future__ import annotations

import unicodedata
from collections.abc import Callable, Iterable, Mapping
from operator import attrgetter
from pathlib import Path
from typing import Any

from ...base.files import read_jsonl
from ...problem import Vote

PENDING = "pending"  # unsure: an abstention, for the adjudicators
VoteKey = tuple[str, str, str]  # problem, field, voter


def read_votes(path: Path) -> list[Vote]:
    """All votes of a file. Raises UserError naming file and line for a damaged one."""
    return list(read_jsonl(path, Vote))


def spelled(name: str) -> str:
    """A person's name, whichever way its letters with accents are stored.

    >>> spelled("Zoe\u0308") == "Zo\u00eb"
    True
    """
    return unicodedata.normalize("NFC", name)


def abstains(vote: Vote) -> bool:
    """Whether a vote names no value."""
    return vote.value in (PENDING, None)


def without_abstentions(votes: Iterable[Vote]) -> list[Vote]:
    return [vote for vote in votes if not abstains(vote)]


def ratings_of(votes: Iterable[Vote]) -> dict[str, dict[str, Any]]:
    """Problem -> voter -> value, of votes on one field.

    >>> ratings_of([Vote(problem_id="p", field="f", value="x", annotator="a")])
    {'p': {'a': 'x'}}
    """
    ratings: dict[str, dict[str, Any]] = {}
    for vote in votes:
        ratings.setdefault(vote.problem_id, {})[vote.voter] = vote.value
    return ratings


def value_text(value: Any) -> str:
    """A vote's value in a line.

    >>> value_text(["Area of Circles", "Rotation"])
    'Area of Circles, Rotation'
    """
    return ", ".join(map(str, value)) if isinstance(value, list) else str(value)


def on_one_text(
    votes: Iterable[Vote], hashes: Mapping[str, str] | None = None
) -> tuple[list[Vote], list[Vote]]:
    """The votes of one field that are about what stands there now, and those that are stale.

    `hashes` say what does (problem -> hash, see `base/about.py`); without them, it is what the
    last vote on the problem was given for. Votes that do not say for what are never stale.

    >>> old = Vote(problem_id="p", field="f", value=1, annotator="a", at="2026-01-01", about="x")
    >>> new = Vote(problem_id="p", field="f", value=2, annotator="b", at="2026-01-02", about="y")
    >>> [vote.value for vote in on_one_text([new, old])[0]]
    [2]
    """
    in_order = list(votes)
    if hashes is None:
        by_time = sorted(in_order, key=attrgetter("at"))
        hashes = {vote.problem_id: vote.about for vote in by_time if vote.about}
    current: list[Vote] = []
    stale: list[Vote] = []
    for vote in in_order:
        if vote.about in ("", hashes.get(vote.problem_id, vote.about)):
            current.append(vote)
        else:
            stale.append(vote)
    return current, stale


def latest(
    votes: Iterable[Vote], of: Callable[[Vote], str] = attrgetter("voter")
) -> tuple[list[Vote], list[Vote]]:
    """The votes that count, and those that a later answer, or a withdrawal, of the voter undid.

    A voter is a group of people, or a person; `of` may tell people apart within groups. Later is a
    later `at`; where times are equal, the later line. Both lists keep file order.

    >>> old = Vote(problem_id="p", field="subject", value="logic", annotator="a", at="2026-01-01")
    >>> new = Vote(problem_id="p", field="subject", value="algebra", annotator="a", at="2026-01-02")
    >>> [v.value for v in latest([new, old])[0]]
    ['algebra']
    """
    in_order = list(votes)
    last: dict[VoteKey, int] = {}
    for k, vote in enumerate(in_order):
        key = (vote.problem_id, vote.field, of(vote))
        if key not in last or vote.at >= in_order[last[key]].at:
            last[key] = k
    positions = {k for k in last.values() if not in_order[k].withdrawn}
    counting: list[Vote] = []
    undone: list[Vote] = []
    for k, vote in enumerate(in_order):
        if k in positions:
            counting.append(vote)
        else:
            undone.append(vote)
    return counting, undone
