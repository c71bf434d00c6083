"""Pictures of one spec for several tags differ exactly where the tags do, pixel by pixel."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from benchwright.render.diagram import draw_each
from PIL import Image

BASE = {"DI", "IP"}
FIGURES: dict[str, str] = {
    "plane": """
points: {C: [0, 0], A: [8, 0], B: [0, 6]}
construct: {D: {foot: [C, A, B]}}
draw: [{polygon: ABC}, {segment: CD}]
marks: [{right: ACB}, {right: CDA}]
labels:
  - {segment: AC, text: "8"}
  - {segment: BC, text: "6"}
  - {segment: AB, text: "10"}
  - {angle: CAB, text: "37°"}
""",
    "solid": """
kind: solid
solids: [{box: ABCDEFGH, size: [4, 3, 2]}]
labels: [{segment: AB, text: "4"}, {segment: BC, text: "3"}, {segment: BF, text: "2"}]
""",
    "function": """
kind: function
axes: {x: [-3, 3], y: [-2, 5], grid: true}
points: {P: [1, 1]}
draw: [{curve: "x^2"}, {dot: P}]
labels: [{curve: "x^2", text: "$y=x^2$"}]
""",
    "line": """
kind: line
axes: {x: [-3, 5]}
draw: [{interval: "[-1, 3)"}]
labels: [{near: [1, 0.5], text: "3 < 5"}]
""",
    "picture": """
kind: picture
background: it.png
points: {A: [40, 40], B: [200, 40]}
labels: [{segment: AB, text: "5 cm"}]
""",
    "bar": "chart: [{bar: {Mon: 12, Tue: 9}, names: [Day, Books], values: true}]",
    "line chart": "chart: [{line: {Mon: 12, Tue: 9, Wed: 4}, values: true}]",
    "histogram": "chart: [{histogram: [4, 9, 12], edges: [140, 150, 160, 170], values: true}]",
    "pie": "chart: [{pie: {Art: 20, Music: 15, Sport: 65}}]",
    "table": "chart: [{table: [[Mark, 1, 2], [Pupils, 3, 8]]}]",
    "stem": "chart: [{stem: [12, 17, 23, 31]}]",
    "net": "net: [{cuboid: [4, 3, 2], lengths: true}]",
    "views": "views: [{heap: [[2, 1], [1, 0]]}]",
    "scatter": "chart: [{scatter: [[1, 2], [2, 3.5]]}]",
    "box plot": "chart: [{box: {A: [2, 4, 5, 7, 9]}}]",
    "panels": """
panels:
  - - caption: (A)
      points: {A: [0, 0], B: [4, 0], C: [0, 3]}
      draw: [{polygon: ABC}]
      labels: [{segment: AB, text: "4"}]
    - caption: (B)
      points: {A: [0, 0], B: [4, 0], C: [4, 3]}
      draw: [{polygon: ABC}]
      labels: [{segment: BC, text: "3"}]
""",
}
WITHOUT_CONDITIONS = ("views", "scatter", "box plot")


def _pixels(picture: Any) -> Any:
    return np.asarray(picture.convert("RGB")).astype(int)


@pytest.mark.parametrize("name", FIGURES)
def test_only_what_is_tagged_differs(name: str) -> None:
    paper = Image.new("RGB", (300, 200), "white") if name == "picture" else None
    tag_sets: list[set[str] | None] = [BASE, None, BASE]
    base, whole, again = draw_each(FIGURES[name], tag_sets, background=paper)
    assert base.picture.size == whole.picture.size
    assert np.array_equal(_pixels(base.picture), _pixels(again.picture))
    differs = np.abs(_pixels(base.picture) - _pixels(whole.picture)).max(2) > 0
    conditions = [label for label in whole.labels if "EC" in label.label.tags]
    assert bool(conditions) == bool(differs.any()) == (name not in WITHOUT_CONDITIONS)
    assert not [label for label in base.labels if "EC" in label.label.tags]
    for label in conditions:
        left, top, right, bottom = label.box
        assert differs[top:bottom, left:right].any(), label.label.text
        _clear(differs, left, top, right, bottom)
        for stroke in label.strokes:  # its dimension line
            low, high = stroke.path.min(0), stroke.path.max(0)
            _clear(differs, *map(int, (*low, *high)))
    assert not differs.any()


def _clear(differs: Any, left: int, top: int, right: int, bottom: int) -> None:
    """Forget a box, and the paper and arrowheads around it."""
    near = 8
    differs[max(0, top - near) : bottom + near, max(0, left - near) : right + near] = 0
