"""The page of `build-release --check --page`: raw rows as they stand beside what becomes of them.

A few rows of each source are read and taken through the recipe's stages, up to the first that must
see the whole set. Rows with issues are shown first, then those that look different.
"""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Sequence
from itertools import islice, pairwise
from pathlib import Path
from typing import NamedTuple

import msgspec

from ..base.files import inside, read_jsonl, write_jsonl
from ..check import Finding as CheckFinding
from ..check import findings_of
from ..convert.readers import Cell, Glance, Pictures, Seen, cells_of, proposed
from ..errors import UserError
from ..pages import (
    Headline,
    Issue,
    Mark,
    RawProblem,
    RawText,
    RawView,
    ReportTable,
    Section,
    raw_card,
    write_page,
)
from ..pipeline import Context, Recipe, SourceSpec, load_stage, run_stage
from ..problem import Drop, Problem
from ..tables import pieces, root_of
from .stretches import Stretch, stretches

SHOWN = 12  # rows of a source
FILES = 50_000  # of a folder of pictures that are looked up by name
PICTURES = (".png", ".jpg", ".jpeg", ".gif", ".webp", ".bmp", ".tif", ".tiff", ".svg")
READ_TOGETHER = (
    "question",
    "options",
    "answer",
    "solution",
    "images",
)  # from one stretch
_NAME = re.compile(r"[^\s\"'<>()\[\]{},;=|]+")


class Finding(msgspec.Struct, frozen=True):
    """One thing that would stop or spoil the build, or a hint; `where` is a source or an export."""

    where: str
    what: str
    remedy: str
    hint: bool = False


class Came(NamedTuple):
    """What came of problems: those at the end, drops with their reasons, what stopped a stage."""

    problems: dict[tuple[str, str], list[Problem]]  # by source and raw id
    drops: dict[
        tuple[str, str], list[tuple[Problem, str, str]]
    ]  # with the stage and the reason
    stopped: list[tuple[str, UserError]]


def write_look(
    path: Path,
    plan: Recipe,
    glances: Sequence[Glance],
    findings: Sequence[Finding],
    context: Context,
) -> None:
    """Write the page; `findings` are what the look at the recipe found."""
    came = _through(plan, glances, context)
    specs = {spec.name: spec for spec in plan.sources}
    shown, rows = [], []
    for seen in glances:
        found = [*_rows_of(specs[seen.source], plan.folder, context.work, seen, came)]
        rows.append((seen, found))
        shown += [(seen.source, row) for row in spread(found)]
    for spec in plan.sources:
        shown += [(spec.name, row) for row in _proposals(spec, plan.folder)]
    places = Counter(row.place for _, row in shown)  # two sources may read one file
    cards = [
        raw_card(
            row,
            source,
            row.place if places[row.place] == 1 else f"{row.place} ({source})",
        )
        for source, row in shown
    ]
    write_page(
        path,
        f"{plan.title or plan.name}: raw rows and what becomes of them",
        [*_found(findings, came.stopped), _sources(rows), *_outside(glances)],
        headlines=_headlines(rows, sum(row.of_row() for _, row in shown)),
        about="Before the build: rows with issues come first, then those that look different.",
        cards=cards,
        release=context.work,
        noun="raw rows",
    )


# What becomes of the rows ------------------------------------------------------------------------


def _through(plan: Recipe, glances: Sequence[Glance], context: Context) -> Came:
    """The problems of all glances after the stages that look at one problem alone."""
    read = {problem.id: problem for seen in glances for problem in seen.problems}
    folder = context.work / "00-read"
    folder.mkdir(exist_ok=True)
    write_jsonl(folder / "problems.jsonl", read.values())
    drops: dict[tuple[str, str], list[tuple[Problem, str, str]]] = defaultdict(list)
    stopped: list[tuple[str, UserError]] = []
    for number, spec in enumerate(plan.stages, 1):
        stage = load_stage(spec.name)
        if stage.whole_set:
            break
        target = context.work / f"{number:02d}-{spec.name}"
        source = folder / "problems.jsonl"
        try:
            run_stage(stage, spec.options, source, target, context, keep_going=True)
        except UserError as error:
            stopped.append((spec.name, error))
            break
        folder = target
        reasons = {
            drop.id: drop.reason for drop in read_jsonl(folder / "dropped.jsonl", Drop)
        }
        for problem in read_jsonl(source, Problem):
            if problem.id in reasons:
                drops[_row(problem)].append((problem, spec.name, reasons[problem.id]))
    came: dict[tuple[str, str], list[Problem]] = defaultdict(list)
    for problem in read_jsonl(folder / "problems.jsonl", Problem):
        came[_row(problem)].append(problem)
    return Came(came, drops, stopped)


