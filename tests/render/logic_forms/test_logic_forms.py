"""Logic forms: read, solved, drawn; the measures of the figure are those that the forms say."""

from __future__ import annotations

import cmath
import math
from typing import Any

import pytest
from benchwright.errors import UserError
from benchwright.render.diagram import draw
from benchwright.render.logic_forms import spec_of_forms
from benchwright.render.logic_forms.parser import parse_form


def lengths(spec: dict[str, Any], *lines: str) -> list[float]:
    return [math.dist(*(spec["points"][p] for p in line)) for line in lines]


def test_nested_forms() -> None:
    assert parse_form("Equals(LengthOf(Line(A, B)), 2*(x+1))") == (
        "Equals",
        (("LengthOf", (("Line", ("A", "B")),)), "2*(x+1)"),
    )


@pytest.mark.parametrize(
    "text",
    [
        "",
        "Line(A",
        "Line A, B)",
        ")(",
        "5",
        "Line(A,,B)",
        "(" * 50,
        "Line" + "(Line" * 30,
    ],
)
def test_unreadable_forms(text: str) -> None:
    with pytest.raises(UserError, match="logic form"):
        parse_form(text)


def test_a_triangle_without_positions_is_solved() -> None:
    spec, issues = spec_of_forms(
        [
            "Triangle(A, B, C)",
            "Equals(LengthOf(Line(A, B)), 8)",
            "Equals(LengthOf(Line(B, C)), 10)",
            "Equals(MeasureOf(Angle(A, B, C)), 70)",
            "PointLiesOnLine(D, Line(A, C))",
            "Perpendicular(Line(B, D), Line(A, C))",
            "Line(B, D)",
            "Find(LengthOf(Line(A, C)))",
        ]
    )
    assert not issues
    ab, bc, ac = lengths(spec, "AB", "BC", "AC")
    assert bc / ab == pytest.approx(10 / 8, rel=1e-3)
    law_of_cosines = math.sqrt(64 + 100 - 160 * math.cos(math.radians(70)))
    assert ac / ab == pytest.approx(law_of_cosines / 8, rel=1e-3)
    assert {"right": ["B", "D", "A"]} in spec["marks"] or {
        "right": ["A", "D", "B"]
    } in spec["marks"]
    drawing = draw(spec)
    assert not drawing.issues
    assert {"8", "10", "70°"} <= {done.label.text for done in drawing.labels}


def test_positions_are_settled_so_that_claims_are_exact() -> None:
    spec, issues = spec_of_forms(
        {
            "diagram_logic_form": [
                "PointLiesOnCircle(A, Circle(O, radius_0_0))",
                "PointLiesOnCircle(B, Circle(O, radius_0_0))",
                "PointLiesOnCircle(C, Circle(O, radius_0_0))",
                "Perpendicular(Line(A, C), Line(C, B))",
                "Equals(MeasureOf(Angle(C, A, B)), 2*x+5)",
            ],
            "line_instances": ["AC", "CB", "AB"],
            "point_positions": {
                "A": [101, 225],
                "B": [303, 221],
                "C": [160, 130],
                "O": [200, 224],
            },
        }
    )
    assert not issues
    oa, ob, oc = lengths(spec, "OA", "OB", "OC")
    assert oa == pytest.approx(ob, rel=1e-3) == pytest.approx(oc, rel=1e-3)
    drawing = draw(spec)  # its right-angle mark is measured here
    assert not drawing.issues
    assert any("2x+5" in done.label.text for done in drawing.labels)


def test_equal_things_share_marks_and_classes_differ() -> None:
    spec, _ = spec_of_forms(
        [
            "Parallelogram(A, B, C, D)",
            "Parallel(Line(A, B), Line(D, C))",
            "Parallel(Line(A, D), Line(B, C))",
            "Equals(LengthOf(Line(A, B)), LengthOf(Line(D, C)))",
            "Equals(LengthOf(Line(A, D)), LengthOf(Line(B, C)))",
            "Equals(LengthOf(Line(A, B)), 12)",
            "Equals(LengthOf(Line(A, D)), 7)",
            "Equals(MeasureOf(Angle(D, A, B)), 60)",
        ]
    )
    assert [m["ticks"] for m in spec["marks"] if "equal" in m] == [1, 2]
    assert [m["chevrons"] for m in spec["marks"] if "parallel" in m] == [1, 2]
    ab, ad = lengths(spec, "AB", "AD")
    assert ab / ad == pytest.approx(12 / 7, rel=1e-3)
    assert not draw(spec).issues


