"""What the logs of other harnesses hold of how they asked: inspect and lmms-eval.

VLMEvalKit's tables hold nothing of it.
"""

from __future__ import annotations

import zipfile
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from ...base.archives import ZIP_ERRORS
from ...tables import utf8_bytes
from .inspect_logs import HEADER, decoded, member
from .run_record import Prompt, RunRecord, hashed


def harness_record(path: Path) -> RunRecord | None:
    """The record of a harness's log; None where none is known."""
    try:
        if path.suffix == ".eval":
            with zipfile.ZipFile(path) as log:
                return _inspect(decoded(member(log, HEADER)))
        if path.suffix == ".json":
            return _inspect(decoded(utf8_bytes(path)))
        return _lmms_eval(path)
    except (*ZIP_ERRORS, KeyError):
        return (
            None  # what is wrong with the file itself is said where its rows are read
        )


def _inspect(log: Any) -> RunRecord | None:
    run, plan, stats = (_part(log, name) for name in ("eval", "plan", "stats"))
    if not run.get("model"):
        return None
    steps = [step for step in plan.get("steps") or [] if isinstance(step, Mapping)]
    templates = {
        str(step.get("solver")): text
        for step in steps
        if isinstance(text := _part(step, "params").get("template"), str)
    }
    system = templates.pop("system_message", "")
    used = [u for u in _part(stats, "model_usage").values() if isinstance(u, Mapping)]
    sent = _part(plan, "config") | _part(run, "model_generate_config")
    packages, config = _part(run, "packages"), _part(run, "config")
    return RunRecord(
        harness=f"inspect_ai {packages.get('inspect_ai', '')}".strip(),
        model=str(run["model"]),
        endpoint=str(run.get("model_base_url") or ""),
        prompts=[
            Prompt(
                style=str(run.get("task") or ""),
                sha256=hashed(templates),
                texts=templates,
            )
        ]
        if templates
        else [],
        system=system or str(sent.pop("system_message", None) or ""),
        parameters={k: v for k, v in sent.items() if v is not None},
        samples=epochs if isinstance(epochs := config.get("epochs"), int) else 1,
        limit=limit if isinstance(limit := config.get("limit"), int) else None,
        started=str(stats.get("started_at") or run.get("created") or ""),
        ended=str(stats.get("completed_at") or ""),
        prompt_tokens=sum(_count(u.get("input_tokens")) for u in used),
        completion_tokens=sum(_count(u.get("output_tokens")) for u in used),
    )


def _lmms_eval(path: Path) -> RunRecord | None:
    """`<date>_samples_<task>.jsonl` has its settings in `<date>_results.json` beside it."""
    start, samples, task = path.name.partition("_samples_")
    beside = path.with_name(f"{start}_results.json")
    if not samples or not beside.is_file():
        return None
    log = decoded(beside.read_bytes())
    config, named = _part(log, "config"), task.removesuffix(".jsonl")
    own = _part(_part(log, "configs"), named)
    words = _part(own, "lmms_eval_specific_kwargs")
    words = _part(words, "default") or words
    texts = {
        name: text for name, text in words.items() if isinstance(text, str) and text
    }
    sent = _part(own, "generation_kwargs") | _part(config, "gen_kwargs")
    return RunRecord(
        harness="lmms-eval",
        model=str(log.get("model_name") or config.get("model") or ""),
        served=[config["model_args"]]
        if isinstance(config.get("model_args"), str)
        else [],
        prompts=[Prompt(style=named, sha256=hashed(texts), texts=texts)]
        if texts
        else [],
        system=str(log.get("system_instruction") or ""),
        parameters={k: v for k, v in sent.items() if v is not None},
        limit=limit if isinstance(limit := config.get("limit"), int) else None,
        started=str(log.get("date") or ""),
    )


def _part(value: Any, name: str) -> dict[str, Any]:
    found = value.get(name) if isinstance(value, Mapping) else None
    return dict(found) if isinstance(found, Mapping) else {}


def _count(value: Any) -> int:
    return value if isinstance(value, int) and value > 0 else 0
