"""Answers that a reply marks: tags and JSON fields."""

from __future__ import annotations

import re

from ...words import WORDS

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


def fields(text: str) -> list[tuple[str, int, int]]:
    """What JSON fields named answer hold, and where.

    >>> fields('{"answer": "\\\\\\\\pi"}')[0][0]
    '\\\\pi'
    """
    found = ((field, field.lastgroup or "") for field in _FIELD.finditer(text))
    return [
        (field[group].strip().replace('"', "").replace("\\\\", "\\"), *field.span(group))
        for field, group in found
    ]


def tags(text: str) -> list[tuple[str, int, int]]:
    """What answer tags hold, and where.

    >>> tags("<answer>7</answer>"), tags("<Thought process>: <<...>> <Answer>: <<C>>")[0][0]
    ([('7', 8, 9)], 'C')
    """
    found = ((tag, tag.lastgroup or "") for tag in _TAG.finditer(text))
    return [(tag[group].strip(), *tag.span(group)) for tag, group in found]
