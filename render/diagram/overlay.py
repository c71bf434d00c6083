"""Conditions drawn onto an existing picture: what was done by hand in PowerPoint, repeatable.

`kind: picture` makes points pixels of the picture (y down, as every picture editor shows them).
Labels and marks are placed by the same placer; the ink is the picture's own.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from typing import TYPE_CHECKING, Any

import numpy as np

from ...errors import UserError
from ..figure import Array
from ..labels import EM
from .compose import Composition
from .layout import Layout

if TYPE_CHECKING:
    from PIL import Image

SMALLEST = 64  # pixels on the shorter side
LEAST_ZOOM = 0.72  # letters of 16 pixels, the least that survives a model's downscaling
USUAL = 442  # pixels: the square root of the area of a usual picture at zoom 1
CAPITAL = 0.662  # of the em: the height of capitals
DARK, STEP = 110, 28  # darker than this, or beside such a step of brightness, is ink
# A command, an exponent or an index: nobody writes these in prose.
_COMMAND_OR_SCRIPT = re.compile(r"\\|[\^_]\S")
# A relation, beside letters that stand alone; two in a row are points of a figure, or a word.
_RELATION = re.compile(r"[=<>≤≥]")
_WORD = re.compile(r"[^\W\d_]{2}")
REGIONS = ("rectanglelabels", "keypointlabels", "vectorlabels")


def on_white(picture: Image.Image) -> Image.Image:
    """The picture in RGB, white where it is transparent."""
    from PIL import Image as Pillow

    if picture.mode in ("RGBA", "LA", "PA") or "transparency" in picture.info:
        layer = picture.convert("RGBA")
        picture = Pillow.new("RGBA", layer.size, "white")
        picture.alpha_composite(layer)
    return picture.convert("RGB")


def prepare(picture: Image.Image, width: int) -> Array:
    """The pixels of a picture on white; a smaller one is enlarged smoothly to `width`.

    Raises UserError for a picture too small to carry a label.
    """
    from PIL import Image as Pillow

    if min(picture.size) < SMALLEST:
        size = f"{picture.size[0]} x {picture.size[1]} pixels"
        raise UserError(
            f"the background has {size}", f"use at least {SMALLEST} on each side"
        )
    if picture.width < width:
        height = max(1, round(picture.height * width / picture.width))
        picture = picture.resize((width, height), Pillow.Resampling.LANCZOS)
    return np.asarray(picture)


def lay_over(
    composition: Composition,
    size: tuple[int, int],
    pixels: Array,
    enlarge: float,
    letters: float | None = None,
) -> tuple[Layout, Array]:
    """Layout of pixels of the picture of `size` onto its prepared `pixels`, and the page.

    Text is as large as the picture's own `letters`, their height in prepared pixels. Enlarging
    adds white on all sides, where labels and dimension lines may go.
    Raises UserError for points outside the picture.
    """
    for name, at in composition.figure.points.items():
        if not (0 <= at[0] <= size[0] and 0 <= -at[1] <= size[1]):
            raise UserError(
                f"point {name} at ({at[0]:g}, {-at[1]:g}) lies outside the picture",
                f"it has {size[0]} x {size[1]} pixels",
            )
    height, width = pixels.shape[:2]
    scale = width / size[0]
    pad = round((enlarge - 1) * width / 2)
    page = np.full((height + 2 * pad, width + 2 * pad, 3), 255, np.uint8)
    page[pad : pad + height, pad : pad + width] = pixels
    zoom = _zoom(width, height, letters)
    offset = np.array([pad, pad], float)
    page_height, page_width = page.shape[:2]
    layout = Layout(np.array([scale, -scale]), offset, page_width, page_height, zoom)
    return layout, page


def _zoom(width: int, height: int, letters: float | None) -> float:
    """The unit of the page: after the picture's letters, without any after its size."""
    usual = float(np.sqrt(width * height)) / USUAL
    zoom = min(max(width / 510, 0.5 * usual), 1.5 * usual)
    if letters is not None:
        zoom = min(max(letters / (CAPITAL * EM), zoom / 4), 4 * zoom)
    return max(LEAST_ZOOM, zoom)


def ink_of(page: Array) -> Array:
    """Ink of any picture: what is dark, and the edges of what is not (grey areas are paper)."""
    bright = page.astype(np.int16).min(2)
    edge = np.zeros(bright.shape, bool)
    for axis in (0, 1):
        step = np.abs(np.diff(bright, axis=axis)) > STEP
        along = np.moveaxis(edge, axis, 0)  # a view: both sides of a step are ink
        steps = np.moveaxis(step, axis, 0)
        along[:-1] |= steps
        along[1:] |= steps
    return edge | (bright < DARK)


def spec_of_task(task: Any) -> dict[str, Any]:
    """A spec from a task that Label Studio exported: its last annotation, its picture by name.

    Raises UserError for a task without a picture or without regions.
    """
    try:
        result = task["annotations"][-1]["result"]
        name = str(task["data"]["image"]).rsplit("/", 1)[-1]
        first = next(entry for entry in result if "original_width" in entry)
        width = first["original_width"]
        height = first["original_height"]
        return spec_of_regions(result, int(width), int(height)) | {"background": name}
    except (LookupError, StopIteration, TypeError, ValueError) as error:
        raise UserError(
            f"no annotated picture in this task ({type(error).__name__}: {error})",
            "give one task of a JSON export, with data.image and regions",
        ) from error


