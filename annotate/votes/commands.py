"""`benchwright annotate vote | agreement | adjudicate`: what follows the votes."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from ...base.commands import Printed
from ...base.terminal import table


def vote(votes: Path, **options: Any) -> Printed:
    """Decide every item of VOTES by a policy; the ledger says which rule decided.

    Example:
      benchwright annotate vote votes.jsonl --field subject --tree math-v -o ledger.jsonl
    """
    from .vote import vote as decide

    entries = decide(votes, **options)
    counts = entries.summary()
    lines = [
        table(list(map(list, entries.rules())), ["rule", "", "items"]),
        f"{counts['flagged']} flagged for the adjudicator, "
        f"{counts['ignored_votes']} votes ignored",
    ]
    return Printed(counts, "\n".join(lines))


def agreement(votes: Path, *, out: Path | None = None, **options: Any) -> Printed:
    """How far the voters of VOTES agree: raw, Fleiss' kappa, Krippendorff's alpha, people, labels.

    Args:
        out: Folder for agreement.json, agreement.md, agreement.html and disagreements.jsonl.

    Example:
      benchwright annotate agreement votes.jsonl --field subject -o reports
    """
    from .agreement import agreement as measure
    from .report import markdown, write_report

    result = measure(votes, **options)
    if out is not None:
        write_report(result, out)
    return Printed(result, markdown(result).rstrip("\n"))


def adjudicate(ledger: Path, problems: Path, *, out: Path, **options: Any) -> Printed:
    """Collect what LEDGER left open or flagged from PROBLEMS, for a blind adjudication project.

    Votes are noted without names. Push the file to a project of its own with one annotator, pull
    it, and give its votes to `annotate vote --adjudicated`: they are final.

    Example:
      benchwright annotate adjudicate ledger.jsonl problems.jsonl -o adjudicate.jsonl
    """
    from .adjudication import adjudicate as collect

    ids = collect(ledger, problems, out, **options)
    text = f"{len(ids)} items to adjudicate: {out}"
    return Printed({"items": ids, "file": str(out)}, text)
