"""`benchwright dedup`: pairs, review, evidence, against."""

from __future__ import annotations

import sys
from collections import Counter
from pathlib import Path
from typing import Any

import click

from ..base.json_lines import put_line
from ..base.terminal import json_option, say, table

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
@click.option(
    "--families", "families_file", type=click.Path(dir_okay=False, path_type=Path),
    help="Write families of questions that differ only in numbers and names to this JSONL file.",
)  # fmt: skip
@click.option(
    "--embeddings", metavar="MODEL", help="Compare meanings, too, as this model has them."
)
@click.option("--base-url", help="Its OpenAI-compatible endpoint [default: OPENAI_BASE_URL].")
@click.option("--price-in", default=0.0, help="Price of a million tokens.")
@click.option("--budget", type=float, help="Ask nothing more once this is spent.")
@click.option(
    "--answers", type=click.Path(dir_okay=False, path_type=Path), default=Path("answers.db"),
    show_default=True, help="Vectors already paid for; a recipe names this file.",
)  # fmt: skip
@engine_options
def pairs(
    problems: Path, threshold: float, images: Path | None, no_pictures: bool, join_only: bool,
    families_file: Path | None, embeddings: str | None, base_url: str | None, price_in: float,
    budget: float | None, answers: Path, jobs: int, kind: Any, scheduler: str | None,
) -> None:  # fmt: skip
    """Write all pairs of PROBLEMS that may be duplicates, the likeliest first, as JSON lines.

    PROBLEMS is a problems.jsonl, a release's jsonl file, or any JSONL with id and question.
    More than eight questions that differ only in numbers and names are a family, never pairs.

    \b
    Example:
      benchwright dedup pairs problems.jsonl --threshold 0.85 > pairs.jsonl
    """
    from ..llm import Model
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
    kinds: Counter[str] = Counter()
    errata = []

    def put(pair: Any) -> None:
        put_line(pair)
        kinds[pair.kind] += 1
        if pair.kind == "erratum":
            errata.append([pair.a, pair.answers[0], pair.b, pair.answers[1], f"{pair.score:.2f}"])

    model = None
    if embeddings:
        model = Model(name=embeddings, base_url=base_url, price_in=price_in, budget=budget)
    proposed = find_pairs(
        problems, threshold, images=images, pictures=not no_pictures, engine=engine, each=put,
        embeddings=model, answers=answers,
    )  # fmt: skip
    report_unreadable(proposed.unreadable)
    say(f"{proposed.questions} questions, {kinds.total()} pairs")
    if kinds:
        say(table(kinds.most_common(), ["class", "pairs"]))
    if errata:
        say("\nprobable errata: one problem, two answers")
        say(table(errata, ["a", "answer", "b", "answer", "score"]))
    _say_families(proposed.families, families_file)
    sys.exit(1 if proposed.unreadable else 0)


def _say_families(families: list[Any], file: Path | None) -> None:
    from ..base.files import write_jsonl

    if file is not None:
        write_jsonl(file, families)
    if not families:
        return
    rows = [[f.template[:60], f.size, f.questions, f.answers, f.diversity] for f in families]
    rows.sort(key=lambda row: -row[1])
    say(f"\n{len(families)} families of questions that differ only in numbers and names")
    say(table(rows[:20], ["template", "members", "questions", "answers", "diversity"]))


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
    from ..base.terminal import emit
    from .review import review_pairs

    result = review_pairs(
        pairs, problems, decisions, annotator,
        kinds=kinds, again=again, images=images, ask=not as_json,
    )  # fmt: skip
    emit(result, as_json, f"{result.decided} decided, {result.left} left: {decisions}")
    sys.exit(1 if result.left else 0)


@dedup.command()
@click.argument("pairs", type=PATH)
@click.argument("problems", type=PATH)
@click.option(
    "-o", "--out", type=click.Path(file_okay=False, path_type=Path), required=True,
    help="New folder for evidence.jsonl, its pictures and evidence.html.",
)  # fmt: skip
@images_option
def evidence(pairs: Path, problems: Path, out: Path, images: Path | None) -> None:
    """Write a page about PAIRS of PROBLEMS: texts, pictures, what differs; `view` saves decisions.

    \b
    Example:
      benchwright dedup evidence pairs.jsonl problems.jsonl -o evidence
    """
    from .evidence import write_evidence

    number = write_evidence(pairs, problems, out, images=images)
    click.echo(f"{number} pairs: {out / 'evidence.html'}")


@dedup.command()
@click.argument("problems", type=PATH)
@click.argument("others", type=PATH)
@threshold_option
@click.option("--field", help="Field of OTHERS with the text; default: question, problem, text ...")
@images_option
@click.option(
    "--other-images", type=click.Path(exists=True, file_okay=False, path_type=Path),
    help="The same for OTHERS.",
)  # fmt: skip
@click.option("--no-pictures", is_flag=True, help="Do not open pictures.")
@click.option(
    "--report", type=click.Path(dir_okay=False, path_type=Path),
    help="Write a report to send on, in Markdown.",
)  # fmt: skip
@click.option("--json", "as_json", is_flag=True, help="Print JSON lines instead of a table.")
@engine_options
def against(
    problems: Path, others: Path, threshold: float, field: str | None, images: Path | None,
    other_images: Path | None, no_pictures: bool, report: Path | None, as_json: bool, jobs: int,
    kind: Any, scheduler: str | None,
) -> None:  # fmt: skip
    """Report questions of PROBLEMS that occur in OTHERS, a benchmark or training set.

    Both are JSONL (.gz too) or Parquet. Measures: equal after normalisation; similarity by the
    exact join; share of word 8- and 13-grams, raw and number-masked; words in common with the
    aligned passage; the same picture. Exits with 1 when there are any.

    \b
    Example:
      benchwright dedup against problems.jsonl gsm8k-train.jsonl --json > contamination.jsonl
    """
    from ..base.files import write_text
    from ..pipeline import Engine
    from .against import find_contamination
    from .items import report_unreadable

    hits = find_contamination(
        problems, others, threshold, field=field, images=images, other_images=other_images,
        pictures=not no_pictures, engine=Engine(jobs, kind, scheduler),
    )  # fmt: skip
    report_unreadable(hits.unreadable)
    if report is not None:
        write_text(report, hits.report(f"{problems.name} against {others.name}"))
    if as_json:
        for hit in hits:
            put_line(hit)
    elif hits:
        columns = ("8", "13", "8 masked", "13 masked")
        rows = [
            [h.id, h.other, "yes" if h.same_key else "", h.similarity or "",
             *(h.contained.get(c, "") for c in columns), h.aligned or "",
             "yes" if h.picture else "", h.passage[:60]]
            for h in hits
        ]  # fmt: skip
        header = [
            "id",
            "other",
            "same key",
            "similarity",
            *columns,
            "aligned",
            "picture",
            "passage",
        ]
        click.echo(table(rows, header))
    say(hits.headline())
    sys.exit(1 if hits or hits.unreadable else 0)
