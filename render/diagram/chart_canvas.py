"""Matplotlib's canvas, with texts lettered as all labels of diagrams are."""

from __future__ import annotations

import re
from typing import Any

import numpy as np
from matplotlib.backends.backend_agg import FigureCanvasAgg, RendererAgg

from ..figure import NAME
from ..labels import Lettering, letter
from .canvas import hexadecimal
from .vector import Letters, Shape, Thing

Box = tuple[int, int, int, int]
DrawnText = tuple[Any, Lettering, Box, float]  # the artist, its letters, place and em


class ChartRenderer(RendererAgg):  # type: ignore[misc]
    """Agg, which keeps where each text was drawn."""

    def __init__(self, width: float, height: float, dpi: float) -> None:
        super().__init__(width, height, dpi)
        self.texts: list[DrawnText] = []
        self.things: list[Thing] = []
        self.hand = False
        self.draw_markers = self._draw_markers  # Agg's own is set on each renderer

    def _lettering(self, text: str, font: Any, ismath: Any) -> tuple[Lettering, float]:
        em = self.points_to_pixels(font.get_size_in_points())
        text = self._spelled(text, ismath)
        return letter(text, em, self.hand), em

    def _spelled(self, text: str, ismath: Any) -> str:
        if not ismath:  # Matplotlib took the backslash off a price's \$
            text = text.replace("$", r"\$")
        if re.fullmatch(NAME, text):  # upright: it is no point's name
            text = rf"$\mathrm{{{text}}}$"
        return text

    def get_text_width_height_descent(
        self, s: str, prop: Any, ismath: Any
    ) -> tuple[float, float, float]:
        lettering, _ = self._lettering(s, prop, ismath)
        width, height = lettering.size
        return width, height, height - lettering.rise

    def draw_text(
        self,
        gc: Any,
        x: float,
        y: float,
        s: str,
        prop: Any,
        angle: float,
        ismath: Any = False,
        mtext: Any = None,
    ) -> None:
        """Lay the mask of a text, upright or turned by a right angle; (x, y) is its baseline."""
        lettering, em = self._lettering(s, prop, ismath)
        wide, high = lettering.size
        below = high - lettering.rise
        left = round(x)
        low = round(y)
        self._renderer.draw_text_image(
            lettering.mask,
            left + below * (angle == 90),
            low + below * (angle != 90),
            angle,
            gc,
        )
        box = (left, low + below - high, left + wide, low + below)
        if angle == 90:
            box = (left + below - high, low - wide, left + below, low)
            lettering = Lettering(np.rot90(lettering.mask), lettering.missing)
        self.texts.append((mtext, lettering, box, em))
        letters = Letters(
            self._spelled(s, ismath),
            em,
            box[0],
            box[1],
            hand=self.hand,
            is_upright=angle == 90,
        )
        letters.color = hexadecimal(gc.get_rgb())
        self.things.append(letters)

    def draw_path(self, gc: Any, path: Any, transform: Any, face: Any = None) -> None:
        """Draw a path, and keep it as an outline."""
        super().draw_path(gc, path, transform, face)
        flat = transform.transform_path(path).cleaned(remove_nans=True, curves=True)
        inside = flat.codes != 0  # STOP
        vertices = flat.vertices[inside] * [1, -1] + [0, self.height]
        _, dashes = gc.get_dashes()
        width = self.points_to_pixels(gc.get_linewidth())
        shape = Shape(
            vertices,
            flat.codes[inside],
            hexadecimal(face),
            hexadecimal(gc.get_rgb()) if gc.get_linewidth() else "",
            width,
            tuple(self.points_to_pixels(part) for part in dashes or ()),
        )
        if len(vertices):
            self.things.append(shape)

    def _draw_markers(
        self,
        gc: Any,
        marker: Any,
        marker_trans: Any,
        path: Any,
        trans: Any,
        face: Any = None,
    ) -> None:
        """Markers are paths like others."""
        from matplotlib.transforms import Affine2D

        for x, y in trans.transform(path.vertices):
            place = marker_trans + Affine2D().translate(x, y)
            self.draw_path(gc, marker, place, face)

    def clear(self) -> None:
        super().clear()
        self.texts = []
        self.things = []


class ChartCanvas(FigureCanvasAgg):  # type: ignore[misc]
    """A canvas that draws by `ChartRenderer`, its texts by hand where that is set."""

    hand = False

    def get_renderer(self) -> ChartRenderer:
        key = (*self.get_width_height(physical=True), self.figure.dpi)
        if key != getattr(self, "_lastKey", None):
            self._lastKey, self.renderer = key, ChartRenderer(*key)
            self.renderer.hand = self.hand
        return self.renderer
