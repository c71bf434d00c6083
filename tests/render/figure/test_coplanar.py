"""Composite solids: an edge in a common plane is no edge; all others stay."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from benchwright.errors import UserError
from benchwright.render.diagram import compose, draw


def length(*solids: dict[str, Any]) -> float:
    """Of all strokes that are drawn, hidden or not."""
    drawn = compose({"kind": "solid", "solids": list(solids)}).drawn
    return sum(
        float(np.linalg.norm(s.path[1] - s.path[0])) for _, part in drawn for s in part
    )


def box(size: list[float], at: list[float]) -> dict[str, Any]:
    return {"box": "", "size": size, "at": at}


def test_flush_boxes_are_one_box() -> None:
    seamless = length(box([2, 3, 4], [0, 0, 0]), box([5, 3, 4], [2, 0, 0]))
    assert seamless == pytest.approx(length(box([7, 3, 4], [0, 0, 0])))


def test_a_step_keeps_its_corner() -> None:
    """A low box beside a high one, flush in front, behind and below: only those seams go."""
    both = length(box([4, 4, 2], [0, 0, 0]), box([4, 4, 5], [4, 0, 0]))
    edges = 4 * (4 + 4 + 2) + 4 * (4 + 4 + 5)
    seams = 2 * (2 + 2 + 4)  # in front, behind and below, each drawn by both
    assert both == pytest.approx(edges - seams, abs=0.3)


def test_a_pyramid_on_a_box_keeps_the_edge_between() -> None:
    base = [[0, 0], [4, 0], [4, 4], [0, 4]]
    pyramid = {"pyramid": "", "base": base, "height": 3, "at": [0, 0, 4]}
    apart = length({"cube": "", "edge": 4}) + length(pyramid)
    assert length({"cube": "", "edge": 4}, pyramid) == pytest.approx(apart)


def test_one_point_may_have_two_names() -> None:
    spec: dict[str, Any] = {
        "points": {"A": [0, 0], "B": [4, 0], "P": [1, 3]}, "draw": [{"polygon": "ABP"}],
    }  # fmt: skip
    named = draw(
        spec
        | {
            "construct": {"V": {"same": "P"}},
            "labels": [{"segment": "AV", "text": "5"}],
        }
    )
    assert [done.label.text for done in named.labels if "P" in done.label.text] == [
        "$P(V)$"
    ]
    assert not named.issues
    with pytest.raises(UserError, match="points P and V coincide") as caught:
        draw(spec | {"points": spec["points"] | {"V": [1, 3]}})
    assert "{V: {same: P}}" in caught.value.remedy


def test_yaml_1_1_reads_on_as_true() -> None:
    spec = {"points": {"A": [0, 0], "B": [4, 0]}, "construct": {"C": {True: ["A", "B", 0.25]}},
            "draw": [{"segment": "AB"}]}  # fmt: skip
    assert compose_points(spec)["C"] == pytest.approx([1, 0])


def compose_points(spec: dict[Any, Any]) -> dict[str, Any]:
    from benchwright.render.figure import read_spec

    return compose(read_spec(spec)).figure.points
