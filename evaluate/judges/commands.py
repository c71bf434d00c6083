"""`benchwright evaluate agreement`."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from ...base.commands import Printed


def agreement(judged: Path, votes: Path, **options: Any) -> Printed:
    """Compare a judge's verdicts (JUDGED) with people's votes (VOTES): raw agreement and kappa.

    judges.jsonl gives a line a judge.

    Example:
      benchwright evaluate agreement scores/process.jsonl votes.jsonl --field category
      benchwright evaluate agreement scores/judges.jsonl votes.jsonl --field verdict \\
        --protocol answers --human-field correct
    """
    from .human_agreement import judge_agreement

    result = judge_agreement(judged, votes, **options)
    lines = [
        f"{result.n} samples judged and voted on",
        f"agreement {result.agreement:.3f}",
        f"Cohen's kappa {result.kappa} (95 % {result.kappa_low} to {result.kappa_high})",
        *(f"  {name}: {one.headline()}" for name, one in result.by_judge.items()),
        *(
            f"  judge / people: {name}: {count}"
            for name, count in result.confusion.items()
        ),
        *(
            f"differs: {f'{name}: ' if name else ''}{row['id']}: {row['judge']} / {row['people']}"
            for name, one in (result.by_judge or {"": result}).items()
            for row in one.disagreements
        ),
    ]
    return Printed(result, "\n".join(lines))
