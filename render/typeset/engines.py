"""The two engines that turn LaTeX into outlines: Matplotlib's mathtext, and ziamath."""

from __future__ import annotations

import logging
import re
from collections import Counter
from functools import lru_cache
from typing import Any

import numpy as np

from ...latex import BAR, DEEPEST, fold, ink_of, spelt_for_ziamath, undrawable, ziamath_ink
from .fast_parser import hasten
from .mathtext_dialect import displayed, normalise
from .outlines import AXIS, CLOSE, UNIT, Array, MathBox, Outline, RefusedError, make_box, rectangle

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


_RC = {"mathtext.default": "normal", "mathtext.fallback": "stix", "font.family": ["DejaVu Sans"]}


@lru_cache(1)
def _parser() -> tuple[Any, Any]:
    """The parser and its fonts, which are found once: both would be looked up for each formula."""
    import matplotlib
    from matplotlib.font_manager import FontProperties
    from matplotlib.ft2font import LoadFlags
    from matplotlib.mathtext import MathTextParser

    parser = hasten(MathTextParser("path"))
    with matplotlib.rc_context(_RC):
        properties = FontProperties(family="DejaVu Sans", size=UNIT, math_fontfamily="dejavusans")
        return parser, parser._font_type_mapping["dejavusans"](properties, LoadFlags.NO_HINTING)


def _parsed(dialect: str) -> Any:
    """The glyphs and bars of a formula, as `MathTextParser.parse` would place them."""
    from matplotlib import _mathtext, rcParams

    parser, fonts = _parser()
    # a glyph's measures leave their font at their size, which kerning then takes: nothing of one
    # formula may be known to the next, or the order of formulas would show
    for family in (fonts, fonts.bakoma, fonts._fallback_font):
        family._get_info.cache_clear()
    before, rcParams["mathtext.default"] = rcParams["mathtext.default"], _RC["mathtext.default"]
    try:
        return _mathtext.ship(parser._parser.parse(f"${dialect}$", fonts, UNIT, 72)).to_vector()
    finally:
        rcParams["mathtext.default"] = before


def mathtext(tex: str, display: bool) -> MathBox:
    """Outline by mathtext, in DejaVu Sans as MathVerse's own pages. Raises RefusedError."""
    _check_size(tex, _DEEPEST_MATHTEXT)
    dialect = normalise(tex)
    if not dialect:
        return make_box([], 0.0, "mathtext", Counter())
    if display:
        dialect = displayed(dialect)
    warnings = _Warnings()
    logger = logging.getLogger("matplotlib.mathtext")
    logger.addHandler(warnings)
    propagate, logger.propagate = logger.propagate, False
    try:
        parsed = _parsed(dialect)
    except (ValueError, RuntimeError, KeyError, IndexError, RecursionError) as error:
        raise RefusedError(_last_line(error)) from None
    finally:
        logger.removeHandler(warnings)
        logger.propagate = propagate
    if warnings.messages:
        raise RefusedError(warnings.messages[0])
    outlines = [_glyph(font, index, size, x, y) for font, size, _, index, x, y in parsed.glyphs]
    outlines += [rectangle(x, y, w, max(h, 4.0)) for x, y, w, h in parsed.rects]
    ink = Counter(key for font, _, _, index, _, _ in parsed.glyphs for key in _keys(font, index))
    ink[BAR] += len(parsed.rects)
    return make_box(outlines, float(parsed.width), "mathtext", ink)


def _keys(font: Any, index: int) -> tuple[str, ...]:
    return fold(_characters(font.fname, font.face_index).get(index, "\ufffd"))


@lru_cache(64)
def _characters(file: str, face: int) -> dict[int, str]:
    """Which character a font's glyph is, read from the font itself."""
    codes = open_font(file, face).get_charmap()
    named = {index: chr(code) for code, index in sorted(codes.items(), reverse=True)}
    if file.endswith("cmsy10.ttf"):  # TeX's own encoding, of which mathtext takes the prime only
        return {codes[48]: "'"} if 48 in codes else {}
    if "STIXNonUni" in file:
        named |= {index: _styled(ord(char)) for index, char in named.items() if char >= "\ue000"}
    return named


