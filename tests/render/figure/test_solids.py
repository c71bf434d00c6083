"""Solids: which lines are hidden, against the rule for convex bodies and by hand."""

from __future__ import annotations

import numpy as np
import pytest
from benchwright.render.diagram import compose
from benchwright.render.figure import Stroke, read_spec, split, towards_viewer
from benchwright.render.figure.solids import normal


def strokes_of(text: str) -> tuple[list[Stroke], object]:
    composition = compose(read_spec(text))
    things = [t for _, part in composition.drawn for t in part if isinstance(t, Stroke)]
    return split(things, composition.figure), composition.figure


def ends(strokes: list[Stroke], figure: object) -> set[frozenset[str]]:
    """The edges among strokes, by the names of their ends."""
    points = figure.points  # type: ignore[attr-defined]

    def name(place: np.ndarray) -> str:
        return min(points, key=lambda n: float(np.linalg.norm(points[n] - place)))

    return {frozenset((name(s.path[0]), name(s.path[-1]))) for s in strokes}


def test_box_hides_the_three_edges_at_its_back_left_bottom_corner() -> None:
    strokes, figure = strokes_of("solids: [{box: ABCDEFGH, size: [4, 3, 2]}]")
    hidden = ends([s for s in strokes if s.dash], figure)
    assert hidden == {frozenset("AD"), frozenset("DC"), frozenset("DH")}
    assert len(ends([s for s in strokes if not s.dash], figure)) == 9


CONVEX = [
    "{prism: ABCDEF, base: [[0, 0], [4, 0], [1, 3]], height: 5}",
    "{pyramid: ABCDP, base: [[0, 0], [4, 0], [4, 4], [0, 4]], height: 5}",
    "{pyramid: ABCP, base: [[0, 0], [4, 0.5], [1, 3]], height: 4, apex: [1, 1]}",
    "{prism: '', base: {sides: 6, radius: 2}, height: 3}",
]


@pytest.mark.parametrize("solid", CONVEX)
@pytest.mark.parametrize("oblique", [(0.45, 41), (0.3, 90), (0.5, 135)])
def test_an_edge_of_a_convex_body_is_hidden_when_both_its_faces_turn_away(
    solid: str, oblique: tuple[float, float]
) -> None:
    strokes, figure = strokes_of(
        f"solids: [{solid}]\nprojection: {{oblique: {list(oblique)}}}"
    )
    viewer = towards_viewer(figure.projection)  # type: ignore[attr-defined]
    faces = figure.faces  # type: ignore[attr-defined]
    for stroke in strokes:
        a, b = stroke.path[0], stroke.path[-1]
        sides = [f for f in faces if _has(f, a) and _has(f, b)]
        assert len(sides) == 2
        seen = [float(np.dot(normal(f), viewer)) for f in sides]
        if min(map(abs, seen)) > 1e-6:
            assert stroke.dash == (max(seen) < 0)


def _has(face: np.ndarray, place: np.ndarray) -> bool:
    return bool((np.linalg.norm(face - place, axis=1) < 1e-6).any())


def length(stroke: Stroke) -> float:
    path = np.vstack([stroke.path, stroke.path[:1]]) if stroke.closed else stroke.path
    return float(np.linalg.norm(np.diff(path, axis=0), axis=1).sum())


def test_cylinder_hides_the_back_half_of_its_base_and_what_is_inside() -> None:
    strokes, _ = strokes_of(
        "solids: [{cylinder: OP, radius: 3, height: 5}]\ndraw: [{segment: OP}]"
    )
    hidden = [s for s in strokes if s.dash]
    base = [s for s in hidden if len(s.path) > 2]
    assert sum(map(length, base)) == pytest.approx(np.pi * 3, rel=0.03)
    assert all(s.path[:, 1].min() > -0.3 for s in base)  # y > 0 is behind
    assert sum(length(s) for s in hidden if len(s.path) == 2) == pytest.approx(
        5, rel=0.25
    )


def test_cylinder_outline_is_tangent_to_its_rims() -> None:
    strokes, _ = strokes_of("solids: [{cylinder: OP, radius: 3, height: 5}]")
    sides = [s for s in strokes if len(s.path) == 2]
    assert sorted(float(s.path[0][0]) for s in sides) == pytest.approx(
        [-3, 3], abs=0.02
    )


def test_sphere_hides_half_its_equator() -> None:
    strokes, _ = strokes_of("solids: [{sphere: O, radius: 2}]")
    hidden = sum(length(s) for s in strokes if s.dash)
    assert hidden == pytest.approx(2 * np.pi, rel=0.03)


def test_a_line_that_runs_far_away_takes_no_memory() -> None:
    strokes, _ = strokes_of(
        "solids: [{box: ABCDEFGH, size: [4, 3, 2]}]\ndraw: [{segment: [A, [1000000000, 0, 0]]}]"
    )
    assert max(len(stroke.path) for stroke in strokes) < 1000


def test_a_tetrahedron_by_faces_equals_the_pyramid() -> None:
    points = "points: {A: [0, 0, 0], B: [4, 0.5, 0], C: [1, 3, 0], P: [1, 1, 4]}"
    by_faces, figure = strokes_of(
        f"kind: solid\n{points}\nsolids: [{{polyhedron: [ABC, ABP, BPC, CAP]}}]"
    )
    as_pyramid, other = strokes_of(f"solids: [{CONVEX[2]}]")
    for dash in (True, False):
        assert ends([s for s in by_faces if s.dash is dash], figure) == ends(
            [s for s in as_pyramid if s.dash is dash], other
        )


def test_dash_false_shows_a_hidden_line_through_the_body() -> None:
    box = "solids: [{box: ABCDEFGH, size: [4, 3, 2]}]"
    strokes, _ = strokes_of(f"{box}\ndraw: [{{segment: AG}}]")
    assert strokes[-1].dash
    strokes, _ = strokes_of(f"{box}\ndraw: [{{segment: AG, dash: false}}]")
    assert not strokes[-1].dash
