"""`benchwright convert docx`: Word documents to JSON lines."""

from __future__ import annotations

from pathlib import Path

import click

from ...terminal import put_line


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
    from .docx import Equation, plain_text, read_docx

    refused = 0
    for file in files:
        count = 0
        for number, parts in enumerate(read_docx(file), 1):
            found = [p for p in parts if isinstance(p, Equation)]
            errors = [e.error for e in found if e.error]
            refused += len(errors)
            if not equations:
                line = {"id": f"{file.stem}-p{number}", "text": plain_text(parts)}
                put_line(line | ({"errors": errors} if errors else {}))
                continue
            for equation in found:
                count += 1
                outcome = {"error": equation.error} if equation.error else {"latex": equation.latex}
                put_line({"id": f"{file.stem}-e{count}"} | outcome)
    if refused:
        raise SystemExit(1)
