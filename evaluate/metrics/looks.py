"""Scores of looks: the same samples seen clean, scanned, photographed, on a board, drawn by hand.

A look is paired with the clean picture of the same sample, and origins are clusters: what differs
is the picture alone, so that the difference is what the look costs.
"""

from __future__ import annotations

from collections.abc import Sequence

from ...problem import Record
from .accuracy import IsCorrect, robust
from .intervals import Mean, mean_of
from .paired import Difference, paired_difference
from .results import Result

LABEL = "look"  # as the stage `looks` writes it
CLEAN = "clean"
MARK = "@"  # between a sample's problem and its look


class LookScore(Record, kw_only=True):
    """One look: accuracy on its samples, and minus the clean ones, where these were asked."""

    samples: int
    accuracy: Mean
    difference: Difference | None = None


def look_scores(
    results: Sequence[Result], verdict: IsCorrect = robust
) -> dict[str, LookScore]:
    """Each look's score, the clean one first; empty where no sample has a look."""
    by_look: dict[str, dict[str, list[Result]]] = {}
    for result in results:
        look = result.labels.get(LABEL)
        if isinstance(look, str):
            samples = by_look.setdefault(look, {})
            samples.setdefault(bare(result.id, look), []).append(result)
    if not by_look.keys() - {CLEAN}:
        return {}
    clean = by_look.get(CLEAN, {})
    order = sorted(by_look, key=lambda look: (look != CLEAN, look))
    return {look: _score(by_look[look], clean, look, verdict) for look in order}


def bare(sample_id: str, look: str) -> str:
    """The id of the sample without its look.

    >>> bare("own-1@scan.text_lite", "scan")
    'own-1.text_lite'
    """
    return sample_id.replace(f"{MARK}{look}", "", 1)


def without_looks(results: Sequence[Result]) -> list[Result]:
    """The results on clean pictures, where a set has them: what other protocols are about."""
    looks = {result.labels.get(LABEL) for result in results}
    if CLEAN not in looks:
        return list(results)
    return [r for r in results if r.labels.get(LABEL) in (CLEAN, None)]


def _score(
    samples: dict[str, list[Result]],
    clean: dict[str, list[Result]],
    look: str,
    verdict: IsCorrect,
) -> LookScore:
    def rate(results: list[Result]) -> float:
        return sum(map(verdict, results)) / len(results)

    origins = [results[0].origin for results in samples.values()]
    accuracy = mean_of([rate(results) for results in samples.values()], origins)
    score = LookScore(samples=len(samples), accuracy=accuracy)
    both = [name for name in samples if name in clean]
    if look != CLEAN and both:
        score.difference = paired_difference(
            [rate(samples[name]) for name in both],
            [rate(clean[name]) for name in both],
            [samples[name][0].origin for name in both],
        )
    return score
