"""What a value looks like in a sentence: numbers, units, lists, and chains that end in one."""

from __future__ import annotations

import re

from ...latex import HAN
from ...words import HAN_NAMES, NAMES, Numeral, scale_at, unit, words

_UNIT = re.compile(
    r"[^\S\n]?(?:%|°[CF]?|(?!in\b|a\b|as\b|at\b|am\b)"
    r"(?:(?:[mgshlLtNJWVAKCF]|[a-zA-Zµμ]{2,3})(?:[²³]|\^\{?\d\}?|(?:/|\sper\s)[a-z]{1,6}[²³]?)?"
    r"(?![A-Za-z\d=(])"
    rf"|{NAMES}\b(?:\s(?:squared|cubed)|(?:/| per )[a-z]{{1,8}})?"
    r"|\$?\\(?:mathrm|text|rm)\s?\{~?\s?[^{}$]{1,20}\}(?:\^\{?\d\}?)?\$?"
    rf"|{HAN_NAMES}))"
)
JOIN = re.compile(
    rf"\s*(?:,\s*(?:and|or)\b|[,，、;；&]|{words('joins')})\s*(?=[-−+$\\(\d])", re.IGNORECASE
)
_OF_THE = re.compile(r"(?i)\s+of\s+the\b")  # one of the two
_STANDS = re.compile(rf"(?:个|(?<=..)[{HAN}]{{1,3}})?(?![{HAN}])")  # not the 三 of 三角形


def with_unit(text: str, end: int, bound: int) -> int:
    """The end of a value with its scale and unit: 5 million km."""
    scaled = scale_at(text, end)[1] if end < bound else end
    found = _UNIT.match(text, scaled, bound)
    if not found or (found[0].strip().isalpha() and unit(found[0].strip()) is None):
        return scaled
    return found.end()


def is_value(text: str, start: int, end: int, numeral: Numeral) -> bool:
    """Is a number in words at a place a value? An ordinal is none."""
    if not numeral.counts or (numeral.form == "cardinal" and _OF_THE.match(text, end)):
        return False
    return text[start].isascii() or bool(_STANDS.match(text[start : end + 4], end - start))


_WRAP = re.compile(
    r"^(?:\\[(\[]|\$+)|(?:\\[)\]]|\$+)$|&(?=\s*[=≈])|(?<=[=≈])\s*&"
    r"|\\(?:begin|end)\{(?:aligned|align\*?|split|gathered|equation\*?)\}|\\nonumber"
)
_TOP = re.compile(
    r"(?P<open>[({\[]|\\begin\b)|(?P<close>[)}\]]|\\end\b)"
    r"|(?P<equals>(?<![<>!:\\])[=≈≡](?!=)|\\(?:approx|equiv|simeq|cong)\b)"
    r"|(?P<several>,(?!\d{3}(?!\d))|[，;<>≤≥]|\\(?:le|ge|leq|geq|in|text|quad|lt|gt)(?![A-Za-z])"
    r"|\b(?:or|and)\b|[或和])|(?P<row>\\\\|\\Rightarrow|\\implies|[⇒→])|\\[A-Za-z]+|\\."
)
_CLOSES = re.compile(r"(?:\s*\(?\s*\\?p?mod(?![a-z]).*|[\s,;]|\.(?=\s*$)|\\[\\\s,;]?)*$")
_UNITS = re.compile(r"\\[a-z]+|\b(?:m|cm|km|mm|ft|g|kg|s|h)\b")
_NUMBERED = re.compile(r"[\d\s.,+*/×÷·$()\\^{}%°-]*\d[\d\s.,+*/×÷·$()\\^{}%°-]*")


def chain_end(text: str, keep: bool = True) -> str:
    """The last value of a chain of equations: 4 of `2 + 2 = 4`; `x = 4` and `y = 2x` stay.

    >>> chain_end("4 m + 4 m = 8 m"), chain_end("$S = 2+3 = 5$"), chain_end("y = 2x")
    ('8 m', '5', 'y = 2x')
    """
    if not re.search(r"[=≈]|\\(?:approx|simeq|cong)\b", text):
        return text
    bare = _CLOSES.sub("", _WRAP.sub(" ", _WRAP.sub(" ", text.strip()).strip()))
    signs, depth, row = [], 0, 0
    for token in _TOP.finditer(bare):
        depth += (token.lastgroup == "open") - (token.lastgroup == "close")
        if depth > 0:
            continue
        if token.lastgroup == "equals":
            signs.append(token)
        elif token.lastgroup == "row":
            row = token.end()
        elif token.lastgroup == "several":
            return text
    if row:
        signs = [s for s in signs if s.start() >= row] or signs
    if not signs:
        return text
    row = row if row <= signs[0].start() else 0
    left, last = bare[row : signs[0].start()].strip(), bare[signs[-1].end() :].strip()
    if not last or (keep and len(signs) == 1 and not _NUMBERED.fullmatch(_UNITS.sub("", left))):
        return f"{left} = {last}" if row else text
    exact = [s for s in signs if s[0] == "="]
    if signs[-1][0] != "=" and exact:  # what stands before an approximation
        return bare[exact[-1].end() : signs[-1].start()].strip() or last
    return last
