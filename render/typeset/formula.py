"""One formula -> an outline in em units, by mathtext or ziamath; both give the same kind of box.

The outline is drawn once per size by Agg. Nothing is drawn wrongly in silence: a formula that no
engine takes is a `RefusedError` with both engines' reasons.
"""

from __future__ import annotations

import re
from functools import lru_cache
from typing import Any

import numpy as np

from ...latex import FULL_WIDTH, group_end
from .engines import mathtext, open_font, ziamath_box
from .fonts import cjk_face, covers
from .mathtext_dialect import needs_ziamath
from .outlines import UNIT, MathBox, RefusedError, beside, framed, make_box, shifted, struck

_CJK = f"[{FULL_WIDTH}]+"
_SPECIAL = re.compile(
    r"\\(boxed|fbox|cancel|bcancel|xcancel)\s*\{|"
    rf"\\(?:text|mbox|mathrm|textbf)\s*\{{[^{{}}]*{_CJK}[^{{}}]*\}}|{_CJK}"
)


@lru_cache(20_000)
def math_box(tex: str, display: bool = False) -> MathBox:
    """The outline of one formula (without its dollars). Raises RefusedError.

    >>> math_box(r"\\frac12").engine
    'mathtext'
    """
    parts = _parts(tex)
    if len(parts) == 1 and parts[0][0] == "math":
        return _formula(tex, display)
    return beside([_part_box(kind, text, display) for kind, text in parts])


def _parts(tex: str) -> list[tuple[str, str]]:
    """Top-level pieces: ("math" | "text" | "boxed" | "cancel", content)."""
    parts: list[tuple[str, str]] = []
    at = 0
    for match in _SPECIAL.finditer(tex):
        if match.start() < at or not _balanced(tex[at : match.start()]):
            continue
        if tex[at : match.start()].strip():
            parts.append(("math", tex[at : match.start()]))
        end = match.end()
        if match[1]:
            end = group_end(tex, end - 1)
            end = end if end > 0 else len(tex)
            kind = "boxed" if "box" in match[1] else "cancel"
            parts.append((kind, tex[match.end() : end - 1]))
        else:
            words = re.sub(r"^\\\w+\s*\{|\}$", "", match[0]) if match[0][0] == "\\" else match[0]
            parts.append(("text", words))
        at = end
    if tex[at:].strip() or not parts:
        parts.append(("math", tex[at:]))
    return parts


def _balanced(tex: str) -> bool:
    plain = re.sub(r"\\[{}]", "", tex)
    no_left = len(re.findall(r"\\left\b", tex)) == len(re.findall(r"\\right\b", tex))
    return (
        plain.count("{") == plain.count("}")
        and no_left
        and tex.count(r"\begin") == tex.count(r"\end")
    )


def _part_box(kind: str, text: str, display: bool) -> MathBox:
    if kind == "text":
        return _words(text)
    box = math_box(text, display) if kind != "math" else _formula(text, display)
    if kind == "boxed":
        return framed(box)
    return struck(box) if kind == "cancel" else box


def _formula(tex: str, display: bool) -> MathBox:
    reasons = []
    if not needs_ziamath(tex):
        try:
            return mathtext(tex, display)
        except RefusedError as reason:
            reasons.append(f"mathtext: {reason}")
    try:
        return ziamath_box(tex, display)
    except RefusedError as reason:
        raise RefusedError("; ".join([*reasons, f"ziamath: {reason}"])) from None


@lru_cache(4096)
def math_ink(tex: str, em: float, display: bool = False) -> tuple[Any, int]:
    """The formula as a grey Pillow mask at `em` pixels, and its baseline's row."""
    from matplotlib.backends.backend_agg import RendererAgg
    from matplotlib.path import Path
    from matplotlib.transforms import Affine2D
    from PIL import Image

    box = math_box(tex, display)
    baseline = int(np.ceil(box.ascent * em)) + 1
    height = baseline + int(np.ceil(box.descent * em)) + 1
    width = max(1, int(np.ceil(box.width * em)) + 2)
    renderer = RendererAgg(width, height, 72)
    if len(box.vertices):
        context = renderer.new_gc()
        context.set_linewidth(0)
        context.set_snap(False)
        place = Affine2D().scale(em).translate(1, height - baseline)
        renderer.draw_path(context, Path(box.vertices, box.codes), place, (0.0, 0.0, 0.0))
    return Image.fromarray(np.asarray(renderer.buffer_rgba())[:, :, 3].copy()), baseline


def _words(text: str) -> MathBox:
    """Chinese (or mixed) words inside a formula, from the machine's Chinese font."""
    face = cjk_face()
    if face is None:
        raise RefusedError("no Chinese font was found")
    if not covers(face, text.replace(" ", "")):
        raise RefusedError(f"no glyph for all of {text!r}")
    font = open_font(face.path, face.index)
    outlines, x = [], 0.0
    for char in text:
        font.set_size(UNIT, 72)
        advance = font.load_char(ord(char), flags=2).linearHoriAdvance / 65536
        vertices, codes = font.get_path()
        outlines.append((shifted(np.asarray(vertices, float).reshape(-1, 2), x), np.asarray(codes)))
        x += advance
    return make_box(outlines, x, "mathtext")
