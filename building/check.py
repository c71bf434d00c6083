"""A look at a whole recipe before its build: seconds, a few rows of each source, no stage run."""

from __future__ import annotations

import re
import tempfile
from collections import Counter
from collections.abc import Iterator, Sequence
from pathlib import Path

import msgspec
import yaml

from ..base.display import Display, Table
from ..base.registry import plugged
from ..check import at_a_glance, findings_of
from ..convert.readers import Glance, glance
from ..errors import UserError, nearest
from ..exports import check_licence
from ..options import PICTURE_NAME
from ..pipeline import BUILT_IN, Context, Recipe, StageSpec, read_recipe
from ..problem import Problem, all_images
from .build import check_plan
from .feasible import MOST, lacking
from .look import Finding, write_look
from .run import placed, stages_of


class Checked(Display, msgspec.Struct):
    """What a look at a recipe found."""

    rows: dict[str, int]  # of each source that were read
    findings: list[Finding]

    def headline(self) -> str:
        read = ", ".join(
            f"{name}: {count} rows read" for name, count in self.rows.items()
        )
        wrong = sum(not finding.hint for finding in self.findings)
        found = f"{wrong or 'no'} finding{'' if wrong == 1 else 's'}"
        return f"{read}; {found}" if read else found

    def table(self) -> Table:
        return ["where", "what", "remedy"], [
            [f.where, f.what, f.remedy] for f in self.findings
        ]


def check_recipe(
    recipe: str | Path | Recipe,
    *,
    plugins: Sequence[str | Path] = (),
    page: str | Path | None = None,
) -> Checked:
    """Look a recipe over: keys, options, columns, encodings, pictures, what its exports need.

    Up to 50 rows of each source are read, spread over the whole; nothing but the page is written.
    Problems of the data are findings, with a suggested `fields:` where columns are not mapped.

    Args:
        recipe: The recipe, a YAML file.
        plugins: Python files that add stages, readers, exporters or profiles: they are run.
        page: HTML file to write, with raw rows beside the problems that they become.

    Example: `check_recipe("examples/recipe.yaml").findings`

    Raises UserError for a recipe that cannot be meant.
    """
    plan = recipe if isinstance(recipe, Recipe) else read_recipe(recipe)
    with plugged(plugins), tempfile.TemporaryDirectory() as work:
        context = Context(plan.folder, Path(work), plan.seed, recipe=plan.path.name)
        check_plan(plan, context)
        glances, findings = [], []
        for spec in plan.sources:
            try:
                with placed(plan):
                    seen = glance(spec, plan.folder, Path(work), MOST)
            except UserError as error:
                findings.append(
                    Finding(f"source {spec.name}", error.message, error.remedy)
                )
                continue
            glances.append(seen)
            findings += _of_source(
                seen, any(stage.name == "html" for stage in stages_of(plan))
            )
            if not plan.allow_unlicensed:
                findings += _of_licences(seen)
            findings += _of_golds(plan, seen)
        problems = [problem for seen in glances for problem in seen.problems]
        findings += _of_splits(plan, problems)
        findings += [
            Finding(f"export {lack.export}", lack.message(), f"add {lack.source}")
            for lack in lacking(plan, problems)
        ]
        if page is not None:
            write_look(Path(page), plan, glances, findings, context)
    return Checked({seen.source: seen.rows for seen in glances}, findings)


def _of_splits(plan: Recipe, problems: Sequence[Problem]) -> Iterator[Finding]:
    """Labels that splits are drawn by and no row has, which would stop the build after all stages.

    Where a stage may still set them, that is a hint.
    """
    known = sorted({label for problem in problems for label in problem.labels})
    later = any(
        one.name in _LABELLING or one.name not in BUILT_IN for one in stages_of(plan)
    )
    for name, split in plan.splits.items() if problems else ():
        for label in () if split == "rest" else split.by:
            if label not in known:
                what = f"no problem read has a label {label!r}"
                yield Finding(f"split {name}", what, nearest(label, known), hint=later)


def _of_golds(plan: Recipe, seen: Glance) -> Iterator[Finding]:
    """A source without any answer, of which a stage would leave nothing."""
    strict = [one for one in stages_of(plan) if _drops_empty(one)]
    if strict and seen.problems and not any(map(_answered, seen.problems)):
        what = (
            f"no problem read has an answer, and {strict[0].name} drops those without"
        )
        yield Finding(
            f"source {seen.source}", what, "map the answers, or let the stage keep them"
        )


def _drops_empty(stage: StageSpec) -> bool:
    """Whether a stage drops problems without an answer; only `check` has a policy by codes."""
    options = stage.options
    if stage.name == "gold":
        return options.get("on_fail") == "drop"
    if stage.name != "check":
        return False
    by_code = options.get("policy") or {}
    return "drop" in (options.get("on_gold"), by_code.get("gold-empty"))


