"""Expressions in a spec: a small parser of its own, so that no text is ever evaluated as code.

sum     = term {("+" | "-") term}
term    = factor {("*" | "/" | nothing) factor}      2x, 3sin(x), x(x-1)
factor  = {"+" | "-"} power
power   = atom ["^" factor]
atom    = number | pi | e | variable | function "(" sum ")" | "(" sum ")" | "|" sum "|"
"""

from __future__ import annotations

import operator
import re
from collections.abc import Callable, Sequence
from functools import lru_cache
from typing import Any

import msgspec
import numpy as np

Array = Any  # numpy array of floats
Compiled = Callable[[Array], Array]

FUNCTIONS: dict[str, Compiled] = {
    "sin": np.sin, "cos": np.cos, "tan": np.tan, "sec": lambda v: 1 / np.cos(v),
    "csc": lambda v: 1 / np.sin(v), "cot": lambda v: 1 / np.tan(v),
    "asin": np.arcsin, "acos": np.arccos, "atan": np.arctan,
    "arcsin": np.arcsin, "arccos": np.arccos, "arctan": np.arctan,
    "sinh": np.sinh, "cosh": np.cosh, "tanh": np.tanh,
    "exp": np.exp, "ln": np.log, "log": np.log10, "log2": np.log2,
    "sqrt": np.sqrt, "cbrt": np.cbrt, "abs": np.abs, "sign": np.sign,
    "floor": np.floor, "ceil": np.ceil,
}  # fmt: skip
CONSTANTS = {"pi": np.pi, "e": np.e}


class Arithmetic(msgspec.Struct, frozen=True):
    """What an expression is worked out with: floats and arrays, or exact numbers."""

    literal: Callable[[str], Any]
    divide: Callable[[Any, Any], Any]
    power: Callable[[Any, Any], Any]
    functions: dict[str, Callable[..., Any]]
    constants: dict[str, Any]


FLOATS = Arithmetic(
    float,
    lambda a, b: np.divide(a, np.asarray(b, float)),
    lambda a, b: np.power(np.asarray(a, float), b),
    FUNCTIONS,
    CONSTANTS,
)
SPELLINGS = str.maketrans(
    {"−": "-", "–": "-", "·": "*", "×": "*", "÷": "/", "π": "pi", "²": "^2", "³": "^3"}
)
MAX_LENGTH = 300
MAX_DEPTH = 40


class Expression(msgspec.Struct, frozen=True):
    """A parsed expression; calling it evaluates it on numbers or arrays (nan where undefined).

    >>> parse("2x^2 - |x|")(3.0)
    15.0
    """

    text: str
    node: Compiled

    def __call__(self, value: Any, *others: Any) -> Any:
        given = np.asarray(value, float)
        with np.errstate(all="ignore"):
            result = self.node(np.stack([given, *others]) if others else given)
        array = np.broadcast_to(np.asarray(result, float), np.shape(value))
        return array if np.ndim(value) else float(array)


@lru_cache(maxsize=512)
def parse(text: str, variable: str = "x") -> Expression:
    """Parse an expression in one variable, none when it is empty, or two: `xy`.

    Raises ValueError with the position of the first thing that is not understood.
    """
    if len(text) > MAX_LENGTH:
        raise ValueError(f"expression of {len(text)} characters; the limit is {MAX_LENGTH}")
    return Expression(text, _Parser(text, variable).whole())


def number(value: Any) -> float:
    """A finite number, or a constant expression such as `sqrt(3)/2`.

    >>> number("3pi/2") > 4.71
    True
    """
    if isinstance(value, bool) or not isinstance(value, int | float | str):
        raise ValueError(f"{value!r} is no number")
    result = parse(value, "")(0.0) if isinstance(value, str) else _float(value)
    if not np.isfinite(result) or abs(result) > 1e9:
        raise ValueError(f"{str(value)[:40]} is no number between -1e9 and 1e9")
    return float(result)


def _float(value: float) -> float:
    try:
        return float(value)
    except OverflowError:
        return float("inf")


def parse_named(text: str, names: Sequence[str], arithmetic: Arithmetic) -> Compiled:
    """An expression in numbers with names; it is called with their values, in order.

    Functions may have several arguments: `gcd(p, q)`. Raises ValueError as `parse` does.
    """
    if len(text) > MAX_LENGTH:
        raise ValueError(f"expression of {len(text)} characters; the limit is {MAX_LENGTH}")
    return _Parser(text, tuple(names), arithmetic).whole()


