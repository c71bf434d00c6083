"""Agreement of several voters: raw, Fleiss' kappa, Krippendorff's alpha, one-coin Dawid-Skene.

Ratings are one dict for each unit, voter -> value; voters may be missing. Values are compared as
they are (nominal), by rank (ordinal), or as sets (MASI). Equal units may stand once, with a weight.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterator, Sequence
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
    for counts, weight in _value_counts(ratings, weights):
        votes = counts.total()
        pairs += weight * votes * (votes - 1)
        agreeing += weight * sum(n * (n - 1) for n in counts.values())
    return agreeing / pairs if pairs else None


def fleiss_kappa(ratings: Ratings, weights: Weights = None) -> float | None:
    """Fleiss' kappa (1971); None unless every unit has the same number of votes, two or more."""
    sizes = {len(unit) for unit in ratings}
    if len(sizes) != 1 or min(sizes) < 2:
        return None
    size = sizes.pop()
    units = sum(weights) if weights else len(ratings)
    totals: Counter[Any] = Counter()
    observed = 0.0
    for counts, weight in _value_counts(ratings, weights):
        for value, count in counts.items():
            totals[value] += weight * count
        agreeing = sum(count * count for count in counts.values()) - size
        observed += weight * agreeing / (size * (size - 1))
    observed /= units
    chance = sum((total / (size * units)) ** 2 for total in totals.values())
    return None if chance == 1 else (observed - chance) / (1 - chance)


def _value_counts(
    ratings: Ratings, weights: Weights
) -> Iterator[tuple[Counter[Any], int]]:
    """How often each value stands in a unit, and the unit's weight."""
    for unit, weight in zip(ratings, weights or repeat(1), strict=False):
        yield Counter(map(_key, unit.values())), weight


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

        self.metric = metric
        self.values = _values_of(ratings)
        owners = range(len(ratings)) if problems is None else problems
        self.problems = max(owners, default=-1) + 1
        weight_of = self._weights_of_pairs(_value_counts(ratings, weights), owners)
        keys = np.array(list(weight_of), dtype=int).reshape(-1, 3)
        self._owner, self._left, self._right = keys.T
        self._weight = np.array(list(weight_of.values()), dtype=float)
        self._places = self._fixed_places()

    def _weights_of_pairs(
        self, units: Iterator[tuple[Counter[Any], int]], owners: Sequence[int]
    ) -> dict[tuple[int, int, int], float]:
        """(problem, value, other value) -> how often the two stand in one unit of the problem."""
        position = {value: k for k, value in enumerate(self.values)}
        weight_of: dict[tuple[int, int, int], float] = defaultdict(float)
        for (counts, weight), owner in zip(units, owners, strict=False):
            votes = counts.total()
            if votes < 2:
                continue  # a single vote can be compared with nothing
            for left, count in counts.items():
                for right, others in counts.items():
                    pairs = count * (others - (left == right))
                    key = (owner, position[left], position[right])
                    weight_of[key] += weight * pairs / (votes - 1)
        return weight_of

    def alpha(self, drawn: Any = None) -> float | None:
        """Alpha over all problems, or with each counted as often as it was `drawn`."""
        import numpy as np

        weight = self._weight if drawn is None else self._weight * drawn[self._owner]
        marginal = np.bincount(self._left, weight, len(self.values))
        total = marginal.sum()
        if total <= 1:
            return None
        observed, expected = self._disagreement(weight, marginal, total)
        if expected <= 1e-9 * total:  # nothing varies
            return None
        return float(1 - observed * (total - 1) / expected)

    def _disagreement(self, weight: Any, marginal: Any, total: Any) -> tuple[Any, Any]:
        """The observed disagreement, and `total` times the expected one."""
        if self.metric == "nominal":
            observed = weight[self._left != self._right].sum()
            return observed, total**2 - (marginal**2).sum()
        if self.metric == "masi":
            distances = self._places
            observed = (weight * distances[self._left, self._right]).sum()
            return observed, marginal @ distances @ marginal
        ordinal = self.metric == "ordinal"
        places = self._mid_ranks(marginal) if ordinal else self._places
        observed = (weight * (places[self._left] - places[self._right]) ** 2).sum()
        spread = total * (marginal * places**2).sum() - (marginal * places).sum() ** 2
        return observed, 2 * spread

    def interval(
        self, rounds: int = 400, seed: int = 0
    ) -> tuple[float | None, float | None]:
        """95 % percentile interval over resampled problems."""
        import numpy as np

        generator = np.random.default_rng(seed)
        values = []
        for _ in range(rounds):
            draw = generator.integers(0, self.problems, self.problems)
            alpha = self.alpha(np.bincount(draw, minlength=self.problems))
            if alpha is not None:
                values.append(alpha)
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
            distances = [masi(a, b) for a in self.values for b in self.values]
            return np.array(distances).reshape(count, count)
        return np.array([float(value) for value in self.values])

    def _mid_ranks(self, marginal: Any) -> Any:
        import numpy as np

        order = np.argsort(self._places)
        ranks = np.zeros(len(marginal))
        ranks[order] = np.cumsum(marginal[order]) - marginal[order] / 2
        return ranks


