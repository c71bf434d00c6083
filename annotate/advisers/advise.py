"""Model advisers (MATH-V, section 3: two models vote beside three groups of people).

A model reads the question and its pictures and names labels of a tree. Its answers are votes of
kind model, kept on our side; people do not see them unless a curator asks for it.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any

import msgspec

from ...base.about import about
from ...base.files import inside, path_or_none, records
from ...base.pictures import picture_root
from ...errors import UserError
from ...evaluate.prompts import check_template, fill
from ...latex import boxes
from ...llm import Answer, Model, Request, ask, image_part, text_part
from ...problem import Problem, Vote, shown_images
from ...taxonomy import Tree, Words, load_tree, read_words
from ..kinds import with_options
from ..projects import append_new
from ..votes import PENDING

INSTRUCTION = """\
You are an expert in mathematics education. Classify the problem below.
{task}
Choose from these labels only:
{labels}
- pending: choose it when you cannot decide.
Do not solve the problem in writing. Reply with JSON only: {form}"""
ONE = "Name the one label for what the question is mainly about."
SEVERAL = "Name every label that a solution needs, and no other."
OBJECT = re.compile(r"\{.*\}", re.DOTALL)


class RefusedReply(msgspec.Struct, kw_only=True):
    """A reply that is no vote, and why."""

    problem_id: str
    annotator: str
    reason: str
    reply: str


class Advice(msgspec.Struct, kw_only=True):
    """How the models voted. `failed` counts requests without a reply; they are asked again."""

    votes: int = 0
    new_votes: int = 0
    cached: int = 0
    failed: int = 0
    refused: list[RefusedReply] = []
    words: str = ""  # whose the prompt was, of a wording file


def advise(
    problems: str | Path | Iterable[Problem],
    tree: str | Path | Tree,
    models: Iterable[Model | str],
    votes: str | Path,
    cache: str | Path | None = None,
    images: str | Path | None = None,
    several: bool = False,
    offline: bool = False,
    wording: str | Path | None = None,
) -> Advice:
    """Ask each model for labels of each problem; append its votes to `votes`.

    Replies are checked against the tree; what is not in it is refused with the nearest label, never
    guessed.

    Args:
        problems: A problems.jsonl.
        tree: Built-in tree, or a YAML file.
        models: Ask this model.
        votes: Append the votes to this file.
        cache: Replies already paid for [default: beside the votes].
        images: Folder that picture paths are relative to [default: found beside the problems].
        several: Ask for all concepts of a solution, not for one subject.
        offline: Ask nothing; use the cache alone.
        wording: A wording file with a paper's own advice prompt, in place of ours.

    Raises UserError for a missing picture, key or cache, before anything is asked.

    Example: `advise("problems.jsonl", "math-v", ["gpt-4o"], "advice.jsonl").refused`
    """
    loaded, votes = records(problems, Problem), Path(votes)
    root = path_or_none(images)
    if root is None and isinstance(problems, str | Path):
        root = picture_root(Path(problems), (image for p in loaded for image in p.images))
    tree = load_tree(tree) if isinstance(tree, str | Path) else tree
    cache_path = path_or_none(cache) or votes.with_name("answers.sqlite")
    advisers = [Model(name=model) if isinstance(model, str) else model for model in models]
    words = read_words(wording) if wording else Words(words="")
    if wording and not words.advice:
        raise UserError(f"{wording} has no advice", "write advice: and the prompt")
    text = check_template(words.advice, str(wording), ("labels", "definitions", "question"))
    advice = Advice(words=words.words)
    cast: list[Vote] = []
    shown = {problem.id: about(problem, tree.field) for problem in loaded}
    requests = [_request(problem, tree, root, several, text) for problem in loaded]
    for model in advisers:
        for answer in ask(requests, model, cache_path, offline=offline):
            advice.cached += answer.cached
            if answer.status in ("error", "missing"):
                advice.failed += 1
                continue
            try:
                value = _value(answer, tree, several)
            except UserError as error:
                advice.refused.append(
                    RefusedReply(
                        problem_id=answer.id,
                        annotator=model.name,
                        reason=str(error),
                        reply=answer.text[:500],
                    )
                )
                continue
            cast.append(
                Vote(
                    problem_id=answer.id,
                    field=tree.field,
                    value=value,
                    annotator=model.name,
                    kind="model",
                    about=shown[answer.id],
                )
            )
    advice.votes = len(cast)
    advice.new_votes = append_new(votes, cast)
    return advice


def _request(
    problem: Problem, tree: Tree, images: Path | None, several: bool, own: str = ""
) -> Request:
    """Our instruction and the problem; or a paper's own prompt, in one message."""
    shown = shown_images(problem)
    if shown and images is None:
        raise UserError(f"{problem.id} has pictures", "say by --images where their folder is")
    pictures = [image_part(_existing(images, image.path)) for image in shown if images]
    if own:
        asked = with_options(problem)
        own = own if re.search(r"\$\{?question\b", own) else f"{own}\n$question"
        names = [*map(tree.label, tree.leaves), PENDING]
        text = fill(own, labels=", ".join(names), definitions=_defined(tree), question=asked)
        message = {"role": "user", "content": [text_part(text), *pictures]}
        return Request(id=problem.id, messages=[message])
    content = [text_part(with_options(problem)), *pictures]
    system = {"role": "system", "content": instruction(tree, several)}
    return Request(
        id=problem.id,
        messages=[system, {"role": "user", "content": content}],
        schema=_schema(tree, several),
    )


