"""Reading a formula or a text with formulas: tokens to atoms, one command after the other.

A command is a function of the reader (for its arguments), its name and the style that it stands in.
"""

from __future__ import annotations

import itertools
import re
import unicodedata
from collections import Counter
from collections.abc import Callable, Sequence
from functools import partial
from typing import TypeGuard

import msgspec

from ..groups import group_end
from ..ink import BAR, CIRCLE, RULE, SHOWN, dropped_by, fold, said_by
from ..rows import EM
from ..symbols import FULL_WIDTH
from ..tokens import DOLLAR, ENVIRONMENT_EDGE, TOKEN
from .atoms import Atom, Kind, in_row
from .glyphs import OVERS, UNDERS, bracket, glyph, spread_over, words
from .outlines import (
    AXIS,
    LINE,
    MathBox,
    Placed,
    RefusedError,
    assembled,
    beside,
    coloured,
    fraction,
    framed,
    rectangle,
    ring,
    rooted,
    scripted,
    stacked,
    struck,
)
from .signs import (
    FILES,
    FONT_OF,
    Style,
    empty_box,
    on_axis,
    operator_atom,
    prime_box,
    row_box,
    sign_atom,
    space_box,
)
from .tables import Layout, layout_of, table

_BLANKS = re.compile(r"\s*")
_OPTIONAL = re.compile(r"\s*\[((?:[^\[\]{}]|\{[^{}]*\})*)\]")
_LENGTH = re.compile(r"\s*(-?[\d.]{1,9})\s*([a-z]{2})\s*")
# The dollars that close a formula inside of words, one or two.
_CLOSING_DOLLARS = re.compile(rf"{DOLLAR.pattern}+")
_FULL_WIDTH = re.compile(f"[{FULL_WIDTH}]")
SPACES = {r"\quad": 1.0, r"\qquad": 2.0, r"\ ": 0.3, "~": 0.3, r"\,": 0.17, r"\thinspace": 0.17,
          r"\;": 0.28, r"\thickspace": 0.28, r"\:": 0.22, r"\medspace": 0.22, r"\>": 0.22,
          r"\!": -0.17, r"\negthinspace": -0.17, r"\enspace": 0.5, r"\space": 0.3, r"\/": 0.0,
          r"\nobreakspace": 0.3, r"\hfill": 1.0, r"\hfil": 1.0, r"\\": 1.0}  # fmt: skip
BLANK = 0.32  # em of a blank in words
HALVED = (r"\over", r"\choose", r"\atop")  # what stands before them over what follows
RESTYLED = (r"\displaystyle", r"\textstyle", r"\color")  # for all that follows
LIMITS = (r"\limits", r"\nolimits")
PRIMES = ("'", r"\prime")
LARGE_FRACTIONS = (r"\dfrac", r"\cfrac", r"\dbinom")
SMALL_FRACTIONS = (r"\tfrac", r"\tbinom")
SETS = {rf"\{letter}": letter for letter in "RNZQC"}  # of numbers
SWITCHES = frozenset(r"\rm \bf \it \sf \tt \cal \itshape \bfseries \rmfamily".split())
TEXTS = frozenset(
    r"\text \mbox \hbox \textrm \textbf \textit \textnormal \textup \textsc \textsf \texttt \emph "
    r"\textmd".split()
)


Command = Callable[["Reader", str, Style], Atom]


