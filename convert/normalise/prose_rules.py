"""Rules for the text between formulas, where Chinese punctuation is right among Chinese words.

In prose each formula is one placeholder character (`FORMULA`), other untouchable pieces another
(`PROTECTED`), so that rules can look at neighbours. Full-width digits, letters and operators are
folded; full-width marks only where both neighbours are Latin, digits or formulas.
"""

from __future__ import annotations

import re

from ...latex import CJK, FOLD
from .rule import TextRule

FORMULA, PROTECTED = "\ufdd0", "\ufdd1"

_INVISIBLE = re.compile("[\u200b-\u200f\u2060-\u2064\u00ad\ufeff\u202a-\u202e]")
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


def _invisible(text: str) -> str:
    return _BLANK.sub(" ", _INVISIBLE.sub("", text))


_LINE_END = re.compile(
    r"(?<!\\)\\n(?!(?:u|e|eq|eg|ot|otin|i|abla|mid|exists|atural|earrow|warrow|cong|leq|geq|less|gtr"
    r"|parallel|prec|succ|sim|subseteq|supseteq|vdash|vDash|ewline|ewpage|ewcommand|oindent|onumber"
    r"|olimits|ormalsize|ormalfont|obreak|shortmid|leqslant|geqslant|triangleleft|triangleright)"
    r"(?![A-Za-z]))(?=[a-z]{2})"
)


def newlines(text: str) -> str:
    r"""A literal backslash-n, left by scraping, unless it starts a command.

    Where one is certain, `\nwhich` is a line end as well, but `\nu` is not.
    """
    text = text.replace("\r\n", "\n").replace("\r", "\n")
    if not (certain := re.compile(r"(?<!\\)\\n(?![a-z])")).search(text):
        return text
    return _LINE_END.sub("\n", certain.sub("\n", text))


def _ligatures(text: str) -> str:
    return re.sub("[ﬀ-ﬄ]", lambda m: _LIGATURES[m[0]], text)


def _widths(text: str) -> str:
    """Digits and letters; operators, minus signs and points between them."""
    if text.isascii():
        return text
    text = text.translate(_ALNUM)
    text = re.sub(
        r"(?<=[A-Za-z0-9 )\ufdd0])[＋＝＜＞／％＊＾｜＿]",
        lambda m: m[0].translate(_OPERATORS),
        text,
    )
    text = re.sub(
        r"[＋＝＜＞／＊＾](?=[A-Za-z0-9 (\ufdd0])",
        lambda m: m[0].translate(_OPERATORS),
        text,
    )
    text = re.sub(
        r"(?<=[0-9A-Za-z)\ufdd0])[－−﹣](?=[0-9A-Za-z(\ufdd0])|[－−﹣](?=\d)", "-", text
    )
    text = re.sub(r"(?<=\d)[～](?=\d)", "~", text)
    text = re.sub(r"(?<=\d)∶(?=\d)", ":", text)
    text = re.sub(rf"(?<=[{CJK}])．", "。", text)
    return text.replace("．", ".")


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
        depth = 0
        for k, character in enumerate(text):
            depth = max(0, depth + (character in "（([{") - (character in "）)]}"))
            fold[k] = fold[k] and (depth > 0 or character not in "，；。？！")
    opened: list[int] = []
    for k, character in enumerate(text):
        if character in "（(":
            opened.append(k)
        elif character in "）)" and opened:
            start = opened.pop()
            fold[start] = fold[k] = (fold[start] or text[start] == "(") and (
                fold[k] or character == ")"
            )
    return "".join(
        _folded(text, k) if f else c
        for k, (c, f) in enumerate(zip(text, fold, strict=True))
    )


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
