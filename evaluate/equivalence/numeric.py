"""Numeric values of trees, to 50 digits, at fixed generic points.

Two expressions that agree to 40 digits at several algebraically unrelated points are equal for
every purpose of grading; one point of disagreement proves that they differ. Roots and powers are
real where they can be (cube roots of negative numbers too). Magnitudes are bounded before each
operation, so no power tower or factorial chain is ever computed.
"""

from __future__ import annotations

import threading
import zlib
from collections.abc import Callable, Iterator
from typing import Any

from ..answers import RUNNING, LimitExceeded, Node, Symbolic, symbols, walk
from .work_budget import spend

DIGITS = 50
SLACK = 14  # digits that rounding may take
AGREE = DIGITS - SLACK
CONFIRMED = 1000  # digits of constants that seem equal
CONFIRMED_NODES = 100
LARGEST = 200_000  # bits of a magnitude
LARGEST_ANGLE = 300  # bits
LARGEST_GAMMA = 10**9
LONGEST = 1000  # terms of a sum or product
WHOLE = 6  # points of whole numbers
_local = threading.local()


class Undefined(Exception):
    """No finite (real) value at this point."""


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
            name: sign ** (j + 1) * ctx.sqrt(primes[j]) / (k + 2) + ctx.mpf(sign * (k + j)) / 7
            for j, name in enumerate(ordered)
        }
    for k in range(WHOLE):
        yield {name: ctx.mpf(3 + k + 2 * j) for j, name in enumerate(ordered)}


def same(a: Node, b: Node) -> bool | None:
    """Have both the same values? None: no point where both are defined.

    Small constants that agree are looked at again with many more digits.
    """
    answer = _agree(a, b, lambda x, y: close(x, y))
    if answer and not symbols(a) | symbols(b) and _is_small(a) and _is_small(b):
        with context().workdps(CONFIRMED):
            return _agree(a, b, lambda x, y: close(x, y))
    return answer


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
        return close(ratios[0], ratios[-1]) and (not positive or bool(ratios[0].real > 0))

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


def close(x: Any, y: Any) -> bool:
    """Equal to all digits but the last 14, relative to the larger one."""
    ctx = context()
    scale = max(abs(x), abs(y))
    if abs(x - y) <= scale * ctx.mpf(10) ** -(ctx.dps - SLACK):
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


def _series(node: Node, point: dict[str, Any]) -> Any:
    """Term by term. Raises Undefined between whole numbers, Symbolic for very many terms."""
    ctx = context()
    body, *bounds = node.args
    low, high = (value(bound, point) for bound in bounds)
    if not (ctx.isint(low) and ctx.isint(high)) or high < low - 1:
        raise Undefined("bounds")
    if high - low >= LONGEST:
        raise Symbolic("a long sum")
    terms = [value(body, point | {RUNNING: ctx.mpf(k)}) for k in range(int(low), int(high) + 1)]
    return _bounded(ctx.fsum(terms) if node.value == "sum" else ctx.fprod(terms))


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
        inverse = {"arcsin": ctx.asin, "arccos": ctx.acos, "arctan": ctx.atan, "arccot": ctx.acot,
                   "arcsinh": ctx.asinh, "arccosh": ctx.acosh, "arctanh": ctx.atanh}  # fmt: skip
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