CONTRADICTIONS = [
    ["Equals(LengthOf(Line(A, B)), 3)", "Equals(LengthOf(Line(B, C)), 4)",
     "Equals(LengthOf(Line(A, C)), 9)"],
    ["Triangle(A, B, C)", "Perpendicular(Line(A, B), Line(A, C))",
     "Perpendicular(Line(A, B), Line(B, C))"],
    ["Triangle(A, B, C)", "Equals(MeasureOf(Angle(A, B, C)), 100)",
     "Equals(MeasureOf(Angle(B, C, A)), 100)"],
]  # fmt: skip


@pytest.mark.parametrize("forms", CONTRADICTIONS)
def test_contradictions_are_errors(forms: list[str]) -> None:
    with pytest.raises(UserError, match="contradict"):
        spec_of_forms(forms)


def test_positions_that_deny_the_forms_are_errors() -> None:
    with pytest.raises(UserError, match="contradict"):
        spec_of_forms(
            {
                "diagram_logic_forms": ["PointLiesOnLine(B, Line(A, C))"],
                "point_positions": {"A": [0, 0], "B": [50, 90], "C": [100, 0]},
            }
        )


def test_what_is_not_understood_is_an_issue() -> None:
    spec, issues = spec_of_forms(
        ["Line(A, B)", "Shades(Circle(A))", "Line(B, C)", "Line(C, A)"]
    )
    assert [issue.code for issue in issues] == ["logic-form-unread"]
    assert len(spec["points"]) == 3


def angle(spec: dict[str, Any], corner: str) -> float:
    a, b, c = (complex(*spec["points"][p]) for p in corner)
    return abs(math.degrees(cmath.phase((a - b) / (c - b))))


def off(spec: dict[str, Any], point: str, line: str) -> float:
    """Distance of a point from a line."""
    p, a, b = (complex(*spec["points"][q]) for q in (point, *line))
    return abs(((b - a).conjugate() * (p - a)).imag) / abs(b - a)


def solved(*forms: str) -> dict[str, Any]:
    spec, issues = spec_of_forms(forms)
    assert not issues
    draw(spec)  # its marks and checks are measured here
    return spec


def test_a_bisector_halves_its_angle() -> None:
    spec = solved(
        "Triangle(A,B,C)", "PointLiesOnLine(D, Line(B, C))",
        "BisectsAngle(Line(A,D),Angle(B,A,C))", "Equals(LengthOf(Line(A,B)),8)",
        "Equals(LengthOf(Line(A,C)),6)", "Equals(LengthOf(Line(B,C)),7)",
    )  # fmt: skip
    bd, dc = lengths(spec, "BD", "DC")
    assert bd / dc == pytest.approx(8 / 6, rel=1e-3)  # the angle bisector theorem
    assert {"angle": [["B", "A", "D"], ["D", "A", "C"]], "arcs": 1} in spec["marks"]


def test_a_tangent_meets_the_radius_at_a_right_angle() -> None:
    spec = solved(
        "PointLiesOnCircle(A, Circle(O, radius_0_0))", "Tangent(Line(P,A),Circle(O))",
        "Line(O,A)", "Line(O,P)", "Equals(LengthOf(Line(P,A)),12)",
        "Equals(LengthOf(Line(O,A)),5)",
    )  # fmt: skip
    op, oa = lengths(spec, "OP", "OA")
    assert op / oa == pytest.approx(13 / 5, rel=1e-3)
    assert {"perpendicular": [["O", "A"], ["P", "A"]]} in spec["check"]


