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
from math import ceil, comb, factorial, floor, prod
from typing import Any

from ..answers import (
    RUNNING,
    LimitExceeded,
    Node,
    negative,
    number,
    replace,
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
    if node.kind not in (
        "add",
        "mul",
        "div",
        "pow",
        "percent",
        "call",
        "unit",
        "ratio",
    ):
        return None
    values = []
    for arg in node.args:
        if (value := rational(arg)) is None:
            return None
        values.append(value)
    spend(
        1 + sum(_bits(v) for v in values) ** 2 // 10**5
    )  # a common divisor is looked for
    result = _fraction(node, values)
    return result if result is None or _bits(result) <= BITS else None


def _bits(value: Fraction) -> int:
    return value.numerator.bit_length() + value.denominator.bit_length()


def _fraction(node: Node, values: list[Fraction]) -> Fraction | None:
    first, last = values[0], values[-1]
    whole = all(v.denominator == 1 for v in values) and 0 <= last <= first <= FACTORIAL
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
        case "call" if node.value == "factorial" and whole:
            return Fraction(factorial(int(first)))
        case "call" if node.value == "binom" and whole:
            return Fraction(comb(int(first), int(last)))
        case "call" if node.value == "abs":
            return abs(first)
        case "call" if node.value in ("floor", "ceil"):
            return Fraction(floor(first) if node.value == "floor" else ceil(first))
    return None


def line(node: Node) -> tuple[Fraction, Fraction] | None:
    """Slope and offset of a formula with one symbol, where it is a line."""
    (name,) = symbols(node)
    start, one, far = (
        rational(replace(node, name, number(k))) for k in (0, 1, Fraction(1009, 7))
    )
    if start is None or one is None or far != start + (one - start) * Fraction(1009, 7):
        return None
    return one - start, start


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
    ctx = context()
    primes = (2, 3, 5, 7, 11, 13, 17, 19, 23, 29, 31, 37, 41, 43, 47, 53, 59, 61)
    ordered = sorted(names)[: len(primes)]
    if len(ordered) < len(names):
        raise LimitExceeded("too many symbols")
    for k, sign in enumerate((1, -1, 1, 1)):
        yield {
            name: sign ** (j + 1) * ctx.sqrt(primes[j]) / (k + 2)
            + ctx.mpf(sign * (k + j)) / 7
            for j, name in enumerate(ordered)
        }
    for k in range(WHOLE):
        yield {name: ctx.mpf(3 + k + 2 * j) for j, name in enumerate(ordered)}


def same(a: Node, b: Node) -> bool | None:
    """Have both the same values? None: no point where both are defined.

    Small constants that agree are looked at again with many more digits.
    """
    exact, other = rational(a), rational(b)
    if exact is not None and other is not None:
        return exact == other
    digits = ROUGH if _is_rough(a) or _is_rough(b) else 0
    answer = _agree(a, b, lambda x, y: close(x, y, digits))
    if answer and not symbols(a) | symbols(b) and _is_small(a) and _is_small(b):
        with context().workdps(CONFIRMED):
            return _agree(a, b, close)
    return answer


def _is_rough(node: Node) -> bool:
    """Is there an integral, a limit or an infinite sum?"""
    series = [n for n in walk(node) if n.kind == "series"]
    return any(n.value in ("int", "lim") or infinite(n.args[2]) for n in series)


def _is_small(node: Node) -> bool:
    """Is the node worth many digits? Not what takes long to them: sums, factorials."""
    nodes = walk(node)
    long = any(n.kind == "series" or n.value in ("factorial", "binom") for n in nodes)
    return len(nodes) <= CONFIRMED_NODES and not long


def proportional(a: Node, b: Node, positive: bool = False) -> bool | None:
    """Is a a constant (positive) multiple of b, as the sides of equal equations are?"""
    ratios: list[Any] = []

    def check(x: Any, y: Any) -> bool:
        if close(x, 0) or close(y, 0):
            return close(x, 0) and close(y, 0)
        ratios.append(x / y)
        return close(ratios[0], ratios[-1]) and (
            not positive or bool(ratios[0].real > 0)
        )

    answer = _agree(a, b, check)
    return answer if ratios or answer is False else None


def _agree(a: Node, b: Node, check: Callable[[Any, Any], bool]) -> bool | None:
    names = symbols(a) | symbols(b)
    imaginary = any(n.kind == "symbol" and n.value == "i" for n in walk(a) + walk(b))
    nodes = walk(a) + walk(b)
    series = any(n.kind == "series" for n in nodes)  # defined at whole numbers only
    steps = any(n.value in ("floor", "ceil") for n in nodes)  # the same at many points
    needed = (WHOLE if series else 4 + WHOLE if steps else 3) if names else 1
    agreed = 0
    for point in points(names):
        try:
            x, y = value(a, point), value(b, point)
        except (Undefined, ZeroDivisionError, ValueError, OverflowError):
            continue
        if not imaginary and (not _real(x) or not _real(y)):
            continue
        if not check(x, y):
            return False
        agreed += 1
        if agreed >= needed:
            return True
    return True if agreed >= min(needed, 2) else None


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
    except (Undefined, ZeroDivisionError, ValueError, OverflowError):
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
    if node.kind == "symbol" and node.value == "infty":
        return 1
    return -1 if node == negative(Node("symbol", (), "infty")) else 0


def _series(node: Node, point: dict[str, Any]) -> Any:
    """A sum or product term by term, an integral, a limit. Raises Undefined where there is none."""
    ctx = context()
    body, *bounds = node.args

    def term(k: Any) -> Any:
        return value(body, point | {RUNNING: ctx.mpf(k)})

    low, high = (ctx.inf * s if (s := infinite(b)) else value(b, point) for b in bounds)
    try:
        if node.value == "int":
            return ctx.quad(term, [low, high])
        if node.value == "lim":
            return ctx.limit(term, low)
        if (
            not ctx.isint(low)
            or not (infinite(bounds[1]) or ctx.isint(high))
            or high < low - 1
        ):
            raise Undefined("bounds")
        if infinite(bounds[1]):
            return (ctx.nsum if node.value == "sum" else ctx.nprod)(term, [low, high])
    except ctx.NoConvergence as error:
        raise Undefined("no limit") from error
    total = ctx.mpf(node.value == "prod")
    for k in range(int(low), int(high) + 1):
        total = _bounded(total * term(k) if node.value == "prod" else total + term(k))
    return total


def _symbol(name: str, point: dict[str, Any]) -> Any:
    ctx = context()
    if name in point:
        return point[name]
    known = {"pi": ctx.pi, "e": ctx.e, "i": ctx.j}
    if name not in known:
        raise Undefined(name)
    return +known[name]


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
    ctx = context()
    x = args[0]
    if name in ("sin", "cos", "tan", "cot", "sec", "csc"):
        if x and ctx.mag(x) > LARGEST_ANGLE:
            raise LimitExceeded("an angle too large")
        return getattr(ctx, name)(x)
    if name in ("sinh", "cosh", "tanh", "coth", "exp"):
        if abs(x) > LARGEST:
            raise LimitExceeded("a power too large")
        return getattr(ctx, name)(x)
    if name.startswith("index "):  # an unknown sequence: any function without a law
        return ctx.cos(x * x + zlib.crc32(name.encode()) % 997)
    if name.startswith("arc"):
        inverse = {
            "arcsin": ctx.asin,
            "arccos": ctx.acos,
            "arctan": ctx.atan,
            "arccot": ctx.acot,
            "arcsinh": ctx.asinh,
            "arccosh": ctx.acosh,
            "arctanh": ctx.atanh,
        }
        if name not in inverse:
            raise Undefined(name)
        return inverse[name](x)
    if name in ("ln", "log"):
        if x == 0:
            raise Undefined("log of zero")
        base = args[1] if len(args) > 1 else (ctx.e if name == "ln" else 10)
        return ctx.log(x) / ctx.log(base)
    if name in ("factorial", "binom"):
        if any(abs(a) > LARGEST_GAMMA for a in args):
            raise LimitExceeded("a factorial too large")
        return ctx.factorial(x) if name == "factorial" else ctx.binomial(*args)
    if name in ("abs", "floor", "ceil"):
        return getattr(ctx, {"abs": "fabs"}.get(name, name))(x)
    if name in ("max", "min") and all(_real(a) for a in args):
        return (max if name == "max" else min)(ctx.re(a) for a in args)
    raise Undefined(name)
