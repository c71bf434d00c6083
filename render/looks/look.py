"""One look of one picture, as strong as its seed says and its labels allow.

A label can be read where its letters are high enough after a model's usual downscale, and stand out
from the paper around them by more than its grain. Where a look takes that away, the strength is
lowered by bisection until every label can be read; what cannot be read at any strength is refused.
"""

from __future__ import annotations

import hashlib
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any, Literal, NamedTuple

import msgspec
import numpy as np

from ...base.pictures import encode_drawing
from ...errors import UserError
from ..reading import letter_boxes
from .optics import FILTERS, Array

if TYPE_CHECKING:
    from PIL import Image

LookName = Literal["clean", "scan", "photo", "blackboard", "hand"]
LOOKS: tuple[LookName, ...] = ("clean", "scan", "photo", "blackboard", "hand")
BY_HAND = ("blackboard", "hand")  # looks whose letters are written by hand
DOWNSCALED = 448  # pixels of the long side: what many models see
LEAST_HEIGHT = (
    6.0  # pixels of a label there; smaller ones keep the height that they have
)
KEPT = 0.85  # of a small label's height
LEAST_CONTRAST = 0.36  # of black on white; paler labels keep most of what they have
PALE = 0.6  # of a pale label's contrast
FAINT = 0.15  # what is paler than this cannot be read as it is
OVER_GRAIN = 5.0  # times the noise of the paper
STEPS = 5  # of the bisection
WEAKEST = 0.45  # of the strengths that seeds give

Box = tuple[float, float, float, float]  # left, top, right, bottom


class Legible(NamedTuple):
    """The least of all labels: height in pixels at 448, contrast of its ink, and over the grain."""

    height: float
    contrast: float
    over_grain: float


class Look(msgspec.Struct, frozen=True):
    """A picture in one look, where its labels stand now, and the proof that they can be read."""

    name: str
    picture: Any  # PIL.Image.Image
    boxes: tuple[Box, ...]
    strength: float
    legible: Legible | None  # None: there is no label

    def data(self) -> tuple[bytes, str]:
        """The picture's bytes and the end of its file's name; photographs are JPEG."""
        jpeg = self.picture.info.get("jpeg")
        return (jpeg, "jpg") if jpeg else (encode_drawing(self.picture), "png")


def look(
    picture: Image.Image,
    name: LookName,
    *,
    boxes: Sequence[Box] | None = None,
    seed: str = "",
) -> Look:
    """A picture in a look: the same for the same seed, everywhere.

    `boxes` are where its labels stand; without them the letters are found by their ink.

    >>> from PIL import Image
    >>> look(Image.new("RGB", (90, 60), "white"), "scan", seed="a").boxes
    ()

    Raises UserError where a label could not be read at any strength.
    """
    picture = _on_white(picture)
    if boxes is None:
        boxes = letter_boxes(np.asarray(picture))
    if name == "clean":
        return Look(name, picture, tuple(boxes), 0.0, _legible(picture, boxes))
    digest = hashlib.sha256(f"{seed}:{name}".encode()).digest()
    number = int.from_bytes(digest[:8])
    wanted = WEAKEST + (1 - WEAKEST) * digest[8] / 255
    floor = _floor(_legible(picture, boxes))
    best = _at(picture, name, boxes, wanted, number)
    low, high = 0.0, wanted
    if not _can_be_read(best.legible, floor):
        best = _at(picture, name, boxes, 0.0, number)
        if not _can_be_read(best.legible, floor):
            raise UserError(
                f"look {name}: a label cannot be read: {_measures(best.legible)}",
                "give larger labels or a wider picture, or leave this look out",
            )
        for _ in range(STEPS):
            middle = (low + high) / 2
            trial = _at(picture, name, boxes, middle, number)
            if _can_be_read(trial.legible, floor):
                best, low = trial, middle
            else:
                high = middle
    return best


def _on_white(picture: Image.Image) -> Image.Image:
    from PIL import Image as Pillow

    if picture.mode in ("RGBA", "LA", "PA", "P") or "transparency" in picture.info:
        layer = picture.convert("RGBA")
        picture = Pillow.new("RGBA", layer.size, "white")
        picture.alpha_composite(layer)
    return picture.convert("RGB")


def _at(
    picture: Image.Image, name: str, boxes: Sequence[Box], strength: float, number: int
) -> Look:
    """The look at one strength; chance is the same at all of them."""
    shown, travel = FILTERS[name](picture, strength, np.random.default_rng(number))
    there = tuple(_moved(box, travel) for box in boxes)
    return Look(name, shown, there, round(strength, 4), _legible(shown, there))


def _moved(box: Box, travel: Any) -> Box:
    """The upright box around where the corners of a box have come to."""
    left, top, right, bottom = box
    corners = np.array(
        [[left, top], [right, top], [right, bottom], [left, bottom]], float
    )
    places = travel(corners)
    low, high = places.min(0), places.max(0)
    return tuple(np.round([*low, *high], 1).tolist())


def _floor(before: Legible | None) -> Legible:
    """What all labels must have: as they should, or most of what they have already."""
    if before is None:
        return Legible(LEAST_HEIGHT, LEAST_CONTRAST, OVER_GRAIN)
    height = min(LEAST_HEIGHT, KEPT * before.height)
    contrast = min(LEAST_CONTRAST, max(FAINT, PALE * before.contrast))
    return Legible(height, contrast, OVER_GRAIN)


def _can_be_read(legible: Legible | None, floor: Legible) -> bool:
    if legible is None:
        return True
    return all(have >= least for have, least in zip(legible, floor, strict=True))


def _measures(legible: Legible | None) -> str:
    assert legible is not None
    height, contrast, grain = legible
    return f"{height:.1f} px high at 448, contrast {contrast:.2f}, {grain:.1f} times the grain"


def _legible(picture: Image.Image, boxes: Sequence[Box]) -> Legible | None:
    """The least height, contrast and contrast over grain of all labels."""
    if not boxes:
        return None
    grey = np.asarray(picture.convert("L"), np.float32)
    scale = min(1.0, DOWNSCALED / max(picture.size))
    measures = [_of_label(grey, box, scale) for box in boxes]
    return Legible(*(round(min(column), 3) for column in zip(*measures, strict=True)))


def _of_label(grey: Array, box: Box, scale: float) -> tuple[float, float, float]:
    left, top, right, bottom = box
    rows = slice(max(0, round(top) - 2), round(bottom) + 2)
    columns = slice(max(0, round(left) - 2), round(right) + 2)
    part = grey[rows, columns]
    height = bottom - top
    if part.size < 9:
        return height * scale, 0.0, 0.0
    paper = float(np.median(part))
    dark, bright = np.percentile(part, [4, 96])
    ink = dark if paper - dark > bright - paper else bright
    contrast = abs(paper - float(ink)) / 255
    even = part[np.abs(part - paper) < 0.25 * abs(paper - float(ink)) + 1]
    grain = float(even.std()) / 255 if even.size > 9 else 0.0
    return height * scale, contrast, contrast / max(grain, 0.004)
