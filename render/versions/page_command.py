"""The command `render page`."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import click
import msgspec

from ...errors import UserError
from ...files import read_jsonl, safe_name, write_bytes
from ...pictures import load_picture
from ...problem import Problem
from ...terminal import progress, put_line
from ..issues import Issue
from ..page import EM, WIDTH, Page, page
from .six_versions import drawing_of, given_pictures, has_spec


@click.command("page")
@click.argument("problems", type=click.Path(path_type=Path, exists=True, dir_okay=False))
@click.option("-o", "--out", type=click.Path(path_type=Path), required=True)
@click.option(
    "--images",
    type=click.Path(path_type=Path, file_okay=False),
    help="Folder that picture paths are relative to [default: the file's].",
)
@click.option("--id", "only", multiple=True, help="Only these problems.")
@click.option("--width", default=WIDTH, show_default=True, help="Pixels.")
@click.option("--em", default=EM, show_default=True, help="Text size in pixels.")
@click.option("--font", type=click.Path(dir_okay=False), help="A Chinese font file.")
@click.option(
    "--engine",
    type=click.Choice(["hybrid", "chromium"]),
    default="hybrid",
    show_default=True,
    help="chromium: KaTeX in a headless browser, slower and truest.",
)
def page_command(
    problems: Path,
    out: Path,
    images: Path | None,
    only: tuple[str, ...],
    width: int,
    em: int,
    font: str | None,
    engine: str,
) -> None:
    """Draw question, options and pictures of every problem into OUT/<id>.png.

    Prints one JSON line a problem with its issues; exit 1 when a page could not be drawn.

    \b
    Example:
      benchwright render page problems.jsonl -o pages --id math-v-4
    """  # fmt: skip
    failed = False
    rows = [p for p in read_jsonl(problems, Problem) if not only or p.id in only]
    for problem in progress(rows, "draw", len(rows), "pages"):
        sheet = page_of(problem, images or problems.parent, width, em, engine, font)
        row: dict[str, Any] = {"id": problem.id, "issues": msgspec.to_builtins(sheet.issues)}
        if sheet.picture is None:
            failed = True
        else:
            row["path"] = f"{safe_name(problem.id)}.png"
            write_bytes(out / row["path"], sheet.png())
        put_line(row)
    if failed:
        raise SystemExit(1)


def page_of(
    problem: Problem, root: Path, width: int = WIDTH, em: int = EM, engine: str = "hybrid",
    font: str | None = None,
) -> Page:  # fmt: skip
    """The page of one problem: its diagram drawn from the spec, or its pictures below `root`."""
    given, issues = given_pictures(problem)[1], []
    pictures = []
    if has_spec(problem):
        try:
            drawing = drawing_of(problem, root)
        except UserError as error:
            return Page(None, (Issue("bad-diagram", str(error), "diagram"),), em)
        given, pictures, issues = problem.images[1:], [drawing.picture], drawing.issues
    pictures += [load_picture(root, image) for image in given]
    if engine == "chromium":
        from ..page import chromium_page

        sheet = chromium_page(problem.question, problem.options, pictures, width=width, em=em)
    else:
        sheet = page(problem.question, problem.options, pictures, width=width, em=em, cjk_font=font)
    return msgspec.structs.replace(sheet, issues=(*issues, *sheet.issues))
