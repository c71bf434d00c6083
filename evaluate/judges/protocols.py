"""Which judged protocols a split allows, and running them: what `score --judge` adds."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from ...files import write_jsonl
from ...problem import Sample
from ..metrics import Result
from . import chain_of_thought, first_error
from .chain_of_thought_summary import cot_summary
from .judge import Judge
from .undecided_answers import judge_undecided

PROTOCOLS = ("answers", "cot", "process")


def run_protocols(
    names: list[str],
    results: list[Result],
    samples: list[Sample],
    replies: dict[str, str],
    release: Path,
    by: Judge,
    out: Path,
) -> tuple[dict[str, Any], dict[str, list[str]]]:
    """Run the protocols and write cot.jsonl and process.jsonl.

    Returns the parts of scores.json, and for each sample what the judge said of it, in lines.

    `answers` lets the judge decide what rules left open and changes `results`; `cot` scores every
    reply; `process` finds first errors where a reference solution exists.
    """
    parts: dict[str, Any] = {"model": by.model.name}
    said: dict[str, list[str]] = {}
    if "answers" in names:
        parts["answers"] = judge_undecided(results, samples, by)
    if "cot" in names:
        steps = chain_of_thought.evaluate_cot(samples, replies, release, by)
        write_jsonl(out / "cot.jsonl", steps)
        parts["cot"] = cot_summary(steps, results)
        for one in steps:
            said.setdefault(one.id, []).extend(chain_of_thought.told(one))
    if "process" in names:
        errors = first_error.evaluate_process(samples, replies, release, by)
        write_jsonl(out / "process.jsonl", errors)
        parts["process"] = first_error.process_summary(errors)
        for error in errors:
            said.setdefault(error.id, []).append(first_error.told(error))
    return parts, said
