"""What of a raw row came out nowhere, as readers and stages noted it, see `conservation.py`."""

from __future__ import annotations

from collections.abc import Iterator

from ..problem import Problem
from .rules import Flagged, validator

REMEDY = "look at the raw row; name its columns by fields:, or mend it"


@validator("lost-text", "error", REMEDY, whole=True)
def lost_text(problem: Problem) -> Iterator[Flagged]:
    yield from _noted(problem, "lost-text: ", "exam: text-lost: ")


@validator(
    "lost-formula", "error", "save the page with its formulas' sources", whole=True
)
def lost_formula(problem: Problem) -> Iterator[Flagged]:
    yield from _noted(problem, "lost-formula: ")


@validator("lost-picture", "error", "give the picture as a file", whole=True)
def lost_picture(problem: Problem) -> Iterator[Flagged]:
    yield from _noted(problem, "lost-picture: ")


def _noted(problem: Problem, *starts: str) -> Iterator[Flagged]:
    """The notes of a kind; they begin with the place."""
    for note in problem.notes:
        for start in starts:
            if note.startswith(start):
                where, colon, what = note.removeprefix(start).partition(": ")
                yield (where, what) if colon else ("question", where)