def _row(problem: Problem) -> tuple[str, str]:
    """The row that a problem is from; those that it is parted into are from there, too."""
    return problem.source.name, problem.source.raw_id


def _rows_of(
    spec: SourceSpec, folder: Path, work: Path, seen: Glance, came: Came
) -> Iterator[RawView]:
    images = folder / spec.images if spec.images else None
    paths = [spec.path] if isinstance(spec.path, str) else spec.path
    beside = images or (folder / paths[0]).parent
    names = _names_in(images) if images else {}
    parts = _parts(seen, {Path(path).name: folder / path for path in paths})
    for file, part in parts.before.items():
        if part.text.strip():
            yield RawView(
                f"{file}:1",
                [RawText("before the first problem", part.text.strip("\n"))],
            )
    for k, one in enumerate(seen.seen):
        pictures = Pictures(beside, work)
        of_row = parts.of_row.get(k)
        yield RawView(
            f"{one.raw.file}:{of_row.line if of_row else one.raw.line}",
            [
                *(
                    _of_document(of_row, one)
                    if of_row
                    else _texts(one, names, pictures, spec)
                )
            ],
            [*_problems(one, came, work)],
            [*_issues_of_row(one)],
        )


def _issues_of_row(one: Seen) -> Iterator[Issue]:
    if isinstance(one.result, Drop):
        yield Issue("dropped", "", one.result.reason, "")
    elif not isinstance(one.result, Problem):
        yield Issue(
            "unreadable", "", one.result.cause, "mend the row, or say how it is read"
        )


def _problems(one: Seen, came: Came, work: Path) -> Iterator[RawProblem]:
    if not isinstance(one.result, Problem):
        return
    row = _row(one.result)
    for problem in came.problems.get(row, ()):
        yield RawProblem(problem, [*map(_issue, findings_of(problem, work))])
    for problem, stage, reason in came.drops.get(row, ()):
        issues = [*map(_issue, findings_of(problem, work))]
        why = Issue("dropped", f"by {stage}", reason, "")
        known = any(reason.startswith(f"{issue.code}: ") for issue in issues)
        yield RawProblem(problem, issues if known else [why, *issues], kept=False)


def _issue(finding: CheckFinding) -> Issue:
    return Issue(
        finding.code, finding.where, finding.value, finding.remedy, finding.level
    )


# The rows as they stand --------------------------------------------------------------------------


class Parts(NamedTuple):
    """The text of a source's documents, by row, and what stands before the first of each."""

    of_row: dict[int, Stretch]
    before: dict[str, Stretch]


def _parts(seen: Glance, paths: dict[str, Path]) -> Parts:
    """Where rows are cut from a document, which their reader tells by making its own type of them.

    Nothing for files that are no text.
    """
    rows: dict[str, list[int]] = defaultdict(list)
    for k, one in enumerate(seen.seen):
        plain = isinstance(getattr(one.raw, "data", None), dict | list | str | None)
        if not plain and isinstance(one.result, Problem):
            rows[one.raw.file].append(k)
    parts = Parts({}, {})
    for file, places in rows.items():
        try:
            text = paths[file].read_text("utf-8")
        except (OSError, KeyError, UnicodeDecodeError):
            continue
        problems = [seen.seen[k].result for k in places]
        questions = [p.question for p in problems if isinstance(p, Problem)]
        parts.before[file], found = stretches(text, questions)
        parts.of_row.update(
            {k: s for k, s in zip(places, found, strict=True) if s is not None}
        )
    return parts


def _of_document(part: Stretch, one: Seen) -> Iterator[RawText]:
    """The stretch of a document, with what of it lies outside of the problem."""
    marks = []
    for entry in one.outside:
        start = part.text.find(entry.text)
        if start >= 0:
            marks.append(
                Mark(start, start + len(entry.text), "outside", "in no problem")
            )
        else:
            yield _of_none(entry.where, entry.text)
    yield RawText("", part.text.rstrip("\n"), marks, fields=READ_TOGETHER)


def _of_none(name: str, text: str) -> RawText:
    return RawText(name, text, [Mark(0, len(text), "outside", "in no problem")])


