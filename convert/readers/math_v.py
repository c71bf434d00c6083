"""MATH-V's official files: test.jsonl, testmini.jsonl (one problem a line).

Options are values, the answer of a multiple-choice problem is a letter. However many `<imageN>`
the question names, there is one picture, into which all figures are pasted.
"""

from __future__ import annotations

import re

import msgspec

from ...base.published import keep, picture_name
from ...pipeline import SourceSpec
from ...problem import Problem, option_texts
from ..conservation import Holding, row_of
from .base import Pictures, Raw, json_lines_rows, lettered, problem_of, reader, row_as


class MathVRow(msgspec.Struct):
    id: str
    question: str
    options: list[str]
    answer: str
    image: str
    level: int
    subject: str
    solution: str | None = None


def held(raw: Raw, spec: SourceSpec) -> Holding:
    return row_of(raw.data, ("question", "options", "solution"))


@reader("math-v", rows=json_lines_rows, holds=held)
def problem(raw: Raw, spec: SourceSpec, pictures: Pictures) -> Problem:
    row = row_as(MathVRow, raw)
    placeholders = set(re.findall(r"<image\d+>", row.question + " ".join(row.options)))
    role = "composite" if len(placeholders) > 1 else "figure"
    options = lettered(row.options)
    whole = problem_of(
        spec,
        row.id,
        row.question,
        row.answer,
        options=options,
        solution=row.solution,
        images=pictures.get([row.image] if row.image else [], role),
        labels={"subject": row.subject, "level": row.level},
    )
    made = {"image": picture_name("images", row.id, whole.images)}
    said = {"image": row.image, "options": row.options}
    keep(whole, said, made | {"options": option_texts(options, len(whole.images))})
    return whole
