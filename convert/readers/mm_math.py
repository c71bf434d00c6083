"""MM-MATH's official file: JSON lines with question, solution (answer boxed), picture and labels.

Labels may be Chinese (as published) or English (as in evaluation harnesses); both are kept under
the field's English names. `year` is kept where it says more than the grade: the half-year.
"""

from __future__ import annotations

import msgspec

from ...pipeline import SourceSpec
from ...problem import Problem, Source
from ...taxonomy import half_year, read_grade
from ..conservation import Holding, row_of
from .base import Pictures, Raw, guess_kind, json_lines_rows, reader, row_as

DIFFICULTY = {"容易": "easy", "普通": "medium", "困难": "hard"}


class MmMathRow(msgspec.Struct):
    question: str
    solution: str
    file_name: str = ""
    year: str = ""
    difficult: str = ""
    knowledge: str | list[str] = ""
    id: str | int | None = None
    grade: int | None = None  # of our exports: the half-year in `year` is not known


def boxed(text: str) -> list[str]:
    """Contents of every `\\boxed{...}`, by brace matching.

    >>> boxed(r"so \\boxed{\\frac{1}{2}} and \\boxed{3}")
    ['\\\\frac{1}{2}', '3']
    """
    contents, start = [], 0
    while (start := text.find("\\boxed{", start)) >= 0:
        start += len("\\boxed{")
        depth, end = 1, start
        while end < len(text) and depth:
            depth += {"{": 1, "}": -1}.get(text[end], 0)
            end += 1
        if depth == 0:
            contents.append(text[start : end - 1].strip())
    return contents


def held(raw: Raw, spec: SourceSpec) -> Holding:
    return row_of(raw.data, ("question", "solution"))


@reader("mm-math", rows=json_lines_rows, holds=held)
def problem(raw: Raw, spec: SourceSpec, pictures: Pictures) -> Problem:
    row = row_as(MmMathRow, raw)
    raw_id = str(row.id) if row.id is not None else str(raw.line)
    answers = boxed(row.solution)
    if not answers:
        raise ValueError("the solution holds no \\boxed{} answer")
    answer = ",".join(answers)
    only_grade = row.grade is not None or (read_grade(row.year) and not half_year(row.year))
    labels = {
        "difficulty": DIFFICULTY.get(row.difficult, row.difficult),
        "grade": row.grade or read_grade(row.year),
        "year": None if only_grade else row.year,
        "knowledge": row.knowledge if isinstance(row.knowledge, list) else [row.knowledge],
    }
    return Problem(
        id=f"{spec.name}-{raw_id}",
        origin=f"{spec.name}-{raw_id}",
        source=Source(name=spec.name, raw_id=raw_id),
        question=row.question,
        images=pictures.get([row.file_name] if row.file_name else []),
        answer=answer,
        answer_kind="set" if len(answers) > 1 else guess_kind(answer, []),
        solution=row.solution,
        labels={name: value for name, value in labels.items() if value not in (None, "", [""])},
    )
