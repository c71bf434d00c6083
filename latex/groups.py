"""Brace groups and the pieces of a formula between its text groups."""

from __future__ import annotations

import re
from collections.abc import Iterator

_TEXT_WORDS = (
    "text textbf textit textrm textsf texttt textnormal mbox hbox label tag ref eqref unicode"
    " begin end color textcolor href url includegraphics ce pu operatorname"
)
_TEXT_GROUP = re.compile(rf"\\(?:{'|'.join(_TEXT_WORDS.split())})\*?\s*\{{")


def pieces(tex: str) -> Iterator[tuple[str, bool]]:
    r"""Cut a formula into (piece, is maths); text groups such as `\text{...}` are not maths."""
    position = 0
    while match := _TEXT_GROUP.search(tex, position):
        end = group_end(tex, match.end() - 1)
        end = end if end > 0 else len(tex)  # a group that does not close is left alone
        yield tex[position : match.start()], True
        yield tex[match.start() : end], False
        position = end
    yield tex[position:], True


def group_end(tex: str, start: int, reach: int = 1_000_000) -> int:
    """Position behind the brace that closes the one at `start`, or -1 when none is in reach."""
    depth, position = 0, start
    while position < min(len(tex), start + reach):
        character = tex[position]
        if character == "\\":
            position += 2
            continue
        depth += (character == "{") - (character == "}")
        position += 1
        if depth == 0:
            return position
    return -1
