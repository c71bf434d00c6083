"""The commands `render page`, `render versions` and `render contact`."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any

import click

from ...base.commands import Printed
from ...base.files import safe_name, write_bytes
from ...base.json_lines import put_line
from ...base.terminal import progress, say
from ...errors import UserError
from ...release import read_problem_file, root_of_problems

# Pages that show what nobody meant.
WRONG = ("raw-latex", "unbalanced-dollar", "wrong-formula", "missing-glyph")


def page(
    problems: Path,
    *,
    out: Path,
    images: Path | None = None,
    ids: Sequence[str] = (),
    **options: Any,
) -> None:
    """Draw question, options and pictures of every problem into OUT/<id>.png.

    Prints one JSON line a problem with its issues; exit 1 when a page could not be drawn, shows
    LaTeX as it was written because nothing could set it, or a formula that is not what it says.

    Args:
        problems: A problems.jsonl, or a release.
        out: Folder of the pages.
        images: Folder that picture paths are relative to [default: found beside or above the file].
        ids: Only the problem with this id.

    Example:
      benchwright render page problems.jsonl -o pages --id math-v-4
    """
    from .pages import page as page_of

    failed = False
    rows = [p for p in read_problem_file(problems) if not ids or p.id in ids]
    present = {problem.id for problem in rows}
    if missing := [name for name in ids if name not in present]:
        raise UserError(f"{problems} has no problem {missing[0]!r}", "check the id")
    root = images or root_of_problems(problems, rows)
    for problem in progress(rows, "draw", len(rows), "pages"):
        sheet = page_of(problem, root, **options)
        row: dict[str, Any] = {"id": problem.id, "issues": sheet.issues}
        for issue in sheet.issues:
            if issue.code in WRONG:
                failed = True
                say(f"{problem.id}: {issue.where[:120]}: {issue.message[:200]}")
        if sheet.picture is None:
            failed = True
        else:
            row["path"] = f"{safe_name(problem.id)}.png"
            write_bytes(out / row["path"], sheet.png())
        put_line(row)
    if failed:
        raise SystemExit(1)


def versions(problems: Path, *, out: Path, **options: Any) -> Printed:
    """Make the six versions of every problem in PROBLEMS (problems.jsonl).

    Writes OUT/versions/ (problems, drops, issues), OUT/images/ and OUT/contact.html; exit 1 when
    a person should look at something. A problem that cannot be drawn, as one whose picture is
    missing or damaged, is dropped with the reason; the others are made.

    Example:
      benchwright render versions work/03-label/problems.jsonl --images work -o six
    """
    from .make_versions import versions as make

    result = make(problems, out, **options)
    for name, reason in result.drops.items():
        say(f"{name}: {reason}")
    say(f"look at {result.contact}")
    must_look = bool(result.issues or result.report.dropped)
    return Printed(result.counts(), result.headline(), must_look)


def contact(release: Path, **options: Any) -> None:
    """Write a page that shows every problem's samples side by side.

    `build-release` writes it too when a recipe makes versions. The page refers to the release's
    pictures: move both together.

    Example:
      benchwright render contact out/six-1.0.0
    """
    from .contact_sheet import write_contact

    click.echo(write_contact(release, **options))
