"""`benchwright annotate advise`."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from ...base.commands import Printed


def advise(problems: Path, **options: Any) -> Printed:
    """Ask models which labels PROBLEMS (problems.jsonl) should carry.

    Replies are checked against the tree and appended to the votes file as votes of kind model.
    Exit 1 when a reply is no label or a request failed; run again to ask the failed ones.

    Example:
      benchwright annotate advise problems.jsonl --tree math-v --model gpt-4o --votes advice.jsonl
    """
    from .advise import advise as ask_models

    advice = ask_models(problems, **options)
    lines = [f"{r.problem_id}, {r.annotator}: refused: {r.reason}" for r in advice.refused]
    lines.append(
        f"{advice.votes} votes ({advice.new_votes} new, {advice.cached} replies from the cache), "
        f"{len(advice.refused)} refused, {advice.failed} failed"
    )
    failed = bool(advice.refused or advice.failed)
    return Printed(advice, "\n".join(lines), failed)
