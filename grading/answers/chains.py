"""What a chain of equations comes to."""

from __future__ import annotations

import re
from fractions import Fraction

from ...words import words
from .spelling import CALCULATED

# What stands around a chain: delimiters, environments, the marks at which its rows are aligned.
_WRAPPING = re.compile(
    r"^(?:\\[(\[]|\$+)|(?:\\[)\]]|\$+)$|&(?=\s*[=≈])|(?<=[=≈])\s*&"
    r"|\\(?:begin|end)\{(?:aligned|align\*?|split|gathered|equation\*?)\}|\\nonumber"
)
# Stops, row ends and a modulus behind the last value.
_CLOSING = re.compile(
    r"(?<![\s,;])(?:(?:\(\s*+)?\\?p?mod(?![a-z]).*|[\s,;]|\.(?=\s*$)|\\[\\\s,;]?+)*$"
)
_INNER_BRACKETS = re.compile(
    r"(?<!\\)[({\[][^(){}\[\]]*(?<!\\)[)}\]]|\\begin\b(?s:.*?)\\end\b"
)
_EQUALS = re.compile(
    r"(?<![<>!:\\])[=≈≡≐](?!=)|\\(?:approx|equiv|simeq|cong|doteq|sim)\b"
    r"|(?<=[\s\d])~(?=[\s\d])"
)
# Marks of several values, or of an inequality; a comma within a number is none: 1,000 and 6,50.
_SEVERAL = re.compile(
    r"(?<!\\),(?!\d{3}(?!\d)|(?<=\d,)\d\d(?![\d,]))|[，;<>≤≥]|(?<!\\)\\(?:le|ge|leq|geq|in|text|quad|lt|gt)(?![A-Za-z])"
    rf"|(?<!\\){words('joins', 'either')}"
)
# What rounds a value, and a value that it may round.
_ROUNDS = frozenset(["≈", "≐", "~", "\\approx", "\\simeq", "\\doteq", "\\sim"])
_QUOTIENT = re.compile(r"(-?\d{1,9})/(\d{1,9})")
_DECIMAL = re.compile(r"-?\d{0,9}\.(\d{1,9})")
_COMPUTED = re.compile(
    r"\d[^A-Za-z]{0,40}(?:\\(?:pi|sqrt|frac|dfrac)|[π√/])|[π√]|\\(?:pi|sqrt|frac|dfrac)"
)
_ROW_END = re.compile(r"\\\\|\\Rightarrow|\\implies|[⇒→]")
# A computation with numbers and units, in which no symbol stands.
_COMPUTATION = re.compile(
    r"(?:\\[a-z]+|\b(?:m|cm|km|mm|ft|g|kg|s|h)\b|[\d\s.,+*/×÷·$()\\^{}%°-])*+"
)


def chain_end(text: str, keep: bool = True) -> str:
    """The last value of a chain of equations: 4 of `2 + 2 = 4`; `x = 4` and `y = 2x` stay.

    >>> chain_end("4 m + 4 m = 8 m"), chain_end("$S = 2+3 = 5$"), chain_end("y = 2x")
    ('8 m', '5', 'y = 2x')
    """
    text = CALCULATED.sub("", text)
    if not _EQUALS.search(text):
        return text
    # a delimiter may stand behind another, as in `$\begin{aligned}`
    unwrapped = _WRAPPING.sub(" ", _WRAPPING.sub(" ", text.strip()).strip())
    chain = _CLOSING.sub("", unwrapped)
    outer = _without_brackets(chain)
    signs = list(_EQUALS.finditer(outer))
    if not signs or _SEVERAL.search(outer):
        return text
    row = _last_row(outer, signs[-1].start())
    signs = [sign for sign in signs if sign.start() >= row]
    left = chain[row : signs[0].start()].strip()
    last = chain[signs[-1].end() :].strip()
    is_equation = keep and len(signs) == 1 and not _is_computation(left)
    if not last or is_equation:
        return f"{left} = {last}" if row else text
    exact = [sign.end() for sign in signs if sign[0] == "="]
    if exact and signs[-1][0] != "=":  # what stands before an approximation
        return chain[exact[-1] : signs[-1].start()].strip() or last
    if signs[0][0] in _ROUNDS and _COMPUTED.search(left):  # both are read: 4π ≈ 12.6
        return f"{left} ≈ {last}"
    before = chain[signs[-2].end() if len(signs) > 1 else row : signs[-1].start()]
    if _is_rounded(last, before.strip()):  # 10/3 = 3.33
        return f"{before.strip()} ≈ {last}"
    return last


def _is_rounded(decimal: str, quotient: str) -> bool:
    """Is a decimal a quotient with some of its figures?"""
    places = _DECIMAL.fullmatch(decimal)
    exact = _QUOTIENT.fullmatch(quotient)
    if not places or not exact or not int(exact[2]):
        return False
    distance = abs(Fraction(decimal) - Fraction(int(exact[1]), int(exact[2])))
    return 0 < distance < Fraction(1, 10 ** len(places[1]))


def _without_brackets(text: str) -> str:
    """The text with blanks, as it were, for all that stands in brackets, in its length."""
    inner = None
    while text != inner:
        inner = text
        text = _INNER_BRACKETS.sub(lambda match: "_" * len(match[0]), text)
    return text


def _last_row(text: str, place: int) -> int:
    """Where the row of a place begins."""
    ends = [match.end() for match in _ROW_END.finditer(text)]
    return max((end for end in ends if end <= place), default=0)


def _is_computation(text: str) -> bool:
    return bool(_COMPUTATION.fullmatch(text)) and any(map(str.isdigit, text))
