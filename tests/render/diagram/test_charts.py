"""Charts: heights, angles and cells are measured against the data, and bad data are named."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from benchwright.errors import UserError
from benchwright.render.diagram import draw
from benchwright.render.diagram.compose import compose


def chart(**item: Any) -> dict[str, Any]:
    return {"kind": "chart", "chart": [item]}


def filled(spec: dict[str, Any]) -> list[np.ndarray]:
    ((_, things),) = compose(spec).drawn
    return [thing.path for thing in things if getattr(thing, "fill", "")]


def places(spec: dict[str, Any], tag: str) -> dict[str, np.ndarray]:
    return {lab.text: lab.anchor[0] for lab in compose(spec).labels if tag in lab.tags}


def test_bars_are_as_high_as_their_values() -> None:
    data = {"Mon": 12, "Tue": 3, "Wed": 7.5}
    spec = chart(bar=data, values=True)
    heights = [np.ptp(path[:, 1]) for path in filled(spec)]
    assert np.allclose(np.array(heights) / heights[0], np.array([12, 3, 7.5]) / 12)
    assert len({round(float(np.ptp(path[:, 0])), 6) for path in filled(spec)}) == 1
    ticks = places(spec, "DI")  # the axis is of the bars' scale
    assert ticks["10"][1] == pytest.approx(heights[0] * 10 / 12)
    assert places(spec, "EC")["7.5"][1] == pytest.approx(heights[2])


def test_classes_of_a_histogram_touch_and_have_their_widths() -> None:
    first, second, third = filled(chart(histogram=[4, 8, 2], edges=[0, 10, 20, 40]))
    assert first[:, 0].max() == pytest.approx(second[:, 0].min())
    assert second[:, 0].max() == pytest.approx(third[:, 0].min())
    assert np.ptp(third[:, 0]) == pytest.approx(2 * np.ptp(first[:, 0]))
    assert np.ptp(second[:, 1]) == pytest.approx(2 * np.ptp(first[:, 1]))


def test_parts_of_a_pie_have_the_area_of_their_shares() -> None:
    def area(path: np.ndarray) -> float:
        x, y = path.T
        return 0.5 * abs(float((x * np.roll(y, -1) - np.roll(x, -1) * y).sum()))

    areas = [area(path) for path in filled(chart(pie={"A": 1, "B": 3, "C": 4}))]
    assert np.allclose(np.array(areas) / sum(areas), [1 / 8, 3 / 8, 4 / 8], atol=2e-3)
    assert set(places(chart(pie={"A": 1, "B": 3, "C": 4}), "EC")) == {"12.5%", "37.5%", "50%"}


def test_points_of_a_line_chart_stand_at_their_values() -> None:
    ((_, things),) = compose(chart(line={"a": 2, "b": 6, "c": 4})).drawn
    dots = np.array([thing.at for thing in things if hasattr(thing, "open")])
    assert np.allclose(dots[:, 1] / dots[0, 1], [1, 3, 2])
    assert np.allclose(np.diff(dots[:, 0]), dots[1, 0] - dots[0, 0])


def test_stems_and_leaves() -> None:
    labels = compose(chart(stem=[31, 12, 17, 20])).labels
    rows: dict[float, list[str]] = {}
    for label in labels[:-1]:
        rows.setdefault(round(float(label.anchor[0][1]), 3), []).append(label.text)
    assert list(rows.values()) == [["1", "2", "7"], ["2", "0"], ["3", "1"]]
    assert labels[-1].text == "Key: 1 | 2 = 12"
    tenths = compose(chart(stem=[1.2, 3.4], unit=0.1)).labels
    assert tenths[-1].text == "Key: 1 | 2 = 1.2"


def test_cells_of_a_table_stand_between_its_lines() -> None:
    spec = chart(table=[["Mark", 1, 2], ["Pupils", 30, 8]])
    drawing = draw(spec)
    assert not drawing.issues
    assert {done.label.text for done in drawing.labels} == {"Mark", "1", "2", "Pupils", "30", "8"}
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
        ({"bar": {"a": -1}}, "a: -1"),
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
