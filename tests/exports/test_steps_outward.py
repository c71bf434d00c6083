"""Conditions and pictures of steps reach everybody who is asked: prompts, exports, pages."""

from __future__ import annotations

import csv
import json
from pathlib import Path
from typing import Any

import pytest
from benchwright import build_release
from benchwright.base.files import read_jsonl, write_jsonl
from benchwright.evaluate.people import booklets
from benchwright.evaluate.prompts import CAPTION, STYLES, ask_text
from benchwright.exports import export
from benchwright.problem import Sample, Vote
from small import png, write_recipe, write_rows

PERIMETER, AREA = "Perimeter of Rectangles", "Area of Rectangles"
GIVEN = "A rectangle is 7 cm long and has a perimeter of 20 cm."
TOLD = f"{GIVEN} Its width is 3 cm."


def row(concept: str, question: str, *options: str, **extra: Any) -> dict[str, Any]:
    listed = [{"label": "ABC"[k], "text": text} for k, text in enumerate(options)]
    return {
        "knowledge": concept,
        "question": question,
        "options": listed,
        "answer": "A",
    } | extra


def told(wording: str) -> dict[str, Any]:
    return {"injection": "text", "steps": [
        row(PERIMETER, f"How wide{wording}?", "3 cm", "6 cm", condition=GIVEN),
        row(AREA, "What is its area?", "21", "20", condition=TOLD),
    ]}  # fmt: skip


DRAWN = {"injection": "picture", "steps": [
    row(PERIMETER, "How wide is it?", "3 cm", "6 cm", picture="first.png"),
    row(AREA, "A rectangle is 7 by 3 cm. What is its area?", "21", "20",
        placement=[{"near": [60.0, 40.0], "text": "$3$"}]),
]}  # fmt: skip
ONE: dict[str, Any] = {"injection": None, "steps": []}


@pytest.fixture(scope="module")
def release(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("steps")
    (folder / "pictures").mkdir()
    (folder / "pictures/first.png").write_bytes(png(50, 40, 7, "RGB"))
    (folder / "whole.png").write_bytes(png(120, 80, 255, "RGB"))
    write_rows(folder / "raw.jsonl", [
        {"id": str(k), "question": f"{GIVEN} What is its area?", "options": ["21", "20"],
         "answer": "A", "images": ["whole.png"]}
        for k in range(4)
    ])  # fmt: skip
    answers = {"a-0": [told(" is it"), told(" is the rectangle")], "a-1": [DRAWN, DRAWN],
               "a-2": [ONE, ONE], "a-3": [ONE, DRAWN]}  # fmt: skip
    write_jsonl(folder / "steps.jsonl", [
        Vote(problem_id=name, field="steps", value=value, annotator=who)
        for name, values in answers.items()
        for who, value in zip(("anna", "ben"), values, strict=True)
    ])  # fmt: skip
    write_jsonl(folder / "knowledge.jsonl", [
        Vote(problem_id="a-2", field="knowledge", value=[AREA], annotator=who)
        for who in ("anna", "ben")
    ])  # fmt: skip
    steps = {"votes": "steps.jsonl", "pictures": "pictures", "undecided": "keep"}
    recipe = write_recipe(folder / "recipe.yaml", {
        "name": "w", "version": "1.0.0",
        "sources": [{"name": "a", "reader": "jsonl", "path": "raw.jsonl", "license": "MIT"}],
        "stages": [{"label": {"field": "knowledge", "votes": "knowledge.jsonl"}},
                   {"steps": steps | {"on_violation": "drop"}}],
    })  # fmt: skip
    return build_release(recipe, folder / "out").release


def samples(release: Path) -> dict[str, Sample]:
    return {s.id: s for s in (
        sample
        for line in read_jsonl(release / "jsonl/test.jsonl", dict[str, Any])
        for sample in [_sample(line)]
    )}  # fmt: skip


def _sample(line: dict[str, Any]) -> Sample:
    import msgspec

    line.pop("canary")
    return msgspec.convert(line, Sample)


def test_authors_may_word_their_steps_and_one_step_is_a_decomposition(
    release: Path,
) -> None:
    found = samples(release)
    assert set(found) == {"a-0.step1", "a-0.step2", "a-0.multi", "a-1.step1", "a-1.step2",
                          "a-1.multi", "a-2", "a-3"}  # fmt: skip
    assert found["a-0.step1"].question == "How wide is it?"
    assert found["a-2"].labels["steps"] == 1
    assert "steps" not in found["a-3"].labels  # undecided, and kept


def test_a_step_has_its_own_picture_from_a_file_or_drawn(release: Path) -> None:
    found = samples(release)
    one, two, whole = (
        found[f"a-1.{name}"].images[0] for name in ("step1", "step2", "multi")
    )
    assert (one.width, whole.width) == (50, 120)
    assert len({one.sha256, two.sha256, whole.sha256}) == 3
    for image in (one, two):
        assert (release / image.path).is_file()


@pytest.mark.parametrize("style", [s for s in STYLES if s != CAPTION])
def test_every_prompt_tells_the_condition_once(release: Path, style: str) -> None:
    cards = dict.fromkeys([PERIMETER, AREA], "card")
    found = samples(release)
    assert ask_text(found["a-0.step2"], style, cards).count(TOLD) == 1
    assert ask_text(found["a-0.multi"], style, cards).count(GIVEN) == 1


def test_every_export_and_page_tells_the_condition(
    release: Path, tmp_path: Path
) -> None:
    for name in ("we-math", "vlmevalkit", "lmms-eval", "inspect"):
        export(name, release, tmp_path / name)
    asked = f"{TOLD} What is its area?"
    rows = json.loads((tmp_path / "we-math/test.json").read_text("utf-8"))
    by_key = {(r["ID"], r["key"]): r for r in rows}
    assert by_key["2steps_0", "2steps_2"]["question"] == asked
    single = by_key["1steps_2", "1steps_multi"]
    assert single["knowledge concept description"].startswith(f"{AREA}:\n")
    assert (
        by_key["2steps_1", "2steps_1"]["image_path"]
        != by_key["2steps_1", "2steps_2"]["image_path"]
    )
    cells = {}
    for path in (tmp_path / "vlmevalkit").glob("*.tsv"):
        with path.open(encoding="utf-8", newline="") as file:
            csv.field_size_limit(10**7)
            cells |= {
                r["id"]: r["question"] for r in csv.DictReader(file, delimiter="\t")
            }
    assert cells["a-0.step2"] == asked
    utils: dict[str, Any] = {"__file__": "utils.py"}
    exec((tmp_path / "lmms-eval/utils.py").read_text("utf-8"), utils)
    line = next(r for r in read_jsonl(release / "jsonl/test.jsonl", dict[str, Any])
                if r["id"] == "a-0.step2")  # fmt: skip
    line["pictures_in_question"] = len(line["images"])
    assert utils["doc_to_text"](line).startswith(asked)
    assert "asked(record" in (tmp_path / "inspect/task.py").read_text("utf-8")
    booklets(release, "test", tmp_path / "booklets", number=1)
    for page in (
        tmp_path / "booklets/booklet-01.html",
        release / "index.data/samples-00000.js",
    ):
        assert "Its width is 3 cm." in page.read_text("utf-8")


def test_the_whole_record_keeps_what_steps_were_given_for(release: Path) -> None:
    lines = read_jsonl(release / "problems/test.jsonl", dict[str, Any])
    assert [set(line["about"]) for line in lines][:2] == [{"steps"}, {"steps"}]