class Reader:
    """A place in the source of a formula."""

    def __init__(self, tex: str) -> None:
        self.tex, self.at = tex, 0

    def box(self, style: Style, *ends: str) -> MathBox:
        """All up to one of the tokens `ends`, which is left to be read, or to the source's end."""
        atoms: list[Atom] = []
        while token := self.peek(blanks=style.text):
            if token in ends:
                break
            if token in HALVED:
                self.token()
                above = in_row(atoms, style.level > 0)
                below = self.box(style.script(), *ends)
                atoms = [Atom(_halves(token, above, below, style))]
            elif token in SWITCHES or token in RESTYLED:
                atoms.append(Atom(self._rest(self.token(), style, *ends)))
            else:
                atoms.append(self.scripted(style))
        return in_row(atoms, style.level > 0)

    def _rest(self, name: str, style: Style, *ends: str) -> MathBox:
        """A switch for all that follows."""
        if name == r"\color":
            colour = _colour(self.optional(), self.source())
            return coloured(self.box(style, *ends), colour)
        if name in SWITCHES:
            return self.box(style.but(font=FONT_OF[name]), *ends)
        return self.box(style.but(display=name == r"\displaystyle"), *ends)

    def scripted(self, style: Style) -> Atom:
        """The next atom with its scripts."""
        if style.text:
            return self.atom(style)
        empty = self.peek() in ("^", "_", "'")
        atom = Atom(empty_box()) if empty else self.atom(style)
        if atom.kind == "space":
            return atom
        above: list[MathBox] = []
        below: list[MathBox] = []
        small = style.script()
        limits = atom.limits
        while (mark := self.peek()) in ("^", "_", *PRIMES, *LIMITS):
            if mark == r"\prime" and not above:
                break
            self.token()
            if mark in LIMITS:
                limits = mark == r"\limits"
            elif mark in PRIMES:
                above.append(prime_box(small))
            elif mark == "^":
                above.append(self.argument(small))
            else:
                below.append(self.argument(small))
        if not above and not below:
            return atom
        over = row_box(above)
        under = row_box(below)
        size = style.shrunk
        if limits:
            box = stacked(atom.box, over, under, size)
        else:
            lean = atom.lean
            box = scripted(atom.box, over, under, size, sign=atom.sign, lean=lean)
        return Atom(box, atom.kind)

    def atom(self, style: Style) -> Atom:
        """The next atom without its scripts."""
        token = self.token(blanks=style.text)
        if token == "{":
            inner = Atom(self.box(style, "}"))
            self.token()
            return inner
        if token.startswith("\\"):
            return self._command(token, style)
        if token.isspace():
            return Atom(space_box(BLANK), "space")
        if token == "$":
            return self._formula(style)
        if token == "~":
            return Atom(space_box(SPACES["~"]), "space")
        if token == "&":
            raise RefusedError("an & outside of a table")
        if style.text or _FULL_WIDTH.match(token):
            return Atom(words(token, FILES.get(style.font, style.font), style.family))
        return sign_atom(token, style)

    def _formula(self, style: Style) -> Atom:
        """A formula inside of words; a dollar without its partner shows nothing."""
        if not style.text:
            return Atom(empty_box())
        start = self.at
        body = start + self.tex.startswith("$", start)
        end = _CLOSING_DOLLARS.search(self.tex, body)
        if end is None:
            return Atom(empty_box())
        self.at = end.end()
        inner = self.tex[start : end.start()].removeprefix("$")
        return Atom(Reader(inner).box(style.but(text=False, font="", display=False)))

    def _command(self, name: str, style: Style) -> Atom:
        if command := COMMANDS.get(name):
            return command(self, name, style)
        if name in SPACES:
            return Atom(space_box(SPACES[name]), "space")
        if style.text and name in (r"\(", r"\)"):
            return Atom(empty_box())
        if len(name) == 2 and not name[1].isalpha():
            return sign_atom("∥" if name == r"\|" else name[1], style, name)
        if name in SETS:
            return sign_atom(SETS[name], style.but(font="bb"))
        text = said_by(name)
        if len(text) == 1:
            if text in OVERS + UNDERS or unicodedata.category(text) == "Mn":
                return _marked(self, text, style)
            return sign_atom(text, style, name)
        if text:
            return operator_atom(text, style)
        dropped = dropped_by(name)
        if dropped is None:
            raise RefusedError(f"no renderer sets {name}")
        self.optional()
        for _ in range(dropped):
            self.source()
        return Atom(empty_box(), "space")

    def argument(self, style: Style) -> MathBox:
        """The next group, or the next token with what it takes."""
        if self.peek() in ("", "}", "^", "_", "&", r"\right"):
            return empty_box()
        return self.atom(style).box

    def source(self) -> str:
        """The next group as it is written, without its braces, or the next token."""
        if self.peek() != "{":
            return self.token()
        start = self.at
        end = group_end(self.tex, start)
        if end < 0:
            raise RefusedError("a brace without its partner")
        self.at = end
        return self.tex[start + 1 : end - 1]

    def optional(self) -> str:
        match = _OPTIONAL.match(self.tex, self.at)
        self.at = match.end() if match else self.at
        return match[1] if match else ""

    def peek(self, blanks: bool = False) -> str:
        """The next token, "" at the end; blanks before it are passed unless they are asked for."""
        if not blanks:
            self.at = _BLANKS.match(self.tex, self.at).end()  # type: ignore[union-attr]
        match = TOKEN.match(self.tex, self.at)
        return match[0] if match else ""

    def token(self, blanks: bool = False) -> str:
        """Read the next token."""
        token = self.peek(blanks)
        self.at += len(token)
        return token


