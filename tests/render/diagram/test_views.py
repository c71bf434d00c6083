"""Three views: outlines are projections of the heap, hidden edges are dashed."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from benchwright.errors import UserError
from benchwright.render.diagram import compose, draw
from benchwright.render.diagram.views import heap_cubes, view_cells, view_lines


def views(**item: Any) -> dict[str, Any]:
    return {"kind": "views", "views": [item]}


def units(lines: list[tuple[Any, bool]], dash: bool) -> set[tuple[float, ...]]:
    """Middles of the unit lines of a view."""
    found = set()
    for run, dashed in lines:
        count = int(np.abs(run[1] - run[0]).sum())
        for k in range(count if dashed == dash else 0):
            found.add(tuple((run[0] + (k + 0.5) * (run[1] - run[0]) / count).tolist()))
    return found


def test_outlines_are_the_projections_of_random_heaps() -> None:
    rng = np.random.default_rng(3)
    for _ in range(60):
        heights = rng.integers(0, 5, rng.integers(1, 5, 2))
        heights[0, 0] += 1
        filled = heap_cubes(heights.tolist())
        assert filled.sum() == heights.sum()
        front, left, top = (
            view_cells(filled, v).any(2) for v in ("front", "left", "top")
        )
        assert front.sum(1).tolist() == heights.max(0).tolist()
        assert (
            left.sum(1).tolist() == heights.max(1).tolist()
        )  # the back is at the left
        assert (top == (heights > 0)[::-1].T).all()


@pytest.mark.parametrize("view", ["front", "left", "top"])
def test_lines_are_where_a_ray_says(view: str) -> None:
    """A line is seen where first cubes differ in depth; behind it only another edge hides."""
    rng = np.random.default_rng(5)
    for _ in range(30):
        heights = rng.integers(0, 4, (3, 3))
        heights[1, 1] += 1
        cells = view_cells(heap_cubes(heights.tolist()), view)
        lines = view_lines(cells, joints=False)
        solid, dashed = units(lines, False), units(lines, True)
        assert not solid & dashed
        for x in range(cells.shape[0] - 1):
            for y in range(cells.shape[1]):
                columns = [np.flatnonzero(cells[k, y]).tolist() for k in (x, x + 1)]
                middle = (x + 1.0, y + 0.5)
                assert (middle in solid) == (columns[0][:1] != columns[1][:1])
                hidden = columns[0][:1] == columns[1][:1] and columns[0] != columns[1]
                assert (middle in dashed) == hidden
        assert view != "top" or not dashed  # from above nothing of a heap is hidden


def test_joints_show_each_cube() -> None:
    lines = view_lines(view_cells(heap_cubes([[2, 1]]), "front"), joints=True)
    assert len(units(lines, False)) == 10
    assert not units(lines, True)


def test_a_groove_behind_a_wall_is_dashed() -> None:
    lines = view_lines(
        view_cells(heap_cubes([[2, 1, 2], [2, 2, 2]]), "front"), joints=False
    )
    assert units(lines, True) == {(1.0, 1.5), (2.0, 1.5), (1.5, 1.0)}
    assert len(units(lines, False)) == 10


def test_views_stand_in_line_and_have_their_names() -> None:
    spec = views(heap=[[3, 1, 2], [1, 1, 0]], names=["F", "L", "T"])
    composition = compose(spec)
    front, left, top = (label.anchor[0] for label in composition.labels)
    assert front[1] == left[1] > top[1]
    assert front[0] == top[0] < left[0]
    drawing = draw(spec)
    assert not drawing.issues
    assert drawing.png() == draw(spec).png()
    assert "3 1 2 / 1 1 0" in drawing.annotation
    assert not compose(views(heap=[[1]], names=False)).labels
    words = [label.text for label in compose(views(heap=[[1]], names="zh")).labels]
    assert words == ["主视图", "左视图", "俯视图"]


def test_the_largest_heap_has_space_for_names() -> None:
    assert not draw(views(heap=[[10] * 10] * 10)).issues
    assert not draw(views(heap=[[10]])).issues
    assert not draw(views(heap=[[1] * 10])).issues


@pytest.mark.parametrize(
    ("item", "message"),
    [
        ({"heap": 3}, "list of rows"),
        ({"heap": [[]]}, "list of rows"),
        ({"heap": [[1, 2], [1]]}, "one length"),
        ({"heap": [[1] * 11]}, "at most 10"),
        ({"heap": [[11]]}, "11 cubes"),
        ({"heap": [[-1]]}, "-1 cubes"),
        ({"heap": [[1.5]]}, "1.5 cubes"),
        ({"heap": [[True]]}, "True cubes"),
        ({"heap": [[0]]}, "at least one"),
        ({"heap": [[1]], "names": "fr"}, "names are en, zh"),
        ({"heap": [[1]], "joint": False}, "joint"),
    ],
)
def test_heaps_that_cannot_be(item: dict[str, Any], message: str) -> None:
    with pytest.raises(UserError, match=message) as caught:
        draw(views(**item))
    assert str(caught.value).startswith("views[0] (")
