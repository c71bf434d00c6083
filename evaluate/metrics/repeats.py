"""Several replies to each sample: mean@k and pass@k, with intervals over samples.

mean@k is the mean of a sample's k verdicts; pass@j is the chance that any of j of them is right,
without bias from the k that were drawn: 1 - C(k - c, j) / C(k, j) with c right (Chen et al. 2021,
arXiv 2107.03374, equation 1).
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence
from math import comb

from ...problem import Record
from .accuracy import IsCorrect
from .intervals import Mean, mean_of
from .results import Result


class Repeats(Record, kw_only=True):
    """What k replies a sample say; `passes` is by j, from 1 to k."""

    k: int
    samples: int
    mean: Mean
    passes: dict[str, Mean]


def repeats(results: Sequence[Result], verdict: IsCorrect) -> Repeats | None:
    """mean@k and pass@1, 2, 4, ... k; None where every sample has one reply.

    Raises nothing: a sample whose reply is missing in some repeat has it counted as wrong.
    """
    if len({result.id for result in results}) == len(results):
        return None
    right: defaultdict[str, list[bool]] = defaultdict(list)
    origin: dict[str, str] = {}
    for result in results:
        right[result.id].append(verdict(result))
        origin[result.id] = result.origin
    k = max(map(len, right.values()))
    clusters = [origin[name] for name in right]
    tries = sorted({1 << e for e in range(k.bit_length())} & set(range(1, k + 1)) | {k})
    return Repeats(
        k=k,
        samples=len(right),
        mean=mean_of([sum(v) / len(v) for v in right.values()], clusters),
        passes={
            str(j): mean_of(
                [passed(len(v), sum(v), j) for v in right.values()], clusters
            )
            for j in tries
        },
    )


def passed(k: int, right: int, j: int) -> float:
    """The chance that j of k replies, drawn without putting back, hold a right one.

    >>> passed(4, 1, 2), passed(4, 0, 4), passed(4, 3, 2)
    (0.5, 0.0, 1.0)
    """
    return 1 - comb(k - right, j) / comb(k, j) if j <= k else float(right > 0)
