"""`benchwright convert mathml`: a JSONL tool around `mathml_to_latex`."""

from __future__ import annotations

from typing import Any

import click

from ...jsonl_tool import Malformed, run


@click.command()
def mathml() -> None:
    """Turn MathML into LaTeX: JSON lines in, JSON lines out, in the same order.

    Reads {"id", "mathml"} and writes {"id", "latex"}; or reads {"id", "html"}, a page or a piece
    of one, and writes {"id", "text"} with formulas in $...$. What is refused, or cannot be read,
    gives {"id", "error"}; an annotation that says something else than its formula is listed in
    "issues". The exit status is 1 when lines could not be read.

    \b
    Example:
      echo '{"id": 1, "mathml": "<math><mi>&#960;</mi></math>"}' | benchwright convert mathml
    """
    run(_converted)


def _formula(source: str) -> dict[str, Any]:
    """One formula; one that is no XML at all is a broken line, not a refused formula."""
    from .converter import mathml_to_latex
    from .tree import Refusal

    issues: list[str] = []
    try:
        latex = mathml_to_latex(source, issues)
    except Refusal as refusal:
        if refusal.message.startswith("malformed"):
            raise Malformed(refusal.message, refusal.remedy) from None
        raise
    return {"latex": latex} | ({"issues": issues} if issues else {})


def _converted(record: dict[str, Any]) -> dict[str, Any]:
    source, page = record.get("mathml"), record.get("html")
    if isinstance(source, str):
        return _formula(source)
    if not isinstance(page, str):
        raise Malformed("no field 'mathml' or 'html' with a text")
    from .html import html_to_text

    text, refusals = html_to_text(page)
    return {"text": text} | ({"error": "; ".join(refusals)} if refusals else {})
