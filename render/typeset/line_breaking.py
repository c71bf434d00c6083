"""Breaking atoms into lines: mathematics and words stay whole, Chinese breaks by its own rules."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterable, Iterator
from itertools import zip_longest
from typing import Literal

import msgspec

from ...latex import FULL_WIDTH, Face

_NO_START = "，。、；：？！）】》」』”’,.;:?!)]}%°…"
_NO_END = "（【《「『“‘([{"
_OPENING = tuple("（【([{")
_CLOSING = tuple("）】)]}")

AtomKind = Literal["text", "math", "space", "newline"]


class Atom(msgspec.Struct, frozen=True):
    """Something that is never broken: its size in pixels, measured from the baseline."""

    kind: AtomKind
    text: str
    width: float = 0.0
    ascent: float = 0.0
    descent: float = 0.0
    face: Face | None = None
    em: float = 0.0
    display: bool = False


class TypesetLine(msgspec.Struct, frozen=True):
    """Atoms with their x positions, and the line's height above and below its baseline."""

    atoms: tuple[tuple[float, Atom], ...]
    width: float
    ascent: float
    descent: float


def spaced(atoms: Iterable[Atom]) -> Iterator[Atom]:
    """A thin space between a Chinese character and a formula."""
    last: Atom | None = None
    for atom in atoms:
        if last and {last.kind, atom.kind} == {"text", "math"}:
            word = last if last.kind == "text" else atom
            if _is_cjk(word) and unicodedata.category(word.text[0]).startswith("L"):
                yield Atom("space", " ", 0.15 * word.em, em=word.em)
        last = atom
        yield atom


def rows(atoms: list[Atom], width: float) -> Iterator[list[Atom]]:
    """First fit over unbreakable clusters."""
    row: list[Atom] = []
    used = 0.0
    for cluster in _clusters(atoms):
        if cluster[0].kind == "newline":
            if row:
                yield _trimmed(row)
            row, used = [], 0.0
            continue
        size = sum(a.width for a in cluster)
        if cluster[0].kind == "space" and not row:
            continue
        if used + size > width and row and cluster[0].kind != "space":
            yield _trimmed(row)
            row, used = [], 0.0
        if size > width:  # a cluster wider than a line breaks anywhere
            for atom in cluster:
                if used + atom.width > width and row:
                    yield _trimmed(row)
                    row, used = [], 0.0
                row.append(atom)
                used += atom.width
            continue
        row += cluster
        used += size
    if row:
        yield _trimmed(row)


def _trimmed(row: list[Atom]) -> list[Atom]:
    while row and row[-1].kind == "space":
        row = row[:-1]
    return row


def _clusters(atoms: list[Atom]) -> Iterator[list[Atom]]:
    cluster: list[Atom] = []
    for atom, after in zip_longest(atoms, atoms[1:]):
        if cluster and _may_break(cluster, atom, after):
            yield cluster
            cluster = []
        cluster.append(atom)
    if cluster:
        yield cluster


def _may_break(cluster: list[Atom], right: Atom, after: Atom | None) -> bool:
    left = cluster[-1]
    if "newline" in (left.kind, right.kind):
        return True
    if (
        right.kind == "space"
    ):  # not the blanks of "( )" and "( 3 )", where an answer goes
        closes = after is not None and after.text.startswith(_CLOSING)
        return not closes and not left.text.endswith(_OPENING)
    if left.kind == "space":
        return len(cluster) == 1
    if right.text[0] in _NO_START or left.text[-1] in _NO_END:
        return False
    return _is_cjk(left) or _is_cjk(right)


def _is_cjk(atom: Atom) -> bool:
    return atom.kind == "text" and bool(re.match(f"[{FULL_WIDTH}]", atom.text))


def line(row: list[Atom], em: int) -> TypesetLine:
    placed, x = [], 0.0
    for atom in row:
        placed.append((x, atom))
        x += atom.width
    ascent = max([1.0 * em, *(a.ascent + 0.12 * em for a in row)])
    descent = max([0.35 * em, *(a.descent + 0.12 * em for a in row)])
    return TypesetLine(tuple(placed), x, ascent, descent)
