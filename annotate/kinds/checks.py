"""Checks by people: text-picture alignment, duplicate pairs, the first error of a solution."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

import msgspec

from ...base.about import about, digest
from ...base.files import read_jsonl
from ...errors import UserError
from ...problem import Problem, shown_images
from ...taxonomy import NO_ERROR, Tree, first_errors
from ..votes import PENDING
from .answers import TaskAnswer
from .duplicate_decisions import decisions_of
from .interface import (
    UNSURE,
    Element,
    card,
    choices,
    header,
    markable_text,
    page,
    picture,
    rendered_text,
    tag,
    when,
)
from .registry import kind
from .tasks import Material, Task, problem_task, with_options
from .text_roles import comment_on

ALIGNED = [
    ("yes", "Picture and text belong together and are whole."),
    ("no", "The picture belongs to another question."),
    ("incomplete", "Something of the picture or the text is cut off or missing."),
    UNSURE,
]
DEFECTS = [
    "text missing",
    "picture cropped",
    "wrong picture",
    "pictures in wrong order",
    "private or offensive",
]
VERDICTS = [
    ("duplicate", "The same problem: only wording, numbering or layout differ."),
    ("variant", "The same template with other numbers or another question."),
    ("not duplicate", "Two problems."),
    UNSURE,
]


def _alignment(tree: Tree | None) -> list[Element]:
    return [
        header("Do picture and text belong together, and is nothing missing?"),
        choices("alignment", ALIGNED),
        when(
            "alignment",
            "no,incomplete",
            header("What is wrong?"),
            choices("defects", DEFECTS, multiple=True, required=False),
        ),
    ]


@kind(
    "alignment",
    title="Text and picture",
    instruction="Judge only whether text and picture belong together and are whole; you need not "
    "solve the problem.",
    form=_alignment,
    field="alignment",
)
def alignment(answer: TaskAnswer) -> dict[str, Any]:
    """{"alignment": yes | no | incomplete | pending, "defects": [...]}."""
    verdict = answer.required_choice("alignment", "verdict")
    defects = sorted(answer.values("defects", "choices"))
    votes: dict[str, Any] = {"alignment": verdict}
    if verdict in ("no", "incomplete"):
        votes["defects"] = defects
    return votes


def _duplicates(tree: Tree | None) -> str:
    left = [header("A"), rendered_text("a"), picture("a_image")]
    right = [
        header("B"),
        rendered_text("b"),
        picture("b_image"),
        card(
            rendered_text("evidence", className="note"),
            header("What are A and B?"),
            choices("verdict", VERDICTS, to="a"),
            when(
                "verdict",
                "duplicate",
                header("Which one stays?"),
                choices("keep", ["A", "B", "either"], to="a", inline=True),
            ),
            comment_on("a"),
        ),
    ]
    return page(left, right)


def pair_task(a: Problem, b: Problem, evidence: Mapping[str, Any]) -> Task:
    """Two problems that may be one, with what a program found out about them."""
    hashes = {name: str(evidence.get(name, "")) for name in ("a_hash", "b_hash")}
    facts = [
        f"{name}: {value}"
        for name, value in evidence.items()
        if name not in (*hashes, "a", "b", "keep") and isinstance(value, str | float)
    ]
    return Task(
        id=f"{a.id}|{b.id}",
        texts={
            "a": with_options(a),
            "b": with_options(b),
            "evidence": ", ".join(facts),
            "note": "",
        },
        pictures={"a_image": shown_images(a), "b_image": shown_images(b)},
        data={"a": a.id, "b": b.id, **hashes},
        about=digest([about(a), about(b)]),
    )


def _pairs(material: Material) -> Iterator[Task]:
    for pair in read_jsonl(material.file, dict[str, Any]):
        if not (isinstance(pair.get("a"), str) and isinstance(pair.get("b"), str)):
            raise UserError(
                f"{material.file}: a pair without a and b", "write it by dedup pairs"
            )
        yield pair_task(material.problem(pair["a"]), material.problem(pair["b"]), pair)


@kind(
    "duplicates",
    title="Duplicates",
    instruction="Two problems are duplicates when whoever has solved one has solved the other. "
    "Numbers that differ make them variants.",
    form=_duplicates,
    tasks=_pairs,
    needs="pairs",
    tables={"decisions.jsonl": decisions_of},
)
def duplicates(answer: TaskAnswer) -> dict[str, Any]:
    """{"duplicate": duplicate | variant | not duplicate | pending, "keep": id that stays}."""
    verdict = answer.required_choice("verdict", "verdict")
    ids = {"A": answer.data["a"], "B": answer.data["b"]}
    keep = ids.get(answer.choice("keep") or "")
    votes = {"duplicate": verdict}
    if verdict == "duplicate" and keep:
        votes["keep"] = keep
    return votes


def _first_error(tree: Tree | None) -> list[Element]:
    return [
        header("Solution to be checked; mark the first wrong place"),
        tag(
            "Labels",
            tag("Label", value="first error", background="#eb5757", hotkey="0"),
            name="place",
            toName="solution",
        ),
        markable_text("solution", "solution", "word"),
        header("As it reads"),
        rendered_text("rendered", "solution"),
        header("The first error is"),
        choices("error", _errors(tree)),
    ]


def _errors(tree: Tree | None) -> list[tuple[str, str]]:
    """The classes of the tree's benchmark, between "none" and "pending"."""
    classes = first_errors(tree.name if tree else None)
    sentences = [
        (name, f"{meaning[0].upper()}{meaning[1:]}.")
        for name, meaning in classes.items()
    ]
    return [
        (NO_ERROR, "The solution is right throughout."),
        *sentences,
        UNSURE,
    ]


class Response(msgspec.Struct):
    """A model's solution, as `score` reads it."""

    id: str
    response: str


def solution_task(problem: Problem, solution: str, note: str = "") -> Task:
    """A problem with a model's solution to be checked."""
    task = problem_task(problem, note)
    task.texts["solution"] = solution
    task.data["solution"] = solution
    task.about = digest([about(problem), solution])
    return task


def _solutions(material: Material) -> Iterator[Task]:
    for row in read_jsonl(material.file, Response):
        problem = material.problem(row.id)
        yield solution_task(problem, row.response, _reference(problem))


def _reference(problem: Problem) -> str:
    """Gold and reference solution, beside which a first error is found (MM-MATH, 3.2)."""
    gold = f"The right answer: {problem.answer}" if problem.answer else ""
    return "\n\n".join(filter(None, (gold, problem.solution or "")))


@kind(
    "first-error",
    title="First error",
    instruction="Read the solution from the top and stop at the first wrong step; what follows "
    "from it does not count.",
    form=_first_error,
    tasks=_solutions,
    field="first_error",
    needs="responses",
)
def first_error(answer: TaskAnswer) -> dict[str, Any]:
    """{"first_error": class, "first_error_at": {start, end} in the solution's characters}."""
    error = answer.required_choice("error", "class of error")
    places = [place for place, _ in answer.regions("place")]
    if len(places) > 1:
        raise UserError(f"{len(places)} first errors", "ask the annotator to mark one")
    votes: dict[str, Any] = {"first_error": error}
    if places and error not in (NO_ERROR, PENDING):
        votes["first_error_at"] = {
            side: int(places[0][side]) for side in ("start", "end")
        }
    return votes
