"""Where problems stood in the release before: what was public there is never withheld again.

A problem is known again by its id and, where rows were numbered anew or renamed, by what it shows.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
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


class Former(NamedTuple):
    """The release before, as far as splits are bound by it."""

    release: str = ""
    by_id: Mapping[str, Standing] = {}
    shown: Mapping[str, str] = {}  # id -> hash of what it shows
    by_shown: Mapping[str, Sequence[Standing]] = {}  # the public ones first

    def standings(self, now: Mapping[str, str]) -> dict[str, list[Standing]]:
        """Where problems stood: by id, and where what one shows stood under an id that is gone.

        `now` is the hash of what each problem shows. An id is gone where nothing has it, or what
        has it shows something else.
        """
        found = {}
        for name, shown in now.items():
            known = self.by_id.get(name)
            found[name] = [known] if known is not None else []
            if self.shown.get(name) != shown:
                same = self.by_shown.get(shown, ())
                gone = (stood for stood in same if now.get(stood.id) != shown)
                found[name] += [
                    stood for stood in [next(gone, None)] if stood is not None
                ]
        return found


def read_former(recipe: Recipe) -> Former:
    """The release that the recipe calls `previous`; nothing where it names none."""
    if recipe.previous is None:
        return Former()
    release = recipe.folder / recipe.previous
    manifest = read_manifest(release)
    splits = manifest["splits"]
    by_id, shown = _removed(release, splits), dict[str, str]()
    by_shown: dict[str, list[Standing]] = {}
    for name in sorted(
        split_names(release), key=lambda name: bool(splits[name].get("withheld"))
    ):
        for problem in streamed(release, name, Problem):
            stood = Standing(name, problem.id, not splits[name].get("withheld"))
            by_id[problem.id] = stood
            shown[problem.id] = digest = about(problem)
            by_shown.setdefault(digest, []).append(stood)
    return Former(f"{manifest['name']}-{manifest['version']}", by_id, shown, by_shown)


def _removed(
    release: Path, splits: Mapping[str, Mapping[str, object]]
) -> dict[str, Standing]:
    """Problems that an earlier version published with their answers and that were taken out."""
    removed: Iterable[str]
    found: dict[str, Standing] = {}
    for row in read_corrections(release):
        removed = (row.id, row.id.rpartition(".")[0]) if row.kind == "removed" else ()
        public = not splits.get(row.split, {}).get("withheld")
        found |= {name: Standing(row.split, name, public) for name in removed if name}
    return found


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
