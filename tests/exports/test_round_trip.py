"""Official layouts, read back and written again: the same bytes, whatever ids the sources share."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import msgspec
import pytest
from benchwright.build import build_release
from benchwright.exports import export
from benchwright.pictures import store_picture
from benchwright.problem import VERSIONS, Problem, Source, Step, sample_of
from small import options, png, problem, tree, write_recipe, write_rows


def twins(folder: Path, name: str) -> list[Problem]:
    """Problems 1 and 2 of two sources that both count from 1, with all that the layout holds."""
    problems = []
    for source, shade in (("a", 10), ("b", 90)):
        for k in (1, 2):
            p = problem(
                k, id=f"{source}-{k}", origin=f"{source}-{k}",
                source=Source(name=source, raw_id=str(k), license="MIT"),
                question=f"<image1> What is ${k}$ in {source}?", options=options("3", "4", "$x^2$"),
                answer="B", answer_kind="choice", solution="It is \\boxed{B}.",
                images=[store_picture(png(40 + k, 40, shade + k), folder)],
                labels={"subject": "algebra", "subfield": "Area", "level": k, "grade": 9,
                        "difficulty": "easy", "knowledge": ["Area of Circles"]},
            )  # fmt: skip
            if name == "mathverse":
                p.samples = [sample_of(p, version) for version in VERSIONS]
            if name == "mm-math":
                p.options, p.answer, p.answer_kind = [], "3", "number"
                p.solution = "It is \\boxed{3}."
            if name == "we-math":
                step = Step(question=f"first of {source}{k}", options=options("1", "2"),
                            answer="A", knowledge=["Area of Circles"])  # fmt: skip
                last = Step(question=p.question, options=p.options, answer="B",
                            knowledge=["Area of Squares"])  # fmt: skip
                p.steps = [step, last]
            problems.append(p)
    return problems


def released(folder: Path, **source: Any) -> Path:
    plan = {"name": "x", "version": "1.0.0", "sources": [{"license": "MIT"} | source]}
    return build_release(write_recipe(folder / "recipe.yaml", plan), folder / "out").release


@pytest.mark.parametrize("name", ["math-v", "mathverse", "we-math", "mm-math"])
def test_a_layout_read_back_is_written_byte_for_byte(tmp_path: Path, name: str) -> None:
    first, second = tmp_path / "one", tmp_path / "two"
    first.mkdir()
    second.mkdir()
    write_rows(first / "p.jsonl", [msgspec.to_builtins(p) for p in twins(first, name)])
    written = export(
        name, released(first, name="a", reader="problems", path="p.jsonl"), second / "x"
    )
    paths = [path.relative_to(second).as_posix() for path in written]
    again = released(second, name="z", reader=name, path=paths, images="x")
    export(name, again, second / "y")
    assert tree(second / "y") == tree(second / "x")
    assert len({p.read_bytes() for p in (second / "x").rglob("*1*.png")}) > 1
