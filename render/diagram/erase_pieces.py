"""A label taken out of a box of a picture by whole connected pieces of ink.

Pieces that lie in the box are the label's letters: they go, and colour grows in from around
them. Pieces that go on outside are strokes of the figure: no pixel of them is changed, so that
nothing has to be drawn again.
"""

from __future__ import annotations

from itertools import combinations_with_replacement

import msgspec
import numpy as np

from ..figure import Array
from ..reading import components, is_solid, runs_of
from .canvas import spread
from .printed_words import Box

DARK = 110  # of 255: darker paper carries light ink
CONTRAST = 60  # a pixel so much darker than its ground is ink
WIDEST = 25  # pixels of a stroke across; what is wider is an area
REACH = 24  # pixels around a box: what ends there is a letter or a dash, not a stroke
MOSTLY = 0.8  # of a piece in the box: it goes whole
GRAZED = 0.2  # of a piece in the box, at most: it is none of the label's letters
SHALLOW = 3  # pixels: a stroke along a side of the box reaches no deeper into it
DETOUR = 9  # pixels: ink so far off every way through the box may be a letter
SPECK = 3  # pixels: what is smaller is no piece
MANY_SOLID = 3  # a minus and an equals sign are three bars; more are dashes
TALLER = 1.3  # of the letters: a longer bar is no character
SOFT = 3  # pixels around ink that its soft edges reach
GHOSTS = 10  # pixels around ink that JPEG fills with faint copies of its edges
EVEN = 12  # of 255: colours that differ by no more from that of most paper are paper
NO_PIECE = -1
STEP = 40  # of 255: neighbours that differ so much are of two areas


class Doubts(msgspec.Struct):
    """What a person must look at in an erased box."""

    cut: int = 0  # pieces that the box cuts, and strokes that end in it: both stay
    joined: int = 0  # pieces that hang on strokes and stay
    solid: int = 0  # dots and dashes that went
    blended: bool = False  # areas of several colours met under the letters


def erase_pieces(pixels: Array, box: Box) -> Doubts:
    """Take the letters out of a box, in place; returns what is doubtful about it."""
    window, inside = _around(pixels, box)
    ink = _ink_of(window, dark=float(np.median(pixels)) < DARK)
    letters = np.zeros_like(ink)
    strokes = np.zeros_like(ink)
    doubts = Doubts()
    cuts_dash = False
    for piece in _pieces(ink):
        share = piece[inside].sum() / piece.sum()
        if share == 0:
            continue
        if _goes_on(piece, inside):
            strokes |= piece
        elif share >= MOSTLY:
            letters |= piece
        elif share > GRAZED:
            doubts.cut += 1
            cuts_dash |= is_solid(*runs_of(piece).T)
    for piece in _pieces(strokes[inside]):
        exits = _exits(piece)
        if _leads_nowhere(piece, exits):
            if len(exits) == 1:
                doubts.cut += 1
            else:
                doubts.joined += 1
    if letters.any():
        doubts.solid = _solid_pieces(letters, cuts_dash)
        doubts.blended = _fill(window, letters, ink & ~letters)
    return doubts


def _around(pixels: Array, box: Box) -> tuple[Array, tuple[slice, slice]]:
    """The box with what is near it, as a view of the pixels, and where the box lies in that."""
    left, top, right, bottom = box
    x = max(0, left - REACH)
    y = max(0, top - REACH)
    window = pixels[y : bottom + REACH, x : right + REACH]
    return window, (slice(top - y, bottom - y), slice(left - x, right - x))


