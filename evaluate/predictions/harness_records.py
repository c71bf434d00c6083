"""What the logs of other harnesses hold of how they asked: inspect and lmms-eval.

VLMEvalKit's tables hold nothing of it.
"""

from __future__ import annotations

import zipfile
from collections.abc import Iterable, Mapping
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
        # what is wrong with the file itself is said where its rows are read
        return None


def _inspect(log: Any) -> RunRecord | None:
    run, plan, stats = (_part(log, name) for name in ("eval", "plan", "stats"))
    if not run.get("model"):
        return None
    templates = _templates(plan)
    parameters = _part(plan, "config") | _part(run, "model_generate_config")
    system = templates.pop("system_message", "")
    if not system:
        system = str(parameters.pop("system_message", None) or "")
    package = _part(run, "packages").get("inspect_ai", "")
    config = _part(run, "config")
    epochs = _whole(config.get("epochs"))
    usage = _part(stats, "model_usage").values()
    return RunRecord(
        harness=f"inspect_ai {package}".strip(),
        model=str(run["model"]),
        endpoint=str(run.get("model_base_url") or ""),
        prompts=_prompts(str(run.get("task") or ""), templates),
        system=system,
        parameters=_set(parameters),
        samples=1 if epochs is None else epochs,
        limit=_whole(config.get("limit")),
        started=str(stats.get("started_at") or run.get("created") or ""),
        ended=str(stats.get("completed_at") or ""),
        prompt_tokens=_total(usage, "input_tokens"),
        completion_tokens=_total(usage, "output_tokens"),
    )


def _templates(plan: Mapping[str, Any]) -> dict[str, str]:
    """The texts of a plan's steps, by their solvers."""
    templates = {}
    for step in plan.get("steps") or []:
        text = _part(step, "params").get("template")
        if isinstance(text, str):
            templates[str(step.get("solver"))] = text
    return templates


def _lmms_eval(path: Path) -> RunRecord | None:
    """`<date>_samples_<task>.jsonl` has its settings in `<date>_results.json` beside it."""
    start, samples, task = path.name.partition("_samples_")
    beside = path.with_name(f"{start}_results.json")
    if not samples or not beside.is_file():
        return None
    log = decoded(beside.read_bytes())
    config = _part(log, "config")
    task_name = task.removesuffix(".jsonl")
    task_config = _part(_part(log, "configs"), task_name)
    words = _part(task_config, "lmms_eval_specific_kwargs")
    words = _part(words, "default") or words
    texts = {
        name: text for name, text in words.items() if isinstance(text, str) and text
    }
    parameters = _part(task_config, "generation_kwargs") | _part(config, "gen_kwargs")
    model_args = config.get("model_args")
    return RunRecord(
        harness="lmms-eval",
        model=str(log.get("model_name") or config.get("model") or ""),
        served=[model_args] if isinstance(model_args, str) else [],
        prompts=_prompts(task_name, texts),
        system=str(log.get("system_instruction") or ""),
        parameters=_set(parameters),
        limit=_whole(config.get("limit")),
        started=str(log.get("date") or ""),
    )


def _prompts(style: str, texts: dict[str, str]) -> list[Prompt]:
    return [Prompt(style=style, sha256=hashed(texts), texts=texts)] if texts else []


def _set(parameters: Mapping[str, Any]) -> dict[str, Any]:
    return {name: value for name, value in parameters.items() if value is not None}


def _part(value: Any, name: str) -> dict[str, Any]:
    part = value.get(name) if isinstance(value, Mapping) else None
    return dict(part) if isinstance(part, Mapping) else {}


def _whole(value: Any) -> int | None:
    return value if isinstance(value, int) else None


def _total(usage: Iterable[Any], name: str) -> int:
    """The tokens of all models; what is no count counts nothing."""
    counts = [_whole(part.get(name)) for part in usage if isinstance(part, Mapping)]
    return sum(count for count in counts if count and count > 0)
