"""Question text as HTML: LaTeX becomes SVG drawings, everything else escaped text.

The labelling page has no MathJax and forces its own fonts, a printed booklet has no network: glyphs
drawn as SVG paths are the one form of mathematics that shows right in every browser.
"""

from __future__ import annotations

import html
import os
import re
from collections.abc import Mapping

from .delimiters import MathSpan, code_stretches, maths_spans, outside
from .html_tables import composed, table_html, tabulars
from .ink import expected_ink, unlike
from .prose import unescaped
from .ziamath_drawing import spelt_for_ziamath, ziamath_ink

PICTURE = re.compile(r"&lt;image(\d+)&gt;")
FONT_SIZE = 17  # pixels
CHUNK = 64  # formulas per task of a worker
DEEPEST = 8  # levels of nesting: ziamath's time doubles with each; real formulas have at most four
DEEPEST_TABLE = 3  # tables within tables
LONGEST = 2000  # characters of a formula

Formula = tuple[str, bool]  # LaTeX, and whether it is displayed on a line of its own


def html_of(text: str, drawings: Mapping[Formula, str | None] | None = None) -> str:
    """Text with LaTeX as an HTML block; markup in the text is shown, never obeyed.

    >>> html_of("is 1 < 2 in <image1>?")
    '<div class="mmd">is 1 &lt; 2 in <i>[picture 1]</i>?</div>'
    """
    return symbols_once(f'<div class="mmd">{_inline(text, drawings)}</div>')


def htmls_of(texts: list[str]) -> list[str]:
    """`html_of` of every text; each different formula is drawn once, on all cores when many."""
    formulas = sorted({_formula(span) for text in texts for span in maths_spans(text)})
    chunks = [formulas[k : k + CHUNK] for k in range(0, len(formulas), CHUNK)]
    from ..pipeline import Engine, parallel_map

    engine = Engine(jobs=(os.cpu_count() or 1) if len(chunks) > 4 else 1)
    drawn = [svg for chunk in parallel_map(_draw_all, chunks, engine) for svg in chunk]
    drawings = dict(zip(formulas, drawn, strict=True))
    return [html_of(text, drawings) for text in texts]


def _inline(text: str, drawings: Mapping[Formula, str | None] | None, depth: int = 0) -> str:
    """Formulas drawn, tables of text set with their cells done alike, the rest escaped."""
    spans = maths_spans(text)
    found: list[tuple[int, int, str]] = []
    for start, end in _tables(text, spans) if depth < DEEPEST_TABLE else []:
        table = table_html(text[start:end], lambda cell: _inline(cell, drawings, depth + 1))
        found += [(start, end, table)] if table else []
    tables = iter([*found, (len(text), len(text), "")])
    table_start, table_end, table = next(tables)
    parts, at = [], 0
    for span in spans:
        while table_end <= span.start and table:
            parts += [_plain(text[at:table_start]), table]
            at = table_end
            table_start, table_end, table = next(tables)
        if span.start >= table_start:
            continue  # drawn in its cell
        drawing = _drawn(_formula(span), drawings)
        markup = _placed(drawing, span.display) if drawing else _source(text[span.start : span.end])
        parts += [_plain(text[at : span.start]), markup]
        at = span.end
    while table:
        parts += [_plain(text[at:table_start]), table]
        at = table_end
        table_start, table_end, table = next(tables)
    return "".join([*parts, _plain(text[at:])])


def _tables(text: str, spans: list[MathSpan]) -> list[tuple[int, int]]:
    """The tables that stand in no formula and no code."""
    found = tabulars(text)
    taken = [(s.start, s.end) for s in spans] + code_stretches(text) if found else []
    return [(a, b) for a, b in found if not any(c <= a < d or c < b <= d for c, d in taken)]


def _drawn(formula: Formula, drawings: Mapping[Formula, str | None] | None) -> str | None:
    if drawings is None:
        return draw(formula)
    try:
        return drawings[formula]
    except KeyError:  # one that only the cell of a table shows for a formula
        return draw(formula)


def _formula(span: MathSpan) -> Formula:
    return span.tex, span.display


def _plain(text: str) -> str:
    escaped = html.escape(unescaped(text)).replace("\n", "<br>")
    return PICTURE.sub(r"<i>[picture \1]</i>", escaped)


def _placed(drawing: str, display: bool) -> str:
    """A drawing in its line, or centred."""
    return f'<div style="text-align:center">{drawing}</div>' if display else drawing


def _source(source: str) -> str:
    """A formula that could not be drawn, as it was written."""
    return f"<code>{html.escape(source)}</code>"


def _draw_all(formulas: list[Formula]) -> list[str | None]:
    return [draw(formula) for formula in formulas]


def draw(formula: Formula) -> str | None:
    """The markup of a formula, standing on the line's baseline; None where it cannot be drawn.

    That is also: where it is so long or so deeply nested that drawing would take minutes, and where
    the drawing does not show what the formula says (unknown commands). Chinese text, cases and
    tables with rules, which the engine does not know, are HTML around drawings of their parts.
    """
    latex, display = formula
    if undrawable(latex, DEEPEST):
        return None
    return _by_engine(latex, display) or composed(
        latex, lambda part: draw((part, display)), _text_group
    )


def _text_group(text: str) -> str | None:
    """The text of a formula's text group; None where it holds commands besides its formulas."""
    spans = maths_spans(text)
    prose = "".join(text[a:b] for a, b in outside(text, spans))
    return None if "\\" in unescaped(prose) else _inline(text, None)


def _by_engine(latex: str, display: bool) -> str | None:
    """The SVG that ziamath makes; None where it fails or shows something else."""
    import xml.etree.ElementTree as ET

    import ziamath

    ziamath.config.svg2 = True  # glyphs as symbols, whatever another part asked for
    try:
        expected = expected_ink(latex)
        drawing = ziamath.Latex(spelt_for_ziamath(latex), size=FONT_SIZE, inline=not display)
        drawn = drawing.svgxml()
        if unlike(expected, ziamath_ink(drawing, drawn)):
            return None
        svg = ET.tostring(drawn, encoding="unicode")
    except Exception:  # ziamath raises whatever its parser runs into
        return None
    box = re.search(r'viewBox="\S+ (\S+) \S+ (\S+)"', svg)
    below = float(box[1]) + float(box[2]) if box else 0.0  # pixels below the baseline
    return svg.replace("<svg ", f'<svg style="vertical-align:{-below:.1f}px" ', 1)


def undrawable(tex: str, deepest: int) -> str:
    """Why an engine would fail on a formula or take too long; "" when it would not.

    >>> undrawable(r"\\frac{1}{2", DEEPEST)
    'a brace, \\\\left or \\\\begin without its partner'
    """
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
    return f"nested {most} deep, the limit is {deepest}" if most > deepest else ""


def symbols_once(page: str) -> str:
    """The same page with each glyph defined once: ziamath repeats them in every formula."""
    seen: set[str] = set()

    def first(match: re.Match[str]) -> str:
        known = match[1] in seen
        seen.add(match[1])
        return "" if known else match[0]

    return re.sub(r'<symbol id="([^"]+)".*?</symbol>', first, page)
