"""Accuracy, overall and by every label, and what was counted.

Micro accuracy weighs samples equally, macro accuracy weighs the groups of a label equally.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Callable, Mapping, Sequence
from typing import TYPE_CHECKING, NamedTuple, get_args

from ...base.display import natural
from ...problem import Record
from .intervals import Rate, cluster_index, macro_interval, rate
from .results import Result, SampleStatus, values_of

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from .intervals import Places

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


Groups = Mapping[str, "Places"]  # a label's values, and the places of their results


class Judged(NamedTuple):
    """Verdicts on results and the clusters these lie in, in their order: what rates count."""

    right: NDArray[np.bool_]
    origins: Places

    def rates(self, groups: Mapping[str, Groups]) -> dict[str, dict[str, Rate]]:
        """The accuracy of each group of each label."""
        return {
            label: {v: rate(self.right[k], self.origins[k]) for v, k in values.items()}
            for label, values in groups.items()
        }


def judged(results: Sequence[Result], verdict: IsCorrect = robust) -> Judged:
    """The verdicts on results."""
    import numpy as np

    right = np.fromiter(map(verdict, results), np.bool_, len(results))
    return Judged(right, cluster_index([r.origin for r in results]))


def accuracy(results: Sequence[Result], verdict: IsCorrect = robust) -> Rate:
    """Micro accuracy with its interval, clustered by origin."""
    return rate(*judged(results, verdict))


def grouped(results: Sequence[Result]) -> dict[str, dict[str, Places]]:
    """Where the results stand that have a value of a label; one with several is in each."""
    import numpy as np

    alike: defaultdict[tuple[str | bytes | None, ...], list[int]] = defaultdict(list)
    for place, result in enumerate(results):
        alike[result.groups()].append(place)
    groups: defaultdict[tuple[str, str], list[list[int]]] = defaultdict(list)
    for key, places in alike.items():
        for name, values in values_of(*key).items():
            for value in values:
                groups[name, value].append(places)
    ordered: dict[str, dict[str, Places]] = {}
    for name, value in sorted(groups, key=lambda key: (key[0], natural(key[1]))):
        ordered.setdefault(name, {})[value] = np.sort(
            np.concatenate(groups[name, value])
        )
    return ordered


def by_label(
    results: Sequence[Result], verdict: IsCorrect = robust
) -> dict[str, dict[str, Rate]]:
    """Accuracy per value of every label; a sample with several values counts in each."""
    return judged(results, verdict).rates(grouped(results))


def macro(groups: Groups, every: Judged) -> Macro:
    """The mean over a label's groups (`grouped`), each with the same weight."""
    import numpy as np

    if not groups:
        return Macro(value=None, groups=0)
    places = np.concatenate([*groups.values()])
    names = np.repeat(
        cluster_index([*groups]), [len(places) for places in groups.values()]
    )
    value, _, low, high = macro_interval(
        every.right[places], names, every.origins[places]
    )
    return Macro(
        value=round(value, 6),
        groups=len(groups),
        low=round(low, 6),
        high=round(high, 6),
    )


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
