"""Several replies to each sample: mean@k, pass@k, maj@k, with intervals over samples.

mean@k is the mean of a sample's k verdicts; pass@j is the chance that any of j of them is right,
without bias from the k that were drawn: 1 - C(k - c, j) / C(k, j) with c right (Chen et al. 2021,
arXiv 2107.03374, equation 1). maj@k is right where the answer that most of the k replies give is
right (self-consistency, Wang et al. 2022, arXiv 2203.11171); of equally frequent ones one is drawn.
"""

from __future__ import annotations

import math
from collections import Counter, defaultdict
from collections.abc import Iterable, Sequence
from math import comb

import msgspec

from ...problem import Record
from .accuracy import IsCorrect, accuracy
from .intervals import Mean, Rate, mean_of
from .results import Result


class Repeats(Record, kw_only=True):
    """What k replies a sample say; `passes` is by j, from 1 to k.

    `often` counts samples that are always, sometimes and never right, `by_number` by how many of
    their replies are; `rounds` is the accuracy of the first replies, the second, ..., and `spread`
    their standard deviation: what a single run differs from the next by.
    """

    k: int
    samples: int
    mean: Mean
    passes: dict[str, Mean]
    majority: Mean
    often: dict[str, int] = msgspec.field(default_factory=dict)
    by_number: dict[str, int] = msgspec.field(default_factory=dict)
    rounds: dict[str, Rate] = msgspec.field(default_factory=dict)
    spread: float | None = None


def repeats(results: Sequence[Result], verdict: IsCorrect) -> Repeats | None:
    """mean@k, pass@1, 2, 4, ... k and maj@k; None where every sample has one reply.

    Raises nothing: a sample whose reply is missing in some repeat has it counted as wrong.
    """
    by_sample: defaultdict[str, list[Result]] = defaultdict(list)
    for result in results:
        by_sample[result.id].append(result)
    if len(by_sample) == len(results):
        return None
    right = {name: list(map(verdict, replies)) for name, replies in by_sample.items()}
    k = max(map(len, right.values()))
    clusters = [replies[0].origin for replies in by_sample.values()]
    tries = sorted({1 << e for e in range(k.bit_length())} & set(range(1, k + 1)) | {k})
    rounds = _rounds(results, verdict)
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
        majority=mean_of(
            [
                majority_right(replies, right[name])
                for name, replies in by_sample.items()
            ],
            clusters,
        ),
        often=_often(right.values()),
        by_number=_by_number(right.values()),
        rounds=rounds,
        spread=_spread([rate.value or 0.0 for rate in rounds.values()]),
    )


def how_often(right: int, replies: int) -> str:
    """
    >>> how_often(4, 4), how_often(1, 4), how_often(0, 4)
    ('always right', 'sometimes right', 'never right')
    """
    if right == replies:
        return "always right"
    return "sometimes right" if right else "never right"


def _often(verdicts: Iterable[Sequence[bool]]) -> dict[str, int]:
    counts = Counter(how_often(sum(v), len(v)) for v in verdicts if len(v) > 1)
    names = ("always right", "sometimes right", "never right")
    return {name: counts[name] for name in names}


def _by_number(verdicts: Iterable[Sequence[bool]]) -> dict[str, int]:
    counts = Counter((len(v), sum(v)) for v in verdicts if len(v) > 1)
    return {f"{right} of {n}": counts[n, right] for n, right in sorted(counts)}


def _rounds(results: Sequence[Result], verdict: IsCorrect) -> dict[str, Rate]:
    """The accuracy of each reply's number."""
    by_number: defaultdict[int, list[Result]] = defaultdict(list)
    for result in results:
        by_number[result.repeat].append(result)
    if len(by_number) == 1:  # several people, each once
        return {}
    return {str(n): accuracy(by_number[n], verdict) for n in sorted(by_number)}


def _spread(values: Sequence[float]) -> float | None:
    if len(values) < 2:
        return None
    mean = math.fsum(values) / len(values)
    squares = math.fsum((value - mean) ** 2 for value in values)
    return round(math.sqrt(squares / (len(values) - 1)), 6)


def majority_right(replies: Sequence[Result], right: Sequence[bool]) -> float:
    """The chance that the most frequent answer is right; replies without an answer do not vote.

    Right answers are equal to the gold and so to each other; wrong ones are told apart by their
    letters and digits.
    """
    votes = Counter(
        "" if is_right else f"\0{bare(reply.extracted or '')}"
        for reply, is_right in zip(replies, right, strict=True)
        if is_right or reply.extracted
    )
    if not votes:
        return 0.0
    most = max(votes.values())
    return (votes[""] == most) / sum(n == most for n in votes.values())


def bare(answer: str) -> str:
    """An answer's letters and digits.

    >>> bare("$x = 2$"), bare("(B)")
    ('x2', 'b')
    """
    return "".join(c for c in answer.casefold() if c.isalnum() or c in "+-/.^")


def passed(k: int, right: int, j: int) -> float:
    """The chance that j of k replies, drawn without putting back, hold a right one.

    >>> passed(4, 1, 2), passed(4, 0, 4), passed(4, 3, 2)
    (0.5, 0.0, 1.0)
    """
    return 1 - comb(k - right, j) / comb(k, j) if j <= k else float(right > 0)
