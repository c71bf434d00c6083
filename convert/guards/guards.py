"""Mechanical guards: a suggestion that changes what a problem says is rejected.

Each guard names what it objects to; a suggestion passes when there is nothing. Guards look at the
text only, never at the model's own account of what it did, and only at what can be compared without
knowing words: formulas, numbers in any spelling, pictures, markup, language, length. Whether other
words mean the same is for a reader who understands: another model, which is asked by default. How
much guards let through, and stop in vain, is measured on tables of edits (`tests/convert/guards`).
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable
from functools import partial

from ...latex import maths_spans
from ..normalise import tighten
from .boxed import only_boxed
from .changed_numbers import changed_quantity
from .formulas import formulas, unnamed, without_blank
from .prose import IMAGE, WIDE, in_words, is_in_chinese, prose
from .punctuation import same_letters

Guard = Callable[[str, str], str]
_OPTION = re.compile(r"(?:^|\n|\s)[(（]?[A-H][)）.．、:：]\s")
_MARKUP = re.compile(
    r"<\s*[/!]?\s*[A-Za-z][^<>\n]{0,400}>?|&(?:#\w+|[a-z]{2,8});|```|`|\*\*|(?<!_)__(?=[^\W_])|\]\s*\(|!\["
    r"|(?i:https?:|javascript:|data:|\bon[a-z]{3,12}\s*=)"
    r"|\\(?:href|url|input|include|write|def|newcommand|html|class|style|color|textcolor)(?![A-Za-z])"
)
_ACTIVE = re.compile(
    r"(?i)<\s*/?\s*(?:script|iframe|object|embed|style|svg|link|meta)\b|javascript:"
)


def same_formulas(before: str, after: str) -> str:
    """Formulas are the same, blanks apart, in any order; one may be said again."""
    return _exchanged("formula", *unnamed(formulas(before), formulas(after)))


def same_numbers(before: str, after: str) -> str:
    """Numbers of the prose, with their signs and in any spelling, are the same."""
    return changed_quantity(prose(before), prose(after))


def same_pictures(before: str, after: str) -> str:
    """Placeholders of pictures are the same."""
    return _difference(
        "picture", Counter(IMAGE.findall(before)), Counter(IMAGE.findall(after))
    )


def no_markup(before: str, after: str) -> str:
    """No tag, link, code or emphasis that was not there; nothing active in any case."""
    if active := _ACTIVE.search(after):
        return f"markup: {active[0]!r}"
    old, new = (
        Counter(m[0].strip() for m in _MARKUP.finditer(IMAGE.sub(" ", _outside(text))))
        for text in (before, after)
    )
    return f"markup: {min(extra)!r} is new" if (extra := new - old) else ""


def _outside(text: str) -> str:
    """Prose, and of formulas only their commands, since `a<b` is no tag there."""
    out, position = [], 0
    for span in maths_spans(text):
        commands = " ".join(re.findall(r"\\[A-Za-z]+", span.tex))
        out += [text[position : span.start], f" {commands} "]
        position = span.end
    return "".join([*out, text[position:]])


def same_language(before: str, after: str) -> str:
    """Chinese stays Chinese, English stays English."""
    if is_in_chinese(before) == is_in_chinese(after) or not re.search(
        "[A-Za-z]{3}", prose(before + after)
    ):
        return ""
    return "language: the text was translated"


def translated(before: str, after: str) -> str:
    """No Chinese word is left."""
    left = WIDE.findall(prose(after))
    return f"language: {''.join(left)[:20]!r} is left" if left else ""


def similar_length(before: str, after: str) -> str:
    """Between half and three times as long (Chinese characters count as two)."""
    old, new = (len(text) + len(WIDE.findall(text)) for text in (before, after))
    return (
        ""
        if 0.4 * old - 20 <= new <= 3 * old + 40
        else f"length: {new} instead of {old}"
    )


def no_options(before: str, after: str) -> str:
    """An open-ended question lists no options and no blanks."""
    if len(_OPTION.findall(after)) >= 2:
        return "options: they are still there"
    return (
        "blank: it is still there" if re.search(r"_{2,}|[(（]\s*[)）]", after) else ""
    )


def same_conditions(before: str, after: str) -> str:
    """Every formula and number is there, and none is new; `$x=$` may go with its blank."""
    there = formulas(before)
    asked = {f: without_blank(f) for f in there if without_blank(f) != f}
    old = Counter({f: n for f, n in there.items() if f not in asked})
    new = Counter(
        {
            f: n
            for f, n in formulas(after).items()
            if f in old or without_blank(f) not in asked.values()
        }
    )
    return _exchanged("formula", *unnamed(old, new)) or same_numbers(before, after)


def _exchanged(what: str, old: Counter[str], new: Counter[str]) -> str:
    """What is lost or new, or said less often where another is said more often."""
    if found := _difference(what, Counter(old.keys()), Counter(new.keys())):
        return found
    if (less := old - new) and new - old:
        return f"{what}: '{min(less)}' was replaced"
    return ""


def _difference(what: str, old: Counter[str], new: Counter[str]) -> str:
    if lost := old - new:
        return f"{what}: '{min(lost)}' is lost"
    if extra := new - old:
        return f"{what}: '{min(extra)}' is new"
    return ""


KEEPING: tuple[Guard, ...] = (
    same_formulas,
    same_numbers,
    same_pictures,
    similar_length,
)
GUARDS: dict[str, tuple[Guard, ...]] = {
    "punctuation": (no_markup, same_letters, same_pictures),
    "translate": (no_markup, translated, *KEEPING),
    "rephrase": (no_markup, same_language, *KEEPING),
    "box": (no_markup, only_boxed, same_pictures),
    "open-ended": (
        no_markup,
        same_language,
        no_options,
        same_conditions,
        same_pictures,
    ),
}


def findings(task: str, before: str, after: str, answer: str = "") -> list[str]:
    """What the guards of `task` object to; `answer` is the known answer of what is to be boxed.

    >>> findings("rephrase", "Add $x$ and 3.", "Add 3 to $y$.")
    ["formula: 'x' is lost"]
    """
    before, after = tighten(before), tighten(after)
    if not after.strip():
        return ["empty: there is no text"]
    if (
        task == "open-ended"
    ):  # what asked by a blank, `$x=$ ( )`, may go on without its sign
        before, after = (re.sub(r"=\s*\$", "$", text) for text in (before, after))
    if same_formulas in GUARDS[task] or same_conditions in GUARDS[task]:
        before, after = in_words(before, after), in_words(after, before)
    guards = [
        partial(only_boxed, answer=answer) if g is only_boxed else g
        for g in GUARDS[task]
    ]
    return [objection for guard in guards if (objection := guard(before, after))]
