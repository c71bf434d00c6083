"""Asking a model for suggestions: punctuation, translation, rephrasing, boxing, opening.

Prompts are files in `prompts/`; the reply follows a JSON schema; every answer is cached, so an
interrupted run goes on. What comes back is checked by the guards, then read by another model, or
by the same where no other is named, and written as suggestions.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path
from typing import Any

import msgspec

from ...base.files import write_jsonl
from ...base.terminal import progress
from ...errors import UserError, nearest
from ...latex import read_boxed
from ...llm import Answer, Model, Request, ask
from ...problem import Option, Problem
from ...release import read_problem_file
from ..guards import GUARDS, findings
from .compare import CACHE, compare_suggestions
from .review import (
    Field,
    Suggested,
    Suggestion,
    instructions,
    json_request,
    read_json,
    suggestion_id,
)

TASKS = tuple(GUARDS)
SCHEMA: dict[str, Any] = {
    "type": "object",
    "properties": {
        "text": {"type": "string"},
        "options": {"type": "array", "items": {"type": "string"}},
    },
    "required": ["text", "options"],
    "additionalProperties": False,
}
# how a value is set, which says nothing of what it is: `\text`, blanks, dollars, brackets
_SETTING = re.compile(r"\\text(?=\{)|[\s${}()]")


class Reply(msgspec.Struct):
    text: str
    options: list[str] = []


def prompt(task: str) -> str:
    """The instructions of a task. Raises UserError naming the nearest known task."""
    if task not in TASKS:
        raise UserError(f"unknown task {task!r}", nearest(task, list(TASKS)))
    return instructions(task)


def fields(task: str) -> tuple[Field, ...]:
    """What a task works on: boxing and translation concern the solution, too."""
    if task == "box":
        return ("solution",)
    return ("question", "solution") if task == "translate" else ("question",)


def requests(
    problems: Iterable[Problem], task: str
) -> Iterator[tuple[Request, Problem, Field]]:
    """One request per problem and field that holds anything to do."""
    instruction = prompt(task)
    for problem in problems:
        for field in fields(task):
            content = _content(problem, task, field)
            if content is not None:
                id = f"{problem.id} {field}"
                yield json_request(id, instruction, content, SCHEMA), problem, field


def requests_of(problems: str | Path | Iterable[Problem], task: str) -> list[Request]:
    """What `suggest` asks, for a dry run (`llm.plan`) or a batch file (`llm.write_batch`)."""
    return [request for request, _, _ in requests(read_problem_file(problems), task)]


def _content(problem: Problem, task: str, field: Field) -> dict[str, Any] | None:
    text = problem.question if field == "question" else problem.solution or ""
    options = [o.text for o in problem.options] if field == "question" else []
    if not text.strip() or (task == "translate" and problem.language != "zh"):
        return None
    if (task == "box" and "\\boxed" in text) or (task == "open-ended" and not options):
        return None
    content = {"text": text, "options": options}
    return content | {"answer": problem.answer} if task == "box" else content


def suggest(
    problems: str | Path | Iterable[Problem],
    task: str,
    model: Model | str,
    out: str | Path | None = None,
    *,
    reader: Sequence[str] = (),
    rules_only: bool = False,
    cache: str | Path = CACHE,
    offline: bool = False,
) -> Suggested:
    """Ask a model about every problem, and readers whether its suggestions say the same.

    Returns all suggestions, rejected ones included.

    Args:
        problems: A problems.jsonl.
        task: translate, rephrase, punctuation, box or open-ended.
        model: The model's name.
        out: Suggestions to write (JSONL).
        reader: Models at the same endpoint that read original and suggestion [default: the same].
        rules_only: Ask no reader: formulas, numbers and markup are guarded, words are not.
        cache: Replies already paid for.
        offline: Ask nothing; use the cache alone.

    Raises UserError for an unknown task and damaged problems.

    Example: `suggest("problems.jsonl", "rephrase", "gpt-4o", "rephrase.jsonl").failed()`
    """
    loaded = read_problem_file(problems)
    model = Model(name=model) if isinstance(model, str) else model
    proposals = suggestions(loaded, task, model, Path(cache), offline=offline)
    pairs = list(progress(proposals, task, len(requests_of(loaded, task)), "problems"))
    suggested = Suggested(suggestion for suggestion, _ in pairs if suggestion)
    suggested.answers = [answer for _, answer in pairs]
    suggested.model = model
    readers = [] if rules_only else list(dict.fromkeys(reader or [model.name]))
    for name in readers:
        second = msgspec.structs.replace(model, name=name)
        compared = compare_suggestions(suggested, second, cache=cache, offline=offline)
        compared.answers = suggested.answers + compared.answers
        compared.model = model
        suggested = compared
    if out is not None:
        write_jsonl(Path(out), suggested)
    return suggested


def suggestions(
    problems: list[Problem],
    task: str,
    model: Model,
    cache: Path,
    *,
    offline: bool = False,
) -> Iterator[tuple[Suggestion | None, Answer]]:
    """Ask about every problem; pairs of suggestion (None where the model failed) and answer."""
    inquiries = list(requests(problems, task))
    answers = ask(
        (request for request, _, _ in inquiries), model, cache, offline=offline
    )
    for (_, problem, field), answer in zip(inquiries, answers, strict=True):
        yield _suggestion(problem, task, field, answer, model), answer


def _suggestion(
    problem: Problem, task: str, field: Field, answer: Answer, model: Model
) -> Suggestion | None:
    if answer.status != "ok":
        return None
    original = problem.question if field == "question" else problem.solution or ""
    old = problem.options if field == "question" else []
    suggestion = Suggestion(
        id=suggestion_id(task, problem.id, field, original),
        problem_id=problem.id,
        task=task,
        field=field,
        original=original,
        original_options=old,
        text="",
        language="en" if task == "translate" else None,
        model=model.name,
    )
    try:
        reply = read_json(answer.text, Reply)
    except (msgspec.DecodeError, UnicodeDecodeError) as error:
        suggestion.rejected = [f"reply: not as asked for ({error})"]
        return suggestion
    suggestion.text = reply.text.strip()
    suggestion.rejected = findings(task, original, suggestion.text, problem.answer)
    if task == "box" and not suggestion.rejected:
        suggestion.rejected = _wrong_box(suggestion.text, problem)
    if task != "open-ended":
        suggestion.options, objections = _options(task, old, reply.options)
        suggestion.rejected += objections
    return suggestion


def _wrong_box(text: str, problem: Problem) -> list[str]:
    """The box must hold the known answer: its letter, or the value of that option."""
    answer = problem.answer
    values = [answer, *(o.text for o in problem.options if o.label == answer)]
    boxed = ", ".join(read_boxed(text))
    if not answer or _squeezed(boxed) in map(_squeezed, values):
        return []
    return [f"box: it holds {boxed!r}, the answer is {answer!r}"]


def _squeezed(value: str) -> str:
    return _SETTING.sub("", value)


def _options(
    task: str, old: list[Option], new: list[str]
) -> tuple[list[Option], list[str]]:
    """The options with new texts; as many as before, each with its own formulas and numbers."""
    if len(old) != len(new):
        return old, [f"options: {len(new)} instead of {len(old)}"]
    texts = [text.strip() for text in new]
    objections = [
        f"option {option.label}: {objection}"
        for option, text in zip(old, texts, strict=True)
        for objection in findings(task, option.text, text)
    ]
    if task == "rephrase" and texts != [option.text.strip() for option in old]:
        objections.append("options: they were to be left as they are")
    options = [
        msgspec.structs.replace(option, text=text)
        for option, text in zip(old, texts, strict=True)
    ]
    return options, objections
