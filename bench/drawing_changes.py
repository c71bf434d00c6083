"""What happens to a picture on its way: other encodings of it, and changes that make it another.

`real` applies both to pictures of published benchmarks, where the labels are found as connected
pieces of ink of the size of a character.
"""

from __future__ import annotations

import io
import random
from collections.abc import Iterator
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
from PIL import Image, ImageDraw, ImageFont

Picture = Image.Image
Box = tuple[slice, slice]
ALIKE = 0.6  # overlap of ink, as a share of both, from which two labels look alike


class Case(NamedTuple):
    """A drawing, other encodings of it, and drawings in which one thing has changed."""

    family: str
    picture: Picture
    copies: dict[str, Picture]
    changed: dict[str, Picture]


def encodings(picture: Picture) -> dict[str, Picture]:
    """The picture as other tools would hand it on."""
    paper = picture.getpixel((0, 0))
    width, height = picture.size
    padded = Image.new("RGB", (int(width * 1.3), int(height * 1.2)), paper)
    padded.paste(picture, (width // 10, height // 12))
    return {
        "JPEG 30": stored(picture, "JPEG", quality=30),
        "JPEG 60": stored(picture, "JPEG", quality=60),
        "JPEG 85": stored(picture, "JPEG", quality=85),
        "WebP 50": stored(picture, "WEBP", quality=50),
        "resize .5": sized(picture, 0.5),
        "resize .75": sized(picture, 0.75),
        "resize 1.5": sized(picture, 1.5),
        "grey": picture.convert("L").convert("RGB"),
        "1-bit": picture.convert("L").point(lambda v: 255 * (v > 127)).convert("RGB"),
        "padded": padded,
        "cropped": cropped(picture),
    }


def handed_on(picture: Picture, rng: random.Random) -> dict[str, Picture]:
    """The same by other means: other filters and qualities, and two steps in a row."""
    width, height = picture.size
    edge = picture.getpixel((0, 0))
    page = Image.new(
        "RGB", (width + rng.randint(20, 200), height + rng.randint(20, 200)), edge
    )
    page.paste(picture, (rng.randint(0, 20), rng.randint(0, 20)))
    factor = rng.uniform(0.55, 0.95)
    return {
        "JPEG": stored(picture, "JPEG", quality=rng.randint(35, 90)),
        "palette": picture.quantize(rng.choice([16, 64])).convert("RGB"),
        "smaller": sized(picture, factor, Image.Resampling.LANCZOS),
        "larger": sized(picture, rng.uniform(1.1, 2.2), Image.Resampling.BILINEAR),
        "padded": page,
        "cropped": cropped(picture),
        "smaller, JPEG": stored(sized(picture, factor), "JPEG", quality=60),
        "padded, WebP": stored(page, "WEBP", quality=60),
    }


def stored(picture: Picture, kind: str, **options: int) -> Picture:
    buffer = io.BytesIO()
    picture.save(buffer, kind, **options)
    return Image.open(buffer).convert("RGB")


def sized(
    picture: Picture, factor: float, filter: Any = Image.Resampling.BICUBIC
) -> Picture:
    width, height = picture.size
    return picture.resize(
        (max(1, round(width * factor)), max(1, round(height * factor))), filter
    )


def cropped(picture: Picture) -> Picture:
    """Without its margins, whatever the colour of the paper."""
    ink = _ink(picture)
    rows, columns = np.flatnonzero(ink.any(1)), np.flatnonzero(ink.any(0))
    if not len(rows):
        return picture
    return picture.crop(
        (int(columns[0]), int(rows[0]), int(columns[-1]) + 1, int(rows[-1]) + 1)
    )


def _ink(picture: Picture) -> np.ndarray:
    """Pixels that differ clearly from the paper."""
    grey = np.asarray(picture.convert("L"), dtype=int)
    border = np.concatenate([grey[0], grey[-1], grey[:, 0], grey[:, -1]])
    return np.abs(grey - int(np.median(border))) > 60


# -- real pictures


def real(paths: list[Path], seed: int = 11) -> Iterator[Case]:
    """Pictures in which at least two labels are found, with one of the labels or lines changed."""
    for path in paths:
        picture = Image.open(path).convert("RGB")
        if not 120 <= max(picture.size) <= 2000:
            continue
        rng = random.Random(f"{seed} {path.name}")
        changed = edits(picture, rng)
        if changed:
            yield Case(
                path.parent.parent.name, picture, handed_on(picture, rng), changed
            )


def edits(picture: Picture, rng: random.Random) -> dict[str, Picture]:
    """One label erased, replaced by a digit, or changed for another; one line moved."""
    from scipy.ndimage import find_objects, label

    pieces, _ = label(_ink(picture), np.ones((3, 3)))
    boxes = [
        (k, box) for k, box in enumerate(find_objects(pieces), 1) if box is not None
    ]
    labels = [(k, box) for k, box in boxes if _like_a_character(pieces, k, box)]
    if len(labels) < 2:
        return {}
    number, box = rng.choice(labels)
    erased = _without(picture, pieces, number, box)
    out = {"erased": erased}
    if digit := _with_digit(erased, picture, box, rng):
        out["digit"] = digit
    if other := _other_label(pieces, labels, number, box, rng):
        out["swapped"] = _swapped(picture, box, other)
    if moved := _moved_line(picture, pieces, boxes, rng):
        out["line"] = moved
    return out


def _like_a_character(pieces: np.ndarray, number: int, box: Box) -> bool:
    height, width = (s.stop - s.start for s in box)
    page = max(pieces.shape)
    density = (pieces[box] == number).mean()
    return (
        8 <= height <= 0.1 * page
        and 0.3 * height <= width <= 1.2 * height
        and 0.2 < density < 0.8
    )


def _paper(picture: Picture, box: Box) -> np.ndarray:
    """The usual colour just around a box."""
    (y, x) = box
    around = np.asarray(picture)[
        max(0, y.start - 3) : y.stop + 3, max(0, x.start - 3) : x.stop + 3
    ]
    edge = np.concatenate([around[0], around[-1], around[:, 0], around[:, -1]])
    return np.median(edge, axis=0).astype(np.uint8)


def _without(picture: Picture, pieces: np.ndarray, number: int, box: Box) -> Picture:
    """One piece of ink, with the grey pixels around it, painted over."""
    from scipy.ndimage import binary_dilation

    pixels = np.array(picture)
    pixels[binary_dilation(pieces == number, iterations=2)] = _paper(picture, box)
    return Image.fromarray(pixels)


def _with_digit(
    page: Picture, picture: Picture, box: Box, rng: random.Random
) -> Picture | None:
    """A digit of another shape in the place, height and colour of the label that was there."""
    (y, x) = box
    font = ImageFont.load_default(size=(y.stop - y.start) * 1.35)
    inside = np.asarray(picture)[box].reshape(-1, 3).astype(int)
    paper = _paper(picture, box).astype(int)
    colour = inside[np.abs(inside - paper).sum(1).argmax()]
    middle = ((x.start + x.stop) / 2, (y.start + y.stop) / 2)
    for digit in rng.sample("23456789", 8):
        out = page.copy()
        fill = tuple(map(int, colour))
        ImageDraw.Draw(out).text(middle, digit, fill=fill, font=font, anchor="mm")
        old, new = (_far(p, box, paper) for p in (picture, out))
        if (old & new).sum() < ALIKE * (old | new).sum():
            return out
    return None


def _far(picture: Picture, box: Box, paper: np.ndarray) -> np.ndarray:
    """Pixels of a box that are not paper."""
    return np.abs(np.asarray(picture)[box].astype(int) - paper).sum(-1) > 90


def _other_label(
    pieces: np.ndarray,
    labels: list[tuple[int, Box]],
    number: int,
    box: Box,
    rng: random.Random,
) -> Box | None:
    """A label of about this size and clearly another shape."""
    own = _shape(pieces, number, box)
    size = own.shape
    candidates = []
    for k, other in labels:
        height = other[0].stop - other[0].start
        if k != number and abs(height - (box[0].stop - box[0].start)) <= 0.2 * height:
            shape = _shape(pieces, k, other)
            union = (shape | own).sum()
            if shape.shape == size and (shape & own).sum() < ALIKE * union:
                candidates.append(other)
    return rng.choice(candidates) if candidates else None


def _shape(pieces: np.ndarray, number: int, box: Box) -> np.ndarray:
    small = Image.fromarray(pieces[box] == number).resize((16, 16))
    return np.asarray(small)


def _swapped(picture: Picture, a: Box, b: Box) -> Picture:
    out = picture.copy()
    for source, target in ((a, b), (b, a)):
        (y, x), (v, u) = source, target
        piece = picture.crop((x.start, y.start, x.stop, y.stop))
        paper = Image.new("RGB", (u.stop - u.start, v.stop - v.start), tuple(
            int(c) for c in _paper(picture, target)))  # fmt: skip
        out.paste(paper, (u.start, v.start))
        out.paste(piece, (u.start, v.start))
    return out


def _moved_line(
    picture: Picture,
    pieces: np.ndarray,
    boxes: list[tuple[int, Box]],
    rng: random.Random,
) -> Picture | None:
    """One long thin piece of ink, moved by a thirtieth of the page, at least four pixels."""
    page = max(pieces.shape)
    long = []
    for number, box in boxes:
        height, width = (s.stop - s.start for s in box)
        share = (pieces[box] == number).sum() / max(height, width) ** 2
        if 0.15 * page < max(height, width) < 0.8 * page and share < 0.15:
            long.append((number, box))
    if not long:
        return None
    number, box = rng.choice(long)
    from scipy.ndimage import binary_dilation

    mask = binary_dilation(pieces == number, iterations=1)
    out = np.array(_without(picture, pieces, number, box))
    step = max(4, page // 30)
    height, width = (s.stop - s.start for s in box)
    dy, dx = (step, 0) if width > height else (0, step)
    rows, columns = np.nonzero(mask)
    inside = (rows + dy < mask.shape[0]) & (columns + dx < mask.shape[1])
    rows, columns = rows[inside], columns[inside]
    out[rows + dy, columns + dx] = np.asarray(picture)[rows, columns]
    return Image.fromarray(out)
