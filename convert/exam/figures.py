"""Which problem a figure belongs to, by its place on the page.

The address of a Mathpix picture tells where it was cropped from; `lines.json` tells where each
line of text stands. A figure belongs to the problem whose band, in its column, holds the figure's
middle. Where this disagrees with the order of the text nothing is moved: the record is flagged.
"""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import msgspec

from ...base.json_lines import decode
from ...errors import UserError
from ..documents import PageBox


class PageLine(msgspec.Struct, frozen=True):
    """One line of text on a page."""

    text: str
    box: PageBox
    column: int


class Start(msgspec.Struct, frozen=True):
    """Where problem `index` starts on the pages."""

    index: int
    box: PageBox
    column: int


class PageLayout(msgspec.Struct, frozen=True):
    """All lines in reading order, and the width of each page in pixels."""

    lines: list[PageLine]
    widths: dict[int, int]


def read_layout(path: Path) -> PageLayout:
    """Read Mathpix's lines.json. Raises UserError naming what is wrong with it."""
    try:
        pages: list[dict[str, Any]] = decode(path.read_bytes())["pages"]
        lines: list[PageLine] = []
        widths: dict[int, int] = {}
        for number, page in enumerate(pages, 1):
            widths[number := int(page.get("page", number))] = int(page.get("page_width", 0))
            lines += [
                PageLine(
                    str(line.get("text", "")),
                    _box(line["region"], number),
                    int(line.get("column", 0)),
                )
                for line in page.get("lines", [])
                if "region" in line
            ]
    except OSError as error:
        raise UserError(f"cannot read {path}: {error.strerror}", "check the path") from error
    except (msgspec.DecodeError, KeyError, TypeError, ValueError, AttributeError) as error:
        raise UserError(
            f"{path} is not a lines.json of Mathpix ({type(error).__name__}: {error})",
            "it has pages with lines with regions",
        ) from error
    return PageLayout(lines, widths)


def _box(region: dict[str, Any], page: int) -> PageBox:
    left, top = int(region["top_left_x"]), int(region["top_left_y"])
    return PageBox(page, left, top, int(region["width"]), int(region["height"]))


def locate(starts: list[str], layout: PageLayout) -> list[Start | None]:
    """Find each problem's first words among the lines, in order; None where they are not found."""
    places: list[Start | None] = []
    plain = [_plain(line.text) for line in layout.lines]
    position = 0
    for index, words in enumerate(starts):
        prefix = _plain(words)[:24]
        enough = min(6, len(prefix))
        fits = (
            len(line) >= enough and line.startswith(prefix[: len(line)])
            for line in plain[position:]
        )
        at = next((position + k for k, fit in enumerate(fits) if prefix and fit), None)
        if at is None:
            places.append(None)
            continue
        position = at + 1
        line = layout.lines[at]
        places.append(Start(index, line.box, line.column))
    return places


def _plain(text: str) -> str:
    return re.sub(r"[\s\\${}()\[\]*#]|section|quad|text(?:bf)?|left|right", "", text)


def owner(figure: PageBox, starts: list[Start], width: int) -> tuple[int | None, bool]:
    """The problem whose band holds the figure, and whether the figure reaches far into another.

    Columns are taken from the starts on the page; a page with one column holds figures anywhere.
    """
    page = [s for s in starts if s.box.page == figure.page]
    columns = _columns(page, width)
    if len(columns) > 1:
        own_column = min(columns, key=lambda c: _distance(figure.centre, c, columns, width))
        page = [s for s in page if _column_of(s, columns) == own_column]
    page.sort(key=lambda s: s.box.top)
    above = [s for s in page if s.box.top <= figure.middle]
    if not above:
        earlier = [s for s in starts if s.box.page < figure.page]
        if not page and not earlier:
            return None, False
        if len(columns) > 1 or not earlier:
            return None, False
        return max(earlier, key=lambda s: s.index).index, False
    own_start = above[-1]
    below = [s.box.top for s in page if s.box.top > own_start.box.top]
    bottom = min(below, default=figure.top + figure.height)
    inside = min(figure.top + figure.height, bottom) - max(figure.top, own_start.box.top)
    return own_start.index, inside < 0.6 * figure.height


def _columns(starts: list[Start], width: int) -> list[int]:
    """Left edges of the columns: starts whose left edges lie a quarter page apart."""
    edges: list[int] = []
    for left in sorted(s.box.left for s in starts):
        if not edges or left - edges[-1] > max(width, 1) / 4:
            edges.append(left)
    return edges


def _column_of(start: Start, columns: list[int]) -> int:
    return max((c for c in columns if c <= start.box.left), default=columns[0])


def _distance(centre: float, column: int, columns: list[int], width: int) -> float:
    """Zero inside the column's stretch of the page."""
    right = min((c for c in columns if c > column), default=max(width, column + 1))
    return 0.0 if column <= centre < right else min(abs(centre - column), abs(centre - right))
