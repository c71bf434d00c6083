"""`benchwright compare`, `evaluate leaderboard` and `evaluate errors`."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any

from ...base.commands import Printed
from ...base.terminal import table


def compare(
    release: Path, a: Path, b: Sequence[Path], *, out: Path | None = None, **options: Any
) -> Printed:
    """Is A better than B, or each B? Each is a prediction file, or a folder that `score` wrote.

    Paired difference A - B with an exact test and an interval that agree and count clusters, the
    true difference that this split finds with 80 % power, and every label, corrected for being
    many. All are judged by the profile of their accuracy. With --out also a page that shows every
    sample with all replies side by side, and what flips: between versions, profiles, judges and
    rules, two judges, and with --across between two versions of a release.

    Example:
      benchwright compare out/math-v-1.0.0 gpt.jsonl qwen.jsonl --split testmini
      benchwright compare out/math-v-1.1.0 new/gpt old/gpt --split testmini \\
        --across --other out/math-v-1.0.0 --out flips
    """
    from ..scoring import comparison_text
    from .compare import compare as run

    comparison = run(release, a, b, out=out, **options)
    notes = [f"page: {out / 'comparison.html'}"] if out else []
    return Printed(comparison, comparison_text(comparison), notes=notes)


def leaderboard(runs: Sequence[Path], **options: Any) -> Printed:
    """Rank RUNS, folders that `score` or `evaluate humans` wrote, and say which are tied.

    Example:
      benchwright evaluate leaderboard scores/gpt scores/qwen scores/people --out board
    """
    from .leaderboard import leaderboard as run
    from .leaderboard import rows

    board = run(runs, **options)
    header, body = rows(board)
    return Printed(board, f"{board.release} / {board.split}\n\n{table(body, header)}")


def errors(
    runs: Sequence[Path], *, out: Path | None = None, top: int = 20, **options: Any
) -> Printed:
    """Rank the telling cases of RUNS, folders that `score` wrote: where to look first.

    The gold stands in a reply that was not read, robust against official rules, near misses, one
    run against all others, flips between versions of a problem.

    Args:
        top: How many the terminal shows.

    Example:
      benchwright evaluate errors scores/gpt scores/qwen --release out/math-v-1.0.0 --out errors
    """
    from .errors import rank_errors as run

    cases = run(runs, out=out, **options)
    header, rows = cases.table()
    short = [[str(cell)[:60] for cell in row] for row in rows[:top]]
    notes = [f"page: {out / 'errors.html'}"] if out else []
    return Printed(cases, f"{table(short, header)}\n\n{cases.headline()}", notes=notes)
