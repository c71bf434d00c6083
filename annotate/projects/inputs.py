"""From problems and what a kind of task needs beside them to tasks."""

from __future__ import annotations

from collections import Counter
from pathlib import Path
from typing import Any

from ...base.pictures import picture_root
from ...errors import UserError
from ...problem import Vote, shown_images
from ...release import read_problem_file
from ...taxonomy import Tree
from ..kinds import Material, Task
from ..votes import PENDING, canonical, latest, read_votes
from .project import Project


def tasks_of(
    project: Project,
    problems: Path,
    images: Path | None = None,
    suggestions: Path | None = None,
    responses: Path | None = None,
    pairs: Path | None = None,
    show_advice: bool = False,
    prefill: bool = False,
) -> tuple[list[Task], Path | None]:
    """The tasks of a project's kind, and the folder of their pictures.

    Where models advise, the tasks on which they disagree most come first.

    Raises UserError naming the file that the kind needs, and ids that are not in `problems`.
    """
    kind, tree, _ = project.load()
    file = {"suggestions": suggestions, "responses": responses, "pairs": pairs}.get(kind.needs)
    if kind.needs and file is None:
        raise UserError(f"tasks of kind {kind.name!r} need --{kind.needs}", "give that file")
    by_id = {problem.id: problem for problem in read_problem_file(problems)}
    root = images or picture_root(
        problems, (image for p in by_id.values() for image in shown_images(p))
    )
    advice = _advice(suggestions, tree) if suggestions else {}
    material = Material(
        problems=by_id,
        tree=tree,
        file=file or Path(),
        advice=advice,
        notes={key: _note(votes) for key, votes in advice.items()} if show_advice else {},
        prefill=prefill,
    )
    tasks = kind.tasks_of(material)
    return sorted(tasks, key=lambda task: -_doubt(advice.get(task.id, []))), root


def _advice(path: Path, tree: Tree | None) -> dict[str, list[Vote]]:
    """The models' latest votes on the tree's field, by problem."""
    by_problem: dict[str, list[Vote]] = {}
    for vote in latest(read_votes(path))[0]:
        if vote.kind == "model" and (tree is None or vote.field == tree.field):
            by_problem.setdefault(vote.problem_id, []).append(vote)
    return by_problem


def _doubt(votes: list[Vote]) -> float:
    """The share of the models' votes that are not the commonest one, or unsure."""
    counts = Counter(canonical(vote.value) for vote in votes if vote.value != PENDING)
    return 1 - max(counts.values(), default=0) / len(votes) if votes else 0.0


def _note(votes: list[Vote]) -> str:
    return "\n".join(f"{vote.annotator} says: {_value_text(vote.value)}" for vote in votes)


def _value_text(value: Any) -> str:
    return ", ".join(map(str, value)) if isinstance(value, list) else str(value)
