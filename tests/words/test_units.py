"""Units: one table for grading, extraction, lint and the forms of questions."""

from __future__ import annotations

import re
from fractions import Fraction

import pytest
from benchwright.words import HAN_NAMES, NAMES, SQUARED, factor, unit


@pytest.mark.parametrize(
    ("one", "other", "times"),
    [
        ("km", "m", "1/1000"), ("centimetres", "m", "100"), ("平方厘米", "m^2", "10000"),
        ("毫升", "L", "1000"), ("kJ", "kilojoules", "1"), ("公里", "mile", "1.609344"),
        ("square feet", "ft^2", "1"), ("小时", "minutes", "1/60"), ("hectare", "公顷", "1"),
    ],
)  # fmt: skip
def test_units_convert(one: str, other: str, times: str) -> None:
    assert factor(one, other) == Fraction(times)


def test_what_is_no_unit() -> None:
    assert all(unit(name) is None for name in ("apples", "平方", "cup", "x", ""))


def test_names_match_whole_units() -> None:
    said = "square centimetres inches kilograms degrees hours millilitres"
    assert re.sub(rf"\b{NAMES}\b ?", "", said) == ""
    assert re.sub(HAN_NAMES, "", "平方厘米小时千克度毫升") == ""


def test_units_of_one_character() -> None:
    assert (SQUARED["㎝"], SQUARED["㎡"], SQUARED["㎏"]) == ("cm", "m2", "kg")
