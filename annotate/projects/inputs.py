"""From problems and what a kind of task needs beside them to tasks."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from pathlib import Path
from typing import Literal

from ...errors import UserError
from ...problem import Problem, Vote
from ...taxonomy import Tree
from ..kinds import Kind, Material, Task
from ..votes import PENDING, canonical, latest, read_votes, value_text


def tasks_of(
    kind: Kind,
    tree: Tree | None,
    problems: Iterable[Problem],
    material: Path | None = None,
    advice: Literal["shown", "marked"] | None = None,
) -> list[Task]:
    """The tasks of a kind.

    Where models advise, the tasks on which they disagree most come first.

    Raises UserError naming the tree or file that the kind needs, and ids that are not in
    `problems`.
    """
    kind.want_tree(tree is not None)
    if kind.needs and material is None:
        raise UserError(
            f"tasks of kind {kind.name!r} need {kind.needs}", "give them by --material"
        )
    votes: dict[str, list[Vote]] = {}
    if material is not None and kind.needs in ("", "suggestions"):
        votes = _advice(material, kind, tree)
    notes = {}
    if advice == "shown":
        notes = {key: _note(given) for key, given in votes.items()}
    tasks = kind.tasks_of(
        Material(
            problems={problem.id: problem for problem in problems},
            tree=tree,
            file=material or Path(),
            advice=votes,
            notes=notes,
            prefill=advice == "marked",
        )
    )
    return sorted(tasks, key=lambda task: -_doubt(votes.get(task.id, [])))


def _advice(path: Path, kind: Kind, tree: Tree | None) -> dict[str, list[Vote]]:
    """The models' latest votes on what the kind asks for, by problem."""
    field = kind.field
    if tree is not None and field not in tree.scales:
        field = tree.field
    by_problem: dict[str, list[Vote]] = {}
    for vote in latest(read_votes(path))[0]:
        if vote.kind == "model" and vote.field == field:
            by_problem.setdefault(vote.problem_id, []).append(vote)
    return by_problem


def _doubt(votes: list[Vote]) -> float:
    """The share of the models' votes that are not the commonest one, or unsure."""
    if not votes:
        return 0.0
    counts = Counter(canonical(vote.value) for vote in votes if vote.value != PENDING)
    return 1 - max(counts.values(), default=0) / len(votes)


def _note(votes: list[Vote]) -> str:
    return "\n".join(
        f"{vote.annotator} says: {value_text(vote.value)}" for vote in votes
    )
