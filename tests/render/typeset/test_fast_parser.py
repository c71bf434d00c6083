"""The short cuts through mathtext's grammar change nothing: its own parser is the oracle."""

from __future__ import annotations

from typing import Any

import matplotlib
import pytest
from benchwright.render.typeset.engines import _RC, _parsed
from hypothesis import given, settings
from hypothesis import strategies as st
from matplotlib.font_manager import FontProperties
from matplotlib.mathtext import MathTextParser

FORMULAS = [
    "x", "x^2", "a_1^2+b_{10}", "x'", "x''_1", r"\frac{1}{2}-\frac{a+b}{c}", r"\sqrt[3]{x+1}",
    r"\left(\frac{1}{2},-1\right]", r"\sum_{i=1}^{n} i^2 \int_0^1", r"\overline{AB} \hat{x}",
    r"\mathrm{cm} \mathbb{R} \text{a - b}", r"f(x)=\sin x \leq {-}2", r"\lim_{x \to 0}", "1.5, 2.",
    r"x \, y \quad z \hspace{1.5}", r"\operatorname{lcm}(a,b)", r"\binom{n}{k} \dfrac{1}{2}",
    r"{a}{b}", r"\underset{a}{b} \overset{\frown}{AB}", r"\angle ABC = 90^{\circ}", "-x", "= -2",
    r"x \foo", "x^", "}", r"\frac{1}", "x^2^3", r"\left( x", "",
]  # fmt: skip


def outcome(parse: Any) -> Any:
    try:
        parsed = parse()
    except Exception as error:
        return type(error)
    glyphs = [(font.fname, size, index, x, y) for font, size, _, index, x, y in parsed.glyphs]
    return parsed.width, parsed.height, parsed.depth, glyphs, parsed.rects


def agree(dialect: str) -> bool:
    properties = FontProperties(family="DejaVu Sans", size=100, math_fontfamily="dejavusans")
    with matplotlib.rc_context(_RC):
        own = outcome(lambda: MathTextParser("path").parse(f"${dialect}$", 72, properties))
    return bool(own == outcome(lambda: _parsed(dialect)))


@pytest.mark.parametrize("dialect", FORMULAS)
def test_the_same_glyphs_at_the_same_places(dialect: str) -> None:
    assert agree(dialect)


@settings(max_examples=150, deadline=None)
@given(
    st.lists(
        st.sampled_from([*"xy12+-=,.()^_{}' ", r"\frac{1}{x}", r"\leq ", r"\sin "]), max_size=9
    )
)
def test_the_same_for_any_row_of_pieces(pieces: list[str]) -> None:
    assert agree("".join(pieces))


def test_matplotlibs_other_users_keep_their_parser_and_settings() -> None:
    before = dict(matplotlib.rcParams)
    _parsed("x+1")
    assert dict(matplotlib.rcParams) == before
    assert MathTextParser._parser is None or "_parse" not in vars(
        MathTextParser._parser._math_expression.expr
    )
