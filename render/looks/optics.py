"""What paper, lens, light and chalk do to a picture, by a strength from 0 to 1.

Every filter takes a picture in RGB, a strength and a source of chance, and returns the picture and
the way that its places travelled: a function of places (n, 2) in pixels.
"""

from __future__ import annotations

import io
from collections.abc import Callable
from typing import TYPE_CHECKING, Any

import numpy as np

if TYPE_CHECKING:
    from PIL import Image

Array = np.ndarray[Any, np.dtype[Any]]
Travel = Callable[[Array], Array]
Filtered = tuple[Any, Travel]
Chance = np.random.Generator
USUAL = 500.0  # pixels of the long side of a usual figure: blur and noise grow with it
TILE = 512  # pixels: a tile of noise, which repeats
BOARDS = ((38, 66, 55), (44, 58, 62), (30, 52, 40))
INKS = ((24, 36, 92), (28, 28, 34), (70, 70, 74))  # blue, black, pencil
DESKS = ((96, 72, 52), (70, 72, 76), (128, 116, 100))
CELL = 26  # pixels at a usual size: how fast a hand wavers


def scan(picture: Image.Image, strength: float, chance: Chance) -> Filtered:
    """Grey, a little askew, unevenly lit, blurred, speckled, and compressed."""
    unit = max(picture.size) / USUAL
    tilt = np.radians(chance.choice([-1, 1]) * (0.4 + 1.4 * strength))
    turned, travel = _warped(picture.convert("L"), _turned(picture.size, tilt), 250)
    pixels = np.asarray(turned, np.float32)
    paper = 1 - 0.16 * strength * _clouds(pixels.shape, chance, 3)
    pixels = 255 - (255 - pixels) * (1 - 0.25 * strength)  # faded ink
    pixels = _blurred(pixels * paper, (0.2 + 0.5 * strength) * unit)
    pixels += (2.5 + 7.5 * strength) * _noise(pixels.shape, chance)
    specks = _noise(pixels.shape, chance) > 4.2 - 0.7 * strength
    pixels[specks] -= 110 * strength
    return _compressed(pixels, 80 - 35 * strength), travel


def photo(picture: Image.Image, strength: float, chance: Chance) -> Filtered:
    """A sheet on a desk, seen askew, in uneven light, a little out of focus."""
    unit = max(picture.size) / USUAL
    width, height = picture.size
    edge = 0.05 * max(width, height)
    sheet = _on_paper(picture, round(edge))
    corners = _corners(sheet.size)
    askew = corners + chance.uniform(-1, 1, (4, 2)) * (0.02 + 0.05 * strength) * max(
        width, height
    )
    askew += (
        chance.uniform(-1, 1)
        * np.radians(4 * strength)
        * (corners - corners.mean(0))
        @ QUARTER
    )
    desk = DESKS[int(chance.integers(len(DESKS)))]
    seen, travel = _warped(sheet, askew, desk)
    pixels = np.asarray(seen, np.float32)
    light = 1.04 - (0.15 + 0.4 * strength) * _lamp(pixels.shape, chance)
    tint = np.array([1.0, 0.985, 0.95 - 0.05 * strength], np.float32)
    pixels = _blurred(pixels * light[..., None] * tint, (0.3 + 0.8 * strength) * unit)
    pixels += (3 + 9 * strength) * _noise(pixels.shape[:2], chance)[..., None]
    shift = np.array([round(edge)] * 2)
    return _compressed(pixels, 85 - 30 * strength), lambda places: travel(
        places + shift
    )


def blackboard(picture: Image.Image, strength: float, chance: Chance) -> Filtered:
    """Chalk on a board that was wiped before."""
    unit = max(picture.size) / USUAL
    board = np.array(BOARDS[int(chance.integers(len(BOARDS)))], np.float32)
    askew = _corners(picture.size)
    askew = askew + chance.uniform(-1, 1, (4, 2)) * 0.015 * strength * max(picture.size)
    seen, travel = _warped(picture, askew, "white")
    pixels = _blurred(np.asarray(seen, np.float32), 0.45 * unit)
    chalk = 1 - pixels.min(2) / 255
    grain = 1 - (0.18 + 0.3 * strength) * np.abs(_noise(chalk.shape, chance)).clip(
        0, 1.6
    )
    wiped = (8 + 26 * strength) * _clouds(chalk.shape, chance, 6)
    dust = (1.5 + 3 * strength) * _noise(chalk.shape, chance)
    ground = board + (wiped + dust)[..., None]
    hue = pixels - pixels.min(2)[..., None]  # coloured ink is coloured chalk
    color = np.array([238, 238, 228], np.float32) - 0.5 * (hue.max(2)[..., None] - hue)
    cover = (1.7 * chalk * grain).clip(0, 1)[..., None]
    return _compressed(ground * (1 - cover) + color * cover, 90 - 20 * strength), travel