# Commands


def _font(reader: Reader, name: str, style: Style) -> Atom:
    """Letters in a font of their own, words if the command asks for words."""
    font = FONT_OF[name]
    if name in TEXTS:
        upright = style.text and font == "rm"  # as its surroundings
        return Atom(reader.argument(style.words(style.font if upright else font)))
    if name == r"\operatorname" and reader.peek() == "*":
        reader.token()
    kind: Kind = "op" if name == r"\operatorname" else "ord"
    return Atom(reader.argument(style.but(font=font)), kind)


def _fraction(reader: Reader, name: str, style: Style) -> Atom:
    if name in LARGE_FRACTIONS:
        style = style.but(display=True)
    elif name in SMALL_FRACTIONS:
        style = style.but(display=False)
    inner = style.but(display=False) if style.display else style.script()
    above = reader.argument(inner)
    below = reader.argument(inner)
    return Atom(_halves(name, above, below, style))


def _halves(name: str, above: MathBox, below: MathBox, style: Style) -> MathBox:
    """One over the other, with a bar, with brackets, or with nothing."""
    size = 1.0 if style.display else style.shrunk
    bar = "frac" in name or name == r"\over"
    box = fraction(above, below, size, bar=bar, wide=style.display)
    if "bin" in name or name == r"\choose":
        return _fenced([box], "()", style)
    return box


def _slanted_fraction(reader: Reader, name: str, style: Style) -> Atom:
    small = style.script()
    size = style.shrunk
    above = reader.argument(small)
    below = reader.argument(small)
    slash = Placed(glyph("/"), above.width * size - 0.03)
    x = slash.x + slash.box.width - 0.06
    parts = [Placed(above, 0.0, 0.35, size), slash, Placed(below, x, -0.1, size)]
    return Atom(assembled(parts, x + below.width * size))


def _root(reader: Reader, name: str, style: Style) -> Atom:
    small = style.but(display=False, level=2)
    source = reader.optional()
    index = Reader(source).box(small) if source.strip() else None
    return Atom(rooted(reader.argument(style.but(display=False)), index))


def _fence(reader: Reader, name: str, style: Style) -> Atom:
    r"""`\left ... \middle ... \right`."""
    signs = [_delimiter(reader)]
    boxes = [reader.box(style, r"\middle", r"\right")]
    while reader.token() == r"\middle":
        signs.append(_delimiter(reader))
        boxes.append(reader.box(style, r"\middle", r"\right"))
    signs.append(_delimiter(reader))
    return Atom(_fenced(boxes, signs, style), "inner")


def _delimiter(reader: Reader) -> str:
    name = reader.token()
    if not name.startswith("\\"):
        return name
    return {r"\{": "{", r"\}": "}", r"\|": "∥"}.get(name) or said_by(name)


