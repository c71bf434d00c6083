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
    entries = []
    for part in text.split("\n## ")[1:]:
        version, _, _ = part.partition("\n")
        lines = part.strip().split("\n")[1:]
        entries.append(Entry(version=version.strip(), lines=lines))
    return entries


def entries_of(
    recipe: Recipe, splits: Splits, previous: Previous | None
) -> list[Entry]:
    """What the changelog says: this version's entry above those of the previous release."""
    compares = previous is not None or recipe.errata is not None
    problems = by_id(splits, recipe.withhold_answers) if compares else {}
    reasons = {entry.id: entry.reason for entry in recipe.withdraw}
    lines = [*edition_lines(recipe)]
    if previous is None:
        lines.append("First release.")
    else:
        lines += _changes(previous.problems, problems, reasons)
        reasons = {
            name: reason
            for name, reason in reasons.items()
            if name in previous.problems
        }
    if reasons:
        lines += ["", "Withdrawn:", ""]
        lines += [f"- {name}: {reason}" for name, reason in reasons.items()]
    if recipe.errata is not None:
        withholds = bool(recipe.withhold_answers)
        lines += ["", "Errata applied:", ""]
        lines += [
            _erratum_line(erratum, problems.get(erratum.id), withholds=withholds)
            for erratum in read_errata(recipe.folder / recipe.errata)
        ]
    older = previous.entries if previous else []
    return [Entry(version=recipe.version, lines=lines), *older]


def edition_lines(recipe: Recipe) -> list[str]:
    """What an edition of a living set is: its seed number, and how many variants a seed has."""
    date = f" {recipe.date}." if recipe.date else ""
    lines = []
    for spec in recipe.stages:
        variants = spec.options.get("n", 10)
        if spec.name == "vary" and variants:
            lines.append(
                f"Edition of living problems: {variants} variants of each seed, drawn by "
                f"seed number {spec.options.get('seed', 0)}.{date}"
            )
    return lines


def _erratum_line(erratum: Erratum, placed: Placed | None, *, withholds: bool) -> str:
    """An erratum in one line; a reason that may tell a withheld answer is not said.

    A problem that is in no split may have a twin that is.
    """
    reason = erratum.reason
    if placed is None:
        if withholds and erratum.of_answer():
            reason = "(it is not in this release)"
    elif placed.withheld and erratum.tells_answer(placed.problem):
        reason = "(its answer is withheld)"
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
    hidden = sum(placed.hidden for placed in old.values())
    if hidden:
        yield f"- not compared: answers of {hidden} problems, which were withheld"


def changelog(name: str, entries: Sequence[Entry]) -> str:
    """CHANGELOG.md, the newest version first."""
    sections = [
        "\n".join([f"## {entry.version}", "", *entry.lines]).strip()
        for entry in entries
    ]
    return f"# Changelog of {name}\n\n" + "\n\n".join(sections) + "\n"


def corrections_of(
    recipe: Recipe, splits: Splits, previous: Previous | None
) -> list[Correction]:
    """What is graded otherwise than in the previous release, and what its own corrections were."""
    if previous is None:
        return []
    reasons = _reasons(recipe)
    old = _samples(previous.problems)
    new = _samples(by_id(splits))
    corrections = list(previous.corrections)
    for name in sorted(old.keys() | new.keys()):
        placed, sample = new.get(name) or old[name]
        fields: dict[str, Any] = {
            "version": recipe.version,
            "id": name,
            "split": placed.split,
        }
        why = reasons.get(sample.problem_id, [])
        if name not in old:
            fields["kind"] = "added"
        elif name not in new:
            fields["kind"] = "removed"
            if why:
                fields["reasons"] = why
        else:
            placed_before, sample_before = old[name]
            was = _graded_before(sample_before, sample)
            if placed_before.hidden or not was:
                continue
            fields |= {"was": was, "reasons": why}
        corrections.append(msgspec.convert(fields, Correction))
    return corrections


def _reasons(recipe: Recipe) -> dict[str, list[str]]:
    """Why problems changed, by id: their errata, then their withdrawal."""
    reasons: dict[str, list[str]] = {}
    errata = read_errata(recipe.folder / recipe.errata) if recipe.errata else []
    for erratum in errata:
        reasons.setdefault(erratum.id, []).append(f"{erratum.field}: {erratum.reason}")
    for entry in recipe.withdraw:
        reasons.setdefault(entry.id, []).append(f"withdrawn: {entry.reason}")
    return reasons


def _samples(problems: ProblemsById) -> dict[str, tuple[Placed, Sample]]:
    return {
        sample.id: (placed, sample)
        for placed in problems.values()
        for sample in samples_of(placed.problem)
    }


def _graded_before(old: Sample, new: Sample) -> dict[str, Any]:
    """What was graded and is not the same now."""
    return {
        name: msgspec.to_builtins(getattr(old, name))
        for name in GRADED
        if getattr(old, name) != getattr(new, name)
    }
