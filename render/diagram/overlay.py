"""Conditions drawn onto an existing picture: what was done by hand in PowerPoint, repeatable.

`kind: picture` makes points pixels of the picture (y down, as every picture editor shows them).
Labels and marks are placed by the same placer; the ink is the picture's own.
"""

from __future__ import annotations

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
    layout = Layout(
        np.array([scale, -scale]),
        np.array([pad, pad], float),
        page.shape[1],
        page.shape[0],
        zoom,
    )
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
        front = (
            (slice(None, -1), slice(None))
            if axis == 0
            else (slice(None), slice(None, -1))
        )
        back = (
            (slice(1, None), slice(None))
            if axis == 0
            else (slice(None), slice(1, None))
        )
        edge[front] |= step
        edge[back] |= step
    return edge | (bright < DARK)


def spec_of_task(task: Any) -> dict[str, Any]:
    """A spec from a task that Label Studio exported: its last annotation, its picture by name.

    Raises UserError for a task without a picture or without regions.
    """
    try:
        result = task["annotations"][-1]["result"]
        name = str(task["data"]["image"]).rsplit("/", 1)[-1]
        first = next(entry for entry in result if "original_width" in entry)
        width, height = first["original_width"], first["original_height"]
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
        key, value, kind = (
            str(entry.get("id", "")),
            entry.get("value") or {},
            entry.get("type"),
        )
        if kind == "textarea":
            texts[key] = " ".join(map(str, value.get("text", []))).strip()
        elif kind in ("rectanglelabels", "keypointlabels", "vectorlabels"):
            places[key] = _place(value, width, height)
            if kind == "keypointlabels":
                names[key] = next(iter(value.get(kind, [])), "")
    spec: dict[str, Any] = {"kind": "picture", "points": {}, "labels": [], "erase": []}
    for key, place in sorted(places.items()):
        name = names.get(key, "")
        if "erase" in place:
            spec["erase"].append({"box": place["erase"]} | _printed(texts.get(key, "")))
        elif texts.get(key):
            spec["labels"].append(place | {"text": _text(texts[key])})
        elif len(name) <= 3 and name[:1].isalpha():
            spec["points"][name] = place["near"]
        else:
            raise UserError(
                f"region {key!r} has no text", "write it in the region's text field"
            )
    return spec


def _place(value: Mapping[str, Any], width: int, height: int) -> dict[str, Any]:
    """What a region marks, in pixels: {near: point}, {segment: two} or {angle: three points}."""

    def pixels(x: float, y: float) -> list[float]:
        if not (0 <= x <= 100 and 0 <= y <= 100):
            raise UserError(
                f"a region outside the picture: {x:g} %, {y:g} %", "move it inside"
            )
        return [round(x * width / 100, 2), round(y * height / 100, 2)]

    if value.get("rectanglelabels") == ["erase"]:
        x, y = value["x"], value["y"]
        return {
            "erase": [*pixels(x, y), *pixels(x + value["width"], y + value["height"])]
        }
    if "vertices" not in value:
        half = [
            value.get(side, 0) / 2 if "height" in value else 0
            for side in ("width", "height")
        ]
        return {"near": pixels(value["x"] + half[0], value["y"] + half[1])}
    path = [pixels(vertex["x"], vertex["y"]) for vertex in _in_order(value["vertices"])]
    shape = {2: "segment", 3: "angle"}.get(len(path))
    if shape is None:
        raise UserError(
            f"a path of {len(path)} points", "mark a segment by 2, an angle by 3"
        )
    return {shape: path}


def _printed(text: str) -> dict[str, str]:
    return {"text": text} if text else {}


def spec_of_placements(
    labels: Iterable[Mapping[str, Any]], background: str
) -> dict[str, Any]:
    """The spec that draws placed conditions onto a picture, without what `erase` takes off it."""
    placed = [dict(label) for label in labels]
    spec: dict[str, Any] = {"kind": "picture", "background": background}
    if boxes := [{"box": label["erase"]} for label in placed if "erase" in label]:
        spec["erase"] = boxes
    return spec | {"labels": [label for label in placed if "erase" not in label]}


def _in_order(vertices: list[dict[str, Any]]) -> list[dict[str, Any]]:
    """Along the path: a point that was put in later stands last in the list."""
    after = {vertex.get("prevPointId"): vertex for vertex in vertices}
    if len(after) < len(vertices):
        return vertices
    path: list[dict[str, Any]] = []
    while (
        len(path) < len(vertices)
        and (key := path[-1].get("id") if path else None) in after
    ):
        path.append(after[key])
    return path if len(path) == len(vertices) else vertices


def _text(text: str) -> str:
    """What annotators write as LaTeX is mathematics unless it says where mathematics starts."""
    return f"${text}$" if "\\" in text and "$" not in text else text
