"""`benchwright compare`, `evaluate leaderboard` and `evaluate errors`."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any

from ...base.commands import Printed
from ...base.terminal import table


def compare(
    release: Path,
    a: Path,
    b: Sequence[Path],
    *,
    out: Path | None = None,
    **options: Any,
) -> Printed:
    """Is A better than B, or each B? Each is a prediction file, or a folder that `score` wrote.

    Paired difference A - B with an exact test and an interval that agree and count clusters, the
    true difference that this split finds with 80 % power, and every label, corrected for being
    many. All are judged by the profile of their accuracy. With --out also a page that shows every
    sample with all replies side by side, and what flips: between versions, profiles, judges and
    rules, two judges. With --across it says what `explain` does of runs on two releases.

    Example:
      benchwright compare out/math-v-1.0.0 gpt.jsonl qwen.jsonl --split testmini
      benchwright compare out/math-v-1.1.0 new/gpt old/gpt --split testmini \\
        --across --other out/math-v-1.0.0 --out flips
    """
    from ..metrics import Explained
    from ..scoring import comparison_text
    from .compare import compare as run

    comparison = run(release, a, b, out=out, **options)
    if isinstance(comparison, Explained):
        return _explained(comparison, out)
    text = comparison_text(comparison)
    return Printed(comparison, text, notes=_page(out, "comparison.html"))


def explain(a: Path, b: str, *, out: Path | None = None, **options: Any) -> Printed:
    """Why is the figure of A not that of B?

    A is a folder that `score` wrote, or a prediction file with --release and --split. B is another
    one; or official, robust or own: the same replies by other verdicts; or a published figure. The
    difference is split sample by sample over its causes; the shares sum to it exactly.

    Example:
      benchwright explain scores/gpt scores/gpt-cot
      benchwright explain scores/gpt official --release out/math-v-1.0.0 --out why
      benchwright explain scores/gpt table.csv#GPT-4V
    """
    from .explain import explain as run

    explanation = run(a, b, out=out, **options)
    return _explained(explanation, out)


def _explained(explanation: Any, out: Path | None) -> Printed:
    from .explain import explanation_text

    text = explanation_text(explanation)
    return Printed(explanation, text, notes=_page(out, "explained.html"))


def _page(out: Path | None, name: str) -> list[str]:
    """Where the page stands, if one was written."""
    return [f"page: {out / name}"] if out else []


def leaderboard(runs: Sequence[Path], **options: Any) -> Printed:
    """Rank RUNS, folders that `score` or `evaluate humans` wrote, and say which are tied.

    Example:
      benchwright evaluate leaderboard scores/gpt scores/qwen scores/people --out board
    """
    from .leaderboard import leaderboard as run
    from .leaderboard import rows

    board = run(runs, **options)
    header, body = rows(board)
    title = f"{board.release} / {board.split}"
    lines = [title, "", table(body, header), *board.remarks]
    return Printed(board, "\n".join(lines))


def parts(runs: Sequence[Path], **options: Any) -> Printed:
    """Show a split beside the whole that it is a part of, for each of RUNS, label by label.

    Example:
      benchwright score out/math-v-1.0.0 gpt.jsonl --split testmini+test --out scores/gpt
      benchwright evaluate parts scores/gpt --release out/math-v-1.0.0 --part testmini --out parts
    """
    from .parts import parts as run

    tables = run(runs, **options)
    texts = [f"{t.title}\n{table(t.rows, t.header)}" for t in tables]
    data = [{"title": t.title, "header": t.header, "rows": t.rows} for t in tables]
    return Printed(data, "\n\n".join(texts))


def verdicts(scores: Path, **options: Any) -> Printed:
    """Draw verdicts of SCORES for people to check, and say how often they were wrong.

    Example:
      benchwright evaluate verdicts scores/gpt --number 500 --out sheet.csv
      benchwright evaluate verdicts scores/gpt --checked sheet.csv
    """
    from ..report import interval, percent
    from .drawn_verdicts import drawn_verdicts

    drawn = drawn_verdicts(scores, **options)
    errors = drawn.errors
    if errors is None:
        return Printed(drawn, f"{len(drawn.drawn)} verdicts drawn")
    share, reach = percent(errors.value, 2), interval(errors)
    counts = f"{errors.correct} of {drawn.checked} verdicts are wrong"
    lines = [f"{counts}: {share}  95 % {reach}", *drawn.wrong]
    return Printed(drawn, "\n".join(lines))


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
    text = f"{table(short, header)}\n\n{cases.headline()}"
    return Printed(cases, text, notes=_page(out, "errors.html"))
