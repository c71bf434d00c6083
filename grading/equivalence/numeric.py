"""Values of trees: a fraction where it is one, else 50 digits at fixed generic points.

Two expressions that agree to 36 digits at several algebraically unrelated points are equal for
every purpose of grading (Schwartz 1980); one point of disagreement proves that they differ. Roots
and powers are real where they can be (cube roots of negative numbers too). Magnitudes are bounded
before each operation, so no power tower or factorial chain is ever computed.
"""

from __future__ import annotations

import threading
import zlib
from collections.abc import Callable, Iterator
from fractions import Fraction
from math import ceil, comb, factorial, floor, gcd, lcm, prod
from typing import Any

from ..answers import (
    RUNNING,
    LimitExceeded,
    Node,
    negative,
    number,
    replace,
    symbol,
    symbols,
    walk,
)
from .work_budget import spend

DIGITS = 50
SLACK = 14  # digits that rounding may take
AGREE = DIGITS - SLACK
CONFIRMED = 1000  # digits of constants that seem equal
CONFIRMED_NODES = 100
LARGEST = 200_000  # bits of a magnitude
LARGEST_ANGLE = 300  # bits
LARGEST_GAMMA = 10**9
ROUGH = 12  # digits to which integrals, limits and infinite sums agree
BITS = 40_000  # of a fraction
FACTORIAL = 3000
WHOLE = 6  # points of whole numbers
PRIMES = (2, 3, 5, 7, 11, 13, 17, 19, 23, 29, 31, 37, 41, 43, 47, 53, 59, 61)
FAR = Fraction(
    1009, 7
)  # where a formula that is a line at 0 and 1 shows that it is none
_RATIONAL = frozenset("add mul div pow percent call unit ratio".split())
_UNDEFINED = (ZeroDivisionError, ValueError, OverflowError)  # what mpmath raises
_TRIGONOMETRIC = frozenset("sin cos tan cot sec csc".split())
_EXPONENTIAL = frozenset("sinh cosh tanh coth exp".split())
_INVERSE = {
    "arcsin": "asin",
    "arccos": "acos",
    "arctan": "atan",
    "arccot": "acot",
    "arcsinh": "asinh",
    "arccosh": "acosh",
    "arctanh": "atanh",
}
_STEPS = {"abs": "fabs", "floor": "floor", "ceil": "ceil"}
INFINITY = symbol("infty")
_local = threading.local()


class Undefined(Exception):
    """No finite (real) value at this point."""


