"""Several figures in one picture: `panels`, rows of cells that hold a spec, a text, or nothing.

panels: [[{caption: (A), points: ..., draw: ...}, {caption: (B), ...}], ["text", null]]
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from typing import Any, NamedTuple

import numpy as np
from msgspec.structs import replace

from ...errors import UserError
from ..figure import Array, read_spec
from ..issues import Issue
from ..labels import EM, Label, Placed, letter
from .sketch import DI
from .vector import Letters, Shape, Thing, polyline

MOST = 16
SHARE = 0.7  # of the picture's width, at least, for a panel
GAP = 14  # pixels around a panel
ABOVE_CAPTION = 8  # pixels
FRAME = 2  # pixels
PAPER = 255
BESIDE_PANELS = {"panels", "frame", "title", "note", "kind"}


class Panel(NamedTuple):
    """A cell: its pixels, texts, issues, its sentences for judges, and its outlines."""

    pixels: Array
    texts: list[Placed]
    issues: list[Issue]
    sentences: str
    things: list[Thing]


DrawPanel = Callable[[dict[str, Any], set[str] | None, int], Panel]


def panels_of(spec: Mapping[str, Any]) -> list[list[Any]]:
    """The cells of a spec's panels, row by row. Raises UserError for what is no grid of them."""
    rows = spec["panels"]
    if not isinstance(rows, list) or not rows:
        raise UserError(
            "panels is no list", "write a row of specs, or rows: [[..., ...], [...]]"
        )
    rows = rows if all(isinstance(row, list) for row in rows) else [rows]
    count = sum(map(len, rows))
    if not 1 <= count <= MOST or not all(rows):
        raise UserError(
            f"panels: {count} cells in {len(rows)} rows", f"use 1 to {MOST}, none empty"
        )
    if others := sorted(spec.keys() - BESIDE_PANELS):
        raise UserError(f"{others[0]}: beside panels", "write it inside a panel")
    return rows


def panel_width(spec: Mapping[str, Any], width: int) -> int:
    """How wide each panel is, in a picture of a width."""
    columns = max(map(len, panels_of(spec)))
    return round(width * max(SHARE, 1 / columns))


def draw_panels(
    spec: Mapping[str, Any],
    tags: set[str] | None,
    width: int,
    draw_panel: DrawPanel,
    hand: bool = False,
    larger: float = 1.0,
) -> Panel:
    """All cells in a grid, captions below them, framed with `frame: true`."""
    specs = panels_of(spec)
    columns = max(map(len, specs))
    cell_width = panel_width(spec, width)
    letters = max(1.0, larger)
    rows: list[list[Panel]] = []
    for r, cells in enumerate(specs):
        row = [
            _cell(
                cell, f"panels[{r}][{c}]", tags, cell_width, draw_panel, (hand, letters)
            )
            for c, cell in enumerate(cells)
        ]
        rows.append(row)
    lefts, tops = _grid(rows, columns)
    page = np.full((tops[-1], lefts[-1], 3), PAPER, np.uint8)
    placed: list[Placed] = []
    issues: list[Issue] = []
    sentences: list[str] = []
    things: list[Thing] = []
    for r, row in enumerate(rows):
        for c, (pixels, texts, cell_issues, sentence, outlines) in enumerate(row):
            high, wide = pixels.shape[:2]
            x = lefts[c] + (lefts[c + 1] - lefts[c] - wide) // 2
            y = tops[r] + (tops[r + 1] - tops[r] - high) // 2
            page[y : y + high, x : x + wide] = pixels
            placed += [_moved(text, x, y) for text in texts]
            things += [thing.moved(x, y) for thing in outlines]
            issues += cell_issues
            if sentence:
                sentences.append(sentence)
    if spec.get("frame"):
        _frame(page, lefts, tops)
        for low, high, left, right in _ruled(lefts, tops):
            line = np.array([[left, low], [right, high]], float)
            things.append(Shape(*polyline(line, False), "", "#000000", FRAME))
    return Panel(page, placed, issues, "\n".join(sentences), things)