def _answered(problem: Problem) -> bool:
    return bool(problem.answer.strip() or problem.parts or problem.steps)


def _of_licences(seen: Glance) -> Iterator[Finding]:
    """Licences that would stop the build after all its stages."""
    for name in {problem.source.license: None for problem in seen.problems}:
        try:
            check_licence(name, seen.source)
        except UserError as error:
            yield Finding(f"source {seen.source}", error.message, error.remedy)


def _of_source(seen: Glance, pages: bool) -> Iterator[Finding]:
    """What its rows, columns and pictures say; of `pages` the pictures are read by `html` only."""
    where = f"source {seen.source}"
    for cause, count in Counter(row.cause for row in seen.unreadable).most_common(5):
        first = next(row for row in seen.unreadable if row.cause == cause)
        at = f"{first.file}:{first.line}" if first.line else first.file
        what = f"{count} of {seen.rows} rows cannot be read: {at}: {cause}"
        yield Finding(where, what, _remedy(cause, seen))
    for line in at_a_glance(seen.problems):
        if not (pages and "picture" in line):
            yield Finding(
                where,
                line.partition(": ")[2],
                "look at the raw rows beside the problems",
            )
    yield from _noted(where, seen)
    for column in seen.unknown_columns:
        yield Finding(where, f"no row read has a column {column!r}", "correct fields:")
    if seen.suggested:
        yield Finding(
            where, "columns that are not mapped", _fields(seen.suggested), hint=True
        )
    if seen.takes_fields:
        yield from _of_columns(where, seen)


def _remedy(cause: str, seen: Glance) -> str:
    """What mends a row, as its cause says: a column by `fields:`, else the row itself."""
    if seen.takes_fields and re.match(r"no (?:field|column)\b", cause):
        return f"name the column: {_fields(seen.suggested or {'question': 'THEIR COLUMN'})}"
    if "JSON" in cause or "not UTF-8" in cause:
        return "mend the line; in a .jsonl every line is a record of its own"
    return "mend the row, or leave it: it is listed in quarantine.jsonl"


def _fields(suggested: dict[str, str]) -> str:
    """A map of fields as YAML reads it back: what would be no text there is quoted."""
    flow = yaml.safe_dump(
        suggested,
        default_flow_style=True,
        sort_keys=False,
        allow_unicode=True,
        width=10_000,
    )
    return f"fields: {flow.strip()}"


def _of_columns(where: str, seen: Glance) -> Iterator[Finding]:
    """Columns that nobody asked for; one that names pictures where no problem has one is wrong."""
    pictured = any(all_images(problem) for problem in seen.problems)
    for column, text in seen.unused.items():
        if not pictured and PICTURE_NAME.fullmatch(text):
            what = f"column {column!r} names pictures ({text[:60]}), and no problem has one"
            yield Finding(where, what, _fields({"images": column}))
    suggested = {
        name
        for column in seen.suggested.values()
        for name in [column, *column.split(",")]
    }
    names = [name for name in seen.unused if name not in suggested]
    if names:
        listed = ", ".join(names[:8]) + (
            f" and {len(names) - 8} more" if len(names) > 8 else ""
        )
        remedy = (
            "map them as labels.<name>, or leave them: 00-read/outside.jsonl shows them"
        )
        yield Finding(where, f"columns that no field uses: {listed}", remedy, hint=True)


# built-in stages that set labels; what those of others do, nobody can tell beforehand
_LABELLING = ("label", "level", "difficulty", "steps", "errata")
_PICTURES = {
    "missing-picture": "say by images: where its folder is",
    "broken-picture": "replace it",
    "moving-picture": "give the frame that is meant",
}
_CODES = ("lost-", "gold-doubtful", "gold-not-option", "option-unread")


def _noted(where: str, seen: Glance) -> Iterator[Finding]:
    """Pictures that are missing, and what was lost or not understood, each with one example."""
    noted = [note for problem in seen.problems for note in problem.notes]
    for kind, remedy in _PICTURES.items():
        found = [note for note in noted if note.startswith(kind)]
        if found:
            what = f"{len(found)} pictures are {kind.partition('-')[0]}: "
            yield Finding(where, what + found[0].removeprefix(f"{kind}: "), remedy)
    of_codes = [
        finding
        for problem in seen.problems
        for finding in findings_of(problem)
        if finding.code.startswith(_CODES)
    ]
    for code, count in Counter(finding.code for finding in of_codes).items():
        first = next(finding for finding in of_codes if finding.code == code)
        what = f"{count} {code}: {first.id}: {first.where}: {first.value[:120]}"
        yield Finding(where, what, first.remedy)
