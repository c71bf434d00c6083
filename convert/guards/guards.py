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
from .formulas import formulas, without_blank, without_idle_names
from .prose import IMAGE, WIDE, in_words, is_in_chinese, prose
from .punctuation import same_letters

Guard = Callable[[str, str], str]
_OPTION = re.compile(r"(?:^|\n|\s)[(（]?[A-H][)）.．、:：]\s")
_BLANK = re.compile(r"_{2,}|[(（]\s*[)）]")
# the sign of an equation whose other side was a blank: `$x=$ ( )`
_BARE_EQUALS = re.compile(r"=\s*\$")
_COMMAND = re.compile(r"\\[A-Za-z]+")
_MARKUP = re.compile(
    r"""
    < \s* [/!]? \s* [A-Za-z] [^<>\n]{0,400} >?          # a tag, also one that is cut off
    | & (?: \#\w+ | [a-z]{2,8} ) ;                      # an entity
    | ``` | `                                # code
    | \*\* | (?<!_) __ (?=[^\W_])                       # emphasis; `____` is a blank
    | \] \s* \( | !\[                                  # a link, a picture
    | (?i: https?: | javascript: | data: | \bon[a-z]{3,12}\s*= )
    | \\ (?: href | url | input | include | write | def | newcommand | html | class | style
        | color | textcolor ) (?![A-Za-z])
    """,
    re.VERBOSE,
)
# what runs or loads something
_ACTIVE = re.compile(
    r"(?i)<\s*/?\s*(?:script|iframe|object|embed|style|svg|link|meta)\b|javascript:"
)


def same_formulas(before: str, after: str) -> str:
    """Formulas are the same, blanks apart, in any order; one may be said again."""
    return _exchanged("formula", *without_idle_names(formulas(before), formulas(after)))


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
    extra = _markup(after) - _markup(before)
    return f"markup: {min(extra)!r} is new" if extra else ""


def _markup(text: str) -> Counter[str]:
    """The markup of a text; of formulas only their commands, since `a<b` is no tag there."""
    pieces: list[str] = []
    position = 0
    for span in maths_spans(text):
        commands = " ".join(_COMMAND.findall(span.tex))
        pieces += [text[position : span.start], f" {commands} "]
        position = span.end
    prose = IMAGE.sub(" ", "".join([*pieces, text[position:]]))
    return Counter(match[0].strip() for match in _MARKUP.finditer(prose))


def same_language(before: str, after: str) -> str:
    """Chinese stays Chinese, English stays English."""
    if is_in_chinese(before) == is_in_chinese(after):
        return ""
    has_words = re.search("[A-Za-z]{3}", prose(before + after))
    return "language: the text was translated" if has_words else ""


def translated(before: str, after: str) -> str:
    """No Chinese word is left."""
    left = WIDE.findall(prose(after))
    return f"language: {''.join(left)[:20]!r} is left" if left else ""


def similar_length(before: str, after: str) -> str:
    """Between half and three times as long (Chinese characters count as two)."""
    old = _length(before)
    new = _length(after)
    is_similar = 0.4 * old - 20 <= new <= 3 * old + 40
    return "" if is_similar else f"length: {new} instead of {old}"


def _length(text: str) -> int:
    return len(text) + len(WIDE.findall(text))


def no_options(before: str, after: str) -> str:
    """An open-ended question lists no options and no blanks."""
    if len(_OPTION.findall(after)) >= 2:
        return "options: they are still there"
    return "blank: it is still there" if _BLANK.search(after) else ""


def same_conditions(before: str, after: str) -> str:
    """Every formula and number is there, and none is new; `$x=$` may go with its blank."""
    old: Counter[str] = Counter()
    questions: set[str] = set()  # what formulas with a blank ask for
    for formula, times in formulas(before).items():
        question = without_blank(formula)
        if question == formula:
            old[formula] = times
        else:
            questions.add(question)
    new: Counter[str] = Counter()
    for formula, times in formulas(after).items():
        if formula in old or without_blank(formula) not in questions:
            new[formula] = times
    changed = _exchanged("formula", *without_idle_names(old, new))
    return changed or same_numbers(before, after)


def _exchanged(what: str, old: Counter[str], new: Counter[str]) -> str:
    """What is lost or new, or said less often where another is said more often."""
    if objection := _difference(what, Counter(old.keys()), Counter(new.keys())):
        return objection
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
    before = tighten(before)
    after = tighten(after)
    if not after.strip():
        return ["empty: there is no text"]
    if task == "open-ended":  # what asked by a blank may go on without its sign
        before = _BARE_EQUALS.sub("$", before)
        after = _BARE_EQUALS.sub("$", after)
    guards = GUARDS[task]
    if same_formulas in guards or same_conditions in guards:
        before, after = in_words(before, after), in_words(after, before)
    objections = []
    for guard in guards:
        if guard is only_boxed:
            guard = partial(only_boxed, answer=answer)
        objections.append(guard(before, after))
    return [objection for objection in objections if objection]
