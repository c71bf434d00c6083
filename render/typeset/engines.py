"""The two engines that turn LaTeX into outlines: Matplotlib's mathtext, and ziamath."""

from __future__ import annotations

import logging
import re
from functools import lru_cache
from typing import Any

import numpy as np

from ...latex import DEEPEST, undrawable
from .mathtext_dialect import normalise
from .outlines import CLOSE, UNIT, Array, MathBox, Outline, RefusedError, make_box, rectangle

_ZIAMATH_SCALE = 1.15  # STIX has an x-height of .47 em, DejaVu .55
_DEEPEST_MATHTEXT = 20  # levels of nesting


def _check_size(tex: str, deepest: int) -> None:
    """Refuse broken braces and what would take an engine too long. Raises RefusedError."""
    if reason := undrawable(tex, deepest):
        raise RefusedError(reason)


class _Warnings(logging.Handler):
    def __init__(self) -> None:
        super().__init__(logging.WARNING)
        self.messages: list[str] = []

    def emit(self, record: logging.LogRecord) -> None:
        self.messages.append(record.getMessage())


@lru_cache(1)
def _parser() -> tuple[Any, Any]:
    from matplotlib.font_manager import FontProperties
    from matplotlib.mathtext import MathTextParser

    properties = FontProperties(family="DejaVu Sans", size=UNIT, math_fontfamily="dejavusans")
    return MathTextParser("path"), properties


_RC = {"mathtext.default": "normal", "mathtext.fallback": "cm", "font.family": ["DejaVu Sans"]}


def mathtext(tex: str, display: bool) -> MathBox:
    """Outline by mathtext, in DejaVu Sans as MathVerse's own pages. Raises RefusedError."""
    import matplotlib

    _check_size(tex, _DEEPEST_MATHTEXT)
    dialect = normalise(tex)
    if not dialect:
        return make_box([], 0.0, "mathtext")
    if display:
        dialect = re.sub(r"\\frac(?![A-Za-z])", r"\\dfrac", dialect)
    warnings = _Warnings()
    logger = logging.getLogger("matplotlib.mathtext")
    logger.addHandler(warnings)
    propagate, logger.propagate = logger.propagate, False
    try:
        with matplotlib.rc_context(_RC):
            parser, properties = _parser()
            parsed = parser.parse(f"${dialect}$", 72, properties)
    except (ValueError, RuntimeError, KeyError, IndexError, RecursionError) as error:
        raise RefusedError(_last_line(error)) from None
    finally:
        logger.removeHandler(warnings)
        logger.propagate = propagate
    if warnings.messages:
        raise RefusedError(warnings.messages[0])
    outlines = [_glyph(font, index, size, x, y) for font, size, _, index, x, y in parsed.glyphs]
    outlines += [rectangle(x, y, w, max(h, 4.0)) for x, y, w, h in parsed.rects]
    return make_box(outlines, float(parsed.width), "mathtext")


def _last_line(error: Exception) -> str:
    lines = [line for line in str(error).splitlines() if line.strip()]
    return lines[-1].strip() if lines else type(error).__name__


def _glyph(font: Any, index: int, size: float, x: float, y: float) -> tuple[Array, Array]:
    vertices, codes = _glyph_path(font.fname, font.face_index, index)
    return vertices * (size / UNIT) + (x, y), codes


@lru_cache(4096)
def _glyph_path(file: str, face: int, index: int) -> tuple[Array, Array]:
    from matplotlib.ft2font import LoadFlags

    font = open_font(file, face)
    font.set_size(UNIT, 72)
    font.load_glyph(index, flags=LoadFlags.NO_HINTING)
    vertices, codes = font.get_path()
    return np.asarray(vertices, float).reshape(-1, 2), np.asarray(codes, np.uint8)


@lru_cache(64)
def open_font(file: str, face: int) -> Any:
    from matplotlib.ft2font import FT2Font

    return FT2Font(file, face_index=face)


def ziamath_box(tex: str, display: bool) -> MathBox:
    """Outline by ziamath, in STIX Two Math. Raises RefusedError."""
    import xml.etree.ElementTree as ET

    import ziamath
    from latex2mathml import converter

    _check_size(tex, DEEPEST)
    source = re.sub(r"(\\\\|\s)+$", "", tex.strip())
    size = UNIT * _ZIAMATH_SCALE
    try:
        mathml = converter.convert(source, display="block" if display else "inline")
        if "\\" in re.sub(r"<m(?:i|o|text)>\\</m(?:i|o|text)>", "", mathml):
            unknown = re.search(r"\\\w*", mathml)
            raise RefusedError(f"unknown command {unknown[0] if unknown else ''}")
        ziamath.config.svg2 = False  # plain paths instead of symbols
        drawn = ziamath.Math(mathml, size=size)
        width = float(drawn.getsize()[0])
        shapes = list(ET.fromstring(drawn.svg()).iter())
    except RefusedError:
        raise
    except Exception as error:  # latex2mathml and ziamath raise what they happen to meet
        raise RefusedError(f"{type(error).__name__}: {_last_line(error)}") from None
    return make_box([o for shape in shapes for o in _svg_outline(shape)], width, "ziamath")


def _svg_outline(shape: Any) -> list[Outline]:
    tag = shape.tag.rpartition("}")[2]
    if shape.get("transform"):
        raise RefusedError("an SVG transformation")
    if tag == "rect" and shape.get("fill") not in (None, "none"):
        x, y, w, h = (float(shape.get(k)) for k in ("x", "y", "width", "height"))
        return [rectangle(x, -y - h, w, h)]
    if tag == "path" and shape.get("d"):
        return [_svg_path(shape.get("d"))]
    if tag in ("text", "use", "line", "polygon", "polyline", "circle"):
        raise RefusedError(f"an SVG <{tag}>")
    return []


_CODES = {"M": (1,), "L": (2,), "Q": (3, 3), "C": (4, 4, 4)}


def _svg_path(data: str) -> tuple[Array, Array]:
    points: list[tuple[float, float]] = []
    codes: list[int] = []
    for command, numbers in re.findall(r"([MLQCZ])([^MLQCZ]*)", data):
        values = [float(n) for n in re.findall(r"-?[\d.]+(?:e-?\d+)?", numbers)]
        pairs = list(zip(values[::2], values[1::2], strict=True))
        if command == "Z":
            pairs, kinds = [points[-1] if points else (0.0, 0.0)], [CLOSE]
        else:
            unit = _CODES[command]
            kinds = list(unit) * (len(pairs) // len(unit))
        points += [(x, -y) for x, y in pairs]
        codes += kinds
    return np.array(points, float).reshape(-1, 2), np.array(codes, np.uint8)
