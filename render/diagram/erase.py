"""What is printed in a picture taken off it: the background restored, crossing lines continued.

MathVerse's authors did this by hand (section 2.2): a condition that a picture prints is removed
for the versions whose text holds it, and drawn again for Vision Dominant and Vision Only.
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from itertools import combinations
from typing import TYPE_CHECKING, Any

import msgspec
import numpy as np

from ..figure import Array, SpecItem, items, number
from ..issues import Issue
from .printed_words import Box, find_words

if TYPE_CHECKING:
    from PIL import Image

RING = 3  # pixels around a box that show its background
OUTSIDE = 10  # pixels outside a box along which a line shows its direction
CONTRAST = 60  # a pixel so much darker than the background is ink
BENT = 9.0  # degrees that a line may bend where it is continued
PAD = 2  # pixels around a word that was read


class Crossing(msgspec.Struct):
    """A line that reaches the border of a box: where, its direction inwards, width and colour."""

    at: Array
    inwards: Array
    width: float
    color: Array


def erased(spec: Mapping[str, Any], picture: Image.Image) -> tuple[Image.Image, list[Issue]]:
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
    for item in chosen:
        boxes = [_box(item, plain.size)] if item.op == "box" else _words(item, plain)
        for box in boxes:
            if loose := _erase(pixels, box):
                message = f"{loose} strokes end at the box {list(box)}: make it larger, or smaller"
                issues.append(Issue("erase-cut", message, item.where))
    return Pillow.fromarray(pixels), issues


def _box(item: SpecItem, size: tuple[int, int]) -> Box:
    try:
        left, top, right, bottom = (float(number(v)) for v in item.value)
    except (TypeError, ValueError) as error:
        raise item.error(f"{item.value!r} is no box", "write [left, top, right, bottom]") from error
    if not all(map(math.isfinite, (left, top, right, bottom))):
        raise item.error(f"{item.value!r} is no box", "write finite numbers")
    if not (0 <= left < right <= size[0] and 0 <= top < bottom <= size[1]):
        remedy = f"give left < right and top < bottom inside {size[0]} x {size[1]} pixels"
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
        (max(0, left - PAD), max(0, top - PAD), min(limit[0], right + PAD),
         min(limit[1], bottom + PAD))
    ]  # fmt: skip


def _erase(pixels: Array, box: Box) -> int:
    """Restore a box in place; returns how many strokes end at its border without going on."""
    left, top, right, bottom = box
    ground = _background(pixels, box)
    crossings = _crossings(pixels, box)
    pixels[top:bottom, left:right] = ground
    pairs = _pairs(crossings)
    for a, b in pairs:
        _continue(pixels, box, a, b)
    return len(crossings) - 2 * len(pairs)


def _background(pixels: Array, box: Box) -> Array:
    """The box filled from its border: its own colour, or a blend of what surrounds it."""
    left, top, right, bottom = box
    l0, t0, r1, b1 = max(0, left - RING), max(0, top - RING), right + RING, bottom + RING
    strips = {
        "left": (pixels[top:bottom, l0:left], 1), "right": (pixels[top:bottom, right:r1], 1),
        "top": (pixels[t0:top, left:right], 0), "bottom": (pixels[bottom:b1, left:right], 0),
    }  # fmt: skip
    strips = {name: strip for name, strip in strips.items() if strip[0].size}
    if not strips:
        return np.full((bottom - top, right - left, 3), 255, np.uint8)
    every = np.concatenate([strip.reshape(-1, 3) for strip, _ in strips.values()]).astype(float)
    paper = np.median(every, axis=0)
    off = np.abs(every - paper).max(1)
    if np.mean(off < 12) > 0.6:  # one colour, but for lines that reach the box
        return np.broadcast_to(np.round(paper).astype(np.uint8), (bottom - top, right - left, 3))
    y, x = np.mgrid[0 : bottom - top, 0 : right - left] + 1.0
    far = {"left": x, "right": right - left + 1 - x, "top": y, "bottom": bottom - top + 1 - y}
    total, weight = (
        np.zeros((bottom - top, right - left, 3)),
        np.zeros((bottom - top, right - left)),
    )
    for name, (strip, axis) in strips.items():
        edge = _smooth(np.median(strip, axis=axis))
        edge = edge[:, None] if axis == 1 else edge[None]
        share = 1 / far[name] ** 2
        total += edge * share[..., None]
        weight += share
    return np.asarray(np.round(total / weight[..., None]).clip(0, 255).astype(np.uint8))


def _smooth(edge: Array) -> Array:
    """A border's colours without the lines that reach it: a running median of nine."""
    padded = np.pad(edge, ((4, 4), (0, 0)), mode="edge")
    return np.asarray(np.median([padded[k : k + len(edge)] for k in range(9)], axis=0))


