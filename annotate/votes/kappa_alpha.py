"""Agreement of several voters: raw, Fleiss' kappa, Krippendorff's alpha, one-coin Dawid-Skene.

Ratings are one dict for each item, voter -> value; voters may be missing. Values are compared as
they are (nominal), by rank (ordinal), or as sets (MASI).
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Sequence
from typing import Any, Literal

Ratings = Sequence[dict[str, Any]]
Metric = Literal["nominal", "ordinal", "interval", "masi"]


def raw_agreement(ratings: Ratings) -> float | None:
    """Share of pairs of voters that agree, over all items with two votes or more.

    >>> raw_agreement([{"a": 1, "b": 1, "c": 2}])
    0.3333333333333333
    """
    agreeing = pairs = 0
    for item in ratings:
        counts = Counter(map(_key, item.values()))
        n = sum(counts.values())
        pairs += n * (n - 1)
        agreeing += sum(c * (c - 1) for c in counts.values())
    return agreeing / pairs if pairs else None


def fleiss_kappa(ratings: Ratings) -> float | None:
    """Fleiss' kappa (1971); None unless every item has the same number of votes, two or more."""
    sizes = {len(item) for item in ratings}
    if len(sizes) != 1 or min(sizes) < 2:
        return None
    n = sizes.pop()
    total: Counter[Any] = Counter()
    observed = 0.0
    for item in ratings:
        counts = Counter(map(_key, item.values()))
        total += counts
        observed += (sum(c * c for c in counts.values()) - n) / (n * (n - 1))
    observed /= len(ratings)
    chance = sum((c / (n * len(ratings))) ** 2 for c in total.values())
    return None if chance == 1 else (observed - chance) / (1 - chance)


def krippendorff_alpha(ratings: Ratings, metric: Metric = "nominal") -> float | None:
    """Krippendorff's alpha (2011), also with missing votes; None where nothing can vary.

    alpha = 1 - observed / expected disagreement, by coincidences of values within items.
    """
    import numpy as np

    items = [list(item.values()) for item in ratings if len(item) >= 2]
    values = sorted({_key(v) for item in items for v in item}, key=repr)
    place = {value: k for k, value in enumerate(values)}
    coincidences = np.zeros((len(values), len(values)))
    for item in items:
        counts = np.zeros(len(values))
        for value in item:
            counts[place[_key(value)]] += 1
        together = np.outer(counts, counts) - np.diag(counts)
        coincidences += together / (len(item) - 1)
    marginal = coincidences.sum(axis=1)
    total = marginal.sum()
    if total <= 1:
        return None
    distances = _distances(values, marginal, metric)
    observed = (coincidences * distances).sum() / total
    expected = (np.outer(marginal, marginal) * distances).sum() / (total * (total - 1))
    return None if expected == 0 else float(1 - observed / expected)


def _distances(values: list[Any], marginal: Any, metric: Metric) -> Any:
    """Squared distances between values."""
    import numpy as np

    count = len(values)
    if metric == "nominal":
        return 1.0 - np.eye(count)
    if metric == "masi":
        return np.array([[masi(a, b) for b in values] for a in values]).reshape(count, count)
    if metric == "interval":
        numbers = np.array([float(value) for value in values])
        return (numbers[:, None] - numbers[None, :]) ** 2
    order = np.argsort([float(value) for value in values])
    below = np.zeros(count)
    below[order] = np.cumsum(marginal[order]) - marginal[order] / 2  # mid-ranks
    return (below[:, None] - below[None, :]) ** 2


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


def bootstrap_interval(
    measure: Callable[[Ratings], float | None], ratings: Ratings, rounds: int = 400, seed: int = 0
) -> tuple[float | None, float | None]:
    """95 % percentile interval of a measure over resampled items."""
    import numpy as np

    generator = np.random.default_rng(seed)
    values = []
    for _ in range(rounds):
        drawn = generator.integers(0, len(ratings), len(ratings))
        value = measure([ratings[k] for k in drawn])
        if value is not None:
            values.append(value)
    if not values:
        return None, None
    low, high = np.percentile(values, [2.5, 97.5])
    return float(low), float(high)


def one_coin(ratings: Ratings, rounds: int = 100) -> dict[str, float]:
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
    accuracy = np.full(len(voters), 0.7)
    for _ in range(rounds):
        right = (belief[:, None, :] * hit).sum(axis=(0, 2))
        accuracy = (right + 1) / (voted.sum(axis=0) + 2)
        wrong = (1 - accuracy) / (len(values) - 1)
        per_vote = np.where(hit, np.log(accuracy)[None, :, None], np.log(wrong)[None, :, None])
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
