"""Text with formulas -> lines of placed atoms: words, single Chinese characters, formulas.

Line breaking knows mathematics and both scripts: atoms without white space between them stay
together, Chinese breaks anywhere but never before a closing mark or after an opening one.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import lru_cache

from ...latex import FULL_WIDTH, Face, RefusedError, cjk_face, covers, math_box, sized, text_face
from ..issues import Issue
from .line_breaking import Atom, TypesetLine, line, rows, spaced
from .stretches import Reporter, Stretch, prose_stretches, stretches

_RTL = re.compile(r"[\u0590-\u08ff\ufb1d-\ufdff\ufe70-\ufefc]")


def lines_of(
    text: str, em: int, width: float, report: Reporter, cjk: str | None = None
) -> list[TypesetLine]:
    """The text broken into lines no wider than `width` pixels; what went wrong goes to `report`."""
    atoms = list(spaced(_atoms(text, em, width, report, cjk)))
    return [line(row, em) for row in rows(atoms, width)]


def natural_width(text: str, em: int, report: Reporter, cjk: str | None = None) -> float:
    """The width the text would take on one line."""
    return sum(a.width for a in _atoms(text, em, 1e9, report, cjk))


def _atoms(text: str, em: int, width: float, report: Reporter, cjk: str | None) -> Iterator[Atom]:
    for stretch in stretches(text, report):
        yield from _stretch_atoms(stretch, em, width, report, cjk)


def _stretch_atoms(
    stretch: Stretch, em: int, width: float, report: Reporter, cjk: str | None
) -> Iterator[Atom]:
    if not stretch.maths:
        yield from _plain_atoms(stretch.text, em, width, report, cjk)
        return
    if stretch.display:
        yield Atom("newline", "\n")
    yield from _formula(stretch.text, em, width, report, stretch.display, stretch.source)
    if stretch.display:
        yield Atom("newline", "\n")


def _plain_atoms(
    text: str, em: int, width: float, report: Reporter, cjk: str | None
) -> Iterator[Atom]:
    for piece in re.findall(r"\n|[^\S\n]+|[^\s]+", text):
        if piece == "\n":
            yield Atom("newline", "\n")
        elif piece.isspace():  # blanks are one blank, but full-width ones leave room for an answer
            wide = piece.count("\u3000")
            room = wide * em if wide else sized(text_face(), em).getlength(" ")
            yield Atom("space", " ", room, em=em)
        else:
            yield from _word(piece, em, width, report, cjk)


def _word(word: str, em: int, width: float, report: Reporter, cjk: str | None) -> Iterator[Atom]:
    if _RTL.search(word):
        report(Issue("right-to-left", f"right-to-left text is not laid out: {word!r}", word))
    for piece in re.findall(rf"[{FULL_WIDTH}]|[^{FULL_WIDTH}]+", word):
        face = _face_for(piece, report, cjk)
        font = sized(face, em)
        for part in _chopped(piece, face, em, width):
            yield Atom("text", part, font.getlength(part), 0.93 * em, 0.24 * em, face, em)


def _chopped(word: str, face: Face, em: int, width: float) -> list[str]:
    """A word, or its parts where it alone is wider than a line."""
    if sized(face, em).getlength(word) <= width:
        return [word]
    step = max(1, int(len(word) * width / sized(face, em).getlength(word)) - 1)
    return [word[k : k + step] for k in range(0, len(word), step)]


@lru_cache(50_000)
def _face(text: str, cjk: str | None) -> Face | None:
    if covers(text_face(), text):
        return text_face()
    chinese = cjk_face(cjk)
    return chinese if chinese and covers(chinese, text) else None


def _face_for(text: str, report: Reporter, cjk: str | None) -> Face:
    face = _face(text, cjk)
    if face:
        return face
    lost = "".join(sorted({c for c in text if not _face(c, cjk)}))
    if lost and re.search(f"[{FULL_WIDTH}]", lost) and cjk_face(cjk) is None:
        report(
            Issue("no-chinese-font", "no font with Chinese was found: install one, or name a file")
        )
    if lost:
        report(Issue("missing-glyph", f"no font has a glyph for {lost!r}", text))
    return text_face()


_WORDS = re.compile(r"\\(?:text|mbox|textrm)\s*\{([^{}]*)\}")  # words in a formula


def _formula(
    tex: str, em: int, width: float, report: Reporter, display: bool, source: str
) -> Iterator[Atom]:
    try:
        box = math_box(tex, display)
    except RefusedError as reason:
        report(
            Issue("raw-latex", f"no engine sets this formula, it is printed raw: {reason}", source)
        )
        yield from _word(" ".join(source.split()), em, width, report, None)
        return
    if box.width * em > width:
        words = _WORDS.split(tex)
        if len(words) > 1 and _plain(words[::2]):
            for k, part in enumerate(words):
                if k % 2:
                    for stretch in prose_stretches(part, report):
                        yield from _stretch_atoms(stretch, em, width, report, None)
                elif part.strip():
                    yield from _formula(part, em, width, report, display, source)
            return
        pieces = _breakable(tex)
        if len(pieces) > 1:
            for piece in pieces:  # {} makes a leading + or - keep its space
                yield from _formula("{}" + piece, em, width, report, display, source)
                yield Atom("space", " ", 0.15 * em, em=em)
            return
    size = min(float(em), width / box.width) if box.width else float(em)
    if size < 0.6 * em:
        report(Issue("overflow", f"a formula is {em / size:.1f} times wider than the page", source))
    elif size < em:
        report(Issue("shrunk-formula", f"a wide formula was shrunk to {size / em:.0%}", source))
    yield Atom(
        "math", tex, box.width * size, box.ascent * size, box.descent * size,
        em=size, display=display,
    )  # fmt: skip


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
        elif depth == 0 and match.start() > start and match[0][:2] not in ("\\{", "\\}"):
            cut = match.end() if match[0] == "," else match.start()
            pieces.append(tex[start:cut])
            start = cut
    return [p for p in [*pieces, tex[start:]] if p.strip()]