def masi(left: Any, right: Any) -> float:
    """Distance of two sets (Passonneau 2006): 1 - Jaccard x monotonicity.

    >>> round(masi(("1", "2"), ("1", "2", "3")), 4)
    0.5556
    """
    a = set(left)
    b = set(right)
    if a == b:
        return 0.0
    common = a & b
    monotonicity = 1 / 3 if common else 0.0
    if a <= b or b <= a:
        monotonicity = 2 / 3
    return 1 - len(common) / len(a | b) * monotonicity


def one_coin(
    ratings: Ratings, weights: Weights = None, rounds: int = 100
) -> dict[str, float]:
    """Each voter's accuracy by one-coin Dawid-Skene: a diagnostic, never a label.

    Every voter is right with a probability of their own and else errs evenly; expectation and
    maximisation alternate from the vote shares.
    """
    import numpy as np

    voters = sorted({voter for unit in ratings for voter in unit})
    values = _values_of(ratings)
    if len(values) < 2:
        return dict.fromkeys(voters, 1.0)
    votes = _vote_table(ratings, voters, values)
    voted = votes >= 0
    # unit x voter x value: whether the voter gave the unit this value
    gave = (votes[:, :, None] == np.arange(len(values))) & voted[:, :, None]
    belief = gave.sum(axis=1) / np.maximum(voted.sum(axis=1), 1)[:, None]
    weight = np.array([1] * len(ratings) if weights is None else weights, dtype=float)
    for _ in range(rounds):
        right = (weight[:, None] * (belief[:, None, :] * gave).sum(axis=2)).sum(axis=0)
        accuracy = (right + 1) / (weight @ voted + 2)
        error = (1 - accuracy) / (len(values) - 1)
        log_right = np.log(accuracy)
        log_wrong = np.log(error)
        per_vote = np.where(gave, log_right[None, :, None], log_wrong[None, :, None])
        logs = (per_vote * voted[:, :, None]).sum(axis=1)
        posterior = np.exp(logs - logs.max(axis=1, keepdims=True))
        posterior /= posterior.sum(axis=1, keepdims=True)
        if np.abs(posterior - belief).max() < 1e-9:
            break
        belief = posterior
    return dict(zip(voters, accuracy.tolist(), strict=True))


def _vote_table(ratings: Ratings, voters: list[str], values: list[Any]) -> Any:
    """Unit x voter: the number of the value, -1 where there is no vote."""
    import numpy as np

    position = {value: k for k, value in enumerate(values)}
    table = np.full((len(ratings), len(voters)), -1)
    for row, unit in enumerate(ratings):
        for column, voter in enumerate(voters):
            if voter in unit:
                table[row, column] = position[_key(unit[voter])]
    return table


def _values_of(ratings: Ratings) -> list[Any]:
    """Every value that anybody gave, in one fixed order."""
    values = {_key(value) for unit in ratings for value in unit.values()}
    return sorted(values, key=repr)


def _key(value: Any) -> Any:
    """Sets of labels are compared without order."""
    return tuple(sorted(set(value))) if isinstance(value, list | tuple | set) else value
