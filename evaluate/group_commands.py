"""`benchwright evaluate`: what is done with several runs, and with people."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import click

from ..base.terminal import emit, json_option, plugin_option, say, table
from .commands import FILE, FOLDER, papers_option
from .judges import agreement


@click.group()
def evaluate() -> None:
    """Leaderboards, people as a baseline, agreement of judges and people."""


evaluate.add_command(agreement)


@evaluate.command()
@click.argument("runs", nargs=-1, required=True, type=FOLDER)
@click.option(
    "-o", "--out", type=click.Path(path_type=Path), help="Folder for leaderboard.{json,md,html}."
)
@click.option("--release", type=FOLDER, help="Show every sample, the replies of all runs beside.")
@click.option("--answers", type=FILE, help="Private answers.jsonl of a withheld split.")
@papers_option
@json_option
def leaderboard(runs: tuple[Path, ...], out: Path | None, as_json: bool, **options: Any) -> None:
    """Rank RUNS, folders that `score` or `evaluate humans` wrote, and say which are tied.

    \b
    Example:
      benchwright evaluate leaderboard scores/gpt scores/qwen scores/people --out board
    """
    from .runs import leaderboard as run
    from .runs import rows

    board = run(runs, out, **options)
    header, body = rows(board)
    emit(board, as_json, f"{board.release} / {board.split}\n\n{table(body, header)}")


@evaluate.command()
@click.argument("runs", nargs=-1, required=True, type=FOLDER)
@click.option("--release", type=FOLDER, help="The release of the runs; the page needs it.")
@click.option("--answers", type=FILE, help="Private answers.jsonl of a withheld split.")
@click.option(
    "-o", "--out", type=click.Path(path_type=Path), help="Folder for errors.{jsonl,html}."
)
@click.option("--top", default=20, show_default=True, help="How many the terminal shows.")
@json_option
def errors(
    runs: tuple[Path, ...],
    release: Path | None,
    answers: Path | None,
    out: Path | None,
    top: int,
    as_json: bool,
) -> None:
    """Rank the telling cases of RUNS, folders that `score` wrote: where to look first.

    The gold stands in a reply that was not read, robust against official rules, near misses, one
    run against all others, flips between versions of a problem.

    \b
    Example:
      benchwright evaluate errors scores/gpt scores/qwen --release out/math-v-1.0.0 --out errors
    """
    from .runs import rank_errors as run

    cases = run(runs, release, out, answers=answers)
    header, rows = cases.table()
    short = [[str(cell)[:60] for cell in row] for row in rows[:top]]
    emit(cases, as_json, f"{table(short, header)}\n\n{cases.headline()}")
    if out is not None:
        say(f"page: {out / 'errors.html'}")


@evaluate.command()
@click.argument("release", type=FOLDER)
@click.option("--split", required=True)
@click.option("--number", default=8, show_default=True, help="How many booklets.")
@click.option("--by", multiple=True, default=["subject"], show_default=True, help="Labels to mix.")
@click.option("--seed", default=7, show_default=True)
@click.option("-o", "--out", type=click.Path(path_type=Path), required=True)
@plugin_option
@json_option
def booklets(release: Path, split: str, out: Path, as_json: bool, **options: Any) -> None:
    """Deal a split of RELEASE out to booklets for people, each with a sheet to fill in.

    \b
    Example:
      benchwright evaluate booklets out/math-v-1.0.0 --split testmini --number 16 --out booklets
    """
    from .people import booklets as run

    dealt = run(release, split, out, **options)
    emit(dealt, as_json, f"{len(dealt)} booklets of {len(dealt[-1])} to {len(dealt[0])} samples")


@evaluate.command()
@click.argument("release", type=FOLDER)
@click.argument("answers", type=FILE)
@click.option("--split", required=True)
@click.option("--gold", type=FILE, help="Private answers.jsonl of a withheld split.")
@click.option("-o", "--out", type=click.Path(path_type=Path), required=True)
@json_option
def humans(
    release: Path, answers: Path, split: str, gold: Path | None, out: Path, as_json: bool
) -> None:
    """Score what people answered: a CSV (id, person, answer) or votes of Label Studio.

    \b
    Example:
      benchwright evaluate humans out/math-v-1.0.0 answers.csv --split testmini --out scores/people
    """
    from .people import humans as run
    from .report import interval, percent

    scores, by_person = run(release, answers, split, out, gold=gold)
    rows = [[p, r.n, percent(r.value), interval(r)] for p, r in by_person.items()]
    pooled = scores.accuracy
    rows.append(["(all answers)", pooled.n, percent(pooled.value), interval(pooled)])
    data = {"accuracy": pooled, "people": by_person, "unanswered": scores.coverage.missing}
    emit(data, as_json, table(rows, ["person", "answers", "accuracy", "95 %"]))
    if scores.coverage.missing:
        say(f"{len(scores.coverage.missing)} samples were answered by nobody")
