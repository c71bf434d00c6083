"""Labels from a tree: subject and level, knowledge concepts, review of a model's suggestion."""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial
from typing import Any

from ...errors import UserError
from ...problem import Problem
from ...taxonomy import Scale, Tree, read_grade
from ..votes import PENDING
from .answers import TaskAnswer
from .interface import (
    UNSURE,
    Element,
    choices,
    definitions,
    header,
    rendered_text,
    text_area,
    tree_picker,
    when,
)
from .registry import kind
from .tasks import Material, Task, problem_task

VERDICTS = [("right", "Take it as it is."), ("wrong", "Give the right label."), UNSURE]


def _subject(tree: Tree) -> list[Element]:
    form = [header(tree.field.capitalize()), *_one_label(tree)]
    for scale in tree.scales.values():
        form.append(header(scale.name.capitalize()))
        form.append(choices(scale.name, _band_texts(scale), inline=True))
    return [*form, definitions(tree)]


def _level(tree: Tree) -> list[Element]:
    scale = _level_scale(tree)
    return [
        header("By its source"),
        rendered_text("given"),
        header(f"{scale.name.capitalize()} by its actual difficulty"),
        choices(scale.name, [*_band_texts(scale), UNSURE], inline=True),
        text_area("why", "If you correct it: why?"),
    ]


def _band_texts(scale: Scale) -> list[str]:
    """The values of a scale from the lowest band to the highest."""
    return [str(band.value) for band in reversed(scale.bands)]


def _band_value(scale: Scale, text: str) -> str | int:
    """The value that a choice of the form means."""
    return next(band.value for band in scale.bands if str(band.value) == text)


def level_task(problem: Problem, note: str = "", *, scale: Scale) -> Task:
    """A problem with the level that follows from its source, for people to correct."""
    task = problem_task(problem, note)
    source = problem.labels.get(scale.of)
    value = problem.labels.get(scale.name)
    if value is None and source is not None:
        grade = read_grade(source) if scale.of == "grade" else source
        value = scale.value(float(grade)) if grade is not None else None
    task.texts["given"] = f"{scale.name}: {'not known' if value is None else value}"
    if source is not None:
        task.texts["given"] += f" ({scale.of} {source})"
    return task


def _level_scale(tree: Tree) -> Scale:
    if not tree.scales:
        raise UserError(
            f"the tree {tree.name} has no scale", "take one with levels: math-v"
        )
    return next(iter(tree.scales.values()))


def _level_tasks(material: Material) -> list[Task]:
    return material.each(partial(level_task, scale=_level_scale(material.tree)))


@kind(
    "level",
    title="Level, corrected",
    instruction="Levels follow from the grades of the source. Within one exam the difficulty "
    "varies: judge the actual difficulty of the question, and correct a level that is unreasonable "
    "(MATH-V, appendix D.2, step 2).",
    form=_level,
    tasks=_level_tasks,
    field="level",
    needs_tree=True,
)
def level(answer: TaskAnswer) -> dict[str, Any]:
    """{scale: value or "pending"}."""
    scale = _level_scale(answer.tree)
    text = answer.required_choice(scale.name, scale.name)
    return {scale.name: PENDING if text == PENDING else _band_value(scale, text)}


def _one_label(tree: Tree) -> list[Element]:
    """A flat tree is a list of choices, a deep one a picker with the choice to pass."""
    if any(node.children for node in tree.nodes.values()):
        return [
            choices("certain", ["label", UNSURE], inline=True),
            when("certain", "label", tree_picker("label", tree, single=True)),
        ]
    labels = [(node.name, node.definition) for node in tree.nodes.values()]
    return [choices("label", [*labels, UNSURE])]


@kind(
    "subject",
    title="Subject and level",
    instruction="Pick the one subject that the question is about, not every tool its solution "
    "uses. Choose 'pending' when two fit equally well. Then give the level.",
    form=_subject,
    needs_tree=True,
)
def subject(answer: TaskAnswer) -> dict[str, Any]:
    """{tree's field: label or "pending", scale: value, ...}."""
    tree = answer.tree
    votes: dict[str, Any] = {tree.field: _label(answer)}
    for scale in tree.scales.values():
        text = answer.choice(scale.name)
        if text is not None:
            votes[scale.name] = _band_value(scale, text)
    return votes


def _label(answer: TaskAnswer) -> str:
    if PENDING in (answer.choice("label"), answer.choice("certain")):
        return PENDING
    flat = answer.choice("label")
    nodes = [answer.tree.find(flat)] if flat else answer.nodes("label")
    if len(nodes) != 1:
        raise UserError(
            f"{len(nodes)} labels where one is asked", "ask the annotator again"
        )
    return str(answer.tree.label(nodes[0]))


def _concepts(tree: Tree) -> list[Element]:
    return [
        header("Knowledge concepts: every one that the solution needs"),
        tree_picker("concepts", tree, required=False),
        choices("certain", ["concepts", UNSURE], inline=True, required=False),
    ]


@kind(
    "concepts",
    title="Knowledge concepts",
    instruction="Pick every concept that a solution needs, leaves only. Two people agree only when "
    "their whole sets are equal.",
    form=_concepts,
    field="knowledge",
    needs_tree=True,
)
def concepts(answer: TaskAnswer) -> dict[str, Any]:
    """{tree's field: sorted labels, or "pending"}."""
    tree = answer.tree
    if answer.choice("certain") == PENDING:
        return {tree.field: PENDING}
    labels = sorted({tree.label(node) for node in answer.nodes("concepts")})
    if not labels:
        raise UserError("no concept picked", "ask the annotator again")
    return {tree.field: labels}


def _review(tree: Tree) -> list[Element]:
    return [
        header("A model suggests"),
        rendered_text("suggestion"),
        choices("verdict", VERDICTS),
        when(
            "verdict",
            "wrong",
            tree_picker("label", tree, single=True),
            text_area("reason", "Why is it wrong?"),
        ),
    ]


def review_task(problem: Problem, label: str, note: str = "") -> Task:
    """A problem with the label a model suggests."""
    task = problem_task(problem, note)
    task.texts["suggestion"] = label
    task.data["suggestion"] = label
    return task


def _reviews(material: Material) -> Iterator[Task]:
    """One task per problem that a model gave one label; several models: the first by name."""
    for key, problem in material.problems.items():
        votes = sorted(material.advice.get(key, []), key=lambda vote: vote.annotator)
        if votes and isinstance(votes[0].value, str):
            yield review_task(problem, votes[0].value)


@kind(
    "review",
    title="Review of a suggestion",
    instruction="A model has labelled these problems. Solve the question far enough to judge the "
    "label yourself before you confirm it.",
    form=_review,
    tasks=_reviews,
    needs_tree=True,
    needs="suggestions",
)
def review(answer: TaskAnswer) -> dict[str, Any]:
    """{tree's field: the confirmed or corrected label, "review": right | wrong | pending}."""
    tree = answer.tree
    verdict = answer.required_choice("verdict", "verdict on the suggestion")
    label = PENDING
    if verdict == "right":
        label = answer.data["suggestion"]
    elif verdict == "wrong":
        label = _label(answer)
    return {tree.field: label, "review": verdict}
