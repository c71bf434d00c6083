"""One formula -> an outline in em units, set as TeX sets it (The TeXbook, chapters 17 and 18).

A formula is read once from left to right; each command makes an atom, a box with its kind, and the
kinds of neighbours say how much room is between them. Nothing is drawn wrongly in silence: each box
knows its ink, and one whose ink is not what the formula says is refused.
"""

from __future__ import annotations

import re
from functools import lru_cache
from typing import Any

import numpy as np

from ..ink import UnreadableError, expected_ink, unlike
from ..syntax import fault_of
from ..tokens import without_comments
from .glyphs import Family
from .outlines import MathBox, RefusedError
from .reader import Reader
from .signs import Style

DEEPEST = 20  # levels of nesting
LONGEST = 2000  # characters
# A lost blank, `\fracx`: no command begins so, but \sqrtsign.
GLUED = re.compile(r"\\(frac|sqrt)(?=[a-z])(?!sign)")


@lru_cache(20_000)
def math_box(tex: str, display: bool = False, family: Family = "sans") -> MathBox:
    """The outline of one formula (without its dollars).

    Raises RefusedError for what cannot be drawn, and for what means nothing: `x^2^3`.

    >>> math_box(r"\\frac12").ink == math_box(r"\\frac{1}{2}").ink
    True
    """
    tex = GLUED.sub(r"\\\1 ", tex)
    if reason := _undrawable(tex):
        raise RefusedError(reason)
    try:
        expected = expected_ink(tex)
    except UnreadableError as error:
        raise RefusedError(str(error)) from None
    try:
        reader = Reader(without_comments(tex))
        box = reader.box(Style(display=display, family=family))
    except RecursionError:
        raise RefusedError("commands within commands without end") from None
    if difference := unlike(expected, box.ink):
        raise RefusedError(difference)
    if fault := fault_of(tex, display, names=False):
        raise RefusedError(fault)
    return box


def _undrawable(tex: str) -> str:
    """Why a formula is broken or too much; "" when it is not."""
    if tex.startswith("<math"):
        return "MathML, which `convert mathml` makes LaTeX of"
    if len(tex) > LONGEST:
        return f"{len(tex)} characters, the limit is {LONGEST}"
    depth = most = 0
    for token in re.findall(r"\\(?:left|right|begin|end)\b|\\.|[{}]", tex):
        if token in ("{", r"\left", r"\begin"):
            depth += 1
            most = max(most, depth)
        elif token in ("}", r"\right", r"\end"):
            depth -= 1
    if depth:
        return "a brace, \\left or \\begin without its partner"
    return f"nested {most} deep, the limit is {DEEPEST}" if most > DEEPEST else ""


@lru_cache(4096)
def math_ink(
    tex: str, em: float, display: bool = False, family: Family = "sans"
) -> tuple[Any, int]:
    """The formula as a Pillow picture at `em` pixels, and its baseline's row.

    A grey mask of its ink; one in colours where the formula asks for them (RGBA).
    """
    from matplotlib.backends.backend_agg import RendererAgg
    from matplotlib.colors import to_rgb
    from matplotlib.path import Path
    from matplotlib.transforms import Affine2D
    from PIL import Image

    box = math_box(tex, display, family)
    baseline = int(np.ceil(box.ascent * em)) + 1
    height = baseline + int(np.ceil(box.descent * em)) + 1
    right = max(
        box.width, float(box.vertices[:, 0].max(initial=0.0))
    )  # a slanted letter leans out
    width = max(1, int(np.ceil(right * em)) + 2)
    renderer = RendererAgg(width, height, 72)
    place = Affine2D().scale(em).translate(1, height - baseline)
    at = 0
    for count, colour in box.colours or ((len(box.vertices), ""),):
        run = slice(at, at + count)
        at += count
        if count:
            context = renderer.new_gc()
            context.set_linewidth(0)
            context.set_snap(False)
            path = Path(box.vertices[run], box.codes[run])
            renderer.draw_path(context, path, place, to_rgb(colour or "black"))
    pixels = np.asarray(renderer.buffer_rgba())
    if box.colours:
        return Image.fromarray(pixels.copy()), baseline
    return Image.fromarray(pixels[:, :, 3].copy()), baseline