class _Parser:
    """Recursive descent over the tokens of one expression."""

    def __init__(
        self, text: str, variable: str | tuple[str, ...], arithmetic: Arithmetic = FLOATS
    ) -> None:
        self.arithmetic = arithmetic
        words = sorted([*arithmetic.functions, *arithmetic.constants, *variable], key=len)
        pattern = rf"\s*(\d+\.?\d*|\.\d+|{'|'.join(reversed(words))}|\*\*|[-+*/^()|,])"
        self.text, self.variable = text, variable
        self.tokens: list[str] = []
        source, at = text.translate(SPELLINGS).rstrip(), 0
        while at < len(source):
            match = re.compile(pattern).match(source, at)
            if match is None:
                raise ValueError(f"cannot read {source[at:].strip()[:12]!r} in {text!r}")
            self.tokens.append(match[1].replace("**", "^"))
            at = match.end()
        self.at = self.depth = self.bars = 0

    def peek(self) -> str:
        return self.tokens[self.at] if self.at < len(self.tokens) else ""

    def take(self) -> str:
        self.at += 1
        return self.tokens[self.at - 1]

    def whole(self) -> Compiled:
        node = self.sum()
        if self.peek():
            raise ValueError(f"unexpected {self.peek()!r} in {self.text!r}")
        return node

    def sum(self) -> Compiled:
        self.deeper()
        node = self.term()
        while self.peek() in ("+", "-"):
            operation = operator.add if self.take() == "+" else operator.sub
            node = _of(operation, node, self.term())
        self.depth -= 1
        return node

    def deeper(self) -> None:
        self.depth += 1
        if self.depth > MAX_DEPTH:
            raise ValueError(f"expression nested deeper than {MAX_DEPTH}")

    def term(self) -> Compiled:
        node = self.factor()
        while True:
            token = self.peek()
            if token in ("*", "/"):
                self.take()
                operation = operator.mul if token == "*" else self.arithmetic.divide
                node = _of(operation, node, self.factor())
            elif self.starts_factor(token):
                node = _of(operator.mul, node, self.power())
            else:
                return node

    def starts_factor(self, token: str) -> bool:
        """Whether a product goes on without a sign: not before a number (x2 is no product)."""
        return bool(token) and not (
            token in "+-^)," or token[0] in ".0123456789" or (token == "|" and self.bars)
        )

    def factor(self) -> Compiled:
        sign = 1
        while self.peek() in ("+", "-"):
            sign = -sign if self.take() == "-" else sign
        node = self.power()
        return node if sign == 1 else _of(operator.neg, node)

    def power(self) -> Compiled:
        base = self.atom()
        if self.peek() != "^":
            return base
        self.take()
        self.deeper()
        exponent = self.factor()
        self.depth -= 1
        return _of(self.arithmetic.power, base, exponent)

    def atom(self) -> Compiled:
        if not self.peek():
            raise ValueError(f"{self.text!r} ends too early")
        token = self.take()
        if token[0].isdigit() or token[0] == ".":
            return _constant(self.arithmetic.literal(token))
        if token and token in self.variable:
            k = self.variable.index(token)
            several = isinstance(self.variable, tuple) or len(self.variable) > 1
            return (lambda v: v[k]) if several else (lambda v: v)
        if token in self.arithmetic.constants:
            return _constant(self.arithmetic.constants[token])
        if token in self.arithmetic.functions:
            if self.peek() != "(":
                raise ValueError(f"write {token}(...) with parentheses in {self.text!r}")
            self.take()
            arguments = self.listed()
            if len(arguments) > 1 and self.arithmetic is FLOATS:
                raise ValueError(f"{token}(...) takes one number in {self.text!r}")
            return _of(self.arithmetic.functions[token], *arguments)
        if token == "(":
            bars, self.bars = self.bars, 0
            inner = self.closed(")")
            self.bars = bars
            return inner
        if token == "|":
            self.bars += 1
            inner = self.closed("|")
            self.bars -= 1
            return _of(self.arithmetic.functions["abs"], inner)
        raise ValueError(f"unexpected {token!r} in {self.text!r}")

    def listed(self) -> list[Compiled]:
        """The arguments of a function, up to its closing parenthesis."""
        nodes: list[Compiled] = []
        while self.peek() == "," or not nodes:
            self.at += bool(nodes)
            nodes.append(self.sum())
        self.close(")")
        return nodes

    def closed(self, end: str) -> Compiled:
        node = self.sum()
        self.close(end)
        return node

    def close(self, end: str) -> None:
        if self.peek() != end:
            raise ValueError(f"missing {end!r} in {self.text!r}")
        self.take()


def _constant(value: float) -> Compiled:
    return lambda v: value


def _of(operation: Callable[..., Any], *parts: Compiled) -> Compiled:
    """An operation on parts of an expression."""
    return lambda v: operation(*(part(v) for part in parts))
