"""SVG and PDF of specs: the same bytes each time, and the strokes and letters of the picture."""

from __future__ import annotations

import re
from pathlib import Path
from xml.etree import ElementTree

import numpy as np
import pytest
from benchwright import draw_file
from benchwright.render.diagram import draw

EXAMPLES = Path(__file__).parents[3] / "examples/diagrams"
NAMES = (
    "plane-length-1",
    "solid-volume-1",
    "chart-bar",
    "function-property-1",
    "net-cube",
)
SQUARE = """
points: {A: [0, 0], B: [4, 0], C: [4, 4], D: [0, 4]}
draw: [{polygon: ABCD, fill: true}]
labels: [{segment: AB, text: "$\\\\frac{3}{2}$ cm"}]
hide: ABCD
"""


@pytest.mark.parametrize("name", NAMES)
def test_the_same_spec_gives_the_same_bytes(name: str, tmp_path: Path) -> None:
    made = []
    for k in (1, 2):
        for suffix in ("svg", "pdf"):
            out = tmp_path / f"{k}.{suffix}"
            draw_file(EXAMPLES / f"{name}.yaml", out)
            made.append(out.read_bytes())
    assert made[:2] == made[2:]
    root = ElementTree.fromstring(made[0])
    assert root.tag.endswith("svg")
    assert not re.search(rb"CreationDate|/ID|<text|font-family", made[0] + made[1])


def test_a_square_stands_where_its_picture_has_it() -> None:
    drawing = draw(SQUARE)
    root = ElementTree.fromstring(drawing.svg())
    outlines = [e.get("d") for e in root if e.get("stroke") and e.get("fill") == "none"]
    assert len(outlines) == 1
    corners = np.array(re.findall(r"[ML](\S+) (\S+)", outlines[0]), float)
    low, high = corners.min(0), corners.max(0)
    dark = np.asarray(drawing.picture.convert("L")) < 100
    rows, columns = (
        np.flatnonzero(dark.mean(1) > 0.5),
        np.flatnonzero(dark.mean(0) > 0.5),
    )
    assert np.allclose([low[0], high[0]], [columns.min() + 1, columns.max()], atol=1.6)
    assert np.allclose([low[1], high[1]], [rows.min() + 1, rows.max()], atol=1.6)
    (label,) = drawing.labels
    letters = [e for e in root if e.tag.endswith("path") and not e.get("stroke")][-1]
    places = np.array(
        re.findall(r"(-?[\d.]+) (-?[\d.]+)", letters.get("d") or ""), float
    )
    left, top, right, bottom = label.box
    assert np.allclose(
        [*places.min(0), *places.max(0)], [left, top, right, bottom], atol=6
    )


def test_every_object_of_a_pdf_stands_where_its_table_says() -> None:
    data = draw(SQUARE).pdf()
    start = int(re.search(rb"startxref\n(\d+)", data)[1])  # type: ignore[index]
    assert data[start : start + 4] == b"xref"
    places = [
        int(line[:10]) for line in data[start:].splitlines()[3:] if line.endswith(b"n ")
    ]
    for number, place in enumerate(places, 1):
        assert data[place:].startswith(b"%d 0 obj" % number)
    length = int(re.search(rb"/Length (\d+) >>\nstream\n", data)[1])  # type: ignore[index]
    content = data.split(b"stream\n", 1)[1]
    assert content[length : length + 10] == b"\nendstream"
