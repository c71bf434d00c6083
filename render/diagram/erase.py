"""What is printed in a picture taken off it: the background restored, crossing lines continued.

MathVerse's authors did this by hand (section 2.2): a condition that a picture prints is removed
for the versions whose text holds it, and drawn again for Vision Dominant and Vision Only.
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from itertools import pairwise
from typing import TYPE_CHECKING, Any

import numpy as np

from ..figure import Array, SpecItem, items, number
from ..issues import Issue
from ..reading import components, is_solid, runs_of
from .canvas import spread
from .erase_border import (
    CONTRAST,
    RING,
    border_of,
    brightness,
    off_strokes,
    strokes_into,
)
from .erase_ground import ground_of
from .erase_joins import INKED, Before, Join, joins_of
from .printed_words import Box, find_words

if TYPE_CHECKING:
    from PIL import Image

DARK = 110  # of 255: darker paper carries light ink
SPECK, SPECKS = (
    3,
    8,
)  # pixels: what is smaller is no piece; together they were a dot on a line
FLUSH = 0.3  # of a piece lies along a stroke: a dot on a line
PAD = 2  # pixels around a word that was read


def erased(
    spec: Mapping[str, Any], picture: Image.Image
) -> tuple[Image.Image, list[Issue]]:
    """The picture without what the spec's `erase` names, and what could not be restored.

    Items are `{box: [left, top, right, bottom]}` in pixels, or `{word: "5 cm"}` that OCR finds.
    Raises UserError for a box that is none or lies outside the picture, and for words not found.
    """
    from PIL import Image as Pillow

    chosen = items(spec, "erase", ("box", "word"), "EC")
    if not chosen:
        return picture, []
    plain = picture.convert("RGB")
    pixels, issues = np.array(plain), []
    places = [
        (item, box)
        for item in chosen
        for box in (
            [_box(item, plain.size)] if item.op == "box" else _words(item, plain)
        )
    ]
    for k, (item, box) in enumerate(places):
        for _, other in places[:k]:
            if _overlap(box, other):
                message = f"the boxes {list(other)} and {list(box)} overlap: give one for both"
                issues.append(Issue("erase-overlap", message, item.where))
        loose, edges, strange = _erase(pixels, box)
        if loose:
            message = f"{loose} strokes end at the box {list(box)}: make it larger, or smaller"
            issues.append(Issue("erase-cut", message, item.where))
        if strange:
            message = (
                f"{strange} pieces of ink in {list(box)} are no characters: look at it"
            )
            issues.append(Issue("erase-ink", message, item.where))
        if edges:
            message = f"areas of several colours meet at the box {list(box)}: they are blended"
            issues.append(Issue("erase-blend", message, item.where))
    return Pillow.fromarray(pixels), issues


def _overlap(a: Box, b: Box) -> bool:
    return a[0] < b[2] and b[0] < a[2] and a[1] < b[3] and b[1] < a[3]


def _box(item: SpecItem, size: tuple[int, int]) -> Box:
    try:
        left, top, right, bottom = (float(number(v)) for v in item.value)
    except (TypeError, ValueError) as error:
        raise item.error(
            f"{item.value!r} is no box", "write [left, top, right, bottom]"
        ) from error
    if not all(map(math.isfinite, (left, top, right, bottom))):
        raise item.error(f"{item.value!r} is no box", "write finite numbers")
    if not (0 <= left < right <= size[0] and 0 <= top < bottom <= size[1]):
        remedy = (
            f"give left < right and top < bottom inside {size[0]} x {size[1]} pixels"
        )
        raise item.error(f"box {item.value!r} is empty or outside the picture", remedy)
    return math.floor(left), math.floor(top), math.ceil(right), math.ceil(bottom)


def _words(item: SpecItem, picture: Image.Image) -> list[Box]:
    if not isinstance(item.value, str | int | float) or not str(item.value).strip():
        raise item.error(f"{item.value!r} is no text", "write what is printed")
    found = find_words(picture, str(item.value))
    if len(found) != 1:
        count = f"is printed {len(found)} times" if found else "is not found by OCR"
        raise item.error(f"{item.value!r} {count}", "give its box instead")
    left, top, right, bottom = found[0]
    limit = picture.size
    return [
        (
            max(0, left - PAD),
            max(0, top - PAD),
            min(limit[0], right + PAD),
            min(limit[1], bottom + PAD),
        )
    ]


def _erase(pixels: Array, box: Box) -> tuple[int, int, int]:
    """Restore a box in place; returns how many strokes and how many edges of areas end at it, and
    how many pieces of ink went that are no characters.
    """
    dark = float(np.median(pixels)) < DARK
    left, top, right, bottom = box = off_strokes(pixels, box, dark)
    border = border_of(pixels, box, dark)
    strokes, cut = strokes_into(pixels, border, dark)
    before = _before(pixels, box, dark)
    joins, loose = joins_of(strokes, before)
    cover = [_cover(join, box) for join in joins]
    drawn = np.zeros((bottom - top, right - left), bool)
    for mask in cover:
        drawn |= mask > 0
    ground, edges = ground_of(border, (right - left, bottom - top), drawn)
    view = pixels[top:bottom, left:right]
    strange = _strange(view, ground, drawn, dark)
    strange += sum(
        before.share(join.path) < INKED for join in joins
    )  # dashes become a line
    view[...] = ground
    for join, mask in zip(joins, cover, strict=True):
        share = mask[..., None]
        view[...] = np.round(view * (1 - share) + join.color * share).astype(np.uint8)
    return loose + cut, edges, strange


def _strange(inside: Array, ground: Array, drawn: Array, dark: bool) -> int:
    """Pieces of ink of a box, besides the strokes that go on in it, that are no characters.

    They are joined to strokes, as the mark of a right angle or a dot on a line, or are dots and
    dashes that stand alone, are many, or longer than letters.
    """
    ink = brightness(inside, dark) < brightness(ground, dark) - CONTRAST
    runs = runs_of(ink & ~drawn)
    if not len(runs):
        return 0
    near = spread(np.where(drawn, 255, 0).astype(np.uint8), 1)[1:-1, 1:-1] > 0
    part, touching, specks, solid, letters = components(runs), 0, 0, [], []
    for k in range(int(part.max()) + 1):
        rows, starts, ends = runs[part == k].T
        size = np.array([ends.max() - starts.min(), rows.max() + 1 - rows.min()])
        at_edge = starts.min() == 0 or rows.min() == 0
        at_edge |= ends.max() == ink.shape[1] or rows.max() + 1 == ink.shape[0]
        if at_edge:
            continue  # what ends at the box is told as a stroke that does
        if size.max() < SPECK:
            specks += int((ends - starts).sum())
            continue
        mine = np.zeros_like(near)
        for y, a, b in zip(rows, starts, ends, strict=True):
            mine[y, a:b] = near[y, a:b]
        contacts = components(runs_of(mine)) if mine.any() else np.zeros(0, int)
        if len(set(contacts)) > 1 or mine.sum() > FLUSH * (ends - starts).sum():
            touching += 1  # a letter leans on a stroke at most in one place
        elif is_solid(rows, starts, ends):
            solid.append(size.max())
        else:
            letters.append(size[1])
    touching += bool(drawn.any() and specks > SPECKS)
    long = 1.3 * max(letters, default=0)
    return touching + (
        len(solid) if len(solid) > 3 or max(solid, default=0) > long else 0
    )


def _before(pixels: Array, box: Box, dark: bool) -> Before:
    """Where a box and the pixels around it hold ink."""
    left, top, right, bottom = box
    left, top = max(0, left - RING), max(0, top - RING)
    level = brightness(pixels[top : bottom + RING, left : right + RING], dark)
    ink = np.pad(level < np.percentile(level, 75) - CONTRAST / 2, 1)
    wide = (
        ink[1:-1, 1:-1]
        | ink[:-2, 1:-1]
        | ink[2:, 1:-1]
        | ink[1:-1, :-2]
        | ink[1:-1, 2:]
    )
    return Before(wide, 255 - level, (left, top))


def _cover(join: Join, box: Box) -> Array:
    """How much of every pixel of the box a path covers, its edges as soft as a printed line's."""
    left, top, right, bottom = box
    reach = join.width / 2 + 0.5
    off = np.full((bottom - top, right - left), np.inf)
    for a, b in pairwise(join.path):
        low = np.floor(np.minimum(a, b) - reach - (left, top)).astype(int).clip(0)
        high = np.ceil(np.maximum(a, b) + reach + 1 - (left, top)).astype(int).clip(0)
        part = off[low[1] : high[1], low[0] : high[0]]
        y, x = np.mgrid[0 : part.shape[0], 0 : part.shape[1]]
        points = np.stack([x + low[0] + left, y + low[1] + top], -1) - a
        along = b - a
        t = ((points @ along) / max(float(along @ along), 1e-12)).clip(0, 1)
        np.minimum(
            part, np.hypot(*np.moveaxis(points - t[..., None] * along, -1, 0)), out=part
        )
    return np.clip(reach - off, 0, 1)
