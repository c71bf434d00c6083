"""Charts: heights, angles and cells are measured against the data, and bad data are named."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from benchwright.errors import UserError
from benchwright.render.diagram import draw, draw_each
from benchwright.render.figure import TINTS


def chart(**item: Any) -> dict[str, Any]:
    return {"kind": "chart", "chart": [item]}


def boxes(spec: dict[str, Any], **options: Any) -> dict[str, np.ndarray]:
    """The middle of every text, in pixels."""
    drawing = draw(spec, **options)
    assert not drawing.issues
    return {done.label.text: done.label.anchor[0] for done in drawing.labels}


def ink(spec: dict[str, Any]) -> np.ndarray:
    return np.asarray(draw(spec, tags={"DI"}).picture.convert("L")) < 100


def test_bars_are_as_high_as_their_values() -> None:
    at = boxes(chart(bar={"Mon": 12, "Tue": 4.5, "Wed": 7.5}, values=True, step=3))
    pixels = (at["0"][1] - at["9"][1]) / 9  # of the axis for one of the data
    rise = {
        value: at["0"][1] - at[f"{value:g}"][1] - pixels * value for value in (4.5, 7.5)
    }
    assert rise[4.5] == pytest.approx(
        rise[7.5], abs=2
    )  # the text stands as high over its bar
    assert at["Tue"][0] - at["Mon"][0] == pytest.approx(
        at["Wed"][0] - at["Tue"][0], abs=2
    )


def test_classes_of_a_histogram_stand_at_their_edges() -> None:
    at = boxes(chart(histogram=[4, 8, 2], edges=[100, 110, 120, 140], values=True))
    wide = at["110"][0] - at["100"][0]
    assert at["120"][0] - at["110"][0] == pytest.approx(wide, abs=3)
    assert at["140"][0] - at["120"][0] == pytest.approx(2 * wide, abs=3)


def test_parts_of_a_pie_are_in_percent_and_named_colours_are_theirs() -> None:
    spec = chart(pie={"A": 1, "B": 3, "Blue": 4})
    assert {"12.5%", "37.5%", "50%"} <= boxes(spec).keys()
    picture = np.asarray(draw(spec, tags={"DI"}).picture.convert("RGB")).reshape(-1, 3)

    def area(tint: str) -> int:
        color = tuple(int(TINTS[tint][k : k + 2], 16) for k in (1, 3, 5))
        return int((picture == color).all(1).sum())

    assert area("blue") / area("gray") == pytest.approx(4, rel=0.05)
    assert boxes(chart(pie={"A": 1, "B": 3}, values=False)).keys() == {"A", "B"}


def test_series_have_a_legend_and_stand_side_by_side_stacked_or_across() -> None:
    data = {"2019": [3, 5], "2020": [4, 2]}
    for options in ({}, {"stacked": True}, {"across": True}):
        at = boxes(chart(bar=data, series=["Boys", "Girls"], **options))
        assert {"Boys", "Girls", "2019", "2020"} <= at.keys()
        assert (abs(at["2019"][0] - at["2020"][0]) < 5) == ("across" in options)
    assert {"Paris", "Oslo"} <= boxes(chart(line=data, series=["Paris", "Oslo"])).keys()


def test_values_below_zero_points_and_boxes_are_shown() -> None:
    at = boxes(chart(bar={"a": -3, "b": 5}, across=True, step=2))
    assert at["-2"][0] < at["0"][0] < at["4"][0]
    assert ink(chart(scatter=[[1, 2], [2, 3.5], [4, 3]])).any()
    drawn = [
        ink(chart(box={"A": sample}))
        for sample in ([2, 4, 5, 7, 9], [2, 4, 4, 4, 5, 6, 7, 7, 9])
    ]
    assert drawn[0].any()
    assert drawn[1].any()
    at = boxes(chart(line={"a": 1, "b": 10, "c": 100}, log=True))
    assert {"a", "b", "c"} <= at.keys()


def test_stems_and_leaves() -> None:
    rows: dict[int, list[str]] = {}
    labels = draw(chart(stem=[31, 12, 17, 20])).labels
    for done in sorted(labels, key=lambda done: done.box[0]):
        rows.setdefault(round(done.box[3] / 10), []).append(done.label.text)
    found = [row for _, row in sorted(rows.items())]
    assert found == [["1", "2", "7"], ["2", "0"], ["3", "1"], ["Key: 1 | 2 = 12"]]
    tenths = draw(chart(stem=[1.2, 3.4], unit=0.1)).labels
    assert "Key: 1 | 2 = 1.2" in {done.label.text for done in tenths}


def test_cells_of_a_table_stand_between_its_lines() -> None:
    spec = chart(table=[["Mark", 1, 2], ["Pupils", 30, 8]])
    drawing = draw(spec)
    assert not drawing.issues
    assert {done.label.text for done in drawing.labels} == {
        "Mark",
        "1",
        "2",
        "Pupils",
        "30",
        "8",
    }
    assert "Pupils | 30 | 8" in drawing.annotation


@pytest.mark.parametrize("op", ["bar", "line", "pie"])
def test_nothing_overlaps_and_values_are_essential_conditions(op: str) -> None:
    spec = chart(**{op: {"Ann": 4, "Ben": 7, "Cleo": 5}}, values=True)
    full = draw(spec)
    assert not full.issues
    base = {done.label.text for done in draw(spec, tags={"DI", "IP"}).labels}
    assert {"Ann", "Ben", "Cleo"} <= base
    assert len(base) < len(full.labels)
    assert draw(spec).png() == full.png()


@pytest.mark.parametrize(
    ("item", "message"),
    [
        ({"bar": {}}, "0 values"),
        ({"histogram": [1, -1], "edges": [0, 1, 2]}, "1: -1"),
        ({"bar": {"a": [1, 2]}}, "2 values for 1 series"),
        ({"bar": {"a": "nan"}}, "cannot read"),
        ({"pie": {"a": 1}, "colors": {"a": "pink"}}, "no colour 'pink'"),
        ({"scatter": [[1]]}, "no point"),
        ({"box": {"a": [1, 2]}}, "five numbers"),
        ({"line": {"a": 0, "b": 1}, "log": True}, "logarithmic"),
        ({"table": [[1, 2]], "fill": [["red"]]}, "fill is a colour"),
        ({"bar": {"a": 1}, "stepp": 1}, "stepp"),
        ({"bar": {"a": 1}, "names": "x"}, "names are"),
        ({"bar": {"a": 1000}, "step": 1}, "step 1"),
        ({"bar": [1, 2]}, "no mapping"),
        ({"histogram": [1, 2], "edges": [0, 1]}, "3 rising edges"),
        ({"histogram": [1, 2], "edges": [0, 2, 1]}, "rising edges"),
        ({"histogram": [1, 2]}, "needs 'edges'"),
        ({"pie": {"a": 0, "b": 1}}, "positive"),
        ({"table": [[1, 2], [3]]}, "one length"),
        ({"table": []}, "list of rows"),
        ({"stem": [1.5]}, "whole multiples"),
        ({"stem": [-3]}, "from 0"),
    ],
)
def test_data_that_no_chart_can_show(item: dict[str, Any], message: str) -> None:
    with pytest.raises(UserError, match=message) as caught:
        draw(chart(**item))
    assert str(caught.value).startswith("chart[0] (")


def test_a_chart_stands_alone() -> None:
    with pytest.raises(UserError, match="points: in a chart"):
        draw(chart(bar={"a": 1}) | {"points": {"A": [0, 0]}})
    with pytest.raises(UserError, match="0 charts"):
        draw({"kind": "chart"})


def test_a_price_beside_a_chart_is_no_mathematics() -> None:
    spec = {
        "chart": [{"bar": {"Jan": 100, "Feb": 60}, "names": ["", r"\$"], "step": 20}]
    }
    drawing = draw(spec)
    assert drawing.issues == []
    assert r"\$" in {done.label.text for done in drawing.labels}


@pytest.mark.parametrize(
    "item",
    [
        {"bar": {"Mon": 12, "Tue": 4}, "values": True},
        {"pie": {"tea": 25, "milk": 75}, "values": True},
        {"line": {"May": 3, "June": 5}, "values": True},
    ],
    ids=lambda item: next(iter(item)),
)
def test_each_set_of_tags_has_a_picture_of_its_own(item: dict[str, Any]) -> None:
    """Base pictures of Text Dominant do not show the values that Vision Dominant adds."""
    base, whole = draw_each(chart(**item), [{"DI"}, {"DI", "EC"}])
    alone = draw(chart(**item), tags={"DI"})
    assert base.picture.tobytes() == alone.picture.tobytes()
    assert base.picture.tobytes() != whole.picture.tobytes()
