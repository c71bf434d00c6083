"""`benchwright convert mathml`: a JSONL tool around `mathml_to_latex`."""

from __future__ import annotations

import sys
from typing import Any

import click

from ...terminal import json_lines, put_line


@click.command()
def mathml() -> None:
    """Turn MathML into LaTeX: JSON lines in, JSON lines out, in the same order.

    Reads {"id", "mathml"} and writes {"id", "latex"}; or reads {"id", "html"}, a page or a piece
    of one, and writes {"id", "text"} with formulas in $...$. What is refused gives {"id", "error"}.

    \b
    Example:
      echo '{"id": 1, "mathml": "<math><mi>&#960;</mi></math>"}' | benchwright convert mathml
    """
    for _, record in json_lines(sys.stdin.buffer):
        put_line(_converted(record))


def _converted(record: dict[str, Any] | str) -> dict[str, Any]:
    from .converter import mathml_to_latex
    from .html import html_to_text
    from .tree import Refusal

    if isinstance(record, str):
        return {"id": None, "error": record}
    name = record.get("id")
    source, page = record.get("mathml"), record.get("html")
    try:
        if isinstance(source, str):
            return {"id": name, "latex": mathml_to_latex(source)}
        if not isinstance(page, str):
            return {"id": name, "error": "no field 'mathml' or 'html' with a text"}
        text, refusals = html_to_text(page)
    except Refusal as error:
        return {"id": name, "error": str(error)}
    return {"id": name, "text": text} | ({"error": "; ".join(refusals)} if refusals else {})
