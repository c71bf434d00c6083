"""The command `render page`."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import click
import msgspec

from ...base.files import read_jsonl, safe_name, write_bytes
from ...base.json_lines import put_line
from ...base.terminal import progress, say
from ...errors import UserError
from ...problem import Problem
from ..page import EM, WIDTH

WRONG = ("raw-latex", "unbalanced-dollar", "wrong-formula")  # pages that show what nobody meant


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

    Prints one JSON line a problem with its issues; exit 1 when a page could not be drawn, shows
    LaTeX as it was written because nothing could set it, or a formula that is not what it says.

    \b
    Example:
      benchwright render page problems.jsonl -o pages --id math-v-4
    """  # fmt: skip
    from .pages import page

    failed = False
    rows = [p for p in read_jsonl(problems, Problem) if not only or p.id in only]
    found = {problem.id for problem in rows}
    if missing := [name for name in only if name not in found]:
        raise UserError(f"{problems} has no problem {missing[0]!r}", "check the id")
    for problem in progress(rows, "draw", len(rows), "pages"):
        root = images or problems.parent
        sheet = page(problem, root, width=width, em=em, engine=engine, font=font)
        row: dict[str, Any] = {"id": problem.id, "issues": msgspec.to_builtins(sheet.issues)}
        for raw in (issue for issue in sheet.issues if issue.code in WRONG):
            failed = True
            say(f"{problem.id}: {raw.where[:120]}: {raw.message[:200]}")
        if sheet.picture is None:
            failed = True
        else:
            row["path"] = f"{safe_name(problem.id)}.png"
            write_bytes(out / row["path"], sheet.png())
        put_line(row)
    if failed:
        raise SystemExit(1)
