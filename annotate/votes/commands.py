"""`benchwright annotate vote | agreement | adjudicate`: what follows the votes."""

from __future__ import annotations

from pathlib import Path

import click

from ...base.terminal import emit, json_option, plugin_option, table
from .policies import Ties

FILE = click.Path(path_type=Path, dir_okay=False)
votes_argument = click.argument("votes", type=FILE)
field_option = click.option("--field", required=True, help="Which field of the votes.")
tree_option = click.option("--tree", help="Taxonomy that the labels are from: name or file.")


@click.command()
@votes_argument
@field_option
@tree_option
@click.option(
    "--policy", default="adjudicate", show_default=True, help="One of `benchwright stages`."
)
@click.option("--quorum", type=click.IntRange(1), help="People that a decision needs.")
@click.option("--ties", type=click.Choice(["open", "advisers"]), help="Who breaks ties of people.")
@click.option("--adjudicated", type=FILE, help="Votes of an adjudication project: final.")
@click.option("-o", "--out", type=FILE, help="Write the ledger here.")
@plugin_option
@json_option
def vote(
    votes: Path,
    field: str,
    tree: str | None,
    policy: str,
    quorum: int | None,
    ties: Ties | None,
    adjudicated: Path | None,
    out: Path | None,
    plugins: tuple[Path, ...],
    as_json: bool,
) -> None:
    """Decide every item of VOTES by a policy; the ledger says which rule decided.

    \b
    Example:
      benchwright annotate vote votes.jsonl --field subject --tree math-v -o ledger.jsonl
    """
    from .vote import vote as decide

    entries = decide(
        votes, field, tree=tree, policy=policy, quorum=quorum, ties=ties, adjudicated=adjudicated,
        out=out, plugins=plugins,
    )  # fmt: skip
    rows = [[rule, state, count] for rule, state, count in entries.rules()]
    data = entries.summary()
    tail = f"\n{data['flagged']} flagged for the adjudicator, {data['ignored_votes']} votes ignored"
    emit(data, as_json, table(rows, ["rule", "", "items"]) + tail)


@click.command()
@votes_argument
@field_option
@tree_option
@click.option("--models", is_flag=True, help="Count model advisers as voters, too.")
@click.option("-o", "--out", type=click.Path(path_type=Path), help="Folder for the reports.")
@json_option
def agreement(
    votes: Path, field: str, tree: str | None, models: bool, out: Path | None, as_json: bool
) -> None:
    """How far the voters of VOTES agree: raw, Fleiss' kappa, Krippendorff's alpha, people, labels.

    Writes agreement.json, agreement.md, agreement.html and disagreements.jsonl into the folder.

    \b
    Example:
      benchwright annotate agreement votes.jsonl --field subject -o reports
    """
    from .agreement import agreement as measure
    from .report import markdown, write_report

    result = measure(votes, field, tree, models)
    if out is not None:
        write_report(result, out)
    emit(result, as_json, markdown(result).rstrip("\n"))


@click.command()
@click.argument("ledger", type=FILE)
@click.argument("problems", type=FILE)
@click.option("-o", "--out", type=FILE, required=True, help="Problems for the adjudicator.")
@json_option
def adjudicate(ledger: Path, problems: Path, out: Path, as_json: bool) -> None:
    """Collect what LEDGER left open or flagged from PROBLEMS, for a blind adjudication project.

    Votes are noted without names. Push the file to a project of its own with one annotator, pull
    it, and give its votes to `annotate vote --adjudicated`: they are final.

    \b
    Example:
      benchwright annotate adjudicate ledger.jsonl problems.jsonl -o adjudicate.jsonl
    """
    from .adjudication import adjudicate as collect

    ids = collect(ledger, problems, out)
    emit({"items": ids, "file": str(out)}, as_json, f"{len(ids)} items to adjudicate: {out}")
