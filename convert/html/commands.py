"""`benchwright convert mathml`: a JSONL tool around `mathml_to_latex`."""

from __future__ import annotations

from ...base.jsonl_tool import run
from .records import converted


def mathml() -> None:
    """Turn MathML into LaTeX: JSON lines in, JSON lines out, in the same order.

    Reads {"id", "mathml"} and writes {"id", "latex"}; or reads {"id", "html"}, a page or a piece
    of one, and writes {"id", "text"} with formulas in $...$. What is refused, or cannot be read,
    gives {"id", "error"}; an annotation that says something else than its formula is listed in
    "issues". The exit status is 1 when lines could not be read.

    Example:
      echo '{"id": 1, "mathml": "<math><mi>&#960;</mi></math>"}' | benchwright convert mathml
    """
    run(converted)
