r"""Answers in `\boxed{...}`: one reader with balanced braces, one writer."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import NamedTuple

from ..errors import UserError
from .groups import group_end
from .symbols import HAN
from .tokens import COMMAND, NAME_ENDS

# Where a box begins: \boxed, \fbox; models forget the backslash of `boxed{`.
_BOX = re.compile(rf"\\(?:f?boxed|fbox){NAME_ENDS}\s*|(?<![A-Za-z])f?boxed\s*(?=\{{)")
# What a box without braces may hold: a command, or a letter or digit that stands alone.
_CONTENT = re.compile(rf"{COMMAND}|[A-Za-z0-9](?![A-Za-z0-9])")
# Where a sentence ends; compiled when first needed: it takes a while.
_SENTENCE = rf"[.。！？!?](?=\s|$|[{HAN}])|\n"
_IN_DOLLARS = re.compile(r"\$[^$]+\$")


class Box(NamedTuple):
    """text[start:end] is a box with `content`; one that is cut off ends with the text."""

    start: int
    end: int
    content: str
    closed: bool = True


def boxes(text: str) -> Iterator[Box]:
    r"""Every `\boxed{...}` and `\fbox{...}` that lies in no other; `\boxed 5` is one, too.

    >>> [box.content for box in boxes(r"\boxed{\frac{1}{2}} and \boxed 5, not \boxed{}")]
    ['\\frac{1}{2}', '5', '']
    """
    position = 0
    while match := _BOX.search(text, position):
        start = match.start()
        position = match.end()
        if text.startswith("{", position):
            end = group_end(text, position)
            if end < 0:
                yield Box(start, len(text), text[position + 1 :], closed=False)
                return
            yield Box(start, end, text[position + 1 : end - 1])
            position = end
        elif content := _CONTENT.match(text, position):
            position = content.end()
            yield Box(start, position, content[0])


def read_boxed(text: str) -> list[str]:
    r"""The answers of the last sentence with boxes; empty when there is none.

    Raises UserError for a box that does not close.

    >>> read_boxed(r"So $x=\boxed{\frac{1}{2}}$ or $x=\boxed 5$.")
    ['\\frac{1}{2}', '5']
    """
    all_boxes = list(boxes(text))
    if not all_boxes:
        return []
    last = all_boxes[-1]
    if not last.closed:
        raise UserError(
            f"a box does not close: {text[last.start : last.start + 40]!r}",
            "balance its braces",
        )

    def is_boxed(position: int) -> bool:
        return any(box.start <= position < box.end for box in all_boxes)

    sentences = re.compile(_SENTENCE).finditer(text, 0, last.start)
    ends = [match.end() for match in sentences if not is_boxed(match.start())]
    since = max(ends, default=0)
    return [box.content.strip() for box in all_boxes if box.start >= since]


def write_boxed(solution: str, answer: str) -> str:
    r"""The solution with its answer boxed at the end, unless a box is there already.

    >>> write_boxed("Add them.", "5")
    'Add them. $\\boxed{5}$'
    """
    if next(boxes(solution), None) or not answer.strip():
        return solution
    inner = answer.strip()
    if _IN_DOLLARS.fullmatch(inner):
        inner = inner[1:-1]
    if "$" in inner or re.search(rf"[{HAN}]|[A-Za-z]{{3,}} [A-Za-z]", inner):
        inner = rf"\text{{{inner}}}"
    return f"{solution.rstrip()} $\\boxed{{{inner}}}$".strip()
