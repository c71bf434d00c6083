"""Bare LaTeX: one rule for the stage that writes dollars and the page that sets it."""

from __future__ import annotations

import pytest
from benchwright.convert.normalise import normalise_latex
from benchwright.latex import bare_formulas, maths_spans
from benchwright.render import Issue
from benchwright.render.typeset import stretches

BARE = [
    ("The graph of y=-x^{2}+b x+c passes", ["y=-x^{2}+b x+c"]),
    ("已知函数y=-x^{2}+b x+c的图象", ["y=-x^{2}+b x+c"]),
    (r"Find \left[(2 a+b)(2 a-b)+(a-b)^{2}\right] \div 4.",
     [r"\left[(2 a+b)(2 a-b)+(a-b)^{2}\right] \div 4"]),
    (r"The domain of y=\ln (x^2 - 1) is", [r"y=\ln (x^2 - 1)"]),
    ("where a_{n+1}=2a_{n}, and", ["a_{n+1}=2a_{n}"]),
    ("It is 3.84 × 10^{5} m wide", [r"3.84 × 10^{5} m"]),
    ("in snake_case_name or C:/x_1", []),
]  # fmt: skip


@pytest.mark.parametrize(("text", "formulas"), BARE)
def test_stage_and_page_find_the_same(text: str, formulas: list[str]) -> None:
    assert [span.tex for span in bare_formulas(text)] == formulas
    issues: list[Issue] = []
    assert [s.text for s in stretches(text, issues.append) if s.maths] == formulas
    assert [issue.where for issue in issues if issue.code == "bare-latex"] == formulas
    assert len(maths_spans(normalise_latex(text)[0])) == len(formulas)


@pytest.mark.parametrize("text", [r"see \textbf{this}", r"\foo{x} is", "A:24cm^{2}"])
def test_what_stays_raw_is_an_issue(text: str) -> None:
    issues: list[Issue] = []
    assert not any(stretch.maths for stretch in stretches(text, issues.append))
    assert [issue.code for issue in issues] == ["raw-latex"]