def _existing(root: Path, path: str) -> Path:
    file = inside(root, path)
    if not file.is_file():
        raise UserError(f"no picture {file}", "say by --images where pictures are")
    return file


def instruction(tree: Tree, several: bool = False) -> str:
    """The system message: the labels with their definitions, and the form of the reply."""
    form = '{"labels": ["...", "..."]}' if several else '{"label": "..."}'
    return INSTRUCTION.format(task=SEVERAL if several else ONE, labels=_defined(tree), form=form)


def _defined(tree: Tree) -> str:
    """The labels, a line each, with their definitions."""
    return "\n".join(f"- {tree.label(leaf)}: {leaf.definition}".removesuffix(": ")
                     for leaf in tree.leaves)  # fmt: skip


def _schema(tree: Tree, several: bool) -> dict[str, Any]:
    label = {"type": "string", "enum": [*map(tree.label, tree.leaves), PENDING]}
    name, value = ("labels", {"type": "array", "items": label}) if several else ("label", label)
    return {
        "type": "object",
        "properties": {name: value},
        "required": [name],
        "additionalProperties": False,
    }


def _value(answer: Answer, tree: Tree, several: bool) -> str | list[str]:
    """The vote's value. Raises UserError for a refusal, no JSON, or a label outside the tree."""
    if answer.status != "ok":
        raise UserError(f"the reply is {answer.status}", "ask another model")
    named = list(_labels(answer.text))
    if PENDING in named:
        return PENDING
    labels = sorted({tree.label(tree.find(label)) for label in named})
    if not labels or (len(labels) > 1 and not several):
        raise UserError(f"{len(labels)} labels in the reply", "ask another model")
    return labels if several else labels[0]


def _labels(text: str) -> Iterator[str]:
    """The labels of a JSON reply, of the last box, or a bare one from models that ignore both."""
    if found := list(boxes(text)):
        yield re.sub(r"^\\text\{(.*)\}$", r"\1", found[-1].content.strip()).strip("\"'.")
        return
    match = OBJECT.search(text)
    try:
        reply = msgspec.json.decode(match[0]) if match else {"label": text}
    except msgspec.DecodeError as error:
        raise UserError(f"the reply is no JSON: {error}", "ask another model") from error
    value = reply.get("labels", reply.get("label", [])) if isinstance(reply, dict) else []
    for label in value if isinstance(value, list) else [value]:
        yield str(label).strip().strip("\"'.")
