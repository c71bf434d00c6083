"""Essential conditions placed on the picture (MathVerse, section 2.2: vision-dominant)."""

from __future__ import annotations

from typing import Any

from ...errors import UserError
from ...taxonomy import Tree
from ..votes import canonical
from .answers import TaskAnswer
from .interface import Element, header, page, rendered_text, tag, text_area
from .registry import Kind
from .text_roles import comment_on

PATHS = {"segment": ("2", "#2f80ed"), "angle": ("3", "#27ae60")}  # points, and the colour
BOXES = {"box": "#f2994a", "erase": "#eb5757"}


def _placement(tree: Tree | None) -> str:
    text = text_area("condition", r"LaTeX to draw here, e.g. 60^\circ", "image", required=True)
    text.set("perRegion", "true")
    text.set("displayMode", "region-list")
    left = [
        header("Conditions to be placed"),
        rendered_text("conditions"),
        header("Question"),
        rendered_text(),
        comment_on("image"),
    ]
    right = [
        header("What a text belongs to: a point, the two ends of a segment, an angle by three "
               "points with the corner second; or a box where it fits; erase: a box "
               "around a printed text that is to go, with that text"),
        *_shapes(),
        tag("View", text, visibleWhen="region-selected"),
        tag("Image", name="image", value="$image", zoom="true", zoomControl="true",
            maxWidth="620px"),
    ]  # fmt: skip
    return page(left, right)


def _shapes() -> list[Element]:
    def label(name: str, colour: str, hotkey: int) -> Element:
        return tag("Label", value=name, background=colour, hotkey=str(hotkey))

    paths = [
        tag("VectorLabels", label(name, colour, hotkey), name=name, toName="image", opacity="1",
            minPoints=points, maxPoints=points, closable="false", curves="false", strokeWidth="3")
        for hotkey, (name, (points, colour)) in enumerate(PATHS.items(), 2)
    ]  # fmt: skip
    boxes = [
        tag("RectangleLabels", label(name, colour, hotkey), name=name, toName="image",
            strokeWidth="2")
        for hotkey, (name, colour) in enumerate(BOXES.items(), 4)
    ]  # fmt: skip
    return [
        tag("KeyPointLabels", label("point", "#9b51e0", 1), name="point", toName="image"),
        *paths,
        *boxes,
    ]  # fmt: skip


def _read_placement(answer: TaskAnswer) -> dict[str, Any]:
    """{"placement": labels of a diagram spec: [{near | segment | angle | erase: place, text}]}.

    Places are pixels of the picture, from its upper left corner; see docs/diagrams.md.
    """
    from ...render.diagram import spec_of_regions

    regions = [result for result in answer.results if "original_width" in result]
    frames = {(r["original_width"], r["original_height"]) for r in regions}
    if not regions:
        raise UserError("nothing placed", "ask the annotator again")
    if len(frames) > 1 or any(region.get("image_rotation") for region in regions):
        raise UserError("places on a turned or changed picture", "ask the annotator again")
    ((width, height),) = frames
    spec = spec_of_regions(answer.results, width, height)
    labels = spec["labels"] + [_erased(item) for item in spec["erase"]]
    return {"placement": sorted(map(_normal, labels), key=canonical)}


def _erased(item: dict[str, Any]) -> dict[str, Any]:
    if "text" not in item:
        raise UserError("a box to erase without its text", "write what is printed there")
    return {"erase": item["box"], "text": item["text"]}


def _normal(label: dict[str, Any]) -> dict[str, Any]:
    """The same, whichever end of a segment, or arm of an angle, was marked first."""
    for shape in PATHS:
        path = label.get(shape)
        if path and len(set(map(tuple, path))) < len(path):
            raise UserError(f"two points of one {shape} are the same", "ask the annotator again")
        if path and path[-1] < path[0]:
            label = label | {shape: path[::-1]}
    return label


PLACEMENT = Kind(
    title="Placement of conditions",
    instruction="Place every essential condition on the picture where a textbook would write it: "
    "lengths at a segment's two ends, angles by three points with the corner second. Pick the "
    "shape, click its points, type the text, press Enter, and Escape before the next one.",
    interface=_placement,
    read=_read_placement,
)
