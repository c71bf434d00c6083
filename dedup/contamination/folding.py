r"""Texts without what differs between two copies: LaTeX commands, marks, spaces and case."""

from __future__ import annotations

import re
from typing import Any, NamedTuple

import numpy as np

LETTERS_AND_DIGITS = b"0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz"
DIGITS = b"0123456789"
BETWEEN = bytes(16)  # between two texts: no word and no gram of ours has zero bytes
PART = 4_000  # bytes of a text that are folded together
LINE = 400  # ... of which the last one may be behind a space
_lower = bytes(range(256)).lower()
_marks = bytes(code for code in range(128) if code not in LETTERS_AND_DIGITS)
_is_kept = bytes(code not in _marks for code in range(256))
_command = re.compile(rb"\\[A-Za-z]+")
# Signs beyond ASCII that one copy has and another writes as a command, or not at all: they fall
# away as commands do. Letters of all scripts stay.
_sign = re.compile(
    rb"""
    \xc2[\x80-\xbf]               # degrees, middle dots, raised 2 and 3
    | \xc3[\x97\xb7]              # times, divided by
    | \xe2[\x80-\xaf][\x80-\xbf]  # dashes, quotes, arrows, operators
    | \xef\xac[\x80-\x86]         # ligatures
    | \xe3\x80[\x80-\xbf]         # CJK marks
    | \xef\xbc[\x81-\x8f\x9a-\xa0]  # full-width marks
    | \xcf\x80 | \xce[\xb1-\xbf]  # Greek letters, commands elsewhere
    """,
    re.VERBOSE,
)
_spelled = {
    "²".encode(): b"2",
    "³".encode(): b"3",
    "¹".encode(): b"1",
    "½".encode(): b"12",
    "¼".encode(): b"14",
    "ﬁ".encode(): b"fi",
    "ﬂ".encode(): b"fl",
    "ﬀ".encode(): b"ff",
    "ﬃ".encode(): b"ffi",
}
_ligatures = str.maketrans({"ﬁ": "fi", "ﬂ": "fl", "ﬀ": "ff"})
_raised = str.maketrans("¹²³", "123")  # places of words stay what they are
_word = re.compile(r"\\[A-Za-z]+|(?P<word>[^\W\d_]+|\d+)")


def fold(text: str | bytes) -> bytes:
    r"""Letters and digits of a text (or of its UTF-8), small, as bytes.

    >>> fold("Is $\\frac{3}{4}x \\leq 5²$?") == fold("is \\(\\dfrac 34 x ≤ 5^2\\)")
    True
    """
    data = text if isinstance(text, bytes) else text.encode("utf-8", "replace")
    if b"\\" in data:
        data = _command.sub(b"", data)
    if not data.isascii():
        data = _sign.sub(lambda match: _spelled.get(match[0], b""), data)
    return data.translate(_lower, _marks)


def cuts_of(data: bytes) -> list[int]:
    r"""Where a text is cut into parts that are folded one by one: behind spaces, if there are any.

    >>> cuts_of(b"a \\le b")
    [0, 7]
    """
    cuts = [0]
    while len(data) - cuts[-1] > PART:
        end = cuts[-1] + PART
        space = max(
            data.rfind(b" ", end - LINE, end), data.rfind(b"\n", end - LINE, end)
        )
        cuts.append(space + 1 or end)
    return [*cuts, len(data)]


def folded_places(data: bytes) -> Any:
    r"""The bytes of a text where what `fold` leaves of it stands.

    >>> folded_places(rb"a \le 5").tolist()
    [0, 6]
    """
    data = _command.sub(lambda match: b" " * len(match[0]), data)
    if not data.isascii():
        data = _sign.sub(
            lambda match: _spelled.get(match[0], b"").ljust(len(match[0])), data
        )
    return np.flatnonzero(np.frombuffer(data.translate(_is_kept), bool))


def lower(data: bytes) -> bytes:
    """Small letters, those beyond ASCII as they are."""
    return data.translate(_lower)


def letters(folded: bytes) -> bytes:
    """A folded text without its digits: equal where only numbers were changed."""
    return folded.translate(None, DIGITS)


class Word(NamedTuple):
    """A word or a number, and where it stands."""

    text: str
    start: int
    end: int


def words(text: str) -> list[Word]:
    r"""Words and numbers, small, without LaTeX commands.

    >>> [word.text for word in words("Find $\\sqrt{12}x²$.")]
    ['find', '12', 'x', '2']
    """
    plain = text.isascii()  # as nearly all are
    text = text.lower() if plain else text.translate(_raised)
    found = (match for match in _word.finditer(text) if match["word"])
    if plain:
        return [Word(match[0], *match.span()) for match in found]
    # Elsewhere a small letter may be more than one.
    return [
        Word(match[0].translate(_ligatures).lower(), *match.span()) for match in found
    ]


def spellings(text: str) -> list[str]:
    """The same words without their places, which are dearer than the words."""
    plain = text.isascii()
    text = text.lower() if plain else text.translate(_raised)
    found = filter(None, _word.findall(text))
    return list(found) if plain else [w.translate(_ligatures).lower() for w in found]
