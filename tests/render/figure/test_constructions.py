"""Constructions by the properties that define them; predicates true and false."""

from __future__ import annotations

import math

import numpy as np
import pytest
from benchwright.errors import UserError
from benchwright.render.diagram import compose
from benchwright.render.figure import angle, area
from benchwright.render.figure import constructions as g
from hypothesis import assume, given
from hypothesis import strategies as st

NUMBER = st.floats(-10, 10)
POINT = st.tuples(NUMBER, NUMBER).map(np.array)


def distance(a: np.ndarray, b: np.ndarray) -> float:
    return math.dist(a, b)


def is_triangle(a: np.ndarray, b: np.ndarray, c: np.ndarray) -> bool:
    sides = sorted([distance(a, b), distance(b, c), distance(c, a)])
    return sides[0] > 0.5 and sides[0] + sides[1] > 1.05 * sides[2]


@given(POINT, POINT, POINT)
def test_centres_of_a_triangle(a: np.ndarray, b: np.ndarray, c: np.ndarray) -> None:
    assume(is_triangle(a, b, c))
    o = g.circumcenter(a, b, c)
    assert (
        distance(o, a) == pytest.approx(distance(o, b)) == pytest.approx(distance(o, c))
    )
    i = g.incenter(a, b, c)
    touching = [distance(i, g.foot(i, p, q)) for p, q in ((a, b), (b, c), (c, a))]
    assert touching[0] == pytest.approx(touching[1]) == pytest.approx(touching[2])
    h = g.orthocenter(a, b, c)
    assert np.dot(h - a, b - c) == pytest.approx(0, abs=1e-6)
    assert np.dot(h - b, c - a) == pytest.approx(0, abs=1e-6)
    d = g.bisector(a, b, c)
    assert angle([a, b, d]) == pytest.approx(angle([d, b, c]), abs=1e-4)


@given(POINT, POINT, POINT)
def test_feet_and_mirror_images(p: np.ndarray, a: np.ndarray, b: np.ndarray) -> None:
    assume(distance(a, b) > 0.1)
    f = g.foot(p, a, b)
    assert np.dot(p - f, b - a) == pytest.approx(0, abs=1e-6)
    q = g.reflect(p, a, b)
    assert distance(q, a) == pytest.approx(distance(p, a), abs=1e-6)
    assert np.allclose(g.mid(p, q), f, atol=1e-6)


@given(POINT, POINT, st.floats(0.5, 4))
def test_tangents_and_meetings_with_circles(
    p: np.ndarray, o: np.ndarray, r: float
) -> None:
    assume(distance(p, o) > r + 0.1)
    touches = [g.tangent(p, o, r, k) for k in (1, 2)]
    for t in touches:
        assert distance(t, o) == pytest.approx(r)
        assert np.dot(t - o, t - p) == pytest.approx(0, abs=1e-6)
    towards, left = o - p, touches[0] - p
    assert towards[0] * left[1] - towards[1] * left[0] > 0  # the first lies to the left
    first, second = (g.line_circle(p, o, o, r, k) for k in (1, 2))
    assert distance(p, first) < distance(p, second)
    assert distance(first, second) == pytest.approx(2 * r)


def test_lines_meet_in_space_or_are_skew() -> None:
    a, b = np.array([0.0, 0, 0]), np.array([2.0, 2, 2])
    c, d = np.array([2.0, 0, 0]), np.array([0.0, 2, 2])
    assert np.allclose(g.meet(a, b, c, d), [1, 1, 1])
    with pytest.raises(ValueError, match="skew"):
        g.meet(a, b, c, d + np.array([0.0, 0, 1]))


POINTS = "points: {A: [0, 0], B: [4, 0], C: [4, 3], D: [0, 3], M: [2, 0], S: [2, 1.5]}"
TRUE = [
    "perpendicular: [AB, BC]", "parallel: [AB, DC]", "equal: [AB, DC]", "length: [AC, 5]",
    "angle: [ABC, 90]", "area: [ABC, 6]", "collinear: ASC", "between: [M, AB]",
    "midpoint: [M, AB]", "concyclic: ABCD", "tangent: [BC, A, 4]", "congruent: [ABC, CDA]",
    "similar: [ABC, AMS]", "equal_angles: [ABC, BCD]",
]  # fmt: skip
FALSE = [
    "perpendicular: [AB, AC]", "parallel: [AB, AC]", "equal: [AB, BC]", "length: [AC, 4]",
    "angle: [BAC, 45]", "area: [ABC, 7]", "collinear: ABC", "between: [B, AM]",
    "midpoint: [S, AB]", "concyclic: ABCM", "tangent: [BC, A, 3]", "congruent: [ABC, ABD]",
    "similar: [ABC, AMC]", "equal_angles: [ABC, BAC]", "bisects: [AC, BAD]",
]  # fmt: skip


@pytest.mark.parametrize("claim", TRUE)
def test_true_claims_pass(claim: str) -> None:
    compose(_spec(claim))


@pytest.mark.parametrize("claim", FALSE)
def test_false_claims_are_errors_that_name_the_item(claim: str) -> None:
    with pytest.raises(UserError, match=r"check\[0\]"):
        compose(_spec(claim))


def _spec(claim: str) -> dict[str, object]:
    from benchwright.render.figure import read_spec

    return read_spec(f"{POINTS}\ncheck:\n  - {{{claim}}}")


def test_measures_are_those_of_the_figure() -> None:
    spec = f"{POINTS}\nlabels: [{{segment: AC, text: '{{}} cm'}}, {{angle: BAC, text: '{{}}°'}}]"
    from benchwright.render.figure import read_spec

    texts = {label.text for label in compose(read_spec(spec)).labels}
    assert {"5 cm", "36.87°"} <= texts


@given(st.lists(POINT, min_size=3, max_size=3))
def test_area_is_herons(corners: list[np.ndarray]) -> None:
    a, b, c = (math.dist(corners[k], corners[k - 1]) for k in range(3))
    s = (a + b + c) / 2
    heron = math.sqrt(max(0.0, s * (s - a) * (s - b) * (s - c)))
    assert area(corners) == pytest.approx(heron, abs=1e-4)