def _fenced(boxes: Sequence[MathBox], signs: Sequence[str], style: Style) -> MathBox:
    """Boxes between delimiters as high as the highest of them."""
    heights = [max(box.ascent - AXIS, box.descent + AXIS) for box in boxes]
    half = 0.9 * max([0.5, *heights])
    row = [bracket(signs[0], half, style.family)]
    for box, sign in zip(boxes, signs[1:], strict=True):
        row += [box, bracket(sign, half, style.family)]
    gaps = [0.06 if a.width and b.width else 0.0 for a, b in itertools.pairwise(row)]
    return beside(row, [0.0, *gaps])


# Em above and below the axis.
HALVES = {"big": 0.6, "Big": 0.85, "bigg": 1.15, "Bigg": 1.45}
SIDES: dict[str, Kind] = {"l": "open", "r": "close", "m": "rel"}


def _big(reader: Reader, name: str, style: Style) -> Atom:
    half = HALVES[name[1:].rstrip("lrm")]
    box = bracket(_delimiter(reader), half, style.family)
    return Atom(box, SIDES.get(name[-1], "ord"))


# marks over an argument or under it, by the sign that they show
_MARK_OF = {
    name: key
    for name, (key, *more) in SHOWN.items()
    if not more and (key == BAR or len(key) == 1)
}
ARROW = 0.55  # the size of arrows over letters


def _marked(reader: Reader, name: str, style: Style) -> Atom:
    """A mark over an argument, or under it: an accent, a bar, an arrow, a brace."""
    sign = _MARK_OF.get(name, name)
    brace = sign in OVERS + UNDERS
    if brace:
        reader.optional()
    base = _sign_or_group(reader, style)
    box = base.box
    gap, size = 0.08, 1.0
    lean = base.lean / 2 * base.sign
    if sign == BAR:
        wide = box.width * (0.76 if name == r"\bar" and base.sign else 1.0)
        mark = assembled([], wide, [rectangle(0.0, 0.0, wide, LINE)], Counter([BAR]))
        lean *= name == r"\bar"
    elif sign in "→←↔⇒":
        mark = spread_over(sign, box.width / ARROW, style.family)
        size = ARROW
    elif brace or sign == "⌢" or name.startswith(r"\wide"):
        mark = spread_over(sign, max(0.95 * box.width, 0.5), style.family)
        lean = 0.0
    else:
        mark = spread_over(sign, 0.0, style.family)
    width = max(box.width, mark.width * size)
    y = box.ascent + gap
    if name.startswith(r"\under") or sign in UNDERS:
        y = -box.descent - gap - mark.ascent * size
    parts = [
        Placed(box, (width - box.width) / 2),
        Placed(mark, (width - mark.width * size) / 2 + lean, y, size),
    ]
    return Atom(assembled(parts, width), limits=brace, sign=base.sign, lean=base.lean)


def _sign_or_group(reader: Reader, style: Style) -> Atom:
    """An argument as an atom: one sign in braces is that sign."""
    start = reader.at
    source = reader.source().strip()
    if len(source) == 1 and source.isalnum():
        return sign_atom(source, style)
    reader.at = start
    return Atom(reader.argument(style))


def _long_arrow(reader: Reader, name: str, style: Style) -> Atom:
    """An arrow as long as the words over and under it."""
    small = style.script()
    below = Reader(reader.optional()).box(small)
    above = reader.argument(small)
    wide = 0.5 + style.shrunk * max(above.width, below.width)
    arrow = on_axis(spread_over(_MARK_OF[name], max(wide, 1.4), style.family))
    return Atom(stacked(arrow, above, below, style.shrunk), "rel")


def _over_set(reader: Reader, name: str, style: Style) -> Atom:
    small = reader.argument(style.script())
    start = reader.at
    base = reader.argument(style)
    sign = Reader(reader.tex[start : reader.at].strip("{} "))
    kind = sign.atom(style).kind if sign.tex else "ord"
    if sign.peek():  # more than one sign
        kind = "ord"
    over, under = (None, small) if name == r"\underset" else (small, None)
    return Atom(stacked(base, over, under, style.shrunk), kind)


