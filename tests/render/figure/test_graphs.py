"""Graphs: breaks, ends, clipping and ticks."""

from __future__ import annotations

from itertools import pairwise

import numpy as np
import pytest
from benchwright.errors import UserError
from benchwright.render.diagram import compose, draw
from benchwright.render.figure import Dot, Stroke, axes, interval, read_spec, tick_name
from benchwright.render.figure.axes import ticks
from benchwright.render.figure.expressions import parse
from benchwright.render.figure.sampling import clipped, sample
from hypothesis import given
from hypothesis import strategies as st

ROWS = np.array([-5.0, 5.0])


def test_a_pole_is_never_joined() -> None:
    runs = sample(parse("1/(x-1)"), -5, 5, ROWS)
    assert len(runs) == 2
    assert runs[0][:, 0].max() <= 1 <= runs[1][:, 0].min()


def test_tangent_has_its_branches() -> None:
    runs = sample(parse("tan(x)"), -6, 6, ROWS)
    assert len(runs) == 5  # poles at -3pi/2, -pi/2, pi/2, 3pi/2


def test_steps_of_the_floor_function() -> None:
    runs = sample(parse("3floor(x)"), 0.5, 3.5, ROWS)
    assert [float(run[0, 1]) for run in runs] == [0, 3, 6, 9]
    assert [float(run[0, 0]) for run in runs[1:]] == pytest.approx([1, 2, 3])


def test_a_steep_slope_is_no_break() -> None:
    assert len(sample(parse("5atan(200x)"), -5, 5, ROWS)) == 1


def test_a_root_reaches_its_end() -> None:
    (run,) = sample(parse("sqrt(x - 0.123)"), -5, 5, ROWS)
    assert run[0] == pytest.approx([0.123, 0], abs=1e-5)


@given(
    st.lists(st.tuples(st.floats(-9, 9), st.floats(-9, 9)), min_size=2, max_size=12),
)
def test_clipping_keeps_what_is_inside(path: list[tuple[float, float]]) -> None:
    """Slow twin: dense points of the path are inside the box exactly where pieces pass."""
    box = np.array([[-4.0, 5.0], [-3.0, 4.0]])
    xy = np.array(path)
    pieces = clipped(xy, box)
    for piece in pieces:
        assert (piece >= box[:, 0] - 1e-9).all()
        assert (piece <= box[:, 1] + 1e-9).all()

    def size(line: np.ndarray) -> float:
        return float(np.linalg.norm(np.diff(line, axis=0), axis=1).sum())

    t = (np.arange(400) + 0.5) / 400
    expected = 0.0
    for a, b in pairwise(xy):
        dense = a + t[:, None] * (b - a)
        inside = ((dense >= box[:, 0]) & (dense <= box[:, 1])).all(1).mean()
        expected += float(inside) * float(np.linalg.norm(b - a))
    assert sum(map(size, pieces)) == pytest.approx(expected, abs=0.02 * size(xy) + 1e-6)


def drawn(text: str) -> list[Stroke | Dot]:
    composition = compose(read_spec(f"axes: {{x: [-5, 5], y: [-5, 5]}}\n{text}"))
    return [thing for _, part in composition.drawn for thing in part]


def test_interval_notation_marks_the_ends() -> None:
    things = drawn("draw: [{curve: x^2, domain: '[-2, 1)'}]")
    dots = {(round(float(d.at[0]), 6), d.open) for d in things if isinstance(d, Dot)}
    assert dots == {(-2.0, False), (1.0, True)}
    assert not [
        d for d in drawn("draw: [{curve: x, domain: [-2, 1]}]") if isinstance(d, Dot)
    ]


def test_an_open_end_may_be_a_hole() -> None:
    things = drawn("draw: [{curve: (x^2-1)/(x-1), domain: '(-oo, 1)'}]")
    (dot,) = (d for d in things if isinstance(d, Dot))
    assert dot.open
    assert dot.at == pytest.approx([1, 2], abs=1e-5)


