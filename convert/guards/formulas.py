r"""The formulas of a text in one spelling, and what of them is said: numbers, names, units."""

from __future__ import annotations

import re
from collections import Counter

from ...latex import CJK, FOLD, HAN, maths_spans
from ..documents import in_dollars

_BARE_NAME = re.compile(r"[A-Z]{1,4}'*")
_NUMBER_FORMULA = re.compile(
    r"(-?(?:\d+(?:\.\d+)?(?:\\%)?|\\frac(?:\{\d+\}\{\d+\}|\d\d)))"
    rf"(?:(°)|(?:\\text\{{)?~?((?<=[{{~\d}}])(?:[cdkm]?m|[km]?g|mL|[{HAN}]{{1,2}}))\}}?(\^\{{?[23]\}}?)?)?"
)
_LISTED = re.compile(r"\d+(?:\.\d+)?(?:[:,]\d+(?:\.\d+)?)+")  # ratios and lists
_UNIT = re.compile(r"\\text\{~?([cdkm]?m|[km]?g|mL)\}((?:\^\{?[23]\}?)?)")
_VARIABLE = re.compile(
    r"\\?\{?[a-zA-Z](?:_\w|\([a-z]\))?\\?\}?|\\(?:vec|overrightarrow)\{?\w{1,2}\}?|\\(?:alpha|beta|theta)"
)
_RAISED = str.maketrans("23", "²³", "^{}")
_FUNCTION = re.compile(r"[a-z]\([a-z]\)")
_PI = re.compile(r"\\pi(?:(?:=|\\approx)(\d+\.\d+))?")
# What is said of names by signs, which a translator may say in words.
_SIGNS = {
    r"\text{Rt}": "Rt",
    r"\perp": "⊥",
    r"\parallel": "∥",
    r"\triangle": "△",
    r"\odot": "⊙",
    r"\angle": "∠",
    r"\square": "▱",
}
_SIGN = re.compile("|".join(map(re.escape, _SIGNS)))
_OF_NAMES = re.compile(r"(?:Rt)?[⊥∥△⊙∠▱]?(?:[A-Z]'*){0,6}(?:-(?:[A-Z]'*)+)*|[a-z]")
_PROVISO = re.compile(r"(.+?[^(\\])\(([^()]*(?:[<>]|\\[lg]eq|\\neq|\\in)[^()]*)\)$")
_SPELLINGS = (
    (re.compile(r"\\[dt]frac(?![A-Za-z])"), r"\\frac"),
    (re.compile(r"\\(le|ge)(?:qslant|qq|q)?(?![A-Za-z])"), r"\\\1q"),
    (re.compile(r"\\neq?(?![A-Za-z])"), r"\\neq"),
    (re.compile(r"\\(?:left|right)(?![A-Za-z])|\\[,;:! ]|\\q?quad(?![A-Za-z])"), ""),
    (re.compile(r"\\degree(?![A-Za-z])|\^\s*\{?\s*\\circ\s*\}?|°"), "°"),
    (re.compile(r"\\(?:mathrm|mbox|text|textrm)\{"), r"\\text{"),
    (re.compile("[−－﹣–]"), "-"),
    (re.compile("×"), r"\\times "),
    (re.compile("÷"), r"\\div "),
    (re.compile("[≤⩽]"), r"\\leq "),
    (re.compile("[≥⩾]"), r"\\geq "),
    (re.compile("≠"), r"\\neq "),
)


def formulas(text: str) -> Counter[str]:
    spans = maths_spans(in_dollars(text))
    spelt = (one_spelling(span.tex) for span in spans if not said(span.tex))
    return Counter(part for tex in spelt if tex for part in _parted(tex))


def _parted(tex: str) -> tuple[str, ...]:
    """An equation and the condition in brackets behind it, which may stand apart."""
    match = _PROVISO.match(tex)
    if match:
        return match[1], match[2]
    return (
        (tex[1:-1],)
        if re.fullmatch(r"\([^()]*(?:[<>]|\\[lg]eq)[^()]*\)", tex)
        else (tex,)
    )


