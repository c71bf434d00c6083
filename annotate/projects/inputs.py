"""From problems and what a kind of task needs beside them to tasks."""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial
from pathlib import Path
from typing import Any

import msgspec

from ...base.about import about
from ...base.files import read_jsonl
from ...base.pictures import picture_root
from ...errors import UserError
from ...problem import Problem, Vote, shown_images
from ...release import read_problem_file
from ...taxonomy import is_rejection
from ..votes import latest, read_votes
from .project import Project
from .tasks import (
    Task,
    checks_task,
    level_task,
    pair_task,
    placement_task,
    problem_task,
    review_task,
    roles_task,
    solution_task,
    steps_review_task,
    steps_task,
)
from .uploaded_pictures import FOLDER as PICTURES_OF_STEPS


class Response(msgspec.Struct):
    """A model's solution, as `score` reads it."""

    id: str
    response: str


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

    Raises UserError naming the file that the kind needs, and ids that are not in `problems`.
    """
    needed = project.load()[0].needs
    files = {"suggestions": suggestions, "responses": responses, "pairs": pairs}
    if needed and files[needed] is None:
        raise UserError(f"tasks of kind {project.kind!r} need --{needed}", "give that file")
    by_id = {problem.id: problem for problem in read_problem_file(problems)}
    root = images or picture_root(
        problems, (image for p in by_id.values() for image in shown_images(p))
    )
    advice = _advice(suggestions, project) if suggestions else {}
    notes = {key: _note(votes) for key, votes in advice.items()} if show_advice else {}
    if project.kind == "review":
        tasks = list(_reviews(by_id, advice))
    elif project.kind == "steps-review":
        assert suggestions is not None
        tasks = list(_steps_reviews(by_id, suggestions))
    elif project.kind == "first-error":
        assert responses is not None
        tasks = [solution_task(_known(by_id, r.id, responses), r.response)
                 for r in read_jsonl(responses, Response)]  # fmt: skip
    elif project.kind == "duplicates":
        assert pairs is not None
        tasks = list(_pairs(by_id, pairs))
    else:
        roles = roles_task if prefill else partial(problem_task, place="spans")
        makers = {"placement": placement_task, "roles": roles, "steps": steps_task,
                  "mathverse-checks": checks_task, "we-math-checks": checks_task}  # fmt: skip
        if project.kind == "level" and (tree := project.load()[1]) is not None:
            makers["level"] = partial(level_task, scale=next(iter(tree.scales.values())))
        make = makers.get(project.kind, problem_task)
        tasks = [make(problem, notes.get(problem.id, "")) for problem in by_id.values()]
    return tasks, root


def _known(problems: dict[str, Problem], key: str, file: Path) -> Problem:
    if key not in problems:
        raise UserError(f"{file}: no problem {key!r}", "give the problems that it was made from")
    return problems[key]


def _advice(path: Path, project: Project) -> dict[str, list[Vote]]:
    """The models' latest votes on the tree's field, by problem."""
    tree = project.load()[1]
    by_problem: dict[str, list[Vote]] = {}
    for vote in latest(read_votes(path))[0]:
        if vote.kind == "model" and (tree is None or vote.field == tree.field):
            by_problem.setdefault(vote.problem_id, []).append(vote)
    return by_problem


def _note(votes: list[Vote]) -> str:
    return "\n".join(f"{vote.annotator} says: {_value_text(vote.value)}" for vote in votes)


def _value_text(value: Any) -> str:
    return ", ".join(map(str, value)) if isinstance(value, list) else str(value)


def _reviews(problems: dict[str, Problem], advice: dict[str, list[Vote]]) -> Iterator[Task]:
    """One task per problem that a model gave one label; several models: the first by name."""
    for key, problem in problems.items():
        votes = sorted(advice.get(key, []), key=lambda vote: vote.annotator)
        if votes and isinstance(votes[0].value, str):
            yield review_task(problem, votes[0].value)


def _steps_reviews(problems: dict[str, Problem], path: Path) -> Iterator[Task]:
    """One task per problem that somebody has decomposed; of several, the first decomposition."""
    authored: dict[str, Vote] = {}
    for vote in latest(read_votes(path))[0]:
        if vote.field == "steps" and isinstance(vote.value, dict) and not is_rejection(vote.value):
            first = authored.setdefault(vote.problem_id, vote)
            authored[vote.problem_id] = min(first, vote, key=lambda v: (v.at, v.annotator))
    for key, problem in problems.items():
        steps = authored.get(key)
        if steps and steps.about in ("", about(problem, "steps")):
            yield steps_review_task(problem, steps, path.parent / PICTURES_OF_STEPS)


def _pairs(problems: dict[str, Problem], path: Path) -> Iterator[Task]:
    for pair in read_jsonl(path, dict[str, Any]):
        if not (isinstance(pair.get("a"), str) and isinstance(pair.get("b"), str)):
            raise UserError(f"{path}: a pair without a and b", "write it by dedup pairs")
        yield pair_task(_known(problems, pair["a"], path), _known(problems, pair["b"], path), pair)
