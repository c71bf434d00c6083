"""`convert exam`: cut exams in Mathpix Markdown into problems."""

from __future__ import annotations

from pathlib import Path

import click

from ...base.terminal import emit, json_option, table
from .exam import split_exam


@click.command()
@click.argument("files", nargs=-1, required=True, type=click.Path(path_type=Path))
@click.option(
    "-o", "--out", type=click.Path(path_type=Path), required=True, help="Folder to write."
)
@click.option("--key", type=click.Path(path_type=Path), help="Answer key in a file of its own.")
@click.option("--lines", type=click.Path(path_type=Path), help="lines.json of Mathpix.")
@click.option("--images", type=click.Path(path_type=Path), help="Folder of pictures.")
@click.option("--name", help="Prefix of the ids.  [default: the file's name]")
@click.option("--license", "licence", help="Licence of the exam (SPDX).")
@json_option
def exam(
    files: tuple[Path, ...],
    out: Path,
    key: Path | None,
    lines: Path | None,
    images: Path | None,
    name: str | None,
    licence: str | None,
    as_json: bool,
) -> None:
    """Cut exams into OUT/problems.jsonl, and list what a person must look at in OUT/issues.jsonl.

    Headings, instructions, running lines and keys are kept in OUT/outside.jsonl. Exit 1 when
    there are issues. Several exams are written to one folder each.

    \b
    Example:
      benchwright convert exam mathpix/amc8.mmd --key mathpix/key.mmd -o amc8
    """
    if len(files) > 1 and (key or lines):
        raise click.UsageError("--key and --lines go with one exam")
    cut = [
        split_exam(
            path, out / path.stem if len(files) > 1 else out,
            key=key, lines=lines, images=images, name=name, license=licence,
        )
        for path in files
    ]  # fmt: skip
    rows = [(c.exam, len(c.problems), c.answered, c.missing_pictures, len(c.issues)) for c in cut]
    issues = [issue for exam in cut for issue in exam.issues]
    header = ["exam", "problems", "answered", "missing_pictures", "issues"]
    data = [dict(zip(header, row, strict=True)) for row in rows]
    issue_lines = [f"  {i.problem or '-'}: {i.kind} {i.detail}".rstrip() for i in issues]
    emit(data, as_json, "\n".join([table(rows, header), *issue_lines]))
    if issues:
        raise SystemExit(1)
