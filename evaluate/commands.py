"""`benchwright score` and `benchwright compare`."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any, TypeVar

import click

from ..base.terminal import emit, json_option, plugin_option, say
from ..llm import model_options

F = TypeVar("F", bound=Callable[..., Any])
FOLDER = click.Path(exists=True, file_okay=False, path_type=Path)
FILE = click.Path(exists=True, dir_okay=False, path_type=Path)


def reading_options(command: F) -> F:
    """How a prediction file is read: the options that score, compare and humans share."""
    for option in (
        click.option("--jobs", default=2, show_default=True, help="Worker processes."),
        click.option("--lenient", is_flag=True, help="List damaged rows instead of refusing them."),
        click.option("--response-field", help="Field of the reply (default: known by layout)."),
        click.option("--id-field", help="Field of the sample's id (default: known by layout)."),
        click.option(
            "--answers",
            type=click.Path(exists=True, path_type=Path),
            help="Private folder, or its answers.jsonl, of a release that withholds answers.",
        ),
        click.option("--split", required=True, help="Which split was predicted."),
    ):
        command = option(command)
    return command


papers_option = click.option(
    "--papers", is_flag=True, help="Also tables/ (LaTeX, CSV, Markdown) and figures/ (SVG, PDF)."
)


@click.command()
@click.argument("release", type=FOLDER)
@click.argument("predictions", type=FILE, nargs=-1, required=True)
@reading_options
@click.option(
    "-o", "--out", type=click.Path(path_type=Path), required=True, help="Folder to write."
)
@click.option(
    "--profile",
    metavar="robust|official|NAME",
    default="robust",
    show_default=True,
    help="Whose verdicts the main tables show; both are always written. official: the rules that "
    "belong to each source; NAME: these rules for every source (`benchwright stages`).",
)
@plugin_option
@model_options("judge", several=True)
@click.option(
    "--protocol",
    "protocols",
    multiple=True,
    type=click.Choice(["answers", "cot", "process"]),
    help="What the judge does; may be given again [default: answers].",
)
@click.option("--arbiter", help="A model that decides where several judges do not.")
@click.option("--extractor", help="A model that lists the key steps for --protocol cot.")
@click.option(
    "--cot-alpha",
    default=0.7,
    show_default=True,
    type=click.FloatRange(0, 1),
    help="Weight of the key steps in a CoT score.",
)
@click.option(
    "--judge-prompts",
    type=click.Choice(["own", "printed"]),
    default="own",
    show_default=True,
    help="Our prompts, or those that the papers print.",
)
@click.option(
    "--prompt-file",
    "prompt_files",
    multiple=True,
    metavar="TASK=FILE",
    help="A prompt of one's own: answers, cot-extract, cot-score or process.",
)
@click.option("--limit", type=click.IntRange(0), help="Judge only the first replies.")
@click.option(
    "--dry-run", is_flag=True, help="Say what judges would be asked; ask and score nothing."
)
@click.option("--alpha", default=0.0, show_default=True, help="Worth of IK in We-Math's score.")
@click.option("--beta", default=0.5, show_default=True, help="Worth of IG in We-Math's score.")
@click.option("--offline", is_flag=True, help="Use only judge replies that are kept already.")
@click.option("--verdicts", type=FILE, help="People's verdicts on replies, as `view` saves them.")
@click.option(
    "--as-of",
    metavar="VERSION",
    help="Score by the golds of an earlier version; lists verdicts that corrections changed.",
)
@click.option("--no-report", is_flag=True, help="Write no report.md and report.html.")
@papers_option
@json_option
def score(
    release: Path,
    predictions: tuple[Path, ...],
    out: Path,
    no_report: bool,
    as_json: bool,
    **options: Any,
) -> None:
    """Score PREDICTIONS (one {"id", "response"} a line) for a split of RELEASE.

    Several files together answer a split. Reads prediction files of VLMEvalKit, lmms-eval, inspect
    and the four benchmarks too; several replies to a sample give mean@k and pass@k. Writes
    samples.jsonl, scores.json, report.md and report.html. Rules decide; with --judge a model is
    asked too, and --verdicts has people decide what rules left open; what either decided is counted
    apart. --judge MODEL@URL names another endpoint; given
    several times, more than half of the judges decide.

    \b
    Example:
      benchwright score out/math-v-1.0.0 gpt.jsonl --split testmini --out scores/gpt
      benchwright score out/math-v-1.0.0 gpt.jsonl --split testmini --out scores/gpt \\
        --judge MODEL-A --judge MODEL-B --arbiter MODEL-C --dry-run
    """
    from .metrics import Weights
    from .scoring import panel_from, planned, spent, summary
    from .scoring import score as run

    dry_run = options["dry_run"]
    panel = panel_from(options, out)
    options["protocols"] = options["protocols"] or ("answers",)
    options["weights"] = Weights(alpha=options.pop("alpha"), beta=options.pop("beta"))
    if dry_run and panel is not None:
        run(release, predictions, judge=panel, **options)
        emit(planned(panel)[1], as_json, planned(panel)[0])
        return
    scores = run(release, predictions, out=out, judge=panel, report=not no_report, **options).scores
    emit(scores, as_json, summary(scores))
    for judge in panel.everyone() if panel else ():
        say(spent(judge))
    if not no_report:
        say(f"report: {out / 'report.html'}")


@click.command()
@click.argument("release", type=FOLDER)
@click.argument("a", type=click.Path(exists=True, path_type=Path))
@click.argument(
    "b", nargs=-1, required=True, type=click.Path(exists=True, path_type=Path), metavar="B..."
)
@reading_options
@click.option(
    "-o", "--out", type=click.Path(path_type=Path), help="Folder for comparison.html, all replies."
)
@click.option(
    "--across",
    is_flag=True,
    help="B is of another release, split or profile: describe both on shared samples, no test.",
)
@click.option("--other", type=FOLDER, help="B's release, for the page of --across.")
@papers_option
@json_option
def compare(release: Path, a: Path, b: tuple[Path, ...], as_json: bool, **options: Any) -> None:
    """Is A better than B, or each B? Each is a prediction file, or a folder that `score` wrote.

    Paired difference A - B with an exact test and an interval that agree and count clusters, the
    true difference that this split finds with 80 % power, and every label, corrected for being
    many. All are judged by the profile of their accuracy. With --out also a page that shows every
    sample with all replies side by side, and what flips: between versions, profiles, judges and
    rules, two judges, and with --across between two versions of a release.

    \b
    Example:
      benchwright compare out/math-v-1.0.0 gpt.jsonl qwen.jsonl --split testmini
      benchwright compare out/math-v-1.1.0 new/gpt old/gpt --split testmini \\
        --across --other out/math-v-1.0.0 --out flips
    """
    from .runs import compare as run
    from .scoring import comparison_text

    comparison = run(release, a, b, **options)
    emit(comparison, as_json, comparison_text(comparison))
    if options["out"] is not None:
        say(f"page: {options['out'] / 'comparison.html'}")
