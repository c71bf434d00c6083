"""MathML in the fields of a problem."""

from __future__ import annotations

import msgspec

from ...problem import Drop, Option, Problem, Step
from .in_text import only_formula, replace_formulas


def convert_problem(problem: Problem) -> Problem | Drop:
    """The problem with LaTeX for MathML in question, options, answer, solution and steps.

    A formula that is refused drops the problem; the reason names the field and the cause. An
    annotation that says something else than its formula is a note `mathml: <field>: ...`.
    """
    refused: list[str] = []
    notes: list[str] = []

    def text(value: str, field: str) -> str:
        if "math" not in value:
            return value
        doubts: list[str] = []
        converted, refusals = replace_formulas(value, doubts)
        notes.extend(f"mathml: {field}: {doubt}" for doubt in doubts)
        refused.extend(f"{field}: {refusal}" for refusal in refusals)
        return converted

    def answer(value: str, field: str) -> str:
        converted = text(value, field)
        return converted.strip("$") if only_formula(value) else converted

    def options(old: list[Option]) -> list[Option]:
        return [
            msgspec.structs.replace(o, text=text(o.text, f"option {o.label}"))
            for o in old
        ]

    def step(old: Step) -> Step:
        return msgspec.structs.replace(
            old,
            question=text(old.question, "step"),
            condition=text(old.condition, "step"),
            answer=answer(old.answer, "step"),
            options=options(old.options),
        )

    changed = msgspec.structs.replace(
        problem,
        question=text(problem.question, "question"),
        options=options(problem.options),
        answer=answer(problem.answer, "answer"),
        solution=problem.solution and text(problem.solution, "solution"),
        steps=[step(s) for s in problem.steps],
    )
    if refused:
        return Drop(id=problem.id, reason=f"mathml: {'; '.join(refused)}")
    return msgspec.structs.replace(changed, notes=[*changed.notes, *notes])