def hand(picture: Image.Image, strength: float, chance: Chance) -> Filtered:
    """Lines that waver, in ink or pencil, on ruled or plain paper."""
    unit = max(picture.size) / USUAL
    sheet = _on_paper(picture, round(12 * unit))
    wavering, travel = _wavered(
        sheet, (0.8 + 1.6 * strength) * unit, CELL * unit, chance
    )
    pixels = np.asarray(wavering, np.float32)
    height, width = pixels.shape[:2]
    paper = np.empty((height, width, 3), np.float32)
    paper[...] = (252, 250, 243)
    paper -= (4 + 10 * strength) * _clouds((height, width), chance, 4)[..., None]
    if chance.random() < 0.6:  # ruled
        gap = round(30 * unit)
        paper[chance.integers(gap) :: gap] -= np.array([40, 26, 8], np.float32)
    ink = np.array(INKS[int(chance.integers(len(INKS)))], np.float32)
    cover = 1 - pixels / 255
    pressed = 1 - (0.1 + 0.3 * strength) * _clouds((height, width), chance, 24)
    grain = 1 - 0.16 * strength * np.abs(_noise((height, width), chance)).clip(0, 2)
    cover = cover * (pressed * grain)[..., None]
    drawn = paper * (1 - cover) + ink * cover
    shift = np.array([round(12 * unit)] * 2)
    return _compressed(_blurred(drawn, 0.3 * unit), 92), lambda places: travel(
        places + shift
    )


def clean(picture: Image.Image, strength: float, chance: Chance) -> Filtered:
    """As it is."""
    return picture, lambda places: places


FILTERS: dict[str, Callable[[Any, float, Chance], Filtered]] = {
    function.__name__: function for function in (clean, scan, photo, blackboard, hand)
}
QUARTER = np.array([[0.0, 1.0], [-1.0, 0.0]])


# Places


def _corners(size: tuple[int, int]) -> Array:
    width, height = size
    return np.array([[0, 0], [width, 0], [width, height], [0, height]], float)


def _turned(size: tuple[int, int], angle: float) -> Array:
    corners = _corners(size)
    middle = corners.mean(0)
    turn = np.array([[np.cos(angle), np.sin(angle)], [-np.sin(angle), np.cos(angle)]])
    return np.asarray(middle + (corners - middle) @ turn)


def _on_paper(picture: Image.Image, edge: int) -> Image.Image:
    from PIL import Image as Pillow

    width, height = picture.size
    sheet = Pillow.new("RGB", (width + 2 * edge, height + 2 * edge), "white")
    sheet.paste(picture, (edge, edge))
    return sheet


def _warped(picture: Image.Image, corners: Array, ground: Any) -> Filtered:
    """The picture with its corners at other places; the frame grows with them."""
    from PIL import Image as Pillow

    low = corners.min(0)
    size = tuple(np.ceil(corners.max(0) - low).astype(int).tolist())
    ahead = _projection(_corners(picture.size), corners - low)
    back = np.linalg.inv(ahead)
    back /= back[2, 2]
    warped = picture.transform(
        size,
        Pillow.Transform.PERSPECTIVE,
        back.ravel()[:8].tolist(),
        Pillow.Resampling.BICUBIC,
        fillcolor=ground,
    )

    def travel(places: Array) -> Array:
        there = np.column_stack([places, np.ones(len(places))]) @ ahead.T
        return np.asarray(there[:, :2] / there[:, 2:])

    return warped, travel