def _grid(rows: list[list[Panel]], columns: int) -> tuple[list[int], list[int]]:
    """Where columns and rows of panels begin, and where the last of them end."""
    widths = [0] * columns
    heights = [0] * len(rows)
    for r, row in enumerate(rows):
        for c, (pixels, *_) in enumerate(row):
            height, width = pixels.shape[:2]
            heights[r] = max(heights[r], height)
            widths[c] = max(widths[c], width)
    return _edges(widths), _edges(heights)


def _edges(sizes: list[int]) -> list[int]:
    edges = np.cumsum([size + 2 * GAP for size in sizes])
    return [0, *edges.tolist()]


def _ruled(lefts: list[int], tops: list[int]) -> Iterator[tuple[int, int, int, int]]:
    """The lines around all cells: their upper and lower, left and right ends."""
    for x in (*lefts[:-1], lefts[-1] - FRAME):
        yield 0, tops[-1], x + FRAME // 2, x + FRAME // 2
    for y in (*tops[:-1], tops[-1] - FRAME):
        yield y + FRAME // 2, y + FRAME // 2, 0, lefts[-1]


def _frame(page: Array, lefts: list[int], tops: list[int]) -> None:
    """Lines around all cells of the grid."""
    for x in (*lefts[:-1], lefts[-1] - FRAME):
        page[:, x : x + FRAME] = 0
    for y in (*tops[:-1], tops[-1] - FRAME):
        page[y : y + FRAME] = 0


def _cell(
    cell: Any,
    where: str,
    tags: set[str] | None,
    width: int,
    draw_panel: DrawPanel,
    look: tuple[bool, float],
) -> Panel:
    """What a cell of the grid shows: nothing, a text, or a figure with its caption."""
    if cell is None:
        return Panel(np.full((1, 1, 3), PAPER, np.uint8), [], [], "", [])
    if not isinstance(cell, Mapping):
        return _text(str(cell), where, width, *look)
    spec = dict(cell)
    caption = spec.pop("caption", None)
    if spec.get("background") or spec.get("panels"):
        raise UserError(
            f"{where}: panels hold no pictures and no panels", "draw it with points"
        )
    try:
        pixels, texts, issues, sentences, things = draw_panel(
            read_spec(spec), tags, width
        )
    except UserError as error:
        raise UserError(f"{where}: {error.message}", error.remedy) from error
    issues = [Issue(i.code, i.message, f"{where}.{i.where}") for i in issues]
    if caption is None:
        return Panel(pixels, texts, issues, sentences, things)
    below, names, _, _, letters = _text(str(caption), where, width, *look)
    pixels, x, y = _with_caption(pixels, below)
    texts = [*texts, *(_moved(name, x, y) for name in names)]
    things = [*things, *(letter.moved(x, y) for letter in letters)]
    return Panel(pixels, texts, issues, f"{caption}:\n{sentences}", things)


def _with_caption(pixels: Array, caption: Array) -> tuple[Array, int, int]:
    """A panel with its caption below, and where the caption begins: x, y."""
    height, width = pixels.shape[:2]
    caption_height, caption_width = caption.shape[:2]
    x = max(0, (width - caption_width) // 2)
    y = height + ABOVE_CAPTION
    size = (y + caption_height, max(width, caption_width), 3)
    whole = np.full(size, PAPER, np.uint8)
    whole[:height, :width] = pixels
    whole[y:, x : x + caption_width] = caption
    return whole, x, y


def _text(text: str, where: str, width: int, hand: bool, larger: float) -> Panel:
    em = larger * EM * width / 510
    try:
        lettering = letter(text, em, hand)
    except ValueError as error:
        raise UserError(f"{where}: {error}", "mend the text") from error
    middle = np.array(lettering.size)[None] / 2
    label = Label(text, "fixed", middle, where, DI)
    placed = Placed(label, lettering, (0, 0, *lettering.size), em, "fixed")
    issues = []
    if lettering.missing:
        issues.append(Issue("missing-glyph", lettering.missing, where))
    pixels = np.repeat(PAPER - lettering.mask[..., None], 3, 2)
    letters = Letters(text, em, 0, 0, hand=hand)
    return Panel(pixels, [placed], issues, f"Label {text!r}.", [letters])


def _moved(text: Placed, x: int, y: int) -> Placed:
    left, top, right, bottom = text.box
    label = replace(text.label, anchor=text.label.anchor + np.array([x, y]))
    return replace(text, box=(left + x, top + y, right + x, bottom + y), label=label)
