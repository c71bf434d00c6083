"""Suggestions of a model as files: the original beside it, objections to it, who decided.

`suggestions.jsonl` holds one Suggestion a line; `decisions.jsonl` is only ever appended to, and
the last decision on a suggestion counts. A suggestion is used when a person accepted it.
"""

from __future__ import annotations

import contextlib
import hashlib
import json
import re
from collections.abc import Callable, Iterable
from importlib.resources import files
from itertools import islice
from pathlib import Path
from typing import Any, Literal, TypeVar

import msgspec

from ...base.display import Rows
from ...base.files import encode, read_jsonl, records
from ...errors import UserError, nearest
from ...llm import Answer, Model, Request, usage
from ...problem import Option, Problem

T = TypeVar("T")
_JSON = json.JSONDecoder()
MAX_BRACES = 200  # of a reply that are tried as the beginning of its JSON
Field = Literal["question", "solution"]


class Reading(msgspec.Struct, kw_only=True, forbid_unknown_fields=True):
    """Whether one reader finds that a suggestion says what its original says."""

    reader: str
    same: bool | None = None  # None: it gave no answer of use, `difference` says why
    difference: str = ""


class Suggestion(msgspec.Struct, kw_only=True, forbid_unknown_fields=True):
    """What a model proposes for one field of one problem; options go with the question."""

    id: str  # hash of task, problem, field and original
    problem_id: str
    task: str
    field: Field
    original: str
    original_options: list[Option] = []
    text: str
    options: list[Option] = []
    # an open-ended question's answer comes from the problem, not the model
    answer: str | None = None
    language: str | None = None
    model: str
    rejected: list[str] = []  # objections of the guards, or of all readers
    doubts: list[str] = []  # objections of a reader where another has none
    readings: list[Reading] = []


class SuggestionDecision(msgspec.Struct, kw_only=True, forbid_unknown_fields=True):
    """A person's word on one suggestion; `text` replaces the model's wording where given."""

    suggestion: str
    verdict: Literal["accept", "reject"]
    reviewer: str
    text: str | None = None
    note: str = ""
    at: str = ""  # ISO 8601


def instructions(name: str) -> str:
    """The text of a prompt file."""
    return files(__package__).joinpath("prompts", f"{name}.txt").read_text("utf-8")


def json_request(id: str, prompt: str, content: Any, schema: dict[str, Any]) -> Request:
    """A request for JSON, by a prompt, about content that is handed over as JSON."""
    messages = [
        {"role": "system", "content": prompt},
        {"role": "user", "content": msgspec.json.encode(content).decode()},
    ]
    return Request(id=id, messages=messages, schema=schema)


def read_json(text: str, kind: type[T]) -> T:
    """The last JSON object of a reply that is of a kind, whatever stands around it.

    Raises msgspec.DecodeError where there is none.
    """
    last: T | None = None
    position = 0
    for brace in islice(re.finditer(r"\{", text), MAX_BRACES):
        if brace.start() >= position:
            with contextlib.suppress(ValueError, RecursionError):
                value, position = _JSON.raw_decode(text, brace.start())
                last = msgspec.convert(value, kind)
    if last is None:
        beginning = text.strip()[:60]
        raise msgspec.DecodeError(f"no JSON as it was asked for in {beginning!r}")
    return last


def readers(suggestion: Suggestion) -> str:
    """Who has read a suggestion and what each found, which says how far to lean on it."""
    words = [_in_words(reading, suggestion.model) for reading in suggestion.readings]
    return "; ".join(words) or "read by rules alone, which see few changes of meaning"


def _in_words(reading: Reading, writer: str) -> str:
    reader = reading.reader + (" (its own)" if reading.reader == writer else "")
    if reading.same is None:
        return f"{reader}: no answer ({reading.difference})"
    return f"{reader}: {'the same' if reading.same else 'something else'}"


def suggestion_id(task: str, problem_id: str, field: str, original: str) -> str:
    return hashlib.sha256(encode([task, problem_id, field, original])).hexdigest()[:16]


def read_decisions(path: Path | None) -> dict[str, SuggestionDecision]:
    """The last decision on each suggestion; none when the file is not there yet."""
    if path is None or not path.exists():
        return {}
    return {d.suggestion: d for d in read_jsonl(path, SuggestionDecision)}


def changes_something(suggestion: Suggestion) -> bool:
    text = suggestion.text
    options = suggestion.options
    return (text, options) != (suggestion.original, suggestion.original_options)


def queue(
    suggestions: Iterable[Suggestion], decisions: dict[str, SuggestionDecision]
) -> list[Suggestion]:
    """What a person has to look at: passed the guards, changes something, not decided yet."""
    return [
        s
        for s in suggestions
        if not s.rejected and s.id not in decisions and changes_something(s)
    ]


def decide(
    path: Path, suggestions: list[Suggestion], decision: SuggestionDecision
) -> None:
    """Append one decision. Raises UserError for an unknown suggestion, or a refused one."""
    by_id = {s.id: s for s in suggestions}
    if decision.suggestion not in by_id:
        raise UserError(
            f"no suggestion {decision.suggestion!r}",
            nearest(decision.suggestion, list(by_id)),
        )
    objections = by_id[decision.suggestion].rejected
    if objections and decision.verdict == "accept" and decision.text is None:
        raise UserError(
            f"it is rejected ({objections[0]})", "give a corrected text with --text"
        )
    path.parent.mkdir(parents=True, exist_ok=True)
    with path.open("ab") as file:
        file.write(encode(decision))


