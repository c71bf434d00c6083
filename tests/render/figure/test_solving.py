"""`solve:` against trigonometry, and what cannot be solved, by name; what `measure` gives."""

from __future__ import annotations

import math

import pytest
from benchwright import measure
from benchwright.errors import UserError
from benchwright.render.diagram import compose, draw
from benchwright.render.figure import read_spec

TRIANGLE = """
solve:
  - {length: [AB, 7]}
  - {angle: [BAC, 40]}
  - {length: [AC, 6]}
  - {between: [D, BC]}
  - {perpendicular: [AD, BC]}
draw: [{polygon: ABC}, {segment: AD}]
marks: [{right: ADB}]
"""


def test_a_triangle_and_its_height_stand_where_trigonometry_puts_them() -> None:
    assert draw(TRIANGLE).issues == []  # its mark is measured
    bc = math.sqrt(49 + 36 - 84 * math.cos(math.radians(40)))
    area = 21 * math.sin(math.radians(40))
    assert measure(TRIANGLE, {"length": "BC"}) == pytest.approx(bc)
    assert measure(TRIANGLE, {"area": "ABC"}) == pytest.approx(area)
    assert measure(TRIANGLE, {"distance": ["A", "BC"]}) == pytest.approx(2 * area / bc)
    assert measure(TRIANGLE, {"angle": "ADC"}) == pytest.approx(90)
    assert measure(TRIANGLE, {"perimeter": "ABC"}) == pytest.approx(13 + bc)
    assert measure(TRIANGLE, {"ratio": ["AB", "BC"]}) == pytest.approx(7 / bc)


def test_given_points_stay_and_constructions_follow() -> None:
    spec = """
points: {A: [0, 0], B: [6, 0]}
solve: [{equal: [AC, BC]}, {angle: [ACB, 60]}]
construct: {M: {mid: AB}}
draw: [{polygon: ABC}, {segment: CM}]
"""
    assert measure(spec, {"length": "CM"}) == pytest.approx(3 * math.sqrt(3))


def test_angles_alone_give_the_shape_and_the_longer_side_is_ten() -> None:
    spec = "solve: [{angle: [BAC, 90]}, {angle: [ABC, 30]}]\ndraw: [{polygon: ABC}]"
    assert measure(spec, {"ratio": ["BC", "AC"]}) == pytest.approx(2)
    assert measure(spec, {"length": "AB"}) == pytest.approx(10)


def test_coordinates_in_a_relation_stay_where_they_are() -> None:
    circles = """
solve: [{length: [[A, [0, 0]], 5]}, {length: [[A, [6, 0]], 5]}%s]
draw: [{segment: [A, [0, 0]]}]
"""
    with pytest.raises(UserError, match="2 figures fulfil it"):
        measure(circles % "", {"length": ["A", [0, 0]]})
    above = circles % ", {near: [A, [3, 1]]}"
    assert measure(above, {"length": ["A", [3, 0]]}) == pytest.approx(4)
    assert measure(above, {"length": ["A", [3, -4]]}) == pytest.approx(8)


SSA = "solve: [{length: [AB, 7]}, {angle: [BAC, 40]}, {length: [BC, 5]}%s]\ndraw: [{polygon: ABC}]"


def test_of_two_triangles_a_place_chooses() -> None:
    with pytest.raises(UserError, match=r"2 figures fulfil it, C at .*near: \[C"):
        draw(SSA % "")
    foot, half = (
        7 * math.cos(math.radians(40)),
        math.sqrt(25 - (7 * math.sin(math.radians(40))) ** 2),
    )
    for place, ac in (("[2, 2]", foot - half), ("[6, 5]", foot + half)):
        found = measure(SSA % f", {{near: [C, {place}]}}", {"length": "AC"})
        assert found == pytest.approx(ac)


