"""A small release of every kind of sample that a harness may stumble over, with replies to it."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any

import msgspec
from benchwright import build_release
from benchwright.base.pictures import store_picture
from benchwright.problem import VERSIONS, Option, Part, Problem, Sample, sample_of
from small import options, png, problem, write_recipe, write_rows


def mixed_problems(folder: Path) -> list[Problem]:
    """Choice and open, pictured and not, odd options, six versions, parts, rules of the gold."""
    one, two, three = (
        store_picture(png(30 + k, 30, 40 * k), folder) for k in (1, 2, 3)
    )
    odd = options("None", "007", "1.50", "NA", "null", "True")
    many = options(*(str(k) for k in range(12)))
    versions = problem(10, options=options("40°", "60°", "80°"), answer="B", images=[one],
                       answer_kind="choice")  # fmt: skip
    versions.samples = [
        sample_of(
            versions,
            version,
            question="" if version == "vision_only" else f"{version}: how large is it?",
            images=[] if version == "text_only" else [one],
        )
        for version in VERSIONS
    ]
    drawn = [
        Option(label="A", text="", image=two),
        Option(label="B", text="", image=three),
    ]
    parts = [Part(label="1", answer="5", answer_kind="number"),
             Part(label="2", answer="7", answer_kind="number")]  # fmt: skip
    rows: list[dict[str, Any]] = [
        {"options": odd, "answer": "A", "answer_kind": "choice", "images": [one]},
        {"options": odd, "answer": "B", "answer_kind": "choice"},
        {"options": many, "answer": "L", "answer_kind": "choice", "images": [one, two]},
        {"options": drawn, "answer": "B", "answer_kind": "choice", "images": [one]},
        {
            "options": options("1", "2", "3", "4"),
            "answer": "ABD",
            "answer_kind": "choices",
        },
        {"answer": "007", "answer_kind": "text", "images": [two]},
        {"answer": "NA", "answer_kind": "text"},
        {"answer": "3.14", "tolerance": 0.01, "images": [three]},
        {"answer": "12", "unit": "cm"},
        {"answer": r"(2, 1)", "answer_kind": "set", "ordered": False},
        {"answer": r"(2, 1)", "answer_kind": "tuple", "ordered": True},
        {
            "answer": "(1) 5 (2) 7",
            "answer_kind": "parts",
            "parts": parts,
            "images": [one, three],
        },
        {"question": "How long is <image1> against <image2>?", "images": [one, two]},
    ]
    plain = [
        problem(k, **({"id": f"a-{k}", "question": f"What is it, number {k}?"} | row))
        for k, row in enumerate(rows, 11)
    ]
    return [versions, *plain]


def mixed_release(folder: Path, **changes: Any) -> Path:
    """The release `mixed-1.0.0` of these problems, in one split `test`."""
    rows = [msgspec.to_builtins(p) for p in mixed_problems(folder)]
    write_rows(folder / "p.jsonl", rows)
    source = {"name": "a", "reader": "problems", "path": "p.jsonl", "license": "MIT"}
    recipe = {
        "name": "mixed",
        "version": "1.0.0",
        "sources": [source],
        "splits": {"test": "rest"},
    }
    return build_release(
        write_recipe(folder / "recipe.yaml", recipe | changes), folder / "out"
    ).release


def right_replies(samples: Sequence[Sample]) -> dict[str, str]:
    """Each sample's gold, as a model says it."""
    return {s.id: _said(s, s.answer or "") for s in samples}


def wrong_replies(samples: Sequence[Sample]) -> dict[str, str]:
    """Answers of the right shape that are wrong."""
    return {s.id: _said(s, _wrong(s)) for s in samples}


def near_replies(samples: Sequence[Sample]) -> dict[str, str]:
    """Answers that tolerance, unit and order decide; other samples get their golds."""
    near = {"3.14": "3.145", "12": "12 cm", "(2, 1)": "(1, 2)"}
    return {s.id: _said(s, near.get(s.answer or "", s.answer or "")) for s in samples}


def _said(sample: Sample, answer: str) -> str:
    if sample.answer_kind == "parts":
        return f"I worked each out: {answer}"
    return f"So the final answer is \\boxed{{{answer}}}."


def _wrong(sample: Sample) -> str:
    if sample.answer_kind == "choice":
        return next(o.label for o in sample.options if o.label != sample.answer)
    return {"choices": "AC", "parts": "(1) 6 (2) 8", "set": "(8, 9)", "tuple": "(8, 9)",
            "text": "nothing of it"}.get(sample.answer_kind, "98765")  # fmt: skip
