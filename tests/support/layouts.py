"""Problems of two sources that both count from 1, with all that an official layout holds."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from benchwright import build_release
from benchwright.base.pictures import store_picture
from benchwright.problem import VERSIONS, Problem, Source, Step, sample_of
from benchwright.taxonomy import load_tree
from msgspec.structs import replace
from small import options, png, problem, write_recipe

LAYOUTS = ("math-v", "mathverse", "we-math", "mm-math")
SOURCES = {"a": 10, "b": 90}  # and the shade of their pictures
# gold, and its kind
CHOICES = [("B", "choice"), ("E", "choice")]
VALUES = [
    ("5", "number"),
    (r"\frac{3}{4}", "expression"),
    ("42", "number"),
    ("(2,3)", "tuple"),
]
BOXED = [("5", "number"), (r"\frac{1}{2}", "expression"), (r"2\sqrt{3}", "expression"),
         ("60^\\circ", "expression"), ("y=2x+1", "equation"), ("1,2", "set")]  # fmt: skip


def two_sources(layout: str, folder: Path) -> list[Problem]:
    """The problems; their pictures are stored below `folder`."""
    golds = (
        BOXED
        if layout == "mm-math"
        else CHOICES * 3
        if layout == "we-math"
        else CHOICES + VALUES
    )
    return [
        _DRESS[layout](_bare(source, k, *gold, folder), k)
        for source in SOURCES
        for k, gold in enumerate(golds, 1)
    ]


def _bare(source: str, k: int, answer: str, kind: Any, folder: Path) -> Problem:
    listed = ["3", "4", "$x^2$", "None of these; or A", "No correct answer"]
    return problem(
        k,
        id=f"{source}-{k}",
        origin=f"{source}-{k}",
        source=Source(name=source, raw_id=str(k), license="MIT"),
        question=f"<image1> What is ${k}$ in {source}?",
        options=options(*listed) if kind == "choice" else [],
        answer=answer,
        answer_kind=kind,
        images=[store_picture(png(40 + k, 40, SOURCES[source] + k), folder)],
        labels={},
    )


def _math_v(p: Problem, k: int) -> Problem:
    p.labels = {"subject": ("algebra", "counting")[k % 2], "level": k % 5 + 1}
    p.solution = None if k % 2 else "By counting."
    return p


def _mathverse(p: Problem, k: int) -> Problem:
    p.labels = {"subject": "Plane Geometry", "subfield": ("Area", "Angle")[k % 2],
                "collection": "GeoQA"}  # fmt: skip
    p.samples = [
        sample_of(p, version, **_told(p, version))
        for version in VERSIONS
        if version != "text_only"
    ]
    p.samples.append(sample_of(p, "text_only", images=[]))
    return p


def _told(p: Problem, version: str) -> dict[str, Any]:
    if version != "vision_only":
        return {}
    return {
        "question": "",
        "images": [replace(image, role="page") for image in p.images],
    }


def _we_math(p: Problem, k: int) -> Problem:
    names = _concepts()
    p.answer_kind, count = "choice", 2 + k % 2
    p.steps = [
        Step(question=f"step {n} of {p.id}", options=options("1", "2", "3"), answer="AB"[n % 2],
             knowledge=[names[(k + n) % len(names)]], images=p.images)
        for n in range(1, count)
    ]  # fmt: skip
    p.steps.append(
        Step(question=p.question, options=p.options, answer=p.answer, knowledge=[names[k]],
             images=p.images)
    )  # fmt: skip
    p.labels = {
        "steps": count,
        "knowledge": [c for step in p.steps for c in step.knowledge],
    }
    return p


def _concepts() -> list[str]:
    """Concepts of We-Math's tree from all over it."""
    return [node.name for node in load_tree("we-math").leaves][::7]


def _mm_math(p: Problem, k: int) -> Problem:
    p.options = []
    p.solution = (
        f"So it is \\boxed{{{p.answer}}}."
        if p.answer_kind != "set"
        else ("Either \\boxed{1} or \\boxed{2}.")
    )
    areas = ("Transformations of Shapes", "Properties of Shapes", "Functions")
    p.labels = {"difficulty": ("easy", "medium", "hard")[k % 3], "grade": 7 + k % 3,
                "knowledge": [areas[k % 3], "Circle"]}  # fmt: skip
    if k % 2:
        p.labels["year"] = f"{'七八九'[k % 3]}年级下学期"
    return p


_DRESS = {
    "math-v": _math_v,
    "mathverse": _mathverse,
    "we-math": _we_math,
    "mm-math": _mm_math,
}


def released(folder: Path, **source: Any) -> Path:
    """A release `x-1.0.0` of one source in `folder`."""
    plan = {"name": "x", "version": "1.0.0", "sources": [{"license": "MIT"} | source]}
    return build_release(
        write_recipe(folder / "recipe.yaml", plan), folder / "out"
    ).release