def test_a_closed_end_covers_an_open_one() -> None:
    things = drawn("draw: [{piecewise: {x: '[-2, 1)', '2-x': '[1, 3]'}}]")
    dots = [(float(d.at[0]), d.open) for d in things if isinstance(d, Dot)]
    assert sorted(dots) == [(-2, False), (1, False), (3, False)]


@pytest.mark.parametrize("text", ["[2, 1]", "(1, 1)", "1, 2", "[1; 2]", "[a, b]", ""])
def test_bad_intervals(text: str) -> None:
    with pytest.raises(ValueError, match=r"interval|number|cannot read|ends too early"):
        interval(text)


def test_ticks_and_their_names() -> None:
    plain = axes([-2.0, 3.0], y=[0.0, 1.0], step=[1, 0.25])
    assert [tick_name(plain, t) for t in ticks(plain.x, 1)] == [
        "−2",
        "−1",
        "0",
        "1",
        "2",
        "3",
    ]
    assert [tick_name(plain, t) for t in ticks((0, 1), 0.25)] == [
        "0",
        "0.25",
        "0.5",
        "0.75",
        "1",
    ]
    round_ = axes([-np.pi, 2 * np.pi], y=[0.0, 1.0], step=["pi/2", 1])
    names = [tick_name(round_, t) for t in ticks(round_.x, round_.step[0])]
    assert names == ["−π", "−π/2", "0", "π/2", "π", "3π/2", "2π"]


def test_default_steps_give_few_ticks() -> None:
    for size in (0.003, 1, 7, 12, 60, 1000, 123456):
        chosen = axes([0.0, float(size)], y=[0.0, 1.0])
        assert 5 <= len(ticks(chosen.x, chosen.step[0])) <= 13


def test_region_needs_finite_bounds() -> None:
    with pytest.raises(UserError, match="undefined"):
        drawn("draw: [{region: [ln(x), '3']}]")


def test_annotation_tells_a_judge_what_is_drawn() -> None:
    from benchwright.render.diagram import draw

    text = draw(
        "axes: {x: [-5, 5], y: [-5, 5], grid: true}\npoints: {A: [1, 1]}\n"
        "draw: [{piecewise: {x: '[-2, 1)', '2-x': '[1, 3]'}}, {asymptote: x = 4}, {dot: A}]"
    ).annotation
    assert text.splitlines() == [
        "Axes with grid lines: x from -5 to 5, y from -5 to 5.",
        "Points: A(1, 1).",
        "Piecewise function: y = x for x in [-2, 1); y = 2-x for x in [1, 3].",
        "Asymptote x = 4.",
        "Closed dot at A.",
    ]


def test_ticks_are_whole_where_they_can_be_and_squares_on_equal_axes() -> None:
    def texts(spec):
        return {d.label.text for d in draw(spec).labels if d.label.kind == "tick"}

    short = texts("axes: {x: [-1, 4], y: [-1, 6]}")
    assert {"2", "3", "5"} <= short
    assert not any("." in text for text in short)
    assert any("." in text for text in texts("axes: {x: [0, 1], y: [0, 1]}"))
    wide = texts("axes: {x: [0, 20], y: [0, 9]}")
    assert "3" not in wide  # 2, 4, 6 on both axes
    assert "8" in wide


def test_a_number_names_a_place_on_a_number_line() -> None:
    drawing = draw(
        "axes: {x: [-2, 3]}\npoints: {P: sqrt(2), Q: -1}\ndraw: [{dot: P}, {dot: Q}]"
    )
    assert not drawing.issues
    assert {"P", "Q"} <= {done.label.text for done in drawing.labels}


def test_a_parametric_curve_breaks_at_a_pole() -> None:
    branches = drawn("draw: [{parametric: [t, 1/t], domain: [-2, 2]}]")
    assert len(branches) == 2
    for branch in branches:
        x, y = branch.path.T
        assert (
            np.abs(x * y - 1).max() < 0.05
        )  # the hyperbola; no line joins its branches
