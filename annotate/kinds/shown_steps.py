"""A decomposition as people see it: its words, and the pictures of its steps."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import yaml

from ...base.files import inside
from ...base.pictures import encode_png, load_picture, open_picture
from ...errors import UserError
from ...problem import Problem

UPLOADED = "pictures"  # the folder of a project that holds what people uploaded for their steps
GAP = 12  # pixels between pictures that stand below each other


def told_steps(decomposition: dict[str, Any]) -> str:
    """
    >>> row = {"knowledge": "Area", "condition": "Its side is 2.", "question": "What is its area?",
    ...        "options": [{"label": "A", "text": "4"}], "answer": "A"}
    >>> print(told_steps({"injection": "text", "steps": [row]}))
    Step 1, Area
    Given: Its side is 2.
    What is its area?
    (A) 4
    Answer: A
    """
    lines = []
    for number, row in enumerate(decomposition.get("steps") or [], 1):
        concept = row.get("knowledge")
        lines.append(
            f"Step {number}, {', '.join(concept) if isinstance(concept, list) else concept}"
        )
        lines += [f"Given: {row['condition']}"] if row.get("condition") else []
        drawn = ", ".join(
            str(label.get("text")) for label in row.get("placement") or []
        )
        lines += [f"Drawn into its picture: {drawn}"] if drawn else []
        lines.append(str(row.get("question")))
        lines += [
            f"({option['label']}) {option['text']}"
            for option in row.get("options") or []
        ]
        lines.append(f"Answer: {row.get('answer')}")
    return "\n".join(lines) or "One step: nothing to decompose."


def step_picture(
    problem: Problem, row: dict[str, Any], pictures: Path | None, root: Path
) -> bytes | None:
    """The picture of a decided step: a file, or the problem's with the step's condition drawn.

    `pictures` is the folder of the files, `root` the one that the problem's paths are relative to.
    Raises UserError for a file that is not there.
    """
    from ...render.diagram import draw

    if given := row.get("picture"):
        if pictures is None or not inside(pictures, str(given)).is_file():
            raise UserError(
                f"a step's picture of {problem.id}: no file {given!r}",
                "say by pictures: where its folder is",
            )
        return inside(pictures, str(given)).read_bytes()
    if placed := row.get("placement"):
        drawing = draw(
            drawn_spec(problem, placed),
            background=load_picture(root, problem.images[0]),
        )
        return encode_png(drawing.picture)
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
                "the problem has pictures", "say by --images where their folder is"
            )
        made = (step_picture(problem, row, pictures, root) for row in rows)
        return stacked([(data, f"a step of {problem.id}") for data in made if data])

    return make if rows else None


def stacked(pictures: list[tuple[bytes, str]]) -> bytes:
    """Pictures, each with its name, as one PNG, below each other."""
    from PIL import Image as Pillow

    opened = [open_picture(data, name)[0].convert("RGB") for data, name in pictures]
    size = (max(p.width for p in opened), sum(p.height + GAP for p in opened) - GAP)
    sheet = Pillow.new("RGB", size, "white")
    top = 0
    for picture in opened:
        sheet.paste(picture, (0, top))
        top += picture.height + GAP
    return encode_png(sheet)
