"""`benchwright convert docx`: Word documents to JSON lines."""

from __future__ import annotations

from pathlib import Path

import click

from ...base.json_lines import put_line


@click.command()
@click.argument("files", nargs=-1, required=True, type=click.Path(path_type=Path))
@click.option("--equations", is_flag=True, help="One line per equation instead of per paragraph.")
def docx(files: tuple[Path, ...], equations: bool) -> None:
    """Read Word documents: one JSON line per paragraph, its equations as LaTeX in $...$.

    A paragraph with an equation that is refused has "errors" and exit status 1 follows.
    With --equations: {"id", "latex"} or {"id", "error"} per equation.

    \b
    Example:
      benchwright convert docx exam.docx > paragraphs.jsonl
    """
    from .docx import docx_to_text

    refused = False
    for file in files:
        for row in docx_to_text(file, equations):
            put_line(row)
            refused = refused or "error" in row or "errors" in row
    if refused:
        raise SystemExit(1)