def _negated(reader: Reader, name: str, style: Style) -> Atom:
    """A sign struck through: the one that Unicode has, or a slash over it."""
    sign = reader.source()
    text = said_by(sign) if sign.startswith("\\") else sign
    whole = unicodedata.normalize("NFC", f"{text}\u0338")
    if len(whole) == 1:
        return Atom(glyph(whole, "", style.family), "rel")
    base = Reader(sign).atom(style).box
    slash = glyph("/", "", style.family)
    slash = msgspec.structs.replace(slash, ink=Counter(fold("\u0338")))
    middle = (base.width - slash.width) / 2
    return Atom(assembled([Placed(base), Placed(slash, middle)], base.width), "rel")


def _environment(reader: Reader, name: str, style: Style) -> Atom:
    r"""Everything from `\begin{...}` to its end."""
    before = reader.at - len(name)
    kind = reader.source().strip()
    body_end, end = environment_end(reader.tex, before)
    if not body_end:
        raise RefusedError(f"no end of the environment {kind}")
    layout = _small(layout_of(kind), style)
    reader.optional()
    spec = ""
    if kind.rstrip("*") in ("array", "darray", "tabular", "longtable", "subarray"):
        if kind == "tabular*":
            reader.source()
        spec = reader.source()
    elif "alignat" in kind or "alignedat" in kind:
        reader.source()
    inner = style.words("rm") if layout.text else style.but(display=layout.display)
    body, reader.at = reader.tex[reader.at : body_end], end
    box = table(body, spec, layout, lambda cell: Reader(cell).box(inner))
    return Atom(
        _fenced([box], layout.fences, style), "inner" if any(layout.fences) else "ord"
    )


def _small(layout: Layout, style: Style) -> Layout:
    """Scripts are small already."""
    return msgspec.structs.replace(layout, size=1.0) if style.level else layout


def _rows(reader: Reader, name: str, style: Style) -> Atom:
    r"""Lines over one another: `\substack{a \\ b}`."""
    layout = _small(
        layout_of("subarray" if name == r"\substack" else "gathered"), style
    )
    inner = style if name == r"\substack" else style.words("rm")
    box = table(reader.source(), "c", layout, lambda cell: Reader(cell).box(inner))
    return Atom(box)


def environment_end(tex: str, start: int) -> tuple[int, int]:
    r"""Start and end of the `\end` that closes the `\begin` at `start`, or zeros."""
    depth = 0
    for match in ENVIRONMENT_EDGE.finditer(tex, start):
        depth += 1 if match["edge"] == "begin" else -1
        if depth == 0:
            return match.start(), match.end()
    return 0, 0


def _colour(model: str, name: str) -> str:
    """A colour as LaTeX names it, as #rrggbb."""
    from matplotlib.colors import to_hex

    given: object = name.strip()
    try:
        if model == "HTML":
            given = f"#{given}"
        elif model in ("rgb", "RGB"):
            most = 255 if model == "RGB" else 1
            given = tuple(float(n) / most for n in name.split(","))
        elif model == "gray":
            given = (float(name),) * 3
        return str(to_hex(given))  # type: ignore[arg-type]
    except ValueError:
        raise RefusedError(f"unknown colour {name!r}") from None


def _rule(reader: Reader, name: str, style: Style) -> Atom:
    raised = _em(reader.optional())
    width = _em(reader.source())
    height = _em(reader.source())
    if raised is None or not _is_side(width) or not _is_side(height):
        raise RefusedError("a rule without a length that can be read")
    bar = rectangle(0.0, raised, width, height)
    return Atom(assembled([], width, [bar], Counter([RULE])))


def _is_side(length: float | None) -> TypeGuard[float]:
    """Whether a rule can be so long."""
    return length is not None and 0 < length <= 100


def _em(size: str) -> float | None:
    """A length such as 3pt in em; None for what is none."""
    if not size.strip():
        return 0.0
    match = _LENGTH.fullmatch(size)
    if match is None or match[2] not in EM:
        return None
    return float(match[1]) * EM[match[2]]


