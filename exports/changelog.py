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
        Entry(
            version=part.partition("\n")[0].strip(), lines=part.strip().split("\n")[1:]
        )
        for part in parts
    ]


def entries_of(
    recipe: Recipe, splits: Splits, previous: Previous | None
) -> list[Entry]:
    """What the changelog says: this version's entry above those of the previous release."""
    older = previous.entries if previous else []
    compared = previous is not None or recipe.errata is not None
    now = by_id(splits, recipe.withhold_answers) if compared else {}
    withdrawn = {entry.id: entry.reason for entry in recipe.withdraw}
    lines = ["First release."]
    if previous:
        lines = list(_changes(previous.problems, now, withdrawn))
        withdrawn = {
            name: why for name, why in withdrawn.items() if name in previous.problems
        }
    if withdrawn:
        lines += [
            "",
            "Withdrawn:",
            "",
            *(f"- {name}: {why}" for name, why in withdrawn.items()),
        ]
    if recipe.errata is not None:
        lines += ["", "Errata applied:", ""]
        lines += [
            _told(erratum, now.get(erratum.id), secrets=bool(recipe.withhold_answers))
            for erratum in read_errata(recipe.folder / recipe.errata)
        ]
    lines = [*editions_told(recipe), *lines]
    return [Entry(version=recipe.version, lines=lines), *older]


def editions_told(recipe: Recipe) -> list[str]:
    """What an edition of a living set is: its seed number, and how many variants a seed has."""
    return [
        f"Edition of living problems: {spec.options.get('n', 10)} variants of each seed, drawn by "
        f"seed number {spec.options.get('seed', 0)}."
        + (f" {recipe.date}." if recipe.date else "")
        for spec in recipe.stages
        if spec.name == "vary" and spec.options.get("n", 10)
    ]


def _told(erratum: Erratum, placed: Placed | None, *, secrets: bool) -> str:
    """An erratum in one line; a reason that may tell a withheld answer is not said.

    A problem that is in no split may have a twin that is.
    """
    reason = erratum.reason
    if placed is not None and placed.withheld and erratum.tells_answer(placed.problem):
        reason = "(its answer is withheld)"
    elif placed is None and secrets and erratum.of_answer():
        reason = "(it is not in this release)"
    return f"- {erratum.id} {erratum.field}: {reason}"


def _changes(
    old: ProblemsById, new: ProblemsById, withdrawn: Mapping[str, str]
) -> Iterator[str]:
    changed = changes(old, new, withdrawn)
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
    return (
        f"# Changelog of {name}\n\n"
        + "\n\n".join(part.strip() for part in parts)
        + "\n"
    )


def corrections_of(
    recipe: Recipe, splits: Splits, previous: Previous | None
) -> list[Correction]:
    """What is graded otherwise than in the previous release, and what its own corrections were."""
    if previous is None:
        return []
    reasons: dict[str, list[str]] = {}
    for erratum in (
        read_errata(recipe.folder / recipe.errata) if recipe.errata is not None else ()
    ):
        reasons.setdefault(erratum.id, []).append(f"{erratum.field}: {erratum.reason}")
    for entry in recipe.withdraw:
        reasons.setdefault(entry.id, []).append(f"withdrawn: {entry.reason}")
    old, new = _samples(previous.problems), _samples(by_id(splits))
    found = []
    for name in sorted(set(old) | set(new)):
        placed, sample = new.get(name) or old[name]
        fields: dict[str, Any] = {
            "version": recipe.version,
            "id": name,
            "split": placed.split,
        }
        if name not in new or name not in old:
            fields["kind"] = "added" if name in new else "removed"
            if name in old and (why := reasons.get(old[name][1].problem_id)):
                fields["reasons"] = why
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
