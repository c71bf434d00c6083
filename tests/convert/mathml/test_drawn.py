"""Formulas of which only a drawing is left, read back: against the MathML they were drawn from."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any

import pytest
from benchwright.convert.html import html_to_text
from benchwright.convert.mathml import mathml_to_latex

# drawn by mathjax-full 3.2.2 and KaTeX 0.16.22 from formulas of our own
CASES = json.loads(Path(__file__).with_name("drawn_cases.json").read_text("utf-8"))
# what KaTeX draws as a shape that names no sign
SHAPES = ("overrightarrow", "underbrace", "cancel", "begin{array}{c}1")


def alike(latex: str) -> str:
    """LaTeX without what a drawing cannot tell: sizes of brackets, spaces, how a column stands."""
    latex = re.sub(r"\\left|\\right|\\,|\\[;:]|\\quad|\\enspace|[{}\s]|\$", "", latex)
    return re.sub(r"\\(?:begin|end)(?:p?matrix|array[lcr]*|cases)", "", latex).replace(
        "(", ""
    )


def expected(case: dict[str, Any]) -> str:
    return alike(mathml_to_latex(case["mathml"]))


@pytest.mark.parametrize("engine", ["chtml", "svg"])
@pytest.mark.parametrize("case", CASES, ids=lambda case: case["tex"])
def test_what_mathjax_drew_is_the_formula_it_was_drawn_from(
    case: Any, engine: str
) -> None:
    text, refusals = html_to_text(f"<p>Let {case[engine]} be.</p>")
    assert refusals == []
    assert text.startswith("Let $")
    assert text.endswith("$ be.")
    assert alike(text[4:-4]) == expected(case)


@pytest.mark.parametrize("case", CASES, ids=lambda case: case["tex"])
def test_what_katex_drew_is_the_formula_or_refused(case: Any) -> None:
    text, refusals = html_to_text(f"<p>Let {case['katex']} be.</p>")
    if any(shape in case["tex"] for shape in SHAPES):
        assert len(refusals) == 1
        assert "formula refused" in text
    else:
        assert refusals == []
        assert alike(text[4:-4]) == expected(case)


def test_a_drawing_that_names_nothing_is_refused() -> None:
    page = '<p>Let <span class="MathJax_SVG"><svg><path d="M0 0"/></svg></span> be.</p>'
    text, [refusal] = html_to_text(page)
    assert "only as a drawing" in refusal
    assert text == f"Let [formula refused: {refusal}] be."


@pytest.mark.parametrize("code", ["", "D800", "110000", "1D4 5", "<b"])
def test_a_glyph_whose_code_is_no_character_is_refused(code: str) -> None:
    page = f'<mjx-math><mjx-mi><mjx-c data-c="{code}"></mjx-c></mjx-mi></mjx-math>'
    text, refusals = html_to_text(page)
    assert bool(refusals) == bool(code)
    text.encode("utf-8")
