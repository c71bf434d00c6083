"""What a source states for all its rows: language, licence, labels, benchmark, drawn pictures."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

from ...base.answer_kinds import own_kind
from ...errors import UserError, nearest
from ...latex import is_chinese
from ...pipeline import SourceSpec
from ...problem import Labels, Problem, Sample
from ...taxonomy import BUILT_IN, load_tree, read_grade
from .base import Pictures

ANNOTATED = ("png", "jpg", "jpeg")  # suffixes, tried in this order
_EMPTY: tuple[Any, ...] = (None, "", [])


def check_constants(spec: SourceSpec, folder: Path) -> None:
    """Raises UserError for a label that cannot be meant, and for a folder that is not there.

    Labels that are a tree's own, the `subject` of `benchmark: math-v`, must be in that tree.
    """
    for name, value in spec.labels.items():
        what = f"source {spec.name!r}: label {name!r} is {value!r}"
        if not re.fullmatch(r"\w+", name):
            raise UserError(what, "name labels with letters, digits and '_'")
        if value in ("", []):
            raise UserError(what, "give it a value, or leave it out")
        if name == "grade" and read_grade(value) is None:
            raise UserError(what, "write one grade as a number, e.g. grade: 9")
        try:
            _check_on_tree(spec.benchmark, name, value)
        except UserError as error:
            raise UserError(f"{what}: {error.message}", error.remedy) from error
    if spec.annotated is not None and not (folder / spec.annotated).is_dir():
        raise UserError(
            f"source {spec.name!r}: {folder / spec.annotated} is not a folder",
            "correct annotated: in the recipe (it is relative to the recipe)",
        )


def _check_on_tree(benchmark: str | None, name: str, value: Any) -> None:
    if benchmark not in BUILT_IN:
        return
    tree = load_tree(benchmark)
    if name == tree.field:
        for text in value if isinstance(value, list) else [value]:
            if not any(text == node.name for node in tree.nodes.values()):
                tree.find(str(text))  # says which are near
    elif name in tree.scales and name != tree.scales[name].of:
        values = [str(band.value) for band in tree.scales[name].bands]
        if str(value) not in values:
            raise UserError(
                f"not on the scale of {benchmark}", nearest(str(value), values)
            )


def completed(
    problem: Problem, spec: SourceSpec, pictures: Pictures, folder: Path
) -> Problem:
    """The problem with what its source states; what the row itself says goes before it.

    A contradiction becomes a note. A grade is a number wherever it can be read as one. Where nobody
    says the language, the question's own characters do. Raises UserError for an unknown kind of
    answer.
    """
    for name, value in spec.labels.items():
        label = problem.labels.get(name)
        if label in _EMPTY or _graded(name, label) == _graded(name, value):
            continue
        pictures.notes.append(
            f"constant-differs: {name} is {label!r}, the source says {value!r}"
        )
    benchmark = spec.reader if spec.reader in BUILT_IN else None
    language = "zh" if is_chinese(problem.question) else "en"
    records: list[Problem | Sample] = [problem, *problem.samples]
    for record in records:
        record.labels = _filled(record.labels, spec.labels)
        for answer in (record, *record.parts):
            own_kind(answer.answer_kind)  # is known
        record.language = record.language or spec.language or language
        source = record.source
        source.license = source.license or spec.license
        source.url = source.url or spec.address
        source.benchmark = spec.benchmark or source.benchmark or benchmark
    if spec.annotated is not None:
        problem.images += _annotated(problem, pictures, folder / spec.annotated)
    return problem


def _filled(labels: Labels, constants: Labels) -> Labels:
    filled = dict(labels)
    for name, value in constants.items():
        if filled.get(name) in _EMPTY:
            filled[name] = value
    return {name: _graded(name, value) for name, value in filled.items()}


def _graded(name: str, value: Any) -> Any:
    grade = read_grade(value) if name == "grade" else None
    return value if grade is None else grade


def _annotated(problem: Problem, pictures: Pictures, folder: Path) -> list[Any]:
    """The picture `<raw id>.png` that a person drew the conditions into (MathVerse, 2.3)."""
    annotated = Pictures(folder, pictures.work)
    annotated.notes, annotated.inputs = pictures.notes, pictures.inputs
    names = [f"{problem.source.raw_id}.{suffix}" for suffix in ANNOTATED]
    name = annotated.first(name for name in names if "/" not in name)
    return annotated.get([name] if name else [], "annotated")
