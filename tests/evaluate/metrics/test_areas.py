"""The twelve areas of We-Math's published table, macro over concepts, from counts that fit."""

from __future__ import annotations

import json
from collections import Counter
from itertools import product
from pathlib import Path

import pytest
from benchwright.evaluate.metrics.four_dimensional import four_dimensional
from benchwright.taxonomy import area_of
from real_data import RealData
from small_releases import make_result

ROWS = [
    row
    for row in json.loads(Path(__file__).with_name("we_math_tables.json").read_text())[
        "rows"
    ]
    if "areas" in row
]
AREAS = (
    "Understanding and Conversion of Units",
    "Angles and Length",
    "Calculation of Plane Figures",
    "Understanding of Plane Figures",
    "Calculation of Solid Figures",
    "Understanding of Solid Figures",
    "Basic Transformations of Figures",
    "Cutting and Combining of Figures",
    "Direction",
    "Position",
    "Route Map",
    "Correspondence of Coordinates and Positions",
)
CCF, CCP = AREAS.index("Cutting and Combining of Figures"), len(AREAS) - 1


def fitting(percent: float, sizes: list[int]) -> list[int]:
    """Right answers per concept whose macro mean is nearest to the printed figure: a few concepts
    take every count, the others stay at the rounded share."""
    free = 3 if len(sizes) == 3 else 2
    start = [round(percent * n / 100) for n in sizes]
    rest = sum(k / n for k, n in zip(start[free:], sizes[free:], strict=True))
    choices = product(*(range(n + 1) for n in sizes[:free]))

    def gap(chosen: tuple[int, ...]) -> float:
        shares = sum(k / n for k, n in zip(chosen, sizes, strict=False))
        return abs(100 * (shares + rest) / len(sizes) - percent)

    return [*min(choices, key=gap), *start[free:]]


@pytest.mark.parametrize("row", ROWS, ids=lambda row: row["model"])
def test_published_areas(row: dict, data: RealData) -> None:
    rows = json.loads(data.whole("we-math/testmini.json").read_text())
    one_step = [r for r in rows if not r["key"].endswith("multi")]
    sizes = Counter(r["knowledge concept"] for r in one_step)
    left: dict[str, int] = {}
    for area, percent in zip(AREAS, row["areas"], strict=True):
        concepts = sorted(c for c in sizes if area_of(c) == area)
        counts = fitting(percent, [sizes[c] for c in concepts])
        left |= dict(zip(concepts, counts, strict=True))
    results = []
    for r in rows:
        role, concept = r["key"].rsplit("_", 1)[-1], r["knowledge concept"]
        right = role != "multi" and left[concept] > 0
        if right:
            left[concept] -= 1
        version = role if role == "multi" else f"step{role}"
        labels = {"knowledge": [] if role == "multi" else [concept]}
        results.append(make_result(f"{r['ID']}.{version}", right, labels=labels))
    table = four_dimensional(results, area_of=area_of)
    assert len(table.concepts) == 67
    assert set(table.areas) == set(AREAS)
    ours = [100 * table.areas[area].value for area in AREAS]
    assert ours == pytest.approx(row["areas"], abs=0.1)


def test_the_published_page_repeats_one_column() -> None:
    """Cutting and combining shows the figures of coordinates for every model: an error there."""
    assert all(row["areas"][CCF] == row["areas"][CCP] for row in ROWS)


def test_the_shipped_tree_has_the_official_areas(data: RealData) -> None:
    nodes = json.loads(data.whole("we-math/knowledge_structure_nodes.json").read_text())
    assert len(nodes) == 67
    for node in nodes:
        assert area_of(node["full node"].split("_")[-1]) == node["root2"]
