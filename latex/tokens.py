r"""Tokens of LaTeX: one table of patterns with names, for everybody who takes TeX apart.

Sources of patterns, to be joined into larger ones, are text; what is used as it is, is compiled. A
backslash before a dollar or a percent sign makes a character of it; that `\\$` ends a row and opens
a formula matters to `delimiters` alone, which looks for itself.
"""

from __future__ import annotations

import re

NAME = r"[A-Za-z]+"  # of a command; a blank behind it is no part of it
NAME_ENDS = r"(?![A-Za-z])"  # behind a name that is given: `\in`, not `\int`
COMMAND = rf"\\{NAME}"  # \frac
SIGN = r"\\."  # \, \{ \\ and a backslash before a line's end, where `.` matches that
BEGIN_OR_END = r"\\(?P<edge>begin|end)\s*\{[^{}]*\}"  # of an environment, with its name

# Everything is a token: a command, a sign, blanks together, any other character.
TOKEN = re.compile(rf"{COMMAND}|{SIGN}|\s+|.", re.DOTALL)
# A dollar that is mathematics: a price has a backslash before its own.
DOLLAR = re.compile(r"(?<!\\)\$")
# From a percent sign to the end of its line; `\%` is a sign.
COMMENT = re.compile(r"(?<!\\)%.*")
# Where an environment begins or ends; `edge` says which.
ENVIRONMENT_EDGE = re.compile(BEGIN_OR_END)


def without_comments(tex: str) -> str:
    r"""The source without what nobody sees.

    >>> without_comments("50\\% of x % see above")
    '50\\% of x '
    """
    return COMMENT.sub("", tex)
