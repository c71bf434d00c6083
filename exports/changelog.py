"""CHANGELOG.md and corrections.jsonl: how a version differs from the release before it.

Both compare whole problems: where answers are withheld, the private folders beside the releases
hold them. What a version says is kept as facts, so that the files follow from the manifest.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any, NamedTuple

import msgspec

from ..pipeline import Recipe
from ..problem import Problem, Sample, samples_of
from ..release import (
    GRADED,
    Correction,
    private_folder,
    read_corrections,
    read_manifest,
)
from .diff import Placed, ProblemsById, by_id, changes, read_by_id, summary
from .errata import Erratum, read_errata
from .facts import Entry

MOST_IDS = 20  # ids named for each kind of change
Splits = Mapping[str, Sequence[Problem]]


class Previous(NamedTuple):
    """The release before: its problems, what it said of itself, and its own corrections."""

    problems: ProblemsById
    entries: list[Entry]
    corrections: list[Correction]


def read_previous(recipe: Recipe) -> Previous | None:
    """The release that the recipe calls `previous`, with the private folder beside it."""
    if recipe.previous is None:
        return None
    release = recipe.folder / recipe.previous
    private = private_folder(release)
    corrections = read_corrections(release, private if private.is_dir() else None)
    return Previous(read_by_id(release), _entries(release), corrections)


def _entries(release: Path) -> list[Entry]:
    """What the previous release says of itself; an older one says it in CHANGELOG.md only."""
    manifest = read_manifest(release)
    if "changelog" in manifest:
        return msgspec.convert(manifest["changelog"], list[Entry])
    path = release / "CHANGELOG.md"
    text = path.read_text("utf-8") if path.exists() else ""
    parts = text.split("\n## ")[1:]
    return [
        Entry(version=part.partition("\n")[0].strip(), lines=part.strip().split("\n")[1:])
        for part in parts
    ]


def entries_of(recipe: Recipe, splits: Splits, previous: Previous | None) -> list[Entry]:
    """What the changelog says: this version's entry above those of the previous release."""
    older = previous.entries if previous else []
    now = by_id(splits, recipe.withhold_answers)
    lines = list(_changes(previous.problems, now)) if previous else ["First release."]
    if recipe.errata is not None:
        hidden = {p.id for name in recipe.withhold_answers for p in splits.get(name, ())}
        lines += ["", "Errata applied:", ""]
        lines += [_told(e, hidden) for e in read_errata(recipe.folder / recipe.errata)]
    return [Entry(version=recipe.version, lines=lines), *older]


def _told(erratum: Erratum, hidden: set[str]) -> str:
    """An erratum in one line; why a withheld problem was corrected may tell its answer."""
    reason = "(its answer is withheld)" if erratum.id in hidden else erratum.reason
    return f"- {erratum.id} {erratum.field}: {reason}"


def _changes(old: ProblemsById, new: ProblemsById) -> Iterator[str]:
    changed = changes(old, new)
    if not changed:
        yield "No problem changed."
    for kind, count in summary(changed).items():
        ids = [change.id for change in changed if kind in change.kinds]
        more = f" and {count - MOST_IDS} more" if count > MOST_IDS else ""
        yield f"- {kind}: {count} ({', '.join(ids[:MOST_IDS])}{more})"
    if hidden := sum(placed.hidden for placed in old.values()):
        yield f"- not compared: answers of {hidden} problems, which were withheld"


def changelog(name: str, entries: Sequence[Entry]) -> str:
    """CHANGELOG.md, the newest version first."""
    parts = ["\n".join([f"## {entry.version}", "", *entry.lines]) for entry in entries]
    return f"# Changelog of {name}\n\n" + "\n\n".join(part.strip() for part in parts) + "\n"


def corrections_of(recipe: Recipe, splits: Splits, previous: Previous | None) -> list[Correction]:
    """What is graded otherwise than in the previous release, and what its own corrections were."""
    if previous is None:
        return []
    reasons: dict[str, list[str]] = {}
    for erratum in read_errata(recipe.folder / recipe.errata) if recipe.errata is not None else ():
        reasons.setdefault(erratum.id, []).append(f"{erratum.field}: {erratum.reason}")
    old, new = _samples(previous.problems), _samples(by_id(splits))
    found = []
    for name in sorted(set(old) | set(new)):
        placed, sample = new.get(name) or old[name]
        fields: dict[str, Any] = {"version": recipe.version, "id": name, "split": placed.split}
        if name not in new or name not in old:
            fields["kind"] = "added" if name in new else "removed"
        elif not old[name][0].hidden and (was := _graded_before(old[name][1], sample)):
            fields |= {"was": was, "reasons": reasons.get(sample.problem_id, [])}
        else:
            continue
        found.append(msgspec.convert(fields, Correction))
    return [*previous.corrections, *found]


def _samples(problems: ProblemsById) -> dict[str, tuple[Placed, Sample]]:
    return {
        sample.id: (placed, sample)
        for placed in problems.values()
        for sample in samples_of(placed.problem)
    }


def _graded_before(old: Sample, new: Sample) -> dict[str, Any]:
    return {
        name: msgspec.to_builtins(getattr(old, name))
        for name in GRADED
        if getattr(old, name) != getattr(new, name)
    }
