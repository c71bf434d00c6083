"""`benchwright annotate advise`."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from ...base.commands import Printed
from ...llm import priced


def advise(problems: Path, **options: Any) -> Printed:
    """Ask models for their votes on PROBLEMS (problems.jsonl): labels, or any form people fill in.

    Replies are held by the tree, or by the form, and appended to the votes file as votes of kind
    model. Exit 1 when a reply is no vote or a request failed; run again to ask these once more.

    Example:
      benchwright annotate advise problems.jsonl --tree math-v --model gpt-4o --votes advice.jsonl
      benchwright annotate advise problems.jsonl --kind roles --model gpt-4o --votes drafts.jsonl
    """
    from .advise import advise as ask_models

    advice = ask_models(problems, **options)
    lines = [
        *(
            f"{r.problem_id}, {r.annotator}: refused: {r.reason}"
            for r in advice.refused
        ),
        *(f"{name}, {who}: doubtful: {doubt}" for name, who, doubt in advice.doubts),
        *(_usage_line(name, counts) for name, counts in advice.usage.items()),
        f"{advice.votes} votes ({advice.new_votes} new, {advice.cached} replies from the cache), "
        f"{len(advice.refused)} refused, {advice.failed} failed",
    ]
    failed = bool(advice.refused or advice.failed)
    return Printed(advice, "\n".join(lines), failed)


def _usage_line(model: str, counts: dict[str, Any]) -> str:
    return (
        f"{model}: {counts['prompt_tokens']:,} prompt and "
        f"{counts['completion_tokens']:,} reply tokens, {priced(counts['cost'])}"
    )
