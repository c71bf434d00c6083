"""`benchwright predict`."""

from __future__ import annotations

from functools import partial
from pathlib import Path
from typing import Any, Literal

import click

from ...base.commands import Printed
from ...base.terminal import say
from ...llm import Model, Planning, plan, planned


def predict(
    release: Path,
    *,
    split: str,
    out: Path,
    model: Model | None = None,
    baseline: Literal["random", "random-text", "most-frequent"] | None = None,
    planning: Planning = Planning(),  # noqa: B008 (frozen)
    **options: Any,
) -> Printed:
    """Ask a model every sample of a split of RELEASE and write its replies.

    RELEASE may be what `score` takes in its place: an export, a file, hub:owner/name@commit.
    Pictures of more than 2,048 pixels a side or 5,000,000 bytes are sent smaller.
    Resumable: replies are cached as they come, and where some are missing in the end, the exit
    status is 1 and the last line says why. The endpoint's key comes from the environment.

    Args:
        baseline: Ask no model; random-text draws as MATH-V's code does.

    Example:
      benchwright predict out/math-v-1.0.0 --split testmini --model gpt-4o --out gpt-4o.jsonl
      benchwright predict out/math-v-1.0.0 --split test --baseline random --out random.jsonl
    """
    from .ask_model import cache_beside, pictures_beside, requests_of
    from .ask_model import predict as ask_all
    from .baselines import predict_baseline

    if (model is None) == (baseline is None):
        raise click.UsageError("name a --model, or a --baseline")
    limit, how, cache, plugins = map(options.get, ("limit", "how", "cache", "plugins"))
    cache = cache or cache_beside(out)
    counts: dict[str, Any] | None
    unfinished = ""
    if baseline is not None:
        answers = predict_baseline(release, split, baseline, out, limit=limit)
        counts = {"answers": answers}
    elif model is not None:
        store = pictures_beside(out)
        requests = partial(
            requests_of, release, split, how, limit, plugins or (), store
        )
        counts = planning.instead(requests, model, cache)
        if counts is None:
            say(planned(plan(requests(), model, cache)))
            predicted = ask_all(release, split, model, out, **options)
            counts = predicted.counts()
            unfinished = predicted.unfinished
    lines = [
        f"{name}: {'no prices given' if value is None else value}"
        for name, value in (counts or {}).items()
    ]
    notes = [unfinished] if unfinished else []
    return Printed(counts, "\n".join(lines), bool(unfinished), notes)