def _projection(before: Array, behind: Array) -> Array:
    """The projective map of four places to four others, 3 x 3."""
    rows = []
    for (x, y), (u, v) in zip(before, behind, strict=True):
        rows.append([x, y, 1, 0, 0, 0, -u * x, -u * y])
        rows.append([0, 0, 0, x, y, 1, -v * x, -v * y])
    solved = np.linalg.solve(np.array(rows), behind.ravel())
    return np.append(solved, 1).reshape(3, 3)


def _wavered(picture: Image.Image, by: float, cell: float, chance: Chance) -> Filtered:
    """Every place moved by a little, neighbours alike."""
    from PIL import Image as Pillow

    width, height = picture.size
    across = max(2, round(width / cell))
    down = max(2, round(height / cell))
    moves = np.clip(chance.standard_normal((down + 1, across + 1, 2)), -1.8, 1.8) * by
    moves[[0, -1]] = 0
    moves[:, [0, -1]] = 0
    x = np.linspace(0, width, across + 1).round()
    y = np.linspace(0, height, down + 1).round()
    nodes = np.stack(np.meshgrid(x, y), 2)
    from_nodes = nodes + moves
    mesh = []
    for r in range(down):
        for c in range(across):
            box = (
                *nodes[r, c].astype(int).tolist(),
                *nodes[r + 1, c + 1].astype(int).tolist(),
            )
            quad = [from_nodes[r, c], from_nodes[r + 1, c], from_nodes[r + 1, c + 1],
                    from_nodes[r, c + 1]]  # fmt: skip
            mesh.append((box, np.concatenate(quad).tolist()))
    moved = picture.transform(
        picture.size,
        Pillow.Transform.MESH,
        mesh,
        Pillow.Resampling.BICUBIC,
        fillcolor="white",
    )

    def travel(places: Array) -> Array:
        column = np.clip(places[:, 0] / width * across, 0, across - 1e-6)
        row = np.clip(places[:, 1] / height * down, 0, down - 1e-6)
        c, r = column.astype(int), row.astype(int)
        u, v = (column - c)[:, None], (row - r)[:, None]
        top = moves[r, c] * (1 - u) + moves[r, c + 1] * u
        bottom = moves[r + 1, c] * (1 - u) + moves[r + 1, c + 1] * u
        return np.asarray(places - top * (1 - v) - bottom * v)

    return moved, travel


# Light, grain and paper


def _noise(shape: Any, chance: Chance) -> Array:
    """Grain of unit size; a tile of it repeats from another start each time."""
    tile = chance.standard_normal((TILE, TILE), np.float32)
    height, width = shape[:2]
    rows = -(-height // TILE)
    columns = -(-width // TILE)
    return np.tile(tile, (rows, columns))[:height, :width]


def _clouds(shape: Any, chance: Chance, cells: int) -> Array:
    """A smooth field from 0 to 1, with so many hills along a side."""
    from PIL import Image as Pillow

    height, width = shape[:2]
    hills = Pillow.fromarray(chance.random((cells + 1, cells + 1), np.float32))
    return np.asarray(hills.resize((width, height), Pillow.Resampling.BICUBIC)).clip(
        0, 1
    )


def _lamp(shape: Any, chance: Chance) -> Array:
    """How far a place is from where the light falls, from 0 to about 1."""
    height, width = shape[:2]
    x = np.linspace(0, 1, width, dtype=np.float32) - np.float32(chance.random())
    y = np.linspace(0, 1, height, dtype=np.float32) - np.float32(chance.random())
    return (x**2 + y[:, None] ** 2) / 1.3


def _blurred(pixels: Array, radius: float) -> Array:
    from PIL import Image as Pillow
    from PIL import ImageFilter

    whole = Pillow.fromarray(pixels.clip(0, 255).astype(np.uint8))
    return np.asarray(whole.filter(ImageFilter.GaussianBlur(radius)), np.float32)


def _compressed(pixels: Array, quality: float) -> Any:
    """The picture as a JPEG of that quality shows it."""
    from PIL import Image as Pillow

    data = io.BytesIO()
    whole = Pillow.fromarray(pixels.clip(0, 255).astype(np.uint8))
    whole.save(data, "JPEG", quality=round(quality))
    data.seek(0)
    compressed = Pillow.open(data)
    compressed.load()
    compressed.info["jpeg"] = data.getvalue()
    return compressed
