"""`convert assist`: suggestions of a model, their review queue, and decisions."""

from __future__ import annotations

from pathlib import Path
from typing import Any, Literal

import click
import msgspec

from ...files import read_jsonl, write_jsonl
from ...llm import Model, plan, read_batch, usage, write_batch
from ...problem import Problem
from ...terminal import emit, json_option, progress, say
from .ask import TASKS, requests, suggest
from .review import Decision, Suggestion, decide, queue, read_decisions

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
    held = list(read_jsonl(problems, Problem))
    asked = [request for request, _, _ in requests(held, task)]
    if batch_in is not None:
        say(f"read {read_batch(batch_in, cache)['ok']} replies")
    if dry_run:
        _report(plan(asked, model, cache), as_json)
    elif batch_out is not None:
        _report({"requests": write_batch(asked, model, cache, batch_out)}, as_json)
    else:
        _ask(held, task, model, cache, out, offline, as_json, len(asked))


def _ask(
    problems: list[Problem],
    task: str,
    model: Model,
    cache: Path,
    out: Path,
    offline: bool,
    as_json: bool,
    total: int,
) -> None:
    asked = suggest(problems, task, model, cache, offline=offline)
    pairs = list(progress(asked, task, total, "problems"))
    answers = [answer for _, answer in pairs]
    made = [suggestion for suggestion, _ in pairs if suggestion]
    write_jsonl(out, made)
    counts = {
        "suggestions": len(made),
        "rejected": sum(bool(s.rejected) for s in made),
        "to_review": len(queue(made, {})),
    }
    _report(usage(answers, model) | counts, as_json)
    failed = [a for a in answers if a.status != "ok"]
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
    held = list(read_jsonl(suggestions, Suggestion))
    decided = read_decisions(decisions or _beside(suggestions))
    waiting = [s for s in held if s.rejected] if rejected else queue(held, decided)
    blocks = []
    for s in waiting:
        old = [f"  ({o.label}) {o.text}" for o in s.original_options]
        new = [f"  ({o.label}) {o.text}" for o in s.options]
        lines = [f"{s.id}  {s.problem_id}  {s.task}", f"- {s.original}", *old, f"+ {s.text}", *new]
        blocks.append("\n".join([*lines, *(f"! {found}" for found in s.rejected)]))
    blocks.append(f"{len(waiting)} of {len(held)}")
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
    held = list(read_jsonl(suggestions, Suggestion))
    matches = [s.id for s in held if s.id.startswith(suggestion)]
    full = matches[0] if len(matches) == 1 else suggestion
    decision = Decision(suggestion=full, verdict=verdict, reviewer=reviewer, text=text, note=note)
    decide(decisions or _beside(suggestions), held, decision)


def _beside(suggestions: Path) -> Path:
    return suggestions.with_suffix(".decisions.jsonl")
