"""Can the exports of a recipe be made at all? Told from a few rows, before any work."""

from __future__ import annotations

import re
import tempfile
from collections.abc import Sequence
from contextlib import suppress
from pathlib import Path
from typing import NamedTuple

from ..convert.readers import glance
from ..errors import UserError
from ..pipeline import STAGES, Recipe
from ..problem import Problem
from .run import stages_of

MOST = 50  # rows of each source that are read
# what a layout cannot do without, where it comes from, and whether a problem brings it
NEEDS = {
    "math-v": ("level", "the stage `level`, or a label `level`"),
    "we-math": ("steps", "the stage `steps`"),
    "mathverse": ("versions", "the stage `versions`"),
}


class Lack(NamedTuple):
    """What an export needs, no stage provides, and some of the rows read do not bring."""

    export: str
    need: str
    source: str
    without: list[str]  # ids
    of: int  # problems read

    def message(self) -> str:
        return (
            f"it needs {self.need}, and {len(self.without)} of {self.of} problems read have none: "
            f"{', '.join(self.without[:3])}"
        )


def lacking(plan: Recipe, problems: Sequence[Problem]) -> list[Lack]:
    """What the recipe's exports lack in the problems read from its sources."""
    specs = stages_of(plan)
    provided = {spec.name for spec in specs} | {
        spec.options.get("field") for spec in specs
    }
    found = []
    for name in plan.exports:
        need, source = NEEDS.get(name, ("", ""))
        if need and need not in provided:
            without = [problem.id for problem in problems if not _brings(problem, need)]
            found.append(Lack(name, need, source, without, len(problems)))
    return [lack for lack in found if lack.without]


def require_exports(plan: Recipe) -> None:
    """Refuse an export that no row can satisfy, before any stage runs.

    Where some rows could, or a stage of somebody's own might help, the data decide: exports are
    made before anything appears. Raises UserError.
    """
    specs = stages_of(plan)
    if not NEEDS.keys() & set(plan.exports) or any(
        s.name not in STAGES.places for s in specs
    ):
        return
    problems = []
    with tempfile.TemporaryDirectory() as work:
        for spec in plan.sources:
            with suppress(UserError):  # the build says it better
                problems += glance(spec, plan.folder, Path(work), MOST).problems
    for lack in lacking(plan, problems):
        if len(lack.without) == lack.of and not (lack.need == "level" and plan.errata):
            raise UserError(
                f"export {lack.export}: {lack.message()}", f"add {lack.source}"
            )


def _brings(problem: Problem, need: str) -> bool:
    if need == "level":
        return re.fullmatch(r"\d+", str(problem.labels.get("level", ""))) is not None
    if need == "steps":
        return bool(problem.steps) or problem.labels.get("steps") == 1
    return any(sample.version for sample in problem.samples)
