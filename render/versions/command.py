"""The commands `render versions` and `render contact`."""

from __future__ import annotations

import shutil
from pathlib import Path

import click

from ...errors import UserError
from ...files import inside, read_jsonl, write_text
from ...pipeline import Context, Report, load_stage, run_stage
from ...problem import Problem
from ...release import all_samples
from ...terminal import emit, json_option, say
from ..issues import Issue
from .contact_sheet import contact_sheet, read_issues, write_contact


@click.command()
@click.argument("problems", type=click.Path(path_type=Path, exists=True, dir_okay=False))
@click.option("-o", "--out", type=click.Path(path_type=Path), required=True)
@click.option(
    "--images",
    type=click.Path(path_type=Path, file_okay=False),
    help="Folder that picture paths are relative to [default: the file's].",
)
@click.option("--em", default=36, show_default=True, help="Text size on pages, in pixels.")
@click.option("--engine", type=click.Choice(["hybrid", "chromium"]), default="hybrid")
@click.option("--jobs", type=click.IntRange(1), default=1, show_default=True)
@json_option
def versions(
    problems: Path, out: Path, images: Path | None, em: int, engine: str, jobs: int, as_json: bool
) -> None:
    """Make the six versions of every problem in PROBLEMS (problems.jsonl).

    Writes OUT/versions/ (problems, drops, issues), OUT/images/ and OUT/contact.html; exit 1 when
    a person should look at something.

    \b
    Example:
      benchwright render versions work/03-label/problems.jsonl --images work -o six
    """  # fmt: skip
    report, issues = make_versions(
        problems, out, images=images, jobs=jobs, options={"em": em, "engine": engine}
    )
    found = sum(len(rows) for rows in issues.values())
    say(f"look at {out / 'contact.html'}")
    data = {"problems": report.kept, "dropped": report.dropped, "issues": found}
    emit(data, as_json, ", ".join(f"{name} {count}" for name, count in data.items()))
    if found or report.dropped:
        raise SystemExit(1)


def make_versions(
    problems: Path,
    out: Path,
    *,
    images: Path | None = None,
    jobs: int = 1,
    options: dict[str, object] | None = None,
) -> tuple[Report, dict[str, list[Issue]]]:
    """Run the stage `versions` on a file, write the contact sheet; issues by problem id."""
    from ...pipeline import Engine

    _copy_pictures(problems, images or problems.parent, out)
    context = Context(recipe_folder=Path.cwd(), work=out, engine=Engine(jobs))
    report, _ = run_stage(
        load_stage("versions"), options or {}, problems, out / "versions", context
    )
    issues = read_issues(out / "versions" / "issues.jsonl")
    write_text(out / "contact.html", contact_sheet(all_samples(out), out.name, issues))
    return report, issues


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


@click.command()
@click.argument("release", type=click.Path(path_type=Path, exists=True, file_okay=False))
@click.option(
    "-o", "--out", type=click.Path(path_type=Path), help="[default: RELEASE-contact.html]"
)
def contact(release: Path, out: Path | None) -> None:
    """Write a page that shows every problem's samples side by side.

    `build-release` writes it too when a recipe makes versions. The page refers to the release's
    pictures: move both together.

    \b
    Example:
      benchwright render contact out/six-1.0.0
    """
    click.echo(write_contact(release, out))
