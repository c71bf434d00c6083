"""Which problem a figure belongs to, by its place on the page.

The address of a Mathpix picture tells where it was cropped from; `lines.json` tells where each
line of text stands. A figure belongs to the problem whose band, in its column, holds the figure's
middle. Where this disagrees with the order of the text nothing is moved: the record is flagged.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import msgspec

from ...base.json_lines import decode
from ...errors import UserError
from .markdown import PageBox, TextPicture

# what TeX and Markdown say of setting, and recognised lines may not
_SETTING = re.compile(r"[\s\\${}()\[\]*#]|section|quad|text(?:bf)?|left|right")
MOSTLY_INSIDE = 0.6  # of a figure's height, in the band of its problem


class PageLayout(msgspec.Struct, frozen=True):
    """All lines in reading order with their places, and the width of each page in pixels."""

    lines: list[tuple[str, PageBox]]
    widths: dict[int, int]


def read_layout(path: Path) -> PageLayout:
    """Read Mathpix's lines.json. Raises UserError naming what is wrong with it."""
    layout = PageLayout([], {})
    try:
        pages: list[dict[str, Any]] = decode(path.read_bytes())["pages"]
        for number, page in enumerate(pages, 1):
            number = int(page.get("page", number))
            layout.widths[number] = int(page.get("page_width", 0))
            for line in page.get("lines", []):
                if "region" in line:
                    box = _box(number, line["region"])
                    layout.lines.append((_plain(str(line.get("text", ""))), box))
    except OSError as error:
        raise UserError(
            f"cannot read {path}: {error.strerror}", "check the path"
        ) from error
    except (
        msgspec.DecodeError,
        KeyError,
        TypeError,
        ValueError,
        AttributeError,
    ) as error:
        raise UserError(
            f"{path} is not a lines.json of Mathpix ({type(error).__name__}: {error})",
            "it has pages with lines with regions",
        ) from error
    return layout


def _box(page: int, region: dict[str, Any]) -> PageBox:
    return PageBox(
        page,
        left=int(region["top_left_x"]),
        top=int(region["top_left_y"]),
        width=int(region["width"]),
        height=int(region["height"]),
    )


def _locate(texts: list[str], layout: PageLayout) -> list[PageBox | None]:
    """Each problem's first line among the lines, in order; None where it is not found."""
    places: list[PageBox | None] = []
    position = 0
    for text in texts:
        prefix = _plain(text)[:24]
        for k in range(position, len(layout.lines) if prefix else 0):
            line, box = layout.lines[k]
            is_long_enough = len(line) >= min(6, len(prefix))
            if is_long_enough and line.startswith(prefix[: len(line)]):
                places.append(box)
                position = k + 1
                break
        else:
            places.append(None)
    return places


def _plain(text: str) -> str:
    return _SETTING.sub("", text)


def _owner(
    figure: PageBox, places: list[PageBox | None], width: int
) -> tuple[int | None, bool]:
    """The problem whose band holds the figure, and whether the figure reaches far into another.

    Columns are the left edges of problems a quarter of a page apart; a figure above all problems of
    its page belongs to the one before.
    """
    starts = [(k, box) for k, box in enumerate(places) if box]
    page = [(k, box) for k, box in starts if box.page == figure.page]
    edges: list[int] = []
    for left in sorted(box.left for _, box in page):
        if not edges or left - edges[-1] > max(width, 1) / 4:
            edges.append(left)

    def column(left: float) -> int:
        first = edges[0] if edges else 0
        return max((edge for edge in edges if edge <= left), default=first)

    edge = column(figure.centre)
    band = sorted((box.top, k) for k, box in page if column(box.left) == edge)
    above = [start for start in band if start[0] <= figure.middle]
    if not above:
        earlier = [k for k, box in starts if box.page < figure.page]
        is_certain = earlier and len(edges) < 2
        return max(earlier) if is_certain else None, False
    top, index = above[-1]
    bottom = min((start for start, _ in band if start > top), default=10**9)
    inside = min(figure.top + figure.height, bottom) - max(figure.top, top)
    return index, inside < MOSTLY_INSIDE * figure.height


def misplaced(
    texts: list[str], ids: list[str], shown: list[list[TextPicture]], layout: PageLayout
) -> Iterator[tuple[int, str]]:
    """Which of some problems have pictures that stand elsewhere on the page than in the text.

    `texts` are the problems with their numbers, `shown` their pictures.
    """
    places = _locate(texts, layout)
    for k, pictures in enumerate(shown):
        if places[k] is None and pictures:
            yield k, "figure-unchecked: the problem was not found in lines.json"
            continue
        for number, picture in enumerate(pictures, 1):
            if picture.box is None or not picture.box.page:
                continue
            width = layout.widths.get(picture.box.page, 0)
            index, reaches = _owner(picture.box, places, width)
            if index is not None and index != k:
                yield k, f"figure-order: <image{number}> stands at {ids[index]}"
                yield (
                    index,
                    f"figure-order: <image{number}> of problem {ids[k]} stands here",
                )
            elif reaches:
                yield k, f"figure-spans: <image{number}> reaches into another problem"
