"""`convert mmd`: Mathpix Markdown to text with formulas in dollars (JSONL tool)."""

from __future__ import annotations

from typing import Any

import click

from ...jsonl_tool import run, text_of
from ...latex import Delimiters, maths_spans
from .markdown import read_mmd


@click.command()
@click.option("--spans", is_flag=True, help="Write the formulas instead of the text.")
@click.option(
    "--inline", nargs=2, multiple=True, metavar="OPEN CLOSE", help="Inline delimiters, repeatable."
)
@click.option("--display", nargs=2, multiple=True, metavar="OPEN CLOSE", help="Display delimiters.")
@click.option("--no-environments", is_flag=True, help="A bare LaTeX environment is text.")
def mmd(
    spans: bool,
    inline: tuple[tuple[str, str], ...],
    display: tuple[tuple[str, str], ...],
    no_environments: bool,
) -> None:
    r"""Read {"id", "mmd"} lines; write {"id", "latex", "figures", "tables"} or {"id", "spans"}.

    Markdown with LaTeX of Marker, MinerU or docling is read alike; give other delimiters with
    --inline and --display.

    \b
    Example:
      echo '{"id": "1", "mmd": "Let \\\\(x^2=2\\\\)."}' | benchwright convert mmd
    """
    defaults = Delimiters()
    delimiters = Delimiters(
        inline=inline or defaults.inline,
        display=display or defaults.display,
        environments=not no_environments,
    )

    def formulas(record: dict[str, Any]) -> dict[str, Any]:
        spans = maths_spans(text_of(record, "mmd"), delimiters)
        return {"spans": [{"tex": s.tex, "display": s.display} for s in spans]}

    def document(record: dict[str, Any]) -> dict[str, Any]:
        read = read_mmd(text_of(record, "mmd"), delimiters)
        return {"latex": read.text, "figures": read.figures, "tables": read.tables}

    run(formulas if spans else document)
