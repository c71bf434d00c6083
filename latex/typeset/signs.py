"""Signs as atoms: a character in the style that it stands in, upright operators, primes, room."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

import msgspec

from .atoms import INTEGRALS, SUMS, Atom, Kind, kind_of
from .glyphs import LETTERS, Family, glyph, words
from .outlines import (
    AXIS,
    MathBox,
    Placed,
    assembled,
    beside,
    make_box,
)

# Size of scripts in formulas, in scripts, and in scripts of scripts.
SHRUNK = (0.7, 0.72, 1.0)
OVER_AND_UNDER = frozenset("lim limsup liminf max min sup inf det gcd Pr".split())
SIGNS = {"-": "−", "*": "∗", "~": "∼"}  # what keyboards have for what formulas mean
KINDS_BY_NAME: dict[str, Kind] = {  # unlike what their characters are elsewhere
    r"\colon": "punct", r"\mid": "rel", r"\|": "ord", r"\Vert": "ord", r"\lvert": "open",
    r"\rvert": "close", r"\lVert": "open", r"\rVert": "close",
}  # fmt: skip
FONTS = {
    "rm": r"\mathrm \rm \mathnormal \mathsf \sf \operatorname \rmfamily \text \mbox \hbox \textrm "
          r"\textnormal \textup \textsc \textsf \textmd",
    "bf": r"\mathbf \bf \textbf \bold \bfseries",
    "bi": r"\boldsymbol \bm \pmb",
    "it": r"\mathit \it \textit \emph \itshape",
    "tt": r"\mathtt \tt \texttt",
    "bb": r"\mathbb \mathbbm",
    "cal": r"\mathcal \mathscr \cal",
    "frak": r"\mathfrak",
}  # fmt: skip


class Style(msgspec.Struct, frozen=True):
    """How what is read is set: `font` is that of letters, `level` 1 in scripts, 2 in theirs."""

    display: bool = False
    family: Family = "sans"
    font: str = ""
    text: bool = False
    level: int = 0

    def but(self, **changes: object) -> Style:
        return msgspec.structs.replace(self, **changes)

    def words(self, font: str) -> Style:
        """Words, not letters of a formula."""
        return self.but(text=True, font=font, display=False)

    def script(self) -> Style:
        return self.but(display=False, level=min(self.level + 1, 2))

    @property
    def shrunk(self) -> float:
        """The size of scripts in this style."""
        return SHRUNK[self.level]


def empty_box() -> MathBox:
    return make_box([], 0.0, Counter())


def space_box(width: float) -> MathBox:
    return make_box([], width, Counter())


def row_box(boxes: Sequence[MathBox]) -> MathBox | None:
    """Boxes in a row without room between them; None of none."""
    return beside(boxes, [0.0] * len(boxes)) if boxes else None


FONT_OF = {name: font for font, names in FONTS.items() for name in names.split()}
# Fonts without a file of their own.
FILES = dict.fromkeys(("rm", "bb", "cal", "frak"), "")


def sign_atom(char: str, style: Style, name: str = "") -> Atom:
    """A character as an atom."""
    char = char if style.text else SIGNS.get(char, char)
    slanted = char.isalpha() and (char.isascii() or "α" <= char <= "ϵ")
    font = style.font
    if char in "′'" and style.level:
        return Atom(prime_box(style))
    if font in LETTERS:
        box = glyph(char, font, style.family)
        return Atom(box, sign=True)
    file = "it" if not font and slanted else FILES.get(font, font)
    if file == "bi" and not slanted:
        file = "bf"
    is_large = char in SUMS + INTEGRALS
    box = glyph(char, file, style.family, large=style.display and is_large)
    if is_large:
        limits = style.display and char in SUMS
        return Atom(on_axis(box), "op", limits, lean=0.15 * (char in INTEGRALS))
    lean = 0.01 + 0.12 * max(0.0, box.ascent - 0.36) if file in ("it", "bi") else 0.0
    kind = "ord" if style.text else KINDS_BY_NAME.get(name) or kind_of(char)
    return Atom(box, kind, sign=True, lean=lean)


def on_axis(box: MathBox) -> MathBox:
    y = AXIS - (box.ascent - box.descent) / 2
    return assembled([Placed(box, 0.0, y)], box.width)


def prime_box(style: Style) -> MathBox:
    """A prime as a script, where it is as high as a letter; fonts have it small and raised."""
    box = glyph("′", "", style.family)
    size = 2.0
    left, low = (float(low) for low in box.vertices.min(0))
    right = float(box.vertices[:, 0].max())
    width = size * (right - left) + 0.06
    return assembled([Placed(box, -size * left, -size * low + 0.06, size)], width)


def operator_atom(name: str, style: Style) -> Atom:
    """A name set upright, as sin and lim."""
    limits = style.display and name in OVER_AND_UNDER
    text = {"limsup": "lim sup", "liminf": "lim inf"}.get(name, name)
    return Atom(words(text, "", style.family), "op", limits)
