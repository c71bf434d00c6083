"""The six versions of a file of problems, outside a recipe."""

from __future__ import annotations

import shutil
from pathlib import Path
from typing import Any, Literal

import msgspec

from ...display import Display, Table
from ...errors import UserError
from ...files import inside, path_or_none, read_jsonl
from ...pipeline import Context, Engine, Report, load_stage, run_stage
from ...problem import Problem
from ...release import all_samples
from ..issues import Issue
from .contact_sheet import contact_sheet, originals, read_issues


class Versions(Display, msgspec.Struct, kw_only=True):
    """What `versions` made: the stage's report, and what to look at by problem id."""

    report: Report
    issues: dict[str, list[Issue]]
    contact: Path

    def counts(self) -> dict[str, int]:
        issues = sum(len(rows) for rows in self.issues.values())
        return {"problems": self.report.kept, "dropped": self.report.dropped, "issues": issues}

    def headline(self) -> str:
        return ", ".join(f"{name} {count}" for name, count in self.counts().items())

    def table(self) -> Table:
        header = ["problem", "where", "code", "message"]
        pairs = [(name, issue) for name, rows in self.issues.items() for issue in rows]
        return header, [[name, i.where, i.code, i.message] for name, i in pairs]


def versions(
    problems: str | Path,
    out: str | Path,
    *,
    images: str | Path | None = None,
    em: int = 36,
    engine: Literal["hybrid", "chromium"] = "hybrid",
    jobs: int = 1,
) -> Versions:
    """Run the stage `versions` on a problems.jsonl and write the contact sheet.

    `out` gets versions/ (problems, drops, issues), images/ and contact.html. Picture paths are
    relative to `images` (default: the file's folder); `em` is the text's size on pages in pixels.
    Raises UserError for damaged problems and missing pictures.

    Example: `versions("work/03-label/problems.jsonl", "six", images="work").issues`
    """
    problems, out = Path(problems), Path(out)
    _copy_pictures(problems, path_or_none(images) or problems.parent, out)
    context = Context(recipe_folder=Path.cwd(), work=out, engine=Engine(jobs))
    options: dict[str, Any] = {"em": em, "engine": engine}
    report, _ = run_stage(load_stage("versions"), options, problems, out / "versions", context)
    issues = read_issues(out / "versions" / "issues.jsonl")
    sheet = out / "contact.html"
    contact_sheet(sheet, all_samples(out), out.name, issues, before=originals(out))
    return Versions(report=report, issues=issues, contact=sheet)


def _copy_pictures(problems: Path, root: Path, out: Path) -> None:
    """Stage pictures lie below the work folder: bring the problems' own ones there."""
    for problem in read_jsonl(problems, Problem):
        for image in problem.images:
            source, target = inside(root, image.path), inside(out, image.path)
            if not source.is_file():
                raise UserError(f"problem {problem.id!r}: no picture {source}", "give --images")
            if not target.exists():
                target.parent.mkdir(parents=True, exist_ok=True)
                shutil.copyfile(source, target)
