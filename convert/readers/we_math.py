"""We-Math's official file: a JSON array, three or four rows (steps and multi) for each problem.

`ID` names the composite problem, `key` the row's role in it (`2steps_1`, ..., `2steps_multi`).
`option` is one string, `A. x;B. y; ... ;E. No correct answer`.
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import msgspec

from ...base.published import keep, picture_name
from ...options import options_in_cell
from ...pipeline import SourceSpec
from ...problem import Problem, Step, listed_options
from ...taxonomy import cards_text
from ..conservation import Holding, row_of
from .base import Pictures, Raw, Unreadable, grouped_rows, problem_of, reader


class WeMathRow(msgspec.Struct):
    id: str = msgspec.field(name="ID")
    key: str
    question: str
    option: str
    answer: str
    concept: str = msgspec.field(name="knowledge concept")
    image_path: str = ""
    split: str = ""
    told: str = msgspec.field(default="", name="knowledge concept description")
    number: int = msgspec.field(default=0, name="question number")
    place: int = 0  # in its file


def rows(spec: SourceSpec, paths: list[Path]) -> Iterator[Raw | Unreadable]:
    """One Raw for each composite problem, in the order in which they first occur."""
    return grouped_rows(
        spec, paths, WeMathRow, lambda row: (row.id, row.key.rsplit("_", 1)[-1])
    )


def held(raw: Raw, spec: SourceSpec) -> Holding:
    """Question and options of the problem and of its steps."""
    texts = {role: [row.question, row.option] for role, row in raw.data.items()}
    return row_of(texts, texts)


@reader("we-math", rows=rows, holds=held)
def problem(raw: Raw, spec: SourceSpec, pictures: Pictures) -> Problem:
    group: dict[str, WeMathRow] = raw.data
    if "multi" not in group:
        raise ValueError(f"group {next(iter(group.values())).id} has no multi row")
    multi = group["multi"]
    steps = [
        group[role]
        for role in sorted(group, key=lambda r: (len(r), r))
        if role != "multi"
    ]
    expected = int(multi.key[0]) if multi.key[:1].isdigit() else len(steps)
    if len(steps) != expected and (steps or expected > 1):
        pictures.notes.append(f"incomplete-steps: {len(steps)} of {expected} steps")
    whole = problem_of(
        spec,
        multi.id,
        multi.question,
        multi.answer,
        **_seen(multi, pictures),
        answer_kind="choice",
        labels={"steps": expected, "knowledge": _concepts(multi)},
    )
    whole.steps = [
        Step(
            question=row.question,
            answer=row.answer,
            knowledge=_concepts(row),
            **_seen(row, pictures),
        )
        for row in steps
    ]
    _keep(whole, multi)
    for step, row in zip(whole.steps, steps, strict=True):
        _keep(step, row)
    return whole


def _seen(row: WeMathRow, pictures: Pictures) -> dict[str, Any]:
    images = pictures.get([row.image_path] if row.image_path else [])
    return {"options": options_in_cell(row.option).options, "images": images}


def _keep(record: Problem | Step, row: WeMathRow) -> None:
    """What the row writes otherwise than our export would."""
    kind, _, group = row.id.partition("_")
    stem = f"{group}-{row.key.rsplit('_', 1)[-1]}"
    said = {
        "option": row.option,
        "image_path": row.image_path,
        "split": row.split or "test",
        "question number": row.number or row.place,
        "knowledge concept description": row.told,
        "knowledge concept": row.concept,
    }
    made = {
        "option": listed_options(record.options, len(record.images), "{}. {}", ";"),
        "image_path": picture_name(f"{kind}/image", stem, record.images),
        "split": "test",
        "question number": row.place,
        "knowledge concept description": cards_text(_concepts(row)),
        "knowledge concept": ";".join(_concepts(row)),
    }
    keep(record, said, made)


def _concepts(row: WeMathRow) -> list[str]:
    return [name.strip() for name in row.concept.split(";") if name.strip()]
