r"""Backslashes that were read as escapes: `\frac` became a form feed and `rac`.

A control character in front of letters is such a wreck where its letter and these make a command
that is set. Blanks, which may be meant, are mended inside formulas only: a tab or a line end there
is never followed at once by `imes` or `eq` unless it was `\times`, `\neq`.
"""

from __future__ import annotations

import re
from typing import Any

import msgspec

from .delimiters import maths_spans
from .ink import is_set

_LETTER = dict(
    zip("\a\b\t\n\v\f\r", "abtnvfr", strict=True)
)  # escapes of JSON, C and Python
_BLANK = "\t\n\r"
_WRECK = re.compile(r"([\a\b\t\n\v\f\r])([A-Za-z]+)(?![A-Za-z])")
_WORTH = re.compile(r"[\a\b\t\v\f\r][A-Za-z]|\n[a-z]")  # rules most texts out at once
# the same in JSON, whose own backslashes come in pairs
_ESCAPE = re.compile(rb"\\(?:\\|(?P<wreck>[btfr][A-Za-z]|n[a-z]|u000[7b]))")
_OF_TEXT = frozenset(
    "begin textbf textit textrm text newline noindent item ref".split()
)


def mended(text: str, formula: bool = False) -> tuple[str, list[str]]:
    r"""The text with its damaged backslashes restored, and the commands that came back.

    `formula`: the whole text is one, as an answer without dollars is.

    >>> mended("Let $\x08ar w=3\times\x0crac12$.")
    ('Let $\\bar w=3\\times\\frac12$.', ['\\bar', '\\frac', '\\times'])
    """
    if not _WORTH.search(text):
        return text, []
    found: list[str] = []

    def restored(wreck: re.Match[str], inside: bool) -> str:
        sign, rest = wreck[1], wreck[2]
        command = f"\\{_LETTER[sign]}{rest}"
        known = is_set(command) or command[1:] in _OF_TEXT
        doubtful = sign in _BLANK and (not inside or (sign == "\n" and len(rest) < 2))
        if not known or doubtful:
            return wreck[0]
        found.append(command)
        return command

    text = _WRECK.sub(lambda m: restored(m, formula), text)
    for span in reversed(maths_spans(text)) if _WORTH.search(text) else []:
        whole = _WRECK.sub(lambda m: restored(m, True), text[span.start : span.end])
        text = text[: span.start] + whole + text[span.end :]
    return text, found


def mended_texts(value: Any, found: list[str], formula: bool = False) -> Any:
    """A record with every text in it mended; `found` gets the commands that came back."""
    if isinstance(value, str):
        text, commands = mended(value, formula and "$" not in value)
        found += commands
        return text
    if isinstance(value, list):
        return [mended_texts(one, found) for one in value]
    if isinstance(value, dict):
        return {key: mended_texts(one, found) for key, one in value.items()}
    if isinstance(value, msgspec.Struct) and _may_be_damaged(value):
        for name in value.__struct_fields__:
            old = getattr(value, name)
            new = mended_texts(old, found, formula=name == "answer")
            if new is not old and new != old:
                setattr(value, name, new)
    return value


def _may_be_damaged(record: msgspec.Struct) -> bool:
    """A quick look: does JSON of the record escape a control character in front of letters?"""
    return any(
        escape["wreck"] for escape in _ESCAPE.finditer(msgspec.json.encode(record))
    )
