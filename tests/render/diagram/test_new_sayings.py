"""Half solids, views of solids, logarithmic axes, pictures and cells in a figure."""

from __future__ import annotations

from itertools import pairwise
from typing import Any

import numpy as np
import pytest
from benchwright.errors import UserError
from benchwright.render.diagram import compose, draw
from benchwright.render.figure import SOLIDS, Solid, Stroke, read_spec
from PIL import Image


def volume(solid: Solid) -> float:
    """By the divergence theorem, from the faces as they are turned."""
    total = 0.0
    for face in solid.faces:
        for b, c in pairwise(face[1:]):
            total += float(np.dot(face[0], np.cross(b, c))) / 6
    return total


@pytest.mark.parametrize("axis", ["x", "y", "z"])
@pytest.mark.parametrize("sweep", [60, 180, 270])
def test_parts_of_cylinders_have_their_volume(axis: str, sweep: int) -> None:
    arc, at = [20.0, 20.0 + sweep], [1.0, 2.0, 3.0]
    solid = SOLIDS["cylinder"]("", radius=3, arc=arc, height=5, axis=axis, at=at)
    assert volume(solid) == pytest.approx(np.pi * 9 * 5 * sweep / 360, rel=2e-3)


def test_half_a_cone_has_half_its_volume_and_four_names() -> None:
    solid = SOLIDS["cone"]("OVAB", radius=3, arc=[0, 180], height=4)
    assert volume(solid) == pytest.approx(np.pi * 9 * 4 / 6, rel=2e-3)
    assert np.allclose(solid.points["V"], [0, 0, 4])
    assert np.allclose(solid.points["B"], [-3, 0, 0])


@pytest.mark.parametrize("arc", [[0, 0], [0, 400], [180], "half"])
def test_arcs_that_are_none_are_named(arc: Any) -> None:
    spec = {"solids": [{"cylinder": "", "radius": 3, "arc": arc, "height": 5}]}
    with pytest.raises(UserError, match=r"solids\[0\] \(cylinder\)"):
        draw(spec)


def test_views_of_a_cone_on_a_box_are_its_outlines() -> None:
    parts = [
        {"box": "", "size": [4, 2, 1]},
        {"cone": "", "radius": 1, "height": 2, "at": [2, 1, 1]},
    ]
    drawn = compose(read_spec({"views": [{"solids": parts, "names": False}]})).drawn
    strokes = [thing for thing in drawn[0][1] if isinstance(thing, Stroke)]
    assert not any(stroke.dash for stroke in strokes)
    front = [
        s.path
        for s in strokes
        if s.path.min() > -1e-6 and s.path[:, 0].max() < 4 + 1e-6
    ]
    assert np.concatenate(front).max(0).round(3).tolist() == [4, 3]
    assert (
        sum(np.abs(np.diff(path[[0, -1]], axis=0)).min() > 0.5 for path in front) == 2
    )  # slants


def test_an_exponential_is_straight_on_a_logarithmic_axis() -> None:
    spec = {
        "axes": {"x": [0, 10], "y": [1, 10000], "log": "y"},
        "points": {"A": [2, 20]},
        "draw": [{"curve": "5*2^x"}],
    }
    composition = compose(read_spec(spec))
    path = next(t.path for t in composition.drawn[0][1] if isinstance(t, Stroke))
    assert np.allclose(path[:, 1], np.log10(5) + path[:, 0] * np.log10(2))
    assert composition.figure.points["A"].tolist() == pytest.approx([2, np.log10(20)])
    with pytest.raises(UserError, match="positive"):
        draw(spec | {"points": {"A": [2, -1]}})
    with pytest.raises(UserError, match="positive"):
        draw(spec | {"axes": {"x": [0, 10], "y": [0, 10], "log": "y"}})


def test_a_picture_stands_where_the_spec_places_it() -> None:
    spec = {
        "points": {"A": [0, 0], "B": [10, 0], "C": [10, 10], "D": [0, 10]},
        "hide": ["A", "B", "C", "D"],
        "draw": [{"polygon": "ABCD"}, {"picture": "red.png", "at": [5, 5], "width": 4}],
    }
    pixels = np.asarray(
        draw(spec, pictures={"red.png": Image.new("RGB", (20, 10), "red")}).picture
    )
    rows, columns = np.nonzero((pixels[..., 0] > 200) & (pixels[..., 1] < 50))
    wide, high = np.ptp(columns) + 1, np.ptp(rows) + 1
    assert wide / high == pytest.approx(2, rel=0.03)
    assert columns.mean() == pytest.approx(pixels.shape[1] / 2, abs=2)
    with pytest.raises(UserError, match="no picture 'red"):
        draw(spec)


def test_cells_of_panels_hold_pictures() -> None:
    cell = {"draw": [{"picture": "red.png", "at": [0, 0], "width": 4}]}
    spec = {"panels": [[cell, "seven"]], "frame": True}
    drawing = draw(spec, pictures={"red.png": Image.new("RGB", (20, 10), "red")})
    assert not drawing.issues
    assert drawing.picture.mode == "RGB"


def test_cells_are_squares_filled_ones_and_gaps() -> None:
    drawn = compose(read_spec({"draw": [{"cells": ["#*", ".#"], "at": [0, 0]}]})).drawn[
        0
    ][1]
    lows = {
        tuple(s.path.min(0).tolist()): s.fill for s in drawn if isinstance(s, Stroke)
    }
    assert lows == {(0, 1): "", (1, 1): "gray", (1, 0): ""}


def test_a_dimension_line_far_from_its_segment_is_an_issue() -> None:
    """Every place beside it is taken by parallel lines."""
    points = {f"A{k}": [0, 0.6 * k] for k in range(14)} | {
        f"B{k}": [8, 0.6 * k] for k in range(14)
    }
    spec = {
        "points": points,
        "hide": list(points),
        "draw": [{"segment": f"A{k}B{k}"} for k in range(14)],
        "labels": [{"segment": "A7B7", "text": "8", "dimension": True}],
    }
    assert [issue.code for issue in draw(spec).issues] == ["label-far"]


def test_the_name_of_an_axis_in_words_is_printed() -> None:
    axes = {"x": [0, 30], "y": [0, 6], "step": [5, 1], "equal": False}
    drawing = draw({"axes": axes | {"names": ["Time (minutes)", "Distance (miles)"]}})
    shown = {placed.label.text for placed in drawing.labels}
    assert {"Time (minutes)", "Distance (miles)"} <= shown
    assert not drawing.issues
