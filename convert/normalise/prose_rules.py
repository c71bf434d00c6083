"""Rules for the text between formulas, where Chinese punctuation is right among Chinese words.

In prose each formula is one placeholder character (`FORMULA`), other untouchable pieces another
(`PROTECTED`), so that rules can look at neighbours. Full-width digits, letters and operators are
folded; full-width marks only where both neighbours are Latin, digits or formulas.
"""

from __future__ import annotations

import re

from ...latex import CJK, FOLD, INVISIBLE
from .rule import TextRule

FORMULA, PROTECTED = "\ufdd0", "\ufdd1"

_INVISIBLE = re.compile(f"[{INVISIBLE}]")
_BLANK = re.compile("[\u00a0\u2000-\u200a\u202f\u205f\u3000]")
_LIGATURES = {"ﬀ": "ff", "ﬁ": "fi", "ﬂ": "fl", "ﬃ": "ffi", "ﬄ": "ffl"}
_ALNUM = {c: FOLD[c] for c in range(0xFF10, 0xFF5B) if chr(FOLD[c]).isalnum()}
_OPERATORS = {ord(c): FOLD[ord(c)] for c in "＋＝＜＞／％＊＾｜＿"}
_MARKS = {
    "，": ",",
    "；": ";",
    "：": ":",
    "？": "?",
    "！": "!",
    "（": "(",
    "）": ")",
    "。": ".",
}
_IGNORED = set(" \t\n,;:?!().，；：？！（）。、“”‘’\"'…")
_WIDE = re.compile(rf"[{CJK}]")


# blanks and operators beside Latin letters, figures and formulas
_OPERATOR_BEHIND = re.compile(r"(?<=[A-Za-z0-9 )\ufdd0])[＋＝＜＞／％＊＾｜＿]")
_OPERATOR_BEFORE = re.compile(r"[＋＝＜＞／＊＾](?=[A-Za-z0-9 (\ufdd0])")
_MINUS = re.compile(
    r"(?<=[0-9A-Za-z)\ufdd0])[－−﹣](?=[0-9A-Za-z(\ufdd0])|[－−﹣](?=\d)"
)
_POINT_OF_A_CLAUSE = re.compile(rf"(?<=[{CJK}])．")

# a backslash-n that is certain: no command begins with it
_CERTAIN_LINE_END = re.compile(r"(?<!\\)\\n(?![a-z])")
# one before a word, which begins no command of LaTeX
_LINE_END = re.compile(
    r"""
    (?<!\\) \\n
    (?! (?: u|e|eq|eg|ot|otin|i|abla|mid|exists|atural|earrow|warrow|cong|leq|geq|less|gtr
        | parallel|prec|succ|sim|subseteq|supseteq|vdash|vDash|ewline|ewpage|ewcommand|oindent
        | onumber|olimits|ormalsize|ormalfont|obreak|shortmid|leqslant|geqslant|triangleleft
        | triangleright ) (?![A-Za-z]) )
    (?=[a-z]{2})
    """,
    re.VERBOSE,
)


def _invisible(text: str) -> str:
    return _BLANK.sub(" ", _INVISIBLE.sub("", text))


def newlines(text: str) -> str:
    r"""A literal backslash-n, left by scraping, unless it starts a command.

    Where one is certain, `\nwhich` is a line end as well, but `\nu` is not.
    """
    text = text.replace("\r\n", "\n").replace("\r", "\n")
    if not _CERTAIN_LINE_END.search(text):
        return text
    return _LINE_END.sub("\n", _CERTAIN_LINE_END.sub("\n", text))


def _ligatures(text: str) -> str:
    return re.sub("[ﬀ-ﬄ]", lambda m: _LIGATURES[m[0]], text)


def _widths(text: str) -> str:
    """Digits and letters; operators, minus signs and points between them."""
    if text.isascii():
        return text
    text = text.translate(_ALNUM)
    text = _OPERATOR_BEHIND.sub(_operator, text)
    text = _OPERATOR_BEFORE.sub(_operator, text)
    text = _MINUS.sub("-", text)
    text = re.sub(r"(?<=\d)[～](?=\d)", "~", text)
    text = re.sub(r"(?<=\d)∶(?=\d)", ":", text)
    return _POINT_OF_A_CLAUSE.sub("。", text).replace("．", ".")


def _operator(match: re.Match[str]) -> str:
    return match[0].translate(_OPERATORS)


def _marks(text: str) -> str:
    """Full-width marks between Latin letters, digits or formulas; brackets only in pairs.

    A Chinese text keeps the marks between its clauses, whatever stands beside them; inside brackets
    and in lists of one line they belong to what is listed.
    """
    if not any(mark in text for mark in _MARKS):
        return text
    wide = bool(_WIDE.search(text))
    left = _kinds(text, wide)
    right = _kinds(text[::-1], wide)[::-1]
    fold = [c in _MARKS and not (left[k] or right[k]) for k, c in enumerate(text)]
    if wide:
        _keep_between_clauses(text, fold)
    _agree_in_brackets(text, fold)
    return "".join(_folded(text, k) if fold[k] else c for k, c in enumerate(text))


def _keep_between_clauses(text: str, fold: list[bool]) -> None:
    depth = 0
    for k, character in enumerate(text):
        if character in "（([{":
            depth += 1
        elif character in "）)]}":
            depth = max(0, depth - 1)
        if not depth and character in "，；。？！":
            fold[k] = False


def _agree_in_brackets(text: str, fold: list[bool]) -> None:
    """Both brackets of a pair are folded, or none."""
    openers: list[int] = []
    for end, character in enumerate(text):
        if character in "（(":
            openers.append(end)
        elif character in "）)" and openers:
            start = openers.pop()
            can_open = fold[start] or text[start] == "("
            can_close = fold[end] or character == ")"
            fold[start] = fold[end] = can_open and can_close


def _folded(text: str, position: int) -> str:
    """The ASCII mark, with a blank behind one that ends a clause."""
    mark = _MARKS.get(text[position], text[position])
    closes = text[position] in "，；。？！" and text[position + 1 : position + 2]
    return f"{mark} " if closes and closes not in _IGNORED else mark


def _kinds(text: str, wide: bool) -> list[bool]:
    """For each position: is the nearest character before it, marks and blanks apart, Chinese?

    At the edge of the text the whole text decides.
    """
    kinds: list[bool] = []
    current = wide
    for character in text:
        kinds.append(current)
        if character not in _IGNORED:
            current = bool(_WIDE.match(character))
    return kinds


def _spaces(text: str) -> str:
    """Blanks at the ends of lines; more than one empty line."""
    return re.sub(r"\n{3,}", "\n\n", re.sub(r"(?<![ \t])[ \t]++(?=\n|\Z)", "", text))


RULES: list[TextRule] = [
    ("invisible", _invisible),
    ("ligature", _ligatures),
    ("punctuation", _marks),
    ("width", _widths),
    ("space", _spaces),
]
