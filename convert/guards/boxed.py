"""What a solution keeps whose answer is put in a box: all of it, and nothing new in the box."""

from __future__ import annotations

import re

from ...errors import UserError
from ...latex import CJK, FOLD, boxes, read_boxed
from ...words import SCHOOL, words
from .formulas import respelled


def only_boxed(before: str, after: str, answer: str = "") -> str:
    """Nothing but a box around, or behind, what was there; `answer` is what it may hold anyway."""
    try:
        inside = read_boxed(after)
    except UserError as error:
        return f"box: {error.message}"
    if not inside or not all(_value(content) for content in inside):
        return "box: there is none"
    old, new = _flat(before), _flat(_unboxed(after))
    if new == old:
        return _last_word(after)
    if new[: len(old)] != old:
        return "box: the text was changed"
    return _added(before, after, answer, new[len(old) :], inside)


def _added(
    before: str, after: str, answer: str, added: list[str], inside: list[str]
) -> str:
    """What was appended is one sentence that states, in a box, what the solution found."""
    if len(added) > 40:
        return "box: more than a sentence was added"
    said = _flat(before)
    for content in inside:
        if not _stands(_flat(content), said) and _flat(content) != _flat(answer):
            return f"box: {content!r} is not in the solution"
    rest = _flat(re.sub(r"\s", " ", _outside_boxes(after)))[len(said) :]
    known = set(said)
    if strange := [t for t in rest if t[:1].isdigit() and t not in known]:
        return f"box: {strange[0]!r} is not in the solution"
    return _taken_back(rest)


_APART = re.compile(
    rf"[A-Za-z]+|[{CJK}]|[=<>:：]|\\(?:leq|geq|neq|text|approx|therefore|Rightarrow|to)"
)


def _stands(value: list[str], said: list[str]) -> bool:
    """Does the value stand in a solution as a whole, not as a part of a larger one?"""
    for k in range(len(said) - len(value) + 1):
        left, right = said[k - 1 : k], said[k + len(value) : k + len(value) + 1]
        if said[k : k + len(value)] == value and all(
            not side or _APART.fullmatch(side[0]) for side in (left, right)
        ):
            return True
    return False


def _taken_back(added: list[str]) -> str:
    """A negation in the appended sentence takes back what the solution says."""
    return (
        "box: a negation was added"
        if {"not", "no", "不", "非"} & {t.lower() for t in added}
        else ""
    )


def _outside_boxes(text: str) -> str:
    out, position = [], 0
    for box in boxes(text):
        out.append(text[position : box.start])
        position = box.end
    return "".join([*out, text[position:]])


_CONCLUDES = re.compile(rf"(?i){words('so', 'answer', languages=SCHOOL)}|∴|\\therefore")


def _last_word(after: str) -> str:
    """The box is around the conclusion: nothing behind it concludes anything else."""
    last = list(boxes(after))[-1]
    tail = after[last.end :]
    match = _CONCLUDES.search(tail)
    if match and (rest := _flat(tail[match.end() :])):
        value = _flat(last.content)
        figures = [t for t in rest if t[:1].isdigit()]
        if figures and not any(
            rest[k : k + len(value)] == value for k in range(len(rest))
        ):
            return f"box: {last.content!r} is not the conclusion"
    return ""


def _unboxed(text: str) -> str:
    r"""The text with the contents of its boxes; `\text{...}` around one goes with it."""
    out, position = [], 0
    for box in boxes(text):
        out += [text[position : box.start], _value(box.content)]
        position = box.end
    return "".join([*out, text[position:]])


def _value(content: str) -> str:
    whole = re.fullmatch(r"\s*\\(?:text|mathrm|textbf|mathbf)\{([^{}]*)\}\s*", content)
    return whole[1] if whole else content.strip()


_TEX_TOKEN = re.compile(rf"\\[A-Za-z]+|\\.|\d+(?:\.\d+)?|[A-Za-z]+|[{CJK}]|[^\s$]")


def _flat(text: str) -> list[str]:
    """The tokens of a text without dollars, blanks, marks between clauses and wrappers."""
    text = respelled(re.sub(r"\\([%])", r"\1", text.translate(FOLD)))
    text = re.sub(r"\\text\{([^{}]*)\}", r"\1", text)
    text = re.sub(r"[。，；]|[.,;:!?](?!\d)|\\[()\[\]]", " ", text)
    return _TEX_TOKEN.findall(text)
