"""`benchwright evaluate booklets` and `humans`."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from ...base.commands import Printed
from ...base.terminal import table
from ..report import interval, percent


def booklets(release: Path, **options: Any) -> Printed:
    """Deal a split of RELEASE out to booklets for people, each with a sheet to fill in.

    Example:
      benchwright evaluate booklets out/math-v-1.0.0 --split testmini --number 16 --out booklets
      benchwright evaluate booklets out/math-v-1.0.0 --split testmini --number 10 --out booklets \\
        --people 30 --each 2 --minutes 70
    """
    from .booklets import booklets as run

    dealt = run(release, **options)
    text = f"{len(dealt)} booklets of {len(dealt[-1])} to {len(dealt[0])} samples"
    return Printed(dealt, text)


def humans(release: Path, replies: Path, *, out: Path, **options: Any) -> Printed:
    """Score what people answered: a CSV (id, person, answer) or votes of Label Studio.

    Example:
      benchwright evaluate humans out/math-v-1.0.0 answers.csv --split testmini --out scores/people
    """
    from .human_baseline import humans as run

    scores, by_person = run(release, replies, out=out, **options)
    rows = [[p, r.n, percent(r.value), interval(r)] for p, r in by_person.items()]
    pooled = scores.accuracy
    missing = scores.coverage.missing
    whole = "(questions)" if options.get("one_verdict") else "(all answers)"
    rows.append([whole, pooled.n, percent(pooled.value), interval(pooled)])
    data = {"accuracy": pooled, "people": by_person, "unanswered": missing}
    notes = [f"{len(missing)} samples were answered by nobody"] if missing else []
    return Printed(
        data, table(rows, ["person", "answers", "accuracy", "95 %"]), notes=notes
    )
