"""The six versions of a file of problems, outside a recipe."""

from __future__ import annotations

import shutil
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import msgspec

from ...base.display import Display, Table
from ...base.files import inside, path_or_none, read_jsonl, write_jsonl
from ...errors import UserError
from ...pipeline import Context, Engine, Jobs, Report, load_stage, run_stage
from ...problem import Drop, Problem, all_images
from ...release import all_samples, read_problem_file, root_of_problems
from ..issues import Issue
from ..page import Typesetter
from .contact_sheet import contact_sheet, originals, read_issues


class Versions(Display, msgspec.Struct, kw_only=True):
    """What `versions` made: the stage's report, and by id why problems were dropped and what to
    look at in the others.
    """

    report: Report
    drops: dict[str, str]
    issues: dict[str, list[Issue]]
    contact: Path

    def counts(self) -> dict[str, int]:
        issues = sum(len(rows) for rows in self.issues.values())
        return {
            "problems": self.report.kept,
            "dropped": self.report.dropped,
            "issues": issues,
        }

    def headline(self) -> str:
        return ", ".join(f"{name} {count}" for name, count in self.counts().items())

    def table(self) -> Table:
        header = ["problem", "where", "code", "message"]
        rows = [[name, "", "dropped", reason] for name, reason in self.drops.items()]
        for name, issues in self.issues.items():
            rows += [[name, i.where, i.code, i.message] for i in issues]
        return header, rows


def versions(
    problems: str | Path,
    out: str | Path,
    *,
    images: str | Path | None = None,
    em: int = 36,
    typesetter: Typesetter = "hybrid",
    jobs: Jobs = 1,
) -> Versions:
    """Run the stage `versions` on a problems.jsonl and write the contact sheet.

    A problem whose picture is missing or damaged is dropped with the reason.

    Args:
        problems: A problems.jsonl, or a release.
        out: Folder for versions/ (problems, drops, issues), images/ and contact.html.
        images: Folder that picture paths are relative to [default: found beside or above the file].
        em: Text size on pages, in pixels.
        typesetter: What sets formulas; chromium: KaTeX in a headless browser, slower and truest.
        jobs: Worker processes; 0 takes all cores. Results do not depend on it.

    Raises UserError for damaged problems.

    Example: `versions("work/03-label/problems.jsonl", "six", images="work").issues`
    """
    loaded = read_problem_file(problems)
    out = Path(out)
    root = path_or_none(images) or root_of_problems(problems, loaded)
    _copy_pictures(loaded, root, out)
    context = Context(recipe_folder=Path.cwd(), work=out, engine=Engine(jobs))
    options: dict[str, Any] = {"em": em, "engine": typesetter}
    with TemporaryDirectory() as aside:  # a release's lines hold more than a problem
        source = Path(aside) / "problems.jsonl"
        write_jsonl(source, loaded)
        stage = load_stage("versions")
        report, _ = run_stage(stage, options, source, out / "versions", context)
    issues = read_issues(out / "versions" / "issues.jsonl")
    sheet = out / "contact.html"
    contact_sheet(sheet, all_samples(out), out.name, issues, before=originals(out))
    drops = {
        drop.id: drop.reason
        for drop in read_jsonl(out / "versions" / "dropped.jsonl", Drop)
    }
    return Versions(report=report, drops=drops, issues=issues, contact=sheet)


def _copy_pictures(problems: list[Problem], root: Path, out: Path) -> None:
    """Stage pictures lie below the work folder: bring the problems' own ones there.

    One that is not there is left to the stage, which drops its problem and says why.
    """
    for problem in problems:
        for image in all_images(problem):
            try:
                source = inside(root, image.path)
                target = inside(out, image.path)
            except UserError:
                continue
            if source.is_file() and not target.exists():
                target.parent.mkdir(parents=True, exist_ok=True)
                shutil.copyfile(source, target)
