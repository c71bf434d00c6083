"""From problems and what a kind of task needs beside them to tasks."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from pathlib import Path

from ...errors import UserError
from ...problem import Problem, Vote
from ...taxonomy import Tree
from ..kinds import Kind, Material, Task
from ..votes import PENDING, canonical, latest, read_votes, value_text


def tasks_of(
    kind: Kind,
    tree: Tree | None,
    problems: Iterable[Problem],
    suggestions: Path | None = None,
    responses: Path | None = None,
    pairs: Path | None = None,
    show_advice: bool = False,
    prefill: bool = False,
) -> list[Task]:
    """The tasks of a kind.

    Where models advise, the tasks on which they disagree most come first.

    Raises UserError naming the tree or file that the kind needs, and ids that are not in
    `problems`.
    """
    kind.want_tree(tree is not None)
    files = {"suggestions": suggestions, "responses": responses, "pairs": pairs}
    file = files.get(kind.needs)
    if kind.needs and file is None:
        raise UserError(
            f"tasks of kind {kind.name!r} need --{kind.needs}", "give that file"
        )
    advice = _advice(suggestions, kind, tree) if suggestions else {}
    notes = {}
    if show_advice:
        notes = {key: _note(votes) for key, votes in advice.items()}
    material = Material(
        problems={problem.id: problem for problem in problems},
        tree=tree,
        file=file or Path(),
        advice=advice,
        notes=notes,
        prefill=prefill,
    )
    tasks = kind.tasks_of(material)
    return sorted(tasks, key=lambda task: -_doubt(advice.get(task.id, [])))


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
