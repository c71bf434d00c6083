"""Exact numbers: fractions as long as they last, then SymPy's roots and multiples of pi.

The grammar of expressions is that of diagrams (`render/figure/expressions.py`); no text is executed
and the size of every number is bounded.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from fractions import Fraction
from typing import Any

from ..render.figure import Arithmetic

Exact = Any  # Fraction, or a SymPy number
LARGEST = 2_000  # bits of a numerator or denominator
SAME = 1e-9
WHOLE = 1e-6  # of a value: two answers agree
AS_IN_SYMPY = "sin cos tan sec csc cot asin acos atan exp cbrt floor".split()


def bounded(value: Exact) -> Exact:
    """The value, where it is one. Raises ValueError for what is infinite, complex or too large."""
    if isinstance(value, Fraction):
        if max(value.numerator.bit_length(), value.denominator.bit_length()) > LARGEST:
            raise ValueError("a number is too large")
        return value
    if not hasattr(value, "free_symbols"):
        return Fraction(value)
    if value.free_symbols:
        return value
    if value.is_Rational:
        return bounded(Fraction(int(value.p), int(value.q)))
    if value.is_real is False or value.is_finite is False or value.is_number is False:
        raise ValueError(
            "not a real number (a division by zero, or the root of a negative one)"
        )
    return value


def literal(text: str) -> Exact:
    """A number as it is written."""
    return bounded(Fraction(text))


def divide(a: Exact, b: Exact) -> Exact:
    """a / b. Raises ValueError where b is 0."""
    if not hasattr(b, "free_symbols") and b == 0:
        raise ValueError("a division by zero")
    return bounded(a / b)


def power(a: Exact, b: Exact) -> Exact:
    """a to the b. Raises ValueError where it is no real number, or too large."""
    if isinstance(b, Fraction) and b.denominator == 1:
        if abs(b) > 64:
            raise ValueError(f"the exponent {b} is too large")
        if a == 0 and b < 0:
            raise ValueError("a division by zero")
        return bounded(a ** int(b))
    return bounded(symbolic(a) ** symbolic(b))


def number(value: Exact) -> float:
    """The value as a float. Raises ValueError for what is none."""
    try:
        result = float(bounded(value))
    except (TypeError, OverflowError) as error:
        raise ValueError("not a number") from error
    if not math.isfinite(result) or abs(result) > 1e9:
        raise ValueError("not a number between -1e9 and 1e9")
    return result


def latex(value: Exact, decimals: bool = False) -> str:
    r"""An exact value as LaTeX, decimals where the seed is written with them and they end.

    >>> latex(Fraction(6, 4)), latex(Fraction(6, 4), decimals=True), latex(Fraction(-3))
    ('\\frac{3}{2}', '1.5', '-3')
    """
    if isinstance(value, Fraction):
        if value.denominator == 1:
            return str(value.numerator)
        if decimals and 10**6 % value.denominator == 0:
            return f"{float(value):.6f}".rstrip("0")
        sign = "-" if value < 0 else ""
        return rf"{sign}\frac{{{abs(value.numerator)}}}{{{value.denominator}}}"
    import sympy

    return str(sympy.latex(sympy.radsimp(sympy.expand(value))))


def symbolic(value: Exact) -> Any:
    """A fraction as SymPy's; what is SymPy's stays as it is."""
    import sympy

    if isinstance(value, Fraction):
        return sympy.Rational(value.numerator, value.denominator)
    return value


def _by_sympy(name: str) -> Callable[..., Exact]:
    def worked(*values: Exact) -> Exact:
        import sympy

        return bounded(getattr(sympy, name)(*map(symbolic, values)))

    return worked


def _root(value: Exact) -> Exact:
    if isinstance(value, Fraction) and value >= 0:
        top = math.isqrt(value.numerator)
        bottom = math.isqrt(value.denominator)
        if top * top == value.numerator and bottom * bottom == value.denominator:
            return Fraction(top, bottom)
    return _by_sympy("sqrt")(value)


def _whole(function: Callable[..., int]) -> Callable[..., Exact]:
    """A function of whole numbers; they are small, so that its work is."""

    def worked(*values: Exact) -> Exact:
        if not all(isinstance(v, Fraction) and v.denominator == 1 for v in values):
            raise ValueError("it takes whole numbers")
        if max(abs(v) for v in values) > 10_000:
            raise ValueError("it takes whole numbers up to 10,000")
        return bounded(Fraction(function(*map(int, values))))

    return worked


def _logarithm(value: Exact) -> Exact:
    """To the base 10."""
    log = _by_sympy("log")
    return divide(log(value), log(Fraction(10)))


def _sign(value: Exact) -> Exact:
    return Fraction((number(value) > SAME) - (number(value) < -SAME))


def _modulo(a: Exact, b: Exact) -> Exact:
    if b == 0:
        raise ValueError("a division by zero")
    return a - b * Fraction(math.floor(number(divide(a, b)) + SAME))


class _Constants(dict[str, Any]):
    """pi and e, made when they are asked for: SymPy is slow to load."""

    def __getitem__(self, name: str) -> Any:
        import sympy

        return {"pi": sympy.pi, "e": sympy.E}[name]


EXACT = Arithmetic(
    literal,
    divide,
    power,
    {
        **{name: _by_sympy(name) for name in AS_IN_SYMPY},
        "ln": _by_sympy("log"),
        "log": _logarithm,
        "ceil": _by_sympy("ceiling"),
        "sqrt": _root,
        "abs": lambda value: abs(value),
        "sign": _sign,
        "min": lambda *values: min(values, key=number),
        "max": lambda *values: max(values, key=number),
        "mod": _modulo,
        "gcd": _whole(math.gcd),
        "lcm": _whole(math.lcm),
        "binomial": _whole(lambda n, k: math.comb(n, k) if 0 <= k <= n <= 300 else 0),
        "factorial": _whole(lambda n: math.factorial(n) if 0 <= n <= 100 else 0),
    },
    _Constants(pi=0, e=0),
)
