"""Draw a diagram from a spec: the way from text to picture.

spec -> Composition (true coordinates, checked) -> Layout (pixels) -> ink -> labels -> Drawing
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from contextlib import suppress
from functools import partial
from typing import TYPE_CHECKING, Any

import msgspec
import numpy as np

from ...base.pictures import encode_drawing
from ...errors import UserError
from ..figure import (
    Array,
    Dot,
    Stamp,
    Stroke,
    axes_strokes,
    fill_apart,
    read_spec,
    split,
)
from ..issues import Issue
from ..labels import EM, PAD, Label, Placed, Scene, axes_labels, place
from ..reading import letter_height
from .canvas import Canvas, uncovered
from .charts import chart_pictures
from .compose import Composition, compose, mark
from .description import annotate
from .erase import erased
from .facts import is_covered, parts
from .label_values import contradictions
from .layout import ALONE, Fit, Layout, lay_out
from .letter_sizes import em_of, small_letters
from .lint_undrawn import undrawn
from .overlay import ink_of, lay_over, on_white, prepare
from .panels import GAP, Panel, draw_panels, panel_width, panels_of
from .sheets import sheet_kind
from .vector import Letters, Thing, to_pdf, to_svg

if TYPE_CHECKING:
    from PIL import Image

WIDTH = 510  # pixels: 3.4 inches at 150 dpi
SMALLEST, LARGEST = 120, 4000
ALIKE = 4.0  # panels whose scales differ by less have one
LEAST_EM = (
    0.025  # of the width of all panels: capitals of 9 pixels at 448, as panels are cut
)
LARGER = 3.0  # letters of panels that are made smaller, at most
ENLARGED, MOST = 1.25, 2.0  # the canvas, where labels need room
WHITE = 250  # of 255: what is darker is drawn
AXES = ("axes", "axes.names")  # numbers and names of axes are always shown
OVER_INK = ("halo", "crossing", "covering", "leader")  # labels that may stand on ink


class Drawing(msgspec.Struct):
    """A diagram: its picture (RGB, or L when it is grey), its issues, and its text for judges."""

    picture: Any  # PIL.Image.Image
    issues: list[Issue]
    annotation: str
    labels: list[Placed] = []  # where every label stands, in pixels of the picture
    things: list[Thing] = []  # the same as outlines
    composition: Composition | None = None  # what is drawn; None of panels

    def png(self) -> bytes:
        """The picture as PNG: the same bytes everywhere."""
        return encode_drawing(self.picture)

    def svg(self) -> bytes:
        """The drawing as SVG, its letters as outlines: the same bytes everywhere."""
        return to_svg(self.things, self.picture.size)

    def pdf(self) -> bytes:
        """The drawing as a PDF of one page, as large as papers print figures."""
        return to_pdf(self.things, self.picture.size)

    def __repr__(self) -> str:
        width, height = self.picture.size
        return f"<Drawing: {width} x {height} pixels, {len(self.issues)} issues>"

    def _repr_png_(self) -> bytes:
        return self.png()


def draw(
    spec: Mapping[str, Any] | str,
    *,
    tags: set[str] | None = None,
    width_px: int = WIDTH,
    background: Image.Image | None = None,
    pictures: Mapping[str, Image.Image] | None = None,
) -> Drawing:
    """Draw a spec (YAML text or mapping), showing only what carries one of `tags` (None: all).

    A tag is a role (DI, IP, EC) or the id of a condition. Draw items are DI and marks IP unless
    they say otherwise; labels are EC, but names of points DI. So `{"DI", "IP"}` is MathVerse's
    base picture (Text Dominant, Text Lite, Vision Intensive) and None that of Vision Dominant.
    The picture is at most `width_px` pixels wide, a quarter more when labels need the space.
    `pictures` are those that the spec places, by their names in it.

    >>> draw("{points: {A: [0, 0], B: [4, 0], C: [0, 3]}, draw: [{polygon: ABC}]}").issues
    []

    Raises UserError for a spec that cannot be drawn as it says.
    """
    options: dict[str, Any] = {"background": background, "pictures": pictures}
    return draw_each(spec, [tags], width_px=width_px, **options)[0]


def draw_each(
    spec: Mapping[str, Any] | str,
    tag_sets: Iterable[set[str] | None],
    *,
    width_px: int = WIDTH,
    background: Image.Image | None = None,
    pictures: Mapping[str, Image.Image] | None = None,
    hand: bool = False,
    fit: Fit = ALONE,
) -> list[Drawing]:
    """One drawing for each set of tags, as `draw` makes it; the spec is read and checked once.

    With `hand` labels are written by hand; `fit` is for one of several figures side by side.
    """
    if not SMALLEST <= width_px <= LARGEST:
        raise UserError(f"width of {width_px} pixels", f"use {SMALLEST} to {LARGEST}")
    spec = read_spec(spec)
    if spec.get("panels"):
        return [_panels(spec, tags, width_px, pictures, hand) for tags in tag_sets]
    whole = compose(spec)
    whole.hand = hand
    for label in whole.labels:
        label.hand = hand
    _fetch(whole, pictures or {})
    if whole.figure.upside_down and background is None:
        raise UserError("kind picture without its picture", "name it under background:")
    if spec.get("erase") and not whole.figure.upside_down:
        raise UserError("erase without a picture", "it is for kind: picture")
    if sheet_kind(spec) == "chart":
        (chart, _), *_ = whole.drawn
        # The chart comes first: its data are checked when they are drawn.
        charts = list(chart_pictures(chart, width_px, tag_sets, hand, fit.larger))
        annotation = annotate(whole)
        return [
            Drawing(_picture(pixels), issues, annotation, placed, things, whole)
            for pixels, placed, issues, things in charts
        ]
    erase_issues: list[Issue] = []
    letters: float | None = None
    if background is not None:
        background = on_white(background)
        # Letters that are erased tell how large the picture's letters are, too.
        letters = letter_height(prepare(background, width_px))
        background, erase_issues = erased(spec, background)
    _show_whole_lengths(whole)
    plan = _best_plan(whole, width_px, background, letters, fit)
    drawings = []
    for tags in tag_sets:
        composition = visible(whole, tags)
        drawing = _drawn(plan, composition, tags)
        if whole.is_to_scale and background is None:
            drawing.issues += contradictions(composition)
        if background is None and tags is None:
            drawing.issues += undrawn(composition)
        drawing.issues += [*whole.issues, *erase_issues]
        drawing.issues += small_letters(drawing.labels, drawing.picture.size)
        drawing.annotation = annotate(composition)
        drawing.composition = composition
        drawings.append(drawing)
    return drawings


def _fetch(composition: Composition, pictures: Mapping[str, Image.Image]) -> None:
    """Each picture that is placed, on white. Raises UserError for one that is not there."""
    for item, things in composition.drawn:
        for stamp in _stamps(things):
            if stamp.name not in pictures:
                raise item.error(f"no picture {stamp.name!r}", "put it beside the spec")
            stamp.picture = on_white(pictures[stamp.name])


def _stamps(things: Iterable[Stroke | Dot | Stamp]) -> list[Stamp]:
    return [thing for thing in things if isinstance(thing, Stamp)]


def _panels(
    spec: dict[str, Any],
    tags: set[str] | None,
    width: int,
    pictures: Mapping[str, Image.Image] | None,
    hand: bool,
) -> Drawing:
    fit = Fit()

    def draw_panel(panel: dict[str, Any], tags: set[str] | None, width: int) -> Panel:
        options: dict[str, Any] = {"pictures": pictures, "hand": hand, "fit": fit}
        (drawing,) = draw_each(panel, [tags], width_px=width, **options)
        pixels = np.asarray(drawing.picture.convert("RGB"))
        return Panel(
            pixels, drawing.labels, drawing.issues, drawing.annotation, drawing.things
        )

    cell = panel_width(spec, width)
    fit = _fit_of(spec, cell)
    whole = draw_panels(spec, tags, width, draw_panel, hand, fit.larger)
    long_side = max(whole.pixels.shape[:2])
    larger = min(LEAST_EM * long_side * WIDTH / (EM * cell), LARGER)
    if larger > 1.02 * fit.larger:  # panels one below the other
        fit = msgspec.structs.replace(fit, larger=larger)
        whole = draw_panels(spec, tags, width, draw_panel, hand, larger)
    picture = _picture(whole.pixels)
    issues = [*whole.issues, *small_letters(whole.texts, picture.size)]
    return Drawing(picture, issues, whole.sentences, whole.texts, whole.things)


def _fit_of(spec: Mapping[str, Any], cell: int) -> Fit:
    """One scale for all panels that have none of their own, and letters that stay large enough
    when the whole is made smaller."""
    scales = []
    for panel in (panel for row in panels_of(spec) for panel in row):
        if (
            isinstance(panel, Mapping)
            and not panel.get("axes")
            and not sheet_kind(panel)
        ):
            with suppress(UserError):
                figure = {key: part for key, part in panel.items() if key != "caption"}
                layout = lay_out(compose(read_spec(figure)), cell)
                scales.append(float(layout.scale[0]))
    alike = scales and max(scales) < ALIKE * min(scales)
    columns = max(map(len, panels_of(spec)))
    larger = max(1.0, LEAST_EM * columns * (cell + 2 * GAP) * WIDTH / (EM * cell))
    return Fit(larger, min(scales) if alike else np.inf)


def _picture(pixels: Array) -> Any:
    """RGB pixels as a picture, grey when it is grey."""
    from PIL import Image

    red, green, blue = (pixels[..., k] for k in range(3))
    grey = np.array_equal(red, green) and np.array_equal(green, blue)
    return Image.fromarray(np.ascontiguousarray(red if grey else pixels))


def _show_whole_lengths(composition: Composition) -> None:
    """A dimension line for a length whose segment has a point inside: beside its line it would
    stand at a part of it."""
    for label in composition.labels:
        if label.kind == "segment" and parts(composition, *label.anchor):
            start, end = label.anchor
            label.dimension |= is_covered(start, end, composition)


class _Plan(msgspec.Struct):
    """Where everything of a composition stands: its pictures for all sets of tags are drawn by it,
    so that they differ where their tags do and nowhere else."""

    layout: Layout
    page: Array | None  # the picture below, if there is one
    placed: list[Placed]
    issues: list[Issue]
    frame: tuple[int, int, int, int]  # what is cut out: left, top, right, bottom


def _best_plan(
    composition: Composition,
    width: int,
    background: Image.Image | None,
    letters: float | None,
    fit: Fit,
) -> _Plan:
    """The plan with as much room as its labels need."""
    best = _plan(composition, width, background, letters, 1.0, fit)
    if any(issue.code != "missing-glyph" for issue in best.issues):
        best = _plan(composition, width, background, letters, ENLARGED, fit)
    if any(issue.code == "label-cut" for issue in best.issues):
        best = _plan(composition, width, background, letters, MOST, fit)
    return best


def visible(composition: Composition, tags: set[str] | None) -> Composition:
    """The composition without the items that carry none of `tags`."""
    if tags is None:
        return composition
    return msgspec.structs.replace(
        composition,
        drawn=[
            (item, things) for item, things in composition.drawn if item.tags & tags
        ],
        marks=[item for item in composition.marks if item.tags & tags],
        labels=[label for label in composition.labels if label.tags & tags],
    )


def _plan(
    composition: Composition,
    width: int,
    background: Image.Image | None,
    letters: float | None,
    enlarge: float,
    fit: Fit,
) -> _Plan:
    """Place everything once; on an enlarged canvas with every fallback."""
    page = None
    if background is not None:
        pixels = prepare(background, width)
        layout, page = lay_over(composition, background.size, pixels, enlarge, letters)
    else:
        layout = lay_out(composition, width, enlarge, fit)
    canvas, strokes, faint = _painted(composition, layout, page)
    ink = canvas.ink() if page is None else ink_of(canvas.pixels[..., :3])
    scene = Scene(strokes, layout.zoom, (layout.width, layout.height))
    labels = _labels_in_pixels(composition, layout)
    placed, issues = place(labels, ink, faint, scene, enlarge > 1)
    _finish(canvas, placed, _has_halo(strokes, page))
    issues += _cut_labels(placed, layout.height, layout.width)
    picture_box = None if background is None else layout.box(background.size)
    frame = _frame(canvas, picture_box)
    return _Plan(layout, page, placed, issues, frame)


def _painted(
    composition: Composition, layout: Layout, page: Array | None
) -> tuple[Canvas, list[Stroke], Array]:
    """A canvas with all that is drawn but the labels, its strokes, and where they are dashed."""
    canvas = Canvas(layout.width, layout.height, layout.zoom, page)
    for _, things in composition.drawn:
        for stamp in _stamps(things):
            canvas.paste(stamp.picture, layout.px(stamp.corners()))
    strokes, dots = in_pixels(composition, layout)
    return canvas, strokes, _paint(canvas, strokes, dots)


def _has_halo(strokes: list[Stroke], page: Array | None) -> bool:
    return page is not None or any(stroke.light for stroke in strokes)


def _drawn(plan: _Plan, composition: Composition, tags: set[str] | None) -> Drawing:
    """The picture of what some tags show, by the plan of the whole."""
    canvas, strokes, _ = _painted(composition, plan.layout, plan.page)
    placed = [
        msgspec.structs.replace(label)
        for label in plan.placed
        if tags is None or label.label.tags & tags or label.label.where in AXES
    ]
    _finish(canvas, placed, _has_halo(strokes, plan.page))
    shown = {label.label.where for label in placed}
    issues = [
        issue
        for issue in plan.issues
        if issue.where in shown or not issue.where.startswith(("labels", "points"))
    ]
    left, top, right, bottom = plan.frame
    picture = _picture(canvas.pixels[top:bottom, left:right, :3])
    corner = np.array([left, top])
    for label in placed:
        x0, y0, x1, y1 = (int(v) for v in np.array(label.box) - [*corner, *corner])
        label.box = (x0, y0, x1, y1)
        anchor = label.label.anchor - corner
        label.label = msgspec.structs.replace(label.label, anchor=anchor)
        label.strokes = [
            msgspec.structs.replace(stroke, path=stroke.path - corner)
            for stroke in label.strokes
        ]
    things = [thing.moved(-left, -top) for thing in canvas.things]
    return Drawing(picture, issues, "", placed, things)


def _paint(canvas: Canvas, strokes: list[Stroke], dots: list[Dot]) -> Array:
    """Put all strokes and dots on the canvas; returns where only dashed ink is."""
    for stroke in strokes:
        if (not stroke.dash or stroke.beneath) and not stroke.covers:
            canvas.stroke(stroke)
    faint: Array = np.zeros(canvas.pixels.shape[:2], bool)
    dashed = [stroke for stroke in strokes if stroke.dash and not stroke.beneath]
    if dashed:
        before = canvas.ink()
        for stroke in dashed:
            canvas.stroke(stroke)
        faint = canvas.ink() & ~before
    for stroke in strokes:
        if stroke.covers:
            canvas.stroke(stroke)
    for dot in dots:
        canvas.dot(dot)
    return faint


def in_pixels(
    composition: Composition, layout: Layout
) -> tuple[list[Stroke], list[Dot]]:
    """All strokes and dots in pixels: fills, grid, lines, then what covers them."""
    figure = composition.figure
    things = [
        thing
        for _, part in composition.drawn
        for thing in part
        if not isinstance(thing, Stamp)
    ]
    if composition.axes is not None:
        things = [*axes_strokes(composition.axes, layout.pixel), *things]
    for item in composition.marks:
        things += mark(item, figure, partial(layout.along, figure))
    if figure.faces:
        lines = [thing for thing in things if isinstance(thing, Stroke)]
        flat = [thing for thing in things if isinstance(thing, Dot)]
        things = [*split(lines, figure), *flat]
    strokes, dots = [], []
    for thing in things:
        if isinstance(thing, Dot):
            at = layout.px(figure.project(thing.at[None]))[0]
            dots.append(msgspec.structs.replace(thing, at=at))
        else:
            path = layout.px(figure.project(thing.path))
            strokes += fill_apart(msgspec.structs.replace(thing, path=path))
    covers = [stroke.path for stroke in strokes if stroke.covers]
    for stroke in strokes:
        if any(stroke.arrows) and covers:
            stroke.path = uncovered(stroke.path, covers)
    strokes.sort(key=_layer)
    return strokes, dots


def _layer(stroke: Stroke) -> int:
    """Which strokes are drawn first: lower layers lie below higher ones."""
    if stroke.covers:
        return 3
    if stroke.fill:
        return 0
    return 1 if stroke.beneath else 2


def _labels_in_pixels(composition: Composition, layout: Layout) -> list[Label]:
    labels = composition.labels
    if composition.axes is not None:
        labels = [*axes_labels(composition.axes, layout.pixel), *labels]
    project = composition.figure.project
    return [
        msgspec.structs.replace(
            label, anchor=layout.px(project(label.anchor)), hand=composition.hand
        )
        for label in labels
    ]


def _finish(canvas: Canvas, placed: list[Placed], halo: bool) -> None:
    """Letters, dimension lines and leaders onto the canvas."""
    for label in placed:
        for stroke in label.strokes:
            canvas.stroke(stroke)
    for label in placed:
        is_over_ink = label.how in OVER_INK
        around = round(2 * canvas.zoom) if halo or is_over_ink else 0
        if not is_over_ink:  # a clear place is so far from the picture's ink
            around = min(around, PAD - 1)
        left, top, _, _ = label.box
        text = label.label
        letters = Letters(text.text, em_of(label), left, top, hand=text.hand)
        canvas.text(label.lettering.mask, letters, text.color, around)


def _cut_labels(placed: list[Placed], height: int, width: int) -> Iterator[Issue]:
    for label in placed:
        left, top, right, bottom = label.box
        if left < 0 or top < 0 or right > width or bottom > height:
            text = repr(label.label.text)
            message = f"{text} is cut at the edge of the picture: shorten it or move it"
            yield Issue("label-cut", message, label.label.where)


def _frame(canvas: Canvas, picture_box: Array | None) -> tuple[int, int, int, int]:
    """The box around what is drawn, and around the picture below it."""
    pixels: Any = canvas.pixels[..., :3]
    height, width = pixels.shape[:2]
    red, green, blue = (pixels[..., k] for k in range(3))
    drawn: Any = np.minimum(np.minimum(red, green), blue) < WHITE
    drawn |= not drawn.any()  # a blank picture stays whole
    rows = np.flatnonzero(drawn.any(1))
    columns = np.flatnonzero(drawn.any(0))
    low = np.array([columns[0], rows[0]])
    high = np.array([columns[-1], rows[-1]]) + 1
    margin = round(10 * canvas.zoom)
    # What is drawn beyond the picture has a margin; without one all is.
    inner = [high, low] if picture_box is None else picture_box
    low = np.where(low < inner[0], low - margin, inner[0])
    high = np.where(high > inner[1], high + margin, inner[1])
    left, top = map(int, np.maximum(0, low))
    right, bottom = map(int, np.minimum((width, height), high))
    return left, top, right, bottom