@lru_cache(1)
def _styles() -> list[tuple[int, int, int]]:
    """Private codes of STIX's script and double-struck letters: first, last, the first's letter."""
    from matplotlib._mathtext_data import stix_virtual_fonts

    tables = [t for font in stix_virtual_fonts.values()
              for t in (font.values() if isinstance(font, dict) else [font])]  # fmt: skip
    rows = [row for table in tables for row in table]
    return [(row[3], row[3] + row[1] - row[0], row[0]) for row in rows if row[3] >= 0xE000]


def _styled(code: int) -> str:
    return next((chr(code - a + letter) for a, b, letter in _styles() if a <= code <= b), chr(code))


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
    source = spelt_for_ziamath(re.sub(r"(\\\\|\s)+$", "", tex.strip()))
    size = UNIT * _ZIAMATH_SCALE
    try:
        mathml = converter.convert(source, display="block" if display else "inline")
        if "\\" in re.sub(r"<m(?:i|o|text)>\\</m(?:i|o|text)>", "", mathml):
            unknown = re.search(r"\\\w*", mathml)
            raise RefusedError(f"unknown command {unknown[0] if unknown else ''}")
        ziamath.config.svg2 = False  # plain paths instead of symbols
        drawn = ziamath.Math(mathml, size=size)
        width = float(drawn.getsize()[0])
        svg = ET.fromstring(drawn.svg())
        ink = ziamath_ink(drawn, svg)
    except RefusedError:
        raise
    except Exception as error:  # latex2mathml and ziamath raise what they happen to meet
        raise RefusedError(f"{type(error).__name__}: {_last_line(error)}") from None
    outlines = [outline for shape in svg.iter() for outline in _svg_outline(shape)]
    return make_box(outlines, width, "ziamath", ink)


@lru_cache(512)
def delimiter(char: str, half: float) -> MathBox:
    """A bracket that reaches `half` em above and below the height of minus signs, in STIX Two."""
    import ziamath.zmath

    if char in (".", ""):
        return make_box([], 0.0, "native", Counter())
    if char in "|∥/":
        bars = [rectangle(x * UNIT, (AXIS - half) * UNIT, 6.0, 2 * half * UNIT)
                for x in ((0.1,) if char == "|" else (0.06, 0.24))]  # fmt: skip
        if char != "/":
            return make_box(bars, (0.26 if char == "|" else 0.36) * UNIT, "native", ink_of(char))
    font = ziamath.zmath.loadedfonts["default"]
    units = font.info.layout.unitsperem
    size = UNIT * _ZIAMATH_SCALE
    glyph = font.math.variant(font.glyph(char).index, 2 * half * UNIT / size * units, vert=True)
    if glyph.index == 0:
        raise RefusedError(f"no delimiter {char!r}")
    middle = (glyph.bbox.ymin + glyph.bbox.ymax) / 2 / units * size
    ziamath.config.svg2 = False
    element = glyph.svgpath(0.0, middle - AXIS * UNIT, size / glyph.DFLT_SIZE_PT)
    outlines = [o for shape in element.iter() for o in _svg_outline(shape)]
    return make_box(outlines, glyph.advance() / units * size, "native", ink_of(char))


def _svg_outline(shape: Any) -> list[Outline]:
    tag = shape.tag.rpartition("}")[2]
    if shape.get("transform"):
        raise RefusedError("an SVG transformation")
    if tag == "rect":
        x, y, w, h = (float(shape.get(k)) for k in ("x", "y", "width", "height"))
        if shape.get("fill") not in (None, "none") or not shape.get("stroke"):
            return [rectangle(x, -y - h, w, h)]
        line = float(shape.get("stroke-width"))
        sides = [(x, -y - h, w, line), (x, -y - line, w, line), (x, -y - h, line, h),
                 (x + w - line, -y - h, line, h)]  # fmt: skip
        return [rectangle(*side) for side in sides]
    if tag == "path" and shape.get("d"):
        vertices, codes = _svg_path(shape.get("d"))
        return [(vertices, codes) if not shape.get("stroke") else _stroke(vertices, shape)]
    if tag in ("text", "use", "line", "polygon", "polyline", "circle", "ellipse"):
        raise RefusedError(f"an SVG <{tag}>")
    return []


def _stroke(vertices: Array, shape: Any) -> Outline:
    """A straight stroke as a thin quadrilateral."""
    (a, b), (c, d) = vertices
    line = float(shape.get("stroke-width"))
    corners = [(a, b), (a, b + line), (c, d + line), (c, d), (a, b)]
    return np.array(corners), np.array([1, 2, 2, 2, CLOSE], np.uint8)


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
