"""What a solution keeps whose answer is put in a box: all of it, and nothing new in the box."""

from __future__ import annotations

import re
from collections.abc import Callable

from ...errors import UserError
from ...latex import CJK, FOLD, boxes, read_boxed
from ...words import SCHOOL, words
from .formulas import respelled

_LONGEST_ADDITION = 40  # tokens: one sentence
# what may stand beside a whole value: a word, a Chinese character, a relation, a conclusion
_APART = re.compile(
    rf"[A-Za-z]+|[{CJK}]|[=<>:：]|\\(?:leq|geq|neq|text|approx|therefore|Rightarrow|to)"
)
_NEGATIONS = frozenset({"not", "no", "不", "非"})
_CONCLUDES = re.compile(rf"(?i){words('so', 'answer', languages=SCHOOL)}|∴|\\therefore")
# a whole value in a command of text
_WRAPPED = re.compile(r"\s*\\(?:text|mathrm|textbf|mathbf)\{([^{}]*)\}\s*")

_TEXT = re.compile(r"\\text\{([^{}]*)\}")
# marks between clauses (a point in a number is none), and the delimiters of formulas
_MARKS = re.compile(r"[。，；]|[.,;:!?](?!\d)|\\[()\[\]]")
_TEX_TOKEN = re.compile(rf"\\[A-Za-z]+|\\.|\d+(?:\.\d+)?|[A-Za-z]+|[{CJK}]|[^\s$]")


def only_boxed(before: str, after: str, answer: str = "") -> str:
    """Nothing but a box around, or behind, what was there; `answer` is what it may hold anyway."""
    try:
        contents = read_boxed(after)
    except UserError as error:
        return f"box: {error.message}"
    if not contents or not all(_value(content) for content in contents):
        return "box: there is none"
    old = _tokens(before)
    new = _tokens(_with_boxes_as(after, _value))
    if new == old:
        return _last_word(after)
    if new[: len(old)] != old:
        return "box: the text was changed"
    if len(new) - len(old) > _LONGEST_ADDITION:
        return "box: more than a sentence was added"
    return _added(old, after, answer, contents)


def _added(solution: list[str], after: str, answer: str, contents: list[str]) -> str:
    """What was appended is one sentence that states, in a box, what the solution found."""
    for content in contents:
        value = _tokens(content)
        if not _holds(solution, value) and value != _tokens(answer):
            return f"box: {content!r} is not in the solution"
    outside = _tokens(re.sub(r"\s", " ", _with_boxes_as(after, lambda content: "")))
    sentence = outside[len(solution) :]
    for token in sentence:
        if token[:1].isdigit() and token not in solution:
            return f"box: {token!r} is not in the solution"
    if any(token.lower() in _NEGATIONS for token in sentence):
        return "box: a negation was added"  # it takes back what the solution says
    return ""


def _holds(solution: list[str], value: list[str]) -> bool:
    """Does the value stand in a solution as a whole, not as a part of a larger one?"""
    size = len(value)
    for start in range(len(solution) - size + 1):
        end = start + size
        if solution[start:end] == value:
            sides = solution[start - 1 : start] + solution[end : end + 1]
            if all(_APART.fullmatch(side) for side in sides):
                return True
    return False


def _last_word(after: str) -> str:
    """The box is around the conclusion: nothing behind it concludes anything else."""
    last = list(boxes(after))[-1]
    behind = after[last.end :]
    conclusion = _CONCLUDES.search(behind)
    if not conclusion:
        return ""
    rest = _tokens(behind[conclusion.end() :])
    value = _tokens(last.content)
    has_figures = any(token[:1].isdigit() for token in rest)
    says_value = any(rest[k : k + len(value)] == value for k in range(len(rest)))
    if has_figures and not says_value:
        return f"box: {last.content!r} is not the conclusion"
    return ""


def _with_boxes_as(text: str, shown: Callable[[str], str]) -> str:
    """The text with something in place of each box, made from its content."""
    pieces: list[str] = []
    position = 0
    for box in boxes(text):
        pieces += [text[position : box.start], shown(box.content)]
        position = box.end
    return "".join([*pieces, text[position:]])


def _value(content: str) -> str:
    r"""The content of a box; a `\text{...}` around all of it goes."""
    wrapped = _WRAPPED.fullmatch(content)
    return wrapped[1] if wrapped else content.strip()


def _tokens(text: str) -> list[str]:
    """The tokens of a text without dollars, blanks, marks between clauses and wrappers."""
    text = respelled(re.sub(r"\\([%])", r"\1", text.translate(FOLD)))
    return _TEX_TOKEN.findall(_MARKS.sub(" ", _TEXT.sub(r"\1", text)))
