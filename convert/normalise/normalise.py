r"""Normalise a problem's running text: formulas between dollars, plain LaTeX, right punctuation.

Afterwards every formula stands in `$...$` or `$$...$$`, and the text reads the same to every
renderer. The rules are idempotent, and every change is recorded.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable
from itertools import zip_longest
from typing import NamedTuple

from ...latex import MathSpan, maths_spans, outside, stray_dollars
from .bare_latex import ENVIRONMENT, wrap_bare
from .formula_rules import normalise_maths
from .prose_rules import FORMULA, PROTECTED, newlines
from .prose_rules import RULES as PROSE_RULES
from .rule import TextChange, TextRule, apply

MAX_ROUNDS = 8
_UNTOUCHABLE = re.compile(
    r"<image\d+>|!\[[^\]\n]{0,500}+\]\([^)\n]{0,900}+\)"
    r"|\\includegraphics(?:\[[^\]]{0,300}\])?\{[^}]{0,900}\}"
    r"|https?://[^\s)}\]]{1,900}|<[a-zA-Z/!][^<>\n]{0,500}>"
)
_DOLLAR = re.compile(r"(?<!\\)\$")
_PRICE = re.compile(r"(?<![\\$])\$(?=\d)")
_CLOSED_BY_ESCAPED = re.compile(r"^(\$[^$]*?)\s*\\+\$\s*$")
_DELTA = re.compile(r"△|\\triangle(?![A-Za-z])")


class Masked(NamedTuple):
    """Prose in which formulas and untouchable pieces are one character each."""

    prose: str
    formulas: list[MathSpan]
    protected: list[str]


def normalise(text: str) -> tuple[str, list[TextChange]]:
    r"""Normalise running text with `$...$` maths; returns it and what was changed.

    >>> normalise("已知\\(x² ＋ 1\\)，且∠A＝60°")[0]
    '已知$x^{2} + 1$，且∠A=60°'
    """
    return _settled(text, lambda text, log: _prose(_latex(text, log), log))


def normalise_latex(text: str) -> tuple[str, list[TextChange]]:
    """Dollars around every formula, plain LaTeX inside; prose stays as it is."""
    return _settled(text, _latex)


def normalise_prose(text: str) -> tuple[str, list[TextChange]]:
    """Widths, punctuation and blanks between formulas; formulas stay as they are."""
    return _settled(text, _prose)


def _settled(
    text: str, work: Callable[[str, list[TextChange]], str]
) -> tuple[str, list[TextChange]]:
    """Work until nothing changes: a rule may free what another one waits for."""
    changes: list[TextChange] = []
    text = re.sub("[\ufdd0-\ufdef]", "", text)  # noncharacters, which serve as placeholders
    for _ in range(MAX_ROUNDS):
        before, text = text, work(text, changes)
        if text == before:
            break
    return text, changes


def _latex(text: str, changes: list[TextChange]) -> str:
    text = apply(FIRST, text, changes)
    masked = mask(text)
    triangles = bool(_DELTA.search(text))
    formulas = [_formula(span, changes, triangles) for span in masked.formulas]
    return _fill(masked.prose, formulas, masked.protected)


def _prose(text: str, changes: list[TextChange]) -> str:
    masked = mask(text)
    prose = apply(PROSE_RULES, masked.prose, changes)
    formulas = [text[span.start : span.end] for span in masked.formulas]
    return _fill(prose, formulas, masked.protected)


def mask(text: str) -> Masked:
    """Replace formulas by FORMULA and pictures, links and tags by PROTECTED."""
    spans = maths_spans(text)
    parts: list[str] = []
    protected: list[str] = []

    def keep(match: re.Match[str]) -> str:
        protected.append(match[0])
        return PROTECTED

    position = 0
    for span in spans:
        parts += [_UNTOUCHABLE.sub(keep, text[position : span.start]), FORMULA]
        position = span.end
    parts.append(_UNTOUCHABLE.sub(keep, text[position:]))
    return Masked("".join(parts), spans, protected)


def _fill(prose: str, formulas: list[str], protected: list[str]) -> str:
    """Put formulas and pieces back."""
    pending, kept = iter(formulas), iter(protected)
    return _joined(
        next(pending) if part == FORMULA else next(kept) if part == PROTECTED else part
        for part in re.split(f"([{FORMULA}{PROTECTED}])", prose)
    )


def _joined(parts: Iterable[str]) -> str:
    """The parts in a row; a blank where `$` would touch a digit or another `$`."""
    out = ""
    for part in parts:
        touching = part.startswith("$") or (part[:1].isdigit() and part[:1].isascii())
        out += " " + part if out.endswith("$") and touching else part
    return out


def _formula(span: MathSpan, changes: list[TextChange], triangles: bool) -> str:
    """The formula in dollars, with marks that end a clause moved out of an inline one."""
    if span.tex.startswith("<math"):
        return span.tex
    mark = "$$" if span.display else "$"
    if not span.tex:
        changes.append(TextChange("empty formula", f"{mark}{mark}", ""))
        return ""
    if span.opener != mark:
        changes.append(TextChange("delimiter", span.opener or "environment", mark))
    tex, tail = (span.tex, "") if span.display else _clause_end(span.tex)
    if tail:
        changes.append(TextChange("clause end", f"{tail}$", f"${tail}"))
    split = not span.display and _flat_stops(tex)
    parts = re.split("([、。])", tex) if split else [tex]
    pieces = [
        part if part in "、。" else f"{mark}{normalise_maths(part, changes, triangles)}{mark}"
        for part in parts
        if part.strip()
    ]
    return "".join(pieces) + tail


def _clause_end(tex: str) -> tuple[str, str]:
    match = re.search(r"(?<!\\)[\s，。、；？！]*[，。、；？！][\s，。、；？！]*$", tex)
    return (tex[: match.start()], match[0].strip()) if match and match.start() else (tex, "")


def _flat_stops(tex: str) -> bool:
    """Do enumeration marks stand outside all braces, brackets and environments?"""
    flat = re.sub(r"\\(?:left|right|begin|end)(?![A-Za-z])", "{", tex)
    while (shorter := re.sub(r"\{[^{}]*\}", "", flat)) != flat:
        flat = shorter
    marks = len(re.findall("[、。]", tex))
    return 0 < marks == len(re.findall("[、。]", flat)) and "{" not in flat


def _wrap(text: str) -> str:
    """Bare LaTeX of the prose gets dollars, unless a stray dollar makes that a guess."""
    masked = mask(text)
    pieces_of_maths = [text[span.start : span.end] for span in masked.formulas]
    marks = iter(ENVIRONMENT if not span.opener else FORMULA for span in masked.formulas)
    prose = re.sub(FORMULA, lambda _: next(marks), masked.prose)
    wrapped = "\n\n".join(p if _DOLLAR.search(p) else wrap_bare(p) for p in prose.split("\n\n"))
    if wrapped == prose:
        return text
    return _fill(wrapped.replace(ENVIRONMENT, FORMULA), pieces_of_maths, masked.protected)


def _prices(text: str) -> str:
    """A dollar outside formulas and before a digit is money: `\\$5`."""
    masked = mask(text)
    prose = _PRICE.sub(r"\\$", masked.prose)
    if prose == masked.prose:
        return text
    whole = [text[span.start : span.end] for span in masked.formulas]
    return _fill(prose, whole, masked.protected)


def tighten(text: str) -> str:
    r"""`$ F_1$` -> `$F_1$`: scraped dumps put blanks inside dollars, or escape the closing one.

    Mathpix's rules would read those as prices.

    >>> tighten("figures $ F_1$ and $ F_2 $"), tighten("for $5 or $ 6")
    ('figures $F_1$ and $F_2$', 'for $5 or $ 6')
    """
    if "$" not in text:
        return text
    text = "\n\n".join(_CLOSED_BY_ESCAPED.sub(r"\1$", part) for part in text.split("\n\n"))
    spans = maths_spans(text)
    pieces = [f"${s.tex}$" if s.opener == "$" else text[s.start : s.end] for s in spans]
    prose = (text[start:end] for start, end in outside(text, spans))
    return _joined(part for pair in zip_longest(prose, pieces, fillvalue="") for part in pair)


FIRST: list[TextRule] = [
    ("newline", newlines), ("dollars", tighten), ("price", _prices), ("bare LaTeX", _wrap),
]  # fmt: skip


def _shown(prose: str, at: int) -> str:
    """The words at a place of masked prose, dots for what is masked."""
    return re.sub(f"[{FORMULA}{PROTECTED}]", "…", prose[at : at + 40])


def unbalanced(text: str) -> list[str]:
    r"""What does not close: dollars, braces, `\left` or an environment; each with its place.

    >>> unbalanced("a $x$ and $y"), unbalanced(r"$\left(x$")
    (['dollar: $y'], ['left: \\left(x'])
    """
    masked = mask(text)
    findings = [f"dollar: {_shown(masked.prose, at)}" for at in stray_dollars(masked.prose)]
    for span in masked.formulas:
        flat = re.sub(r"\\[{}\\]", "", span.tex)
        if flat.count("{") != flat.count("}"):
            findings.append(f"brace: {span.tex[:40]}")
        lefts, rights = (
            len(re.findall(rf"\\{w}(?![A-Za-z])", span.tex)) for w in ("left", "right")
        )
        if lefts != rights:
            findings.append(f"left: {span.tex[:40]}")
        begins, ends = (re.findall(rf"\\{w}\{{([^{{}}]*)\}}", span.tex) for w in ("begin", "end"))
        if sorted(begins) != sorted(ends):
            findings.append(f"environment: {span.tex[:40]}")
    return findings
