"""The labelled pairs and letters, as they are published and with labels corrected by reading."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import yaml
from benchwright import grade
from benchwright.grading.extraction import extract
from real_data import RealData

CORRECTED = yaml.safe_load(
    (Path(__file__).parent / "label_corrections.yaml").read_text(encoding="utf-8")
)


def _rows(folder: Path, pattern: str) -> list[dict[str, Any]]:
    lines = [
        line for p in sorted(folder.glob(pattern)) for line in p.open(encoding="utf-8")
    ]
    return [json.loads(line) for line in lines]


def test_pairs(data: RealData) -> None:
    """What is published: at most two false accepts; what is certain: no more, and 98 % right."""
    rows = [
        row
        for row in _rows(data.whole("equivalence"), "[!c]*.jsonl")
        if row.get("form") != "response"
    ]
    published, certain = [], []
    for row in rows:
        kind = {"numeric": "number", "unit": "number", "percent": "number"}.get(
            row["kind"]
        )
        verdict = grade(
            row["prediction"],
            row["gold"],
            kind=kind or (None if row["kind"] == "expression" else row["kind"]),
            question=row.get("question"),
        )
        said = verdict.equal is True
        published.append((said, row["equal"]))
        correction = CORRECTED["pairs"].get(row["id"], {"equal": row["equal"]})
        if "equal" in correction:
            certain.append((said, correction["equal"]))
    for labelled, right in ((published, 0.977), (certain, 0.982)):
        assert sum(said and not label for said, label in labelled) <= 2
        assert sum(said == label for said, label in labelled) >= right * len(labelled)


def test_letters(data: RealData) -> None:
    """Published labels no longer rank graders: half of what is left there is noise."""
    corrected = {f"cmv-{k}": {"letter": None} for k in CORRECTED["lists_gone_on"]}
    corrected |= CORRECTED["letters"]
    right = []
    for row in _rows(data.whole("equivalence"), "choice_*.jsonl"):
        correction = corrected.get(row["id"], row)
        if "letter" in correction:
            letter = extract(
                row["response"], [text or "" for text in row["choices"]]
            ).letter
            right.append(letter == correction["letter"])
    assert sum(right) >= 0.99 * len(right)
