"""Readers compare originals and suggestions: the guards read words, they read what is meant.

What the guards are sure of (a lost formula or number, markup, a wrong box) stands and is not asked
about. What they only doubt, since words are unlike, is for readers to confirm or not; and these
see changes of meaning that no word betrays. Where readers disagree, or say nothing, a person
decides.
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
from .review import (
    Reading,
    Suggested,
    Suggestion,
    asking,
    changes_something,
    instructions,
    read_json,
)

CACHE = Path("answers.sqlite")
DOUBTS = frozenset(["sense", "term", "wording"])
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

    What all readers find to differ is rejected; what they find the same is free of the guards'
    doubts, which are kept as `doubts`. Where they disagree, or a reader says nothing of use (see
    `failed()`), that is told and a person decides.

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
    asked = requests_of(loaded)
    answers = ask(asked, model, Path(cache), offline=offline)
    read = {
        a.id: _read(a, model)
        for a in progress(answers, "compare", len(asked), "suggestions")
    }
    made = Suggested(weighed(s, read[s.id][0]) if s.id in read else s for s in loaded)
    made.answers, made.model = [answer for _, answer in read.values()], model
    if out is not None:
        write_jsonl(Path(out), made)
    return made


def requests_of(suggestions: str | Path | Iterable[Suggestion]) -> list[Request]:
    """What `compare_suggestions` asks, for a dry run (`llm.plan`) or a batch file."""
    return list(_requests(records(suggestions, Suggestion)))


def _requests(suggestions: Iterable[Suggestion]) -> Iterator[Request]:
    told = instructions("compare")
    for s in suggestions:
        if changes_something(s) and all(
            _is_doubt(objection) for objection in _found(s)
        ):
            texts = {
                "task": s.task,
                "original": _printed(
                    s.original, s.original_options if s.options else []
                ),
                "suggestion": _printed(s.text, s.options),
            }
            yield asking(s.id, told, texts, SCHEMA)


def _is_doubt(objection: str) -> bool:
    """Of the text or of an option.

    >>> _is_doubt("option B: sense: 'even' became 'odd'"), _is_doubt("number: '3' is lost")
    (True, False)
    """
    return re.sub(r"^option [^:]*: ", "", objection).partition(":")[0] in DOUBTS


def _found(suggestion: Suggestion) -> list[str]:
    """What the guards found, readers' objections aside."""
    said = [*suggestion.rejected, *suggestion.doubts]
    return [objection for objection in said if not objection.startswith("meaning: ")]


def _printed(text: str, options: list[Option]) -> str:
    return "\n".join([text, *(f"({o.label}) {o.text}" for o in options)])


def _read(answer: Answer, model: Model) -> tuple[Reading, Answer]:
    """What an answer says, and the answer, which is an error where it is not as asked for."""
    error = answer.error if answer.status != "ok" else ""
    if not error:
        try:
            said = read_json(answer.text, Comparison)
        except (msgspec.DecodeError, UnicodeDecodeError) as why:
            error = f"reply: {why}"
        else:
            difference = said.difference.strip()
            if said.same != bool(difference):
                return Reading(
                    reader=model.name, same=said.same, difference=difference
                ), answer
            error = f"reply: it contradicts itself ({answer.text.strip()[:120]!r})"
    failed = msgspec.structs.replace(
        answer, status="error", error=error or answer.status
    )
    return Reading(reader=model.name, difference=failed.error), failed


def weighed(suggestion: Suggestion, reading: Reading) -> Suggestion:
    """The suggestion with one more reading, in place of an earlier one by the same reader."""
    readings = [r for r in suggestion.readings if r.reader != reading.reader] + [
        reading
    ]
    found = _found(suggestion)
    differ = [
        f"meaning: {r.difference} ({r.reader})" for r in readings if r.same is False
    ]
    freed = any(r.same for r in readings) and not (found and differ)
    objections = [*differ, *found]
    changes = {"doubts": objections} if freed else {"rejected": objections}
    blank: dict[str, list[str]] = {"rejected": [], "doubts": []}
    return msgspec.structs.replace(suggestion, readings=readings, **(blank | changes))
