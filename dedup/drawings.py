"""Compare line drawings: is this the same picture, re-encoded, resized, padded or cropped?

Perceptual hashes call a drawing with another number equal. Here the two drawings are trimmed to
their ink, brought to one size, and correlated in windows of the size of a character, each of which
may lie a pixel or two off: one changed digit stands out however large and dark the rest. The
residual ranks pairs for a person; only identical pixels decide.
"""

from __future__ import annotations

import hashlib
import io
import math
from itertools import product
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ..base.files import read_bytes
from ..base.pictures import open_picture
from ..errors import UserError

Grey = NDArray[np.float32]
Moments = tuple[Grey, Grey]  # means and variances of windows

# The size of comparison is the smaller drawing's, enlarged, of at most SIDE pixels.
SCALE = 1.5
SIDE = 1600
BLOCK = 4  # pixels: windows are 3 x 3 blocks, one at every block
ASPECT = 1.06  # ink boxes whose shapes differ by more are different drawings
INK = 0.35  # ink as a share of the darkest
TONE = 4  # grey levels that lossy encoding may add to or take from the paper
WINDOW = 3 * BLOCK
REACH = 2  # pixels by which a window may be off
# All shifts within reach, the smallest first.
SHIFTS = sorted(
    product(range(-REACH, REACH + 1), repeat=2),
    key=lambda shift: (shift[0] ** 2 + shift[1] ** 2, shift),
)
NOISE = 0.0015  # variance of a window of darknesses that means nothing
CONTRAST = 1 / 3  # how much paler one of two copies of a window may be
PALE = 0.03  # square of a darkness: shade beside blank counts from about 0.1 on
# Residuals up to which two drawings are the same, or similar.
SAME = 0.3
SIMILAR = 0.5
# Pixels of the shorter side of a picture at a glance, or up to twice as many.
GLANCE = 192
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
    pixels = _colours(picture)
    margin = pixels[0, 0]
    pixels = _trimmed(pixels, margin)
    header = repr((pixels.shape, int(margin), about)).encode()
    digest = hashlib.sha256(header)
    digest.update(np.ascontiguousarray(pixels).data)
    return digest.hexdigest()


def _colours(picture: Any) -> NDArray[np.uint32]:
    """One number for the colour of each pixel; what is fully transparent has one, too."""
    rgba = np.asarray(picture.convert("RGBA"))
    rgba = np.ascontiguousarray(rgba)
    pixels = rgba.view(np.uint32)[..., 0]
    if "A" in picture.getbands() or "transparency" in picture.info:
        opacity = rgba[..., 3]
        pixels = np.where(opacity == 0, np.uint32(0), pixels)
    return pixels


def _trimmed(pixels: NDArray[np.uint32], margin: np.uint32) -> NDArray[np.uint32]:
    """Without the lines and columns at the sides that are all margin; a blank page as it is."""
    drawn = pixels != margin
    rows = np.flatnonzero(drawn.any(axis=1))
    columns = np.flatnonzero(drawn.any(axis=0))
    if not len(rows):
        return pixels
    return pixels[rows[0] : rows[-1] + 1, columns[0] : columns[-1] + 1]


