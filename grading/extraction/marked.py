"""Answers that a reply marks: boxes, tags and JSON fields."""

from __future__ import annotations

import re
from collections.abc import Iterator

from ...words import WORDS
from ..equivalence import boxed

# <answer>C</answer>, <<Answer>>: <<C>>, <answer>: <C>; the box tokens of chat templates.
_TAG = re.compile(
    r"""
    <{1,2} answer >{1,2} [\s*`]{0,9} [:：]? [\s*`]{0,9}
    (?:
        << (?P<quoted>.*?) >>
      | < (?P<angled>[^<>/][^<>]*) >
      | (?:<(?!/))* (?P<bare>.*?) (?: </ | <[A-Za-z\ ]{3,}> | $ )
    )
    | <\|begin_of_box\|> \s* (?P<box>.*?) (?: <\|end_of_box\|> | $ )
    """,
    re.DOTALL | re.IGNORECASE | re.VERBOSE,
)
# "final_answer": "C", 'answer': [1, 2], "答案": 5
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
    for tag in _last(_TAG, text) if "<" in text else ():
        content, start, end = _held(tag)
        if content.strip(".* "):
            yield "tag", content, start, end
    for field in _last(_FIELD, text) if '"' in text or "'" in text else ():
        content, start, end = _held(field)
        yield "field", content.replace('"', "").replace("\\\\", "\\"), start, end
    if "box" in text and (box := boxed(text, several)):
        yield "boxed", *box


def _last(pattern: re.Pattern[str], text: str) -> list[re.Match[str]]:
    """The last match, where there is one."""
    return list(pattern.finditer(text))[-1:]


def _held(match: re.Match[str]) -> tuple[str, int, int]:
    """The content of the one group that took part, and where it is."""
    group = match.lastgroup or ""
    return match[group].strip(), *match.span(group)
