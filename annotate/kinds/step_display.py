"""A decomposition as people see it: its words, and the pictures of its steps."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import yaml

from ...base.files import inside
from ...base.pictures import encode_png, load_picture, open_picture
from ...errors import UserError
from ...problem import Problem

UPLOADED = "pictures"  # the folder of a project that holds what people uploaded for their steps
GAP = 12  # pixels between pictures that stand below each other


def steps_text(decomposition: dict[str, Any]) -> str:
    """
    >>> row = {"knowledge": "Area", "condition": "Its side is 2.", "question": "What is its area?",
    ...        "options": [{"label": "A", "text": "4"}], "answer": "A"}
    >>> print(steps_text({"injection": "text", "steps": [row]}))
    Step 1, Area
    Given: Its side is 2.
    What is its area?
    (A) 4
    Answer: A
    """
    steps = decomposition.get("steps") or []
    lines = [
        line for number, row in enumerate(steps, 1) for line in _step_lines(number, row)
    ]
    return "\n".join(lines) or "One step: nothing to decompose."


def _step_lines(number: int, row: dict[str, Any]) -> Iterator[str]:
    concept = row.get("knowledge")
    if isinstance(concept, list):
        concept = ", ".join(concept)
    yield f"Step {number}, {concept}"
    if row.get("condition"):
        yield f"Given: {row['condition']}"
    drawn = ", ".join(str(label.get("text")) for label in row.get("placement") or [])
    if drawn:
        yield f"Drawn into its picture: {drawn}"
    yield str(row.get("question"))
    for option in row.get("options") or []:
        yield f"({option['label']}) {option['text']}"
    yield f"Answer: {row.get('answer')}"


def step_picture(
    problem: Problem, row: dict[str, Any], pictures: Path | None, root: Path
) -> bytes | None:
    """The picture of a decided step: a file, or the problem's with the step's condition drawn.

    `pictures` is the folder of the files, `root` the one that the problem's paths are relative to.
    Raises UserError for a file that is not there.
    """
    from ...render.diagram import draw

    if name := row.get("picture"):
        file = None if pictures is None else inside(pictures, str(name))
        if file is None or not file.is_file():
            raise UserError(
                f"a step's picture of {problem.id}: no file {name!r}",
                "say by pictures: where its folder is",
            )
        return file.read_bytes()
    if labels := row.get("placement"):
        spec = drawn_spec(problem, labels)
        background = load_picture(root, problem.images[0])
        return encode_png(draw(spec, background=background).picture)
    return None


def drawn_spec(problem: Problem, labels: list[dict[str, Any]]) -> str:
    """The diagram spec that draws labels onto the problem's first picture."""
    if not problem.images:
        raise UserError(
            f"{problem.id} has placements and no picture", "give it its picture back"
        )
    from ...render.diagram import spec_of_placements

    spec = spec_of_placements(labels, problem.images[0].path)
    return yaml.safe_dump(
        spec, allow_unicode=True, default_flow_style=None, sort_keys=False
    )


def step_pictures(
    problem: Problem, decomposition: dict[str, Any], pictures: Path | None
) -> Callable[[Path | None], bytes] | None:
    """What makes one picture of all steps' pictures; None where there are none."""
    rows = [
        row
        for row in decomposition.get("steps") or []
        if row.get("picture") or row.get("placement")
    ]

    def make(root: Path | None) -> bytes:
        if root is None:
            raise UserError(
                "the problem has pictures", "put their folder beside the problems"
            )
        drawings = (step_picture(problem, row, pictures, root) for row in rows)
        return stacked([(data, f"a step of {problem.id}") for data in drawings if data])

    return make if rows else None


def stacked(pictures: list[tuple[bytes, str]]) -> bytes:
    """Pictures, each with its name, as one PNG, below each other."""
    from PIL import Image as Pillow

    layers = [open_picture(data, name)[0].convert("RGB") for data, name in pictures]
    width = max(layer.width for layer in layers)
    height = sum(layer.height + GAP for layer in layers) - GAP
    sheet = Pillow.new("RGB", (width, height), "white")
    top = 0
    for layer in layers:
        sheet.paste(layer, (0, top))
        top += layer.height + GAP
    return encode_png(sheet)
