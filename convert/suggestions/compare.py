"""Readers compare originals and suggestions: the guards see formulas, they see what is meant.

What the guards reject (a lost formula or number, markup, a wrong box) stands and is not asked
about. Readers see changes of meaning in the words. Where they disagree, or say nothing, a person
decides.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any

import msgspec

from ...base.files import records, write_jsonl
from ...base.terminal import progress
from ...llm import Answer, Model, Request, ask
from ...problem import Option
from .review import (
    Reading,
    Suggested,
    Suggestion,
    changes_something,
    instructions,
    json_request,
    read_json,
)

CACHE = Path("answers.sqlite")
SCHEMA: dict[str, Any] = {
    "type": "object",
    "properties": {"same": {"type": "boolean"}, "difference": {"type": "string"}},
    "required": ["same", "difference"],
    "additionalProperties": False,
}


class Comparison(msgspec.Struct):
    same: bool
    difference: str


def compare_suggestions(
    suggestions: str | Path | Iterable[Suggestion],
    model: Model | str,
    out: str | Path | None = None,
    *,
    cache: str | Path = CACHE,
    offline: bool = False,
) -> Suggested:
    """The suggestions with one more reader's word on each.

    What all readers find to differ is rejected. Where they disagree, that stands in `doubts`, and a
    person decides; where a reader says nothing of use, `failed()` says so.

    Args:
        suggestions: Suggestions of `convert assist ask`.
        model: The reader's name.
        out: Suggestions to write (JSONL).
        cache: Replies already paid for.
        offline: Ask nothing; use the cache alone.

    Raises UserError for damaged suggestions.

    Example: `compare_suggestions("rephrase.jsonl", "gpt-4o", "compared.jsonl").counts()`
    """
    loaded = records(suggestions, Suggestion)
    model = Model(name=model) if isinstance(model, str) else model
    requests = requests_of(loaded)
    answers = ask(requests, model, Path(cache), offline=offline)
    readings = {
        answer.id: _reading(answer, model)
        for answer in progress(answers, "compare", len(requests), "suggestions")
    }
    compared = Suggested(
        weighed(s, readings[s.id][0]) if s.id in readings else s for s in loaded
    )
    compared.answers = [answer for _, answer in readings.values()]
    compared.model = model
    if out is not None:
        write_jsonl(Path(out), compared)
    return compared


def requests_of(suggestions: str | Path | Iterable[Suggestion]) -> list[Request]:
    """What `compare_suggestions` asks, for a dry run (`llm.plan`) or a batch file."""
    return list(_requests(records(suggestions, Suggestion)))


def _requests(suggestions: Iterable[Suggestion]) -> Iterator[Request]:
    prompt = instructions("compare")
    for suggestion in suggestions:
        if changes_something(suggestion) and not _stopped_by_guards(suggestion):
            old_options = suggestion.original_options if suggestion.options else []
            texts = {
                "task": suggestion.task,
                "original": _printed(suggestion.original, old_options),
                "suggestion": _printed(suggestion.text, suggestion.options),
            }
            yield json_request(suggestion.id, prompt, texts, SCHEMA)


def _stopped_by_guards(suggestion: Suggestion) -> bool:
    """Whether it was rejected for another reason than a reader's objection."""
    return any(not reason.startswith("meaning: ") for reason in suggestion.rejected)


def _printed(text: str, options: list[Option]) -> str:
    return "\n".join([text, *(f"({o.label}) {o.text}" for o in options)])


def _reading(answer: Answer, model: Model) -> tuple[Reading, Answer]:
    """What an answer says, and the answer, which is an error where it is not as asked for."""
    error = answer.error if answer.status != "ok" else ""
    if not error:
        try:
            verdict = read_json(answer.text, Comparison)
        except (msgspec.DecodeError, UnicodeDecodeError) as why:
            error = f"reply: {why}"
        else:
            same = verdict.same
            difference = verdict.difference.strip()
            if same != bool(difference):
                return Reading(
                    reader=model.name, same=same, difference=difference
                ), answer
            error = f"reply: it contradicts itself ({answer.text.strip()[:120]!r})"
    error = error or answer.status
    failed = msgspec.structs.replace(answer, status="error", error=error)
    return Reading(reader=model.name, difference=error), failed


def weighed(suggestion: Suggestion, reading: Reading) -> Suggestion:
    """The suggestion with one more reading, in place of an earlier one by the same reader."""
    others = [r for r in suggestion.readings if r.reader != reading.reader]
    readings = [*others, reading]
    objections = [
        f"meaning: {r.difference} ({r.reader})" for r in readings if r.same is False
    ]
    is_in_doubt = any(r.same for r in readings)
    return msgspec.structs.replace(
        suggestion,
        readings=readings,
        rejected=[] if is_in_doubt else objections,
        doubts=objections if is_in_doubt else [],
    )
