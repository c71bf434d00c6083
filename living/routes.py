"""The answer by another route: equations solved one by one, or cases counted one by one."""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction
from typing import Any

from ..render.figure import parse_named
from .exact import EXACT, number, symbolic
from .reading import Seed, Values

DEGREE = 8  # of an equation, at most
CASES = 20_000  # that are counted, at most
REAL = 1e-12  # the imaginary part of a root that is real


def by_equations(seed: Seed, values: Values) -> float:
    """The last unknown of `solved: {s: "s^2 = a^2 + b^2", ...}`, each solved with those before.

    Of several real solutions the positive one is meant. Raises ValueError where that is not one.
    """
    import sympy

    numbers = {name: values[name] for name in seed.numbers}
    result: Any = None
    for unknown, equation in seed.data["answer"]["solved"].items():
        left, equals, right = str(equation).partition("=")
        if not equals or unknown in numbers:
            raise ValueError(
                f"{unknown}: {equation!r} is no equation for a new unknown"
            )
        symbol = sympy.Symbol(unknown, real=True)
        names = [*numbers, unknown]
        arguments = [*numbers.values(), symbol]
        left_side, right_side = (
            symbolic(parse_named(side, names, EXACT)(arguments))
            for side in (left, right)
        )
        numerator, _ = sympy.fraction(sympy.together(left_side - right_side))
        polynomial = sympy.Poly(numerator, symbol)
        if not 1 <= polynomial.degree() <= DEGREE:
            raise ValueError(f"{unknown}: an equation of degree {polynomial.degree()}")
        solutions = _solutions(polynomial)
        if len(solutions) != 1:
            raise ValueError(f"{unknown}: {len(solutions)} solutions of {equation!r}")
        (result,) = solutions
        numbers[unknown] = result
    return number(result)


def _solutions(polynomial: Any) -> list[Any]:
    """The real roots of a polynomial, of several only the positive ones."""
    import sympy

    is_simple = polynomial.degree() <= 2
    roots = sympy.roots(polynomial) if is_simple else polynomial.nroots(n=20)
    real = [sympy.re(root) for root in roots if abs(sympy.im(root)) < REAL]
    by_size = {round(float(root), 12): root for root in real}
    if len(by_size) > 1:
        by_size = {size: root for size, root in by_size.items() if size > 0}
    return list(by_size.values())


def by_counting(seed: Seed, values: Values) -> float:
    """`counted: {i: 1..n, j: i+1..n, where: [...], of: i*j}`: the cases, or the sum of `of`.

    Raises ValueError for more cases than can be gone through.
    """
    ranges = dict(seed.data["answer"]["counted"])
    conditions = ranges.pop("where", [])
    summand = str(ranges.pop("of", 1))
    names = [*seed.numbers, *ranges]
    numbers = [values[name] for name in seed.numbers]

    def cases(before: list[Any], counters: list[str]) -> Iterator[list[Any]]:
        """The numbers with every value of the counters, which may need those before them."""
        if not counters:
            yield before
            return
        first, *rest = counters
        low, _, high = str(ranges[first]).partition("..")
        start, end = (_whole(bound, names, before) for bound in (low, high))
        for k in range(start, end + 1):
            yield from cases([*before, Fraction(k)], rest)

    inner = Seed(seed.id, seed.file, seed.data, names, names, frozenset(), False)
    total = 0.0
    for count, case in enumerate(cases(numbers, list(ranges)), 1):
        if count > CASES:
            raise ValueError(f"more than {CASES:,} cases")
        case_values = dict(zip(names, case, strict=True))
        if all(inner.holds(str(condition), case_values) for condition in conditions):
            total += number(inner.evaluate(summand, case_values))
    return total


def _whole(text: str, names: list[str], numbers: list[Any]) -> int:
    """A bound of a counter, from the numbers of the first names."""
    arguments = [*numbers, *[None] * (len(names) - len(numbers))]
    value = number(parse_named(text, names, EXACT)(arguments))
    if value != int(value):
        raise ValueError(f"{text!r} is no whole number")
    return int(value)