def _room(reader: Reader, name: str, style: Style) -> Atom:
    """Room of a given width; what nobody can read takes none."""
    if name.endswith("space"):
        if reader.peek() == "*":
            reader.token()
        size = reader.source()
    else:
        match = _LENGTH.match(reader.tex, reader.at)
        if match:
            reader.at = match.end()
        size = match[0] if match else reader.source()
    width = _em(size) or 0.0
    return Atom(space_box(min(max(width, -1.0), 10.0)), "space")


def _tag(reader: Reader, name: str, style: Style) -> Atom:
    starred = reader.peek() == "*"
    if starred:
        reader.token()
    inner = reader.argument(style.words("rm"))
    row = [inner] if starred else [glyph("("), inner, glyph(")")]
    return Atom(beside(row, [2.0, *[0.0] * (len(row) - 1)]))


def _modulo(reader: Reader, name: str, style: Style) -> Atom:
    mod = words("mod", "", style.family)
    if name == r"\bmod":
        return Atom(mod, "bin")
    if name == r"\mod":
        return Atom(beside([mod, space_box(0.3)], [0.7, 0.0]))
    box = reader.argument(style)
    if name == r"\pmod":
        box = beside([mod, box], [0.0, 0.3])
    return Atom(beside([_fenced([box], "()", style)], [0.7]))


def _of_kind(reader: Reader, name: str, style: Style) -> Atom:
    """An argument that is to be of a kind."""
    kind: Kind = name[len(r"\math") :]  # type: ignore[assignment]
    limits = name == r"\mathop" and style.display
    return Atom(reader.argument(style), kind, limits)


def _around(reader: Reader, name: str, style: Style) -> Atom:
    """What an argument becomes as a whole."""
    if name in (r"\framebox", r"\smash", r"\mathllap", r"\mathrlap"):
        reader.optional()
    if "circled" in name:
        style = style.words("rm")
    return Atom(AROUND[name](reader.argument(style)))


def _coloured(reader: Reader, name: str, style: Style) -> Atom:
    colour = _colour(reader.optional(), reader.source())
    return Atom(coloured(reader.argument(style), colour))


AROUND: dict[str, Callable[[MathBox], MathBox]] = {
    r"\boxed": framed,
    r"\fbox": framed,
    r"\framebox": framed,
    r"\cancel": struck,
    r"\bcancel": partial(struck, ways="\\"),
    r"\xcancel": partial(struck, ways="/\\"),
    r"\textcircled": partial(ring, ink=Counter([CIRCLE])),
    r"\phantom": lambda box: space_box(box.width),
    r"\hphantom": lambda box: space_box(box.width),
    r"\vphantom": lambda box: space_box(0.0),
    **dict.fromkeys(
        (r"\ensuremath", r"\smash", r"\mathllap", r"\mathrlap", r"\llap", r"\rlap"),
        lambda box: box,
    ),
}
COMMANDS: dict[str, Command] = {
    name: command
    for command, names in (
        (_marked, " ".join(_MARK_OF)),
        (_fraction, r"\frac \dfrac \tfrac \cfrac \binom \dbinom \tbinom"),
        (_slanted_fraction, r"\nicefrac \sfrac"),
        (_root, r"\sqrt"),
        (_fence, r"\left"),
        (_over_set, r"\overset \underset \stackrel"),
        (_long_arrow, " ".join(name for name in _MARK_OF if name.startswith(r"\x"))),
        (_negated, r"\not"),
        (_environment, r"\begin"),
        (_rows, r"\substack \makecell \shortstack"),
        (_around, " ".join(AROUND)),
        (_coloured, r"\textcolor"),
        (_rule, r"\rule"),
        (_room, r"\hspace \mspace \kern \mkern \hskip \mskip"),
        (_tag, r"\tag"),
        (_modulo, r"\bmod \pmod \mod \pod"),
        (_font, " ".join(FONT_OF.keys() - SWITCHES)),
        (
            _of_kind,
            r"\mathord \mathop \mathrel \mathbin \mathopen \mathclose \mathpunct"
            r" \mathinner",
        ),
        (
            _big,
            " ".join(
                rf"\{size}{side}" for size in HALVES for side in ("", "l", "r", "m")
            ),
        ),
    )
    for name in names.split()
}
