"""Capitals where models see a picture, its long side 448: over every kind of figure."""

from __future__ import annotations

from pathlib import Path
from statistics import median
from typing import Any

import pytest
import yaml
from benchwright.render.diagram import draw

EXAMPLES = Path(__file__).parents[3] / "examples/diagrams"
CAPITAL = 0.662  # of the em: STIX's capitals, as its outlines have them
SEGMENT = "{{points: {{A: [0, 0], B: [{}]}}, draw: [{{segment: AB}}]}}"
AXES = "{axes: {x: [-3, 3], y: [-3, 3]}, draw: [{curve: 'x^2'}]}"
PANELS = {
    "six": [[SEGMENT.format("3, 1")] * 3] * 2,
    "below": [[SEGMENT.format("1, 8")]] * 3,
    "axes": [[AXES] * 4],
    "many": [[SEGMENT.format("1, 30")]] * 12,
}


def _spec(name: str) -> str:
    rows = ", ".join(f"[{', '.join(row)}]" for row in PANELS[name])
    return f"panels: [{rows}]"


def _capitals(spec: Any) -> list[float]:
    drawing = draw(spec)
    assert not [i for i in drawing.issues if i.code == "small-letters"]
    seen = min(1.0, 448 / max(drawing.picture.size))
    return [placed.em * CAPITAL * seen for placed in drawing.labels]


def test_capitals_of_the_examples() -> None:
    specs = [path.read_text("utf-8") for path in sorted(EXAMPLES.glob("*.yaml"))]
    heights = [
        _capitals(spec) for spec in specs if not yaml.safe_load(spec).get("background")
    ]
    assert len(heights) > 40
    assert median(median(each) for each in heights if each) >= 11
    assert min(min(each) for each in heights if each) >= 8


@pytest.mark.parametrize("name", ["six", "below", "axes"])
def test_panels_have_letters_that_can_be_read(name: str) -> None:
    assert min(_capitals(_spec(name))) >= 7.5


def test_letters_too_small_are_told() -> None:
    issues = draw(_spec("many")).issues
    (issue,) = [i for i in issues if i.code == "small-letters"]
    assert "seen at 448" in issue.message
