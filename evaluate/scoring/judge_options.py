"""The judges that `score` names in its options."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import click
import msgspec

from ...llm import Model, model_from
from ..judges import Judge, Panel, Purse, wordings

NEED_A_JUDGE = ("protocols", "offline", "arbiter", "extractor", "prompt_files", "limit", "dry_run")


OWN = (*NEED_A_JUDGE[1:], "cot_alpha", "judge_prompts")


def panel_from(options: dict[str, Any], out: Path) -> Panel | None:
    """Take the judges' options out of a command's options; None when no judge was named.

    All share endpoint, parameters, prices and one budget; MODEL@URL has another endpoint.
    """
    names = options.pop("model_name")
    options["model_name"] = next(iter(names), None)
    model = model_from(options)
    given = {name: options.pop(name) for name in OWN}
    if model is None:
        told = given | {"protocols": options["protocols"]}
        used = [name for name in NEED_A_JUDGE if told[name] not in (None, False, ())]
        if used:
            flags = ", ".join("--" + name.removesuffix("s").replace("_", "-") for name in used)
            raise click.UsageError(f"{flags}: for a --judge, name one")
        return None
    purse = Purse()

    def judge(name: str | None) -> Judge | None:
        if name is None:
            return None
        return Judge(
            model=_named(model, name),
            cache=out / "judge.cache.sqlite",
            offline=given["offline"],
            dry_run=given["dry_run"],
            purse=purse,
        )

    return Panel(
        judges=[one for one in map(judge, names) if one is not None],
        arbiter=judge(given["arbiter"]),
        extractor=judge(given["extractor"]),
        alpha=given["cot_alpha"],
        limit=given["limit"],
        wording=wordings(given["judge_prompts"] == "printed", _files(given["prompt_files"])),
    )


def _named(model: Model, name: str) -> Model:
    """A model of another name, and another endpoint where the name says so."""
    plain, at, url = name.partition("@http")
    if not at:
        return msgspec.structs.replace(model, name=name)
    return msgspec.structs.replace(model, name=plain, base_url=f"http{url}")


def _files(given: tuple[str, ...]) -> dict[str, str]:
    for text in given:
        if "=" not in text:
            raise click.BadParameter(f"{text!r} is not TASK=FILE", param_hint="--prompt-file")
    return {task: path for task, _, path in (text.partition("=") for text in given)}
