"""Recipe stages that read a tree's scales: level, difficulty."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

from ..base.files import read_jsonl
from ..errors import UserError
from ..pipeline import Context, stage
from ..problem import Problem
from .grades import read_grade
from .load import load_tree
from .tree import Tree


@stage("level")
def level(
    problem: Problem, *, tree: str = "math-v", scale: str = "level", context: Context
) -> Problem:
    """The level from the grade, by a tree's scale (MATH-V: grades 1-2, 3-6, 7-8, 9-10, 11+).

    Problems without a grade keep the level they have, or stay without one. Side tables: `set`,
    `unset`. Raises UserError for a grade off the scale.
    """
    return _on_scale(problem, load_tree(tree), scale, None, context)


@stage("difficulty", whole_set=True)
def difficulty(
    problems: list[Problem],
    *,
    tree: str = "mm-math",
    scale: str = "difficulty",
    rates: Path | None = None,
    context: Context,
) -> Iterator[Problem]:
    """The difficulty from pass rates, in shares of one (MM-MATH: above 0.85 easy, below 0.7 hard).

    Rates are the label `pass_rate`, or a file of {"id", "pass_rate"} lines. Side tables: `set`,
    `unset`.
    """
    loaded = load_tree(tree)
    rows = read_jsonl(rates, dict[str, Any]) if rates is not None else ()
    rate_of = {row["id"]: row["pass_rate"] for row in rows}
    for problem in problems:
        yield _on_scale(problem, loaded, scale, rate_of.get(problem.id), context)


def _on_scale(
    problem: Problem, tree: Tree, scale: str, number: Any, context: Context
) -> Problem:
    bands = tree.scale(scale)
    if number is None:
        number = problem.labels.get(bands.of)
    if number in (None, ""):
        label = problem.labels.get(scale)
        row = {"id": problem.id, "why": f"no {bands.of}", scale: label}
        context.record("unset", row)
        return problem
    grade = read_grade(number) if bands.of == "grade" else None
    try:
        value = bands.value(float(grade or number))
    except ValueError as error:
        raise UserError(
            f"{problem.id}: {bands.of} {number!r} is not a number", "correct the label"
        ) from error
    except UserError as error:
        raise UserError(f"{problem.id}: {error.message}", error.remedy) from error
    problem.labels = problem.labels | {scale: value, bands.of: number}
    context.record("set", {"id": problem.id, scale: value, bands.of: number})
    return problem
