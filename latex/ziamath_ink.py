"""What ziamath really drew: its glyphs and strokes, counted in the order of its drawing."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from typing import Any

from .ink import BAR, BOX, RULE, STRIKE, Ink, fold


def ziamath_ink(drawn: Any, svg: Any) -> Ink:
    """The ink of a `ziamath.Math` by its nodes, as far as the SVG holds a shape for each of them.

    A glyph that the font does not have (an empty box) is the character U+FFFD.
    """
    ink: Ink = Counter()
    shapes = 0
    for keys, count in _drawables(drawn.node):
        ink.update(keys)
        shapes += count
    placed = [e for e in svg if e.tag.rpartition("}")[2] in ("path", "use", "rect", "ellipse", "g")]
    if len(placed) != shapes:
        ink["\ufffd"] += abs(len(placed) - shapes)
    return ink


def _drawables(node: Any) -> Iterator[tuple[list[str], int]]:
    """Keys and number of SVG shapes of everything below a node that leaves ink."""
    from ziamath import drawable

    kind = type(node)
    if kind is drawable.Glyph:
        yield _glyph(node)
    elif getattr(node, "phantom", False):
        return
    elif kind in (drawable.HLine, drawable.VLine):
        yield [BAR] if node.lw > 0 else [], 1
    elif kind in (drawable.Box, drawable.Ellipse):
        yield [BOX], 1
    elif kind is drawable.Diagonal:
        yield [STRIKE], 1
    else:
        if node.style.mathbackground not in ("none", None):
            yield [RULE], 1
        dashes = list(node.string) if node.mtag == "mtext" else []
        for child in node.nodes:
            if dashes and type(child) is drawable.HLine:  # hyphens of a text are drawn as a line
                yield ["-"] * dashes.count("-"), 1
                dashes = [c for c in dashes if c != "-"] or [""]
            else:
                yield from _drawables(child)


def _glyph(node: Any) -> tuple[list[str], int]:
    glyph = node.glyph
    inked = bool(glyph.operators) or bool(getattr(glyph, "glyphs", ()))
    shapes = 0 if node.phantom or not inked else 1
    if node.phantom:
        return [], shapes
    if glyph.index == 0:
        return ["\ufffd"], shapes
    keys = list(fold(node.char))
    return (keys if shapes or not keys else ["\ufffd"]), shapes