def _texts(
    one: Seen, names: dict[str, str], pictures: Pictures, spec: SourceSpec
) -> Iterator[RawText]:
    """The cells of a row, with the pictures that lie in them or that they name."""
    data = one.raw.data if hasattr(one.raw, "data") else {"": one.raw.raw}
    outside = {entry.where: entry.text for entry in one.outside}
    cells = cells_of(data)
    for cell in filter(_filled, cells):
        of_none = outside.pop(cell.name, None)
        marks = [Mark(0, len(cell.text), "outside", "in no problem")] if of_none else []
        named = (names.get(path.rpartition("/")[2], path) for path in _named(cell.text))
        there = [
            path for path in dict.fromkeys(named) if _is_below(pictures.folder, path)
        ]
        found = pictures.get([*cell.pictures, *there])
        paths = [image.path for image in found]
        yield RawText(cell.name, cell.text, marks, paths, _fields(cell.name, spec))
    if empty := [cell.name for cell in cells if not _filled(cell)]:
        yield RawText("(empty)", ", ".join(empty))
    for where, text in outside.items():
        yield _of_none(where, text)


def _filled(cell: Cell) -> bool:
    return bool(cell.pictures) or cell.text not in ("", "[]", "{}", "null")


def _fields(name: str, spec: SourceSpec) -> list[str]:
    """The fields of a problem that the recipe reads from a column."""
    found = [
        field
        for field, column in spec.fields.items()
        if name in (column, *map(root_of, pieces(column)))
    ]
    return found or ([] if name in spec.fields else [name])


def _named(text: str) -> Iterator[str]:
    """The paths of pictures that a text may hold."""
    for match in _NAME.finditer(text):
        if match[0].lower().endswith(PICTURES):
            yield match[0].replace("\\", "/")


def _is_below(folder: Path, path: str) -> bool:
    try:
        return inside(folder, path).is_file()
    except (UserError, OSError, ValueError):
        return False


def _names_in(folder: Path) -> dict[str, str]:
    """Name -> path below the folder, of the pictures in it."""
    found: dict[str, str] = {}
    for path in sorted(islice(folder.rglob("*"), FILES)):
        if path.suffix.lower() in PICTURES:
            found.setdefault(path.name, path.relative_to(folder).as_posix())
    return found


# Which of them are shown -------------------------------------------------------------------------


def spread(rows: Sequence[RawView], most: int = SHOWN) -> list[RawView]:
    """The rows that show most: each adds as many issues, then traits, as none before it has.

    What is left over is filled with rows that have issues, then evenly over the source. Those with
    issues come first, otherwise they stand as in the source.
    """
    left = dict(enumerate(rows))
    chosen: list[int] = []
    for traits in ([_codes(row) for row in rows], [_shape(row) for row in rows]):
        known: set[str] = set()
        while left and len(chosen) < most:
            best = max(left, key=lambda k: (len(traits[k] - known), -k))
            if not traits[best] - known:
                break
            known |= traits[best]
            chosen.append(best)
            del left[best]
    issues = [k for k in left if rows[k].every_issue()]
    rest = [k for k in left if k not in set(issues)]
    wanted = most - len(chosen)
    chosen += [*_evenly(issues, wanted), *_evenly(rest, wanted - len(issues))]
    chosen.sort(key=lambda k: (not rows[k].every_issue(), k))
    return [rows[k] for k in chosen]


