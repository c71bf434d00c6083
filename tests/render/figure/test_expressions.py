"""Expressions: the same values as Python's own arithmetic, and no way to run code."""

from __future__ import annotations

import math
import operator
from collections.abc import Callable

import numpy as np
import pytest
from benchwright.render.figure import number
from benchwright.render.figure.expressions import parse
from hypothesis import given
from hypothesis import strategies as st

VALUES = [  # text, x, value by hand
    ("2x^2 - |x|", 3.0, 15.0),
    ("-x^2", 2.0, -4.0),
    ("2^-x", 1.0, 0.5),
    ("2^3^2", 0.0, 512.0),
    ("1/2x", 4.0, 2.0),
    ("3sin(x)cos(x)", 1.0, 3 * math.sin(1) * math.cos(1)),
    ("xe^(-x)", 1.0, math.exp(-1)),
    ("x(x-1)(x+1)", 3.0, 24.0),
    ("|x-1| + |x+1|", 0.0, 2.0),
    ("|x - |x||", -2.0, 4.0),
    ("−x² + 4·x", 1.0, 3.0),
    ("sqrt(x) + cbrt(-8)", 9.0, 1.0),
    ("log(1000) + ln(e) + log2(8)", 0.0, 7.0),
    ("--x", 5.0, 5.0),
    ("π/2", 0.0, math.pi / 2),
]


@pytest.mark.parametrize(("text", "x", "value"), VALUES)
def test_values(text: str, x: float, value: float) -> None:
    assert parse(text)(x) == pytest.approx(value)


Twin = tuple[str, Callable[[float], float]]  # a text and what it means
LEAVES: list[Twin] = [
    ("x", lambda x: x), ("2", lambda x: 2.0), ("0.5", lambda x: 0.5), ("pi", lambda x: math.pi),
]  # fmt: skip
SIGNS = {"+": operator.add, "-": operator.sub, "*": operator.mul}


def joined(parts: tuple[Twin, str, Twin]) -> Twin:
    (left, f), sign, (right, g) = parts
    return f"({left}{sign}{right})", lambda x: SIGNS[sign](f(x), g(x))


def applied(parts: tuple[str, Twin]) -> Twin:
    name, (text, f) = parts
    function = {"sin": math.sin, "abs": abs, "-": operator.neg}[name]
    return f"({name}({text}))", lambda x: function(f(x))


TREES = st.recursive(
    st.sampled_from(LEAVES),
    lambda inner: st.one_of(
        st.tuples(inner, st.sampled_from(sorted(SIGNS)), inner).map(joined),
        st.tuples(st.sampled_from(["sin", "abs", "-"]), inner).map(applied),
    ),
    max_leaves=12,
)


@given(TREES, st.floats(-3, 3))
def test_agrees_with_python(twin: Twin, x: float) -> None:
    text, meaning = twin
    assert parse(text)(x) == pytest.approx(meaning(x), abs=1e-9)


@pytest.mark.parametrize(
    "text",
    ["__import__('os')", "x.real", "x+", "sin x", "(x", "|x", "x2", "2 3", "y", "", "x;x", "[x]",
     "lambda: 1", "x if x else x", "(" * 60 + "x" + ")" * 60, "x^" * 100 + "x", "x" * 301, "1e5"],
)  # fmt: skip
def test_refuses(text: str) -> None:
    with pytest.raises(ValueError, match=r".+"):
        parse(text)


@given(st.text(max_size=40))
def test_any_text_is_a_value_or_a_value_error(text: str) -> None:
    try:
        value = parse(text)(1.5)
    except ValueError:
        return
    assert isinstance(value, float)


def test_undefined_is_nan_and_never_a_warning() -> None:
    values = parse("1/x + ln(x)")(np.array([-1.0, 0.0, 1.0]))
    assert not np.isfinite(values[:2]).any()
    assert values[2] == 1


@pytest.mark.parametrize(
    "value", [True, None, [], "x", float("nan"), float("inf"), 10**400, "1/0"]
)
def test_numbers_are_finite(value: object) -> None:
    with pytest.raises(ValueError, match=r"no number|cannot read"):
        number(value)
