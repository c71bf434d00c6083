"""Compare line drawings: is this the same picture, re-encoded, resized, padded or cropped?

Perceptual hashes call a drawing with another number equal. Here the two drawings are trimmed to
their ink, brought to one size, and correlated in windows of the size of a character, each of which
may lie a pixel or two off: one changed digit stands out however large and dark the rest. The
residual ranks pairs for a person; only identical pixels decide.
"""

from __future__ import annotations

import hashlib
import io
from itertools import product
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ..base.files import read_bytes
from ..base.pictures import open_picture
from ..errors import UserError

Grey = NDArray[np.float32]

SCALE, SIDE = (
    1.5,
    1600,
)  # size of comparison: the smaller drawing's, enlarged, at most SIDE pixels
BLOCK = 4  # pixels: windows are 3 x 3 blocks, one at every block
ASPECT = 1.06  # ink boxes whose shapes differ by more are different drawings
INK = 0.35  # ink as a share of the darkest
TONE = 4  # grey levels that lossy encoding may add to or take from the paper
WINDOW = 3 * BLOCK
REACH = 2  # pixels by which a window may be off
SHIFTS = sorted(
    product(range(-REACH, REACH + 1), repeat=2),
    key=lambda s: (s[0] ** 2 + s[1] ** 2, s),
)
NOISE = 0.0015  # variance of a window of darknesses that means nothing
CONTRAST = 1 / 3  # how much paler one of two copies of a window may be
PALE = 0.03  # square of a darkness: shade beside blank counts from about 0.1 on
SAME, SIMILAR = 0.3, 0.5  # residuals
GLANCE = (
    192  # pixels of the shorter side of a picture at a glance, or up to twice as many
)
ORIENTATION = 0x0112  # EXIF


def pixels_of(path: Path) -> str:
    """A hash of all that a picture shows: decoded pixels, without margins of one pure colour.

    Equal hashes prove equal pictures. The colour of the margin, the turn and the colour profile
    that a file asks for count; what cannot be seen under full transparency does not. A moving
    picture equals only its own bytes. "" when the picture is missing or unreadable.
    """
    from PIL import Image

    try:
        data = read_bytes(path)
        picture, _ = open_picture(data, str(path))
    except (OSError, UserError):
        return ""
    with Image.open(io.BytesIO(data)) as file:
        about = [file.getexif().get(ORIENTATION, 1), file.info.get("icc_profile")]
        if getattr(file, "n_frames", 1) > 1:
            about.append(data)
    rgba = np.ascontiguousarray(np.asarray(picture.convert("RGBA")))
    pixels = rgba.view(np.uint32)[..., 0]
    if "A" in picture.getbands() or "transparency" in picture.info:
        pixels = np.where(rgba[..., 3] == 0, np.uint32(0), pixels)
    margin = pixels[0, 0]
    drawn = pixels != margin
    rows, columns = np.flatnonzero(drawn.any(1)), np.flatnonzero(drawn.any(0))
    if len(rows):
        pixels = pixels[rows[0] : rows[-1] + 1, columns[0] : columns[-1] + 1]
    head = repr((pixels.shape, int(margin), about)).encode()
    total = hashlib.sha256(head)
    total.update(np.ascontiguousarray(pixels).data)
    return total.hexdigest()


