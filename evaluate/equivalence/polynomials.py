"""Quotients of polynomials with rational coefficients: the arithmetic of exact values.

The generators are symbols, the constants e, i and pi, roots of primes, and (opaque) whatever else
occurs, named by its own normal form. All sizes are bounded.
"""

from __future__ import annotations

from fractions import Fraction
from typing import NamedTuple

from .work_budget import spend

Monomial = tuple[tuple[str, Fraction], ...]
Polynomial = dict[Monomial, Fraction]

TERMS = 200  # of one polynomial
PRODUCTS = 20_000  # of terms in one multiplication
BITS = 40_000  # of one coefficient
LONG = 256  # bits beyond which arithmetic takes its time
ONE: Polynomial = {(): Fraction(1)}


class NoNormalForm(Exception):
    """Too large, or not a value of this kind."""


class Ratio(NamedTuple):
    """top / bottom; a bottom of one term is always divided out."""

    top: Polynomial
    bottom: Polynomial

    @property
    def rational(self) -> Fraction | None:
        """The value, where it is a rational number."""
        if self.bottom != ONE or len(self.top) > 1 or any(self.top):
            return None
        return self.top.get((), Fraction(0))

    @property
    def opaque(self) -> bool:
        """Is a generator's value unknown to the normal form?"""
        return any(name.startswith("(") for p in self for monomial in p for name, _ in monomial)

    def key(self) -> str:
        """A name: equal names are equal values."""
        return "(" + "/".join(
            "+".join(_term(monomial, c) for monomial, c in sorted(p.items())) for p in self
        ) + ")"  # fmt: skip


def _term(monomial: Monomial, c: Fraction) -> str:
    """In hexadecimal, because Python limits the length of decimal conversions."""
    return f"{c.numerator:x}/{c.denominator:x}" + "".join(f"[{g}^{e}]" for g, e in monomial)


def equal(a: Ratio, b: Ratio) -> bool:
    if a.bottom == b.bottom:
        return a.top == b.top
    return multiply(a.top, b.bottom) == multiply(b.top, a.bottom)


def add(a: Polynomial, b: Polynomial) -> Polynomial:
    total = dict(a)
    for monomial, coefficient in b.items():
        value = total.get(monomial, 0) + coefficient
        if value:
            total[monomial] = _bounded(Fraction(value))
        else:
            total.pop(monomial, None)
    if len(total) > TERMS:
        raise NoNormalForm("terms")
    return total


def multiply(a: Polynomial, b: Polynomial) -> Polynomial:
    if len(a) * len(b) > PRODUCTS:
        raise NoNormalForm("terms")
    spend(len(a) * len(b))
    total: Polynomial = {}
    for left, x in a.items():
        for right, y in b.items():
            factor, monomial = _joined(left, right)
            value = x * y if factor == 1 else x * y * factor
            total[monomial] = total[monomial] + value if monomial in total else value
    total = {monomial: _bounded(value) for monomial, value in total.items() if value}
    if len(total) > TERMS:
        raise NoNormalForm("terms")
    return total


def _bounded(value: Fraction) -> Fraction:
    top, bottom = value.numerator.bit_length(), value.denominator.bit_length()
    if top + bottom > BITS:
        raise NoNormalForm("bits")
    if top > LONG or bottom > LONG:  # a common divisor was looked for
        spend((top // LONG + 1) * (bottom // LONG + 1))
    return value


def _joined(left: Monomial, right: Monomial) -> tuple[Fraction, Monomial]:
    """The product of two monomials: a rational factor, and what remains."""
    if not left or not right:
        return Fraction(1), left or right
    exponents = dict(left)
    for name, exponent in right:
        exponents[name] = exponents.get(name, Fraction(0)) + exponent
    return reduced(exponents)


def reduced(exponents: dict[str, Fraction]) -> tuple[Fraction, Monomial]:
    """i to the power 0 or 1, roots of primes to powers in [0, 1); the rest as a factor."""
    factor = Fraction(1)
    remaining = []
    for name, exponent in exponents.items():
        if name == "i" and exponent.denominator == 1:
            turns = int(exponent) % 4
            factor *= -1 if turns >= 2 else 1
            exponent = Fraction(turns % 2)
        elif name[0] == "√":
            whole = exponent.numerator // exponent.denominator
            factor *= Fraction(int(name[1:])) ** whole
            exponent -= whole
        if exponent:
            remaining.append((name, exponent))
    return factor, tuple(sorted(remaining))


def quotient(top: Polynomial, bottom: Polynomial) -> Ratio:
    if not bottom:
        raise NoNormalForm("division by zero")
    if len(bottom) > 1:
        return Ratio(top, bottom)
    ((monomial, coefficient),) = bottom.items()
    factor, inverse = reduced({name: -exponent for name, exponent in monomial})
    return Ratio(multiply(top, {inverse: factor / coefficient}), ONE)


def plus(a: Ratio, b: Ratio) -> Ratio:
    if a.bottom == b.bottom:
        return Ratio(add(a.top, b.top), a.bottom)
    return quotient(
        add(multiply(a.top, b.bottom), multiply(b.top, a.bottom)), multiply(a.bottom, b.bottom)
    )


def times(a: Ratio, b: Ratio) -> Ratio:
    return quotient(multiply(a.top, b.top), multiply(a.bottom, b.bottom))


def over(a: Ratio, b: Ratio) -> Ratio:
    return quotient(multiply(a.top, b.bottom), multiply(a.bottom, b.top))


def cleared(value: Ratio) -> Polynomial:
    """The numerator without negative powers: y - 6/x as x y - 6."""
    least: dict[str, Fraction] = {}
    for monomial in value.top:
        for name, exponent in monomial:
            least[name] = min(least.get(name, Fraction(0)), exponent)
    return multiply(value.top, {tuple(sorted((n, -e) for n, e in least.items() if e)): Fraction(1)})


def proportional(a: Polynomial, b: Polynomial) -> bool:
    """Is a a constant multiple of b?"""
    if a.keys() != b.keys():
        return False
    return len({a[monomial] / b[monomial] for monomial in a}) <= 1


def constant(value: Fraction | int) -> Ratio:
    return Ratio({(): Fraction(value)} if value else {}, ONE)


def generator(name: str, exponent: Fraction | int = 1) -> Ratio:
    return Ratio({((name, Fraction(exponent)),): Fraction(1)}, ONE)