def ink_of(path: Path, *, glance: bool = False, data: bytes | None = None) -> Any:
    """Darkness (0 paper to 255 darkest) inside the ink box of a picture, as a grey Pillow image.

    At a `glance`, of a smaller copy of at least GLANCE pixels each way. A blank page is one pixel
    of paper. None when the picture is missing or unreadable. `data` are its bytes where they are
    at hand.
    """
    from PIL import Image

    try:
        if data is None:
            data = read_bytes(path)
        picture, _ = open_picture(data, str(path), glance=GLANCE if glance else 0)
    except (OSError, UserError):
        return None
    light = on_white(picture).convert("L")
    shorter = min(light.size)
    if glance and shorter >= 2 * GLANCE:
        light = light.reduce(shorter // GLANCE)
    tones = _tones(light)
    if tones is None:
        return Image.new("L", (1, 1))
    is_ink = (tones > 255 * INK).astype(int)
    box = light.point(is_ink.tolist()).getbbox()
    left, top, right, bottom = box
    if glance and min(right - left, bottom - top) < GLANCE // 2:
        return ink_of(path, data=data)  # a thin box needs all its pixels
    return light.crop(box).point(tones.astype(int).tolist())


def _tones(light: Any) -> Any:
    """The darkness that stands for each grey level, from 0 to 255; None for a blank page."""
    counts = np.array(light.histogram()[::-1])  # from light to dark
    near_levels = np.ones(2 * TONE + 1)
    paper = int(np.convolve(counts, near_levels, "same").argmax())
    darker = np.arange(256) - paper
    # On dark paper only what is lighter is ink.
    ink = np.abs(darker) if paper > 127 else np.maximum(darker, 0)
    darkest = int(ink[counts > 0].max())
    if darkest < 16:
        return None
    return np.minimum(np.rint(ink[::-1] * (255 / darkest)), 255)


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
    dark = np.zeros((66, 66), bool)  # with a margin all round
    dark[1:-1, 1:-1] = small > 255 * INK / 2
    edges = dark[:-1] ^ dark[1:]
    ends = edges[:, :-1] ^ edges[:, 1:]
    return int(ends.sum())


def residual(a: Grey, b: Grey) -> float:
    """1 - correlation of the window that fits least: 0 for the same drawing, up to 1.

    >>> line = np.eye(50, dtype=np.float32)
    >>> residual(line, line), residual(line, line[::-1]) > SIMILAR
    (0.0, True)
    """
    shapes = [ink.shape[1] / ink.shape[0] for ink in (a, b)]
    if max(shapes) / min(shapes) > ASPECT:
        return 1.0
    height, width = min(a.shape, b.shape, key=math.prod)
    scale = min(SCALE, SIDE / max(height, width))
    # First to one size, then to the size of comparison.
    one_size = (width, height)
    compared = (max(1, round(width * scale)), max(1, round(height * scale)))
    x = _smooth(_resized(a, one_size, compared))
    y = _smooth(_resized(b, one_size, compared))
    unlike = 1 - _least_correlation(x, y)
    clipped = min(max(unlike, 0.0), 1.0)
    return round(clipped, 4)


def _resized(ink: Grey, *sizes: tuple[int, int]) -> Grey:
    from PIL import Image

    picture = Image.fromarray(ink)
    for size in sizes:
        picture = picture.resize(size, Image.Resampling.BICUBIC)
    return np.asarray(picture, dtype=np.float32)


def _smooth(ink: Grey) -> Grey:
    """Weights 1 2 1 both ways, with a blank margin: what sharpening and blurring leave alone."""
    # The sides become multiples of a block.
    margin = [(2 * BLOCK, 2 * BLOCK + -side % BLOCK) for side in ink.shape]
    smooth: Grey = np.pad(ink, margin)
    for axis in (0, 1):
        before = np.roll(smooth, 1, axis)
        behind = np.roll(smooth, -1, axis)
        smooth = (before + 2 * smooth + behind) * np.float32(0.25)
    return smooth


def _least_correlation(x: Grey, y: Grey) -> float:
    """Of all windows the worst, each at its best small shift; shifts end when all fit.

    One window that fits nowhere settles it, so whichever is the worst is tried alone.
    """
    of_x = _moments(x)
    best = _fits(x, of_x, y)
    last_tried = -1
    for shift in SHIFTS[1:]:
        worst = int(best.argmin())
        if best.flat[worst] >= 1 - SAME:
            break
        if worst != last_tried:
            row, column = np.unravel_index(worst, best.shape)
            if _fits_nowhere(x, y, int(row), int(column)):
                return 0.0
        last_tried = worst
        shifted = np.roll(y, shift, axis=(0, 1))
        best = np.maximum(best, _fits(x, of_x, shifted))
    return float(best.min())


def _fits_nowhere(x: Grey, y: Grey, row: int, column: int) -> bool:
    """Whether one window correlates at no small shift."""
    top = BLOCK * row
    left = BLOCK * column
    window = x[top : top + WINDOW, left : left + WINDOW]
    rows = np.arange(top - REACH, top + WINDOW + REACH)
    columns = np.arange(left - REACH, left + WINDOW + REACH)
    near = y.take(rows, 0, mode="wrap").take(columns, 1, mode="wrap")
    shifted = np.lib.stride_tricks.sliding_window_view(near, window.shape)
    return bool(_fits(window, _moments(window), shifted).max() <= 0)


def _fits(x: Grey, of_x: Moments, y: Grey) -> Grey:
    """How well each window of `y` fits that of `x`, whose moments are `of_x`.

    As far as both terms of structural similarity allow (Wang et al. 2004): its shape, whatever the
    contrast, and its shade.
    """
    mean_x, variance_x = of_x
    mean_y, variance_y = _moments(y)
    means = mean_x * mean_y
    covariance = _windows(x * y) - means
    deviation = np.sqrt(variance_x * variance_y)
    least = CONTRAST * np.maximum(variance_x, variance_y)
    shape = (covariance + NOISE) / (np.maximum(deviation, least) + NOISE)
    shade = (2 * means + PALE) / (mean_x**2 + mean_y**2 + PALE)
    fits: Grey = np.minimum(shape, shade)
    return fits


def _moments(values: Grey) -> Moments:
    """Means and variances of windows."""
    mean = _windows(values)
    variance = _windows(values * values) - mean**2
    return mean, np.maximum(variance, 0)


def _windows(values: Grey) -> Grey:
    """Means of windows of 3 x 3 blocks, along the last two axes."""
    lines = values[..., 0::BLOCK, :].copy()
    for k in range(1, BLOCK):
        lines += values[..., k::BLOCK, :]
    blocks = lines[..., 0::BLOCK].copy()
    for k in range(1, BLOCK):
        blocks += lines[..., k::BLOCK]
    columns = blocks[..., :-2, :] + blocks[..., 1:-1, :] + blocks[..., 2:, :]
    windows = columns[..., :-2] + columns[..., 1:-1] + columns[..., 2:]
    means: Grey = windows / np.float32(WINDOW**2)
    return means
