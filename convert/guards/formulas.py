r"""The formulas of a text in one spelling, and what of them prose can say."""

from __future__ import annotations

import re
from collections import Counter

from ...latex import FOLD, HAN, maths_spans
from ..documents import in_dollars

# signs in the commonest of their spellings, in this order
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
# words in a formula: only their place is kept, since a translator changes Chinese ones
_WORDS = re.compile(r"\\text\{[^{}]*\}")
_ONE_LETTER_SCRIPT = re.compile(r"([_^])\{(\w)\}")
_FUNCTION = re.compile(r"[a-z]\([a-z]\)")
_COMPARED = r"[<>]|\\[lg]eq"
# an equation with its condition in brackets behind it: `y=kx(k\neq 0)`; no `f(x)`, no `\left(`
_PROVISO = re.compile(rf"(.+?[^(\\])\(([^()]*(?:{_COMPARED}|\\neq|\\in)[^()]*)\)$")
_BRACKETED_CONDITION = re.compile(rf"\([^()]*(?:{_COMPARED})[^()]*\)")
# what stands for the answer at the end of a formula: `=()`, `=\underline{...}`, `=__`, a bare `=`
_BLANK = re.compile(
    rf"""
    (?: = | {_COMPARED} )?
    (?: \(\) | \\underline\{{ (?: [^{{}}] | \{{[^{{}}]*\}} )* \}} | (?:\\?_)+ ) $
    | [=<>] $
    """,
    re.VERBOSE,
)
# a variable, perhaps with a bracketed argument, an arrow over it, or a Greek name
_VARIABLE = re.compile(
    r"""
    \\?\{? [a-zA-Z] (?: _\w | \([a-z]\) )? \\?\}?
    | \\(?:vec|overrightarrow)\{?\w{1,2}\}?
    | \\(?:alpha|beta|theta)
    """,
    re.VERBOSE,
)

# what prose says without a formula: a name (AB, A'), ratios and lists, a unit, pi
_BARE_NAME = re.compile(r"[A-Z]{1,4}'*")
_LISTED = re.compile(r"\d+(?:\.\d+)?(?:[:,]\d+(?:\.\d+)?)+")
_UNIT_NAME = "[cdkm]?m|[km]?g|mL"
_UNIT = re.compile(rf"\\text\{{~?({_UNIT_NAME})\}}((?:\^\{{?[23]\}}?)?)")
_PI = re.compile(r"\\pi(?:(?:=|\\approx)(\d+\.\d+))?")
# a number with a degree sign, or with a unit in letters or Chinese right behind it
_NUMBER = re.compile(
    rf"""
    (?P<number> - ? (?: \d+(?:\.\d+)? (?:\\%)? | \\frac(?:\{{\d+\}}\{{\d+\}}|\d\d) ) )
    (?:
        (?P<degrees> ° )
        | (?:\\text\{{)? ~?
          (?P<unit> (?<=[{{~\d}}]) (?: {_UNIT_NAME} | [{HAN}]{{1,2}} ) ) \}}?
          (?P<power> \^\{{?[23]\}}? )?
    )?
    """,
    re.VERBOSE,
)
_FRACTION = re.compile(r"\\frac\{?(\d+)\}?\{?(\d+)\}?")
_RAISED = str.maketrans("23", "²³", "^{}")
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
_RELATION = re.compile("([⊥∥])")
_OF_NAMES = re.compile(r"(?:Rt)?[⊥∥△⊙∠▱]?(?:[A-Z]'*){0,6}(?:-(?:[A-Z]'*)+)*|[a-z]")


def formulas(text: str) -> Counter[str]:
    """The formulas of a text in one spelling; those that prose can say are none."""
    spans = maths_spans(in_dollars(text))
    spelt = [one_spelling(span.tex) for span in spans if not prose_form(span.tex)]
    return Counter(part for tex in spelt if tex for part in _parted(tex))


def _parted(tex: str) -> tuple[str, ...]:
    """An equation and the condition in brackets behind it, which may stand apart."""
    if match := _PROVISO.match(tex):
        return match[1], match[2]
    return (tex[1:-1],) if _BRACKETED_CONDITION.fullmatch(tex) else (tex,)


def without_blank(formula: str) -> str:
    r"""What a formula asks for, `2x` of `2x=(\quad)`; the formula where it asks for nothing."""
    return _BLANK.sub("", formula)


def without_idle_names(
    old: Counter[str], new: Counter[str]
) -> tuple[Counter[str], Counter[str]]:
    """Without a variable that one side alone names beside its formulas: "an equation in $x$"."""
    lost = old.keys() - new.keys()
    extra = new.keys() - old.keys()
    if bool(lost) == bool(extra):
        return old, new
    shared = " ".join(old.keys() & new.keys())
    idle = {f for f in lost | extra if _VARIABLE.fullmatch(f) and f in shared}
    return _without(old, idle), _without(new, idle)


def _without(counts: Counter[str], idle: set[str]) -> Counter[str]:
    return Counter({f: n for f, n in counts.items() if f not in idle})


def respelled(tex: str) -> str:
    r"""Commands and signs in the commonest of their spellings, `\leqslant` as `\leq`."""
    for pattern, spelling in _SPELLINGS:
        tex = pattern.sub(spelling, tex)
    return tex


def one_spelling(tex: str) -> str:
    r"""A formula without blanks, in the commonest of its spellings, words in `\text` left out."""
    tex = "".join(respelled(tex.translate(FOLD)).split()).rstrip(",.;，。；、:：")
    tex = _WORDS.sub(r"\\text{}", _ONE_LETTER_SCRIPT.sub(r"\1\2", tex))
    return tex[0] if _FUNCTION.fullmatch(tex) else tex


def prose_form(tex: str) -> str:
    r"""A number, with its unit, or a name as prose says it: `\frac{2}{3}` as 2/3; else empty.

    >>> prose_form(r"90^\circ"), prose_form(r"5\mathrm{~cm}"), prose_form("-3"), prose_form("x+1")
    ('90°', '5 cm', '-3', '')
    """
    tex = respelled("".join(tex.translate(FOLD).split()).replace("{:}", ":"))
    if _BARE_NAME.fullmatch(tex) or _LISTED.fullmatch(tex):
        return tex.replace(",", ", ")
    if unit := _UNIT.fullmatch(tex):
        return unit[1] + unit[2].translate(_RAISED)
    if pi := _PI.fullmatch(tex):
        return f"π {pi[1]}" if pi[1] else "π"
    return _of_names(tex) or _number(tex)


def _number(tex: str) -> str:
    """A number with its unit; empty for all else."""
    match = _NUMBER.fullmatch(tex)
    if not match:
        return ""
    number = _FRACTION.sub(r"\1/\2", match["number"]).replace("\\", "")
    if match["degrees"]:
        return number + match["degrees"]
    unit = (match["unit"] or "") + (match["power"] or "").translate(_RAISED)
    return f"{number} {unit}" if unit[:1].isalpha() else number + unit


def _of_names(tex: str) -> str:
    r"""What signs say of names, `\triangle ABC`, `AB\perp CD`, `|AB|`; empty for all else."""
    if tex[:1] == tex[-1:] == "|" and _BARE_NAME.fullmatch(tex[1:-1]):
        return tex[1:-1]
    signed = _SIGN.sub(lambda m: _SIGNS[m[0]], tex)
    sides = _RELATION.split(signed)[::2]
    if signed == tex or not all(_OF_NAMES.fullmatch(side) for side in sides):
        return ""
    return signed
