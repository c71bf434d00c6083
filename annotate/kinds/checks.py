"""Checks by people: text-picture alignment, duplicate pairs, the first error of a solution."""

from __future__ import annotations

from typing import Any

from ...errors import UserError
from ...taxonomy import NO_ERROR, Tree, first_errors
from ..votes import PENDING
from .answers import TaskAnswer
from .interface import (
    card,
    choices,
    comment,
    header,
    page,
    picture,
    problem_card,
    rendered_text,
    tag,
    when,
)
from .registry import Kind
from .text_roles import comment_on

ALIGNED = [
    ("yes", "Picture and text belong together and are whole."),
    ("no", "The picture belongs to another question."),
    ("incomplete", "Something of the picture or the text is cut off or missing."),
    (PENDING, "Unsure: leave it to the adjudicators."),
]
DEFECTS = ["text missing", "picture cropped", "wrong picture", "pictures in wrong order",
           "private or offensive"]  # fmt: skip
VERDICTS = [
    ("duplicate", "The same problem: only wording, numbering or layout differ."),
    ("variant", "The same template with other numbers or another question."),
    ("not duplicate", "Two problems."),
    (PENDING, "Unsure: leave it to the adjudicators."),
]


def _alignment(tree: Tree | None) -> str:
    form = [
        header("Do picture and text belong together, and is nothing missing?"),
        choices("alignment", ALIGNED),
        when("alignment", "no,incomplete", header("What is wrong?"),
             choices("defects", DEFECTS, multiple=True, required=False)),
        comment(),
    ]  # fmt: skip
    return page(problem_card(), form)


def _read_alignment(answer: TaskAnswer) -> dict[str, Any]:
    """{"alignment": yes | no | incomplete | pending, "defects": [...]}."""
    verdict = answer.choice("alignment")
    if verdict is None:
        raise UserError("no verdict", "ask the annotator again")
    defects = sorted(answer.values("defects", "choices"))
    return {"alignment": verdict} | (
        {"defects": defects} if verdict in ("no", "incomplete") else {}
    )


def _duplicates(tree: Tree | None) -> str:
    left = [header("A"), rendered_text("a"), picture("a_image")]
    right = [
        header("B"),
        rendered_text("b"),
        picture("b_image"),
        card(
            tag("HyperText", name="evidence", value="$evidence_html", inline="true",
                selectionEnabled="false", className="note"),
            header("What are A and B?"),
            choices("verdict", VERDICTS, to="a"),
            when("verdict", "duplicate", header("Which one stays?"),
                 choices("keep", ["A", "B", "either"], to="a", inline=True)),
            comment_on("a"),
        ),
    ]  # fmt: skip
    return page(left, right)


def _read_duplicates(answer: TaskAnswer) -> dict[str, Any]:
    """{"duplicate": duplicate | variant | not duplicate | pending, "keep": id that stays}."""
    verdict = answer.choice("verdict")
    if verdict is None:
        raise UserError("no verdict", "ask the annotator again")
    keep = {"A": answer.data["a"], "B": answer.data["b"]}.get(answer.choice("keep") or "")
    return {"duplicate": verdict} | ({"keep": keep} if verdict == "duplicate" and keep else {})


def _first_error(tree: Tree | None) -> str:
    form = [
        header("Solution to be checked; mark the first wrong place"),
        tag("Labels", tag("Label", value="first error", background="#eb5757", hotkey="0"),
            name="place", toName="solution"),
        tag("Text", name="solution", value="$solution", granularity="word", saveTextResult="yes"),
        header("As it reads"),
        tag("HyperText", name="rendered", value="$solution_html", inline="true",
            selectionEnabled="false"),
        header("The first error is"),
        choices("error", _errors(tree)),
        comment(),
    ]  # fmt: skip
    return page(problem_card(), form)


def _errors(tree: Tree | None) -> list[tuple[str, str]]:
    """The classes of the tree's benchmark, between "none" and "pending"."""
    classes = first_errors(tree.name if tree else None)
    return [
        (NO_ERROR, "The solution is right throughout."),
        *((name, f"{meaning[0].upper()}{meaning[1:]}.") for name, meaning in classes.items()),
        (PENDING, "Unsure: leave it to the adjudicators."),
    ]  # fmt: skip


def _read_first_error(answer: TaskAnswer) -> dict[str, Any]:
    """{"first_error": class, "first_error_at": {start, end} in the solution's characters}."""
    error = answer.choice("error")
    if error is None:
        raise UserError("no class of error", "ask the annotator again")
    places = answer.regions("place")
    if len(places) > 1:
        raise UserError(f"{len(places)} first errors", "ask the annotator to mark one")
    votes: dict[str, Any] = {"first_error": error}
    if places and error not in (NO_ERROR, PENDING):
        value = places[0][0]
        votes["first_error_at"] = {"start": int(value["start"]), "end": int(value["end"])}
    return votes


ALIGNMENT = Kind(
    title="Text and picture",
    instruction="Judge only whether text and picture belong together and are whole; you need not "
    "solve the problem.",
    interface=_alignment,
    read=_read_alignment,
)
DUPLICATES = Kind(
    title="Duplicates",
    instruction="Two problems are duplicates when whoever has solved one has solved the other. "
    "Numbers that differ make them variants.",
    interface=_duplicates,
    read=_read_duplicates,
    needs="pairs",
)
FIRST_ERROR = Kind(
    title="First error",
    instruction="Read the solution from the top and stop at the first wrong step; what follows "
    "from it does not count.",
    interface=_first_error,
    read=_read_first_error,
    needs="responses",
)
