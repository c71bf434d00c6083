"""`convert assist`: suggestions of a model, their review queue, and decisions."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any, Literal

from ...base.commands import Printed
from ...llm import Model, Planning, Request
from .ask import requests_of, suggest
from .compare import CACHE, compare_suggestions
from .compare import requests_of as comparisons_of
from .review import Suggested, Suggestion, decide_suggestion, readers, review_queue


def ask(
    problems: Path,
    *,
    task: str,
    model: Model,
    out: Path,
    planning: Planning = Planning(),  # noqa: B008 (frozen)
    **options: Any,
) -> Printed:
    """Ask about every problem in PROBLEMS; write suggestions, rejected ones included.

    What the rules let pass is then read by the models named as --reader, or by the same model,
    which finds fewer of its own slips. A dry run and a batch hold the first asking
    only: let `compare` read the suggestions of a batch.

    Example:
      benchwright convert assist ask problems.jsonl --task translate --model M --reader N \\
        -o english.jsonl
    """

    def work() -> Suggested:
        return suggest(problems, task, model, out, **options)

    return _asked(lambda: requests_of(problems, task), work, model, planning, options)


def compare(
    suggestions: Path,
    *,
    model: Model,
    out: Path,
    planning: Planning = Planning(),  # noqa: B008 (frozen)
    **options: Any,
) -> Printed:
    """Let another model compare originals and SUGGESTIONS; write these with its word on each.

    What all readers find to say something else is rejected; where they disagree, a person
    decides. A lost formula, a lost number and markup stay rejected.

    Example:
      benchwright convert assist compare english.jsonl --model N -o compared.jsonl
    """

    def work() -> Suggested:
        return compare_suggestions(suggestions, model, out, **options)

    return _asked(lambda: comparisons_of(suggestions), work, model, planning, options)


def _asked(
    requests: Callable[[], list[Request]],
    work: Callable[[], Suggested],
    model: Model,
    planning: Planning,
    options: dict[str, Any],
) -> Printed:
    """What was counted, written or asked, and what has failed."""
    failed = []
    counts = planning.instead(requests, model, options.get("cache", CACHE))
    if counts is None:
        suggested = work()
        counts = suggested.usage()
        failed = suggested.failed()
    text = "  ".join(f"{key} {value}" for key, value in counts.items())
    notes = [f"{answer.id}: {answer.status} {answer.error}" for answer in failed[:20]]
    return Printed(counts, text, bool(failed), notes)


def queue(suggestions: Path, **options: Any) -> Printed:
    """What waits for a person: original and suggestion, one below the other.

    Example:
      benchwright convert assist queue rephrase.jsonl
    """
    waiting = review_queue(suggestions, **options)
    blocks = [_block(suggestion) for suggestion in waiting]
    return Printed(waiting, "\n\n".join([*blocks, waiting.headline()]))


def _block(suggestion: Suggestion) -> str:
    lines = [
        f"{suggestion.id}  {suggestion.problem_id}  {suggestion.task}",
        f"- {suggestion.original}",
        *(f"  ({o.label}) {o.text}" for o in suggestion.original_options),
        f"+ {suggestion.text}",
        *(f"  ({o.label}) {o.text}" for o in suggestion.options),
        *(f"! {objection}" for objection in suggestion.rejected),
        *(f"? {doubt}" for doubt in suggestion.doubts),
        f"= {readers(suggestion)}",
    ]
    return "\n".join(lines)


def decide(
    suggestions: Path,
    suggestion: str,
    verdict: Literal["accept", "reject"],
    **options: Any,
) -> None:
    """Accept or reject one suggestion; the decision is appended, the last one counts.

    Example:
      benchwright convert assist decide rephrase.jsonl 1f2e accept --reviewer ada
    """
    decide_suggestion(suggestions, suggestion, verdict, **options)
