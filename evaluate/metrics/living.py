"""Scores of living sets: every seed was asked with its published numbers and with new ones.

Average and worst case are DynaMath's (arXiv 2411.00836, section 3.3): the mean over variants, and
of each seed its worst variant. Learned by heart is the accuracy on the published numbers minus that
on new ones, paired by seed. A seed is a cluster: its variants succeed and fail together.
"""

from __future__ import annotations

import math
from collections import defaultdict
from collections.abc import Mapping, Sequence

from ...problem import Record
from .accuracy import IsCorrect, robust
from .intervals import Mean, mean_of
from .paired import Difference, paired_difference
from .results import Result

LABEL = "numbers"  # published or new, as the stage `vary` writes it


class SeedScore(Record, kw_only=True):
    """One seed: its new variants, the mean of them, the worst one, and the published numbers."""

    variants: int
    average: float
    worst: float
    spread: float  # standard deviation over variants
    published: float | None = None


class LivingScores(Record, kw_only=True):
    """What `score` says of a living set; `by_heart` is published minus new, paired by seed."""

    seeds: int
    variants: int
    average: Mean
    worst: Mean
    all_right: Mean
    spread: float
    robustness: float | None  # worst / average
    by_heart: Difference | None
    by_seed: dict[str, SeedScore]


def living_scores(
    results: Sequence[Result], verdict: IsCorrect = robust
) -> LivingScores | None:
    """The figures of a living set; None where no sample is a variant.

    Raises nothing. A variant asked in several versions counts by the mean over them.
    """
    rates, origins = _by_variant(results, verdict)
    seeds = {
        name: _seed(variants) for name, variants in rates.items() if "new" in variants
    }
    if not seeds:
        return None
    clusters = [origins[name] for name in seeds]
    average = mean_of([s.average for s in seeds.values()], clusters)
    worst = mean_of([s.worst for s in seeds.values()], clusters)
    both = {name: s for name, s in seeds.items() if s.published is not None}
    return LivingScores(
        seeds=len(seeds),
        variants=sum(s.variants for s in seeds.values()),
        average=average,
        worst=worst,
        all_right=mean_of([float(s.worst == 1) for s in seeds.values()], clusters),
        spread=round(math.fsum(s.spread for s in seeds.values()) / len(seeds), 6),
        robustness=round(worst.value / average.value, 6) if average.value else None,
        by_heart=paired_difference(
            [s.published or 0.0 for s in both.values()],
            [s.average for s in both.values()],
            [origins[name] for name in both],
        )
        if both
        else None,
        by_seed=seeds,
    )


def living_differences(
    first: Sequence[Result], second: Sequence[Result], verdict: IsCorrect = robust
) -> dict[str, Difference]:
    """A minus B, paired by seed: of the average, the worst case, and what is known by heart."""
    a = living_scores(first, verdict)
    b = living_scores(second, verdict)
    if a is None or b is None:
        return {}
    origins = _by_variant(first, verdict)[1]
    shared = [name for name in a.by_seed if name in b.by_seed]
    clusters = [origins[name] for name in shared]
    found = {}
    for what in ("average", "worst"):
        one, two = ([getattr(s.by_seed[name], what) for name in shared] for s in (a, b))
        found[what] = paired_difference(one, two, clusters)
    return found


Rates = dict[str, dict[str, list[float]]]


def _by_variant(
    results: Sequence[Result], verdict: IsCorrect
) -> tuple[Rates, dict[str, str]]:
    """Seed -> published or new -> the rate of each variant; and the seeds' clusters."""
    replies: defaultdict[tuple[str, str], list[bool]] = defaultdict(list)
    origins: dict[str, str] = {}
    for result in results:
        if (numbers := result.labels.get(LABEL)) in ("published", "new"):
            replies[result.problem_id, numbers].append(verdict(result))
            origins.setdefault(seed_of(result.problem_id), result.origin)
    rates: Rates = {}
    for (name, numbers), right in sorted(replies.items()):
        variants = rates.setdefault(seed_of(name), {})
        variants.setdefault(numbers, []).append(sum(right) / len(right))
    return rates, origins


def seed_of(problem_id: str) -> str:
    """The seed of a variant: what stands before its parameters.

    >>> seed_of("own-half-circle~r5-a3")
    'own-half-circle'
    """
    return problem_id.partition("~")[0]


def _seed(variants: Mapping[str, Sequence[float]]) -> SeedScore:
    new = variants["new"]
    mean = math.fsum(new) / len(new)
    published = variants.get("published")
    return SeedScore(
        variants=len(new),
        average=round(mean, 6),
        worst=min(new),
        spread=round(math.sqrt(math.fsum((v - mean) ** 2 for v in new) / len(new)), 6),
        published=published[0] if published else None,
    )
