"""`benchwright evaluate agreement`."""

from __future__ import annotations

from pathlib import Path

import click

from ...base.terminal import emit, json_option

FILE = click.Path(path_type=Path, dir_okay=False)


@click.command()
@click.argument("judged", type=FILE)
@click.argument("votes", type=FILE)
@click.option("--field", required=True, help="Field of the judgements: category, answer, correct.")
@click.option("--protocol", help="Of judges.jsonl: answers, cot or process.")
@click.option("--human-field", help="Field of the votes, if it has another name.")
@json_option
def agreement(
    judged: Path,
    votes: Path,
    field: str,
    protocol: str | None,
    human_field: str | None,
    as_json: bool,
) -> None:
    """Compare a judge's verdicts (JUDGED) with people's votes (VOTES): raw agreement and kappa.

    JUDGED is judges.jsonl, answers.jsonl, cot.jsonl, process.jsonl or samples.jsonl of a score;
    VOTES is votes.jsonl, whose problem_id holds the sample's id. judges.jsonl gives a line a judge.

    \b
    Example:
      benchwright evaluate agreement scores/process.jsonl votes.jsonl --field category
      benchwright evaluate agreement scores/judges.jsonl votes.jsonl --field verdict \\
        --protocol answers --human-field correct
    """
    from .human_agreement import judge_agreement

    result = judge_agreement(judged, votes, field, human_field, protocol=protocol)
    lines = [
        f"{result.n} samples judged and voted on",
        f"agreement {result.agreement:.3f}",
        f"Cohen's kappa {result.kappa} (95 % {result.kappa_low} to {result.kappa_high})",
        *(f"  {name}: {one.headline()}" for name, one in result.by_judge.items()),
        *(f"  judge / people: {name}: {count}" for name, count in result.confusion.items()),
        *(
            f"differs: {f'{name}: ' if name else ''}{row['id']}: {row['judge']} / {row['people']}"
            for name, one in (result.by_judge or {"": result}).items()
            for row in one.disagreements
        ),
    ]
    emit(result, as_json, "\n".join(lines))
