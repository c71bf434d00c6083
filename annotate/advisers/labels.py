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
from .requests import Asked, existing, object_of

INSTRUCTION = """\
You are an expert in mathematics education. Classify the problem below.
{task}
Choose from these labels only:
{labels}
- pending: choose it when you cannot decide.
Do not solve the problem in writing. Reply with JSON only: {form}"""
ONE = "Name the one label for what the question is mainly about."
SEVERAL = "Name every label that a solution needs, and no other."


def labels_asked(
    problems: Sequence[Problem],
    tree: Tree,
    root: Path | None,
    several: bool = False,
    words: Words | None = None,
) -> Asked:
    """One label of the tree, or `several`, for each problem; `words` hold a paper's own prompt.

    Raises UserError for a missing picture, and for words without a usable prompt.
    """
    own = ""
    if words is not None:
        if not words.advice:
            raise UserError(
                f"the wording {words.words!r} has no advice",
                "write advice: and the prompt",
            )
        own = check_template(
            words.advice, words.words, ("labels", "definitions", "question")
        )
    for image in (image for problem in problems for image in shown_images(problem)):
        existing(root, image.path)
    by_id = {problem.id: problem for problem in problems}
    return Asked(
        request=lambda name: _request(by_id[name], tree, root, several, own),
        about={problem.id: about(problem, tree.field) for problem in problems},
        read=partial(_votes, tree=tree, several=several),
        prompt=own or instruction(tree, several),
    )


def _request(
    problem: Problem, tree: Tree, root: Path | None, several: bool, own: str
) -> Request:
    """Our instruction and the problem; or a paper's own prompt, in one message."""
    text = with_options(problem)
    pictures = [
        image_part(existing(root, image.path)) for image in shown_images(problem)
    ]
    if own:
        own = own if re.search(r"\$\{?question\b", own) else f"{own}\n$question"
        names = [*map(tree.label, tree.leaves), PENDING]
        text = fill(
            own, labels=", ".join(names), definitions=_defined(tree), question=text
        )
    user = {"role": "user", "content": [text_part(text), *pictures]}
    if own:
        return Request(id=problem.id, messages=[user])
    system = {"role": "system", "content": instruction(tree, several)}
    return Request(
        id=problem.id, messages=[system, user], schema=_schema(tree, several)
    )


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
    label = {"type": "string", "enum": [*map(tree.label, tree.leaves), PENDING]}
    name, value = (
        ("labels", {"type": "array", "items": label}) if several else ("label", label)
    )
    return {
        "type": "object",
        "properties": {name: value},
        "required": [name],
        "additionalProperties": False,
    }


def _votes(answer: Answer, tree: Tree, several: bool) -> dict[str, Any]:
    """The vote of a reply. Raises UserError for no JSON and for a label outside the tree."""
    named = list(_labels(answer.text))
    if PENDING in named:
        return {tree.field: PENDING}
    labels = sorted({tree.label(tree.find(label)) for label in named})
    if not labels or (len(labels) > 1 and not several):
        raise UserError(f"{len(labels)} labels in the reply", "ask another model")
    return {tree.field: labels if several else labels[0]}


def _labels(text: str) -> Iterator[str]:
    """The labels of a JSON reply, of the last box, or a bare one from models that ignore both."""
    if found := list(boxes(text)):
        yield re.sub(r"^\\text\{(.*)\}$", r"\1", found[-1].content.strip()).strip(
            "\"'."
        )
        return
    reply = object_of(text)
    reply = {"label": text} if reply is None else reply
    value = (
        reply.get("labels", reply.get("label", [])) if isinstance(reply, dict) else []
    )
    for label in value if isinstance(value, list) else [value]:
        yield str(label).strip().strip("\"'.")
