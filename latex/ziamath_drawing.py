"""LaTeX as ziamath reads it, and what it really drew of it: glyphs and strokes, counted."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator
from typing import Any

from .ink import BAR, BOX, RULE, STRIKE, Ink, fold

_SPELT = {
    r"\textsc": r"\text", r"\overarc": r"\overset{\frown}", r"\wideparen": r"\overset{\frown}",
    r"\R": r"\mathbb{R}", r"\N": r"\mathbb{N}", r"\Z": r"\mathbb{Z}", r"\Q": r"\mathbb{Q}",
    r"\C": r"\mathbb{C}", r"\textdegree": r"^{\circ}", r"\{": r"\lbrace ", r"\}": r"\rbrace ",
    r"\nonumber": "", r"\notag": "", r"\allowbreak": "", r"\nobreak": "",
}  # fmt: skip
_COMMAND = re.compile(r"\\(?:[A-Za-z]+|.)", re.DOTALL)


def spelt_for_ziamath(tex: str) -> str:
    """A formula in the commands that latex2mathml knows; others it would print as words.

    >>> spelt_for_ziamath(r"x \\in \\R")
    'x \\\\in \\\\mathbb{R}'
    """
    return _COMMAND.sub(lambda match: _SPELT.get(match[0], match[0]), tex)


def ziamath_ink(drawn: Any, svg: Any) -> Ink:
    """The ink of a `ziamath.Math` by its nodes, as far as the SVG holds a shape for each of them.

    A glyph that the font does not have (an empty box) is the character U+FFFD.
    """
    ink: Ink = Counter()
    shapes = 0
    reused = any(e.tag.rpartition("}")[2] == "symbol" for e in svg)  # every glyph is a <use> then
    for keys, inked in _drawables(drawn.node):
        ink.update(keys)
        shapes += inked or reused
    tags = Counter(element.tag.rpartition("}")[2] for element in svg)
    lost = shapes - sum(tags[tag] for tag in ("path", "use", "rect", "ellipse", "g"))
    ink["\ufffd"] += abs(lost)
    return ink


def _drawables(node: Any) -> Iterator[tuple[list[str], bool]]:
    """Keys of everything below a node that is drawn, and whether it leaves ink."""
    from ziamath import drawable

    kind = type(node)
    if getattr(node, "phantom", False):
        return
    if kind is drawable.Glyph:
        yield _glyph(node)
    elif kind in (drawable.HLine, drawable.VLine):
        yield [BAR] if node.lw > 0 else [], True
    elif kind in (drawable.Box, drawable.Ellipse):
        yield [BOX], True
    elif kind is drawable.Diagonal:
        yield [STRIKE], True
    else:
        if node.style.mathbackground not in ("none", None):
            yield [RULE], True
        dashes = node.string.count("-") if node.mtag == "mtext" else 0
        for child in node.nodes:
            if dashes and type(child) is drawable.HLine:  # hyphens of a text are drawn as a line
                yield ["-"] * dashes, True
                dashes = 0
            else:
                yield from _drawables(child)


def _glyph(node: Any) -> tuple[list[str], bool]:
    glyph = node.glyph
    inked = bool(glyph.operators) or bool(getattr(glyph, "glyphs", ()))
    keys = list(fold(node.char))
    lost = glyph.index == 0 or (keys and not inked)
    return ["\ufffd"] if lost else keys, inked