def spec_of_regions(
    result: Iterable[Mapping[str, Any]], width: int, height: int
) -> dict[str, Any]:
    """A spec from Label Studio's regions on a picture: boxes, key points and paths of vectors.

    A region's text is the text area that shares its id. It stands near a box's centre or a point,
    beside the segment that a path of two points is, or in the angle that a path of three is; a key
    point without a text whose label is a name names a point; what a box labelled `erase` holds is
    taken off the picture, its text only says what it was. Places are percent of the picture's
    `width` and `height` in pixels. Raises UserError for a region that is none of these.
    """
    places: dict[str, dict[str, Any]] = {}
    names: dict[str, str] = {}
    texts: dict[str, str] = {}
    for entry in result:
        key = str(entry.get("id", ""))
        value = entry.get("value") or {}
        kind = entry.get("type")
        if kind == "textarea":
            texts[key] = " ".join(map(str, value.get("text", []))).strip()
        elif kind in REGIONS:
            places[key] = _place(value, width, height)
            if kind == "keypointlabels":
                names[key] = next(iter(value.get(kind, [])), "")
    spec: dict[str, Any] = {"kind": "picture", "points": {}, "labels": [], "erase": []}
    for key, place in sorted(places.items()):
        name = names.get(key, "")
        text = texts.get(key, "")
        if "erase" in place:
            printed = {"text": text} if text else {}
            spec["erase"].append({"box": place["erase"]} | printed)
        elif text:
            spec["labels"].append(place | {"text": _text(text)})
        elif len(name) <= 3 and name[:1].isalpha():
            spec["points"][name] = place["near"]
        else:
            raise UserError(
                f"region {key!r} has no text", "write it in the region's text field"
            )
    return spec


def _place(value: Mapping[str, Any], width: int, height: int) -> dict[str, Any]:
    """What a region marks, in pixels: {near: point}, {segment: two} or {angle: three points}.

    A box labelled `erase` is {erase: [left, top, right, bottom]}.
    """

    def pixels(x: float, y: float) -> list[float]:
        if not (0 <= x <= 100 and 0 <= y <= 100):
            raise UserError(
                f"a region outside the picture: {x:g} %, {y:g} %", "move it inside"
            )
        return [round(x * width / 100, 2), round(y * height / 100, 2)]

    if value.get("rectanglelabels") == ["erase"]:
        x = value["x"]
        y = value["y"]
        corners = pixels(x, y), pixels(x + value["width"], y + value["height"])
        return {"erase": [*corners[0], *corners[1]]}
    if "vertices" not in value:
        x = value["x"]
        y = value["y"]
        if "height" in value:  # a box; a key point has a width alone
            x += value.get("width", 0) / 2
            y += value["height"] / 2
        return {"near": pixels(x, y)}
    path = [pixels(vertex["x"], vertex["y"]) for vertex in _in_order(value["vertices"])]
    shape = {2: "segment", 3: "angle"}.get(len(path))
    if shape is None:
        raise UserError(
            f"a path of {len(path)} points", "mark a segment by 2, an angle by 3"
        )
    return {shape: path}


def spec_of_placements(
    labels: Iterable[Mapping[str, Any]], background: str
) -> dict[str, Any]:
    """The spec that draws placed conditions onto a picture, without what `erase` takes off it."""
    boxes, placed = [], []
    for label in labels:
        if "erase" in label:
            boxes.append({"box": label["erase"]})
        else:
            placed.append(dict(label))
    spec: dict[str, Any] = {"kind": "picture", "background": background}
    if boxes:
        spec["erase"] = boxes
    return spec | {"labels": placed}


def _in_order(vertices: list[dict[str, Any]]) -> list[dict[str, Any]]:
    """Along the path: a point that was put in later stands last in the list."""
    after = {vertex.get("prevPointId"): vertex for vertex in vertices}
    if len(after) < len(vertices):
        return vertices
    path: list[dict[str, Any]] = []
    previous = None
    while len(path) < len(vertices):
        if previous not in after:
            return vertices
        path.append(after[previous])
        previous = path[-1].get("id")
    return path


def _text(text: str) -> str:
    """What annotators write as LaTeX is mathematics unless it says where mathematics starts.

    >>> [_text(text) for text in ("y=7-x^2", "h_P=3", "AB = 3", "about 3 cm", "x < 4")]
    ['$y=7-x^2$', '$h_P=3$', 'AB = 3', 'about 3 cm', '$x < 4$']
    """
    return f"${text}$" if "$" not in text and _is_latex(text) else text


def _is_latex(text: str) -> bool:
    if _COMMAND_OR_SCRIPT.search(text):
        return True
    return bool(_RELATION.search(text)) and not _WORD.search(text)
