"""`convert assist`: suggestions of a model, their review queue, and decisions."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import Any, Literal, TypeVar

import click
import msgspec

from ... import llm
from ...base.terminal import emit, json_option, say
from ...llm import Request, model_from, model_options
from .ask import TASKS, Suggested, requests_of, suggest
from .compare import compare_suggestions
from .compare import requests_of as comparisons_of
from .review import decide_suggestion, review_queue

PATH = click.Path(path_type=Path)


@click.group()
def assist() -> None:
    """Ask a model for suggestions, review them, and let a recipe use the accepted ones.

    \b
    Example:
      benchwright convert assist ask problems.jsonl --task rephrase --model M -o rephrase.jsonl
      benchwright convert assist compare rephrase.jsonl --model N -o compared.jsonl
      benchwright convert assist queue compared.jsonl
      benchwright convert assist decide compared.jsonl 1f2e accept --reviewer ada
    """


F = TypeVar("F", bound=Callable[..., Any])


def asking(command: F) -> F:
    """How `ask` and `compare` reach a model, and what they do besides."""
    for option in (
        json_option,
        click.option("--read-batch", type=PATH, help="First put a batch's replies in the cache."),
        click.option("--write-batch", type=PATH, help="Write a batch file; ask nothing."),
        click.option("--offline", is_flag=True, help="Use the cache only."),
        click.option("--dry-run", is_flag=True, help="Count what would be asked; ask nothing."),
        model_options("model"),
        click.option("--cache", type=PATH, default=Path("answers.sqlite"), show_default=True),
        click.option("-o", "--out", type=PATH, required=True, help="Suggestions to write (JSONL)."),
    ):
        command = option(command)
    return command


@assist.command("ask")
@click.argument("problems", type=PATH)
@click.option("--task", type=click.Choice(TASKS), required=True)
@asking
def ask_command(problems: Path, task: str, **options: Any) -> None:
    """Ask about every problem in PROBLEMS; write suggestions, rejected ones included.

    \b
    Example:
      benchwright convert assist ask problems.jsonl --task translate --model M -o english.jsonl
    """
    _ask(lambda: requests_of(problems, task), partial(suggest, problems, task), **options)


@assist.command("compare")
@click.argument("suggestions", type=PATH)
@asking
def compare_command(suggestions: Path, **options: Any) -> None:
    """Let another model compare originals and SUGGESTIONS; write these with its word on each.

    What it finds to say something else is rejected; what it finds the same is free of the guards'
    doubts. A lost formula, a lost number and markup stay rejected.

    \b
    Example:
      benchwright convert assist compare english.jsonl --model N -o compared.jsonl
    """
    _ask(lambda: comparisons_of(suggestions), partial(compare_suggestions, suggestions), **options)


def _ask(
    requests: Callable[[], list[Request]],
    ask: Callable[..., Suggested],
    *,
    out: Path,
    cache: Path,
    dry_run: bool,
    offline: bool,
    write_batch: Path | None,
    read_batch: Path | None,
    as_json: bool,
    **options: Any,
) -> None:
    model = model_from(options)
    if model is None:
        raise click.UsageError("name a --model")
    if read_batch is not None:
        say(f"read {llm.read_batch(read_batch, cache)['ok']} replies")
    if dry_run:
        _report(llm.plan(requests(), model, cache), as_json)
        return
    if write_batch is not None:
        count = llm.write_batch(requests(), model, cache, write_batch)
        _report({"requests": count}, as_json)
        return
    made = ask(model, out, cache=cache, offline=offline)
    _report(made.usage(), as_json)
    failed = made.failed()
    for answer in failed[:20]:
        say(f"{answer.id}: {answer.status} {answer.error}")
    if failed:
        raise SystemExit(1)


def _report(counts: dict[str, Any], as_json: bool) -> None:
    emit(counts, as_json, "  ".join(f"{key} {value}" for key, value in counts.items()))


@assist.command("queue")
@click.argument("suggestions", type=PATH)
@click.option("--decisions", type=PATH, help="[default: <SUGGESTIONS>.decisions.jsonl]")
@click.option("--rejected", is_flag=True, help="Show what the guards rejected instead.")
@json_option
def queue_command(suggestions: Path, decisions: Path | None, rejected: bool, as_json: bool) -> None:
    """What waits for a person: original and suggestion, one below the other.

    \b
    Example:
      benchwright convert assist queue rephrase.jsonl
    """
    waiting = review_queue(suggestions, decisions, rejected=rejected)
    blocks = []
    for s in waiting:
        old = [f"  ({o.label}) {o.text}" for o in s.original_options]
        new = [f"  ({o.label}) {o.text}" for o in s.options]
        lines = [f"{s.id}  {s.problem_id}  {s.task}", f"- {s.original}", *old, f"+ {s.text}", *new]
        lines += [f"! {objection}" for objection in s.rejected]
        blocks.append("\n".join([*lines, *(f"? {doubt}" for doubt in s.doubts)]))
    blocks.append(waiting.headline())
    emit(msgspec.to_builtins(waiting), as_json, "\n\n".join(blocks))


@assist.command("decide")
@click.argument("suggestions", type=PATH)
@click.argument("suggestion")
@click.argument("verdict", type=click.Choice(["accept", "reject"]))
@click.option("--reviewer", required=True, help="Who decides.")
@click.option("--text", help="The text to use instead of the model's.")
@click.option("--note", default="", help="Why.")
@click.option("--decisions", type=PATH, help="[default: <SUGGESTIONS>.decisions.jsonl]")
def decide_command(
    suggestions: Path,
    suggestion: str,
    verdict: Literal["accept", "reject"],
    reviewer: str,
    text: str | None,
    note: str,
    decisions: Path | None,
) -> None:
    """Accept or reject one suggestion; the decision is appended, the last one counts.

    \b
    Example:
      benchwright convert assist decide rephrase.jsonl 1f2e accept --reviewer ada
    """
    decide_suggestion(
        suggestions, suggestion, verdict, reviewer, text=text, note=note, decisions=decisions
    )
