"""Several figures in one picture: `panels`, rows of cells that hold a spec, a text, or nothing.

panels: [[{caption: (A), points: ..., draw: ...}, {caption: (B), ...}], ["text", null]]
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

import numpy as np
from msgspec.structs import replace

from ...errors import UserError
from ..figure import Array, read_spec
from ..issues import Issue
from ..labels import EM, Label, Placed, letter
from .sketch import DI

MOST = 16
SHARE, GAP = 0.7, 14  # of the picture's width, at least, for a panel; pixels around it
Shown = tuple[
    Array, list[Placed], list[Issue], str
]  # pixels, texts, issues, text for judges
DrawPanel = Callable[[dict[str, Any], set[str] | None, int], Shown]


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
    if others := sorted(spec.keys() - {"panels", "frame", "title", "note", "kind"}):
        raise UserError(f"{others[0]}: beside panels", "write it inside a panel")
    return rows


def draw_panels(
    spec: Mapping[str, Any], tags: set[str] | None, width: int, draw_one: DrawPanel
) -> Shown:
    """All cells in a grid, captions below them, framed with `frame: true`."""
    rows = panels_of(spec)
    columns = max(map(len, rows))
    wide = round(width * max(SHARE, 1 / columns))
    cells = [
        [
            _cell(cell, f"panels[{r}][{c}]", tags, wide, draw_one)
            for c, cell in enumerate(row)
        ]
        for r, row in enumerate(rows)
    ]
    widths = [
        max(row[c][0].shape[1] for row in cells if c < len(row)) for c in range(columns)
    ]
    heights = [max(cell[0].shape[0] for cell in row) for row in cells]
    lefts, tops = _edges(widths), _edges(heights)
    page = np.full((tops[-1], lefts[-1], 3), 255, np.uint8)
    placed: list[Placed] = []
    for r, row in enumerate(cells):
        for c, (pixels, texts, _, _) in enumerate(row):
            x = lefts[c] + (lefts[c + 1] - lefts[c] - pixels.shape[1]) // 2
            y = tops[r] + (tops[r + 1] - tops[r] - pixels.shape[0]) // 2
            page[y : y + pixels.shape[0], x : x + pixels.shape[1]] = pixels
            placed += [_moved(text, x, y) for text in texts]
    if spec.get("frame"):
        for x in (*lefts[:-1], lefts[-1] - 2):
            page[:, x : x + 2] = 0
        for y in (*tops[:-1], tops[-1] - 2):
            page[y : y + 2] = 0
    every = [cell for row in cells for cell in row]
    said = "\n".join(text for *_, text in every if text)
    return page, placed, [issue for _, _, issues, _ in every for issue in issues], said


def _edges(sizes: list[int]) -> list[int]:
    return [0, *(int(edge) for edge in np.cumsum([size + 2 * GAP for size in sizes]))]


def _cell(
    cell: Any, where: str, tags: set[str] | None, width: int, draw_one: DrawPanel
) -> Shown:
    if cell is None:
        return np.full((1, 1, 3), 255, np.uint8), [], [], ""
    if not isinstance(cell, Mapping):
        return _text(str(cell), where, width)
    inner = dict(cell)
    caption = inner.pop("caption", None)
    if inner.get("background") or inner.get("panels"):
        raise UserError(
            f"{where}: panels hold no pictures and no panels", "draw it with points"
        )
    try:
        pixels, texts, issues, said = draw_one(read_spec(inner), tags, width)
    except UserError as error:
        raise UserError(f"{where}: {error.message}", error.remedy) from error
    issues = [Issue(i.code, i.message, f"{where}.{i.where}") for i in issues]
    if caption is None:
        return pixels, texts, issues, said
    below, names, _, _ = _text(str(caption), where, width)
    x = max(0, (pixels.shape[1] - below.shape[1]) // 2)
    size = (
        pixels.shape[0] + 8 + below.shape[0],
        max(pixels.shape[1], below.shape[1]),
        3,
    )
    whole = np.full(size, 255, np.uint8)
    whole[: pixels.shape[0], : pixels.shape[1]] = pixels
    whole[pixels.shape[0] + 8 :, x : x + below.shape[1]] = below
    texts = [*texts, *(_moved(name, x, pixels.shape[0] + 8) for name in names)]
    return whole, texts, issues, f"{caption}:\n{said}"


def _text(text: str, where: str, width: int) -> Shown:
    em = EM * width / 510
    try:
        lettering = letter(text, em)
    except ValueError as error:
        raise UserError(f"{where}: {error}", "mend the text") from error
    label = Label(text, "fixed", np.array(lettering.size)[None] / 2, where, DI)
    missing = (
        [Issue("missing-glyph", lettering.missing, where)] if lettering.missing else []
    )
    box = (0, 0, *lettering.size)
    pixels = np.repeat(255 - lettering.mask[..., None], 3, 2)
    return (
        pixels,
        [Placed(label, lettering, box, em, "fixed")],
        missing,
        f"Label {text!r}.",
    )


def _moved(text: Placed, x: int, y: int) -> Placed:
    left, top, right, bottom = text.box
    label = replace(text.label, anchor=text.label.anchor + np.array([x, y]))
    return replace(text, box=(left + x, top + y, right + x, bottom + y), label=label)