def test_an_inscribed_circle_touches_all_sides_from_inside() -> None:
    spec = solved(
        "InscribedIn(Circle(I),Triangle(A,B,C))", "Equals(LengthOf(Line(A,B)),13)",
        "Equals(LengthOf(Line(B,C)),14)", "Equals(LengthOf(Line(A,C)),15)",
    )  # fmt: skip
    (circle,) = [item for item in spec["draw"] if "circle" in item]
    (ab,) = lengths(spec, "AB")
    for side in ("AB", "BC", "CA"):  # area 84, half the perimeter 21: radius 4
        assert off(spec, "I", side) / ab == pytest.approx(4 / 13, rel=1e-3)
    assert circle["radius"] / ab == pytest.approx(4 / 13, rel=1e-3)


def test_a_diameter_runs_through_the_centre_and_carries_its_value() -> None:
    spec = solved(
        "IsDiameterOf(Line(A,B),Circle(O))", "PointLiesOnCircle(C, Circle(O, radius_0_0))",
        "Equals(DiameterOf(Circle(O)),12)", "Line(C,B)", "Line(A,C)",
        "Equals(LengthOf(Line(B,C)),6)",
    )  # fmt: skip
    assert angle(spec, "ACB") == pytest.approx(90, abs=0.1)  # Thales
    assert angle(spec, "ABC") == pytest.approx(60, abs=0.1)
    assert {"segment": ["A", "B"], "text": "12"} in spec["labels"]


def test_similar_triangles_have_sides_in_one_ratio() -> None:
    spec = solved(
        "Similar(Triangle(A,B,C),Triangle(D,E,F))", "Equals(LengthOf(Line(A,B)),6)",
        "Equals(LengthOf(Line(B,C)),8)", "Equals(LengthOf(Line(A,C)),9)",
        "Equals(LengthOf(Line(D,E)),4)",
    )  # fmt: skip
    de, ef, df, ab = lengths(spec, "DE", "EF", "DF", "AB")
    assert [6 * de / ab, 6 * ef / ab, 6 * df / ab] == pytest.approx(
        [4, 16 / 3, 6], rel=1e-3
    )


SHAPES = [
    ("Parallelogram(A,B,C,D)", 0, {"AB": "DC", "AD": "BC"}),
    ("Rhombus(A,B,C,D)", 0, {"AB": "BC", "DA": "CD"}),
    ("Kite(A,B,C,D)", 0, {"AB": "DA", "BC": "CD"}),
    ("Rectangle(A,B,C,D)", 90, {"AC": "BD"}),
    ("Square(A,B,C,D)", 90, {"AC": "BD", "AB": "BC"}),
    ("Right(Triangle(D,A,B))", 0, {}),
    ("Equilateral(Triangle(D,A,B))", 60, {"DA": "AB"}),
    ("Regular(Pentagon(D,A,B,E,F))", 108, {"DA": "EF"}),
]


@pytest.mark.parametrize(("form", "degrees", "equal"), SHAPES)
def test_shapes_are_what_they_are_called(
    form: str, degrees: int, equal: dict[str, str]
) -> None:
    spec = solved(form)
    for one, two in equal.items():
        first, second = lengths(spec, one, two)
        assert first == pytest.approx(second, rel=1e-3)
    if degrees:
        assert angle(spec, "DAB") == pytest.approx(degrees, abs=0.1)


def test_lines_of_triangles_and_trapezoids() -> None:
    spec = solved(
        "Triangle(A,B,C)", "IsAltitudeOf(Line(C,P),Triangle(A,B,C))",
        "IsMedianOf(Line(C,M),Triangle(A,B,C))", "IsMidsegmentOf(Line(J,K),Triangle(A,B,C))",
        "Equals(LengthOf(Line(A,B)),10)", "Equals(LengthOf(Line(A,C)),9)",
        "Equals(LengthOf(Line(B,C)),6)",
    )  # fmt: skip
    am, mb, jk = lengths(spec, "AM", "MB", "JK")
    assert angle(spec, "APC") == pytest.approx(90, abs=0.1)
    assert am == pytest.approx(mb, rel=1e-3)
    assert min(abs(jk - half / 2) for half in lengths(spec, "AB", "BC", "CA")) < 1e-2
    spec = solved(
        "Trapezoid(A,B,C,D)", "IsMedianOf(Line(M,N),Quadrilateral(A,B,C,D))",
        "Equals(LengthOf(Line(A,B)),6)", "Equals(LengthOf(Line(C,D)),10)",
    )  # fmt: skip
    ab, cd, mn = lengths(spec, "AB", "CD", "MN")
    assert mn == pytest.approx((ab + cd) / 2, rel=1e-3)


