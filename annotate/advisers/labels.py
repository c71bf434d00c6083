"""Models name labels of a tree (MATH-V, section 3.2), by our prompt or a paper's own."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from functools import partial
from pathlib import Path
from typing import Any

from ...base.about import about
from ...errors import UserError
from ...evaluate.prompts import check_template, fill
from ...latex import boxes
from ...llm import Answer, Request, image_part, text_part
from ...problem import Problem, shown_images
from ...taxonomy import Tree, Words
from ..kinds import with_options
from ..votes import PENDING
from .requests import Questionnaire, object_of, picture_file, strict_object

INSTRUCTION = """\
You are an expert in mathematics education. Classify the problem below.
{task}
Choose from these labels only:
{labels}
- pending: choose it when you cannot decide.
Do not solve the problem in writing. Reply with JSON only: {form}"""
ONE = "Name the one label for what the question is mainly about."
SEVERAL = "Name every label that a solution needs, and no other."
# What a paper's own prompt is filled with; one that does not place the question gets it behind.
PLACEHOLDERS = ("labels", "definitions", "question")
QUESTION = re.compile(r"\$\{?question\b")
# `\text{...}` as the whole content of a box; its text is the label.
TEXT_COMMAND = re.compile(r"^\\text\{(.*)\}$")
QUOTES = "\"'."  # that models write around a label


def label_questionnaire(
    problems: Sequence[Problem],
    tree: Tree,
    root: Path | None,
    several: bool = False,
    words: Words | None = None,
) -> Questionnaire:
    """One label of the tree, or `several`, for each problem; `words` hold a paper's own prompt.

    Raises UserError for a missing picture, and for words without a usable prompt.
    """
    template = ""
    if words is not None:
        if not words.advice:
            raise UserError(
                f"the wording {words.words!r} has no advice",
                "write advice: and the prompt",
            )
        template = check_template(words.advice, words.words, PLACEHOLDERS)
    for problem in problems:
        for image in shown_images(problem):
            picture_file(root, image.path)
    by_id = {problem.id: problem for problem in problems}
    return Questionnaire(
        request=lambda name: _request(by_id[name], tree, root, several, template),
        about={problem.id: about(problem, tree.field) for problem in problems},
        votes_of=partial(_votes, tree=tree, several=several),
        prompt=template or instruction(tree, several),
    )


def _request(
    problem: Problem, tree: Tree, root: Path | None, several: bool, template: str
) -> Request:
    """Our instruction and the problem; or a paper's own prompt, in one message."""
    text = with_options(problem)
    if template:
        text = _filled(template, tree, text)
    images = shown_images(problem)
    pictures = [image_part(picture_file(root, image.path)) for image in images]
    user = {"role": "user", "content": [text_part(text), *pictures]}
    if template:
        return Request(id=problem.id, messages=[user])
    system = {"role": "system", "content": instruction(tree, several)}
    return Request(
        id=problem.id, messages=[system, user], schema=_schema(tree, several)
    )


def _filled(template: str, tree: Tree, question: str) -> str:
    """A paper's own prompt with the labels and the question."""
    if not QUESTION.search(template):
        template += "\n$question"
    return fill(
        template,
        labels=", ".join(_choices(tree)),
        definitions=_defined(tree),
        question=question,
    )


def _choices(tree: Tree) -> list[str]:
    return [*map(tree.label, tree.leaves), PENDING]


def instruction(tree: Tree, several: bool = False) -> str:
    """The system message: the labels with their definitions, and the form of the reply."""
    form = '{"labels": ["...", "..."]}' if several else '{"label": "..."}'
    return INSTRUCTION.format(
        task=SEVERAL if several else ONE, labels=_defined(tree), form=form
    )


def _defined(tree: Tree) -> str:
    """The labels, a line each, with their definitions."""
    return "\n".join(
        f"- {tree.label(leaf)}: {leaf.definition}".removesuffix(": ")
        for leaf in tree.leaves
    )


def _schema(tree: Tree, several: bool) -> dict[str, Any]:
    label = {"type": "string", "enum": _choices(tree)}
    if several:
        return strict_object({"labels": {"type": "array", "items": label}})
    return strict_object({"label": label})


def _votes(answer: Answer, tree: Tree, several: bool) -> dict[str, Any]:
    """The vote of a reply. Raises UserError for no JSON and for a label outside the tree."""
    texts = list(_labels(answer.text))
    if PENDING in texts:
        return {tree.field: PENDING}
    labels = sorted({tree.label(tree.find(text)) for text in texts})
    if not labels or (len(labels) > 1 and not several):
        raise UserError(f"{len(labels)} labels in the reply", "ask another model")
    return {tree.field: labels if several else labels[0]}


def _labels(text: str) -> Iterator[str]:
    """The labels of a JSON reply, of the last box, or a bare one from models that ignore both."""
    boxed = list(boxes(text))
    if boxed:
        yield TEXT_COMMAND.sub(r"\1", boxed[-1].content.strip()).strip(QUOTES)
        return
    reply = object_of(text)
    if reply is None:
        yield _bare(text)
    elif isinstance(reply, dict):
        value = reply.get("labels", reply.get("label", []))
        yield from map(_bare, value if isinstance(value, list) else [value])


def _bare(label: Any) -> str:
    return str(label).strip().strip(QUOTES)
