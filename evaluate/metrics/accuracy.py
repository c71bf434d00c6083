"""Accuracy, overall and by every label, and what was counted.

Micro accuracy weighs samples equally, macro accuracy weighs the groups of a label equally.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Sequence
from typing import get_args

from ...base.display import natural
from ...problem import Record
from .intervals import Rate, macro_interval, rate
from .results import Result, SampleStatus

IsCorrect = Callable[[Result], bool]


class Macro(Record, kw_only=True):
    """The unweighted mean of a label's group accuracies, with its 95 % interval."""

    value: float | None
    groups: int
    low: float | None = None
    high: float | None = None


def robust(result: Result) -> bool:
    """The verdict by the gold's declared kind (the default profile)."""
    return result.correct


def official(result: Result) -> bool:
    """The verdict by the benchmark's own published rules."""
    return result.official is not None and result.official.correct


def accuracy(results: Sequence[Result], verdict: IsCorrect = robust) -> Rate:
    """Micro accuracy with its interval, clustered by origin."""
    return rate([verdict(r) for r in results], [r.origin for r in results])


def grouped(results: Iterable[Result]) -> dict[str, dict[str, list[Result]]]:
    """Results per value of every label, in order; a sample with several values is in each."""
    groups: defaultdict[tuple[str, str], list[Result]] = defaultdict(list)
    for result in results:
        for name, values in result.group_values().items():
            for value in values:
                groups[name, value].append(result)
    ordered: dict[str, dict[str, list[Result]]] = {}
    for name, value in sorted(groups, key=lambda key: (key[0], natural(key[1]))):
        ordered.setdefault(name, {})[value] = groups[name, value]
    return ordered


def by_label(results: Iterable[Result], verdict: IsCorrect = robust) -> dict[str, dict[str, Rate]]:
    """Accuracy per value of every label; a sample with several values counts in each."""
    return {
        name: {value: accuracy(members, verdict) for value, members in values.items()}
        for name, values in grouped(results).items()
    }


def macro(groups: dict[str, list[Result]], verdict: IsCorrect = robust) -> Macro:
    """The mean over a label's groups (`grouped`), each with the same weight."""
    if not groups:
        return Macro(value=None, groups=0)
    flat = [(r, value) for value, members in groups.items() for r in members]
    value, _, low, high = macro_interval(
        [float(verdict(r)) for r, _ in flat], [v for _, v in flat], [r.origin for r, _ in flat]
    )
    return Macro(value=round(value, 6), groups=len(groups), low=round(low, 6), high=round(high, 6))


def counts(results: Sequence[Result]) -> dict[str, int]:
    """How many samples were asked and answered, how each ended, and who decided.

    `samples` = `answered` + `missing` + `failed`; `answered` = `ok` + `unextracted` + `declined` +
    `truncated` + `timeout` + `refused` + `unparsed`; `by_rule` + `by_judge` +
    `by_person` = `ok`.
    """
    status = Counter(r.status for r in results)
    decided = Counter(r.decided_by for r in results if r.status == "ok")
    return {
        "samples": len(results),
        "problems": len({r.problem_id for r in results}),
        "answered": len(results) - status["missing"] - status["failed"],
        **{name: status[name] for name in get_args(SampleStatus)},
        "by_rule": decided["rule"],
        "by_judge": decided["judge"],
        "by_person": decided["person"],
    }
