"""We-Math's decomposition of a problem into one-step sub-problems (section 4.1)."""

from __future__ import annotations

import re
from typing import Any

from ...errors import UserError
from ...problem import Problem
from ...taxonomy import Tree
from .answers import TaskAnswer
from .interface import (
    Element,
    choices,
    header,
    tag,
    text_area,
    tree_picker,
    when,
)
from .placement import drawing_board, drawn_labels
from .registry import kind
from .tasks import Task, problem_task

COUNTS = {"One-Step": 1, "Two-Step": 2, "Three-Step": 3}
LETTERS = "ABCDEFGH"  # as We-Math's scripts read them
INJECTIONS = {
    "text": "The condition is told in words.",
    "picture": "The condition is drawn into the picture.",
}
# A line of an option: its letter, a sign behind it, a text: "A. 3", "(B) 4", "C、5".
OPTION = re.compile(r"\s*\(?([A-Z])\s*[.):：．、]\s*(.*\S)\s*", re.DOTALL)


def _steps(tree: Tree) -> list[Element]:
    return [
        header("How many knowledge concepts, one per step, does the solution need?"),
        choices("count", list(COUNTS), inline=True),
        when(
            "count",
            "Two-Step,Three-Step",
            header("How are conditions given in this problem?"),
            choices("injection", list(INJECTIONS.items()), inline=True),
        ),
        _step(1, tree, "Two-Step,Three-Step"),
        _step(2, tree, "Two-Step,Three-Step"),
        _step(3, tree, "Three-Step"),
        when(
            "count",
            "Two-Step,Three-Step",
            text_area(
                "reasoning", "The reasoning, a line for each step (optional)", rows=3
            ),
        ),
    ]


def steps_task(problem: Problem, note: str = "") -> Task:
    """A problem to be split into steps, with the one picture that conditions are drawn onto."""
    task = problem_task(problem, note, "steps")
    task.pictures["drawing"] = problem.images[:1]
    return task


def _step(k: int, tree: Tree, counts: str) -> Element:
    carried = (
        "What is given" if k == 1 else "The condition of the step before and its answer"
    )
    return when(
        "count",
        counts,
        header(f"Step {k}"),
        tree_picker(f"concept_{k}", tree, single=True),
        when("injection", "text", text_area(f"condition_{k}", carried, required=True)),
        *([_own_picture(k)] if k > 1 else []),
        text_area(
            f"question_{k}",
            "Question; the last step asks the original one",
            required=True,
        ),
        text_area(
            f"options_{k}", "Options, one per line: A. ...", rows=5, required=True
        ),
        tag("View", header(f"Answer of step {k}")),
        choices(f"answer_{k}", list(LETTERS), inline=True),
    )


def _own_picture(k: int) -> Element:
    """Where the condition of a later step is drawn; the first step has the problem's picture."""
    return when(
        "injection",
        "picture",
        header(
            "Draw the condition: pick a shape, click its points, type the text, Enter, Escape"
        ),
        *drawing_board(f"drawing_{k}", "drawing", f"_{k}", "drawn"),
        text_area(
            f"picture_{k}", "Or the name of a picture of its own that you have uploaded"
        ),
    )


@kind(
    "steps",
    title="Step decomposition",
    instruction="Split the problem so that every step needs one concept. Every step repeats "
    "what is known so far: its condition is the one before plus the answer before. The last step "
    "asks the original question and has the original answer. Keep to one way of giving conditions.",
    form=_steps,
    tasks=lambda material: material.each(steps_task),
    field="steps",
    needs_tree=True,
    uploads=True,
)
def steps(answer: TaskAnswer) -> dict[str, Any]:
    """{"steps": {injection, steps: [{knowledge, condition, placement or picture, question,
    options, answer, reasoning}]}}; reasoning is We-Math's human reasoning (B.2).

    A one-step problem has no steps. The rules of decomposition are checked where steps are
    made; here only what a step must have.
    """
    count = COUNTS.get(answer.choice("count") or "", 0)
    if not count:
        raise UserError("the number of steps is missing", "ask the annotator again")
    if count == 1:
        return {"steps": {"injection": None, "steps": []}}
    injection = answer.choice("injection")
    rows = [
        _read_step(answer, k) | _read_picture(answer, k, injection)
        for k in range(1, count + 1)
    ]
    lines = answer.text("reasoning").splitlines()
    if len(lines) > count:
        raise UserError(
            f"{len(lines)} lines of reasoning for {count} steps", "one line a step"
        )
    for row, line in zip(rows, lines, strict=False):
        row["reasoning"] = line.strip()
    return {"steps": {"injection": injection, "steps": rows}}


def _read_picture(answer: TaskAnswer, k: int, injection: str | None) -> dict[str, Any]:
    """The picture of a step whose condition is drawn: places and texts, or a file's name."""
    if k == 1 or injection != "picture":
        return {}
    labels = drawn_labels(answer, f"drawing_{k}")
    name = answer.text(f"picture_{k}")
    if bool(labels) == bool(name):
        what = "a drawing and a file" if labels else "no picture of its own"
        raise UserError(
            f"step {k} has {what}", "draw its condition, or name an uploaded picture"
        )
    return {"placement": labels} if labels else {"picture": name}


def _read_step(answer: TaskAnswer, k: int) -> dict[str, Any]:
    concepts = answer.nodes(f"concept_{k}")
    options = options_of(answer.text(f"options_{k}"))
    letter = answer.choice(f"answer_{k}")
    question = answer.text(f"question_{k}")
    if len(concepts) != 1 or not question:
        missing = "its one concept" if question else "its question"
        raise UserError(f"step {k} lacks {missing}", "ask the annotator again")
    if letter not in [option["label"] for option in options]:
        raise UserError(
            f"step {k}: answer {letter!r} is no option", "ask the annotator again"
        )
    return {
        "knowledge": answer.tree.label(concepts[0]),
        "condition": answer.text(f"condition_{k}"),
        "question": question,
        "options": options,
        "answer": letter,
    }


def options_of(text: str) -> list[dict[str, str]]:
    """Options from lines "A. one", "(B) two"; a line without a letter continues the one above.

    Raises UserError for a letter that is not the next one, H at the latest.

    >>> options_of("A. 1 cm\\nB) 2 cm")
    [{'label': 'A', 'text': '1 cm'}, {'label': 'B', 'text': '2 cm'}]
    """
    options: list[dict[str, str]] = []
    for line in map(str.strip, text.splitlines()):
        if match := OPTION.fullmatch(line):
            _check_letter(match[1], len(options), line)
            options.append({"label": match[1], "text": match[2]})
        elif options:
            options[-1]["text"] += "\n" + line
        elif line:
            raise UserError(
                f"options start with {line!r}", "write 'A. ...', one per line"
            )
    return options


def _check_letter(letter: str, options: int, line: str) -> None:
    """Raises UserError for a letter that is not the one behind so many options."""
    expected = LETTERS[options : options + 1]
    if letter != expected:
        remedy = f"{expected} comes next" if expected else f"{LETTERS[-1]} is the last"
        raise UserError(f"option {letter} out of its place: {line!r}", remedy)
