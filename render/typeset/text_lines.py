"""Text with formulas -> lines of placed atoms: words, single Chinese characters, formulas.

Line breaking knows mathematics and both scripts: atoms without white space between them stay
together, Chinese breaks anywhere but never before a closing mark or after an opening one.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from functools import lru_cache

import msgspec

from ...latex import (
    FULL_WIDTH,
    Face,
    RefusedError,
    cjk_face,
    covers,
    math_box,
    sized,
    text_face,
)
from ..issues import Issue
from .line_breaking import Atom, TypesetLine, line, rows, spaced
from .stretches import Reporter, Stretch, prose_stretches, stretches

_RTL = re.compile(r"[\u0590-\u08ff\ufb1d-\ufdff\ufe70-\ufefc]")


class _Measure(msgspec.Struct, frozen=True):
    """What a text is set by: its size, the width of a line, who hears of issues, a Chinese font."""

    em: int
    width: float
    report: Reporter
    cjk: str | None


def lines_of(
    text: str, em: int, width: float, report: Reporter, cjk: str | None = None
) -> list[TypesetLine]:
    """The text broken into lines no wider than `width` pixels; what went wrong goes to `report`."""
    atoms = list(
        spaced(_atoms(stretches(text, report), _Measure(em, width, report, cjk)))
    )
    return [line(row, em) for row in rows(atoms, width)]


def natural_width(
    text: str, em: int, report: Reporter, cjk: str | None = None
) -> float:
    """The width the text would take on one line."""
    measure = _Measure(em, 1e9, report, cjk)
    return sum(a.width for a in _atoms(stretches(text, report), measure))


def _atoms(parts: Iterable[Stretch], by: _Measure) -> Iterator[Atom]:
    for part in parts:
        if not part.maths:
            yield from _plain_atoms(part.text, by)
            continue
        ends = [Atom("newline", "\n")] * part.display
        yield from ends
        yield from _formula(part.text, part, by)
        yield from ends


def _plain_atoms(text: str, by: _Measure) -> Iterator[Atom]:
    for piece in re.findall(r"\n|[^\S\n]+|[^\s]+", text):
        if piece == "\n":
            yield Atom("newline", "\n")
        elif (
            piece.isspace()
        ):  # blanks are one blank, but full-width ones leave room for an answer
            wide = piece.count("\u3000")
            room = wide * by.em if wide else sized(text_face(), by.em).getlength(" ")
            yield Atom("space", " ", room, em=by.em)
        else:
            yield from _word(piece, by)


def _word(word: str, by: _Measure) -> Iterator[Atom]:
    if _RTL.search(word):
        by.report(
            Issue(
                "right-to-left", f"right-to-left text is not laid out: {word!r}", word
            )
        )
    for piece in re.findall(rf"[{FULL_WIDTH}]|[^{FULL_WIDTH}]+", word):
        face = _face_for(piece, by)
        font = sized(face, by.em)
        wide = font.getlength(piece)
        step = len(piece)
        if wide > by.width:  # a word that alone is wider than a line
            step = max(1, int(step * by.width / wide) - 1)
        for start in range(0, len(piece), step):
            part = piece[start : start + step]
            size = font.getlength(part), 0.93 * by.em, 0.24 * by.em
            yield Atom("text", part, *size, face, by.em)


@lru_cache(50_000)
def _face(text: str, cjk: str | None) -> Face | None:
    if covers(text_face(), text):
        return text_face()
    chinese = cjk_face(cjk)
    return chinese if chinese and covers(chinese, text) else None


def _face_for(text: str, by: _Measure) -> Face:
    face = _face(text, by.cjk)
    if face:
        return face
    lost = "".join(sorted({c for c in text if not _face(c, by.cjk)}))
    if lost and re.search(f"[{FULL_WIDTH}]", lost) and cjk_face(by.cjk) is None:
        what = "no font with Chinese was found: install one, or name a file"
        by.report(Issue("no-chinese-font", what))
    if lost:
        by.report(Issue("missing-glyph", f"no font has a glyph for {lost!r}", text))
    return text_face()


_WORDS = re.compile(r"\\(?:text|mbox|textrm)\s*\{([^{}]*)\}")  # words in a formula


def _formula(tex: str, whole: Stretch, by: _Measure) -> Iterator[Atom]:
    """A formula as one atom, or cut at its words and relations where it is wider than a line."""
    try:
        box = math_box(tex, whole.display)
    except RefusedError as reason:
        what = f"no engine sets this formula, it is printed raw: {reason}"
        by.report(Issue("raw-latex", what, whole.source))
        yield from _word(" ".join(whole.source.split()), by)
        return
    wide = box.width * by.em
    if wide > by.width:
        words = _WORDS.split(tex)
        if len(words) > 1 and _plain(words[::2]):
            for k, part in enumerate(words):
                if k % 2:
                    yield from _atoms(prose_stretches(part, by.report), by)
                elif part.strip():
                    yield from _formula(part, whole, by)
            return
        pieces = _breakable(tex)
        if len(pieces) > 1:
            for piece in pieces:  # {} makes a leading + or - keep its space
                yield from _formula("{}" + piece, whole, by)
                yield Atom("space", " ", 0.15 * by.em, em=by.em)
            return
    share = min(1.0, by.width / wide) if wide else 1.0
    if share < 0.6:
        what = f"a formula is {1 / share:.1f} times wider than the page"
        by.report(Issue("overflow", what, whole.source))
    elif share < 1:
        by.report(
            Issue(
                "shrunk-formula",
                f"a wide formula was shrunk to {share:.0%}",
                whole.source,
            )
        )
    size = by.em * share
    extent = box.width * size, box.ascent * size, box.descent * size
    yield Atom("math", tex, *extent, em=size, display=whole.display)


def _plain(parts: list[str]) -> bool:
    """Do the braces of every part close within it? Then the words between them stand outside."""
    return all(p.count("{") == p.count("}") and "\\left" not in p for p in parts)


def _breakable(tex: str) -> list[str]:
    """Pieces of a formula that may stand on different lines: parted before top-level relations."""
    if "\\begin" in tex or "\\left" in tex:
        return [tex]
    pieces, depth, start = [], 0, 0
    for match in re.finditer(
        r"\\[{}]|[{}]|\\(?:leq?|geq?|Rightarrow|quad|approx|times|cdot)(?![A-Za-z])|[=+,]|(?<=\d)-",
        tex,
    ):
        if match[0] in "{}":
            depth += 1 if match[0] == "{" else -1
        elif (
            depth == 0 and match.start() > start and match[0][:2] not in ("\\{", "\\}")
        ):
            cut = match.end() if match[0] == "," else match.start()
            pieces.append(tex[start:cut])
            start = cut
    return [p for p in [*pieces, tex[start:]] if p.strip()]
