"""Repairing a text where something was cut out of it: blanks, punctuation, connectors, capitals.

Rules act only at the seams that the cutting left, and never inside mathematics; a text without
seams comes back unchanged, character for character.
"""

from __future__ import annotations

import re
from collections.abc import Callable

from ...latex import FUNCTIONS, replace_maths

SEAM = "\ue000"
_MATH_OPEN, _MATH_CLOSE = "\ue001", "\ue002"

_MASKED = re.compile(f"{_MATH_OPEN}(\\d+){_MATH_CLOSE}")

_STRONG, _WEAK = ".?!。？！", ",;:，、；："
_STOPS = re.escape(_STRONG + _WEAK)
_DANGLING = (
    "and|or|with|where|when|while|if|as|but|given|given that|it is given that|known that|"
    "it is known that|such that|so that|having|which|that|by"
)
_DANGLING_CJK = "已知|且|并且|并|和|与|其中|若|如果|当|设|又|而"
_OPENERS = "and|or|then|but|with|where|which|so that"
_FUNCTIONS = "|".join(sorted(FUNCTIONS))
_SENTENCE = rf"(?:^|[{re.escape(_STRONG)}]\s+|[。？！]|\n)"

Rule = tuple[re.Pattern[str], str | Callable[[re.Match[str]], str]]
_CAPITAL = re.compile(
    rf"({_SENTENCE}){SEAM}(\s*)(?!(?:{_FUNCTIONS})\b)(a(?= )|[a-z]{{2,}}(?=[\s,;:]|$))"
)


def tidy(text: str) -> str:
    """The text with its seams repaired and removed.

    >>> tidy(f"In the figure, {SEAM} then the angle is {SEAM}.")
    'In the figure, then the angle is.'
    >>> tidy(f"如图，{SEAM}，则∠A是（ ）")
    '如图，则∠A是（ ）'
    """
    if SEAM not in text:
        return text
    formulas: list[str] = []

    def mask(formula: str) -> str:
        # A span inside mathematics was cut: this is no longer one formula.
        if SEAM in formula:
            return formula
        formulas.append(formula)
        return f"{_MATH_OPEN}{len(formulas) - 1}{_MATH_CLOSE}"

    text = replace_maths(text, mask)
    for _ in range(10):  # each rule shortens the text or settles; ten rounds are ample
        before = text
        for pattern, replacement in RULES:
            text = pattern.sub(replacement, text)
        if text == before:
            break
    text = _CAPITAL.sub(_capitalise, text).replace(SEAM, "")
    return _MASKED.sub(lambda match: formulas[int(match[1])], text)


def _one_blank(match: re.Match[str]) -> str:
    before = match[1]
    behind = match[2]
    lines = max(before.count("\n"), behind.count("\n"))
    if lines:  # a paragraph's break stays one
        return "\n" * min(lines, 2) + SEAM
    return f" {SEAM}" if before or behind else SEAM


def _one_stop(match: re.Match[str]) -> str:
    """Of two punctuation marks that met at a seam, the one that ends the sentence stays."""
    left = match[1]
    right = match[2]
    is_left = left in _STRONG or right not in _STRONG + _WEAK
    return (left if is_left else right) + SEAM


def _full_stop(match: re.Match[str]) -> str:
    return ("。" if match[1] in "，、；：" else ".") + SEAM


def _compile(pattern: str) -> re.Pattern[str]:
    return re.compile(pattern.replace("@", SEAM))


RULES: list[Rule] = [
    (_compile(r"@(\s*)@"), lambda m: m[1] + SEAM),
    (_compile(r"([ \t\n]*)@([ \t\n]*)"), _one_blank),
    (_compile(rf"[ \t]+@(?=[{_STOPS}])"), SEAM),
    (_compile(r"[ \t]+@(?=[)\]）】》])"), SEAM),
    (_compile(r"(?<=[(（【《])[ \t]*@"), SEAM),
    (_compile(r"[(（]@[)）]"), SEAM),
    (_compile(rf"([{_STOPS}])\s*@([{_STOPS}])"), _one_stop),
    (_compile(rf"({_SENTENCE})@[{re.escape(_WEAK)}][ \t]*"), rf"\1{SEAM}"),
    (
        _compile(rf"({_SENTENCE})@\s*[{re.escape(_STRONG)}](?![.\d])[ \t]*"),
        rf"\1{SEAM}",
    ),
    (_compile(rf"({_SENTENCE})@(?:{_OPENERS})\b[ ,]*"), rf"\1{SEAM}"),
    (_compile(rf"({_SENTENCE})@(?:则|那么)，?"), rf"\1{SEAM}"),
    (_compile(rf"({_SENTENCE}[^,@{_STRONG}]*,\s*)@and\s+"), rf"\1{SEAM}"),
    (
        _compile(
            rf"(?i)(?:\s|(?<=^)|(?<={SEAM}))\b(?:{_DANGLING})\s*@(?=\s*(?:[{_STOPS}]|$))"
        ),
        SEAM,
    ),
    (_compile(rf"(?:{_DANGLING_CJK})@(?=[{_STOPS}]|$)"), SEAM),
    (_compile(rf"([{re.escape(_WEAK)}])\s*@\s*$"), _full_stop),
    (_compile(r"\s+@$"), SEAM),
    (_compile(r"^\s*@\s*"), SEAM),
]


def _capitalise(match: re.Match[str]) -> str:
    return match[1] + match[2] + match[3][0].upper() + match[3][1:]
