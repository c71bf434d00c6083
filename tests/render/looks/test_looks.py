"""Looks: same question and answer, pictures that can be read, boxes that go with their letters."""

from __future__ import annotations

import json
import time
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from benchwright import build_release, score
from benchwright.errors import UserError
from benchwright.render.diagram import draw_each
from benchwright.render.looks import LOOKS, look
from benchwright.render.looks.look import BY_HAND, LEAST_CONTRAST, LEAST_HEIGHT
from PIL import Image, ImageDraw

SPECS = sorted((Path(__file__).parents[3] / "examples/diagrams").glob("*.yaml"))
FIGURES = [
    p for p in SPECS if p.stem in ("plane-length-1", "chart-bar", "solid-volume-1")
]


def _marked(size: tuple[int, int] = (400, 300)) -> tuple[Image.Image, list[Any]]:
    """A picture whose labels are black bars: where they went can be seen."""
    picture = Image.new("RGB", size, "white")
    pen = ImageDraw.Draw(picture)
    boxes = [(40, 40, 70, 56), (320, 50, 350, 66), (180, 230, 214, 248)]
    for box in boxes:
        pen.rectangle(box, fill="black")
    return picture, boxes


@pytest.mark.parametrize("name", LOOKS)
@pytest.mark.parametrize("seed", ["a", "b", "c"])
def test_boxes_travel_with_their_letters(name: Any, seed: str) -> None:
    picture, boxes = _marked()
    seen = look(picture, name, boxes=boxes, seed=seed)
    grey = np.asarray(seen.picture.convert("L"), float)
    for left, top, right, bottom in seen.boxes:
        inside = grey[
            round(top) + 3 : round(bottom) - 2, round(left) + 3 : round(right) - 2
        ]
        around = grey[round(top) - 9 : round(top) - 5, round(left) : round(right)]
        assert abs(inside.mean() - around.mean()) > 60


@pytest.mark.parametrize("path", FIGURES, ids=lambda path: path.stem)
@pytest.mark.parametrize("name", LOOKS)
def test_every_label_can_be_read_and_the_seed_decides(path: Path, name: Any) -> None:
    (drawing,) = draw_each(path.read_text("utf-8"), [None], hand=name in BY_HAND)
    boxes = [placed.box for placed in drawing.labels]
    start = time.process_time()
    seen = look(drawing.picture, name, boxes=boxes, seed="1")
    assert time.process_time() - start < 2  # a backstop: ten times what is asked for
    assert seen.legible is not None
    assert seen.legible.height >= min(LEAST_HEIGHT, 5)
    assert seen.legible.contrast >= LEAST_CONTRAST
    again = look(drawing.picture, name, boxes=boxes, seed="1")
    assert seen.data()[0] == again.data()[0]
    other = look(drawing.picture, name, boxes=boxes, seed="2")
    assert (seen.data()[0] != other.data()[0]) == (name != "clean")


def test_what_no_strength_leaves_legible_is_refused() -> None:
    faint = Image.new("RGB", (300, 200), "white")
    ImageDraw.Draw(faint).text((100, 100), "5 cm", fill=(225, 225, 225))
    with pytest.raises(UserError, match="look scan: a label cannot be read"):
        look(faint, "scan", boxes=[(98, 98, 130, 112)], seed="1")


RECIPE = """\
name: seen
version: 1.0.0
sources:
  - {name: own, reader: living, path: seeds/*.yaml, license: MIT}
stages:
  - versions
  - looks: {looks: [clean, scan, photo, blackboard, hand], seed: 7}
splits: {test: rest}
"""
SEED = """\
vary: {a: 6..30, b: 3..4}
published: {a: 12, b: 9}
question: "[IP:ABCD is a rectangle.] [EC:AB is {a} cm and BC is {b} cm.] What is the area of ABCD?"
figure:
  points: {A: [0, 0], B: [a, 0], C: [a, b], D: [0, b]}
  draw: [{polygon: ABCD}]
  labels: [{segment: AB, text: "{a} cm"}, {segment: BC, text: "{b} cm"}]
  check: [{perpendicular: [AB, BC]}]
answer: {exact: a*b, measured: {area: ABCD}}
"""


def test_from_a_recipe_to_what_a_look_costs(tmp_path: Path) -> None:
    (tmp_path / "seeds").mkdir()
    for k in range(6):
        text = SEED.replace("a: 12,", f"a: {12 + k},")
        (tmp_path / f"seeds/s{k}.yaml").write_text(text, "utf-8")
    (tmp_path / "recipe.yaml").write_text(RECIPE, "utf-8")
    release = build_release(tmp_path / "recipe.yaml", tmp_path / "out").release
    rows = [
        json.loads(line)
        for line in (release / "jsonl/test.jsonl").read_text().splitlines()
    ]
    assert len(rows) == 6 * 5 * 6
    by_origin: dict[str, set[Any]] = {}
    for row in rows:
        by_origin.setdefault(row["origin"], set()).add(
            (row["answer"], row["labels"]["look"])
        )
    assert len(by_origin) == 6
    for seen in by_origin.values():
        assert {look for _, look in seen} == set(LOOKS)
        assert len({answer for answer, _ in seen}) == 1
    # a model that reads everything but photographs of two problems
    replies = tmp_path / "replies.jsonl"
    with replies.open("w") as file:
        for row in rows:
            blind = row["labels"]["look"] == "photo" and row["origin"].endswith(
                ("0", "1")
            )
            reply = "no idea, 1" if blind else row["answer"]
            file.write(json.dumps({"id": row["id"], "response": reply}) + "\n")
    scores = score(release, replies, split="test", out=tmp_path / "scores")
    looks = scores.scores.looks if hasattr(scores, "scores") else scores.looks
    assert looks["clean"].accuracy.value == 1
    assert looks["photo"].difference.value == pytest.approx(-2 / 6, abs=1e-6)
    assert looks["scan"].difference.value == 0
    assert "Looks of pictures" in (tmp_path / "scores/report.md").read_text("utf-8")
