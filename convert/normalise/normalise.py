r"""Normalise a problem's running text: formulas between dollars, plain LaTeX, right punctuation.

Afterwards every formula stands in `$...$` or `$$...$$`, and the text reads the same to every
renderer. The rules are idempotent, and every change is recorded.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable
from functools import lru_cache
from typing import NamedTuple

from ...latex import (
    BARE_ENVIRONMENT,
    MathSpan,
    bare_formulas,
    code_stretches,
    joined,
    maths_spans,
    outside,
    stray_dollars,
)
from .formula_rules import normalise_maths
from .prose_rules import FORMULA, PROTECTED, newlines
from .prose_rules import RULES as PROSE_RULES
from .rule import TextChange, TextRule, apply

MAX_ROUNDS = 8
# pictures, addresses and tags; the bounds keep the time linear
_UNTOUCHABLE = re.compile(
    r"""
    <image\d+>
    | !\[ [^\]\n]{0,500}+ \]\( [^)\n]{0,900}+ \)
    | \\includegraphics (?:\[[^\]]{0,300}\])? \{[^}]{0,900}\}
    | https?:// [^\s)}\]]{1,900}
    | < [a-zA-Z/!] [^<>\n]{0,500} >
    """,
    re.VERBOSE,
)
# no characters; some serve as placeholders
_NO_CHARACTERS = re.compile("[\0\ufdd0-\ufdef]")
_PLACEHOLDER = re.compile(f"([{FORMULA}{PROTECTED}])")
# marks of an enumeration, and braces that open with a word
_STOPS = re.compile("([、。])")
_OPENING_OR_CLOSING = re.compile(r"\\(?:left|right|begin|end)(?![A-Za-z])")
_INNERMOST = re.compile(r"\{[^{}]*\}")
_ESCAPED_BRACE = re.compile(r"\\[{}\\]")
_LEFT = re.compile(r"\\left(?![A-Za-z])")
_RIGHT = re.compile(r"\\right(?![A-Za-z])")
_BEGIN, _END = (re.compile(rf"\\{word}\{{([^{{}}\n]*)\}}") for word in ("begin", "end"))
_DOLLAR = re.compile(r"(?<!\\)\$")
_PRICE = re.compile(r"(?<![\\$])\$(?=\d)")
_CLAUSE_ENDS = "，。、；？！"
_DELTA = re.compile(r"△|\\triangle(?![A-Za-z])")


class Masked(NamedTuple):
    """Prose in which formulas and untouchable pieces are one character each."""

    prose: str
    formulas: list[MathSpan]
    protected: list[str]


def normalise(text: str) -> tuple[str, list[TextChange]]:
    r"""Normalise running text with `$...$` maths; returns it and what was changed.

    Args:
        text: Prose with formulas, in any of the usual delimiters.

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
    text = _NO_CHARACTERS.sub("", text)
    for _ in range(MAX_ROUNDS):
        before = text
        text = work(text, changes)
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


@lru_cache(maxsize=32)  # rule after rule asks about one text
def mask(text: str) -> Masked:
    """Replace formulas by FORMULA; code, pictures, links and tags by PROTECTED."""
    spans = maths_spans(text)
    parts: list[str] = []
    protected: list[str] = []

    def protect(piece: str) -> str:
        protected.append(piece)
        return PROTECTED

    def protect_in(prose: str) -> str:
        return _UNTOUCHABLE.sub(lambda match: protect(match[0]), prose)

    pieces = [(span.start, span.end, False) for span in spans]
    pieces += [(start, end, True) for start, end in code_stretches(text)]
    position = 0
    for start, end, is_code in sorted(pieces):
        parts.append(protect_in(text[position:start]))
        parts.append(protect(text[start:end]) if is_code else FORMULA)
        position = end
    parts.append(protect_in(text[position:]))
    return Masked("".join(parts), spans, protected)


def _fill(prose: str, formulas: list[str], protected: list[str]) -> str:
    """Put formulas and pieces back."""
    pieces = {FORMULA: iter(formulas), PROTECTED: iter(protected)}
    parts = _PLACEHOLDER.split(prose)
    return joined(next(pieces[part]) if part in pieces else part for part in parts)


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
    is_enumeration = not span.display and _flat_stops(tex)
    pieces: list[str] = []
    for part in _STOPS.split(tex) if is_enumeration else [tex]:
        if part in "、。":
            pieces.append(part)
        elif part.strip():
            pieces.append(f"{mark}{normalise_maths(part, changes, triangles)}{mark}")
    return "".join(pieces) + tail


def _clause_end(tex: str) -> tuple[str, str]:
    end = len(tex)
    while end and (tex[end - 1].isspace() or tex[end - 1] in _CLAUSE_ENDS):
        end -= 1
    end += tex[end - 1 : end] == "\\"  # an escaped one belongs to the formula
    tail = tex[end:].strip()
    return (tex[:end], tail) if end and tail else (tex, "")


