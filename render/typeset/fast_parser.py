"""mathtext's parser with a short way to what most of a formula is.

Its grammar tries some forty rules for every character, each through several layers of pyparsing.
Short cuts leave out what cannot match: a character that no script, prime or brace follows is a
symbol at once, of alternative rules only those are tried whose first terminal matches here, and
only what is read twice is remembered. The result is the same to the last vertex, as tests show.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any

_BLANKS = re.compile(r"[ \t\n\r]*")
# one character or plain command, and behind it neither script nor prime
_PLAIN = re.compile(
    r"(?:[A-Za-z0-9+\-*/<>=:,.;!?()\[\]|]|\\(?:leq|geq|neq|times|cdot|pi|alpha|beta|theta|angle|infty|"
    r"triangle|in|to|therefore|because|pm|div|approx|lambda|mu|omega|rho|perp|cap|cup|ldots|cdots|"
    r"leqslant|geqslant|subset|equiv|sim|parallel)(?![A-Za-z]))(?=\s*(?:[^\s_^']|\Z))"
)


def hasten(parser: Any) -> Any:
    """The same `matplotlib.mathtext.MathTextParser`, its grammar with the short cuts built in.

    A Matplotlib whose grammar is made otherwise is left as it is.
    """
    from matplotlib import _mathtext

    grammar = parser._parser = _mathtext.Parser()  # Matplotlib's other users keep theirs
    token = getattr(getattr(grammar, "_math_expression", None), "expr", None)
    elements = list(_elements(token))
    symbol = next((e for e in elements if getattr(e, "name", "") == "symbol"), None)
    if symbol is None or type(token).__name__ != "Forward":
        return parser
    grammar._math_expression.streamline()
    for element in elements:
        if type(element).__name__ != "Forward":  # what is read twice are placeables, all Forwards
            element._parse = element._parseNoCache
        if type(element).__name__ == "MatchFirst":
            _filtered(element)
    _straight_to_symbols(token, symbol)
    return parser


def _straight_to_symbols(token: Any, symbol: Any) -> None:
    long_way = token._parse

    def parse(text: str, at: int, do_actions: bool = True, callPreParse: bool = True) -> Any:  # noqa: N803
        start = _BLANKS.match(text, at).end()  # type: ignore[union-attr]
        if _PLAIN.match(text, start):
            return symbol._parse(text, start, do_actions, False)
        return long_way(text, at, do_actions, callPreParse)

    token._parse = parse


def _filtered(choice: Any) -> None:
    """Let a choice between rules try only those whose first terminal matches."""
    from pyparsing import ParseException, ParseFatalException

    rules = [(_first(rule), rule) for rule in choice.exprs]

    def parse_impl(text: str, at: int, do_actions: bool = True) -> Any:
        start = _BLANKS.match(text, at).end()  # type: ignore[union-attr]
        furthest = None
        for first, rule in rules:
            if first is not None and not first(text, start):
                continue
            try:
                return rule._parse(text, at, do_actions)
            except ParseFatalException:
                raise
            except ParseException as error:
                if furthest is None or error.loc > furthest.loc:
                    furthest = error
        raise furthest or ParseException(text, at, "no rule matches", choice)

    choice.parseImpl = parse_impl


def _first(rule: Any) -> Any:
    """Does a rule's first terminal match at a place? None where that cannot be said."""
    kind = type(rule).__name__
    for _ in range(4):
        if kind != "And" or not rule.exprs:
            break
        rule = rule.exprs[0]
        kind = type(rule).__name__
    if not getattr(rule, "skipWhitespace", False):
        return None
    if kind == "Regex":
        return rule.re.match
    if kind in ("Literal", "_SingleCharLiteral"):
        return lambda text, at: text.startswith(rule.match, at)
    return None


def _elements(element: Any) -> Iterator[Any]:
    """All elements of a grammar that can be reached from one."""
    waiting, seen = [element], set[int]()
    while waiting:
        element = waiting.pop()
        if element is None or id(element) in seen:
            continue
        seen.add(id(element))
        yield element
        waiting += [*getattr(element, "exprs", ()), getattr(element, "expr", None)]
