"""Essential conditions placed on the picture (MathVerse, section 2.2: vision-dominant)."""

from __future__ import annotations

from typing import Any

from ...errors import UserError
from ...problem import Problem
from ...taxonomy import Tree
from ..votes import canonical
from .answers import TaskAnswer
from .interface import Element, header, page, picture, region_text, rendered_text, tag
from .registry import kind
from .tasks import Task, problem_task
from .text_roles import comment_on

# The number of a path's points, and its colour.
PATHS = {"segment": ("2", "#2f80ed"), "angle": ("3", "#27ae60")}
BOXES = {"box": "#f2994a", "erase": "#eb5757"}


def _placement(tree: Tree | None) -> str:
    left = [
        header("Conditions to be placed"),
        rendered_text("conditions"),
        header("Question"),
        rendered_text(),
        comment_on("image"),
    ]
    right = [
        header(
            "What a text belongs to: a point, the two ends of a segment, an angle by three "
            "points with the corner second; or a box where it fits; erase: a box "
            "around a printed text that is to go, with that text"
        ),
        *drawing_board("image"),
    ]
    return page(left, right)


def drawing_board(
    image: str, value: str = "image", suffix: str = "", text: str = "condition"
) -> list[Element]:
    """A picture with shapes to mark places and the texts that belong there.

    Names of its controls end in `suffix`; the picture is the task's `value`, `text` the name of the
    field for texts.
    """
    hint = r"LaTeX to draw here, e.g. 60^\circ"
    area = region_text(text + suffix, hint, image, required=True)
    return [
        *_shapes(image, suffix),
        tag("View", area, visibleWhen="region-selected"),
        picture(image, value, widest="620px"),
    ]


def _shapes(image: str, suffix: str) -> list[Element]:
    def shape(control: str, name: str, colour: str, **attributes: str) -> Element:
        label = tag("Label", value=name, background=colour)
        return tag(control, label, name=name + suffix, toName=image, **attributes)

    shapes = [shape("KeyPointLabels", "point", "#9b51e0")]
    for name, (points, colour) in PATHS.items():
        shapes.append(
            shape(
                "VectorLabels",
                name,
                colour,
                opacity="1",
                minPoints=points,
                maxPoints=points,
                closable="false",
                curves="false",
                strokeWidth="3",
            )
        )
    for name, colour in BOXES.items():
        shapes.append(shape("RectangleLabels", name, colour, strokeWidth="2"))
    return shapes


def placement_task(problem: Problem, note: str = "") -> Task:
    """A problem with its essential conditions listed, and the picture they are to stand on."""
    task = problem_task(problem, note, "placement")
    task.pictures = {"image": problem.images[:1]}
    task.needs_picture = True
    conditions = [
        problem.question[span.start : span.end]
        for span in problem.spans
        if span.role == "EC"
    ]
    task.texts["conditions"] = (
        "\n".join(conditions) or "(no essential condition is marked)"
    )
    return task


@kind(
    "placement",
    title="Placement of conditions",
    instruction="Place every essential condition on the picture where a textbook would write it: "
    "lengths at a segment's two ends, angles by three points with the corner second. Pick the "
    "shape, click its points, type the text, press Enter, and Escape before the next one.",
    form=_placement,
    tasks=lambda material: material.each(placement_task),
    field="placement",
)
def placement(answer: TaskAnswer) -> dict[str, Any]:
    """{"placement": labels of a diagram spec: [{near | segment | angle | erase: place, text}]}.

    Places are pixels of the picture, from its upper left corner; see docs/diagrams.md.
    """
    labels = drawn_labels(answer, "image")
    if not labels:
        raise UserError("nothing placed", "ask the annotator again")
    return {"placement": labels}


def drawn_labels(answer: TaskAnswer, image: str) -> list[dict[str, Any]]:
    """What was drawn onto a picture. Raises UserError for a place without text, or none at all."""
    from ...render.diagram import spec_of_regions

    results = [result for result in answer.results if result.get("to_name") == image]
    regions = [result for result in results if "original_width" in result]
    frames = {(r["original_width"], r["original_height"]) for r in regions}
    if not regions:
        return []
    if len(frames) > 1 or any(region.get("image_rotation") for region in regions):
        raise UserError(
            "places on a turned or changed picture", "ask the annotator again"
        )
    ((width, height),) = frames
    spec = spec_of_regions(results, width, height)
    labels = [*spec["labels"], *map(_erasure, spec["erase"])]
    return sorted(map(_in_direction, labels), key=canonical)


def _erasure(item: dict[str, Any]) -> dict[str, Any]:
    if "text" not in item:
        raise UserError(
            "a box to erase without its text", "write what is printed there"
        )
    return {"erase": item["box"], "text": item["text"]}


def _in_direction(label: dict[str, Any]) -> dict[str, Any]:
    """The same, whichever end of a segment, or arm of an angle, was marked first."""
    for shape in PATHS:
        path = label.get(shape) or []
        if len(set(map(tuple, path))) < len(path):
            raise UserError(
                f"two points of one {shape} are the same", "ask the annotator again"
            )
        if path and path[-1] < path[0]:
            label = label | {shape: path[::-1]}
    return label
