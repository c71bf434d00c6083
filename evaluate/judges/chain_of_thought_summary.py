"""CoT scores of a run (MathVerse, tables 2 and 3, figures 9 and 10): the `cot` of scores.json."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from typing import Any, get_args

from ..metrics import Result, mean_interval
from .chain_of_thought import ALPHA, CATEGORIES, CotResult, ErrorKind
from .judge import tally


def cot_summary(scored: Sequence[CotResult], results: Sequence[Result]) -> dict[str, Any]:
    """CoT figures over all samples, per version, subject and subfield.

    `results` are the same samples' verdicts, which know labels and clusters. `all` and the groups
    of `by` leave Text Only out, as the paper does.
    """
    known = {result.id: result for result in results}
    seen = [r for r in scored if r.version != "text_only"]
    versions = sorted({r.version for r in scored if r.version})
    by: dict[str, dict[str, list[CotResult]]] = {}
    for one in seen:
        groups = known[one.id].group_values()
        for label in ("subject", "subfield"):
            for value in groups.get(label, []):
                by.setdefault(label, {}).setdefault(value, []).append(one)
    return {
        "alpha": ALPHA,
        "counts": tally(scored),
        "all": _part(seen, known),
        "versions": {v: _part([r for r in scored if r.version == v], known) for v in versions},
        "by": {
            label: {value: _part(group, known) for value, group in sorted(groups.items())}
            for label, groups in sorted(by.items())
        },
    }


def _part(scored: Sequence[CotResult], known: Mapping[str, Result]) -> dict[str, Any]:
    """Mean score with its clustered 95 % interval, mean answer, and what went wrong.

    Judgements that failed have no score and count in none of these; `n` says how many have one. A
    reply with wrong steps counts once, under the kind of the first of them, its cause.
    """
    marks = [(r, r.score) for r in scored if r.score is not None]
    value = low = high = answer = None
    if marks:
        clusters = [known[r.id].origin for r, _ in marks]
        value, _, low, high = mean_interval([score for _, score in marks], clusters)
        answer = sum(r.answer or 0 for r, _ in marks) / len(marks)
    figures = {"value": value, "low": low, "high": high, "answer": answer}
    first = Counter(_first_error(r) for r, _ in marks)
    return {
        "n": len(marks),
        **{name: None if x is None else round(x, 6) for name, x in figures.items()},
        "categories": {name: sum(r.category == name for r, _ in marks) for name in CATEGORIES},
        "errors": {kind: first[kind] for kind in get_args(ErrorKind)},
    }


def _first_error(result: CotResult) -> str | None:
    return next((step["error"] for step in result.steps if step["error"]), None)