class Suggested(Rows[Suggestion]):
    """The suggestions that were made, rejected ones included, and the model's `answers`."""

    __slots__ = ("answers", "model")
    answers: list[Answer]
    model: Model

    def headline(self) -> str:
        return ", ".join(f"{name} {n}" for name, n in self.counts().items())

    def counts(self) -> dict[str, int]:
        waiting = queue(self, {})
        unread = [s for s in waiting if all(r.same is None for r in s.readings)]
        return {
            "suggestions": len(self),
            "rejected": sum(bool(s.rejected) for s in self),
            "to_review": len(waiting),
            "unread": len(unread),
        }

    def usage(self) -> dict[str, Any]:
        """Tokens and cost, and the counts."""
        return usage(self.answers, self.model) | self.counts()

    def failed(self) -> list[Answer]:
        return [answer for answer in self.answers if answer.status != "ok"]


class Queue(Rows[Suggestion]):
    """What waits for a person, of so many suggestions in `total`."""

    __slots__ = ("total",)
    total: int

    def headline(self) -> str:
        return f"{len(self)} of {self.total}"


def review_queue(
    suggestions: str | Path,
    decisions: str | Path | None = None,
    *,
    rejected: bool = False,
) -> Queue:
    """The suggestions of a file that wait for a person.

    Args:
        suggestions: Suggestions of `convert assist`.
        decisions: File of decisions [default: SUGGESTIONS.decisions.jsonl].
        rejected: Show what the guards rejected instead.

    Raises UserError for damaged files.

    Example: `review_queue("rephrase.jsonl")[0].text`
    """
    loaded = records(suggestions, Suggestion)
    if rejected:
        rows = [suggestion for suggestion in loaded if suggestion.rejected]
    else:
        rows = queue(loaded, read_decisions(_decisions(suggestions, decisions)))
    waiting = Queue(rows)
    waiting.total = len(loaded)
    return waiting


def decide_suggestion(
    suggestions: str | Path,
    suggestion: str,
    verdict: Literal["accept", "reject"],
    reviewer: str,
    *,
    text: str | None = None,
    note: str = "",
    decisions: str | Path | None = None,
) -> SuggestionDecision:
    """Accept or reject one suggestion of a file, by its id or the beginning of it.

    The decision is appended, and the last one counts.

    Args:
        suggestions: Suggestions of `convert assist`.
        suggestion: Id of one, or its beginning.
        verdict: What is decided.
        reviewer: Who decides.
        text: The text to use instead of the model's.
        note: Why.
        decisions: File of decisions [default: SUGGESTIONS.decisions.jsonl].

    Raises UserError for an unknown suggestion, and for accepting what was rejected.

    Example: `decide_suggestion("rephrase.jsonl", "1f2e", "accept", "ada")`
    """
    loaded = records(suggestions, Suggestion)
    matches = [s.id for s in loaded if s.id.startswith(suggestion)]
    full = matches[0] if len(matches) == 1 else suggestion
    decision = SuggestionDecision(
        suggestion=full, verdict=verdict, reviewer=reviewer, text=text, note=note
    )
    decide(_decisions(suggestions, decisions), loaded, decision)
    return decision


def _decisions(suggestions: str | Path, decisions: str | Path | None) -> Path:
    return Path(decisions or Path(suggestions).with_suffix(".decisions.jsonl"))


def read_reviewed(
    file: Path, decisions: Path | None, unreviewed: bool
) -> list[Suggestion]:
    """The suggestions that count: accepted ones, and with `unreviewed` also undecided ones."""
    decided = read_decisions(decisions)
    chosen: list[Suggestion] = []
    for suggestion in read_jsonl(file, Suggestion):
        decision = decided.get(suggestion.id)
        if decision is None:
            if unreviewed and not suggestion.rejected:
                chosen.append(suggestion)
        elif decision.verdict == "accept":
            if decision.text is not None:
                suggestion.text = decision.text
            elif suggestion.rejected:
                continue  # a decision made for another version of the suggestion
            chosen.append(suggestion)
    return chosen


def apply_suggestions(
    problem: Problem,
    suggestions: list[Suggestion],
    record: Callable[[str, Any], None],
) -> Problem:
    """The problem with its suggestions as text, in the file's order.

    One that was made for another text is not used: side table `stale`.
    """
    for suggestion in suggestions:
        row = {"id": problem.id, "suggestion": suggestion.id, "task": suggestion.task}
        if why := _stale(suggestion, problem):
            record("stale", row | {"why": why})
        else:
            problem = msgspec.structs.replace(problem, **_changes(suggestion, problem))
            record("suggested", row | {"model": suggestion.model})
    return problem


def _stale(suggestion: Suggestion, problem: Problem) -> str:
    """Why a suggestion does not fit the problem's texts; empty where it does."""
    field = suggestion.field
    original = suggestion.original
    current = getattr(problem, field) or ""
    options_fit = field != "question" or problem.options == suggestion.original_options
    if current == original and options_fit:
        return ""
    return f"made for another {field}: {original[:60]!r}, not {current[:60]!r}"


def _changes(suggestion: Suggestion, problem: Problem) -> dict[str, Any]:
    """The fields of the problem that a suggestion changes."""
    changes: dict[str, Any] = {suggestion.field: suggestion.text}
    if suggestion.field == "question":
        changes |= {"options": suggestion.options, "spans": []}
    if suggestion.language:
        changes["language"] = suggestion.language
    if suggestion.task == "open-ended":
        changes |= _opened(problem)
    return changes


def _opened(problem: Problem) -> dict[str, Any]:
    """The answer of a question that lost its options: the chosen option's value."""
    from ..readers import guess_kind

    chosen = (o.text for o in problem.options if o.label == problem.answer)
    value = next(chosen, problem.answer).strip()
    if len(value) > 2 and value[0] == value[-1] == "$" and "$" not in value[1:-1]:
        value = value[1:-1].strip()
    return {"answer": value, "answer_kind": guess_kind(value, []), "options": []}
