"""Prices are prose; a dollar that lost its partner is told."""

from __future__ import annotations

import pytest
from benchwright.latex import stray_dollars


@pytest.mark.parametrize(
    "price",
    [
        "costs $5",
        "$5, or $8.",
        "$1,250.50.",
        "$5-$10 each",
        "$5/kg",
        "$10-million",
        "5$",
        r"at \$3",
    ],
)
def test_a_price_lost_nothing(price: str) -> None:
    assert stray_dollars(price) == []


@pytest.mark.parametrize(
    ("text", "places"),
    [
        ("Find $x", [5]), ("$5=y", [0]), (r"$25/4 \$", [0]), (r"$180-w-y-z \$", [0]),
        ("$2^3 and $9", [0]), ("a$ and $b", [1, 7]), ("$", [0]),
    ],
)  # fmt: skip
def test_a_dollar_that_is_no_price_is_told(text: str, places: list[int]) -> None:
    assert stray_dollars(text) == places