def test_single_and_numbered_angles_find_their_corner() -> None:
    spec, issues = spec_of_forms(
        {
            "diagram_logic_form": [
                "Equals(MeasureOf(Angle(A, O, C)), MeasureOf(angle 1))",
                "PointLiesOnLine(O, Line(A, B))",
            ],
            "text_logic_form": [
                "Equals(MeasureOf(Angle(1)),4x)",
                "Equals(MeasureOf(Angle(C)),x)",
            ],
            "line_instances": ["OC", "AB", "CB"],
            "point_positions": {
                "A": [0, 100],
                "B": [300, 100],
                "O": [140, 100],
                "C": [220, 10],
            },
            "circle_instances": [""],  # how the annotation says that there is none
        }
    )
    assert not issues
    texts = {
        "".join(label["angle"]): label["text"]
        for label in spec["labels"]
        if "angle" in label
    }
    assert texts in ({"AOC": "$4x^\\circ$", "OCB": "$x^\\circ$"},
                     {"AOC": "$4x^\\circ$", "BCO": "$x^\\circ$"})  # fmt: skip
    assert {"angle": ["A", "O", "C"], "text": "1", "tag": "DI"} in spec["labels"]


def test_circles_about_one_centre_stay_apart() -> None:
    spec = solved(
        "PointLiesOnCircle(A, Circle(O, radius_0_0))", "Equals(LengthOf(Line(O,A)),3)",
        "PointLiesOnCircle(B, Circle(O, radius_0_1))", "Equals(LengthOf(Line(O,B)),5)",
    )  # fmt: skip
    small, large = (item["radius"] for item in spec["draw"] if "circle" in item)
    assert large / small == pytest.approx(5 / 3, rel=1e-3)


NOTHING_TO_DRAW = [
    "Tangent(Line($),Circle($))", "Parallel(Line(m),Line(n))", "Equals(c,8)",
    "Equals(PerimeterOf(Triangle(A,B,C)),20)", "Equals(MeasureOf(Angle(A,B,C)), x-1))",
    "Perpendicular(Line(A,B))", "Shaded(Shape($))", "Equals(MeasureOf(Angle(7)),30)",
    "Equals(RadiusOf(Circle(A)),4)", "Similar(Triangle($1),Triangle($2))", "Line(A,A)",
]  # fmt: skip


@pytest.mark.parametrize("form", NOTHING_TO_DRAW)
def test_one_form_that_cannot_be_drawn_is_an_issue_and_no_end(form: str) -> None:
    spec, issues = spec_of_forms(["Triangle(A,B,C)", form])
    assert [issue.code for issue in issues] == ["logic-form-unread"]
    assert form[:20] in issues[0].message or "circle A" in issues[0].message
    assert len(spec["points"]) == 3


@pytest.mark.parametrize(
    "form", ["Find(x)", "Trapezoid($)", "UseTheorem(Pythagorean_Theorem)"]
)
def test_what_asks_or_names_nothing_is_no_issue(form: str) -> None:
    assert spec_of_forms(["Triangle(A,B,C)", form])[1] == []


SQUARE = {"A": [0, 0], "B": [100, 0], "C": [100, 100], "D": [0, 100]}
SIDES = [
    "Line(A, B)",
    "Line(B, C)",
    "Line(C, D)",
    "Line(D, A)",
    "Line(A, C)",
    "Line(B, D)",
]


