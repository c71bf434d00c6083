"""Lettering: label text to grey masks, upright words and italic names, mathematics.

Fonts are the STIX files that Matplotlib ships, opened by path, so that every machine draws alike.
"""

from __future__ import annotations

import re
import unicodedata
from functools import lru_cache
from itertools import groupby
from pathlib import Path
from typing import Any

import msgspec
import numpy as np

from ...latex import (
    DOLLAR,
    Face,
    MathBox,
    RefusedError,
    beside,
    cjk_face,
    covers,
    math_box,
    math_ink,
    sized,
    text_face,
    words,
)
from ..figure import NAME

Mask = Any  # numpy array of bytes (rows, columns): 0 paper, 255 full ink
InkBox = tuple[Mask, int, int]  # mask, rows above the baseline, advance to the next box
MAX_TEXT = 120

# What most labels are, set without an engine: one letter, or a number.
SIMPLE = re.compile(r"[A-Za-z]|[0-9.,]+")
# A point's name, A1 or A_1 or A'': its letter, its index, its primes.
POINT_NAME = re.compile(r"([A-Za-z])_?([0-9]*)('*)")


class Lettering(msgspec.Struct, frozen=True):
    """The mask of a text, cut to its ink, with what could not be drawn as asked."""

    mask: Mask
    missing: str = ""  # characters without a glyph
    rise: int = 0  # rows above the baseline

    @property
    def size(self) -> tuple[int, int]:
        """Width and height in pixels."""
        return self.mask.shape[1], self.mask.shape[0]


@lru_cache(maxsize=4096)
def letter(text: str, em: float, hand: bool = False) -> Lettering:
    r"""The mask of `text` at `em` pixels; `$...$` is mathematics, `\$` a dollar, a name is italic.

    With `hand` it is written by hand.

    >>> letter("50°", 23).size[1] > 10
    True

    Raises ValueError for empty text, text that is too long, and mathematics that cannot be set.
    """
    text = " ".join(text.split())
    _refuse_unprintable(text)
    boxes, missing = _boxes(text, em, hand)
    if not boxes:
        raise ValueError(f"nothing to write in {text!r}")
    mask = _join(boxes)
    rows = np.flatnonzero(mask.max(1) > 0)
    columns = np.flatnonzero(mask.max(0) > 0)
    if not len(rows):
        raise ValueError(f"nothing visible in {text!r}")
    inked = mask[rows[0] : rows[-1] + 1, columns[0] : columns[-1] + 1]
    above = max(above for _, above, _ in boxes)
    return Lettering(inked, missing, above - int(rows[0]))


@lru_cache(maxsize=512)
def outlined(text: str, hand: bool = False) -> MathBox:
    """The outlines of a text that `letter` can write, in em."""
    text = " ".join(text.split())
    boxes = []
    for is_math, part in _parts(text):
        family: Any = "hand" if hand else "serif"
        if is_math and SIMPLE.fullmatch(part) and not hand:
            boxes.append(words(part, "it" if part.isalpha() else "", family))
        elif is_math:
            boxes.append(math_box(part, False, family))
        else:
            boxes.append(words(part, "", family))
    return beside(boxes, [0.0] * len(boxes))


def _refuse_unprintable(text: str) -> None:
    if not text or not text.isprintable():
        raise ValueError(f"{text!r} is no text to print")
    if len(text) > MAX_TEXT:
        raise ValueError(f"a label of {len(text)} characters; the limit is {MAX_TEXT}")
    if any(unicodedata.bidirectional(character) in ("R", "AL") for character in text):
        raise ValueError(f"right-to-left text is not laid out: {text!r}")
    if len(DOLLAR.findall(text)) % 2:
        raise ValueError(rf"odd number of $ in {text!r}; a price is written \$5")


