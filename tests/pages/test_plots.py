"""Plots are well formed, hostile names stay names, and marks stand where their values are."""

from __future__ import annotations

import re
from typing import NamedTuple
from urllib.parse import parse_qs

from benchwright.pages import (
    dot_plot,
    heat_map,
    samples_of,
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
        stacked_bars(EVIL, [EVIL, "b"], [(EVIL, [0.25, 0.75])]),
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
    assert (
        dot_plot("t", [("a", Some()), ("b", Some(value=None))]).count('class="row"')
        == 1
    )


def test_a_row_leads_to_its_samples_and_no_name_leaves_its_address() -> None:
    plot = root(dot_plot("t", [(EVIL, Some())], lambda name: samples_of(subject=name)))
    (address,) = plot.xpath("//a/@href")
    assert parse_qs(address.removeprefix("#")) == {"subject": [EVIL]}


def test_shares_are_as_wide_as_they_are() -> None:
    widths = re.findall(
        r"width:([\d.]+)%", stacked_bars("t", ["a", "b"], [("r", [0.3, 0.7])])
    )
    assert [float(width) for width in widths] == [30.0, 70.0]
