"""`benchwright predict`."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import click

from ...base.registry import plugged
from ...base.terminal import emit, json_option, plugin_option, say
from ...llm import model_from, model_options
from ..prompts import STYLES

FILE = click.Path(path_type=Path)


def _temperature(context: click.Context, option: click.Parameter, text: str) -> float | None:
    """--temperature as a number, or None for the model's own."""
    if text == "none":
        return None
    try:
        return float(text)
    except ValueError as error:
        raise click.BadParameter("give a number, or none") from error


@click.command()
@click.argument("release", type=click.Path(path_type=Path, file_okay=False))
@click.option("--split", required=True, help="Which split to ask.")
@click.option("-o", "--out", type=FILE, required=True, help="The predictions to write.")
@click.option(
    "--prompt", "style", type=click.Choice(STYLES), help="Wording [default: the source's]."
)
@click.option(
    "--prompt-file", type=FILE, help="A prompt of one's own, with $question, $options, $cards."
)
@click.option("--in-words", is_flag=True, help="Send the release's captions, no pictures.")
@click.option("--captions", type=FILE, help='The same with {"image", "caption"} lines of a file.')
@click.option("--cards", type=FILE, help='{"concept", "card"} lines, for we-math-kca.')
@click.option("--max-tokens", type=int, help="Longest reply.")
@click.option(
    "--temperature",
    default="0",
    show_default=True,
    callback=_temperature,
    metavar="NUMBER|none",
    help="none: leave it to the model.",
)
@click.option(
    "--samples",
    default=1,
    show_default=True,
    type=click.IntRange(1),
    help="Replies to each question, for mean@k and pass@k.",
)
@click.option("--blind", is_flag=True, help="Send no pictures: for models that only read.")
@click.option(
    "--allow-missing-pictures",
    "allow_missing",
    is_flag=True,
    help="Ask about pictures that the release does not hold.",
)
@click.option("--limit", type=int, help="Ask only the first samples.")
@click.option("--cache", type=FILE, help="Answer cache [default: beside --out].")
@click.option("--dry-run", is_flag=True, help="Say what would be asked; ask nothing.")
@click.option("--batch-out", type=FILE, help="Write a batch input file instead of asking.")
@click.option("--batch-in", type=FILE, help="First take in a batch's output file.")
@click.option("--baseline", type=click.Choice(["random", "most-frequent"]), help="Ask no model.")
@click.option("--seed", default=0, help="Of the random baseline.")
@model_options("model")
@plugin_option
@json_option
def predict(
    release: Path, split: str, out: Path, plugins: tuple[Path, ...], as_json: bool, **options: Any
) -> None:
    """Ask a model every sample of a split of RELEASE and write its replies.

    Resumable: replies are cached as they come. The endpoint's key comes from the environment.

    \b
    Example:
      benchwright predict out/math-v-1.0.0 --split testmini --model gpt-4o --out gpt-4o.jsonl
      benchwright predict out/math-v-1.0.0 --split test --baseline random --out random.jsonl
    """
    from ...llm import plan, read_batch, write_batch
    from .ask_model import asking, cache_beside, predict_baseline, requests_of
    from .ask_model import predict as ask_all

    click.get_current_context().with_resource(plugged(plugins))
    model = model_from(options)
    if (model is None) == (options["baseline"] is None):
        raise click.UsageError("name a --model, or a --baseline")
    cache, limit = options["cache"] or cache_beside(out), options["limit"]
    if options["style"] and options["prompt_file"]:
        raise click.UsageError("give --prompt or --prompt-file, not both")
    wording = ("style", "prompt_file", "in_words", "captions", "cards", "max_tokens",
               "temperature", "samples", "blind", "allow_missing")  # fmt: skip
    how = asking(**{name: options[name] for name in wording})
    report: dict[str, Any]
    if model is None:
        kind, seed = options["baseline"], options["seed"]
        report = {"answers": predict_baseline(release, split, kind, out, seed=seed, limit=limit)}
    elif options["dry_run"]:
        report = dict(plan(requests_of(release, split, how, limit), model, cache))
    elif path := options["batch_out"]:
        asked = requests_of(release, split, how, limit)
        report = {"in_batch": write_batch(asked, model, cache, path)}
    else:
        taken = read_batch(options["batch_in"], cache) if options["batch_in"] else {}
        planned = plan(requests_of(release, split, how, limit), model, cache)
        say(
            f"{planned['to_ask']} to ask, {planned['cached']} kept already; about "
            f"{planned['characters'] // 4:,} prompt tokens and {planned['pictures']} pictures"
            + (f", {planned['cost_in']:g} before the replies" if model.price_in else "")
        )
        report = ask_all(release, split, model, out, cache=cache, how=how, limit=limit)
        report |= {"batch": taken} if taken else {}
    emit(report, as_json, "\n".join(f"{name}: {value}" for name, value in report.items()))
