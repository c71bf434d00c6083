"""Single expressions as MM-MATH's judge reads them: with the habits of sympy's LaTeX parser.

Each letter is a symbol (e and i too), a symbol before a bracket a function, a colon a division,
`\\log` the natural logarithm, a mixed number a product; roots and binomials need braces, and signs
outside ASCII are errors, and so is a relation in brackets; an unknown command is a symbol. It stops
without a word at a bracket too many, a comma, a number's index or a second decimal point.
"""

from __future__ import annotations

import re
from string import digits

from ..answers import Node, ParseError, read, replace, symbol, symbols
from ..equivalence import numeric

LARGEST_POWER = 1000
# What is an error to the original, or no value.
_UNKNOWN = re.compile(
    r"""
    [^\x00-\x7f] | % | \*\* | \^\( | \{,\} | \\[()\[\]] | \\[ ]
    | \\sqrt(?![{\[]) | \\[dt]?binom(?!\{)
    | \d\s*[xX]\s*10 | \d\.?\\overline
    | \\(?:displaystyle|boxed|nicefrac|sfrac|dot|exp|approx)(?![A-Za-z])
    """,
    re.VERBOSE,
)
_WORDS = re.compile(
    r"\\(text|textbf|textit|mathrm|mathbf|vec|overrightarrow|over)(?![A-Za-z])"
)
_SPACES = re.compile(r"\\(?:quad|qquad|[;:!>])")
_RELATION = re.compile(r"[<>=]|\\(?:leq?|geq?|neq?)(?![A-Za-z])")
_SPLIT_NUMBER = re.compile(r"(?<=\d)\s+(?=\d)")
_LOGARITHM = re.compile(r"\\log(?![A-Za-z_])")
_MIXED_NUMBER = re.compile(r"(\d)\s*(\\[dt]?frac)")
_THOUSANDS = re.compile(r",\d{3}(?!\d)")
_LETTERS = re.compile(r"\\[A-Za-z]+|(?P<letters>[A-Za-z]+)(?P<call>\(?)")
_VALUES = frozenset("number symbol add mul div pow call ratio relation series".split())


def parsed(text: str) -> Node:
    """The tree of an expression. Raises ParseError.

    >>> parsed("2\\\\frac{1}{3}") == parsed("2*\\\\frac{1}{3}")
    True
    """
    text = _whole(text)
    if _UNKNOWN.search(text):
        raise ParseError("unknown to the original")
    text = _WORDS.sub(r"\\psi_{\1} ", _SPACES.sub(" ", text))
    text = _SPLIT_NUMBER.sub("", text)
    text = _LOGARITHM.sub(r"\\ln", text.replace(":", "/"))
    text = _MIXED_NUMBER.sub(r"\1*\2", text)
    node = read(_LETTERS.sub(_single_letters, text))
    if node.kind not in _VALUES:
        raise ParseError("no expression to the original")
    return _unwritten(replace(replace(node, "e", symbol("e'")), "i", symbol("i'")))


def _whole(text: str) -> str:
    """The text up to where the original stops. Raises ParseError for a relation in brackets."""
    text = text.partition("{}")[0]
    depth = 0
    points = 0  # in the number at this place
    for position, char in enumerate(text):
        depth += (char in "([") - (char in ")]")
        if char == ".":
            points += 1
        elif char not in digits:
            points = 0
        of_number = char == "_" and text[position - 1 : position].isdigit()
        stray = char == "," and not _THOUSANDS.match(text, position)
        if depth < 0 or points > 1 or of_number or stray:
            return text[:position]
        if depth and _RELATION.match(text, position):
            raise ParseError("a relation in brackets")
    return text


def _unwritten(node: Node) -> Node:
    """Without the spelling of its numbers: 8.60 is 8.6, but 12.0 is not the whole number 12."""
    point = "." if "." in node.text else ""
    return Node(node.kind, tuple(map(_unwritten, node.args)), node.value, point)


def _single_letters(match: re.Match[str]) -> str:
    letters = match["letters"]
    if letters is None:
        return match[0]
    if match["call"]:
        return f"{' '.join(letters[:-1])} f_{{{letters[-1]}}}("
    return " ".join(letters)


def too_large(node: Node) -> bool:
    """A power that the original refuses to compute."""
    if node.kind != "pow" or symbols(node):
        return False
    exponent = numeric.constant(node.args[1])
    return exponent is None or bool(abs(exponent) > LARGEST_POWER)
