"""A look at a whole recipe before its build: seconds, a few rows of each source, no stage run."""

from __future__ import annotations

import tempfile
from collections import Counter
from collections.abc import Iterator, Sequence
from pathlib import Path

import msgspec

from ..base.display import Display, Table
from ..base.registry import plugged
from ..check.glance import at_a_glance
from ..convert.readers import Glance, glance
from ..errors import UserError
from ..pipeline import Context, Recipe, read_recipe
from .build import check_plan
from .feasible import MOST, lacking


class Finding(msgspec.Struct, frozen=True):
    """One thing that would stop or spoil the build, or a hint; `where` is a source or an export."""

    where: str
    what: str
    remedy: str
    hint: bool = False


class Checked(Display, msgspec.Struct):
    """What a look at a recipe found."""

    rows: dict[str, int]  # of each source that were read
    findings: list[Finding]

    def headline(self) -> str:
        read = ", ".join(f"{name}: {count} rows read" for name, count in self.rows.items())
        wrong = sum(not finding.hint for finding in self.findings)
        found = f"{wrong or 'no'} finding{'' if wrong == 1 else 's'}"
        return f"{read}; {found}" if read else found

    def table(self) -> Table:
        return ["where", "what", "remedy"], [[f.where, f.what, f.remedy] for f in self.findings]


def check_recipe(recipe: str | Path | Recipe, *, plugins: Sequence[str | Path] = ()) -> Checked:
    """Look a recipe over: keys, options, columns, encodings, pictures, what its exports need.

    Up to 50 rows of each source are read, spread over the whole; nothing is written. Problems of
    the data are findings, with a suggested `fields:` where columns are not mapped.

    Args:
        recipe: The recipe, a YAML file.
        plugins: Python files that add stages, readers, exporters or profiles: they are run.

    Example: `check_recipe("examples/recipe.yaml").findings`

    Raises UserError for a recipe that cannot be meant.
    """
    plan = recipe if isinstance(recipe, Recipe) else read_recipe(recipe)
    with plugged(plugins), tempfile.TemporaryDirectory() as work:
        check_plan(plan, Context(plan.folder, Path(work), plan.seed, recipe=plan.path.name))
        glances, findings = [], []
        for spec in plan.sources:
            try:
                seen = glance(spec, plan.folder, Path(work), MOST)
            except UserError as error:
                findings.append(Finding(f"source {spec.name}", error.message, error.remedy))
                continue
            glances.append(seen)
            findings += _of_source(seen)
        problems = [problem for seen in glances for problem in seen.problems]
        findings += [
            Finding(f"export {lack.export}", lack.message(), f"add {lack.source}")
            for lack in lacking(plan, problems)
        ]
    return Checked({seen.source: seen.rows for seen in glances}, findings)


def _of_source(seen: Glance) -> Iterator[Finding]:
    where = f"source {seen.source}"
    for cause, count in Counter(row.cause for row in seen.unreadable).most_common(5):
        first = next(row for row in seen.unreadable if row.cause == cause)
        yield Finding(
            where,
            f"{count} of {seen.rows} rows cannot be read: {first.file}:{first.line}: {cause}",
            "mend the rows, or name their columns by fields:",
        )
    for line in at_a_glance(seen.problems):
        yield Finding(where, line.partition(": ")[2], "look at the raw rows: --check --page")
    for column in seen.unknown_columns:
        yield Finding(where, f"no row read has a column {column!r}", "correct fields:")
    noted = [note for problem in seen.problems for note in problem.notes]
    for kind, remedy in (
        ("missing-picture", "say by images: where its folder is"),
        ("broken-picture", "replace it"),
        ("moving-picture", "give the frame that is meant"),
    ):
        found = [note for note in noted if note.startswith(kind)]
        if found:
            what = f"{len(found)} pictures are {kind.partition('-')[0]}: "
            yield Finding(where, what + found[0].removeprefix(f"{kind}: "), remedy)
    if seen.suggested:
        fields = ", ".join(
            f'{ours}: "{name}"' if "," in name else f"{ours}: {name}"
            for ours, name in seen.suggested.items()
        )
        yield Finding(where, "columns that are not mapped", f"fields: {{{fields}}}", hint=True)
