r"""Gaps inside the text of a question, as Moodle writes them: `{1:NUMERICAL:=3.14:0.01}`.

https://docs.moodle.org/en/Embedded_Answers_(Cloze)_question_type: each gap with a number or a
short text is a part; gaps that are filled by choosing cannot be asked alone, and are named.
"""

from __future__ import annotations

import re
from html import unescape

from ...problem import Part
from .sub_answers import bare, part

BLANK = "_____"
MOST = 50  # gaps of a question
_GAP = re.compile(
    r"(?<!\\)\{(?P<points>\d{0,3}):(?P<kind>[A-Z_]{2,24}):(?P<answers>(?:[^{}\\]|\\.){0,2000})\}"
)
_RIGHT = re.compile(r"(?:=|%100%)(?P<text>(?:[^~#\\]|\\.)*)")
_ESCAPED = re.compile(r"\\([}#~/\"\\{])")
_NUMBERS = ("NUMERICAL", "NM")
_TEXTS = ("SHORTANSWER", "SHORTANSWER_C", "SA", "SAC", "MW", "MWC")


class GapError(ValueError):
    """Why the gaps of a question are no parts."""


def gaps_of(html: str) -> tuple[str, list[Part]]:
    """The question with blanks that are numbered, and the parts that they ask for.

    >>> gaps_of("1+1={1:NUMERICAL:=2:0.1} 2+2={2:SHORTANSWER:=4~=four}")[1][1].answer
    '4'

    Raises GapError for gaps that are filled by choosing, and for one without a right answer.
    """
    parts: list[Part] = []

    def blank(gap: re.Match[str]) -> str:
        if gap["kind"] not in (*_NUMBERS, *_TEXTS):
            raise GapError(f"a gap of type {gap['kind']}")
        right = _RIGHT.search(gap["answers"])
        if right is None:
            raise GapError(f"no right answer in {gap[0][:60]}")
        said = _ESCAPED.sub(r"\1", unescape(right["text"])).strip()
        if gap["kind"] in _NUMBERS:
            said = said.partition(":")[0]
        parts.append(part(str(len(parts) + 1), bare(said)))
        if len(parts) > MOST:
            raise GapError(f"more than {MOST} gaps")
        return f"({len(parts)}) {BLANK}"

    text = _GAP.sub(blank, html)
    if not parts:
        raise GapError("no gap in a text of gaps")
    return (text if len(parts) > 1 else text.replace(f"(1) {BLANK}", BLANK)), parts