def test_a_point_without_a_position_stands_where_the_forms_say() -> None:
    forms = [*SIDES, "PointLiesOnLine(M, Line(A, C))", "PointLiesOnLine(M, Line(B, D))"]
    data = {"diagram_logic_forms": forms, "point_positions": SQUARE | {"M": [-1, -1]}}
    spec, issues = spec_of_forms(data)
    assert not issues
    assert spec["points"]["M"] == pytest.approx([5, 5], abs=1e-3)


def test_a_point_that_nothing_determines_is_left_out_by_name() -> None:
    data = {
        "diagram_logic_forms": [*SIDES, "Equals(LengthOf(Line(A, E)), 7)"],
        "point_positions": SQUARE | {"E": [-1, -1]},
    }
    spec, issues = spec_of_forms(data)
    assert set(spec["points"]) == set("ABCD")
    assert any("points E have no position" in issue.message for issue in issues)
    assert not any("7" in label.get("text", "") for label in spec["labels"])


def test_a_similar_figure_without_positions_stands_beside_the_other() -> None:
    angles = [("BAC", "EDF"), ("ABC", "DEF")]
    equal = [
        f"Equals(MeasureOf(Angle({', '.join(p)})), MeasureOf(Angle({', '.join(q)})))"
        for p, q in angles
    ]
    corners = {"A": [60, 0], "B": [280, 160], "C": [0, 160]}
    none = {name: [-1, -1] for name in "DEF"}
    spec, issues = spec_of_forms(
        {
            "diagram_logic_forms": ["Triangle(A, B, C)", "Triangle(D, E, F)", *equal],
            "point_positions": corners | none,
        }
    )
    assert not issues
    ab, bc, ca, de, ef, fd = lengths(spec, "AB", "BC", "CA", "DE", "EF", "FD")
    assert (
        de / ab == pytest.approx(ef / bc, rel=1e-3) == pytest.approx(fd / ca, rel=1e-3)
    )
    assert min(spec["points"][p][0] for p in "DEF") > max(
        spec["points"][p][0] for p in "ABC"
    )


def test_a_form_that_the_positions_deny_is_left_out_by_name() -> None:
    forms = [*SIDES, "Perpendicular(Line(A, B), Line(B, C))", "Parallel(Line(A, B), Line(C, D))",
             "Perpendicular(Line(A, B), Line(C, D))"]  # fmt: skip
    spec, issues = spec_of_forms(
        {"diagram_logic_forms": forms, "point_positions": SQUARE}
    )
    assert [issue.message for issue in issues] == [
        "perpendicular AB, CD: the positions deny it, it is left out"
    ]
    assert len([mark for mark in spec["marks"] if "right" in mark]) == 1


@pytest.mark.parametrize("place", [[float("nan"), 1], "here", [1]])
def test_positions_that_are_none_are_errors(place: Any) -> None:
    with pytest.raises(UserError, match="point_positions of A"):
        spec_of_forms(
            {"diagram_logic_forms": SIDES, "point_positions": SQUARE | {"A": place}}
        )


def test_solving_is_bounded_by_counted_work(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("benchwright.render.figure.solver.MOST_WORK", 300)
    with pytest.raises(UserError, match="in 300 evaluations"):
        spec_of_forms(CONTRADICTIONS[0])


def test_an_angle_at_the_centre_without_radii_is_the_measure_of_an_arc() -> None:
    circle = "Circle(B, radius_0_0)"
    on = [f"PointLiesOnCircle({p}, {circle})" for p in "KF"]
    spec, issues = spec_of_forms([*on, "Equals(MeasureOf(Angle(K, B, F)), 88)"])
    assert not issues
    assert not spec["marks"]
    assert [label["text"] for label in spec["labels"] if "arc" in label] == ["88°"]
    assert draw(spec).issues == []
    radii = ["Line(B, K)", "Line(B, F)"]
    spec, _ = spec_of_forms([*on, *radii, "Equals(MeasureOf(Angle(K, B, F)), 88)"])
    assert [label["text"] for label in spec["labels"] if "angle" in label] == ["88°"]
