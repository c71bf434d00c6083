"""A second model compares originals and suggestions: the guards read words, it reads what is meant.

What the guards are sure of (a lost formula or number, markup, a wrong box) stands and is not asked
about. What they only doubt, since words are unlike, is for the second model to confirm or not; and
it sees changes of meaning that no word betrays.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any

import msgspec

from ...base.files import records, write_jsonl
from ...base.terminal import progress
from ...llm import Answer, Model, Request, ask
from ...problem import Option
from .ask import CACHE, Suggested, instructions, unfenced
from .review import Suggestion, changes_something

DOUBTS = frozenset(["ratio", "sense", "term", "wording"])
SCHEMA: dict[str, Any] = {
    "type": "object",
    "properties": {"same": {"type": "boolean"}, "difference": {"type": "string"}},
    "required": ["same", "difference"],
    "additionalProperties": False,
}


class Comparison(msgspec.Struct):
    same: bool
    difference: str = ""


def compare_suggestions(
    suggestions: str | Path | Iterable[Suggestion],
    model: Model | str,
    out: str | Path | None = None,
    *,
    cache: str | Path = CACHE,
    offline: bool = False,
) -> Suggested:
    """The suggestions with a second model's word on each.

    One that says something else is rejected with the difference; one that says the same is free of
    the guards' doubts, which are kept as `doubts`. Where the model gives no answer (see
    `failed()`), a suggestion stays as it was.

    Args:
        suggestions: Suggestions of `convert assist ask`.
        model: The model's name.
        out: Suggestions to write (JSONL).
        cache: Replies already paid for.
        offline: Ask nothing; use the cache alone.

    Raises UserError for damaged suggestions.

    Example: `compare_suggestions("rephrase.jsonl", "gpt-4o", "compared.jsonl").counts()`
    """
    loaded = records(suggestions, Suggestion)
    model = Model(name=model) if isinstance(model, str) else model
    asked = requests_of(loaded)
    answers = ask(asked, model, Path(cache), offline=offline)
    said = {a.id: _said(a) for a in progress(answers, "compare", len(asked), "suggestions")}
    made = Suggested(_compared(s, said[s.id][0], model.name) if s.id in said else s for s in loaded)
    made.answers, made.model = [answer for _, answer in said.values()], model
    if out is not None:
        write_jsonl(Path(out), made)
    return made


def requests_of(suggestions: str | Path | Iterable[Suggestion]) -> list[Request]:
    """What `compare_suggestions` asks, for a dry run (`llm.plan`) or a batch file."""
    return list(_requests(records(suggestions, Suggestion)))


def _requests(suggestions: Iterable[Suggestion]) -> Iterator[Request]:
    told = instructions("compare")
    for s in suggestions:
        if changes_something(s) and all(_is_doubt(objection) for objection in s.rejected):
            texts = {
                "task": s.task,
                "original": _printed(s.original, s.original_options if s.options else []),
                "suggestion": _printed(s.text, s.options),
            }
            messages = [
                {"role": "system", "content": told},
                {"role": "user", "content": msgspec.json.encode(texts).decode()},
            ]
            yield Request(id=s.id, messages=messages, schema=SCHEMA)


def _is_doubt(objection: str) -> bool:
    """Of the text or of an option.

    >>> _is_doubt("option B: sense: 'even' became 'odd'"), _is_doubt("number: '3' is lost")
    (True, False)
    """
    return re.sub(r"^option [^:]*: ", "", objection).partition(":")[0] in DOUBTS


def _printed(text: str, options: list[Option]) -> str:
    return "\n".join([text, *(f"({o.label}) {o.text}" for o in options)])


def _said(answer: Answer) -> tuple[Comparison | None, Answer]:
    """What an answer says, and the answer, which is an error where it is not as asked for."""
    if answer.status != "ok":
        return None, answer
    try:
        return msgspec.json.decode(unfenced(answer.text), type=Comparison), answer
    except (msgspec.DecodeError, UnicodeDecodeError) as error:
        return None, msgspec.structs.replace(answer, status="error", error=f"reply: {error}")


def _compared(suggestion: Suggestion, said: Comparison | None, reader: str) -> Suggestion:
    if said is None:
        return suggestion
    if said.same:
        changes: dict[str, Any] = {"rejected": [], "doubts": suggestion.rejected}
    else:
        objection = f"meaning: {said.difference or 'it says something else'}"
        changes = {"rejected": [objection, *suggestion.rejected]}
    return msgspec.structs.replace(suggestion, compared_by=reader, **changes)
