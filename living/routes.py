"""The answer by another route: equations solved one by one, or cases counted one by one."""

from __future__ import annotations

import itertools
from typing import Any

from ..render.figure import parse_named
from .exact import EXACT, number, symbolic
from .reading import Seed, Values

DEGREE, CASES = 8, 20_000


def by_equations(seed: Seed, values: Values) -> float:
    """The last unknown of `solved: {s: "s^2 = a^2 + b^2", ...}`, each solved with those before.

    Of several real solutions the positive one is meant. Raises ValueError where that is not one.
    """
    import sympy

    known = {name: values[name] for name in seed.numbers}
    result: Any = None
    for unknown, equation in seed.data["answer"]["solved"].items():
        left, equals, right = str(equation).partition("=")
        if not equals or unknown in known:
            raise ValueError(
                f"{unknown}: {equation!r} is no equation for a new unknown"
            )
        names = [*known, unknown]
        symbol = sympy.Symbol(unknown, real=True)
        given = [*known.values(), symbol]
        sides = [
            symbolic(parse_named(part, names, EXACT)(given)) for part in (left, right)
        ]
        top = sympy.fraction(sympy.together(sides[0] - sides[1]))[0]
        polynomial = sympy.Poly(top, symbol)
        if not 1 <= polynomial.degree() <= DEGREE:
            raise ValueError(f"{unknown}: an equation of degree {polynomial.degree()}")
        found = (
            polynomial.nroots(n=20)
            if polynomial.degree() > 2
            else sympy.roots(polynomial)
        )
        real = [root for root in found if abs(sympy.im(root)) < 1e-12]
        roots = {round(float(sympy.re(root)), 12): sympy.re(root) for root in real}
        if len(roots) > 1:
            roots = {size: root for size, root in roots.items() if size > 0}
        if len(roots) != 1:
            raise ValueError(f"{unknown}: {len(roots)} solutions of {equation!r}")
        ((_, result),) = roots.items()
        known[unknown] = result
    return number(result)


def by_counting(seed: Seed, values: Values) -> float:
    """`counted: {i: 1..n, j: i+1..n, where: [...], of: i*j}`: the cases, or the sum of `of`.

    Raises ValueError for more cases than can be gone through.
    """
    said = dict(seed.data["answer"]["counted"])
    conditions, of = said.pop("where", []), str(said.pop("of", 1))
    names = [*seed.numbers, *said]
    given = [values[name] for name in seed.numbers]
    total = 0.0

    def cases(chosen: list[Any], left: list[str]) -> Any:
        if not left:
            yield chosen
            return
        low, _, high = str(said[left[0]]).partition("..")
        ends = [_whole(part, names, given + chosen) for part in (low, high)]
        for k in range(ends[0], ends[1] + 1):
            yield from cases(
                [*chosen, EXACT.literal(str(abs(k))) * (1 if k >= 0 else -1)], left[1:]
            )

    inner = Seed(seed.id, seed.file, seed.data, names, names, frozenset(), False)
    for count, chosen in enumerate(
        itertools.islice(cases([], list(said)), CASES + 1), 1
    ):
        if count > CASES:
            raise ValueError(f"more than {CASES:,} cases")
        here = dict(zip(names, given + chosen, strict=True))
        if all(inner.holds(str(c), here) for c in conditions):
            total += number(inner.evaluate(of, here))
    return total


def _whole(text: str, names: list[str], given: list[Any]) -> int:
    padded = [*given, *[None] * (len(names) - len(given))]
    value = number(parse_named(text, names, EXACT)(padded))
    if value != int(value):
        raise ValueError(f"{text!r} is no whole number")
    return int(value)
