"""`benchwright annotate advise`."""

from __future__ import annotations

import sys
from pathlib import Path

import click
import msgspec

from ...base.terminal import emit, json_option

PATH = click.Path(path_type=Path)


@click.command()
@click.argument("problems", type=PATH)
@click.option("--tree", required=True, metavar="TREE", help="Built-in tree, or a YAML file.")
@click.option("--model", "models", multiple=True, required=True, help="Ask this model (repeat).")
@click.option("--base-url", envvar="OPENAI_BASE_URL", help="Any OpenAI-compatible endpoint.")
@click.option("--votes", type=PATH, required=True, help="Append the votes to this file.")
@click.option("--images", type=PATH, help="Folder that picture paths are relative to.")
@click.option("--several", is_flag=True, help="Ask for all concepts, not for one subject.")
@click.option("--cache", type=PATH, help="Answers already paid for; default: beside the votes.")
@click.option("--offline", is_flag=True, help="Ask nothing; use the cache alone.")
@json_option
def advise(
    problems: Path,
    tree: str,
    models: tuple[str, ...],
    base_url: str | None,
    votes: Path,
    images: Path | None,
    several: bool,
    cache: Path | None,
    offline: bool,
    as_json: bool,
) -> None:
    """Ask models which labels PROBLEMS (problems.jsonl) should carry.

    Replies are checked against the tree and appended to the votes file as votes of kind model.
    Exit 1 when a reply is no label or a request failed; run again to ask the failed ones.

    \b
    Example:
      benchwright annotate advise problems.jsonl --tree math-v --model gpt-4o --votes advice.jsonl
    """  # fmt: skip
    from ...llm import Model
    from .advise import advise as ask_models

    advisers = [Model(name=name, base_url=base_url) for name in models]
    advice = ask_models(problems, tree, advisers, votes, cache, images, several, offline)
    lines = [f"{r.problem_id}, {r.annotator}: refused: {r.reason}" for r in advice.refused]
    lines.append(
        f"{advice.votes} votes ({advice.new_votes} new, {advice.cached} replies from the cache), "
        f"{len(advice.refused)} refused, {advice.failed} failed"
    )
    emit(msgspec.to_builtins(advice), as_json, "\n".join(lines))
    sys.exit(1 if advice.refused or advice.failed else 0)
