"""The commands `render versions` and `render contact`."""

from __future__ import annotations

from pathlib import Path
from typing import Literal

import click

from ...base.terminal import emit, json_option, say


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
    problems: Path,
    out: Path,
    images: Path | None,
    em: int,
    engine: Literal["hybrid", "chromium"],
    jobs: int,
    as_json: bool,
) -> None:
    """Make the six versions of every problem in PROBLEMS (problems.jsonl).

    Writes OUT/versions/ (problems, drops, issues), OUT/images/ and OUT/contact.html; exit 1 when
    a person should look at something. A problem that cannot be drawn, as one whose picture is
    missing or damaged, is dropped with the reason; the others are made.

    \b
    Example:
      benchwright render versions work/03-label/problems.jsonl --images work -o six
    """  # fmt: skip
    from .make_versions import versions as make

    made = make(problems, out, images=images, em=em, engine=engine, jobs=jobs)
    for name, reason in made.drops.items():
        say(f"{name}: {reason}")
    say(f"look at {made.contact}")
    emit(made.counts(), as_json, made.headline())
    if made.issues or made.report.dropped:
        raise SystemExit(1)


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
    from .contact_sheet import write_contact

    click.echo(write_contact(release, out))
