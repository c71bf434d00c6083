"""Agreement of several voters: raw, Fleiss' kappa, Krippendorff's alpha, one-coin Dawid-Skene.

Ratings are one dict for each unit, voter -> value; voters may be missing. Values are compared as
they are (nominal), by rank (ordinal), or as sets (MASI). Equal units may stand once, with a weight.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Sequence
from itertools import repeat
from typing import Any, Literal

Ratings = Sequence[dict[str, Any]]
Weights = Sequence[int] | None
Metric = Literal["nominal", "ordinal", "interval", "masi"]


def raw_agreement(ratings: Ratings, weights: Weights = None) -> float | None:
    """Share of pairs of voters that agree, over all units with two votes or more.

    >>> raw_agreement([{"a": 1, "b": 1, "c": 2}])
    0.3333333333333333
    """
    agreeing = pairs = 0
    for unit, weight in zip(ratings, weights or repeat(1), strict=False):
        counts = Counter(map(_key, unit.values()))
        n = sum(counts.values())
        pairs += weight * n * (n - 1)
        agreeing += weight * sum(c * (c - 1) for c in counts.values())
    return agreeing / pairs if pairs else None


def fleiss_kappa(ratings: Ratings, weights: Weights = None) -> float | None:
    """Fleiss' kappa (1971); None unless every unit has the same number of votes, two or more."""
    sizes = {len(unit) for unit in ratings}
    if len(sizes) != 1 or min(sizes) < 2:
        return None
    n, units = sizes.pop(), sum(weights) if weights else len(ratings)
    total: Counter[Any] = Counter()
    observed = 0.0
    for unit, weight in zip(ratings, weights or repeat(1), strict=False):
        counts = Counter(map(_key, unit.values()))
        total += Counter({value: weight * count for value, count in counts.items()})
        observed += weight * (sum(c * c for c in counts.values()) - n) / (n * (n - 1))
    observed /= units
    chance = sum((c / (n * units)) ** 2 for c in total.values())
    return None if chance == 1 else (observed - chance) / (1 - chance)


def krippendorff_alpha(
    ratings: Ratings, metric: Metric = "nominal", weights: Weights = None
) -> float | None:
    """Krippendorff's alpha (2011), also with missing votes; None where nothing can vary.

    alpha = 1 - observed / expected disagreement, by coincidences of values within units.
    """
    return Coincidences(ratings, metric, weights).alpha()


class Coincidences:
    """How often two values stand in one unit, unit by unit: what alpha is made of.

    `problems` says which problem each unit belongs to. A problem's units are drawn together: the
    characters of one text are not independent of each other.
    """

    def __init__(
        self,
        ratings: Ratings,
        metric: Metric,
        weights: Weights = None,
        problems: Sequence[int] | None = None,
    ) -> None:
        import numpy as np

        self.values = sorted(
            {_key(v) for unit in ratings for v in unit.values()}, key=repr
        )
        self.metric = metric
        place = {value: k for k, value in enumerate(self.values)}
        found: dict[tuple[int, int, int], float] = defaultdict(
            float
        )  # problem, two values
        owners = problems if problems is not None else range(len(ratings))
        for unit, weight, owner in zip(
            ratings, weights or repeat(1), owners, strict=False
        ):
            counts = Counter(place[_key(value)] for value in unit.values())
            for i, ci in counts.items() if len(unit) >= 2 else ():
                for j, cj in counts.items():
                    found[owner, i, j] += (
                        weight * ci * (cj - (i == j)) / (len(unit) - 1)
                    )
        self.problems = max(owners, default=-1) + 1
        keys = np.array(list(found), dtype=int).reshape(-1, 3)
        self._owner, self._one, self._other = keys.T
        self._weight = np.array(list(found.values()), dtype=float)
        self._places = self._fixed_places()

    def alpha(self, drawn: Any = None) -> float | None:
        """Alpha over all problems, or with each counted as often as it was `drawn`."""
        import numpy as np

        weight = self._weight if drawn is None else self._weight * drawn[self._owner]
        marginal = np.bincount(self._one, weight, len(self.values))
        total = marginal.sum()
        if total <= 1:
            return None
        if self.metric == "nominal":
            observed = weight[self._one != self._other].sum()
            expected = total**2 - (marginal**2).sum()
        elif self.metric == "masi":
            distances = self._places
            observed = (weight * distances[self._one, self._other]).sum()
            expected = marginal @ distances @ marginal
        else:
            at = self._mid_ranks(marginal) if self.metric == "ordinal" else self._places
            observed = (weight * (at[self._one] - at[self._other]) ** 2).sum()
            expected = 2 * (
                total * (marginal * at**2).sum() - (marginal * at).sum() ** 2
            )
        if expected <= 1e-9 * total:  # nothing varies
            return None
        return float(1 - observed * (total - 1) / expected)

    def interval(
        self, rounds: int = 400, seed: int = 0
    ) -> tuple[float | None, float | None]:
        """95 % percentile interval over resampled problems."""
        import numpy as np

        generator = np.random.default_rng(seed)
        draws = (
            generator.integers(0, self.problems, self.problems) for _ in range(rounds)
        )
        alphas = [
            self.alpha(np.bincount(draw, minlength=self.problems)) for draw in draws
        ]
        values = [alpha for alpha in alphas if alpha is not None]
        if not values:
            return None, None
        low, high = np.percentile(values, [2.5, 97.5])
        return float(low), float(high)

    def _fixed_places(self) -> Any:
        """Where values stand on a line, or how far sets are from each other."""
        import numpy as np

        if self.metric == "nominal":
            return None
        if self.metric == "masi":
            count = len(self.values)
            table = [[masi(a, b) for b in self.values] for a in self.values]
            return np.array(table).reshape(count, count)
        return np.array([float(value) for value in self.values])

    def _mid_ranks(self, marginal: Any) -> Any:
        import numpy as np

        order = np.argsort(self._places)
        ranks = np.zeros(len(marginal))
        ranks[order] = np.cumsum(marginal[order]) - marginal[order] / 2
        return ranks


