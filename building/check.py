"""A look at a whole recipe before its build: all rows, through the build's own gate."""

from __future__ import annotations

import re
import tempfile
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path

import msgspec
import yaml

from ..base.display import Display, Table
from ..base.registry import plugged
from ..convert.readers import Glance, glance
from ..errors import UserError, nearest
from ..exports import check_licence
from ..options import PICTURE_NAME
from ..pipeline import BUILT_IN, Context, Engine, Recipe, StageSpec, read_recipe
from ..problem import Drop, Problem, all_images
from .build import check_plan
from .feasible import MOST, lacking
from .gate import Cause, Passed, pass_gate
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
        if hints := len(self.findings) - wrong:
            found += f", {hints} to look at"
        return f"{read}; {found}" if read else found

    def table(self) -> Table:
        return ["where", "what", "remedy"], [
            [f.where, f.what, f.remedy] for f in self.findings
        ]


def check_recipe(
    recipe: str | Path | Recipe,
    out: str | Path | None = None,
    *,
    plugins: Sequence[str | Path] = (),
    page: str | Path | None = None,
    engine: Engine = Engine(),  # noqa: B008 (frozen)
) -> Checked:
    """Look a recipe over: keys, options, columns, licences, what its exports need, every row.

    All rows are read, taken through the first stages of texts and looked at as the stage `check`
    looks at them. Findings are grouped by cause, with their number, three examples and what mends
    them; warnings are hints. Where columns are not mapped, a `fields:` map is proposed.

    Args:
        recipe: The recipe, a YAML file.
        out: The build's folder: the build goes on from what was read [default: nothing is kept].
        plugins: Python files that add stages, readers, exporters or profiles: they are run.
        page: HTML file to write, with raw rows beside the problems that they become.
        engine: Where the work runs.

    Example: `check_recipe("examples/recipe.yaml").findings`

    Raises UserError for a recipe that cannot be meant.
    """
    plan = recipe if isinstance(recipe, Recipe) else read_recipe(recipe)
    with (
        plugged(plugins),
        _work_of(out) as work,
        tempfile.TemporaryDirectory() as aside,
    ):
        context = Context(plan.folder, work, plan.seed, engine, recipe=plan.path.name)
        check_plan(plan, context)
        glances: list[Glance] = []
        findings: list[Finding] = []
        sources = []
        for spec in plan.sources:
            try:
                with placed(plan):
                    glances.append(glance(spec, plan.folder, Path(aside), MOST))
                sources.append(spec)
            except UserError as error:
                where = f"source {spec.name}"
                findings.append(Finding(where, error.message, error.remedy))
        readable = msgspec.structs.replace(plan, sources=sources)
        if plan.withhold_answers:
            context.work.chmod(0o700)
        passed = pass_gate(readable, context, MOST)
        findings += [
            Finding("recipe", one.message, one.remedy) for one in passed.stopped
        ]
        pages = any(stage.name == "html" for stage in stages_of(plan))
        for seen in glances:
            seen.rows = passed.rows.get(seen.source, seen.rows)
            findings += _of_source(seen, passed, pages)
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
            beside = msgspec.structs.replace(context, work=Path(aside))
            write_look(Path(page), plan, glances, findings, beside)
    return Checked({seen.source: seen.rows for seen in glances}, findings)


@contextmanager
def _work_of(out: str | Path | None) -> Iterator[Path]:
    """The build's work folder, or one that goes away."""
    if out is not None:
        work = Path(out) / "work"
        work.mkdir(parents=True, exist_ok=True)
        yield work
        return
    with tempfile.TemporaryDirectory() as folder:
        yield Path(folder)


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


def _of_source(seen: Glance, passed: Passed, pages: bool) -> Iterator[Finding]:
    """What its rows, columns and pictures say; of `pages` the pictures are read by `html` only."""
    where = f"source {seen.source}"
    for cause in passed.causes:
        if cause.source == seen.source:
            yield _told(where, cause, seen)
    dropped = [one.result for one in seen.seen if isinstance(one.result, Drop)]
    if dropped and not seen.problems:
        what = (
            f"{len(dropped)} of {seen.total} rows are left out, and none is a problem"
        )
        remedy = "they are listed in dropped.jsonl, each with its reason"
        yield Finding(where, f"{what}: {dropped[0].reason[:200]}", remedy)
    for line in passed.glance:
        name, _, what = line.partition(": ")
        if name == seen.source and not (pages and "picture" in what):
            yield Finding(where, what, "look at the raw rows beside the problems")
    if seen.instead:
        yield Finding(where, *seen.instead)
    for name in seen.idle:
        yield Finding(
            where, f"{name!r} of roles: stands nowhere in its files", "correct the word"
        )
    for column in seen.unknown_columns:
        yield Finding(where, f"no row read has a column {column!r}", "correct fields:")
    if seen.way:
        what = f"each file is read as one row; records that ask lie in {seen.way}"
        yield Finding(where, what, f"rows: {seen.way}")
    if seen.suggested:
        yield Finding(
            where, "columns that are not mapped", _fields(seen.suggested), hint=True
        )
    for paste in seen.lines:
        yield Finding(where, paste.what, paste.line)
    if seen.takes_fields:
        yield from _of_columns(where, seen)


def _told(where: str, cause: Cause, seen: Glance) -> Finding:
    """A cause in one line: how often, at which places, and what mends it."""
    if cause.remedy:
        shown = "; ".join(cause.examples)
        what = f"{cause.times} {cause.what}: {shown}"
        return Finding(where, what, cause.remedy, hint=not cause.is_error)
    first, *more = cause.examples
    others = f" (also {', '.join(more)})" if more else ""
    if not cause.is_error:
        what = f"{cause.times} stretches stand {cause.what[:200]}{others}"
        return Finding(where, what, "they are listed in quarantine.jsonl", hint=True)
    what = (
        f"{cause.times} of {seen.rows} rows cannot be read: {first}: {cause.what[:300]}"
    )
    return Finding(where, what + others, _remedy(cause.what, seen))


def _remedy(cause: str, seen: Glance) -> str:
    """What mends a row, as its cause says: a column by `fields:`, else the row itself."""
    if seen.takes_fields and re.match(r"no (?:field|column)\b", cause):
        return f"name the column: {_fields(seen.suggested or {'question': 'THEIR COLUMN'})}"
    return next(
        (remedy for sign, remedy in _REMEDIES.items() if sign in cause),
        "mend the row, or leave it: it is listed in quarantine.jsonl",
    )


# What mends a row, by what its cause says
_REMEDIES = {
    "iconv": "convert it: iconv -f GB18030 -t UTF-8 OLD > NEW, with its own encoding",
    "JSON": "mend the line; in a .jsonl every line is a record of its own",
    "not UTF-8": "mend the line; in a .jsonl every line is a record of its own",
    "key-refused": "give the key of this exam, or head each of its sections as the exam does",
    "stands also at": "map another column as id, or leave id out: rows are called by their lines",
    "is not relative": "say images: with the folder that the path is seen from",
    "grows too long": "take the macro away, or define it by what it prints",
    "front matter": "mend it between its --- lines, or quote the value",
}


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
