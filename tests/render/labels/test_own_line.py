"""A length stands beside its own line, or on a dimension line: measured in the finished picture."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
import pytest
from benchwright.render.diagram import Drawing, draw

INK = 190


def cone(radius: float) -> dict[str, Any]:
    return {
        "kind": "solid",
        "solids": [{"cone": "OV", "radius": radius, "height": 12.5}],
        "points": {"A": [radius, 0, 0]},
        "draw": [{"path": "VOA"}],
        "labels": [{"segment": s, "text": "{} cm"} for s in ("OV", "OA", "AV")],
    }


def pyramid(side: float) -> dict[str, Any]:
    base = [[0, 0], [side, 0], [side, side], [0, side]]
    return {
        "kind": "solid",
        "solids": [{"pyramid": "ABCDP", "base": base, "height": 9}],
        "construct": {"O": {"mid": "AC"}},
        "draw": [{"segment": "PO"}, {"segment": "AC"}],
        "labels": [{"segment": s, "text": "{} cm"} for s in ("PO", "PB", "AB")],
    }


def misread(drawing: Drawing) -> list[str]:
    """Texts without a line of their own that have another line's ink nearer than their own's."""
    ink = np.asarray(drawing.picture.convert("L")) < INK
    for done in drawing.labels:
        left, top, right, bottom = done.box
        ink[max(0, top - 1) : bottom + 1, max(0, left - 1) : right + 1] = False
    places = np.argwhere(ink)[:, ::-1].astype(float)
    wrong = []
    for done in drawing.labels:
        if done.label.kind == "segment" and not done.strokes:
            a, b = done.label.anchor
            along = np.clip((places - a) @ (b - a) / ((b - a) @ (b - a)), 0, 1)
            off = np.linalg.norm(places - a - along[:, None] * (b - a), axis=1)
            low, high = np.split(np.array(done.box, float), 2)
            away = np.linalg.norm(
                np.maximum(low - places, places - high).clip(0), axis=1
            )
            if away[off > 5].min() + 1 < away[off < 3].min():
                wrong.append(done.label.text)
    return wrong


@pytest.mark.parametrize("size", [0.9, 1.3, 1.9, 2.6, 3.4])
@pytest.mark.parametrize("solid", [cone, pyramid])
def test_lengths_of_narrow_solids_stand_at_their_own_lines(
    solid: Any, size: float
) -> None:
    drawing = draw(solid(size))
    assert not drawing.issues
    assert misread(drawing) == []


def test_a_height_without_room_takes_a_dimension_line() -> None:
    (height,) = (d for d in draw(cone(1.0)).labels if d.label.named == "segment OV")
    assert height.how == "dimension"


@pytest.mark.parametrize(
    ("radius", "height"), [(4.1, 5.8), (4.2, 7.4), (4.6, 5.6), (3, 9), (5, 5)]
)
def test_a_slant_is_written_outside_of_its_cone(radius: float, height: float) -> None:
    """Its line runs to the base's outermost point, the cone's outline a little beside it."""
    spec = cone(radius) | {
        "solids": [{"cone": "OV", "radius": radius, "height": height}]
    }
    (slant,) = (d for d in draw(spec).labels if d.label.named == "segment AV")
    (base, top), box = slant.label.anchor, np.array(slant.box)
    middle = (box[:2] + box[2:]) / 2
    ahead, there = top - base, middle - base
    assert ahead[0] * there[1] - ahead[1] * there[0] > 0  # right of the way up
    assert slant.how == "clear"


def test_no_text_stands_between_a_point_and_its_name() -> None:
    """Five angles about O: its name stood beyond the 120 degrees, nearer to them than to O."""
    spokes = {"A": 116, "B": 44, "C": -4, "D": -28, "E": 212}
    spec = {
        "points": {"O": [0, 0]},
        "construct": {
            name: {"polar": ["O", 6.2, turn]} for name, turn in spokes.items()
        },
        "draw": [{"segment": f"O{name}"} for name in spokes],
        "labels": [
            {"angle": f"{a}O{b}", "text": text}
            for a, b, text in zip(
                "ABCDE", "BCDEA", ("72°", "48°", "24°", "120°", "96°"), strict=True
            )
        ],
        "hide": list(spokes),
    }
    drawing = draw(spec)
    (name,) = [done for done in drawing.labels if done.label.text == "O"]
    (x, y), (left, top, right, bottom) = name.label.anchor[0], name.box
    assert drawing.issues == []
    assert math.hypot((left + right) / 2 - x, (top + bottom) / 2 - y) < 30


def test_a_price_is_no_mathematics() -> None:
    points = {"A": [0, 0], "B": [4, 0]}
    labels = [{"segment": "AB", "text": r"\$5"}]
    assert (
        draw({"points": points, "draw": [{"segment": "AB"}], "labels": labels}).issues
        == []
    )
