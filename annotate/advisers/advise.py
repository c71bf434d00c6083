"""Model advisers (MATH-V, section 3: two models vote beside three groups of people).

A model names labels of a tree, or fills in the form that people get. Its answers are votes of kind
model, kept on our side; people do not see them unless a curator asks for it.
"""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path
from typing import Any

import msgspec

from ...base.files import path_or_none, records
from ...base.pictures import picture_root
from ...base.registry import plugged
from ...errors import UserError
from ...llm import Answer, Model, Request, ask, forget, usage
from ...problem import Problem, Vote, shown_images
from ...taxonomy import Tree, load_tree, read_words
from ..kinds import load_kind
from ..projects import append_new, tasks_of
from .forms import form_asked
from .labels import labels_asked
from .requests import Asked


class RefusedReply(msgspec.Struct, kw_only=True):
    """A reply that is no vote, and why."""

    problem_id: str
    annotator: str
    reason: str
    reply: str


class Advice(msgspec.Struct, kw_only=True):
    """How the models voted. Refused and failed requests are asked again by the next run.

    `doubts` are votes that read badly: problem, model, what is wrong. `usage` holds tokens and cost
    of each model, None where no prices are given.
    """

    votes: int = 0
    new_votes: int = 0
    cached: int = 0
    failed: int = 0
    refused: list[RefusedReply] = []
    doubts: list[tuple[str, str, str]] = []
    words: str = ""  # whose the prompt was, of a wording file
    prompt: str = ""  # hash of the prompt, as the votes carry it
    usage: dict[str, dict[str, Any]] = {}


def advise(
    problems: str | Path | Iterable[Problem],
    tree: str | Path | Tree | None = None,
    *,
    models: Iterable[Model | str],
    votes: str | Path,
    kind: str | None = None,
    cache: str | Path | None = None,
    images: str | Path | None = None,
    several: bool = False,
    suggestions: str | Path | None = None,
    responses: str | Path | None = None,
    pairs: str | Path | None = None,
    offline: bool = False,
    wording: str | Path | None = None,
    plugins: Iterable[str | Path] = (),
) -> Advice:
    """Ask each model for its votes on each problem; append them to `votes`.

    Without a kind, models name labels of the tree; with one, they fill in its form. A reply that
    the tree or the form does not hold is refused with what is nearest, never guessed; the model is
    told why and asked once more.

    Args:
        problems: A problems.jsonl.
        tree: Built-in tree, or a YAML file.
        models: Ask this model.
        votes: Append the votes to this file.
        kind: Kind of task whose form is filled in, such as level, roles, mathverse-checks or
            first-error [default: labels of the tree].
        cache: Replies already paid for [default: beside the votes].
        images: Folder that picture paths are relative to [default: found beside the problems].
        several: Ask for all concepts of a solution, not for one subject.
        suggestions: Model votes, for reviews.
        responses: Solutions to check, JSONL {id, response}.
        pairs: Pairs of `dedup pairs`, for duplicates.
        offline: Ask nothing; use the cache alone.
        wording: A wording file with a paper's own advice prompt, in place of ours.
        plugins: Python file that adds kinds of task: it is run.

    Raises UserError for a missing tree, file, picture, key or cache, before anything is asked.

    Example: `advise("problems.jsonl", "math-v", models=["gpt-4o"], votes="advice.jsonl").refused`
    """
    loaded, votes = records(problems, Problem), Path(votes)
    tree = load_tree(tree) if isinstance(tree, str | Path) else tree
    root = path_or_none(images)
    if root is None and isinstance(problems, str | Path):
        root = picture_root(
            Path(problems), (i for p in loaded for i in shown_images(p))
        )
    words = read_words(wording) if wording else None
    with plugged(list(plugins)):
        if kind is None:
            if tree is None:
                raise UserError("labels are of a tree", "give --tree, or --kind")
            asked = labels_asked(loaded, tree, root, several, words)
        else:
            if words is not None or several:
                raise UserError(
                    "a form has its own words and fields", "leave --kind out"
                )
            form = load_kind(kind)
            given, solutions, alike = map(path_or_none, (suggestions, responses, pairs))
            tasks = tasks_of(form, tree, loaded, given, solutions, alike)
            asked = form_asked(form, tree, tasks, root)
        store = path_or_none(cache) or votes.with_name("answers.sqlite")
        return _advice(
            asked, models, store, votes, offline, words.words if words else ""
        )


def _advice(
    asked: Asked,
    models: Iterable[Model | str],
    cache: Path,
    votes: Path,
    offline: bool,
    words: str,
) -> Advice:
    advice = Advice(words=words, prompt=asked.version)
    cast: list[Vote] = []
    for model in [Model(name=m) if isinstance(m, str) else m for m in models]:
        first = (asked.request(name) for name in asked.about)
        answers, refused = _asked_of(model, asked, first, cache, offline, cast)
        again = [
            _told_why(asked.request(name), r)
            for name, r in refused.items()
            if r.reply and not words
        ]
        more, still = _asked_of(model, asked, again, cache, offline, cast)
        answers += more
        refused = {
            name: r for name, r in refused.items() if not r.reply or words
        } | still
        useless = [asked.request(name) for name in refused]
        forget([*useless, *(r for r in again if r.id in still)], model, cache)
        advice.refused += refused.values()
        advice.cached += sum(answer.cached for answer in answers)
        advice.failed += sum(
            answer.status in ("error", "missing") for answer in answers
        )
        advice.usage[model.name] = usage(answers, model)
    advice.doubts = [
        (vote.problem_id, vote.annotator, doubt)
        for vote in cast
        for doubt in asked.doubts(vote)
    ]
    advice.votes = len(cast)
    advice.new_votes = append_new(votes, cast)
    return advice


def _asked_of(
    model: Model,
    asked: Asked,
    requests: Iterable[Request],
    cache: Path,
    offline: bool,
    cast: list[Vote],
) -> tuple[list[Answer], dict[str, RefusedReply]]:
    """The answers to requests; their votes go to `cast`, and what is none comes back refused."""
    answers: list[Answer] = []
    refused: dict[str, RefusedReply] = {}
    for answer in ask(requests, model, cache, offline=offline):
        answers.append(answer)
        if answer.status in ("error", "missing"):
            continue
        try:
            given = _given(answer, asked)
        except UserError as error:
            refused[answer.id] = RefusedReply(
                problem_id=answer.id,
                annotator=model.name,
                reason=str(error),
                reply=answer.text,
            )
            continue
        cast += [
            Vote(
                problem_id=answer.id,
                field=field,
                value=value,
                annotator=model.name,
                kind="model",
                at=answer.at,
                about=asked.about[answer.id],
                instructions=asked.version,
            )
            for field, value in given.items()
        ]
    return answers, refused


def _told_why(request: Request, refused: RefusedReply) -> Request:
    """The request once more, behind the reply that was none and the reason."""
    said = {"role": "assistant", "content": refused.reply}
    why = f"That cannot be taken: {refused.reason}. Reply again, whole and in the same form."
    messages = [*request.messages, said, {"role": "user", "content": why}]
    return msgspec.structs.replace(request, messages=messages)


def _given(answer: Answer, asked: Asked) -> dict[str, Any]:
    if answer.status != "ok":
        raise UserError(f"the reply is {answer.status}", "ask another model")
    return asked.read(answer)
