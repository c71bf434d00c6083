"""`benchwright dedup`: pairs, review, against."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Any

import click

from ..terminal import json_option, put_line, say, table

PATH = click.Path(exists=True, dir_okay=False, path_type=Path)
THRESHOLD = 0.85

threshold_option = click.option(
    "--threshold", type=float, default=THRESHOLD, show_default=True,
    help="Similarity of questions: 1 - edits / length of the longer; a whole percentage.",
)  # fmt: skip
images_option = click.option(
    "--images", type=click.Path(exists=True, file_okay=False, path_type=Path),
    help="Folder that picture paths are relative to; default: the file's folder.",
)  # fmt: skip


def engine_options(command: Any) -> Any:
    """--jobs, --engine and --scheduler."""
    for option in (
        click.option("--scheduler", help="Address of a Dask scheduler (TMPDIR must be shared)."),
        click.option(
            "--engine", "kind", type=click.Choice(["local", "dask"]), default="local",
            show_default=True, help="Where the work runs.",
        ),
        click.option("--jobs", type=click.IntRange(1), default=1, show_default=True,
                     help="Worker processes."),
    ):  # fmt: skip
        command = option(command)
    return command


@click.group()
def dedup() -> None:
    """Find, classify and review duplicate problems."""


@dedup.command()
@click.argument("problems", type=PATH)
@threshold_option
@images_option
@click.option("--no-pictures", is_flag=True, help="Do not open pictures.")
@click.option(
    "--join-only", is_flag=True,
    help="Only the exact join: {a, b, distance, similarity}, and {group} for identical questions.",
)  # fmt: skip
@engine_options
def pairs(
    problems: Path, threshold: float, images: Path | None, no_pictures: bool, join_only: bool,
    jobs: int, kind: Any, scheduler: str | None,
) -> None:  # fmt: skip
    """Write all pairs of PROBLEMS that may be duplicates, with class and evidence, as JSON lines.

    PROBLEMS is a problems.jsonl, a release's jsonl file, or any JSONL with id and question.

    \b
    Example:
      benchwright dedup pairs problems.jsonl --threshold 0.85 > pairs.jsonl
    """
    from ..pipeline import Engine
    from .items import report_unreadable
    from .pairs import find_joined, find_pairs

    engine = Engine(jobs, kind, scheduler)
    if join_only:
        rows, unreadable = find_joined(problems, threshold, engine=engine)
        report_unreadable(unreadable)
        for row in rows:
            put_line(row)
        sys.exit(1 if unreadable else 0)
    proposed = find_pairs(
        problems, threshold, images=images, pictures=not no_pictures, engine=engine
    )
    report_unreadable(proposed.unreadable)
    for pair in proposed:
        put_line(pair)
    say(f"{proposed.questions} questions, {len(proposed)} pairs")
    if proposed:
        say(table(list(proposed.counts().items()), ["class", "pairs"]))
    sys.exit(1 if proposed.unreadable else 0)


@dedup.command()
@click.argument("pairs", type=PATH)
@click.argument("problems", type=PATH)
@click.option(
    "--decisions", type=click.Path(dir_okay=False, path_type=Path),
    default=Path("decisions/duplicates.jsonl"), show_default=True, help="File to append to.",
)  # fmt: skip
@click.option("--annotator", envvar="USER", default="", help="Your name; default: $USER.")
@click.option("--class", "kinds", multiple=True, help="Only pairs of this class (repeatable).")
@click.option("--again", is_flag=True, help="Ask about decided pairs too.")
@images_option
@json_option
def review(
    pairs: Path, problems: Path, decisions: Path, annotator: str, kinds: tuple[str, ...],
    again: bool, images: Path | None, as_json: bool,
) -> None:  # fmt: skip
    """Decide about PAIRS of PROBLEMS one by one, side by side; every decision is saved at once.

    Exits with 1 while pairs are left. With --json nothing is asked; what is left is printed.

    \b
    Example:
      benchwright dedup review pairs.jsonl problems.jsonl --annotator ann
    """
    from ..terminal import emit
    from .review import review_pairs

    result = review_pairs(
        pairs, problems, decisions, annotator,
        kinds=kinds, again=again, images=images, ask=not as_json,
    )  # fmt: skip
    emit(result, as_json, f"{result.decided} decided, {result.left} left: {decisions}")
    sys.exit(1 if result.left else 0)


@dedup.command()
@click.argument("problems", type=PATH)
@click.argument("others", type=PATH)
@threshold_option
@click.option("--json", "as_json", is_flag=True, help="Print JSON lines instead of a table.")
@engine_options
def against(
    problems: Path, others: Path, threshold: float, as_json: bool, jobs: int, kind: Any,
    scheduler: str | None,
) -> None:  # fmt: skip
    """Report questions of PROBLEMS that occur in OTHERS (a benchmark or training set, JSONL).

    Measures: equal after normalisation; share of word 8- and 13-grams, raw and number-masked;
    similarity by the exact join. Exits with 1 when there are any.

    \b
    Example:
      benchwright dedup against problems.jsonl gsm8k-train.jsonl --json > contamination.jsonl
    """
    from ..pipeline import Engine
    from .against import find_contamination
    from .items import report_unreadable

    hits = find_contamination(problems, others, threshold, engine=Engine(jobs, kind, scheduler))
    report_unreadable(hits.unreadable)
    if as_json:
        for hit in hits:
            put_line(hit)
    elif hits:
        columns = ("8", "13", "8 masked", "13 masked")
        rows = [
            [h.id, h.other, "yes" if h.same_key else "", h.similarity or "",
             *(h.contained.get(c, "") for c in columns)]
            for h in hits
        ]  # fmt: skip
        click.echo(table(rows, ["id", "other", "same key", "similarity", *columns]))
    say(hits.headline())
    sys.exit(1 if hits or hits.unreadable else 0)
