"""Expressions in a spec: a small reader of its own, so that no text is ever evaluated as code.

Numbers, pi, e, variables, functions with parentheses, |x| and the usual signs; a product needs no
sign (2x, 3sin(x), x(x-1)) except before a number. Python's parser reads what stands between the
numbers and names, which it never sees; the tree is walked, not run.
"""

from __future__ import annotations

import ast
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
    "sin": np.sin,
    "cos": np.cos,
    "tan": np.tan,
    "sec": lambda v: 1 / np.cos(v),
    "csc": lambda v: 1 / np.sin(v),
    "cot": lambda v: 1 / np.tan(v),
    "asin": np.arcsin,
    "acos": np.arccos,
    "atan": np.arctan,
    "arcsin": np.arcsin,
    "arccos": np.arccos,
    "arctan": np.arctan,
    "sinh": np.sinh,
    "cosh": np.cosh,
    "tanh": np.tanh,
    "exp": np.exp,
    "ln": np.log,
    "log": np.log10,
    "log2": np.log2,
    "sqrt": np.sqrt,
    "cbrt": np.cbrt,
    "abs": np.abs,
    "sign": np.sign,
    "floor": np.floor,
    "ceil": np.ceil,
}
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
        with np.errstate(all="ignore"):
            result = self.node([np.asarray(value, float), *others])
        array = np.broadcast_to(np.asarray(result, float), np.shape(value))
        return array if np.ndim(value) else float(array)


@lru_cache(maxsize=512)
def parse(text: str, variables: str = "x") -> Expression:
    """Parse an expression in variables of one letter: `x`, none when it is empty, or two: `xy`.

    Raises ValueError with the first thing that is not understood.
    """
    return Expression(text, parse_named(text, variables, FLOATS))


def number(value: Any) -> float:
    """A finite number, or a constant expression such as `sqrt(3)/2`.

    >>> number("3pi/2") > 4.71
    True
    """
    if isinstance(value, bool) or not isinstance(value, int | float | str):
        raise ValueError(f"{value!r} is no number")
    try:
        result = parse(value, "")(0.0) if isinstance(value, str) else float(value)
    except OverflowError:
        result = np.inf
    if not np.isfinite(result) or abs(result) > 1e9:
        raise ValueError(f"{str(value)[:40]} is no number between -1e9 and 1e9")
    return float(result)


def parse_named(text: str, names: Sequence[str], arithmetic: Arithmetic) -> Compiled:
    """An expression in numbers with names; it is called with their values, in order.

    Functions may have several arguments: `gcd(p, q)`. Raises ValueError as `parse` does.
    """
    if len(text) > MAX_LENGTH:
        raise ValueError(
            f"expression of {len(text)} characters; the limit is {MAX_LENGTH}"
        )
    python, leaves = _as_python(text, tuple(names), arithmetic)
    operations = arithmetic.functions | {
        "Add": operator.add,
        "Sub": operator.sub,
        "Mult": operator.mul,
        "Div": arithmetic.divide,
        "Pow": arithmetic.power,
        "USub": operator.neg,
        "UAdd": operator.pos,
    }
    try:
        return _compiled(ast.parse(python, mode="eval").body, leaves, operations)
    except (SyntaxError, KeyError, RecursionError, MemoryError) as error:
        remedy = "write products as 2*x or 2x, functions as sin(x)"
        raise ValueError(f"cannot read {text!r} as an expression: {remedy}") from error


def _as_python(
    text: str, names: tuple[str, ...], arithmetic: Arithmetic
) -> tuple[str, dict[str, Compiled]]:
    """The text with a sign for every product and names such as `_3` for its values, and these."""
    words = [*arithmetic.functions, *arithmetic.constants, *names]
    signs = r"\*\*|[-+*/^()|]" if arithmetic is FLOATS else r"\*\*|[-+*/^()|,]"
    longest = "|".join(sorted(map(re.escape, words), key=len, reverse=True))
    pattern = re.compile(rf"\s*(\d+\.?\d*|\.\d+|{longest}|{signs})")
    source = text.translate(SPELLINGS).rstrip()
    at = 0
    python = ""
    opened = ""  # parentheses and bars that are open
    ended = False  # whether a factor has ended, so that the next one needs a sign
    values: dict[str, Compiled] = {}
    while at < len(source):
        match = pattern.match(source, at)
        if match is None:
            raise ValueError(f"cannot read {source[at:].strip()[:12]!r} in {text!r}")
        token = match[1]
        at = match.end()
        closes_bar = ended and opened.endswith("|")
        opens = token == "(" or (token == "|" and not closes_bar)
        python += "*" if ended and (opens or token in words) else " "
        if token in arithmetic.functions and token not in names:
            python += token
            ended = False
        elif token in words or token[0] in ".0123456789":
            values[f"_{at}"] = _value(token, names, arithmetic)
            python += f"_{at}"
            ended = True
        elif opens:
            python += "(" if token == "(" else "abs("
            opened += token
            ended = False
        elif token in ")|":
            if opened[-1:] != ("(" if token == ")" else "|"):
                raise ValueError(
                    f"cannot read {token!r} in {text!r}: it closes nothing"
                )
            python += ")"
            opened = opened[:-1]
            ended = True
        else:
            python += token.replace("^", "**")
            ended = False
        if len(opened) > MAX_DEPTH:
            raise ValueError(f"expression nested deeper than {MAX_DEPTH}")
    return python.strip(), values


def _value(token: str, names: tuple[str, ...], arithmetic: Arithmetic) -> Compiled:
    if token in names:
        return operator.itemgetter(names.index(token))
    if token in arithmetic.constants:
        value = arithmetic.constants[token]
    else:
        value = arithmetic.literal(token)
    return lambda variables: value


def _compiled(
    node: Any,
    values: dict[str, Compiled],
    operations: dict[str, Callable[..., Any]],
    depth: int = 0,
) -> Compiled:
    """A tree as one function. Raises KeyError for what no expression has."""
    if isinstance(node, ast.Name):
        return values[node.id]
    if depth > MAX_DEPTH or not isinstance(node, ast.BinOp | ast.UnaryOp | ast.Call):
        raise KeyError("nested too deeply, or no operation")
    if isinstance(node, ast.Call):
        operation = operations[getattr(node.func, "id", "")]
        parts = node.args
    elif isinstance(node, ast.UnaryOp):
        operation = operations[type(node.op).__name__]
        parts = [node.operand]
    else:
        operation = operations[type(node.op).__name__]
        parts = [node.left, node.right]
    if not parts:
        raise KeyError("a function of nothing")
    # a long sum is deep on its left, and needs no limit but its length
    inner = [
        _compiled(part, values, operations, depth + (k > 0 or len(parts) == 1))
        for k, part in enumerate(parts)
    ]
    return lambda variables: operation(*(part(variables) for part in inner))
