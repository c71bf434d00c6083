"""`benchwright score`."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any

from ...base.commands import Printed
from ...llm import Model
from .judge_options import Judging, panel_of


def score(
    release: Path,
    predictions: Sequence[Path],
    *,
    out: Path,
    judge: Sequence[Model] = (),
    judging: Judging | None = None,
    **options: Any,
) -> Printed:
    """Score PREDICTIONS (one {"id", "response"} a line) for a split of RELEASE.

    RELEASE may be an export of one (out/math-v-1.0.0-exports/inspect), one split's JSON lines or
    Parquet, any table with ids and golds, hub:owner/name@commit, or a YAML file with one source as
    recipes have them (reader, path, fields): what such material does not say is said.
    Several files together answer a split. Reads prediction files of VLMEvalKit, lmms-eval, inspect
    and the four benchmarks too; several replies to a sample give mean@k and pass@k. Writes
    samples.jsonl, scores.json, report.md and report.html. Rules decide; with --judge a model is
    asked too, and --verdicts has people decide what rules left open; what either decided is counted
    apart; where a judge gave no reply, the exit status is 1.
    Where several judges are named, more than half of them decide.

    Args:
        judge: A model that judges; MODEL@URL names another endpoint.

    Example:
      benchwright score out/math-v-1.0.0 gpt.jsonl --split testmini --out scores/gpt
      benchwright score out/math-v-1.0.0 gpt.jsonl --split testmini --out scores/gpt \\
        --judge MODEL-A --judge MODEL-B --set arbiter=MODEL-C --dry-run
    """
    from .score import score as run
    from .summary import is_unfinished, planned, spent, summary

    panel = panel_of(judge, judging, out, protocols="protocols" in options)
    if panel and judging and judging.dry_run:
        run(release, predictions, judge=panel, **options)
        text, figures = planned(panel)
        return Printed(figures, text)
    scores = run(release, predictions, out=out, judge=panel, **options).scores
    notes = [f"report: {out / 'report.html'}"] if options.get("report", True) else []
    notes += [spent(one) for one in panel.everyone()] if panel else []
    failed = [one for one in panel.everyone() if is_unfinished(one)] if panel else []
    return Printed(scores, summary(scores), bool(failed), notes=notes)
