"""Mechanical guards: a suggestion that changes a number, a formula or an option is rejected.

Each guard names what it found; a suggestion passes when there is nothing. Guards look at the text
only, never at the model's own account of what it did.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable

from ...errors import UserError
from ...latex import CJK, maths_spans, read_boxed
from ..documents import in_dollars
from ..normalise import FORMULA, PROTECTED, tighten

Guard = Callable[[str, str], str]

_NUMBER = re.compile(r"\d+(?:[.,]\d+)*")
_IMAGE = re.compile(r"<image\d+>")
_WIDE = re.compile(rf"[{CJK}]")
_OPTION = re.compile(r"(?:^|\n|\s)[(（]?[A-H][)）.．、:：]\s")


_NAME = re.compile(r"(?<![A-Za-z])(?!I\b|A\b)[A-Z]{1,4}(?![A-Za-z])")
_NEGATION = re.compile(
    r"(?i)\b(?:not|no|never|none|neither|nor|cannot|except|incorrect|false|wrong|without)\b|n't\b"
    r"|不|没有|并非|错误"
)
_NUMBER_WORD = re.compile(
    r"(?i)\b(?:two|three|four|five|six|seven|eight|nine|ten|eleven|twelve|twenty|thirty|hundred"
    r"|thousand|half|third|quarter|twice|double|triple)\b|[两二三四五六七八九十百千半倍]"
)
SENSES = {  # what must not turn into its opposite, in English and in Chinese
    word: re.compile(rf"(?i){pattern}")
    for word, pattern in {
        "maximum": r"\bmaxim|\b(?:greatest|largest|biggest|longest|most)\b|最[大长多高]|至多",
        "minimum": r"\bminim|\b(?:least|smallest|shortest|fewest)\b|最[小短少低]|至少",
        "parallel": r"\bparallel\b|平行|∥",
        "perpendicular": r"\bperpendicular|\bright[- ](?:angle|triangle)|垂直|垂足|直角|⊥",
        "increasing": r"\bincreas|递增|增函数|增加",
        "decreasing": r"\bdecreas|递减|减函数|减少",
        "odd": r"\bodd\b|奇", "even": r"\beven\b|偶",
        "inscribed": r"\binscribed|内接|内切", "circumscribed": r"\bcircumscribed|外接|外切",
        "clockwise": r"(?<![-r])\bclockwise|顺时针",
        "counterclockwise": r"counter-?clockwise|逆时针",
        "mm": r"\bmm\b|millimet|毫米", "cm": r"\bcm\b|centimet|厘米|㎝",
        "km": r"\bkm\b|kilomet|千米|公里", "kg": r"\bkg\b|kilogram|千克|公斤",
        "m": r"(?<=\d)\s*m\b|\b(?:meters?|metres?)\b|(?<![厘毫千分])米",
    }.items()
}  # fmt: skip


def same_formulas(before: str, after: str) -> str:
    """Formulas are the same, blanks apart, in any order."""
    return _difference("formula", _formulas(before), _formulas(after))


def _formulas(text: str) -> Counter[str]:
    spans = maths_spans(in_dollars(text))
    return Counter(_unworded("".join(s.tex.split())) for s in spans if s.tex)


def _unworded(tex: str) -> str:
    r"""Chinese words inside `\text{...}` may be translated."""
    return re.sub(rf"\\text\{{[^{{}}]*[{CJK}][^{{}}]*\}}|\\text\{{[^{{}}]*\}}", r"\\text{}", tex)


def same_numbers(before: str, after: str) -> str:
    """Numbers in the prose are the same, in any order."""
    return _difference("number", _numbers(before), _numbers(after))


def _numbers(text: str) -> Counter[str]:
    return Counter(n.replace(",", "").rstrip(".") for n in _NUMBER.findall(_prose(text)))


def _prose(text: str) -> str:
    out, position = [], 0
    for span in maths_spans(text):
        out += [text[position : span.start], " "]
        position = span.end
    return _IMAGE.sub(" ", "".join([*out, text[position:]]))


def same_pictures(before: str, after: str) -> str:
    """Placeholders of pictures are the same."""
    return _difference("picture", Counter(_IMAGE.findall(before)), Counter(_IMAGE.findall(after)))


def same_letters(before: str, after: str) -> str:
    """Letters, digits and formulas are the same and in the same order; only marks may differ."""
    old, new = (
        re.sub(r"[\W_]", "", text.replace(FORMULA, "").replace(PROTECTED, ""))
        for text in (before, after)
    )
    return "" if old == new else "letters: words were changed"


def same_sense(before: str, after: str) -> str:
    """Superlatives, relations, units and names of points are the same, in either language."""
    old, new = _prose(before), _prose(after)
    changed = [
        word
        for word, pattern in SENSES.items()
        if bool(pattern.search(old)) != bool(pattern.search(new))
    ]
    names = [set(_NAME.findall(text)) for text in (old, new)]
    if names[0] != names[1]:
        changed.append(f"the name {min(names[0] ^ names[1])}")
    return f"sense: {changed[0]!r} stands on one side only" if changed else ""


def same_words(before: str, after: str) -> str:
    """Negation and numbers in words are the same (texts of one language)."""
    if bool(_NEGATION.search(before)) != bool(_NEGATION.search(after)):
        return "sense: a negation stands on one side only"
    old, new = (Counter(w.lower() for w in _NUMBER_WORD.findall(t)) for t in (before, after))
    return _difference("number", old, new)


def translated(before: str, after: str) -> str:
    """No Chinese word is left."""
    left = _WIDE.findall(_prose(after))
    return f"language: {''.join(left)[:20]!r} is left" if left else ""


def similar_length(before: str, after: str) -> str:
    """Between half and three times as long (Chinese characters count as two)."""
    old, new = (len(text) + len(_WIDE.findall(text)) for text in (before, after))
    return "" if 0.5 * old - 20 <= new <= 3 * old + 40 else f"length: {new} instead of {old}"


def only_boxed(before: str, after: str) -> str:
    """Nothing but a box around, or behind, what was there."""
    flat = re.sub(r"\\boxed\s*\{", "{", after)
    bare, old = (re.sub(r"[\s{}$]", "", text) for text in (flat, before))
    try:
        if not read_boxed(after):
            return "box: there is none"
    except UserError as error:
        return f"box: {error.message}"
    return "" if bare.startswith(old) or bare == old else "box: the text was changed"


def no_options(before: str, after: str) -> str:
    """An open-ended question lists no options and no blanks."""
    if len(_OPTION.findall(after)) >= 2:
        return "options: they are still there"
    return "blank: it is still there" if re.search(r"_{2,}|[(（]\s*[)）]", after) else ""


def same_conditions(before: str, after: str) -> str:
    """Every formula and number is there, and none is new; `$x=$` may go with its blank."""
    old = Counter({f: n for f, n in _formulas(before).items() if f[-1] not in "=<>"})
    new = Counter({f: n for f, n in _formulas(after).items() if f in old or f[-1] not in "=<>"})
    return _difference("formula", old, new) or same_numbers(before, after)


def _difference(what: str, old: Counter[str], new: Counter[str]) -> str:
    if lost := old - new:
        return f"{what}: {min(lost)!r} is lost"
    if extra := new - old:
        return f"{what}: {min(extra)!r} is new"
    return ""


KEEPING: tuple[Guard, ...] = (same_formulas, same_numbers, same_pictures, similar_length)
GUARDS: dict[str, tuple[Guard, ...]] = {
    "punctuation": (same_letters, *KEEPING),
    "translate": (translated, *KEEPING, same_sense),
    "rephrase": (*KEEPING, same_sense, same_words),
    "box": (only_boxed, same_pictures),
    "open-ended": (no_options, same_conditions, same_sense, same_pictures),
}


def findings(task: str, before: str, after: str) -> list[str]:
    """What the guards of `task` object to.

    >>> findings("rephrase", "Add $x$ and 3.", "Add 3 to $y$.")
    ["formula: 'x' is lost"]
    """
    before, after = tighten(before), tighten(after)
    if not after.strip():
        return ["empty: there is no text"]
    return [objection for guard in GUARDS[task] if (objection := guard(before, after))]