def _evenly(places: Sequence[int], count: int) -> list[int]:
    """Some places, from the first on and equally far apart."""
    count = max(0, min(count, len(places)))
    return [places[k * len(places) // count] for k in range(count)]


def _codes(row: RawView) -> set[str]:
    return {issue.code for issue in row.every_issue()}


def _shape(row: RawView) -> set[str]:
    """What a row looks like: its cells, how much they hold, and what its problems are."""
    shape = {f"cell {one.name}" for one in row.texts}
    shape |= {f"{one.name} long" for one in row.texts if len(one.text) > 500}
    shape |= {
        f"{one.name} markup" for one in row.texts if re.search(r"<[A-Za-z/]", one.text)
    }
    shape |= {
        f"{one.name} formula" for one in row.texts if re.search(r"\$|\\[a-z]", one.text)
    }
    shape |= {f"{one.name} pictures" for one in row.texts if one.pictures}
    shape.add(f"{len(row.problems)} problems")
    for problem, *_ in row.problems:
        shape |= {
            f"kind {problem.answer_kind}",
            f"{len(problem.options)} options",
            f"{min(len(problem.images), 3)} pictures",
            f"language {problem.language}",
        }
    return shape


# Exams that a model's proposal cuts ---------------------------------------------------------------

STRETCH = 3_000  # characters of an exam's text in one card, up to the next problem
_COLOURS = {"stem": "evidence", "option": "EC", "answer": "DI", "solution": "IP"}


def _proposals(spec: SourceSpec, folder: Path) -> Iterator[RawView]:
    """The text of an exam in stretches, coloured by the proposal's roles, with its open doubts."""
    cut = str(spec.options.get("cut", ""))
    try:
        made = proposed(spec, folder) if spec.reader == "exam" else None
    except UserError as error:
        yield RawView(cut, [], [], [Issue("cut", "", error.message, error.remedy)])
        return
    if made is None:
        return
    starts = [0]
    for place, _, span in made.places:
        if span.role == "stem" and place - starts[-1] > STRETCH:
            starts.append(place)
    left = list(made.doubts)
    for start, end in pairwise([*starts, len(made.text)]):
        text = made.text[start:end]
        words = " ".join(text.split())
        last = end == len(made.text)
        here = [one for one in left if last or one.split(": ", 2)[-1][:40] in words]
        left = [one for one in left if one not in here]
        marks = [
            Mark(
                a - start,
                b - start,
                _COLOURS.get(span.role, "warning"),
                _titled(span.role, span.problems),
            )
            for a, b, span in made.places
            if start <= a < end
        ]
        problems = [
            RawProblem(one) for one in made.problems if one.question[:30] in text
        ]
        yield RawView(
            f"{cut}, line {made.text.count(chr(10), 0, start) + 1}",
            [RawText("cut", text, marks)],
            problems,
            [
                _doubt(one, f"mend the spans in {cut}, then set decided: true")
                for one in here
            ],
        )


def _titled(role: str, problems: Sequence[str]) -> str:
    return f"{role} of {', '.join(problems)}" if problems else role


def _doubt(said: str, remedy: str) -> Issue:
    problem, kind, detail = (*said.split(": ", 2), "", "")[:3]
    about = f"problem {problem}: {detail}" if problem != "-" else detail
    return Issue(kind, "cut", about, remedy)


# What stands above them --------------------------------------------------------------------------

Looked = Sequence[tuple[Glance, Sequence[RawView]]]


def _headlines(looked: Looked, shown: int) -> list[Headline]:
    rows = [row for _, found in looked for row in found]
    read = sum(seen.rows for seen, _ in looked)
    problems = [one.problem for row in rows for one in row.problems if one.kept]
    troubled = sum(any(i.level == "error" for i in row.every_issue()) for row in rows)
    pictures = {image.sha256 for problem in problems for image in problem.images}
    return [
        Headline("raw rows read", f"{read:,}", f"{shown} of them are below"),
        Headline("problems", f"{len(problems):,}", f"with {len(pictures):,} pictures"),
        Headline(
            "rows with an error",
            f"{troubled:,}",
            "a row may have several" if troubled else "of those read",
            tone="bad" if troubled else "good",
        ),
    ]


def _sources(looked: Looked) -> Section:
    table = []
    for seen, rows in looked:
        codes = Counter(issue.code for row in rows for issue in row.every_issue())
        kept = sum(one.kept for row in rows for one in row.problems)
        told = ", ".join(f"{count} {code}" for code, count in codes.most_common())
        table.append([seen.source, seen.rows, kept, told or "none"])
    header = ["source", "rows", "problems", "issues"]
    return Section("Sources", tables=[ReportTable(header, table)], below=True)


def _outside(glances: Iterable[Glance]) -> list[Section]:
    """What of the rows lies outside of problems, by its place."""
    rows = []
    for seen in glances:
        places: dict[str, list[str]] = defaultdict(list)
        for one in seen.seen:
            for entry in one.outside:
                places[entry.where].append(entry.text)
        rows += [
            [seen.source, where, len(texts), texts[0][:120]]
            for where, texts in places.items()
        ]
    if not rows:
        return []
    note = "What no problem took: whole columns, and text between problems."
    table = ReportTable(["source", "where", "rows", "for example"], rows)
    return [Section("Outside of problems", [note], [table], below=True)]


def _found(
    findings: Iterable[Finding], stopped: Iterable[tuple[str, UserError]]
) -> list[Section]:
    rows = [[one.where, one.what, one.remedy] for one in findings]
    rows += [[f"stage {name}", error.message, error.remedy] for name, error in stopped]
    table = ReportTable(["where", "what", "remedy"], rows)
    return [Section("What to mend first", tables=[table])] if rows else []
