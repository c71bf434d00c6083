"""Model advisers (MATH-V, section 3: two models vote beside three groups of people).

A model names labels of a tree, or fills in the form that people get. Its answers are votes of kind
model, kept on our side; people do not see them unless a curator asks for it.
"""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path
from typing import Any

import msgspec

from ...base.files import path_or_none
from ...base.registry import plugged
from ...errors import UserError
from ...llm import Answer, Model, Request, ask, forget, usage
from ...problem import Problem, Vote
from ...release import read_problem_file, root_of_problems
from ...taxonomy import Tree, load_tree, read_words
from ..kinds import load_kind
from ..projects import append_new, tasks_of
from .forms import form_questionnaire
from .labels import label_questionnaire
from .requests import Questionnaire

FAILED = ("error", "missing")  # of answers: no model has said anything


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
    material: str | Path | None = None,
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
        material: What the kind shows beside the problems, as in `push`: votes for a review,
            {id, response} lines for first-error, pairs for duplicates.
        offline: Ask nothing; use the cache alone.
        wording: A wording file with a paper's own advice prompt, in place of ours.
        plugins: Python file that adds kinds of task: it is run.

    Raises UserError for a missing tree, file, picture, key or cache, before anything is asked.

    Example: `advise("problems.jsonl", "math-v", models=["gpt-4o"], votes="advice.jsonl").refused`
    """
    loaded = read_problem_file(problems)
    votes = Path(votes)
    tree = load_tree(tree) if isinstance(tree, str | Path) else tree
    root = path_or_none(images)
    if root is None and isinstance(problems, str | Path):
        root = root_of_problems(problems, loaded)
    words = read_words(wording) if wording else None
    with plugged(list(plugins)):
        if kind is None:
            if tree is None:
                raise UserError("labels are of a tree", "give --tree, or --kind")
            questionnaire = label_questionnaire(loaded, tree, root, several, words)
        else:
            if words is not None or several:
                raise UserError(
                    "a form has its own words and fields", "leave --kind out"
                )
            form = load_kind(kind)
            tasks = tasks_of(form, tree, loaded, path_or_none(material))
            questionnaire = form_questionnaire(form, tree, tasks, root)
        poll = _Poll(
            questionnaire,
            cache=path_or_none(cache) or votes.with_name("answers.sqlite"),
            offline=offline,
            words=words.words if words else "",
        )
        return poll.advice([_model(model) for model in models], votes)


def _model(name: Model | str) -> Model:
    return Model(name=name) if isinstance(name, str) else name


class _Poll(msgspec.Struct):
    """Models asked one after the other; `cast` are the votes so far."""

    questionnaire: Questionnaire
    cache: Path
    offline: bool
    words: str
    cast: list[Vote] = []

    def advice(self, models: Iterable[Model], votes: Path) -> Advice:
        advice = Advice(words=self.words, prompt=self.questionnaire.version)
        for model in models:
            self._ask_model(model, advice)
        advice.doubts = [
            (vote.problem_id, vote.annotator, doubt)
            for vote in self.cast
            for doubt in self.questionnaire.doubts(vote)
        ]
        advice.votes = len(self.cast)
        advice.new_votes = append_new(votes, self.cast)
        return advice

    def _ask_model(self, model: Model, advice: Advice) -> None:
        """Ask for everything, and once more for replies that are none, unless the words are a
        paper's own. What stays refused is not kept in the cache."""
        request_of = self.questionnaire.request
        requests = map(request_of, self.questionnaire.about)
        answers, refused = self._ask(model, requests)
        repeated = [
            _repeated(request_of(name), refusal)
            for name, refusal in refused.items()
            if refusal.reply and not self.words
        ]
        for request in repeated:
            del refused[request.id]
        second_answers, refused_again = self._ask(model, repeated)
        answers += second_answers
        refused |= refused_again
        useless = [request for request in repeated if request.id in refused_again]
        forget([*map(request_of, refused), *useless], model, self.cache)
        advice.refused += refused.values()
        advice.cached += sum(answer.cached for answer in answers)
        advice.failed += sum(answer.status in FAILED for answer in answers)
        advice.usage[model.name] = usage(answers, model)

    def _ask(
        self, model: Model, requests: Iterable[Request]
    ) -> tuple[list[Answer], dict[str, RefusedReply]]:
        """The answers to requests; their votes are cast, and what is none comes back refused."""
        answers: list[Answer] = []
        refused: dict[str, RefusedReply] = {}
        for answer in ask(requests, model, self.cache, offline=self.offline):
            answers.append(answer)
            if answer.status in FAILED:
                continue
            try:
                self.cast += self._votes(answer, model)
            except UserError as error:
                refused[answer.id] = RefusedReply(
                    problem_id=answer.id,
                    annotator=model.name,
                    reason=str(error),
                    reply=answer.text,
                )
        return answers, refused

    def _votes(self, answer: Answer, model: Model) -> list[Vote]:
        """The votes of an answer. Raises UserError where it is none."""
        if answer.status != "ok":
            raise UserError(f"the reply is {answer.status}", "ask another model")
        return [
            Vote(
                problem_id=answer.id,
                field=field,
                value=value,
                annotator=model.name,
                kind="model",
                at=answer.at,
                about=self.questionnaire.about[answer.id],
                instructions=self.questionnaire.version,
            )
            for field, value in self.questionnaire.votes_of(answer).items()
        ]


def _repeated(request: Request, refusal: RefusedReply) -> Request:
    """The request once more, behind the reply that was none and the reason."""
    reply = {"role": "assistant", "content": refusal.reply}
    why = f"That cannot be taken: {refusal.reason}. Reply again, whole and in the same form."
    messages = [*request.messages, reply, {"role": "user", "content": why}]
    return msgspec.structs.replace(request, messages=messages)
