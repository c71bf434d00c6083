"""Layout: how the plane of the figure falls on the pixels of the page."""

from __future__ import annotations

import msgspec
import numpy as np

from ...errors import UserError
from ..figure import Array, Dot, Figure, Stamp, Stroke
from ..labels import EM, Label, lettered
from .compose import Composition

WIDTH = 510  # pixels of a page at zoom 1
MARGIN = 54.0  # pixels at zoom 1, for labels outside: 0.36 inches
DIMENSION = 40  # pixels at zoom 1 more where labels have dimension lines


class Layout(msgspec.Struct):
    """Pixels = offset + scale * (x, y), with y turned down; zoom is the page's unit."""

    scale: Array
    offset: Array
    width: int
    height: int
    zoom: float

    def px(self, path: Array) -> Array:
        return self.offset + np.asarray(path, float) * self.scale

    def box(self, size: tuple[int, int]) -> Array:
        """Corners in pixels of a background picture of `size`."""
        width, height = size
        corners = np.array([[0, 0], [width, -height]])
        return np.round(self.px(corners)).astype(int)

    def along(self, figure: Figure, direction: Array) -> float:
        """The true length of one pixel at zoom 1 along a direction of the figure."""
        projected = figure.project(direction[None])[0]
        drawn = float(np.linalg.norm(projected * self.scale))
        length = float(np.linalg.norm(direction))
        return self.zoom * length / max(drawn, 1e-9)

    @property
    def pixel(self) -> tuple[float, float]:
        """One pixel at zoom 1 in units of the figure, along x and y."""
        x, y = (self.zoom / abs(float(scale)) for scale in self.scale)
        return x, y


class Fit(msgspec.Struct, frozen=True):
    """How one of several figures fits beside the others: its letters, and its scale at most."""

    larger: float = 1.0  # letters, in sizes of those of a figure that stands alone
    most: float = np.inf  # pixels for a unit


ALONE = Fit()


def lay_out(
    composition: Composition, width: int, enlarge: float = 1.0, fit: Fit = ALONE
) -> Layout:
    """Fit the figure into a page `width` pixels wide, at most 1.1 times as high.

    Raises UserError when there is nothing to draw.
    """
    zoom = fit.larger * width / WIDTH
    low, high = _extent(composition)
    size = high - low
    if not np.isfinite(size).all() or size.max() <= 1e-9:
        raise UserError(
            "the spec draws nothing", "add draw: items, axes: or two points"
        )
    has_dimensions = any(label.dimension for label in composition.labels)
    margin = (MARGIN + DIMENSION * has_dimensions) * zoom
    space = np.array([width, 1.1 * width]) - 2 * margin
    scale = np.minimum(_scale(composition, size, space), fit.most) * enlarge
    beside = _beyond(composition.labels, zoom, margin, width)
    beyond = np.array([beside, margin])
    if enlarge > 1:  # for dimension lines; what stays empty is cut
        beyond += np.array([90, 45]) * zoom
    page = np.ceil(size * scale + 2 * beyond).astype(int)
    left = low[0]
    top = high[1]
    offset = np.array([beyond[0] - left * scale[0], beyond[1] + top * scale[1]])
    return Layout(scale * [1, -1], offset, int(page[0]), int(page[1]), zoom)


def _scale(composition: Composition, size: Array, space: Array) -> Array:
    """Pixels for one unit of x and of y: as many for both, but for axes that need not agree."""
    axes = composition.axes
    if axes is not None and axes.y is not None and not axes.equal:
        width = space[0]
        return np.array([width, 0.8 * width]) / size
    at_least = 1e-9 * size.max()
    scale = space / np.maximum(size, at_least)
    return np.full(2, scale.min())


def _beyond(labels: list[Label], zoom: float, margin: float, width: int) -> float:
    """Pixels left and right of the figure: space for its widest label, within reason."""
    placed = [label for label in labels if label.kind != "fixed"]
    widths = [lettered(label, EM * zoom).size[0] for label in placed]
    widest = max(widths, default=0) + 14 * zoom
    return float(np.clip(widest, margin, margin + 0.12 * width))


def _extent(composition: Composition) -> tuple[Array, Array]:
    """The lower left and the upper right corner of all that is drawn, in the plane."""
    figure = composition.figure
    paths = [figure.project(at[None]) for at in figure.points.values()]
    for _, things in composition.drawn:
        for thing in things:
            if isinstance(thing, Dot):
                paths.append(figure.project(thing.at[None]))
            elif isinstance(thing, Stroke) and not thing.through:
                paths.append(figure.project(thing.path))
            elif isinstance(thing, Stamp):
                paths.append(thing.corners())
    axes = composition.axes
    if axes is not None:
        corners = zip(axes.x, axes.y or (0.0, 0.0), strict=True)
        paths.append(np.array(list(corners)))
    for label in composition.labels:
        if label.kind in ("fixed", "near"):
            paths.append(figure.project(label.anchor))
    if not paths:
        return np.zeros(2), np.zeros(2)
    every = np.concatenate(paths)
    return every.min(0), every.max(0)
