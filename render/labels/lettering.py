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

from ...latex import Face, RefusedError, cjk_face, covers, math_ink, sized, text_face
from ..figure import NAME

Mask = Any  # numpy array of bytes: 0 paper, 255 full ink
MAX_TEXT = 120
DOLLAR = re.compile(
    r"(?<!\\)\$"
)  # of mathematics; a price has a backslash before its own


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
def letter(text: str, em: float) -> Lettering:
    r"""The mask of `text` at `em` pixels; `$...$` is mathematics, `\$` a dollar, a name is italic.

    >>> letter("50°", 23).size[1] > 10
    True

    Raises ValueError for empty text, text that is too long, and mathematics that cannot be set.
    """
    text = " ".join(text.split())
    if not text or not text.isprintable():
        raise ValueError(f"{text!r} is no text to print")
    if len(text) > MAX_TEXT:
        raise ValueError(f"a label of {len(text)} characters; the limit is {MAX_TEXT}")
    if any(unicodedata.bidirectional(character) in ("R", "AL") for character in text):
        raise ValueError(f"right-to-left text is not laid out: {text!r}")
    if len(DOLLAR.findall(text)) % 2:
        raise ValueError(rf"odd number of $ in {text!r}; a price is written \$5")
    boxes, missing = [], ""
    for is_math, part in _parts(text):
        if is_math:
            boxes.append(_math(part, em))
            continue
        for strange, run in _runs(part):
            chinese = cjk_face() if strange else None
            fits = chinese is not None and covers(chinese, run)
            font = sized(chinese, round(em)) if chinese and fits else sized(_stix(), em)
            boxes.append(_words(run, font))
            missing += run if strange and not fits else ""
    if not boxes:
        raise ValueError(f"nothing to write in {text!r}")
    mask = _join(boxes)
    rows, columns = np.flatnonzero(mask.max(1) > 0), np.flatnonzero(mask.max(0) > 0)
    if not len(rows):
        raise ValueError(f"nothing visible in {text!r}")
    inked = mask[rows[0] : rows[-1] + 1, columns[0] : columns[-1] + 1]
    return Lettering(inked, missing, max(box[1] for box in boxes) - int(rows[0]))


def _parts(text: str) -> list[tuple[bool, str]]:
    if re.fullmatch(NAME, text):
        return [(True, _name(text))]
    pieces = enumerate(DOLLAR.split(text))
    return [
        (True, part) if k % 2 else (False, part.replace(r"\$", "$"))
        for k, part in pieces
        if part
    ]


def _name(text: str) -> str:
    """A point's name as mathematics: A1 has an index, A' a prime."""
    match = re.fullmatch(r"([A-Za-z])_?([0-9]*)('*)", text)
    assert match is not None
    index = f"_{{{match[2]}}}" if match[2] else ""
    return match[1] + index + match[3]


InkBox = tuple[Mask, int, int]  # mask, rows above the baseline, advance to the next box


def _join(boxes: list[InkBox]) -> Mask:
    above = max(box[1] for box in boxes)
    below = max(box[0].shape[0] - box[1] for box in boxes)
    width = sum(box[2] for box in boxes) + max(box[0].shape[1] for box in boxes)
    canvas = np.zeros((above + below, width), np.uint8)
    x = 0
    for mask, up, advance in boxes:
        view = canvas[above - up : above - up + mask.shape[0], x : x + mask.shape[1]]
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
    runs = groupby(text, lambda c: not covers(stix, c) and not c.isspace())
    return [(key, "".join(run)) for key, run in runs]


def _words(text: str, font: Any) -> InkBox:
    from PIL import Image, ImageDraw

    left, top, right, bottom = font.getbbox(text, anchor="ls")
    pad = max(0, -int(left)) + 1
    up = max(1, -int(top) + 1)
    image = Image.new("L", (int(right) + pad + 2, up + max(1, int(bottom) + 1)))
    ImageDraw.Draw(image).text((pad, up), text, 255, font=font, anchor="ls")
    return np.asarray(image), up, round(font.getlength(text)) + pad


SIMPLE = re.compile(r"[A-Za-z]|[0-9.,]+")


@lru_cache(maxsize=4096)
def _math(tex: str, em: float) -> InkBox:
    if SIMPLE.fullmatch(tex):  # what most labels are
        return _words(tex, sized(_stix("Italic" if tex.isalpha() else ""), em))
    try:
        picture, baseline = math_ink(tex, em, family="serif")
    except RefusedError as error:
        raise ValueError(f"cannot draw ${tex}$: {error}") from error
    mask = np.asarray(
        picture if picture.mode == "L" else picture.getchannel("A"), np.uint8
    )
    return mask, baseline, mask.shape[1] + 1
