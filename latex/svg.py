"""Question text as HTML: LaTeX becomes SVG drawings, everything else escaped text.

The labelling page has no MathJax and forces its own fonts, a printed booklet has no network: glyphs
drawn as SVG paths are the one form of mathematics that shows right in every browser.
"""

from __future__ import annotations

import html
import re
from functools import lru_cache
from typing import Any

import numpy as np

from .delimiters import MathSpan, code_stretches, maths_spans
from .html_tables import table_html, tabulars
from .prose import unescaped

PICTURE = re.compile(r"&lt;image(\d+)&gt;")
FONT_SIZE = 17  # pixels
PAD = 0.05  # em around a formula: slanted letters lean out
DEEPEST_TABLE = 3  # tables within tables
MOVE, CLOSE = 1, 79  # Matplotlib's codes of a path
LETTERS = {MOVE: "M", 2: "L", 3: "Q", 4: "C", CLOSE: "Z"}


def html_of(text: str) -> str:
    """Text with LaTeX as an HTML block; markup in the text is shown, never obeyed.

    >>> html_of("is 1 < 2 in <image1>?")
    '<div class="mmd">is 1 &lt; 2 in <i>[picture 1]</i>?</div>'
    """
    return f'<div class="mmd">{_inline(text)}</div>'


def _inline(text: str, depth: int = 0) -> str:
    """Formulas drawn, tables of text set with their cells done alike, the rest escaped."""
    spans = maths_spans(text)
    markup: dict[int, tuple[int, str]] = {}  # by its start: where it ends, and its HTML
    for start, end in _tables(text, spans) if depth < DEEPEST_TABLE else []:
        table = table_html(text[start:end], lambda cell: _inline(cell, depth + 1))
        if table:
            markup[start] = end, table
    tables = [(start, end) for start, (end, _) in markup.items()]
    for span in spans:
        if not any(start < span.start < end for start, end in tables):
            markup[span.start] = span.end, _formula(span, text)
    parts = []
    at = 0
    for start in sorted(markup):
        end, drawn = markup[start]
        parts += [_plain(text[at:start]), drawn]
        at = end
    return "".join([*parts, _plain(text[at:])])


def _formula(span: MathSpan, text: str) -> str:
    """A formula in its line, or centred; as it was written where it cannot be drawn."""
    drawing = draw(span.tex, span.display)
    if drawing is None:
        return f"<code>{html.escape(text[span.start : span.end])}</code>"
    if span.display:
        return f'<div style="text-align:center">{drawing}</div>'
    return drawing


def _tables(text: str, spans: list[MathSpan]) -> list[tuple[int, int]]:
    """The tables that stand in no formula and no code."""
    tables = tabulars(text)
    if not tables:
        return []
    others = [(span.start, span.end) for span in spans] + code_stretches(text)

    def is_inside(start: int, end: int) -> bool:
        return any(a <= start < b or a < end <= b for a, b in others)

    return [table for table in tables if not is_inside(*table)]


def _plain(text: str) -> str:
    escaped = html.escape(unescaped(text)).replace("\n", "<br>")
    return PICTURE.sub(r"<i>[picture \1]</i>", escaped)


@lru_cache(4096)
def draw(tex: str, display: bool = False) -> str | None:
    """The markup of a formula, standing on the line's baseline; None where it cannot be drawn."""
    from .typeset import RefusedError, math_box

    try:
        box = math_box(tex, display, "serif")
    except RefusedError:
        return None
    paths = []
    at = 0
    for count, colour in box.colours or ((len(box.vertices), ""),):
        run = slice(at, at + count)
        at += count
        outline = _path(box.vertices[run], box.codes[run])
        if outline:
            paths.append(f'<path d="{outline}" fill="{colour or "currentColor"}"/>')
    view = (
        -PAD,
        -box.ascent - PAD,
        box.width + 2 * PAD,
        box.ascent + box.descent + 2 * PAD,
    )
    sizes = [round(size * 100) for size in view]
    width, height = (size * FONT_SIZE / 100 for size in sizes[2:])
    below = (box.descent + PAD) * FONT_SIZE
    return (
        f'<svg style="vertical-align:{-below:.1f}px" xmlns="http://www.w3.org/2000/svg"'
        f' width="{width:.1f}" height="{height:.1f}"'
        f' viewBox="{" ".join(map(str, sizes))}">{"".join(paths)}</svg>'
    )


def _path(vertices: Any, codes: Any) -> str:
    """Outlines in em as the data of an SVG path, in hundredths, y down."""
    places = np.rint(vertices * (100, -100)).astype(int).tolist()
    parts = []
    last = 0
    for (x, y), code in zip(places, codes.tolist(), strict=True):
        # a letter counts for all places behind it, until another one stands there
        letter = " " if code == last and code != MOVE else LETTERS[code]
        parts.append("Z" if code == CLOSE else f"{letter}{x} {y}")
        last = code
    return "".join(parts)
