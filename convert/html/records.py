"""What `benchwright convert mathml` answers to a line."""

from __future__ import annotations

from typing import Any

from ...base.jsonl_tool import Malformed
from ..mathml import Refusal, mathml_to_latex


def converted(record: dict[str, Any]) -> dict[str, Any]:
    """The answer to `{"mathml": ...}` or `{"html": ...}`; without either the record is malformed.

    >>> converted({"mathml": "<math><mi>x</mi></math>"})
    {'latex': 'x'}
    """
    source = record.get("mathml")
    page = record.get("html")
    if isinstance(source, str):
        return _formula(source)
    if not isinstance(page, str):
        raise Malformed("no field 'mathml' or 'html' with a text")
    from .page import html_to_text

    text, refusals = html_to_text(page)
    return {"text": text} | ({"error": "; ".join(refusals)} if refusals else {})


def _formula(source: str) -> dict[str, Any]:
    """One formula; one that is no XML at all is a broken line, not a refused formula."""
    issues: list[str] = []
    try:
        latex = mathml_to_latex(source, issues)
    except Refusal as refusal:
        if refusal.message.startswith("malformed"):
            raise Malformed(refusal.message, refusal.remedy) from None
        raise
    return {"latex": latex} | ({"issues": issues} if issues else {})
