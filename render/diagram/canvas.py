"""The canvas: Agg draws strokes into an array of pixels; masks of text are laid over it."""

from __future__ import annotations

from typing import Any

import numpy as np

from ..figure import COLORS, TINTS, Array, Dot, Stroke
from .vector import Letters, Raster, Shape, Thing, polyline

POINT = 150 / 72  # pixels per point at zoom 1
INK = 190  # darker than this is ink: the light grid and tints are not
FAINT = 40  # of 255: what of a text's soft edge is lighter has no halo
DASH = (4, 3)  # points on and off
HEAD = 8.5  # pixels at zoom 1: the length of an arrowhead
DOT = 3.6  # pixels at zoom 1: the radius of a dot


class Canvas:
    """A white page of pixels; y points down. `zoom` scales widths, arrowheads and dots."""

    def __init__(
        self, width: int, height: int, zoom: float = 1.0, base: Array = None
    ) -> None:
        from matplotlib.backends.backend_agg import RendererAgg

        self.zoom = zoom
        self.renderer = RendererAgg(width, height, 72)
        # A view of the renderer's own memory.
        self.pixels = np.asarray(self.renderer.buffer_rgba())
        self.pixels[...] = 255
        self.things: list[Thing] = []  # the same, as outlines
        if base is not None:
            self.pixels[..., :3] = base
            self.things.append(raster(base, 0, 0))

    def stroke(self, stroke: Stroke) -> None:
        """Draw a stroke whose path is in pixels."""
        from matplotlib.colors import to_rgb

        path = np.asarray(stroke.path, float)
        color = to_rgb(COLORS[stroke.color])
        size = HEAD * self.zoom
        for end, has_head in enumerate(stroke.arrows):
            if has_head:
                head, path = arrowhead(path, end, size)
                self._path(head, True, 0.6, stroke.color, False, color)
        fill = to_rgb(TINTS[stroke.fill]) if stroke.fill else None
        # Of regions, what several share shows all their tints.
        below = self.pixels.copy() if stroke.light and stroke.fill else None
        self._path(path, stroke.closed, stroke.width, stroke.color, stroke.dash, fill)
        if below is not None:
            np.minimum(self.pixels, below, out=self.pixels)

    def dot(self, dot: Dot) -> None:
        """Draw a dot whose place is in pixels."""
        from matplotlib.colors import to_rgb

        t = np.linspace(0, 2 * np.pi, 25)[:-1]
        circle = np.stack([np.cos(t), np.sin(t)], 1)
        radius = DOT * self.zoom
        ring = dot.at + radius * circle
        fill = to_rgb("#ffffff" if dot.open else COLORS[dot.color])
        self._path(ring, True, 1.1, dot.color, False, fill)

    def _path(
        self, xy: Array, closed: bool, width: float, color: str, dash: bool, fill: Any
    ) -> None:
        from matplotlib.path import Path
        from matplotlib.transforms import IdentityTransform

        gc = self.renderer.new_gc()
        gc.set_foreground(COLORS[color])
        gc.set_joinstyle("round")
        gc.set_snap(False)
        thickness = width * POINT * self.zoom
        if dash:
            gc.set_linewidth(thickness * 0.8)
            gc.set_capstyle("butt")
            gc.set_dashes(0, [POINT * self.zoom * part for part in DASH])
        else:
            gc.set_linewidth(thickness)
            gc.set_capstyle("round")
        x, y = xy.T
        vertices = np.column_stack([x, self.renderer.height - y])  # Agg: y points up
        if closed:
            vertices = np.vstack([vertices, vertices[:1]])
        dashes = tuple(POINT * self.zoom * part for part in DASH) if dash else ()
        thick = thickness * 0.8 if dash else thickness
        line = COLORS[color] if width else ""
        shape = Shape(*polyline(xy, closed), hexadecimal(fill), line, thick, dashes)
        self.things.append(shape)
        path = Path(vertices, closed=closed)
        path.should_simplify = False
        self.renderer.draw_path(gc, path, IdentityTransform(), fill)

    def paste(self, picture: Any, corners: Array) -> None:
        """Lay a picture between two corners in pixels, enlarged or made smaller smoothly."""
        from PIL import Image

        (left, bottom), (right, top) = np.round(corners).astype(int).tolist()
        width = max(1, right - left)
        height = max(1, bottom - top)
        fitted = picture.resize((width, height), Image.Resampling.LANCZOS)
        view = self.pixels[top : top + height, left : left + width, :3]
        inside = view.shape[:2]  # less of it at an edge of the page
        view[...] = np.asarray(fitted)[: inside[0], : inside[1]]
        self.things.append(Raster(picture, left, top, width, height))

    def text(
        self, mask: Array, letters: Letters, color: str = "black", halo: int = 0
    ) -> None:
        """Lay the mask of letters over the pixels, where they stand."""
        from matplotlib.colors import to_rgb

        x, y = int(letters.left), int(letters.top)
        letters.color, letters.halo = COLORS[color], halo
        self.things.append(letters)

        if halo:
            paper = self._paper(mask, x, y)
            self._blend(spread(mask, halo), x - halo, y - halo, paper)
        self._blend(mask, x, y, to_rgb(COLORS[color]))

    def _paper(self, mask: Array, x: int, y: int) -> tuple[float, ...]:
        """The colour of the paper under a mask: what most of it is, unless that is ink."""
        white = (1.0, 1.0, 1.0)
        height, width = mask.shape
        rows = slice(max(y, 0), y + height)
        columns = slice(max(x, 0), x + width)
        under = self.pixels[rows, columns, :3]
        if not under.size:
            return white
        colors = under.reshape(-1, 3)
        color = np.median(colors, axis=0) / 255
        red, green, blue = color.tolist()
        return (red, green, blue) if green * 255 >= INK else white

    def _blend(self, mask: Array, x: int, y: int, color: tuple[float, ...]) -> None:
        """Lay a colour over the pixels, as opaque as the mask; what lies outside is cut off."""
        height, width = self.pixels.shape[:2]
        top = max(0, -y)
        left = max(0, -x)
        bottom = max(top, height - y)
        right = max(left, width - x)
        cut = mask[top:bottom, left:right]
        if not cut.size:
            return
        rows = slice(y + top, y + top + cut.shape[0])
        columns = slice(x + left, x + left + cut.shape[1])
        view = self.pixels[rows, columns, :3]
        alpha = cut[..., None].astype(np.uint32)
        paint = np.round(np.array(color) * 255).astype(np.uint32)
        blended = view * (255 - alpha) + paint * alpha
        view[...] = (blended + 127) // 255  # rounded

    def ink(self) -> Array:
        """Where there is ink, as booleans."""
        green = self.pixels[..., 1]  # which carries most of the brightness
        return np.asarray(green < INK)


