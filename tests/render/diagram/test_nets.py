"""Nets: areas are those of the solids, cube nets are folded in space, bad specs are named."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
import pytest
from benchwright.errors import UserError
from benchwright.render.diagram import compose, draw
from benchwright.render.diagram.cube_nets import ROWS, cells, folds
from benchwright.render.diagram.nets import cuboid_faces, prism_faces, pyramid_faces
from benchwright.render.figure import SOLIDS, Stroke, base_polygon

Cells = frozenset[tuple[int, int]]
TRIANGLE = [[0, 0], [4, 0], [1, 3]]


def net(**item: Any) -> dict[str, Any]:
    return {"kind": "net", "net": [item]}


def area(path: np.ndarray) -> float:
    x, y = path.T
    return 0.5 * abs(float((x * np.roll(y, -1) - np.roll(x, -1) * y).sum()))


def surface(solid: Any) -> float:
    """Area of the faces of a solid in space."""
    total = 0.0
    for face in solid.faces:
        turned = np.cross(face - face[0], np.roll(face, -1, 0) - face[0]).sum(0)
        total += 0.5 * float(np.linalg.norm(turned))
    return total


def shape(squares: Cells) -> frozenset[Cells]:
    """The eight positions of a pattern of squares."""
    found = set()
    for turn in range(4):
        for mirror in (1, -1):
            moved = [(mirror * x, y) for x, y in squares]
            for _ in range(turn):
                moved = [(-y, x) for x, y in moved]
            left, low = min(x for x, _ in moved), min(y for _, y in moved)
            found.add(frozenset((x - left, y - low) for x, y in moved))
    return frozenset(found)


def hexominoes() -> set[frozenset[Cells]]:
    grown: set[frozenset[Cells]] = {shape(frozenset({(0, 0)}))}
    for _ in range(5):
        grown = {
            shape(frozenset({*first, (x + dx, y + dy)}))
            for first in (min(shapes, key=sorted) for shapes in grown)
            for x, y in first
            for dx, dy in ((1, 0), (-1, 0), (0, 1), (0, -1))
            if (x + dx, y + dy) not in first
        }
    return grown


def folded(squares: Cells) -> set[tuple[int, ...]]:
    """Outward normals of the squares, each turned by 90 degrees about the edge to its parent."""
    start = min(squares)
    frames = {start: np.eye(3, dtype=int)}  # rows: right, ahead, normal
    waiting = [start]
    while waiting:
        x, y = waiting.pop()
        right, ahead, up = frames[x, y]
        for step, frame in (
            ((1, 0), (-up, ahead, right)),
            ((-1, 0), (up, ahead, -right)),
            ((0, 1), (right, -up, ahead)),
            ((0, -1), (right, up, -ahead)),
        ):
            cell = (x + step[0], y + step[1])
            if cell in squares and cell not in frames:
                frames[cell] = np.array(frame)
                waiting.append(cell)
    return {tuple(frame[2].tolist()) for frame in frames.values()}


def test_eleven_of_35_hexominoes_fold_and_they_are_ours() -> None:
    every = hexominoes()
    assert len(every) == 35
    good = {shapes for shapes in every if len(folded(min(shapes, key=sorted))) == 6}
    assert good == {shape(frozenset(cells(rows))) for rows in ROWS}
    assert len(good) == len(ROWS) == 11
    for shapes in every:
        for squares in shapes:
            assert folds(dict.fromkeys(squares, "")) == (shapes in good)


def test_nets_have_the_area_of_the_surface() -> None:
    box = SOLIDS["box"]("ABCDEFGH", size=[4, 3, 2])
    assert sum(map(area, cuboid_faces(4, 3, 2))) == pytest.approx(surface(box)) == 52
    for base in (TRIANGLE, {"sides": 6, "radius": 2}):
        flat = base_polygon(base)
        names = [f"A{k}" for k in range(2 * len(flat))]
        prism = SOLIDS["prism"](names, base=base, height=5)
        assert sum(map(area, prism_faces(flat, 5))) == pytest.approx(surface(prism))
        names = names[: len(flat) + 1]
        for apex in (None, [2, 1], [6, -1]):
            pyramid = SOLIDS["pyramid"](names, base=base, height=5, apex=apex)
            assert sum(map(area, pyramid_faces(flat, 5, apex))) == pytest.approx(
                surface(pyramid)
            )


def test_edges_that_are_glued_are_of_one_length() -> None:
    _, *sides = pyramid_faces(base_polygon(TRIANGLE), 5, [1, 1])
    for one, two in zip(sides, [*sides[1:], sides[0]], strict=True):
        assert math.dist(one[1], one[2]) == pytest.approx(math.dist(two[0], two[2]))


def test_round_nets_have_the_area_of_the_surface() -> None:
    def areas(spec: dict[str, Any]) -> list[float]:
        ((_, things),) = compose(spec).drawn
        return [area(thing.path) for thing in things if isinstance(thing, Stroke)]

    assert areas(net(cylinder=2, height=5)) == pytest.approx(
        [20 * math.pi, 4 * math.pi, 4 * math.pi], rel=1e-3
    )
    assert areas(net(cone=3, height=4)) == pytest.approx(
        [15 * math.pi, 9 * math.pi], rel=1e-3
    )


@pytest.mark.parametrize("number", range(1, 12))
def test_a_cube_net_has_19_edges_five_of_them_folds(number: int) -> None:
    ((_, things),) = compose(net(cube=number, dash=True)).drawn
    assert len(things) == 19
    assert sum(thing.dash for thing in things) == 5


@pytest.mark.parametrize(
    "item",
    [
        {"cube": [".A..", "BCDE", ".F.."], "lengths": True},
        {"cube": ["###", "###"], "net": False},
        {"cuboid": [4, 3, 2], "lengths": ["a", "b", "c"], "faces": "LFRBTU"},
        {"prism": TRIANGLE, "height": 6, "lengths": True},
        {"pyramid": {"sides": 6, "radius": 2}, "height": 5, "lengths": True},
        {"cylinder": 2, "height": 5, "lengths": True},
        {"cone": 3, "height": 4, "lengths": ["$r$", "$l$"]},
    ],
)
def test_every_net_is_drawn_without_issues_and_the_same_again(
    item: dict[str, Any],
) -> None:
    drawing = draw(net(**item))
    assert not drawing.issues
    assert draw(net(**item)).png() == drawing.png()
    assert drawing.annotation.startswith(("Net of a ", "Six squares"))
    assert not [
        lab
        for lab in draw(net(**item), tags={"DI"}).labels
        if lab.label.kind == "segment"
    ]


@pytest.mark.parametrize(
    ("item", "message"),
    [
        ({"cube": 12}, "nets 1 to 11"),
        ({"cube": "ABC"}, "its rows"),
        ({"cube": ["###"]}, "3 squares"),
        ({"cube": ["###", "###"]}, "fold to no cube"),
        ({"cube": 1, "net": False}, "do fold"),
        ({"cube": 1, "edge": 0}, "edge 0"),
        ({"cube": 1, "faces": "AB"}, "6 faces"),
        ({"cube": 1, "facess": "AB"}, "facess"),
        ({"cube": 1, "lengths": "a"}, "lengths is"),
        ({"cuboid": [1, 2]}, "width, depth, height"),
        ({"cuboid": [1, 2, -3]}, "size -3"),
        ({"cuboid": [1, 2, 3000]}, "cannot be seen"),
        ({"prism": TRIANGLE}, "needs 'height'"),
        ({"prism": [[0, 0], [4, 0], [1, 1], [0, 4]], "height": 2}, "convex"),
        ({"prism": [[k, k * k] for k in range(30)], "height": 2}, "at most 24"),
        ({"pyramid": TRIANGLE, "height": 2, "apex": [1]}, "apex is"),
        ({"cylinder": 1, "height": 0}, "height 0"),
        ({"cone": -1, "height": 1}, "radius -1"),
    ],
)
def test_nets_that_cannot_be(item: dict[str, Any], message: str) -> None:
    with pytest.raises(UserError, match=message) as caught:
        draw(net(**item))
    assert str(caught.value).startswith("net[0] (")


def test_a_net_stands_alone() -> None:
    with pytest.raises(UserError, match="chart: in a net"):
        draw(net(cube=1) | {"chart": [{"bar": {"a": 1}}]})
    with pytest.raises(UserError, match="0 nets"):
        draw({"kind": "net"})
