"""Where problems stood in the release before: what was public there is never withheld again.

A problem is known again by its id and, where rows were numbered anew or renamed, by what it shows.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import NamedTuple

from ..base.about import about
from ..errors import UserError
from ..pipeline import Recipe
from ..problem import Problem
from ..release import read_corrections, read_manifest, split_names, streamed


class Standing(NamedTuple):
    """A split of the release before, the id that the problem had there, and who knew its answer."""

    split: str
    id: str
    public: bool


class PreviousRelease(NamedTuple):
    """The release before, as far as splits are bound by it."""

    release: str = ""
    by_id: Mapping[str, Standing] = {}
    shown: Mapping[str, str] = {}  # id -> hash of what it shows
    by_shown: Mapping[str, Sequence[Standing]] = {}  # the public ones first

    def standings(self, problems: Mapping[str, str]) -> dict[str, list[Standing]]:
        """Where problems stood: by id, and where what one shows stood under an id that is gone.

        `problems` has the hash of what each shows. An id is gone where nothing has it, or what has
        it shows something else.
        """
        standings: dict[str, list[Standing]] = {}
        for name, shown in problems.items():
            standings[name] = [self.by_id[name]] if name in self.by_id else []
            if self.shown.get(name) == shown:
                continue
            for standing in self.by_shown.get(shown, ()):
                if problems.get(standing.id) != shown:
                    standings[name].append(standing)
                    break
        return standings


def read_previous_release(recipe: Recipe) -> PreviousRelease:
    """The release that the recipe calls `previous`; nothing where it names none."""
    if recipe.previous is None:
        return PreviousRelease()
    release = recipe.folder / recipe.previous
    manifest = read_manifest(release)
    splits = manifest["splits"]
    by_id = _removed(release, splits)
    shown: dict[str, str] = {}
    by_shown: dict[str, list[Standing]] = {}
    public = {name: not splits[name].get("withheld") for name in split_names(release)}
    for split in sorted(public, key=lambda name: not public[name]):
        for problem in streamed(release, split, Problem):
            standing = Standing(split, problem.id, public[split])
            digest = about(problem)
            by_id[problem.id] = standing
            shown[problem.id] = digest
            by_shown.setdefault(digest, []).append(standing)
    name = f"{manifest['name']}-{manifest['version']}"
    return PreviousRelease(name, by_id, shown, by_shown)


def _removed(
    release: Path, splits: Mapping[str, Mapping[str, object]]
) -> dict[str, Standing]:
    """Problems that an earlier version published with their answers and that were taken out."""
    standings: dict[str, Standing] = {}
    for row in read_corrections(release):
        if row.kind != "removed":
            continue
        public = not splits.get(row.split, {}).get("withheld")
        problem, _, _ = row.id.rpartition(
            "."
        )  # a sample's id: the problem's and a version
        for name in (row.id, problem):
            if name:
                standings[name] = Standing(row.split, name, public)
    return standings


def refuse_hiding(recipe: Recipe) -> None:
    """Refuse to withhold a split whose answers the release before has published.

    Raises UserError, also for a `previous` that is no release.
    """
    if recipe.previous is None:
        return
    manifest = read_manifest(recipe.folder / recipe.previous)
    for name in recipe.withhold_answers:
        split = manifest["splits"].get(name, {})
        if split.get("ids") and not split.get("withheld"):
            raise UserError(
                f"{recipe.path}: withhold_answers names {name!r}, whose answers are public in "
                f"{manifest['name']}-{manifest['version']}",
                "withhold a split of another name, which new problems fill",
            )
