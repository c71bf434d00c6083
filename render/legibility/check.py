"""Can a model read this picture? Free checks by ink, and word recall by OCR on request."""

from __future__ import annotations

from typing import Any

import msgspec
import numpy as np

from ..issues import Issue
from ..page import CAPITAL, flat
from ..reading import letter_height
from .ocr import lost_words, words_of

MIN_EM = 12.0  # pixels: below it OCR reads fewer than 95 % of the words
SIZES = (448, 768, 1024)  # long side after models' usual downscales, pixels
MIN_RECALL = 0.95
Array = np.ndarray[Any, np.dtype[Any]]


class Legibility(msgspec.Struct, frozen=True):
    """What was measured on one picture; `em` is the text size in pixels (None: no text found)."""

    width: int
    height: int
    em: float | None
    # text size after a downscale of the long side to 448, 768, 1024
    effective: dict[str, float]
    recall: float | None  # share of the expected words that OCR reads; None: not asked
    missing: tuple[str, ...]
    issues: tuple[Issue, ...]


def legibility(
    picture: Any, text: str = "", *, em: float | None = None, ocr: bool = False
) -> Legibility:
    """Measure a Pillow picture; `text` is what OCR should read in it, `em` its text size if known.

    >>> from benchwright.render.page import set_page
    >>> legibility(set_page("Find the area.", em=36).picture).issues
    ()

    Raises UserError when `ocr` is asked for and tesseract is not installed or fails.
    """
    grey = np.asarray(flat(picture, picture.size).convert("L"))
    expected = words_of(text) if ocr else []
    missing = lost_words(picture, expected) if expected else []
    recall = 1 - len(missing) / len(expected) if expected else None
    if em is None and (capitals := letter_height(grey)):
        em = capitals / CAPITAL
    scale = {str(s): min(1.0, s / max(grey.shape)) for s in SIZES}
    effective = {size: round(em * k, 1) for size, k in scale.items()} if em else {}
    issues = [*_size_issues(effective), *_edge_issues(grey), *_blocky_issues(grey)]
    if recall is not None and recall < MIN_RECALL:
        lost = " ".join(missing[:12])
        issues.append(
            Issue("words-missing", f"{recall:.0%} of the words are there; not: {lost}")
        )
    height, width = grey.shape
    return Legibility(
        width,
        height,
        round(em, 1) if em else None,
        effective,
        round(recall, 4) if recall is not None else None,
        tuple(missing),
        tuple(issues),
    )


def _size_issues(effective: dict[str, float]) -> list[Issue]:
    """Smaller than 12 px at 768 nobody reads; at 448 many models do not."""
    for size, em in effective.items():
        if em < MIN_EM and size != "448":
            what = f"text of {em} px after a downscale to {size}"
            return [Issue("small-text", what)]
    return []


def _edge_issues(grey: Array) -> list[Issue]:
    """Ink on the border means that something was cut off (a full frame is a frame)."""
    height, width = grey.shape
    sides = {
        "left": grey[:, 0],
        "right": grey[:, -1],
        "top": grey[0],
        "bottom": grey[-1],
    }
    cut = [
        name
        for name, line in sides.items()
        if 0 < np.count_nonzero(line < 128) < line.size / 2
    ]
    if height < 16 or width < 16:
        return [Issue("tiny-picture", f"{width} x {height} pixels")]
    if int(grey.min()) > 200:
        return [Issue("no-ink", "the picture is blank")]
    if cut:
        return [Issue("ink-at-edge", f"ink touches the border: {', '.join(cut)}")]
    return []


def _blocky_issues(grey: Array) -> list[Issue]:
    """Grey pixels of smooth edges stand alone; enlarged without smoothing they come in runs."""
    runs = []
    for line in grey[:: max(1, grey.shape[0] // 400)].astype(np.int16):
        starts = np.flatnonzero(np.diff(line, prepend=-1, append=-1))
        lengths = np.diff(starts)
        middle = (line[starts[:-1]] > 48) & (line[starts[:-1]] < 208)
        runs.append(lengths[middle & (lengths < 12)])
    lengths = np.concatenate(runs) if runs else np.zeros(0)
    share = float((lengths >= 3).mean()) if lengths.size > 200 else 0.0
    if share < 0.5:
        return []
    what = f"{share:.0%} of the edges are steps: enlarged without smoothing"
    return [Issue("blocky", what)]
