"""Answers that a reply marks: boxes, tags and JSON fields."""

from __future__ import annotations

import re
from collections.abc import Iterator

from ...words import WORDS
from ..equivalence import boxed

_TAG = re.compile(
    r"<{1,2}answer>{1,2}[\s*`]{0,9}[:：]?[\s*`]{0,9}"
    r"(?:<<(?P<quoted>.*?)>>|<(?P<angled>[^<>/][^<>]*)>"
    r"|(?:<(?!/))*(?P<bare>.*?)(?:</|<[A-Za-z ]{3,}>|$))"
    r"|<\|begin_of_box\|>\s*(?P<box>.*?)(?:<\|end_of_box\|>|$)",
    re.DOTALL | re.IGNORECASE,
)
_FIELD = re.compile(
    rf"[\"'](?:final_?|correct_?)?(?:{WORDS['answer']['en']}|{WORDS['answer']['zh']})[\"']\s*:\s*"
    r'(?:"(?P<text>(?:[^"\\\n]|\\.)*)"|\[(?P<list>[^\]\n]*)\]|(?P<bare>[^",}\n]+))',
    re.IGNORECASE,
)


def marked(text: str, several: bool = False) -> Iterator[tuple[str, str, int, int]]:
    """What the last tag, field and boxes hold, with the name of what holds it, and where it is.

    Where `several` values are asked for, all boxes of the last sentence with some count.

    >>> [*marked("<Thought process>: <<...>> <Answer>: <<C>>")]
    [('tag', 'C', 39, 40)]
    >>> next(marked('{"answer": "\\\\\\\\pi"}'))[1]
    '\\\\pi'
    """
    for tag in [*_TAG.finditer(text)][-1:]:
        if (said := tag[tag.lastgroup or ""].strip()).strip(".* "):
            yield "tag", said, *tag.span(tag.lastgroup or "")
    for field in [*_FIELD.finditer(text)][-1:]:
        said = (
            field[field.lastgroup or ""].strip().replace('"', "").replace("\\\\", "\\")
        )
        yield "field", said, *field.span(field.lastgroup or "")
    if "box" in text and (box := boxed(text, several)):
        yield "boxed", *box
