"""Words of a page by their shapes: lines by rows of ink, words by gaps, letters by likeness."""

from __future__ import annotations

import re
from functools import lru_cache
from typing import Any

import msgspec
import numpy as np

from ...latex import replace_maths
from ..typeset import covers, sized, text_face

Array = np.ndarray[Any, np.dtype[Any]]
_EM = 64  # size at which expected words are drawn
_GRID = 24  # shapes are compared on a raster this high
LINE = 1.75  # of the height of an x: that of a line with ascenders and descenders
_LIKE, _LIKE_AT_SIZE = 0.75, 0.6  # correlation of two shapes of a word; when the size is known


# an option's letter, doubled to distinguish it from a point's name
OPTION = re.compile(r"([A-H])[.:)]\1")


class Word(msgspec.Struct, frozen=True):
    """A word's ink on the page: its shape, its height in pixels, and whether it ends its line."""

    ink: Any
    last: bool
    em: float = 0.0


class TextLine(msgspec.Struct, frozen=True):
    """A row of words; `top` and `height` in pixels."""

    top: int
    height: int
    words: tuple[Word, ...]


def words_of(text: str) -> list[str]:
    """The words a page shows for a text, without mathematics: what can be looked for.

    >>> words_of("Find $x$ in (a), where AB = 3.")
    ['Find', 'in', 'where', 'AB']
    """
    text = re.sub(r"<image\d+>", " ", text)
    plain = replace_maths(text, lambda _: "$")  # a word with mathematics is none
    plain = re.sub(r"(?m)(^|\s{2}|Choices?:)\s*([A-H])([.:)])(?=\s)", r"\1 \2\3\2 ", plain)
    words = [w for w in plain.split() if "\\" not in w and "$" not in w]
    stripped = [w[:2] if OPTION.fullmatch(w) else w.rstrip(".,;:?!") for w in words]
    return [w for w in stripped if re.fullmatch(r"[A-Za-z'’-]{2,}|[A-H][.:)]", w)]


def page_lines(grey: Array, displays: int = 0) -> list[TextLine]:
    """Text lines from the top of the page down to its diagram.

    `displays` are the tables and other tall formulas between the lines, which are no diagram.
    """
    ink = grey < 128
    lines: list[TextLine] = []
    first = 0
    for top, bottom in _runs(np.any(ink, axis=1), 1):
        band, shade = ink[top:bottom], 255 - grey[top:bottom]
        high = min(bottom - top, _letters(band))
        first = first or high
        if bottom - top > 2.4 * max(first, 8):
            displays -= 1
            if displays < 0:
                break
        if bottom - top < 3:
            continue
        columns = _runs(np.any(band, axis=0), max(2, round(0.31 * max(high, 0.8 * first))))
        words = tuple(
            Word(_trimmed(shade[:, a:b]), last=k == len(columns) - 1)
            for k, (a, b) in enumerate(columns)
        )
        lines.append(TextLine(top, bottom - top, words))
    return lines


def _letters(band: Array) -> int:
    """The height of a line by its letters: of a formula of several rows that stands in it, none."""
    heights = [
        np.ptp(np.flatnonzero(np.any(band[:, a:b], axis=1))) + 1
        for a, b in _runs(np.any(band, axis=0), 2)
    ]
    return round(LINE * float(np.quantile(heights, 0.35)))  # those without ascenders


def _runs(filled: Any, gap: int) -> list[tuple[int, int]]:
    """Stretches of True, joined over gaps shorter than `gap`."""
    edges = np.flatnonzero(np.diff(np.concatenate([[False], filled, [False]]).astype(np.int8)))
    runs: list[tuple[int, int]] = []
    for start, end in zip(edges[::2].tolist(), edges[1::2].tolist(), strict=True):
        if runs and start - runs[-1][1] < gap:
            runs[-1] = (runs[-1][0], end)
        else:
            runs.append((start, end))
    return runs


def _trimmed(shade: Array) -> Array:
    """The darkness (0..255) of a shape, cut to its ink."""
    ink = shade > 127
    rows, columns = np.flatnonzero(ink.any(axis=1)), np.flatnonzero(ink.any(axis=0))
    return shade[rows[0] : rows[-1] + 1, columns[0] : columns[-1] + 1]


def find_words(lines: list[TextLine], expected: list[str]) -> list[Word | None]:
    """For each expected word the first unused shape like it, or None.

    Two passes: long, clear words give the text size; with the size known, short words are sure.
    """
    free = [word for line in lines for word in line.words]
    clear = [_match(free, text, None)[1] for text in dict.fromkeys(expected) if len(text) > 3]
    em = median_em([word for word in clear if word])
    matches: list[Word | None] = []
    for text in expected:
        k, word = _match(free, text, em)
        if word is not None:
            free.pop(k)
        matches.append(word)
    return matches


def _match(free: list[Word], text: str, em: float | None) -> tuple[int, Word | None]:
    """Index and copy of the shape most like the word, the earlier of two alike."""
    best, at, size = (_LIKE if em is None else _LIKE_AT_SIZE), -1, 0.0
    for k, word in enumerate(free):
        score, implied = _likeness(word.ink, text, em)
        if score > best + (0.02 if at >= 0 else 0.0):
            best, at, size = score, k, implied
    return (at, Word(free[at].ink, free[at].last, size)) if at >= 0 else (-1, None)


def _likeness(ink: Array, text: str, em: float | None) -> tuple[float, float]:
    """Correlation with the word, with or without a mark behind it, and the size it implies."""
    best = (0.0, 0.0)
    high, wide = ink.shape
    for ending in ("",) if text[-1] in ".:)" else ("", ".", ",", ":", "?", ";"):
        shape, height, width = _drawn(text + ending)
        implied = _EM * wide / width  # widths are longer than heights: less rounding
        if not 0.88 < (wide / high) / (width / height) < 1.13:
            continue
        slack = 2 + 0.02 * wide + 0.3 * len(text)  # hinting moves each letter
        if em and abs(wide - width * em / _EM) > slack:
            continue
        if em and abs(high - height * em / _EM) > 3:
            continue
        raster = _raster(ink, shape.shape[1])
        if raster.std() and shape.std():
            score = float(np.corrcoef(raster.ravel(), shape.ravel())[0, 1])
            best = max(best, (score, implied))
    return best


@lru_cache(20_000)
def _drawn(text: str) -> tuple[Array, int, int]:
    """The word's shape on the comparison raster, and its ink height and width at _EM."""
    from PIL import Image, ImageDraw

    font = sized(text_face(), _EM)
    if not covers(text_face(), text):
        return np.zeros((_GRID, 1)), 1, 10_000
    canvas = Image.new("L", (int(font.getlength(text)) + 2 * _EM, 2 * _EM), 0)
    ImageDraw.Draw(canvas).text((_EM // 2, _EM // 4), text, 255, font)
    ink = _trimmed(np.asarray(canvas))
    columns = max(2, round(_GRID * ink.shape[1] / ink.shape[0]))
    return _raster(ink, columns), ink.shape[0], ink.shape[1]


def _raster(ink: Array, columns: int) -> Array:
    from PIL import Image

    image = Image.fromarray(np.ascontiguousarray(ink))
    return np.asarray(image.resize((columns, _GRID), Image.Resampling.BOX), float)


def median_em(words: list[Word]) -> float | None:
    """The text size that the matched words agree on, in pixels."""
    return float(np.median([word.em for word in words])) if words else None
