"""What lies over what: fills below all lines, nodes above them."""

from __future__ import annotations

import numpy as np
import pytest
from benchwright.render.diagram import draw
from PIL import Image


def ink(picture: Image.Image) -> np.ndarray:
    return np.asarray(picture.convert("L")) < 128


VENN = (
    "{points: {A: [0, 0], B: [4, 0]}, hide: [A, B],"
    " draw: [{circle: A, radius: 3%s}, {circle: B, radius: 2.4%s}]}"
)


@pytest.mark.parametrize(
    "fills", [(", fill: red", ""), ("", ", fill: green"), (", fill: red",) * 2]
)
def test_fills_take_no_line_away(fills: tuple[str, str]) -> None:
    plain, filled = draw(VENN % ("", "")), draw(VENN % fills)
    lines = np.asarray(plain.picture.convert("L")) < 60
    assert lines.sum() > 1000
    assert ink(filled.picture)[lines].all()
    assert filled.issues == []


GRAPH = (
    "{points: {A: [0, 0], B: [3, 0]}, hide: [A, B], draw: [{%s: AB}, {node: A, radius: .4},"
    " {node: B, radius: .4}], labels: [{at: A, text: '1'}, {at: B, text: '2'}]}"
)


def test_nodes_cover_the_lines_they_stand_on() -> None:
    drawing = draw(GRAPH % "segment")
    assert drawing.issues == [], "their texts stand on no line"
    one, two = sorted(drawing.labels, key=lambda placed: placed.box[0])
    middle = (one.box[1] + one.box[3]) // 2
    row = ink(drawing.picture)[middle]
    assert row[one.box[2] + 60 : two.box[0] - 60].all(), (
        "the edge is drawn between the nodes"
    )
    gap = slice(one.box[2] + 4, one.box[2] + 12)
    assert not row[gap].any(), "and not inside them"


def test_an_arrow_ends_at_the_border_of_its_node() -> None:
    def rightmost(kind: str) -> int:
        drawing = draw(GRAPH % kind)
        two = max(drawing.labels, key=lambda placed: placed.box[0])
        middle, end = (two.box[1] + two.box[3]) // 2, two.box[0]
        band = ink(drawing.picture)[middle - 4 : middle + 5, :end]
        return int(band.sum())

    assert rightmost("arrow") > rightmost("segment") + 20, "its head is seen"


def test_black_and_solid_fills() -> None:
    for fill, colour in (("black", (0, 0, 0)), ("solid red", (200, 50, 43))):
        shape = f"draw: [{{polygon: ABC, fill: {fill}}}]"
        picture = draw(
            f"{{points: {{A: [0, 0], B: [4, 0], C: [0, 3]}}, {shape}}}"
        ).picture
        picture = picture.convert("RGB")
        shares = np.all(np.asarray(picture) == colour, axis=2).mean()
        assert shares > 0.2


def test_nodes_stand_at_every_point_that_is_named() -> None:
    points = "{points: {A: [0, 0], B: [3, 0], C: [6, 0]}, draw: [{segment: AC}, %s]}"
    node = "{node: %s, radius: .4}"
    together = draw(points % (node % "ABC")).picture
    apart = draw(points % ", ".join(node % name for name in "ABC")).picture
    assert together.tobytes() == apart.tobytes()
    draw(points % (node % "[3, 0]"))  # a place by itself