def rational(node: Node) -> Fraction | None:
    """The value, where it is a fraction and plainly so.

    >>> from ..answers import read
    >>> rational(read("2^3/6")), rational(read("\\\\sqrt{4}"))
    (Fraction(4, 3), None)
    """
    if node.kind == "number":
        return Fraction(node.value)
    if node.kind not in _RATIONAL:
        return None
    values = []
    for arg in node.args:
        if (value := rational(arg)) is None:
            return None
        values.append(value)
    bits = sum(map(_bits, values))
    spend(1 + bits**2 // 10**5)  # a common divisor is looked for
    result = _fraction(node, values)
    return result if result is None or _bits(result) <= BITS else None


def _bits(value: Fraction) -> int:
    return value.numerator.bit_length() + value.denominator.bit_length()


def _fraction(node: Node, values: list[Fraction]) -> Fraction | None:
    """The value of an operation on fractions; None where it is none, or is too long."""
    first = values[0]
    last = values[-1]
    match node.kind:
        case "add":
            return sum(values, Fraction(0))
        case "mul" if sum(map(_bits, values)) <= BITS:
            return prod(values, start=Fraction(1))
        case "div" | "ratio" if len(values) == 2 and last:
            return first / last
        case "pow" if last.denominator == 1 and _bits(first) * abs(last) <= BITS:
            return first ** int(last) if first or last > 0 else None
        case "percent":
            return first / 100
        case "unit":
            return first
        case "call":
            return _called(node.value, values)
    return None


def _called(function: str, values: list[Fraction]) -> Fraction | None:
    first = values[0]
    last = values[-1]
    counts = 0 <= last <= first <= FACTORIAL and all(v.denominator == 1 for v in values)
    match function:
        case "factorial" if counts:
            return Fraction(factorial(int(first)))
        case "double factorial" if counts:
            return Fraction(prod(range(int(first), 0, -2)))
        case "gcd" | "lcm" if all(v.denominator == 1 for v in values):
            of_all = gcd if function == "gcd" else lcm
            return Fraction(of_all(*map(int, values)))
        case "binom" if counts:
            return Fraction(comb(int(first), int(last)))
        case "abs":
            return abs(first)
        case "floor":
            return Fraction(floor(first))
        case "ceil":
            return Fraction(ceil(first))
    return None


def line(node: Node) -> tuple[Fraction, Fraction] | None:
    """Slope and offset of a formula with one symbol, where it is a line."""
    (name,) = symbols(node)
    at_zero, at_one, at_far = (
        rational(replace(node, name, number(k))) for k in (0, 1, FAR)
    )
    if at_zero is None or at_one is None:
        return None
    slope = at_one - at_zero
    return (slope, at_zero) if at_far == at_zero + slope * FAR else None


def difference(a: Node, b: Node) -> Node:
    return Node("add", (a, negative(b)))


def context() -> Any:
    """This thread's own mpmath context; the global one is shared and adjustable."""
    if not hasattr(_local, "context"):
        import mpmath

        _local.context = mpmath.MPContext()
        _local.context.dps = DIGITS
    return _local.context


def points(names: set[str]) -> Iterator[dict[str, Any]]:
    """Values for the symbols: generic positive reals, one point of mixed
    signs, then small whole numbers."""
    if len(names) > len(PRIMES):
        raise LimitExceeded("too many symbols")
    ordered = sorted(names)
    for k, sign in enumerate((1, -1, 1, 1)):
        yield {name: _generic(j, k, sign) for j, name in enumerate(ordered)}
    ctx = context()
    for k in range(WHOLE):
        yield {name: ctx.mpf(3 + k + 2 * j) for j, name in enumerate(ordered)}


def _generic(j: int, k: int, sign: int) -> Any:
    """The value of the symbol j at the point k, of the root of a prime of its own."""
    ctx = context()
    root = sign ** (j + 1) * ctx.sqrt(PRIMES[j]) / (k + 2)
    return root + ctx.mpf(sign * (k + j)) / 7


def same(a: Node, b: Node) -> bool | None:
    """Have both the same values? None: no point where both are defined.

    Small constants that agree are looked at again with many more digits.
    """
    a_exact = rational(a)
    b_exact = rational(b)
    if a_exact is not None and b_exact is not None:
        return a_exact == b_exact
    digits = ROUGH if _is_rough(a) or _is_rough(b) else 0
    agree = _agree(a, b, lambda x, y: close(x, y, digits))
    are_constant = not symbols(a) and not symbols(b)
    if agree and are_constant and _is_small(a) and _is_small(b):
        with context().workdps(CONFIRMED):
            return _agree(a, b, close)
    return agree


def _is_rough(node: Node) -> bool:
    """Is there an integral, a limit or an infinite sum?"""
    series = [part for part in walk(node) if part.kind == "series"]
    return any(
        part.value in ("int", "lim") or infinite(part.args[2]) for part in series
    )


def _is_small(node: Node) -> bool:
    """Is the node worth many digits? Not what takes long to them: sums, factorials."""
    parts = walk(node)
    if len(parts) > CONFIRMED_NODES:
        return False
    return not any(
        part.kind == "series" or part.value in ("factorial", "binom") for part in parts
    )


def proportional(a: Node, b: Node, positive: bool = False) -> bool | None:
    """Is a a constant (positive) multiple of b, as the sides of equal equations are?"""
    ratios: list[Any] = []

    def same_ratio(x: Any, y: Any) -> bool:
        x_vanishes = close(x, 0)
        y_vanishes = close(y, 0)
        if x_vanishes or y_vanishes:
            return x_vanishes and y_vanishes
        ratios.append(x / y)
        if not close(ratios[0], ratios[-1]):
            return False
        return not positive or bool(ratios[0].real > 0)

    agree = _agree(a, b, same_ratio)
    return agree if ratios or agree is False else None


def _agree(a: Node, b: Node, check: Callable[[Any, Any], bool]) -> bool | None:
    """Do the values of both pass a check at as many points as it takes?"""
    names = symbols(a) | symbols(b)
    parts = walk(a) + walk(b)
    needed = _points_needed(parts) if names else 1
    complex_too = any(part.kind == "symbol" and part.value == "i" for part in parts)
    agreed = 0
    for point in points(names):
        try:
            x = value(a, point)
            y = value(b, point)
        except (Undefined, *_UNDEFINED):
            continue
        if not complex_too and not (_real(x) and _real(y)):
            continue
        if not check(x, y):
            return False
        agreed += 1
        if agreed >= needed:
            return True
    return True if agreed >= min(needed, 2) else None


def _points_needed(parts: list[Node]) -> int:
    """At how many points formulas with symbols must agree."""
    if any(part.kind == "series" for part in parts):
        return WHOLE  # they are defined at whole numbers only
    if any(part.value in ("floor", "ceil") for part in parts):
        return 4 + WHOLE  # they are the same at many points
    return 3


def _real(x: Any) -> bool:
    ctx = context()
    return bool(abs(ctx.im(x)) <= ctx.mpf(10) ** -AGREE * (1 + abs(ctx.re(x))))


def close(x: Any, y: Any, digits: int = 0) -> bool:
    """Equal to all digits but the last 14, relative to the larger one."""
    ctx = context()
    scale = max(abs(x), abs(y))
    if abs(x - y) <= scale * ctx.mpf(10) ** -(digits or ctx.dps - SLACK):
        return True
    cancelled = scale < ctx.mpf(10) ** -(ctx.dps - 5)  # what cancellation left of zero
    return bool(cancelled and (x == 0 or y == 0))


def constant(node: Node) -> Any:
    """The numeric value of a tree without symbols, or None."""
    if symbols(node):
        return None
    try:
        return value(node, {})
    except (Undefined, *_UNDEFINED):
        return None


def value(node: Node, point: dict[str, Any]) -> Any:
    """The value at a point. Raises Undefined, or LimitExceeded beyond a bound."""
    ctx = context()
    spend(3)
    match node.kind:
        case "number":
            return ctx.mpf(node.value.numerator) / node.value.denominator
        case "symbol":
            return _symbol(node.value, point)
        case "add":
            return ctx.fsum([value(a, point) for a in node.args])
        case "mul":
            return _bounded(ctx.fprod([value(a, point) for a in node.args]))
        case "div" | "ratio" if len(node.args) == 2:
            return value(node.args[0], point) / value(node.args[1], point)
        case "pow":
            return _power(value(node.args[0], point), value(node.args[1], point))
        case "percent":
            return value(node.args[0], point) / 100
        case "degree":
            return value(node.args[0], point) * ctx.pi / 180
        case "unit" | "phrase":
            return value(node.args[0], point)
        case "series":
            return _series(node, point)
        case "call":
            return _call(node.value, [value(a, point) for a in node.args])
    raise Undefined(node.kind)


def infinite(node: Node) -> int:
    """1 for infinity, -1 for minus infinity, 0 otherwise."""
    if node == INFINITY:
        return 1
    return -1 if node == negative(INFINITY) else 0


def _series(node: Node, point: dict[str, Any]) -> Any:
    """A sum or product term by term, an integral, a limit. Raises Undefined where there is none."""
    ctx = context()
    body, *bounds = node.args

    def term(k: Any) -> Any:
        return value(body, point | {RUNNING: ctx.mpf(k)})

    low, high = (_bound(bound, point) for bound in bounds)
    is_sum = node.value == "sum"
    try:
        if node.value == "int":
            return ctx.quad(term, [low, high])
        if node.value == "lim":
            return ctx.limit(term, low)
        has_end = not infinite(bounds[1])
        if not ctx.isint(low) or (has_end and not ctx.isint(high)) or high < low - 1:
            raise Undefined("bounds")
        if not has_end:
            add_up = ctx.nsum if is_sum else ctx.nprod
            return add_up(term, [low, high])
    except ctx.NoConvergence as error:
        raise Undefined("no limit") from error
    total = ctx.mpf(0 if is_sum else 1)
    for k in range(int(low), int(high) + 1):
        total = _bounded(total + term(k) if is_sum else total * term(k))
    return total


def _bound(node: Node, point: dict[str, Any]) -> Any:
    sign = infinite(node)
    return context().inf * sign if sign else value(node, point)


def _symbol(name: str, point: dict[str, Any]) -> Any:
    ctx = context()
    if name in point:
        return point[name]
    constants = {"pi": ctx.pi, "e": ctx.e, "i": ctx.j}
    if name not in constants:
        raise Undefined(name)
    return +constants[name]  # as a number of so many digits as are asked for now


def _bounded(x: Any) -> Any:
    if x and abs(context().mag(x)) > LARGEST:
        raise LimitExceeded("a number too large")
    return x


def _power(base: Any, exponent: Any) -> Any:
    ctx = context()
    if base == 0:
        if ctx.re(exponent) > 0:
            return ctx.mpf(0)
        if exponent == 0:
            return ctx.mpf(1)
        raise Undefined("a negative power of zero")
    if abs(exponent) * (abs(ctx.mag(base)) + 2) > LARGEST:
        raise LimitExceeded("a power too large")
    if _real(base) and _real(exponent) and ctx.re(base) < 0:
        odd = _odd_root(ctx.re(exponent))
        if odd is not None:
            return odd * ctx.power(-ctx.re(base), ctx.re(exponent))
    return ctx.power(base, exponent)


def _odd_root(exponent: Any) -> int | None:
    """The sign of a negative number's power with a small odd denominator, or None."""
    ctx = context()
    for denominator in (1, 3, 5, 7, 9):
        top = exponent * denominator
        if abs(top - ctx.nint(top)) < ctx.mpf(10) ** -AGREE:
            return -1 if int(ctx.nint(top)) % 2 else 1
    return None


def _call(name: str, args: list[Any]) -> Any:
    """The value of a function. Raises Undefined, or LimitExceeded before it takes too long."""
    ctx = context()
    x = args[0]
    if name in _TRIGONOMETRIC:
        if x and ctx.mag(x) > LARGEST_ANGLE:
            raise LimitExceeded("an angle too large")
        return getattr(ctx, name)(x)
    if name in _EXPONENTIAL:
        if abs(x) > LARGEST:
            raise LimitExceeded("a power too large")
        return getattr(ctx, name)(x)
    if name in _INVERSE:
        return getattr(ctx, _INVERSE[name])(x)
    if name in _STEPS:
        return getattr(ctx, _STEPS[name])(x)
    if name in ("ln", "log"):
        return _logarithm(name, args)
    if name in ("factorial", "binom"):
        if any(abs(a) > LARGEST_GAMMA for a in args):
            raise LimitExceeded("a factorial too large")
        return ctx.factorial(x) if name == "factorial" else ctx.binomial(*args)
    if name in ("max", "min") and all(map(_real, args)):
        choose = max if name == "max" else min
        return choose(map(ctx.re, args))
    if name.startswith("index "):  # an unknown sequence: any function without a law
        return ctx.cos(x * x + zlib.crc32(name.encode()) % 997)
    raise Undefined(name)


def _logarithm(name: str, args: list[Any]) -> Any:
    """To the base that stands behind its argument, else to e or 10."""
    ctx = context()
    if args[0] == 0:
        raise Undefined("log of zero")
    usual = ctx.e if name == "ln" else 10
    base = args[1] if len(args) > 1 else usual
    return ctx.log(args[0]) / ctx.log(base)
