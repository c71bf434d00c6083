"""Characters of mathematics: their LaTeX, function names, full-width forms, CJK letters."""

from __future__ import annotations

import re
import unicodedata
from pathlib import Path

import msgspec

# symbols.json: a character and the LaTeX it is set with
SYMBOLS: dict[str, str] = msgspec.json.decode(
    Path(__file__).with_name("symbols.json").read_bytes()
)
# function names of school mathematics that are no product of letters or word of prose
SCHOOL_FUNCTIONS = frozenset(
    "sin cos tan cot sec csc log lim max min arcsin arccos arctan".split()
)
# all names that LaTeX sets upright by a command of their own
FUNCTIONS = SCHOOL_FUNCTIONS | frozenset(
    "arg cosh coth deg det dim exp gcd hom inf ker lg liminf limsup ln Pr sinh sup tanh".split()
)
# full-width and small forms -> ASCII, for str.translate
FOLD = {code: code - 0xFEE0 for code in range(0xFF01, 0xFF5F)} | {0x3000: 0x20}
FOLD |= {
    code: ord(folded)
    for code in range(0xFE50, 0xFE6C)
    if len(folded := unicodedata.normalize("NFKC", chr(code))) == 1 and folded.isascii()
}
# takes no room on a page: joiners, marks of direction, soft hyphens, variants of a character
INVISIBLE = "\u200b-\u200f\u2060-\u2064\u00ad\ufeff\ufe00-\ufe0f\u202a-\u202e"
# without the blank, and without small forms
WIDE_ASCII = {code: folded for code, folded in FOLD.items() if code >= 0xFF01}
SUPERSCRIPTS = dict(zip("⁰¹²³⁴⁵⁶⁷⁸⁹⁺⁻⁼⁽⁾ⁿⁱ", "0123456789+-=()ni", strict=True))
SUBSCRIPTS = dict(
    zip("₀₁₂₃₄₅₆₇₈₉₊₋₌₍₎ₐₑₒₓₙᵢⱼₖₘ", "0123456789+-=()aeoxnijkm", strict=True)
)

# Ranges for a character class, by what they are asked for.
HAN = "\u3400-\u4dbf\u4e00-\u9fff"  # is it Chinese?
# Are its words written without blanks? Chinese and Japanese.
UNSPACED = f"\u3040-\u30ff{HAN}"
# Is it a letter of Chinese, Japanese or Korean?
CJK = f"\u2e80-\u2fdf\u3005-\u3007\u3021-\u3029\u3041-\u30ff{HAN}\uac00-\ud7af\uf900-\ufaff"
# Does it fill a square? Marks do, too.
FULL_WIDTH = "\u2e80-\u9fff\uac00-\ud7af\uf900-\ufaff\uff00-\uffef"
_HAN = re.compile(f"[{HAN}]")
_SUPERSCRIPT = re.compile(f"[{re.escape(''.join(SUPERSCRIPTS))}]+")
_SUBSCRIPT = re.compile(f"[{re.escape(''.join(SUBSCRIPTS))}]+")


def is_chinese(text: str) -> bool:
    """Does a Chinese character stand in it?

    >>> is_chinese("求 x"), is_chinese("Find x")
    (True, False)
    """
    return bool(_HAN.search(text))


def with_scripts(text: str) -> str:
    """Raised and lowered characters as LaTeX writes them.

    >>> with_scripts("x₁² + y⁻¹")
    'x_{1}^{2} + y^{-1}'
    """
    if text.isascii():
        return text

    def raised(match: re.Match[str]) -> str:
        return f"^{{{''.join(SUPERSCRIPTS[character] for character in match[0])}}}"

    def lowered(match: re.Match[str]) -> str:
        return f"_{{{''.join(SUBSCRIPTS[character] for character in match[0])}}}"

    return _SUBSCRIPT.sub(lowered, _SUPERSCRIPT.sub(raised, text))
