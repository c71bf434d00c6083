"""Checks by aspects, yes or no each: MathVerse's, We-Math's, and the review of a decomposition."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from operator import attrgetter
from pathlib import Path
from typing import Any

import msgspec

from ...base.about import about
from ...base.files import encode
from ...errors import UserError
from ...problem import Problem, Vote
from ...taxonomy import REJECTED, Tree, is_rejection
from ..votes import PENDING, latest, read_votes
from .answers import TaskAnswer
from .interface import (
    UNSURE,
    choices,
    comment,
    header,
    page,
    picture,
    problem_card,
    rendered_text,
    text_area,
    when,
)
from .registry import kind
from .step_display import UPLOADED, step_pictures, steps_text
from .tasks import Material, Task, as_it_stands, problem_task

ANSWERS = [
    ("yes", "It is so."),
    ("no", "It is not; say why below."),
    UNSURE,
]


class Aspect(msgspec.Struct, frozen=True):
    """One question of a check: what it asks, and what to look at."""

    name: str
    question: str
    hint: str
    corrects: str = ""  # the field of the problem that a no asks for anew


# "We undertake a comprehensive review to verify the accuracy of the answers, ensure consistency
# between questions and diagrams, and confirm the relevance of each problem to the defined twelve
# categories" (MathVerse, section 2.1); "discard the problems with multiple diagrams, visual
# solutions, and too much similar content to others" (appendix C.1).
MATHVERSE = [
    Aspect(
        "answer",
        "Is the answer right?",
        "Solve the problem; do not trust the source.",
        "answer",
    ),
    Aspect(
        "consistency",
        "Do question and diagram say the same?",
        "Names, measures and shapes; nothing contradicts, nothing is missing.",
        "question",
    ),
    Aspect(
        "category", "Does it belong to its category?", "One of the twelve subfields."
    ),
    Aspect(
        "suitable",
        "Is it suitable?",
        "One diagram, no drawing in the solution, not too much like another problem.",
    ),
]

# "all problems are double-checked by an expert team in terms of four aspects" (We-Math, 3.3)
WE_MATH = [
    Aspect(
        "consistency",
        "Are question and diagram consistent?",
        "(1) The consistency between the questions and diagrams.",
        "question",
    ),
    Aspect(
        "answer",
        "Is the answer correct?",
        "(2) The correctness of the answers.",
        "answer",
    ),
    Aspect(
        "concepts",
        "Do the knowledge concepts fit?",
        "(3) The alignments between problems and the knowledge concepts.",
    ),
    Aspect(
        "unique",
        "Is there one solution path only?",
        "(4) Each problem contains a unique solution path.",
    ),
]

# We-Math, sections 4.1 and B.5: M concepts make M sub-problems; every solution has to pass through
# the intermediate results; the last answer is the problem's.
STEPS = [
    Aspect(
        "count",
        "Is the number of steps right?",
        "One step for each concept that is needed.",
    ),
    Aspect(
        "unique",
        "Does every solution pass through these results?",
        "No way round an intermediate result; one right option in each step.",
    ),
    Aspect(
        "concepts", "Does every step have its concept?", "Exactly one, and this one."
    ),
    Aspect(
        "answers",
        "Are the answers right?",
        "Of every step; the last one is the problem's.",
    ),
]


def _form(aspects: list[Aspect]) -> list[Any]:
    form: list[Any] = []
    for aspect in aspects:
        form.append(header(f"{aspect.question} {aspect.hint}"))
        form.append(choices(aspect.name, ANSWERS, inline=True))
        if aspect.corrects:
            what = f"What the {aspect.corrects} should be, whole (optional)"
            correction = text_area(f"correct_{aspect.corrects}", what)
            form.append(when(aspect.name, "no", correction))
    return [*form, comment()]


def _verdicts(answer: TaskAnswer, aspects: list[Aspect]) -> dict[str, str]:
    """Every aspect's answer. Raises UserError where one is missing: a check is whole or none."""
    verdicts = {aspect.name: answer.choice(aspect.name) or "" for aspect in aspects}
    if missing := [name for name, verdict in verdicts.items() if not verdict]:
        raise UserError(f"no answer to {', '.join(missing)}", "ask the annotator again")
    return verdicts


def _overall(verdicts: dict[str, str]) -> str:
    """Yes to all, or a no to any; without a no, somebody unsure leaves it open.

    >>> _overall({"answer": "yes", "unique": "no"}), _overall({"answer": "pending"})
    ('no', 'pending')
    """
    for verdict in ("no", PENDING):
        if verdict in verdicts.values():
            return verdict
    return "yes"


