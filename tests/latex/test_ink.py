"""What formulas must show, counted by hand."""

from __future__ import annotations

import contextlib
from collections import Counter

import pytest
from benchwright.latex import UnreadableError, expected_ink
from benchwright.latex.ink import columns_of, fold
from benchwright.latex.svg import draw
from hypothesis import given
from hypothesis import strategies as st


@pytest.mark.parametrize(
    ("latex", "characters", "strokes"),
    [
        (r"\frac12+\sqrt[3]{x}", "12+√3x", ["bar", "bar"]),
        (r"x'' \leq -2", "x''≤-2", []),
        (r"\left\{ x \right.", "{x", []),
        (r"\bigl( a \bigr|", "(a|", []),
        (r"\text{if $a-b$, 50\%}", "ifa-b,50%", []),
        (r"\begin{array}{|r|*{2}{c|}} \hline a & b & c \\ \cline{2-3} \end{array}", "abc",
         ["hline", "hline", "vline", "vline", "vline", "vline"]),
        (r"\begin{cases} 1 & x \\[6pt] 2 & y \end{cases}", "{1x2y", []),
        (r"\begin{vmatrix} a \end{vmatrix} \| b \parallel c", "|a|||b||c", []),
        (r"\boxed{3}\cancel{4}\xcancel{5}", "345", ["box", "strike", "strike", "strike"]),
        (r"\color{red} x \textcolor{blue}{y} \rule[1pt]{3em}{1pt}", "xy", ["rule"]),
        (r"x = 1 \tag{2} \label{eq:a}", "x=1(2)", []),
        (r"x = 1 \tag*{A}", "x=1A", []),
        (r"\displaystyle \sum\limits_{i=1}^{n} a_i \hspace{1cm} b \kern 3pt c", "∑i=1naibc", []),
        (r"\not= \neq \notin", "\u0338=\u0338=\u0338∈", []),
        (r"{n \choose k} \binom{n}{k} \phantom{xyz}", "(nk)(nk)", []),
        (r"\overline{AB} \hat{x} \overrightarrow{CD} \overset{\frown}{EF}", "AB^xCD→EF⌢", ["bar"]),
        (r"\sin x \bmod n \mathbb{R} \mathcal{A} \R", "sinxmodnRAR", []),
        (r"a % a comment", "a", []),
    ],
)  # fmt: skip
def test_ink_counted_by_hand(latex: str, characters: str, strokes: list[str]) -> None:
    assert expected_ink(latex) == Counter(characters) + Counter(strokes)


def test_a_command_that_nobody_knows_is_named() -> None:
    with pytest.raises(UnreadableError, match=r"\\foo"):
        expected_ink(r"x \foo y")


@pytest.mark.parametrize(
    ("one", "other"),
    [("−", "-"), ("𝑥", "x"), ("ϵ", "ε"), ("′", "'"), ("∘", "°"), ("（", "(")],
)
def test_characters_that_look_alike_are_one(one: str, other: str) -> None:
    assert fold(one) == fold(other) != ()


def test_columns() -> None:
    assert columns_of(r"{| >{\centering}p{3cm} | *{3}{c} @{ } S |}") == "|l|cccl|"


@given(st.text(alphabet=r"\frac{}[]sqrtbeginarray12^_ $&~%|", max_size=60))
def test_any_text_has_an_ink_or_is_refused(latex: str) -> None:
    with contextlib.suppress(UnreadableError):
        assert all(count > 0 for count in expected_ink(latex).values())


def test_what_a_drawing_would_show_wrongly_is_shown_as_source() -> None:
    assert draw(r"\foo x", True) is None
    assert draw(r"x \in \R") is not None