@pytest.mark.parametrize(
    ("solve", "says"),
    [
        ("[{length: [AB, 7]}, {angle: [BAC, 40]}]", "leave the figure open"),
        (
            "[{length: [AB, 9]}, {length: [BC, 2]}, {length: [AC, 3]}]",
            r"solve\[\d\] \(length\)",
        ),
        ("[{length: [AB, -5]}]", "no figure fulfils"),
        ("[{length: [AB, nan]}]", "cannot read 'nan'"),
        ("[{length: [AB]}]", r"solve\[0\] \(length\): needs"),
        ("[{lenght: [AB, 5]}]", "did you mean 'length'"),
        ("{length: [AB, 5]}", "no list"),
        ("[{length: [AB, 5]}, {near: [C, [1, 2]]}]", "no point 'C'"),
    ],
)
def test_what_cannot_be_solved_is_named(solve: str, says: str) -> None:
    with pytest.raises(UserError, match=says):
        draw(f"solve: {solve}\ndraw: [{{segment: AB}}]")


def test_points_to_solve_are_bounded() -> None:
    chain = [{"length": [[f"A{k}", f"A{k + 1}"], 1]} for k in range(41)]
    with pytest.raises(UserError, match="42 points: the limit is 40"):
        draw({"solve": chain, "draw": [{"segment": ["A1", "A2"]}]})


def test_what_cannot_be_measured_is_named() -> None:
    with pytest.raises(UserError, match="no point 'X'"):
        measure(TRIANGLE, {"length": "AX"})
    with pytest.raises(UserError, match="did you mean 'length'"):
        measure(TRIANGLE, {"lenght": "AB"})
    with pytest.raises(UserError, match="measure is one item"):
        measure(TRIANGLE, {})


def test_an_angle_without_arms_and_a_point_beside_its_circle_are_issues() -> None:
    figure = (
        "points: {O: [0, 0], A: [3, 0], B: [0, %s]}\ndraw: [{circle: O, radius: 3}%s]\n"
    )
    angle = "labels: [{angle: AOB, text: 88°}]"
    assert [i.code for i in draw(figure % (3, "") + angle).issues] == [
        "mark-without-arms"
    ]
    arms = ", {segment: OA}, {segment: OB}"
    scale = "\nscale: false"
    assert draw(figure % (3, arms) + angle + scale).issues == []
    assert [i.code for i in draw(figure % (3.04, "")).issues] == ["point-off-circle"]
    assert draw(figure % (4, "")).issues == []


@pytest.mark.parametrize(
    ("marked", "drawn"),
    [
        ("marks: [{equal: [AB, CD]}]", "{segment: CD}"),
        ("marks: [{parallel: [AB, CD]}]", "{segment: CD}"),
        ("labels: [{arc: BAE, text: 90°}]", "{arc: BAE}"),
        ("labels: [{segment: CD, text: '4'}]", "{segment: CD}"),
    ],
)
def test_what_marks_and_texts_name_is_drawn(marked: str, drawn: str) -> None:
    points = "points: {A: [0, 0], B: [4, 0], C: [0, 3], D: [4, 3], E: [0, 4]}"
    for more, codes in (("", ["label-of-nothing"]), (f", {drawn}", [])):
        spec = f"{points}\ndraw: [{{segment: AB}}{more}]\n{marked}"
        assert [issue.code for issue in draw(spec).issues] == codes


@pytest.mark.parametrize("side", [1, -1])
def test_near_chooses_the_figure_across_a_level_line(side: int) -> None:
    spec = {
        "points": {"A": [0, 0], "B": [8, 0]},
        "solve": [
            {"angle": ["BAC", 42]},
            {"angle": ["ABC", 53]},
            {"near": ["C", [4, 4 * side]]},
        ],
        "draw": [{"polygon": "ABC"}],
    }
    x, y = compose(read_spec(spec)).figure.points["C"]
    # the height of a triangle on c with angles of 42 and 53 degrees
    height = 8 / (1 / math.tan(math.radians(42)) + 1 / math.tan(math.radians(53)))
    assert (x, y) == pytest.approx((height / math.tan(math.radians(42)), side * height))
