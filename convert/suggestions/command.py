"""`convert assist`: suggestions of a model, their review queue, and decisions."""

from __future__ import annotations

from pathlib import Path
from typing import Any, Literal

import click
import msgspec

from ...llm import Model, plan, read_batch, write_batch
from ...terminal import emit, json_option, say
from .ask import TASKS, requests_of, suggest
from .review import decide_suggestion, review_queue

PATH = click.Path(path_type=Path)


@click.group()
def assist() -> None:
    """Ask a model for suggestions, review them, and let a recipe use the accepted ones.

    \b
    Example:
      benchwright convert assist ask problems.jsonl --task rephrase --model M -o rephrase.jsonl
      benchwright convert assist queue rephrase.jsonl
      benchwright convert assist decide rephrase.jsonl 1f2e accept --reviewer ada
    """


@assist.command("ask")
@click.argument("problems", type=PATH)
@click.option("--task", type=click.Choice(TASKS), required=True)
@click.option("--model", "name", required=True, help="Name of the model at the endpoint.")
@click.option("--base-url", help="OpenAI-compatible endpoint.  [default: OPENAI_BASE_URL]")
@click.option("-o", "--out", type=PATH, required=True, help="Suggestions to write (JSONL).")
@click.option("--cache", type=PATH, default=Path("answers.sqlite"), show_default=True)
@click.option("--concurrency", default=8, show_default=True)
@click.option("--per-minute", type=float, help="Requests a minute at most.")
@click.option("--price-in", default=0.0, help="Price of a million prompt tokens.")
@click.option("--price-out", default=0.0, help="Price of a million reply tokens.")
@click.option("--dry-run", is_flag=True, help="Count what would be asked; ask nothing.")
@click.option("--offline", is_flag=True, help="Use the cache only.")
@click.option("--write-batch", "batch_out", type=PATH, help="Write a batch file; ask nothing.")
@click.option(
    "--read-batch", "batch_in", type=PATH, help="First put a batch's replies in the cache."
)
@json_option
def ask_command(
    problems: Path,
    task: str,
    name: str,
    base_url: str | None,
    out: Path,
    cache: Path,
    concurrency: int,
    per_minute: float | None,
    price_in: float,
    price_out: float,
    dry_run: bool,
    offline: bool,
    batch_out: Path | None,
    batch_in: Path | None,
    as_json: bool,
) -> None:
    """Ask about every problem in PROBLEMS; write suggestions, rejected ones included.

    \b
    Example:
      benchwright convert assist ask problems.jsonl --task translate --model M -o english.jsonl
    """
    model = Model(
        name=name, base_url=base_url, concurrency=concurrency, per_minute=per_minute,
        price_in=price_in, price_out=price_out,
    )  # fmt: skip
    if batch_in is not None:
        say(f"read {read_batch(batch_in, cache)['ok']} replies")
    if dry_run:
        _report(plan(requests_of(problems, task), model, cache), as_json)
        return
    if batch_out is not None:
        asked = requests_of(problems, task)
        _report({"requests": write_batch(asked, model, cache, batch_out)}, as_json)
        return
    made = suggest(problems, task, model, out, cache=cache, offline=offline)
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
        blocks.append("\n".join([*lines, *(f"! {objection}" for objection in s.rejected)]))
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
