"""Plots are well formed, hostile names stay names, and marks stand where their values are."""

from __future__ import annotations

import math
import re
from typing import NamedTuple

import pytest
from benchwright.pages import (
    bar_plot,
    dot_plot,
    heat_map,
    profile_plot,
    radar_plot,
    stacked_bars,
    value_plot,
)
from lxml import etree

EVIL = '</svg><script>alert(1)</script>"\u202e'


class Some(NamedTuple):
    n: int = 100
    value: float | None = 0.5
    low: float | None = 0.4
    high: float | None = 0.6


def root(plot: str) -> etree._Element:
    return etree.fromstring(f"<r>{plot}</r>")


def test_hostile_names_stay_names() -> None:
    rates = [(EVIL, Some()), ("b", Some(value=None)), ("c", Some())]
    for plot in (
        dot_plot(EVIL, rates),
        bar_plot(EVIL, rates),
        stacked_bars(EVIL, [EVIL, "b"], [(EVIL, [0.25, 0.75])]),
        profile_plot(EVIL, {EVIL: rates, "other": rates}),
        radar_plot(EVIL, {EVIL: rates, "other": rates}),
        heat_map(EVIL, [EVIL, "b"], [[1, 2], [0, 0]]),
        value_plot(EVIL, [(EVIL, 0.5, EVIL)]),
    ):
        assert not root(plot).xpath("//*[local-name()='script' or local-name()='img']")
        assert "\u202e" not in plot


def test_dots_and_whiskers_stand_at_their_percent() -> None:
    plot = root(dot_plot("t", [("a", Some(value=0.3, low=0.25, high=0.4))]))
    assert plot.xpath("//circle/@cx") == ["75.00%"]  # the axis ends at 40
    (whisker,) = plot.xpath("//*[@class='whisker']")
    assert (whisker.get("x1"), whisker.get("x2")) == ("62.50%", "100.00%")


def test_groups_without_a_value_have_no_row() -> None:
    assert bar_plot("t", [("a", Some()), ("b", Some(value=None))]).count('class="row"') == 1


def test_a_radars_corner_lies_at_its_share_of_the_rim() -> None:
    """0.4 of a rim of 0.8 is half of the way out, on the first axis straight up."""
    names = ["a", "b", "c", "d"]
    plot = radar_plot("t", {"x": [(n, Some(value=v)) for n, v in zip(names, (0.4, 0.8, 0.2, 0.1),
                                                                     strict=True)]})  # fmt: skip
    (points,) = root(plot).xpath("//*[@class='line line-1']/@points")
    rings = root(plot).xpath("//*[@class='ring']/@points")
    corner, rim = ([tuple(map(float, p.split(","))) for p in text.split()] for text in
                   (points, rings[-1]))  # fmt: skip
    centre = (rim[0][0], (rim[0][1] + rim[2][1]) / 2)
    shares = [math.dist(a, centre) / math.dist(b, centre) for a, b in zip(corner, rim, strict=True)]
    assert shares == pytest.approx([0.5, 1.0, 0.25, 0.125], abs=0.01)


def test_shares_are_as_wide_as_they_are() -> None:
    widths = re.findall(r"width:([\d.]+)%", stacked_bars("t", ["a", "b"], [("r", [0.3, 0.7])]))
    assert [float(width) for width in widths] == [30.0, 70.0]