def without_blank(formula: str) -> str:
    r"""What a formula asks for, `2x` of `2x=(\quad)`; the formula where it asks for nothing."""
    return _BLANK.sub("", formula)


_BLANK = re.compile(
    r"(?:[=<>]|\\[lg]eq)?(?:\(\)|\\underline\{(?:[^{}]|\{[^{}]*\})*\}|(?:\\?_)+)$|[=<>]$"
)


def unnamed(old: Counter[str], new: Counter[str]) -> tuple[Counter[str], Counter[str]]:
    """Without a variable that one side alone names beside its formulas: "an equation in $x$"."""
    lost, extra = old.keys() - new.keys(), new.keys() - old.keys()
    if bool(lost) == bool(extra):
        return old, new
    kept = " ".join(old.keys() & new.keys())
    idle = {f for f in lost | extra if _VARIABLE.fullmatch(f) and f in kept}
    return tuple(
        Counter({f: n for f, n in c.items() if f not in idle}) for c in (old, new)
    )  # type: ignore[return-value]


def respelled(tex: str) -> str:
    r"""Commands and signs in the commonest of their spellings, `\leqslant` as `\leq`."""
    for pattern, spelling in _SPELLINGS:
        tex = pattern.sub(spelling, tex)
    return tex


def one_spelling(tex: str) -> str:
    r"""A formula without blanks, in the commonest of its spellings, words in `\text` left out."""
    tex = tex.translate(FOLD)
    tex = "".join(respelled(tex).split()).rstrip(",.;，。；、:：")
    tex = _unworded(re.sub(r"([_^])\{(\w)\}", r"\1\2", tex))
    return tex[0] if _FUNCTION.fullmatch(tex) else tex


def said(tex: str) -> str:
    r"""A number, with its unit, or a name as prose says it: `\frac{2}{3}` as 2/3; else empty.

    >>> said(r"90^\circ"), said(r"5\mathrm{~cm}"), said("-3"), said("x+1")
    ('90°', '5 cm', '-3', '')
    """
    tex = respelled("".join(tex.translate(FOLD).split()).replace("{:}", ":"))
    if _BARE_NAME.fullmatch(tex) or _LISTED.fullmatch(tex):
        return tex.replace(",", ", ")
    if alone := _UNIT.fullmatch(tex):
        return alone[1] + alone[2].translate(_RAISED)
    if pi := _PI.fullmatch(tex):
        return f"π {pi[1] or ''}".strip()
    if signed := _of_names(tex):
        return signed
    match = _NUMBER_FORMULA.fullmatch(tex)
    if not match:
        return ""
    number = re.sub(r"\\frac\{?(\d+)\}?\{?(\d+)\}?", r"\1/\2", match[1])
    unit = match[2] or (match[3] or "") + (match[4] or "").translate(_RAISED)
    return number.replace("\\", "") + (" " * unit[:1].isalpha() + unit)


def _of_names(tex: str) -> str:
    r"""What signs say of names, `\triangle ABC`, `AB\perp CD`, `|AB|`; empty for all else."""
    if tex[:1] == tex[-1:] == "|" and _BARE_NAME.fullmatch(tex[1:-1]):
        return tex[1:-1]
    signed = _SIGN.sub(lambda m: _SIGNS[m[0]], tex)
    parts = re.split("([⊥∥])", signed)
    if signed == tex or not all(_OF_NAMES.fullmatch(part) for part in parts[::2]):
        return ""
    return signed


def _unworded(tex: str) -> str:
    r"""Chinese words inside `\text{...}` may be translated."""
    return re.sub(
        rf"\\text\{{[^{{}}]*[{CJK}][^{{}}]*\}}|\\text\{{[^{{}}]*\}}", r"\\text{}", tex
    )
