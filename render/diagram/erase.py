"""What is printed in a picture taken off it: whole letters go, the strokes of the figure stay.

MathVerse's authors did this by hand (section 2.2): a condition that a picture prints is removed
for the versions whose text holds it, and drawn again for Vision Dominant and Vision Only.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping
from typing import TYPE_CHECKING, Any

import numpy as np

from ..figure import SpecItem, items, number
from ..issues import Issue
from .erase_pieces import Doubts, erase_pieces
from .printed_words import Box, find_words

if TYPE_CHECKING:
    from PIL import Image

PAD = 2  # pixels around a word that OCR found


def erased(
    spec: Mapping[str, Any], picture: Image.Image
) -> tuple[Image.Image, list[Issue]]:
    """The picture without what the spec's `erase` names, and what a person must look at.

    Items are `{box: [left, top, right, bottom]}` in pixels, or `{word: "5 cm"}` that OCR finds.
    Raises UserError for a box that is none or lies outside the picture, and for words not found.
    """
    from PIL import Image as Pillow

    chosen = items(spec, "erase", ("box", "word"), "EC")
    if not chosen:
        return picture, []
    plain = picture.convert("RGB")
    boxes = [_box_of(item, plain) for item in chosen]
    pixels = np.array(plain)
    issues = []
    for k, (item, box) in enumerate(zip(chosen, boxes, strict=True)):
        messages = [
            (
                "erase-overlap",
                f"the boxes {list(former)} and {list(box)} overlap: give one for both",
            )
            for former in boxes[:k]
            if _overlap(former, box)
        ]
        messages += _messages(erase_pieces(pixels, box), box)
        issues += [Issue(code, message, item.where) for code, message in messages]
    return Pillow.fromarray(pixels), issues


def _messages(doubts: Doubts, box: Box) -> Iterator[tuple[str, str]]:
    """The code and the sentence of every doubt about a box."""
    place = list(box)
    if doubts.cut:
        yield (
            "erase-cut",
            f"{doubts.cut} strokes end at the box {place}: make it larger, or smaller",
        )
    if doubts.joined:
        yield (
            "erase-ink",
            f"{doubts.joined} pieces of ink in {place} hang on lines and stay: look at it",
        )
    if doubts.solid:
        yield (
            "erase-ink",
            f"{doubts.solid} pieces of ink in {place} are no characters: look at it",
        )
    if doubts.blended:
        yield (
            "erase-blend",
            f"areas of several colours meet at the box {place}: they are blended",
        )


def _overlap(a: Box, b: Box) -> bool:
    return a[0] < b[2] and b[0] < a[2] and a[1] < b[3] and b[1] < a[3]


def _box_of(item: SpecItem, picture: Image.Image) -> Box:
    if item.op == "box":
        return _given_box(item, picture.size)
    return _box_of_words(item, picture)


def _given_box(item: SpecItem, size: tuple[int, int]) -> Box:
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


def _box_of_words(item: SpecItem, picture: Image.Image) -> Box:
    if not isinstance(item.value, str | int | float) or not str(item.value).strip():
        raise item.error(f"{item.value!r} is no text", "write what is printed")
    boxes = find_words(picture, str(item.value))
    if len(boxes) != 1:
        count = f"is printed {len(boxes)} times" if boxes else "is not found by OCR"
        raise item.error(f"{item.value!r} {count}", "give its box instead")
    left, top, right, bottom = boxes[0]
    width, height = picture.size
    return (
        max(0, left - PAD),
        max(0, top - PAD),
        min(width, right + PAD),
        min(height, bottom + PAD),
    )