def checks_task(problem: Problem, note: str = "") -> Task:
    """A problem with its answer and labels, to be checked as it stands."""
    task = problem_task(problem, note, "checks")
    task.texts["given"] = as_it_stands(problem)
    task.data |= {
        "correct_answer": problem.answer,
        "correct_question": problem.question,
    }
    return task


def _checks(
    benchmark: str, title: str, aspects: list[Aspect]
) -> Callable[[TaskAnswer], Any]:
    def form(tree: Tree | None) -> str:
        return page(
            [*problem_card(), header("As it stands"), rendered_text("given")],
            _form(aspects),
        )

    @kind(
        f"{benchmark}-checks",
        title=title,
        instruction="Check the problem as it stands, with its answer and labels, aspect by aspect. "
        "Solve it yourself before you confirm the answer.",
        form=form,
        tasks=lambda material: material.each(checks_task),
        field="checks",
        benchmark=benchmark,
    )
    def read(answer: TaskAnswer) -> dict[str, Any]:
        """{"checks": yes | no | pending for all of them, "checks.<aspect>": yes | no | pending}."""
        verdicts = _verdicts(answer, aspects)
        return {"checks": _overall(verdicts)} | _by_aspect("checks", verdicts)

    return read


def _by_aspect(field: str, verdicts: dict[str, str]) -> dict[str, str]:
    return {f"{field}.{name}": verdict for name, verdict in verdicts.items()}


def _steps_review(tree: Tree | None) -> str:
    left = [*problem_card(), header("As it stands"), rendered_text("given")]
    right = [
        header("The proposed steps"),
        rendered_text("decomposition"),
        picture("drawn"),
        *_form(STEPS),
    ]
    return page(left, right)


def steps_review_task(
    problem: Problem, authored: Vote, pictures: Path | None, note: str = ""
) -> Task:
    """A problem with somebody's steps; `pictures` is the folder of those that have a file.

    The task names the author, whose own review is no vote.
    """
    decomposition = authored.value
    task = problem_task(problem, note, "steps")
    task.texts |= {
        "given": as_it_stands(problem),
        "decomposition": steps_text(decomposition),
    }
    task.data["proposed"] = encode(decomposition).decode().rstrip("\n")
    task.data["author"] = authored.annotator
    task.pictures["drawn"] = []
    if make := step_pictures(problem, decomposition, pictures):
        task.made["drawn"] = make
    return task


def _steps_reviews(material: Material) -> Iterator[Task]:
    """One task per problem that somebody has decomposed; of several, the first decomposition."""
    counting, _ = latest(read_votes(material.file))
    first: dict[str, Vote] = {}
    for vote in sorted(counting, key=attrgetter("at", "annotator")):
        if vote.field == "steps" and _is_decomposition(vote.value):
            first.setdefault(vote.problem_id, vote)
    for key, problem in material.problems.items():
        authored = first.get(key)
        if authored and authored.about in ("", about(problem, "steps")):
            yield steps_review_task(problem, authored, material.file.parent / UPLOADED)


def _is_decomposition(value: Any) -> bool:
    return isinstance(value, dict) and not is_rejection(value)


@kind(
    "steps-review",
    title="Review of steps",
    instruction="Somebody else has split this problem into steps. Solve it yourself, then judge "
    "the steps: a yes to all is your vote for them as they are written. Skip steps of your own.",
    form=_steps_review,
    tasks=_steps_reviews,
    needs="suggestions",
)
def steps_review(answer: TaskAnswer) -> dict[str, Any]:
    """{"steps": the decomposition when all is right, {"rejected": [aspects]} when something is not,
    or "pending"; "steps.<aspect>": yes | no | pending}."""
    verdicts = _verdicts(answer, STEPS)
    overall = _overall(verdicts)
    value: Any = PENDING
    if overall == "yes":
        value = json.loads(answer.data["proposed"])
    elif overall == "no":
        value = {
            REJECTED: [name for name, verdict in verdicts.items() if verdict == "no"]
        }
    return {"steps": value} | _by_aspect("steps", verdicts)


mathverse_checks = _checks("mathverse", "Quality review (MathVerse)", MATHVERSE)
we_math_checks = _checks("we-math", "Double check (We-Math)", WE_MATH)