def _ink_of(window: Array, dark: bool) -> Array:
    """Where pixels are darker than the ground around them, or lighter on dark paper."""
    values = window.astype(np.int16)
    brightness = 255 - values.max(-1) if dark else values.min(-1)
    ground = np.pad(brightness, WIDEST // 2, mode="edge")
    for choose in (np.maximum, np.minimum):
        for axis in (0, 1):
            shifts = range(-(WIDEST // 2), WIDEST // 2 + 1)
            ground = choose.reduce([np.roll(ground, by, axis) for by in shifts])
    middle = slice(WIDEST // 2, -(WIDEST // 2))
    return np.asarray(brightness < ground[middle, middle] - CONTRAST)


def _pieces(ink: Array) -> list[Array]:
    """The connected pieces of ink, a mask for each."""
    numbers = _numbers_of_pieces(ink)
    return [numbers == number for number in range(int(numbers.max()) + 1)]


def _numbers_of_pieces(ink: Array) -> Array:
    """The number of the connected piece that each pixel belongs to."""
    numbers = np.full(ink.shape, NO_PIECE)
    runs = runs_of(ink)
    if len(runs):
        for (row, start, end), number in zip(runs, components(runs), strict=True):
            numbers[row, start:end] = number
    return numbers


def _goes_on(piece: Array, inside: tuple[slice, slice]) -> bool:
    """Whether a piece leaves what is near the box."""
    outside = piece.copy()
    outside[inside] = False
    return bool((outside & _rim(piece)).any())


def _rim(mask: Array) -> Array:
    """The outermost pixels of a mask's rectangle."""
    rim = np.ones_like(mask)
    rim[1:-1, 1:-1] = False
    return rim


def _exits(piece: Array) -> list[Array]:
    """Where a piece of ink of the box leaves it."""
    return _pieces(piece & _rim(piece))


def _leads_nowhere(piece: Array, exits: list[Array]) -> bool:
    """Whether some ink lies off every way from one exit to another, as a letter on a line does.

    The sides of a corner, crossing strokes and the mark of a right angle lie on such ways.
    """
    if not piece[SHALLOW:-SHALLOW, SHALLOW:-SHALLOW].any():
        return False
    distances = [_distances(piece, start) for start in exits]
    detour = np.full(piece.shape, np.inf)
    for here, there in combinations_with_replacement(range(len(exits)), 2):
        shortest = distances[here][exits[there]].min()
        way = distances[here] + distances[there]
        np.minimum(detour, way - shortest, out=detour)
    return bool(detour[piece].max() > DETOUR)


def _distances(piece: Array, start: Array) -> Array:
    """How far every pixel of a piece is from its start, through the piece."""
    distances = np.where(np.pad(start, 1), 0.0, np.inf)
    blocked = ~np.pad(piece, 1)
    steps = [(y, x) for y in (-1, 0, 1) for x in (-1, 0, 1) if (y, x) != (0, 0)]
    while True:
        nearer = [np.roll(distances, step, (0, 1)) + np.hypot(*step) for step in steps]
        reached = np.minimum.reduce([distances, *nearer])
        reached[blocked] = np.inf
        if np.array_equal(reached, distances):
            return distances[1:-1, 1:-1]
        distances = reached


def _solid_pieces(letters: Array, cuts_dash: bool) -> int:
    """How many dots and dashes are among the letters, where they can be no characters.

    They are so where they are many or longer than letters, or where the box cuts a dash, too.
    """
    lengths, heights = [], []
    for piece in _pieces(letters):
        rows, starts, ends = runs_of(piece).T
        height = int(rows.max() + 1 - rows.min())
        length = max(height, int(ends.max() - starts.min()))
        if length < SPECK:
            continue
        if is_solid(rows, starts, ends):
            lengths.append(length)
        else:
            heights.append(height)
    longest = TALLER * max(heights, default=0)
    too_long = max(lengths, default=0) > longest
    are_dashes = cuts_dash or too_long or len(lengths) > MANY_SOLID
    return len(lengths) if are_dashes else 0


def _fill(window: Array, letters: Array, stays: Array) -> bool:
    """Fill letters with the colours around them, in place; returns whether areas were blended."""
    near_strokes = _wider(stays, 1)
    hole = letters | (_wider(letters, SOFT) & ~near_strokes)
    around = _wider(letters, GHOSTS)
    known = ~hole & ~_wider(stays, SOFT)
    colors = window.astype(float)
    sample = known & around
    paper = np.median(colors[sample if sample.any() else ~letters], axis=0)
    is_paper = np.abs(colors - paper).max(-1) < EVEN
    ghosts = _numbers_of_pieces(~is_paper & ~near_strokes)
    # what goes on is a light grid, a tint, or a slope of grey
    ghosts[np.isin(ghosts, ghosts[~around])] = NO_PIECE
    hole |= ghosts != NO_PIECE
    known &= ~hole
    colors[is_paper | ~known] = paper
    _grow(colors, known, hole)
    blended = any(_meet_areas(colors, hole, axis) for axis in (0, 1))
    # What strokes part from all that is known.
    _grow(colors, known, np.ones_like(hole))
    window[hole] = np.round(colors[hole]).clip(0, 255).astype(np.uint8)
    return blended


def _wider(mask: Array, by: int) -> Array:
    """A mask grown by so many pixels on every side."""
    grown = spread(np.where(mask, 255, 0).astype(np.uint8), by)
    return np.asarray(grown[by:-by, by:-by] > 0)


def _meet_areas(colors: Array, hole: Array, axis: int) -> bool:
    """Whether neighbours along an axis that are both in the hole are of two areas."""
    steps = np.abs(np.diff(colors, axis=axis)).max(-1)
    both = np.delete(hole, -1, axis) & np.delete(hole, 0, axis)
    return bool((steps[both] > STEP).any())


def _grow(colors: Array, known: Array, free: Array) -> None:
    """Colours grow from known places into free ones, step by step, in place."""
    while True:
        total = np.zeros(colors.shape)
        count = np.zeros(known.shape)
        for axis, by in ((0, -1), (0, 1), (1, -1), (1, 1)):
            beside = np.roll(known, by, axis)
            came_around = 0 if by == 1 else -1
            np.moveaxis(beside, axis, 0)[came_around] = False
            total += np.roll(colors, by, axis) * beside[..., None]
            count += beside
        reached = free & ~known & (count > 0)
        if not reached.any():
            return
        colors[reached] = total[reached] / count[reached][:, None]
        known |= reached
