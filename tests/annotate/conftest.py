"""Real problems, as annotators get them."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from benchwright.base.files import sha256_file
from benchwright.problem import Image, Option, Problem, Source
from real_data import RealData


@pytest.fixture(scope="session")
def math_v(data: RealData) -> tuple[list[Problem], Path]:
    """Up to 300 real problems, and the folder their pictures lie in."""
    path = data.math_v("test.jsonl")
    rows = [json.loads(line) for line in path.read_text("utf-8").splitlines()]
    problems = []
    for row in [row for row in rows if (path.parent / row["image"]).exists()][:300]:
        sha256 = sha256_file(path.parent / row["image"])
        image = Image(path=row["image"], sha256=sha256, width=1, height=1)
        problems.append(
            Problem(
                id=f"math-v-{row['id']}",
                origin=f"math-v-{row['id']}",
                source=Source(name="math-v", raw_id=row["id"]),
                question=row["question"],
                options=[
                    Option(label="ABCDE"[k], text=o)
                    for k, o in enumerate(row["options"])
                ],
                images=[image],
                labels={"truth": row["subject"], "level": row["level"]},
            )
        )
    return problems, path.parent
