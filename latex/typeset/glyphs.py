"""Characters as outlines: letters in their style, signs of any font at hand, brackets of any size.

Letters are Matplotlib's own DejaVu Sans (pages) or STIX (figures), by file; what they lack is taken
from STIX and from the machine's Chinese font. A character that no font has is refused.
"""

from __future__ import annotations

import unicodedata
from functools import lru_cache
from pathlib import Path
from typing import Any, Literal

import numpy as np

from ..ink import ink_of
from .fonts import Face, cjk_face, covers, text_face
from .hand import hand_glyph
from .outlines import (
    AXIS,
    CLOSE,
    MOVE,
    MathBox,
    RefusedError,
    assembled,
    beside,
    make_box,
    rectangle,
)

Family = Literal["sans", "serif", "hand"]
FILES = {
    "sans": {"": "DejaVuSans", "it": "DejaVuSans-Oblique", "bf": "DejaVuSans-Bold",
             "bi": "DejaVuSans-BoldOblique", "tt": "DejaVuSansMono"},
    "serif": {"": "STIXGeneral", "it": "STIXGeneralItalic", "bf": "STIXGeneralBol",
              "bi": "STIXGeneralBolIta", "tt": "DejaVuSansMono"},
    # of what the hand's alphabet lacks
    "hand": {"": "STIXGeneralItalic", "it": "STIXGeneralItalic", "bf": "STIXGeneralBolIta"},
}  # fmt: skip
LARGE = "DejaVuSansDisplay"  # sums and integrals of formulas that stand alone
OTHERS = (
    "DejaVuSans",
    "STIXGeneral",
    "STIXSizOneSymReg",
    "STIXSizFiveSymReg",
    "STIXNonUni",
)
LETTERS = {
    "bb": ("DOUBLE-STRUCK",),
    "cal": ("SCRIPT",),
    "frak": ("FRAKTUR", "BLACK-LETTER"),
}
SPLIT = "{}[]⌊⌋⌈⌉⟦⟧"  # brackets with upright parts, which grow; others are stretched
OVERS, UNDERS = "⎴⏜⏞⏠", "⎵⏝⏟⏡"  # braces over and under what they belong to
STRETCHED = OVERS + UNDERS + "⌢ˆ˜"  # as a whole; arrows have shafts, which grow
BEARING = 0.06  # em on both sides of a bracket
UNIT = 100  # pixels: outlines are taken at this size
WIDER = 0.1  # of what a bracket grows, its width grows with it


def letter_of(char: str, style: str) -> str:
    """The character that Unicode has for a letter in a style of its own, as double-struck.

    >>> letter_of("R", "bb"), letter_of("a", "frak"), letter_of("x", "it")
    ('ℝ', '𝔞', 'x')
    """
    if style not in LETTERS or not char.isalnum() or not char.isascii():
        return char
    case = "CAPITAL" if char.isupper() else "SMALL"
    if char.isdigit():
        case = "DIGIT"
    name = unicodedata.name(char).split()[-1]
    for kind in LETTERS[style]:
        for lead in ("MATHEMATICAL ", ""):
            try:
                return unicodedata.lookup(f"{lead}{kind} {case} {name}")
            except KeyError:
                continue
    return char


@lru_cache(8192)
def glyph(
    char: str, style: str = "", family: Family = "sans", large: bool = False
) -> MathBox:
    """A character's outline. Raises RefusedError where no font has it."""
    if family == "hand" and (written := hand_glyph(char)) is not None:
        return written
    char = letter_of(char, style)
    by_style = FILES[family]
    files = [by_style.get(style, by_style[""]), *OTHERS]
    if large:
        files.insert(0, LARGE)
    for file in files:
        face = _face(file)
        if covers(face, char):
            return _outline(char, face)
    chinese = cjk_face()
    if chinese is not None and covers(chinese, char):
        return _outline(char, chinese)
    raise RefusedError(f"no glyph for {char!r}")


def words(text: str, style: str = "", family: Family = "sans") -> MathBox:
    """Plain words in a row."""
    boxes = [glyph(char, style, family) for char in text]
    return beside(boxes, [0.0] * len(boxes))


@lru_cache(16)
def _face(file: str) -> Face:
    return Face(str(Path(text_face().path).with_name(f"{file}.ttf")))


def _outline(char: str, face: Face) -> MathBox:
    from matplotlib.ft2font import LoadFlags

    font = _font(face)
    font.set_size(UNIT, 72)
    loaded = font.load_char(ord(char), flags=LoadFlags.NO_HINTING)
    advance = loaded.linearHoriAdvance / 65536
    vertices, codes = font.get_path()
    vertices = np.asarray(vertices, float).reshape(-1, 2) / UNIT
    # points that close a contour are zero in fonts: they stand where the contour starts
    indices = np.arange(len(codes))
    starts = np.maximum.accumulate(np.where(codes == MOVE, indices, 0))
    closing = codes == CLOSE
    vertices[closing] = vertices[starts[closing]]
    outline = vertices, np.asarray(codes, np.uint8)
    return make_box([outline], advance / UNIT, ink_of(char))


@lru_cache(16)
def _font(face: Face) -> Any:
    from matplotlib.ft2font import FT2Font

    return FT2Font(face.path, face_index=face.index)


@lru_cache(512)
def bracket(char: str, half: float, family: Family = "sans") -> MathBox:
    """A bracket that reaches `half` em above and below the height of minus signs."""
    if char in (".", ""):
        return make_box([], 0.0, ink_of(""))
    if char in "|∥":
        places = (0.1,) if char == "|" else (0.06, 0.24)
        bars = [rectangle(x, AXIS - half, 0.06, 2 * half) for x in places]
        return assembled([], 0.16 + places[-1], bars, ink_of(char))
    box = glyph(char, "", family)
    middle = (box.ascent - box.descent) / 2
    half_glyph = (box.ascent + box.descent) / 2
    half = max(half, half_glyph)
    left, right = _sides(box)
    x, y = (box.vertices - (left - BEARING, middle)).T
    if char in SPLIT:
        is_end = np.abs(y) > half_glyph / 4
        y = y + np.sign(y) * is_end * (half - half_glyph)
    else:
        y = y * half / half_glyph
    wide = 1 + WIDER * min(half / half_glyph - 1, 1.5)
    outline = np.stack([x * wide, y + AXIS], 1), box.codes
    return make_box([outline], (right - left + 2 * BEARING) * wide, box.ink)


def _sides(box: MathBox) -> tuple[float, float]:
    """Where the ink of a box begins and ends."""
    x = box.vertices[:, 0]
    return float(x.min()), float(x.max())


@lru_cache(512)
def spread_over(char: str, width: float, family: Family = "sans") -> MathBox:
    """A sign as wide as asked (0: as it is), its lowest point on the baseline.

    Arrows have longer shafts then, braces and hats are stretched.
    """
    box = glyph(char, "", family)
    left, right = _sides(box)
    x, y = box.vertices.T
    x = x - left
    width = width or right - left
    if char in STRETCHED:
        x = x * width / (right - left)
    else:
        x = x + (x > (right - left) / 2) * max(0.0, width - right + left)
    outline = np.stack([x, y - y.min()], 1), box.codes
    return make_box([outline], float(x.max()), box.ink)
