"""What stands before a recipe's label stage, for people to label, and where their votes belong."""

from __future__ import annotations

import os
from pathlib import Path
from typing import Any

import msgspec

from ...base.about import about
from ...building import check_stages, locked_work, run_stages, stages_of
from ...errors import UserError, nearest
from ...pipeline import Context, StageSpec, read_recipe
from ...problem import Vote
from ...release import read_problem_file
from ...taxonomy import load_tree
from ..kinds import kind_for
from ..votes import as_final, ledger, read_votes


class Waiting(msgspec.Struct, kw_only=True):
    """Problems that wait for people's votes on a field."""

    problems: Path
    images: Path  # folder that picture paths are relative to
    folder: Path  # of the project
    kind: str
    tree: str | None
    votes: str  # where the recipe looks for the votes, relative to `folder`
    settled: set[str] = set()  # problems that the stage decides by the votes there are


def before_label(recipe: Path, field: str, build: Path) -> Waiting:
    """Run a recipe up to the stage that labels `field`; its finished stages in `build` are reused.

    Raises UserError when no stage labels the field, and for whatever stops the stages before it.
    """
    plan = read_recipe(recipe)
    stages = stages_of(plan)
    fields = [_field_of(spec) for spec in stages]
    known = [name for name in fields if name]
    if field not in known:
        remedy = "add '- label: {field: ..., votes: ...}'"
        raise UserError(
            f"{recipe}: no stage labels {field!r}",
            nearest(field, known) if known else remedy,
        )
    upto = fields.index(field)
    spec = stages[upto]
    votes = spec.options.get("votes")
    if not isinstance(votes, str):
        raise UserError(
            f"{spec.at}: the stage has no votes", f"add votes: votes/{field}.jsonl"
        )
    context = Context(plan.folder, build / "work", plan.seed, recipe=plan.path.name)
    check_stages(plan, context, upto)
    with locked_work(context.work):
        _, problems = run_stages(plan, context, upto=upto)
    folder = plan.folder / "labels" / field
    default_tree = "we-math" if field == "steps" else None
    tree = _tree(spec.options.get("tree", default_tree), plan.folder)
    return Waiting(
        problems=problems,
        images=context.work,
        folder=folder,
        kind=kind_for(field, plan.benchmark),
        tree=tree,
        votes=os.path.relpath(plan.folder / votes, folder),
        settled=_settled(spec, field, tree, plan.folder, problems),
    )


def _settled(
    spec: StageSpec, field: str, tree: str | None, folder: Path, problems: Path
) -> set[str]:
    """Problems whose field the votes on file decide, as they stand: nobody has to be asked."""
    options = spec.options
    votes = _votes(folder, options.get("votes"))
    votes += as_final(_votes(folder, options.get("adjudicated")))
    entries = ledger(
        votes,
        field,
        policy=options.get("policy", "wemath" if field == "steps" else "majority"),
        tree=load_tree(tree) if tree and field != "steps" else None,
        hashes={p.id: about(p, field) for p in read_problem_file(problems)},
        quorum=options.get("quorum"),
        ties=options.get("ties"),
    )
    return {
        entry.id
        for entry in entries
        if not entry.unbound and (entry.value is not None or entry.excluded)
    }


def _votes(folder: Path, file: str | None) -> list[Vote]:
    return read_votes(folder / file) if file and (folder / file).exists() else []


def _field_of(spec: StageSpec) -> str:
    """The field that a stage takes from votes, or ""."""
    if spec.name == "steps":
        return "steps"
    return str(spec.options.get("field", "")) if spec.name == "label" else ""


def _tree(name: Any, folder: Path) -> str | None:
    if name is None:
        return None
    file = folder / str(name)
    return str(file) if file.is_file() else str(name)
