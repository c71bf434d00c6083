"""An option chosen by its text instead of its letter: its pieces stand in the reply, in a row."""

from __future__ import annotations

import re
from collections.abc import Sequence
from functools import lru_cache
from typing import NamedTuple

from ...latex import UNSPACED

# A word, a number, a command, a character of a language without spaces, a sign.
_PIECE = re.compile(
    r"(?P<command>\\(?!circ|degree)[a-z]+|\b(?:sqrt|pi)\b)"
    r"|(?P<degrees>\^?\s?\{?\\(?:circ|degrees?)\b\s?\}?|\bdegrees?\b)"
    rf"|[^\W\d_{UNSPACED}]+"
    r"|(?P<number>\d[\d,]*(?<=\d)(?:\.\d+)?)|\.\d+|(?P<over>\}\s?\{)|[^\s{}$*\\]"
)
_NAMED = {"sqrt": "√", "pi": "π", "times": "×", "cdot": "·"}
_SILENT = frozenset("text mathrm left right boxed fbox frac dfrac tfrac".split())
_SPACED = re.compile(rf"[^\W_{UNSPACED}]|√")
_IN_FORMULAS = re.compile(r"[\d.]+|\w")


class Piece(NamedTuple):
    start: int
    end: int
    said: str


def pieces(text: str) -> list[Piece]:
    r"""A text in one spelling.

    >>> [p.said for p in pieces(r"$\frac{1}{2}$ of 1,200 is $30^\circ$")]
    ['1', '/', '2', 'of', '1200', 'is', '30', '°']
    """
    result = []
    lower = text.lower()
    if len(lower) != len(text):  # places would move: İ has two small letters
        lower = text
    for match in _PIECE.finditer(lower):
        spelling = match[0]
        kind = match.lastgroup
        if kind == "command":
            name = spelling.strip("\\")
            if name in _SILENT:
                continue
            spelling = _NAMED.get(name, name)
        elif kind == "number":
            spelling = spelling.replace(",", "")
        elif kind == "degrees":
            spelling = "°"
        elif kind == "over":
            spelling = "/"
        result.append(Piece(*match.span(), spelling))
    return result


pieces_of = lru_cache(maxsize=256)(pieces)  # of options, asked about with every reply


def spelled(text: str) -> str:
    """All of it."""
    return "".join(piece.said for piece in pieces_of(text))


def mentions(text: str, labels: Sequence[str], texts: Sequence[str]) -> list[Piece]:
    """Where options' texts stand whole, as their labels; of overlapping ones the longest."""
    options, needed = _options(tuple(labels), tuple(texts))
    lower = text.lower().replace(",", "")
    if not any(word in lower for word in needed):
        return []
    text_pieces = pieces(text)
    spellings = [piece.said for piece in text_pieces]
    mention_at: dict[int, Piece] = {}  # by the places of the pieces that it takes
    for label, option in options:
        for first, spelling in enumerate(spellings):
            behind = first + len(option)
            if spelling != option[0] or spellings[first:behind] != option:
                continue
            taken = range(first, behind)
            stretch = text_pieces[first:behind]
            if mention_at.keys().isdisjoint(taken) and _stands_alone(
                text_pieces, first, behind - 1
            ):
                written = texts[labels.index(label)]
                span = _as_written(text, stretch[0].start, stretch[-1].end, written)
                mention_at.update(dict.fromkeys(taken, Piece(*span, label)))
    return sorted(set(mention_at.values()))


def _as_written(text: str, start: int, end: int, option: str) -> tuple[int, int]:
    """A stretch with its markup, if that is the option's."""
    begin = start - pieces_of(option)[0].start
    whole = begin >= 0 and text.startswith(option, begin)
    return (begin, begin + len(option)) if whole else (start, end)


def _stands_alone(text_pieces: list[Piece], first: int, last: int) -> bool:
    """No sign ties a stretch to what stands beside it, and no letter or figure touches it."""
    if first:
        before = text_pieces[first - 1]
        if before.said in "√^/+" or _touch(before, text_pieces[first], "-−.("):
            return False
    if last + 1 == len(text_pieces):
        return True
    end = text_pieces[last]
    after = text_pieces[last + 1]
    if after.said in "°√π^/×·+" or _touch(end, after, "-−("):
        return False
    return after.said not in "-−" or not _IN_FORMULAS.fullmatch(end.said)


def _touch(piece: Piece, following: Piece, signs: str) -> bool:
    """Do two pieces touch as one word or number does? 21 3/4 is one, too."""
    left, right = piece.said, following.said
    if piece.end < following.start:
        return left.isdigit() and right.isdigit()
    if left in signs or right in signs:
        return True
    return bool(_SPACED.match(left) and _SPACED.match(right))


@lru_cache(maxsize=64)
def _options(
    labels: tuple[str, ...], texts: tuple[str, ...]
) -> tuple[list[tuple[str, list[str]]], set[str]]:
    """Labels with the pieces of their texts, the longest first; words without which none stands."""
    options = []
    for label, text in zip(labels, texts, strict=True):
        words = [piece.said for piece in pieces_of(text)]
        if words and words[-1] == ".":
            words.pop()
        if words:
            options.append((label, words))
    options.sort(key=lambda option: -len("".join(option[1])))
    distinct = {tuple(words) for _, words in options}
    if len(distinct) < 2 and all(len(words) == 1 for words in distinct):
        return [], set()  # one word beside bare letters is too easily said
    return options, {max(words, key=len) for _, words in options}