def _boxes(text: str, em: float, hand: bool) -> tuple[list[InkBox], str]:
    """The boxes of a text from left to right, and its characters without a glyph."""
    boxes, missing = [], ""
    for is_math, part in _parts(text):
        if is_math:
            boxes.append(_math(part, em, hand))
            continue
        if hand:
            boxes += [_by_hand(word, em) for word in re.findall(r"\S+\s*|\s+", part)]
            continue
        for lacking, run in _runs(part):
            chinese = cjk_face() if lacking else None
            if chinese is not None and covers(chinese, run):
                font = sized(chinese, round(em))
            else:
                font = sized(_stix(), em)
                missing += run if lacking else ""
            boxes.append(_words(run, font))
    return boxes, missing


def _parts(text: str) -> list[tuple[bool, str]]:
    """Mathematics (true) and words (false), in order."""
    if re.fullmatch(NAME, text):
        return [(True, _name(text))]
    # parts between dollars: words at even places, mathematics at odd ones
    return [
        (True, part) if k % 2 else (False, part.replace(r"\$", "$"))
        for k, part in enumerate(DOLLAR.split(text))
        if part
    ]


def _name(text: str) -> str:
    """A point's name as mathematics: A1 has an index, A' a prime."""
    match = POINT_NAME.fullmatch(text)
    assert match is not None
    letter, index, primes = match.groups()
    return letter + (f"_{{{index}}}" if index else "") + primes


def _join(boxes: list[InkBox]) -> Mask:
    """Boxes side by side on one baseline."""
    above = max(above for _, above, _ in boxes)
    below = max(len(mask) - above for mask, above, _ in boxes)
    widest = max(mask.shape[1] for mask, _, _ in boxes)
    width = sum(advance for _, _, advance in boxes) + widest
    canvas = np.zeros((above + below, width), np.uint8)
    x = 0
    for mask, rise, advance in boxes:
        top = above - rise
        view = canvas[top : top + mask.shape[0], x : x + mask.shape[1]]
        np.maximum(view, mask, out=view)
        x += advance
    return canvas


@lru_cache(2)
def _stix(style: str = "") -> Face:
    """The serif font that Matplotlib ships, upright or italic."""
    return Face(str(Path(text_face().path).with_name(f"STIXGeneral{style}.ttf")))


def _runs(text: str) -> list[tuple[bool, str]]:
    """Stretches of characters that the STIX font lacks (true) or has (false)."""
    stix = _stix()

    def is_lacking(character: str) -> bool:
        return not covers(stix, character) and not character.isspace()

    return [(lacking, "".join(run)) for lacking, run in groupby(text, is_lacking)]


def _words(text: str, font: Any) -> InkBox:
    from PIL import Image, ImageDraw

    left, top, right, bottom = font.getbbox(text, anchor="ls")
    pad = max(0, -int(left)) + 1
    above = max(1, -int(top) + 1)
    below = max(1, int(bottom) + 1)
    image = Image.new("L", (int(right) + pad + 2, above + below))
    ImageDraw.Draw(image).text((pad, above), text, 255, font=font, anchor="ls")
    return np.asarray(image), above, round(font.getlength(text)) + pad


def _by_hand(word: str, em: float) -> InkBox:
    """A word as a formula of its characters."""
    signs = "".join(f"\\{sign}" if sign in "$%&#_{}" else sign for sign in word.strip())
    if not signs:
        return np.zeros((1, 1), np.uint8), 1, round(0.3 * em)
    mask, rise, advance = _math(rf"\mathrm{{{signs}}}", em, True)
    return mask, rise, advance + round(0.3 * em) * word[-1:].isspace()


@lru_cache(maxsize=4096)
def _math(tex: str, em: float, hand: bool = False) -> InkBox:
    if SIMPLE.fullmatch(tex) and not hand:
        style = "Italic" if tex.isalpha() else ""
        return _words(tex, sized(_stix(style), em))
    try:
        picture, baseline = math_ink(tex, em, family="hand" if hand else "serif")
    except RefusedError as error:
        raise ValueError(f"cannot draw ${tex}$: {error}") from error
    if picture.mode != "L":
        picture = picture.getchannel("A")
    mask = np.asarray(picture, np.uint8)
    return mask, baseline, mask.shape[1] + 1
