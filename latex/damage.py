r"""Backslashes that were read as escapes: `\frac` became a form feed and `rac`.

A control character in front of letters is such a wreck where its letter and these make a command
that is set. Blanks, which may be meant, are mended inside formulas only, and in a text that is one
formula then: a tab or a line end there is never followed at once by `imes` or `eq` unless it was
`\times`, `\neq`. Where another tab of the text makes no command, tabs are tabs.
"""

from __future__ import annotations

import re

from .delimiters import maths_spans
from .ink import is_set, said_by
from .prose import reads_as_prose

# A control character, and the letter behind a backslash that JSON, C and Python read as it.
_LETTER = dict(zip("\a\b\t\n\v\f\r", "abtnvfr", strict=True))
_BLANK = "\t\n\r"
# A control character and the letters behind it.
_WRECK = re.compile(r"([\a\b\t\n\v\f\r])([A-Za-z]+)(?![A-Za-z])")
_WORTH = re.compile(r"[\a\b\t\v\f\r][A-Za-z]|\n[a-z]")  # rules most texts out at once
# behind the name of a function something stands that it takes
_NO_OPERAND = re.compile(r"\s*(?:[=&,;:.<>)\]$]|\\\\|\Z)")
LONGEST_WHOLE = 200  # characters of a text that may be one formula
_OF_TEXT = frozenset(
    "begin textbf textit textrm text newline noindent item ref".split()
)


def mended(text: str, tabs: bool = True) -> tuple[str, list[str]]:
    r"""The text with its damaged backslashes restored, and the commands that came back.

    `tabs`: whether a tab may be the wreck of a command; in LaTeX's own files they indent.

    >>> mended("Let $\x08ar w=3\times\x0crac12$.")
    ('Let $\\bar w=3\\times\\frac12$.', ['\\bar', '\\times', '\\frac'])
    """
    if not _WORTH.search(text):
        return text, []
    are_meant = not tabs or _tabs_are_tabs(text)
    wrecks = [one for one in _WRECK.finditer(text) if _may_be(one, text, are_meant)]
    if not wrecks:
        return text, []
    whole = _with(text, wrecks)
    if not _is_one_formula(whole, wrecks):
        spans = maths_spans(whole)
        wrecks = [
            wreck
            for k, wreck in enumerate(wrecks)  # each makes the text one sign longer
            if wreck[1] not in _BLANK
            or any(one.start <= wreck.start() + k < one.end for one in spans)
        ]
    return _with(text, wrecks), [_command(wreck) for wreck in wrecks]


def _command(wreck: re.Match[str]) -> str:
    return f"\\{_LETTER[wreck[1]]}{wreck[2]}"


def _with(text: str, wrecks: list[re.Match[str]]) -> str:
    """The text with the commands of some wrecks."""
    pieces: list[str] = []
    position = 0
    for wreck in wrecks:
        pieces += [text[position : wreck.start()], _command(wreck)]
        position = wreck.end()
    return "".join([*pieces, text[position:]])


def _may_be(wreck: re.Match[str], text: str, tabs_are_meant: bool) -> bool:
    """Whether a wreck may be restored: a known command, and no blank that is surely meant."""
    command = _command(wreck)
    if not (is_set(command) or command[1:] in _OF_TEXT):
        return False
    if wreck[1] == "\n" and len(wreck[2]) < 2:
        return wreck.start() == 0 and "\n" not in text[1:]
    return not (wreck[1] == "\t" and tabs_are_meant)


def _is_one_formula(whole: str, wrecks: list[re.Match[str]]) -> bool:
    """Whether a restored text is one formula without dollars, as golds and options are."""
    blanks = {wreck[1] for wreck in wrecks} & set(_BLANK)
    if len(whole) > LONGEST_WHOLE or "$" in whole or len(blanks) > 1:
        return False
    return not _WORTH.search(whole) and not reads_as_prose(whole)


def _tabs_are_tabs(text: str) -> bool:
    """Whether a tab stands where a command would make no sense: before other letters, or `=`."""
    for wreck in _WRECK.finditer(text) if "\t" in text else ():
        if wreck[1] == "\t":
            command = f"\\t{wreck[2]}"
            shown = said_by(command)
            is_function = len(shown) > 1 and shown.isascii()
            lacks = is_function and _NO_OPERAND.match(text, wreck.end())
            if lacks or not (is_set(command) or command[1:] in _OF_TEXT):
                return True
    return False