def masi(one: Any, other: Any) -> float:
    """Distance of two sets (Passonneau 2006): 1 - Jaccard x monotonicity.

    >>> round(masi(("1", "2"), ("1", "2", "3")), 4)
    0.5556
    """
    a, b = set(one), set(other)
    if a == b:
        return 0.0
    jaccard = len(a & b) / len(a | b)
    nested = 2 / 3 if a <= b or b <= a else 1 / 3 if a & b else 0.0
    return 1 - jaccard * nested


def one_coin(
    ratings: Ratings, weights: Weights = None, rounds: int = 100
) -> dict[str, float]:
    """Each voter's accuracy by one-coin Dawid-Skene: a diagnostic, never a label.

    Every voter is right with a probability of their own and else errs evenly; expectation and
    maximisation alternate from the vote shares.
    """
    import numpy as np

    voters = sorted({voter for item in ratings for voter in item})
    values = sorted({_key(v) for item in ratings for v in item.values()}, key=repr)
    if len(values) < 2:
        return dict.fromkeys(voters, 1.0)
    place = {value: k for k, value in enumerate(values)}
    votes = np.full((len(ratings), len(voters)), -1)
    for row, item in enumerate(ratings):
        for column, voter in enumerate(voters):
            if voter in item:
                votes[row, column] = place[_key(item[voter])]
    voted = votes >= 0
    hit = (votes[:, :, None] == np.arange(len(values))) & voted[:, :, None]
    belief = hit.sum(axis=1) / np.maximum(voted.sum(axis=1), 1)[:, None]
    often = np.array(
        weights if weights is not None else [1] * len(ratings), dtype=float
    )
    for _ in range(rounds):
        right = (often[:, None] * (belief[:, None, :] * hit).sum(axis=2)).sum(axis=0)
        accuracy = (right + 1) / (often @ voted + 2)
        wrong = (1 - accuracy) / (len(values) - 1)
        per_vote = np.where(
            hit, np.log(accuracy)[None, :, None], np.log(wrong)[None, :, None]
        )
        logs = (per_vote * voted[:, :, None]).sum(axis=1)
        new = np.exp(logs - logs.max(axis=1, keepdims=True))
        new /= new.sum(axis=1, keepdims=True)
        if np.abs(new - belief).max() < 1e-9:
            break
        belief = new
    return {voter: float(value) for voter, value in zip(voters, accuracy, strict=True)}


def _key(value: Any) -> Any:
    """Sets of labels are compared without order."""
    return tuple(sorted(set(value))) if isinstance(value, list | tuple | set) else value