def ink_of(path: Path, *, glance: bool = False, data: bytes | None = None) -> Any:
    """Darkness (0 paper to 255 darkest) inside the ink box of a picture, as a grey Pillow image.

    At a `glance`, of a smaller copy of at least GLANCE pixels each way. A blank page is one pixel
    of paper. None when the picture is missing or unreadable. `data` are its bytes where they are
    at hand.
    """
    from PIL import Image

    try:
        data = read_bytes(path) if data is None else data
        picture, _ = open_picture(data, str(path), glance=GLANCE if glance else 0)
    except (OSError, UserError):
        return None
    light = on_white(picture).convert("L")
    if glance and min(light.size) >= 2 * GLANCE:
        light = light.reduce(min(light.size) // GLANCE)
    counts = np.array(light.histogram()[::-1])  # from light to dark
    paper = int(np.convolve(counts, np.ones(2 * TONE + 1), "same").argmax())
    darker = np.arange(256) - paper
    ink = (
        np.abs(darker) if paper > 127 else np.maximum(darker, 0)
    )  # dark paper: lighter is ink
    darkest = int(ink[counts > 0].max())
    if darkest < 16:
        return Image.new("L", (1, 1))
    tones = np.minimum(np.rint(ink[::-1] * (255 / darkest)), 255)
    box = light.point((tones > 255 * INK).astype(int).tolist()).getbbox()
    if glance and min(box[2] - box[0], box[3] - box[1]) < GLANCE // 2:
        return ink_of(path, data=data)  # a thin box needs all its pixels
    return light.crop(box).point(tones.astype(int).tolist())


def grey_of(ink: Any) -> Grey:
    """The pixels of an ink box as numbers from 0 to 1."""
    return np.asarray(ink, dtype=np.float32) / np.float32(255)


def on_white(picture: Any) -> Any:
    """A picture without transparency."""
    from PIL import Image

    if picture.mode != "RGBA":
        return picture
    return Image.alpha_composite(Image.new("RGBA", picture.size, "white"), picture)


def thumbnail(ink: Any) -> Grey:
    """16 x 16 densities of ink, centred and of length 1: their product is a correlation."""
    from PIL import Image

    small = ink.convert("F").resize((16, 16), Image.Resampling.BOX)
    values: Grey = np.asarray(small, dtype=np.float32).ravel()
    values = values - values.mean()
    return values / max(float(np.linalg.norm(values)), 1e-6)


def corners(ink: Any) -> int:
    """How much there is to see: corners of ink in the drawing at 64 x 64, 4 for a filled square.

    Lines along the axes add only their ends, so an empty grid has few and a labelled figure many.

    >>> from PIL import Image
    >>> corners(Image.new("L", (50, 50), 255)), corners(Image.new("L", (1, 1)))
    (4, 0)
    """
    from PIL import Image

    small = np.asarray(ink.resize((64, 64), Image.Resampling.BOX))
    dark = np.zeros((66, 66), bool)
    dark[1:-1, 1:-1] = small > 255 * INK / 2
    return int((dark[1:, 1:] ^ dark[:-1, 1:] ^ dark[1:, :-1] ^ dark[:-1, :-1]).sum())


def residual(a: Grey, b: Grey) -> float:
    """1 - correlation of the window that fits least: 0 for the same drawing, up to 1.

    >>> line = np.eye(50, dtype=np.float32)
    >>> residual(line, line), residual(line, line[::-1]) > SIMILAR
    (0.0, True)
    """
    shape_a, shape_b = (x.shape[1] / x.shape[0] for x in (a, b))
    if max(shape_a, shape_b) / min(shape_a, shape_b) > ASPECT:
        return 1.0
    height, width = min(a.shape, b.shape, key=lambda shape: shape[0] * shape[1])
    scale = min(SCALE, SIDE / max(height, width))
    size = max(1, round(width * scale)), max(1, round(height * scale))
    x, y = (_smooth(_resized(ink, (width, height), size)) for ink in (a, b))
    return round(float(np.clip(1 - _least_correlation(x, y), 0, 1)), 4)


def _resized(ink: Grey, *sizes: tuple[int, int]) -> Grey:
    from PIL import Image

    picture = Image.fromarray(ink)
    for size in sizes:
        picture = picture.resize(size, Image.Resampling.BICUBIC)
    return np.asarray(picture, dtype=np.float32)


def _smooth(ink: Grey) -> Grey:
    """Weights 1 2 1 both ways, with a blank margin: what sharpening and blurring leave alone."""
    margin = [(2 * BLOCK, 2 * BLOCK + -side % BLOCK) for side in ink.shape]
    out: Grey = np.pad(ink, margin)
    for axis in (0, 1):
        out = (np.roll(out, 1, axis) + 2 * out + np.roll(out, -1, axis)) * np.float32(
            0.25
        )
    return out


def _least_correlation(x: Grey, y: Grey) -> float:
    """Of all windows the worst, each at its best small shift; shifts end when all fit.

    One window that fits nowhere settles it, so whichever is the worst is tried alone.
    """
    of_x = _moments(x)
    best = _fits(x, of_x, y)
    tried = -1
    for shift in SHIFTS[1:]:
        worst = int(best.argmin())
        if best.flat[worst] >= 1 - SAME:
            break
        if worst != tried and _fits_nowhere(x, y, *np.unravel_index(worst, best.shape)):
            return 0.0
        tried = worst
        best = np.maximum(best, _fits(x, of_x, np.roll(y, shift, (0, 1))))
    return float(best.min())


def _fits_nowhere(x: Grey, y: Grey, row: np.intp, column: np.intp) -> bool:
    """Whether one window correlates at no small shift."""
    top, left = BLOCK * int(row), BLOCK * int(column)
    own = x[top : top + WINDOW, left : left + WINDOW]
    rows, columns = (np.arange(k - REACH, k + WINDOW + REACH) for k in (top, left))
    near = y.take(rows, 0, mode="wrap").take(columns, 1, mode="wrap")
    moved = np.lib.stride_tricks.sliding_window_view(near, own.shape)
    return bool(_fits(own, _moments(own), moved).max() <= 0)


def _fits(x: Grey, of_x: tuple[Grey, Grey], y: Grey) -> Grey:
    """How well each window of `y` fits that of `x`, whose moments are `of_x`.

    As far as both terms of structural similarity allow (Wang et al. 2004): its shape, whatever the
    contrast, and its shade.
    """
    (mean_x, spread_x), (mean, spread) = of_x, _moments(y)
    common = _windows(x * y) - mean_x * mean
    scale = np.maximum(
        np.sqrt(spread_x * spread), CONTRAST * np.maximum(spread_x, spread)
    )
    shape = (common + NOISE) / (scale + NOISE)
    shade = (2 * mean_x * mean + PALE) / (mean_x**2 + mean**2 + PALE)
    fits: Grey = np.minimum(shape, shade)
    return fits


def _moments(values: Grey) -> tuple[Grey, Grey]:
    """Means and variances of windows."""
    mean = _windows(values)
    return mean, np.maximum(_windows(values * values) - mean**2, 0)


def _windows(values: Grey) -> Grey:
    """Means of windows of 3 x 3 blocks, along the last two axes."""
    lines = values[..., 0::BLOCK, :].copy()
    for k in range(1, BLOCK):
        lines += values[..., k::BLOCK, :]
    sums = lines[..., 0::BLOCK].copy()
    for k in range(1, BLOCK):
        sums += lines[..., k::BLOCK]
    sums = sums[..., :-2, :] + sums[..., 1:-1, :] + sums[..., 2:, :]
    sums = sums[..., :-2] + sums[..., 1:-1] + sums[..., 2:]
    out: Grey = sums / np.float32(WINDOW**2)
    return out
