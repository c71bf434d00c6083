"""Exact values of trees, in a normal form: quotients of polynomials (`polynomials`).

Distinct products of roots of primes are linearly independent over the rationals (Besicovitch
1940), so without opaque generators two values are equal exactly when their normal forms are. All
sizes are bounded; beyond a bound there is no normal form, and the numbers are probed instead.
"""

from __future__ import annotations

from fractions import Fraction
from functools import lru_cache
from math import comb, factorial

from ..answers import RUNNING, Node, number, replace, walk
from .polynomials import (
    BITS,
    ONE,
    TERMS,
    NoNormalForm,
    Ratio,
    constant,
    generator,
    over,
    plus,
    reduced,
    times,
)
from .work_budget import spend

UNROLLED = 200  # terms of a sum or product
POWER = 60  # of a sum
LARGEST_PRIME = 10_000  # in the factorisation of radicands
FACTORIAL = 3000


def exact(node: Node) -> Ratio:
    """The normal form of a tree. Raises NoNormalForm.

    >>> from .polynomials import equal
    >>> from ..answers import read
    >>> equal(exact(read("1/\\\\sqrt2")), exact(read("\\\\sqrt{2}/2")))
    True
    """
    match node.kind:
        case "number":
            return constant(node.value)
        case "symbol":
            if node.value == "infty":
                raise NoNormalForm("infinity")
            return generator(node.value)
        case "add":
            total = exact(node.args[0])
            for arg in node.args[1:]:
                total = plus(total, exact(arg))
            return total
        case "mul":
            total = exact(node.args[0])
            for arg in node.args[1:]:
                total = times(total, exact(arg))
            return total
        case "div" | "ratio" if len(node.args) == 2:
            return over(exact(node.args[0]), exact(node.args[1]))
        case "pow":
            return _power(exact(node.args[0]), exact(node.args[1]))
        case "percent":
            return times(exact(node.args[0]), constant(Fraction(1, 100)))
        case "degree":
            return times(
                exact(node.args[0]), Ratio({(("pi", Fraction(1)),): Fraction(1, 180)}, ONE)
            )
        case "unit":
            return exact(node.args[0])
        case "call":
            return _call(node.value, [exact(arg) for arg in node.args])
        case "series":
            return _series(node)
    raise NoNormalForm(node.kind)


def _series(node: Node) -> Ratio:
    """A sum or product, written out where its bounds are known whole numbers."""
    body, first, last = node.args
    low, high = exact(first), exact(last)
    if low.rational is None or high.rational is None:
        return generator(f"({node.value}{exact(body).key()}{low.key()}{high.key()}")
    count = high.rational - low.rational + 1
    if low.rational.denominator != 1 or count.denominator != 1 or not 0 <= count <= UNROLLED:
        raise NoNormalForm("bounds")
    spend(int(count) * len(walk(body)))
    total = constant(0 if node.value == "sum" else 1)
    for k in range(int(count)):
        term = exact(replace(body, RUNNING, number(low.rational + k)))
        total = plus(total, term) if node.value == "sum" else times(total, term)
    return total


def _call(name: str, args: list[Ratio]) -> Ratio:
    values = [a.rational for a in args]
    whole = [int(v) for v in values if v is not None and v.denominator == 1]
    if len(whole) == len(args):
        if name == "factorial" and 0 <= whole[0] <= FACTORIAL:
            return constant(factorial(whole[0]))
        if name == "binom" and 0 <= whole[1] <= whole[0] <= FACTORIAL:
            return constant(comb(whole[0], whole[1]))
    if name == "abs" and values[0] is not None:
        return constant(abs(values[0]))
    if name in ("floor", "ceil") and values[0] is not None:
        return constant(values[0].__floor__() if name == "floor" else values[0].__ceil__())
    return generator(f"({name}" + ",".join(a.key() for a in args))


def _power(base: Ratio, exponent: Ratio) -> Ratio:
    power = exponent.rational
    if power is not None and power.denominator == 1:
        return _whole_power(base, int(power))
    if power is not None and (root := _root(base, power)) is not None:
        return root
    return generator(f"(pow{base.key()}{exponent.key()}")


def _whole_power(base: Ratio, power: int) -> Ratio:
    if power < 0:
        return _whole_power(over(constant(1), base), -power)
    terms = max(len(base.top), len(base.bottom))
    bits = max(
        (c.numerator.bit_length() + c.denominator.bit_length() for p in base for c in p.values()),
        default=0,
    )
    if (terms > 1 and power > POWER) or power * max(bits - 2, 0) > BITS or power > BITS:
        raise NoNormalForm("power")
    if terms > 1 and not _merges(base) and comb(power + terms - 1, power) > TERMS:
        raise NoNormalForm("terms")
    result = constant(1)
    square = base
    while power:
        if power & 1:
            result = times(result, square)
        power >>= 1
        if power:
            square = times(square, square)
    return result


def _merges(base: Ratio) -> bool:
    """May powers have fewer terms than the multinomial theorem says: do roots or i occur?"""
    return any(name[0] in "√i" for p in base for monomial in p for name, _ in monomial)


def _root(base: Ratio, power: Fraction) -> Ratio | None:
    """A rational power of a constant of one term; odd roots of negative numbers are real."""
    if base.bottom != ONE or len(base.top) != 1 or abs(power.numerator) > POWER:
        return None
    ((monomial, coefficient),) = base.top.items()
    if any(name not in ("e", "pi") and name[0] != "√" for name, _ in monomial):
        return None
    sign = constant(1)
    if coefficient < 0:
        if power.denominator % 2:
            sign = constant(-1 if power.numerator % 2 else 1)
        elif power.denominator == 2:
            sign = _whole_power(generator("i"), power.numerator)
        else:
            return None
    exponents = {name: exponent * power for name, exponent in monomial}
    for part, direction in ((abs(coefficient.numerator), 1), (coefficient.denominator, -1)):
        for prime, count in _primes(part):
            name = f"√{prime}"
            exponents[name] = exponents.get(name, Fraction(0)) + direction * count * power
    factor, rest = reduced(exponents)
    return times(sign, Ratio({rest: factor}, ONE))


@lru_cache(maxsize=4096)
def _primes(number: int) -> tuple[tuple[int, int], ...]:
    """Prime factors with their exponents. Raises NoNormalForm when a large factor is left."""
    if number.bit_length() > 200:
        raise NoNormalForm("radicand")
    found = []
    prime = 2
    while prime * prime <= number and prime <= LARGEST_PRIME:
        count = 0
        while number % prime == 0:
            number //= prime
            count += 1
        if count:
            found.append((prime, count))
        prime += 1 if prime == 2 else 2
    if number > LARGEST_PRIME**2:
        raise NoNormalForm("radicand")
    return tuple(found) + (((number, 1),) if number > 1 else ())
