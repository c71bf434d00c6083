"""Several figures in one picture, and curves that no formula y = f(x) says."""

from __future__ import annotations

import numpy as np
import pytest
from benchwright.errors import UserError
from benchwright.render.diagram import compose, draw
from benchwright.render.figure import Stroke, read_spec

PANELS = """
frame: true
panels:
- - {caption: (A), axes: {x: [-2, 2], y: [-2, 2]}, draw: [{curve: x^2}]}
  - {caption: (B), points: {A: [0, 0], B: [3, 0], C: [0, 2]}, draw: [{polygon: ABC}],
     labels: [{segment: AB, text: "3"}]}
- ["why?", null]
"""


def test_panels_stand_in_a_grid_with_captions_texts_and_empty_cells() -> None:
    drawing = draw(PANELS)
    assert drawing.issues == []
    at = {done.label.text: done.label.anchor[0] for done in drawing.labels}
    width = drawing.picture.width
    assert at["(A)"][0] < width / 2 < at["(B)"][0]
    assert at["(A)"][1] == pytest.approx(at["(B)"][1], abs=80)
    assert at["why?"][1] > at["(A)"][1]
    assert "(B):\nPolygon ABC." in drawing.annotation
    base = {done.label.text for done in draw(PANELS, tags={"DI"}).labels}
    assert at.keys() - base == {"3"}
    dark = np.asarray(drawing.picture.convert("L")) < 100
    assert (dark.mean(axis=1) > 0.99).sum() >= 6  # three lines across, two pixels each


@pytest.mark.parametrize(
    ("panels", "says"),
    [
        ("3", "panels is no list"),
        ("[[]]", "0 cells"),
        (f"[{', '.join('a' * 40)}]", "40 cells"),
        ("[{caption: a}]", r"panels\[0\]\[0\]: the spec draws nothing"),
        ("[{panels: [a]}]", "no panels"),
        ("[a]\npoints: {A: [0, 0]}", "points: beside panels"),
    ],
)
def test_panels_that_are_none(panels: str, says: str) -> None:
    with pytest.raises(UserError, match=says):
        draw(f"panels: {panels}")


def curves(item: str) -> np.ndarray:
    spec = f"points: {{F: [-4, 0], G: [4, 0]}}\naxes: {{x: [-6, 6], y: [-5, 5]}}\ndraw: [{item}]"
    ((_, things),) = compose(read_spec(spec)).drawn
    return np.vstack([thing.path for thing in things if isinstance(thing, Stroke)])


def test_points_of_curves_fulfil_their_equations() -> None:
    x, y = curves("{implicit: 'x^2 + y^2 = 4'}").T
    assert np.allclose(np.hypot(x, y), 2, atol=1e-3)
    x, y = curves("{polar: '1 + cos(t)'}").T
    r = np.hypot(x, y)
    assert np.allclose(r**2, r + x, atol=1e-6)
    for item, sign, value in (("sum: 10", 1, 10), ("difference: 6", -1, 6)):
        x, y = curves(f"{{conic: FG, {item}}}").T
        one, two = np.hypot(x + 4, y), np.hypot(x - 4, y)
        assert np.allclose(abs(one + sign * two), value, atol=5e-3)


def test_a_free_curve_runs_through_its_points() -> None:
    spec = (
        "points: {A: [0, 0], B: [2, 2], C: [4, 0]}\ndraw: [{spline: ABC, arrow: end}]"
    )
    composition = compose(read_spec(spec))
    ((_, (stroke,)),) = composition.drawn
    assert isinstance(stroke, Stroke)
    assert stroke.arrows == (False, True)
    for at in composition.figure.points.values():
        assert np.linalg.norm(stroke.path - at, axis=1).min() < 1e-9


@pytest.mark.parametrize(
    ("item", "says"),
    [
        ("{implicit: 'x^2 + y^2 = -1'}", "no point of the window"),
        ("{implicit: 'x + z = 1'}", "cannot read 'z"),
        ("{implicit: x}", "an equation"),
        ("{conic: FG, sum: 6}", "more than the distance"),
        ("{conic: FG, difference: 9}", "less than the distance"),
        ("{conic: FG}", "the sum or the difference"),
        ("{path: FG, arrow: up}", "start, end or both"),
    ],
)
def test_curves_that_are_none(item: str, says: str) -> None:
    with pytest.raises(UserError, match=says):
        curves(item)


def test_ticks_have_texts_of_their_own() -> None:
    axes = "axes: {x: [0, 3], y: [0, 8], step: [1, 4], texts: {x: {1: Jan, 2: Feb}, y: {4: 4i}}}"
    texts = {done.label.text for done in draw(f"{axes}\ndraw: [{{curve: x^2}}]").labels}
    assert {"Jan", "Feb", "4i"} <= texts
    assert not {"3", "8"} & texts
    between = draw(
        "axes: {x: [0, 3], y: [0, 8], texts: {x: {0.5: Jan, 1.5: Feb}}}"
    ).labels
    assert {"Jan", "Feb"} <= {done.label.text for done in between}
    with pytest.raises(UserError, match="texts are"):
        draw("axes: {x: [0, 3], y: [0, 8], texts: [Jan]}")
    with pytest.raises(UserError, match="between the ends"):
        draw("axes: {x: [0, 3], y: [0, 8], texts: {x: {4: Apr}}}")