def _crossings(pixels: Array, box: Box) -> list[Crossing]:
    """Lines that reach the box from outside, one for every run of ink along its border."""
    left, top, right, bottom = box
    sides = (
        (np.array([left - 1, top]), np.array([0, 1]), np.array([-1, 0]), bottom - top),
        (np.array([right, top]), np.array([0, 1]), np.array([1, 0]), bottom - top),
        (np.array([left, top - 1]), np.array([1, 0]), np.array([0, -1]), right - left),
        (np.array([left, bottom]), np.array([1, 0]), np.array([0, 1]), right - left),
    )
    found = []
    for corner, along, out, length in sides:
        start = _row(pixels, corner, along, out, 0, length)
        for low, high in _runs(start):
            if crossing := _followed(pixels, corner, along, out, length, low, high):
                found.append(crossing)
    return found


def _row(pixels: Array, corner: Array, along: Array, out: Array, step: int, length: int) -> Array:
    """Ink in the row of pixels `step` outside a side, OUTSIDE longer at both ends."""
    places = corner + out * step + np.arange(-OUTSIDE, length + OUTSIDE)[:, None] * along
    x, y = places.T
    inside = (x >= 0) & (y >= 0) & (x < pixels.shape[1]) & (y < pixels.shape[0])
    row = np.full(len(places), 255, np.int16)
    row[inside] = pixels[y[inside], x[inside]].min(1)
    ink: Array = row < np.median(row) - CONTRAST
    return ink


def _runs(row: Array) -> list[tuple[int, int]]:
    edges = np.flatnonzero(np.diff(np.concatenate([[0], row.astype(int), [0]])))
    return list(zip(edges[::2].tolist(), edges[1::2].tolist(), strict=True))


def _followed(
    pixels: Array, corner: Array, along: Array, out: Array, length: int, low: int, high: int
) -> Crossing | None:
    """Follow a run of ink outwards; None for what lies beside the box or only brushes it."""
    middle = (low + high - 1) / 2
    if not OUTSIDE <= middle < OUTSIDE + length:
        return None
    path = [middle]
    for step in range(1, OUTSIDE):
        runs = _runs(_row(pixels, corner, along, out, step, length))
        near = [(a + b - 1) / 2 for a, b in runs if a - 2 <= path[-1] <= b + 1]
        if not near:
            break
        path.append(min(near, key=lambda place: abs(place - path[-1])))
    if len(path) < 4:
        return None
    slope, middle = map(float, np.polyfit(range(len(path)), path, 1))  # along the side
    inwards = -(out + slope * along)
    inwards = inwards / np.linalg.norm(inwards)
    place = corner + (middle - OUTSIDE) * along
    thick = (high - low) * abs(float(inwards @ out))
    x, y = np.round(place).astype(int)
    return Crossing(place.astype(float), inwards, max(1.0, thick), pixels[y, x].astype(float))


def _pairs(crossings: list[Crossing]) -> list[tuple[Crossing, Crossing]]:
    """Lines that come in on one side and go on where they point to; the straightest first."""
    options = []
    for i, j in combinations(range(len(crossings)), 2):
        a, b = crossings[i], crossings[j]
        across = b.at - a.at
        size = float(np.linalg.norm(across))
        if size < 3:
            continue
        bends = [_degrees(a.inwards, across), _degrees(b.inwards, -across)]
        slack = BENT + math.degrees(1.5 / size)  # a pixel off is more of a short way
        if max(bends) < slack:
            options.append((sum(bends), i, j))
    taken: set[int] = set()
    pairs = []
    for _, i, j in sorted(options):
        if not {i, j} & taken:
            taken |= {i, j}
            pairs.append((crossings[i], crossings[j]))
    return pairs


def _degrees(a: Array, b: Array) -> float:
    return math.degrees(math.atan2(abs(float(a[0] * b[1] - a[1] * b[0])), float(a @ b)))


def _continue(pixels: Array, box: Box, a: Crossing, b: Crossing) -> None:
    """Draw the piece of a line inside the box, its edges as soft as a printed line's."""
    left, top, right, bottom = box
    y, x = np.mgrid[top:bottom, left:right]
    along = b.at - a.at
    t = ((x - a.at[0]) * along[0] + (y - a.at[1]) * along[1]) / float(along @ along)
    off = np.hypot(x - a.at[0] - t * along[0], y - a.at[1] - t * along[1])
    cover = np.clip((a.width + b.width) / 4 + 0.5 - off, 0, 1)[..., None]
    view = pixels[top:bottom, left:right]
    view[...] = np.round(view * (1 - cover) + (a.color + b.color) / 2 * cover).astype(np.uint8)
