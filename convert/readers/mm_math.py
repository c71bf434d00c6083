"""MM-MATH's official file: JSON lines with question, solution (answer boxed), picture and labels.

Labels may be Chinese (as published) or English (as in evaluation harnesses); both are kept under
the field's English names. `year` is kept where it says more than the grade: the half-year.
"""

from __future__ import annotations

import msgspec

from ...base.published import keep, picture_name
from ...latex import boxes
from ...pipeline import SourceSpec
from ...problem import Problem
from ...taxonomy import DIFFICULTY, half_year, in_its_words, read_grade
from ..conservation import Holding, row_of
from .base import Pictures, Raw, json_lines_rows, problem_of, reader, row_as

NAMES = {said: name for name, said in DIFFICULTY.items()}


class MmMathRow(msgspec.Struct):
    question: str
    solution: str
    file_name: str = ""
    year: str = ""
    difficult: str = ""
    knowledge: str | list[str] = ""
    id: str | int | None = None
    placed: str = ""  # of our exports: the question with the places of its pictures
    grade: int | None = None  # of our exports: the half-year in `year` is not known


def held(raw: Raw, spec: SourceSpec) -> Holding:
    named = raw.data if isinstance(raw.data, dict) else {}
    said = {
        k: v for k, v in named.items() if k != "question" or not named.get("placed")
    }
    return row_of(said, ("question", "placed", "solution"))


@reader("mm-math", rows=json_lines_rows, holds=held)
def problem(raw: Raw, spec: SourceSpec, pictures: Pictures) -> Problem:
    row = row_as(MmMathRow, raw)
    raw_id = str(row.id) if row.id is not None else str(raw.line)
    answers = [
        box.content.strip()
        for box in boxes(row.solution)
        if box.closed and row.solution.startswith("\\boxed{", box.start)
    ]
    if not answers:
        raise ValueError("the solution holds no \\boxed{} answer")
    answer = ",".join(answers)
    only_grade = row.grade is not None or (
        read_grade(row.year) and not half_year(row.year)
    )
    labels = {
        "difficulty": NAMES.get(row.difficult, row.difficult),
        "grade": row.grade or read_grade(row.year),
        "year": None if only_grade else row.year,
        "knowledge": row.knowledge
        if isinstance(row.knowledge, list)
        else [row.knowledge] * bool(row.knowledge),
    }
    whole = problem_of(
        spec,
        raw_id,
        row.placed or row.question,
        answer,
        images=pictures.get([row.file_name] if row.file_name else []),
        answer_kind="set" if len(answers) > 1 else "",
        solution=row.solution,
        labels=labels if row.knowledge else labels | {"knowledge": None},
    )
    made = in_its_words(whole.labels) | {"id": raw_id if row.id is None else row.id}
    made |= {"file_name": picture_name("images", raw_id, whole.images)}
    said = msgspec.structs.asdict(row)
    if made.pop("grade", None) and row.grade:
        del made["year"]
    keep(whole, said, made)
    return whole
