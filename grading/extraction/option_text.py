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
    found = []
    lower = text.lower()
    for match in _PIECE.finditer(lower if len(lower) == len(text) else text):
        said, kind = match[0], match.lastgroup
        if kind == "number":
            said = said.replace(",", "")
        elif kind == "command":
            said = _NAMED.get(said.strip("\\"), said.strip("\\"))
        elif kind:
            said = "°" if kind == "degrees" else "/"
        if kind != "command" or said not in _SILENT:
            found.append(Piece(*match.span(), said))
    return found


pieces_of = lru_cache(maxsize=256)(
    pieces
)  # of options, which are asked about with every reply


def spelled(text: str) -> str:
    """All of it."""
    return "".join(piece.said for piece in pieces_of(text))


def mentions(text: str, labels: Sequence[str], texts: Sequence[str]) -> list[Piece]:
    """Where options' texts stand whole, as their labels; of overlapping ones the longest."""
    options, needed = _options(tuple(labels), tuple(texts))
    lower = text.lower().replace(",", "")
    if not any(said in lower for said in needed):
        return []
    told = pieces(text)
    names = [piece.said for piece in told]
    found: dict[int, Piece] = {}
    for label, option in options:
        for k in (k for k, name in enumerate(names) if name == option[0]):
            last = k + len(option) - 1
            if names[k : last + 1] != option:
                continue
            if found.keys().isdisjoint(range(k, last + 1)) and _whole(told, k, last):
                span = _as_written(
                    text, told[k].start, told[last].end, texts[labels.index(label)]
                )
                found.update(dict.fromkeys(range(k, last + 1), Piece(*span, label)))
    return sorted(set(found.values()))


def _as_written(text: str, start: int, end: int, option: str) -> tuple[int, int]:
    """A stretch with its markup, if that is the option's."""
    begin = start - pieces_of(option)[0].start
    whole = begin >= 0 and text.startswith(option, begin)
    return (begin, begin + len(option)) if whole else (start, end)


def _whole(told: list[Piece], first: int, last: int) -> bool:
    """No sign ties a stretch to what stands beside it, and no letter or figure touches it."""
    before = told[first - 1] if first else None
    after = told[last + 1] if last + 1 < len(told) else None
    return not (
        (before and (before.said in "√^/+" or _one(before, told[first], "-−.(")))
        or (after and (after.said in "°√π^/×·+" or _one(told[last], after, "-−(")))
        or (after and after.said in "-−" and _IN_FORMULAS.fullmatch(told[last].said))
    )


def _one(piece: Piece, following: Piece, signs: str) -> bool:
    """Do two pieces touch as one word or number does? 21 3/4 is one, too."""
    said, then = piece.said, following.said
    if piece.end < following.start:
        return said.isdigit() and then.isdigit()
    return (
        bool(_SPACED.match(said) and _SPACED.match(then))
        or said in signs
        or then in signs
    )


@lru_cache(maxsize=64)
def _options(
    labels: tuple[str, ...], texts: tuple[str, ...]
) -> tuple[list[tuple[str, list[str]]], set[str]]:
    """Labels with the pieces of their texts, the longest first; words without which none stands."""
    said = (
        (label, [p.said for p in pieces_of(text)])
        for label, text in zip(labels, texts, strict=True)
    )
    options = sorted(
        (
            (label, told[: len(told) - (told[-1] == ".")])
            for label, told in said
            if told
        ),
        key=lambda option: -len("".join(option[1])),
    )
    options = [option for option in options if option[1]]
    if len({tuple(told) for _, told in options}) < 2 and not any(
        len(o[1]) > 1 for o in options
    ):
        return [], set()  # one word beside bare letters is too easily said
    return options, {max(told, key=len) for _, told in options}