def raster(pixels: Array, left: float, top: float) -> Raster:
    """Pixels as a picture among outlines."""
    from PIL import Image

    height, width = pixels.shape[:2]
    picture = Image.fromarray(np.ascontiguousarray(pixels))
    return Raster(picture, left, top, width, height)


def hexadecimal(color: Any) -> str:
    """A colour of Matplotlib's as `#rrggbb`; "" for none."""
    if color is None:
        return ""
    return "#" + "".join(f"{round(255 * float(part)):02x}" for part in color[:3])


def spread(mask: Array, by: int) -> Array:
    """A mask grown by `by` pixels on every side: the halo of a text."""
    grown = np.pad(mask, by)
    for axis in (0, 1):
        shifts = [np.roll(grown, k, axis) for k in range(-by, by + 1)]
        grown = np.maximum.reduce(shifts)
    is_near = grown > FAINT
    return np.where(is_near, 255, 0).astype(np.uint8)


def arrowhead(path: Array, end: int, size: float) -> tuple[Array, Array]:
    """The head at an end (0 start, 1 stop) of a path, and the path shortened to its base."""
    if not end:
        path = path[::-1]
    tip = path[-1]
    distances = np.linalg.norm(path - tip, axis=1)
    outside = np.flatnonzero(distances > size * 0.8)
    shaft = path[: outside[-1] + 1] if len(outside) else path[:1]
    base_to_tip = tip - shaft[-1]
    length = float(np.linalg.norm(base_to_tip))
    length = max(length, 1e-9)
    ahead = base_to_tip / length
    side = np.array([-ahead[1], ahead[0]])
    base = tip - size * ahead
    notch = base + 0.2 * size * ahead
    barb = 0.36 * size * side
    head = np.stack([tip, base + barb, notch, base - barb])
    end_of_shaft = tip - 0.7 * size * ahead
    shortened = np.vstack([shaft, end_of_shaft])
    return head, shortened if end else shortened[::-1]


def uncovered(path: Array, covers: list[Array]) -> Array:
    """A path in pixels without its ends that lie under covers, for heads of arrows to be seen."""
    from matplotlib.path import Path

    steps = np.linalg.norm(np.diff(path, axis=0), axis=1)
    along = np.concatenate([[0.0], np.cumsum(steps)])
    length = along[-1]
    places = np.linspace(0, length, max(2, int(length)))
    x, y = (np.interp(places, along, values) for values in path.T)
    points = np.stack([x, y], 1)
    under = [Path(cover).contains_points(points) for cover in covers]
    is_covered = np.any(under, 0)
    free = np.flatnonzero(~is_covered)
    if not len(free):
        return path
    first = free[0]
    last = free[-1]
    is_between = (along > places[first]) & (along < places[last])
    start = points[first]
    end = points[last]
    return np.concatenate([start[None], path[is_between], end[None]])
