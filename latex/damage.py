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

# A control character, and the letter behind a backslash that JSON, C and Python read as it.
_LETTER = dict(zip("\a\b\t\n\v\f\r", "abtnvfr", strict=True))
_BLANK = "\t\n\r"
# A control character and the letters behind it.
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
    commands: list[str] = []

    def restored(wreck: re.Match[str], inside: bool) -> str:
        sign = wreck[1]
        rest = wreck[2]
        name = _LETTER[sign] + rest
        command = f"\\{name}"
        # blanks may be meant outside of formulas, and a line end before one letter inside, too
        is_doubtful = sign in _BLANK and (
            not inside or (sign == "\n" and len(rest) < 2)
        )
        if is_doubtful or not (is_set(command) or name in _OF_TEXT):
            return wreck[0]
        commands.append(command)
        return command

    def mended_within(stretch: str, inside: bool) -> str:
        return _WRECK.sub(lambda wreck: restored(wreck, inside), stretch)

    text = mended_within(text, formula)
    if _WORTH.search(text):
        for span in reversed(maths_spans(text)):
            whole = mended_within(text[span.start : span.end], inside=True)
            text = text[: span.start] + whole + text[span.end :]
    return text, commands


def mended_texts(value: Any, restored: list[str], formula: bool = False) -> Any:
    """A record with every text in it mended; `restored` gets the commands that came back."""
    if isinstance(value, str):
        text, commands = mended(value, formula and "$" not in value)
        restored += commands
        return text
    if isinstance(value, list):
        return [mended_texts(entry, restored) for entry in value]
    if isinstance(value, dict):
        return {key: mended_texts(entry, restored) for key, entry in value.items()}
    if isinstance(value, msgspec.Struct) and _may_be_damaged(value):
        for name in value.__struct_fields__:
            old = getattr(value, name)
            new = mended_texts(old, restored, formula=name == "answer")
            if new is not old and new != old:
                setattr(value, name, new)
    return value


def _may_be_damaged(record: msgspec.Struct) -> bool:
    """A quick look: does JSON of the record escape a control character in front of letters?"""
    return any(
        escape["wreck"] for escape in _ESCAPE.finditer(msgspec.json.encode(record))
    )
