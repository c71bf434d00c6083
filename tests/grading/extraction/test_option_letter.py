"""The letter of an option where refusals and answers meet."""

from __future__ import annotations

import pytest
from benchwright.grading.extraction import extract


@pytest.mark.parametrize(
    ("reply", "options", "letter"),
    [
        ("Without a chart one can't say. Therefore, the answer is (C) can't predict.",
         ["up", "down", "can't predict"], "C"),
        ("I'm not able to see the picture.\n\nB", ["x", "y"], "B"),
        ("I cannot see the image. Please provide it.", ["", ""], None),
    ],
)  # fmt: skip
def test_what_is_stated_in_spite_of_a_refusal_counts(reply, options, letter) -> None:
    assert extract(reply, options).letter == letter