def _flat_stops(tex: str) -> bool:
    """Do enumeration marks stand outside all braces, brackets and environments?"""
    flat = _OPENING_OR_CLOSING.sub("{", tex)
    while (shorter := _INNERMOST.sub("", flat)) != flat:
        flat = shorter
    stops = len(_STOPS.findall(tex))
    return 0 < stops == len(_STOPS.findall(flat)) and "{" not in flat


def _wrap(text: str) -> str:
    """Bare LaTeX of the prose gets dollars, unless a stray dollar makes that a guess."""
    masked = mask(text)
    marks = (FORMULA if span.opener else BARE_ENVIRONMENT for span in masked.formulas)
    prose = re.sub(FORMULA, lambda _: next(marks), masked.prose)
    paragraphs = prose.split("\n\n")
    wrapped = "\n\n".join(p if _DOLLAR.search(p) else _dollars(p) for p in paragraphs)
    if wrapped == prose:
        return text
    formulas = [text[span.start : span.end] for span in masked.formulas]
    prose = wrapped.replace(BARE_ENVIRONMENT, FORMULA)
    return _fill(prose, formulas, masked.protected)


def _dollars(prose: str) -> str:
    spans = list(bare_formulas(prose))
    formulas = [f"${span.tex}$" for span in spans]
    return _alternating(prose, spans, formulas)


def _alternating(text: str, spans: list[MathSpan], formulas: list[str]) -> str:
    """The text with other formulas in place of its spans."""
    parts: list[str] = []
    for (start, end), formula in zip(
        outside(text, spans), [*formulas, ""], strict=True
    ):
        parts += [text[start:end], formula]
    return joined(parts)


def _prices(text: str) -> str:
    """A dollar outside formulas and before a digit is money: `\\$5`."""
    masked = mask(text)
    prose = _PRICE.sub(r"\\$", masked.prose)
    if prose == masked.prose:
        return text
    formulas = [text[span.start : span.end] for span in masked.formulas]
    return _fill(prose, formulas, masked.protected)


def tighten(text: str) -> str:
    r"""`$ F_1$` -> `$F_1$`: scraped dumps put blanks inside dollars, or escape the closing one.

    Mathpix's rules would read those as prices.

    >>> tighten("figures $ F_1$ and $ F_2 $"), tighten("for $5 or $ 6")
    ('figures $F_1$ and $F_2$', 'for $5 or $ 6')
    """
    if "$" not in text:
        return text
    text = "\n\n".join(_closed(part) for part in text.split("\n\n"))
    spans = maths_spans(text)
    formulas = [
        f"${span.tex}$" if span.opener == "$" else text[span.start : span.end]
        for span in spans
    ]
    return _alternating(text, spans, formulas)


def _closed(paragraph: str) -> str:
    r"""One that is a single formula whose closing dollar is escaped: `$x+1 \$`."""
    body = paragraph.rstrip()
    if body.startswith("$") and body.endswith(r"\$") and "$" not in body[1:-1]:
        return body[:-1].rstrip("\\").rstrip() + "$"
    return paragraph


FIRST: list[TextRule] = [
    ("newline", newlines),
    ("dollars", tighten),
    ("price", _prices),
    ("bare LaTeX", _wrap),
]


def _shown(prose: str, at: int) -> str:
    """The words at a place of masked prose, dots for what is masked."""
    return _PLACEHOLDER.sub("…", prose[at : at + 40])


def unbalanced(text: str) -> list[str]:
    r"""What does not close: dollars, braces, `\left` or an environment; each with its place.

    >>> unbalanced("a $x$ and $y"), unbalanced(r"$\left(x$")
    (['dollar: $y'], ['left: \\left(x'])
    """
    masked = mask(text)
    dollars = stray_dollars(masked.prose)
    findings = [f"dollar: {_shown(masked.prose, at)}" for at in dollars]
    findings += _unclosed(masked.prose)
    for span in masked.formulas:
        beginning = span.tex[:40]
        flat = _ESCAPED_BRACE.sub("", span.tex)
        if flat.count("{") != flat.count("}"):
            findings.append(f"brace: {beginning}")
        if len(_LEFT.findall(span.tex)) != len(_RIGHT.findall(span.tex)):
            findings.append(f"left: {beginning}")
        if _unclosed(span.tex):
            findings.append(f"environment: {beginning}")
    return findings


def _unclosed(text: str) -> list[str]:
    """Environments that begin and do not end as often, with how many are over."""
    over = Counter(_BEGIN.findall(text))
    over.subtract(_END.findall(text))
    return [f"environment: {name} ({n:+d})" for name, n in over.items() if n]
