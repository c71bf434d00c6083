"""Lists and records that stand in one text: JSON, or as Python and numpy print them.

Nothing is evaluated: a text is read token by token, and what is no literal is None. The time is
linear in the length of the text, and nesting is bounded.
"""

from __future__ import annotations

import re
from contextlib import suppress
from typing import Any

import msgspec

from ..base.json_lines import decode

DEEPEST = 40
_TOKEN = re.compile(
    r"\s*(?:(?P<open>[\[({])|(?P<close>[\])}])|(?P<comma>,)|(?P<colon>:)"
    r"|(?P<string>[rbuRBU]{0,2}(?:\"(?:[^\"\\]|\\.)*+\"|'(?:[^'\\]|\\.)*+'))"
    r"|(?P<number>[-+]?(?:\d[\d_]*\.?\d*|\.\d+)(?:[eE][-+]?\d+)?)(?=[\s,\]})]|$)"
    r"|(?P<word>[A-Za-z_][\w.]*=?))",
    re.S,
)
_WORDS = {"true": True, "false": False, "null": None, "none": None, "nan": None}
_ESCAPES = {
    "n": "\n",
    "t": "\t",
    "r": "\r",
    "\n": "",
    "\\": "\\",
    "'": "'",
    '"': '"',
    "/": "/",
}
_ESCAPED = re.compile(
    r"\\(?:x([0-9a-fA-F]{2})|u([0-9a-fA-F]{4})|U([0-9a-fA-F]{8})|(.))", re.S
)
_NAMED = re.compile(r"\s*[A-Za-z_]\w*=[\w.'\"<|]*")
_AHEAD = re.compile(r"\s*(\S)")
_PAIR = {"[": "]", "(": ")", "{": "}"}


def literal(text: str) -> Any:
    r"""The list or record that a text is, or None.

    >>> literal("['4', \"it's\", 3]"), literal('{"A": "1"}'), literal("['a' 'b']")
    (['4', "it's", 3], {'A': '1'}, ['a', 'b'])
    >>> literal("array(['x', 'y'], dtype=object)"), literal("[2,6]"), literal("(x, y)")
    (['x', 'y'], [2, 6], None)
    """
    text = text.strip()
    if text[:1] not in ("[", "{", "(") and not text.startswith(("array(", "np.array(")):
        return None
    with suppress(msgspec.DecodeError):
        return decode(text)
    with suppress(ValueError):
        return _Reading(text).whole()
    return None


class _Reading:
    """One pass over a text's tokens."""

    def __init__(self, text: str) -> None:
        self.text, self.position = text, 0

    def whole(self) -> Any:
        value = self._value(0)
        if self.text[self.position :].strip():
            raise ValueError("something stands behind the value")
        return value

    def _next(self) -> tuple[str, str]:
        match = _TOKEN.match(self.text, self.position)
        if match is None or match.lastgroup is None:
            raise ValueError("no literal")
        self.position = match.end()
        return match.lastgroup, match[match.lastgroup]

    def _value(self, depth: int) -> Any:
        kind, token = self._next()
        if depth > DEEPEST:
            raise ValueError("nested too deeply")
        if kind == "open":
            return self._inside(token, depth)
        if kind == "string":
            return _unquoted(token)
        if kind == "number":
            return (
                float(token)
                if re.search("[.eE]", token)
                else int(token[:300].replace("_", ""))
            )
        if kind == "word" and token.lower() in _WORDS:
            return _WORDS[token.lower()]
        if kind == "word" and self._ahead() == "(":  # array([...], dtype=object)
            self._next()
            inside = self._inside("(", depth)
            return inside[0] if isinstance(inside, list) and inside else inside
        raise ValueError("no value")

    def _inside(self, bracket: str, depth: int) -> Any:
        """What a bracket holds: a list, or a record where its first value is followed by `:`."""
        values: list[Any] = []
        pairs: dict[str, Any] = {}
        while True:
            ahead = self._ahead()
            if ahead == _PAIR[bracket]:
                self._next()
                return pairs or values if bracket == "{" else values
            if ahead == ",":
                self._next()
                continue
            if self._named():
                continue
            value = self._value(depth + 1)
            if bracket == "{" and self._ahead() == ":":
                self._next()
                pairs[str(value)] = self._value(depth + 1)
            else:
                values.append(value)

    def _named(self) -> bool:
        """Pass over `dtype=object`, as arrays are printed."""
        match = _NAMED.match(self.text, self.position)
        if match:
            self.position = match.end()
        return match is not None

    def _ahead(self) -> str:
        match = _AHEAD.match(self.text, self.position)
        if match is None:
            raise ValueError("it ends in the middle")
        return match[1]


def _unquoted(token: str) -> str:
    body = token.lstrip("rbuRBU")
    text = body[1:-1]
    if "r" in token[: len(token) - len(body)].lower():
        return text

    printed = "\\\\" in text  # a text that Python printed doubles every backslash

    def character(match: re.Match[str]) -> str:
        if code := match[1] or match[2] or match[3]:
            return chr(int(code, 16)) if int(code, 16) < 0x110000 else match[0]
        if (
            match[4].isalpha()
            and not printed
            and text[match.end() : match.end() + 1].isalpha()
        ):
            return match[0]  # `\t` of `\times`
        return _ESCAPES.get(match[4], match[0])

    return _ESCAPED.sub(character, text)
