"""Does a right answer rest on knowledge? The four-dimensional metric of We-Math, section 4.2.

A composite problem is asked whole (`multi`) and in its one-step sub-problems (`step1` ...):

- IK, insufficient knowledge: the whole wrong, some step wrong;
- IG, inadequate generalisation: the whole wrong although every step is right;
- CM, complete mastery: the whole right and the steps right;
- RM, rote memorisation: the whole right although steps are wrong.

Strict and loose differ where the whole is right: strict mastery needs every step, loose mastery
at least one. Denominators come from the data, and a rate without a denominator is None.
"""

from __future__ import annotations

import math
import re
from collections import defaultdict
from collections.abc import Callable, Mapping, Sequence
from typing import ClassVar, Literal

from ...errors import UserError
from ...problem import Record
from ...taxonomy import area_of
from .accuracy import IsCorrect, accuracy, by_label, robust
from .intervals import Rate, mean_of
from .results import Result

Class = Literal["IK", "IG", "CM", "RM"]


class Weights(Record, kw_only=True):
    """What classes are worth in We-Math's score; the paper's by default.

    Raises UserError unless 0 <= alpha < beta <= 1: We-Math (4.2) ranks IK below IG below CM; a beta
    of 1, its limit, is taken.

    Args:
        alpha: Worth of IK.
        beta: Worth of IG.
    """

    # on the command line they are `--set KEY=VALUE`
    RARE: ClassVar[tuple[str, ...]] = ("alpha", "beta")

    alpha: float = 0.0
    beta: float = 0.5

    def __post_init__(self) -> None:
        if not 0 <= self.alpha < self.beta <= 1:
            said = f"alpha {self.alpha:g} and beta {self.beta:g}"
            raise UserError(said, "give 0 <= alpha < beta <= 1")


PAPER = Weights()


class Share(Record, kw_only=True):
    """How many groups fall into a class, and the 95 % interval of the rate.

    RM's rate is over CM + RM, the others' over all.
    """

    n: int
    rate: float | None
    low: float | None = None
    high: float | None = None


class Dimensions(Record, kw_only=True):
    """The four classes and the score (CM + beta IG + alpha IK) / groups, under one setting.

    `low` and `high` bound the 95 % interval of the score; the sample is the group of steps.
    """

    score: float | None
    low: float | None
    high: float | None
    IK: Share
    IG: Share
    CM: Share
    RM: Share


class Area(Record, kw_only=True):
    """An area's accuracy: the unweighted mean over its concepts, one-step problems only."""

    value: float | None
    concepts: int


class FourDimensional(Record, kw_only=True):
    """The whole We-Math table of one model.

    `steps`: accuracy of "1", the pooled one-step problems, and of the composite problems of each
    number of steps. `incomplete` names groups without a whole or without steps; they are left out.
    """

    groups: int
    weights: Weights
    strict: Dimensions
    loose: Dimensions
    steps: dict[str, Rate]
    areas: dict[str, Area]
    concepts: dict[str, Rate]
    incomplete: list[str]


def classify(steps: Sequence[bool], whole: bool, *, loose: bool = False) -> Class:
    """The class of one group.

    >>> classify([True, False], whole=True), classify([True, False], whole=True, loose=True)
    ('RM', 'CM')
    """
    if not whole:
        return "IG" if all(steps) else "IK"
    return "CM" if (any(steps) if loose else all(steps)) else "RM"


def dimensions(
    classes: Sequence[Class],
    weights: Weights = PAPER,
    origins: Sequence[str] | None = None,
) -> Dimensions:
    """Counts, rates and score of classified groups, each of its own origin if none are given.

    >>> dimensions(["IK", "IG", "CM", "RM"]).score
    0.375
    >>> dimensions(["IK", "IG", "CM", "RM"], Weights(alpha=0.2, beta=0.6)).score
    0.45
    """
    origins = origins or [str(k) for k in range(len(classes))]
    score, low, high = _mean([worth(c, weights) for c in classes], origins)
    mastered = [
        (c, o) for c, o in zip(classes, origins, strict=True) if c in ("CM", "RM")
    ]
    return Dimensions(
        score=score,
        low=low,
        high=high,
        IK=_share("IK", classes, origins),
        IG=_share("IG", classes, origins),
        CM=_share("CM", classes, origins),
        RM=_share("RM", [c for c, _ in mastered], [o for _, o in mastered]),
    )


def worth(one: Class, weights: Weights = PAPER) -> float:
    """What a group of this class adds to the score.

    >>> [worth(c) for c in ("IK", "IG", "CM", "RM")]
    [0.0, 0.5, 1.0, 0.0]
    """
    return {"IK": weights.alpha, "IG": weights.beta, "CM": 1.0, "RM": 0.0}[one]


def _share(name: Class, classes: Sequence[Class], origins: Sequence[str]) -> Share:
    rate, low, high = _mean([float(c == name) for c in classes], origins)
    return Share(n=classes.count(name), rate=rate, low=low, high=high)


def _mean(
    marks: Sequence[float], origins: Sequence[str]
) -> tuple[float | None, float | None, float | None]:
    if not marks:
        return None, None, None
    mean = mean_of(marks, origins)
    return mean.value, mean.low, mean.high


class Group(Record, kw_only=True):
    """The samples of one composite problem, steps in order."""

    steps: list[Result]
    whole: Result


def groups_of(results: Sequence[Result]) -> tuple[dict[str, Group], list[str]]:
    """Complete groups by problem id (and repeat), and the names of the incomplete ones."""
    steps: defaultdict[str, dict[int, Result]] = defaultdict(dict)
    whole: dict[str, Result] = {}
    for result in (r for r in results if r.version):
        name = result.problem_id + (
            f" repeat {result.repeat}" if result.repeat > 1 else ""
        )
        if match := re.fullmatch(r"step(\d+)", result.version):
            steps[name][int(match[1])] = result
        elif result.version == "multi":
            whole[name] = result
    complete = {
        problem: Group(
            steps=[steps[problem][k] for k in sorted(steps[problem])], whole=result
        )
        for problem, result in whole.items()
        if sorted(steps.get(problem, {}))
        == list(range(1, len(steps.get(problem, {})) + 1))
        and problem in steps
    }
    return complete, sorted((set(steps) | set(whole)) - set(complete))


def classes_of(
    groups: Mapping[str, Group], verdict: IsCorrect = robust, *, loose: bool = False
) -> dict[str, Class]:
    """The class of each group by problem id."""
    return {
        problem: classify(
            [verdict(s) for s in group.steps], verdict(group.whole), loose=loose
        )
        for problem, group in groups.items()
    }


def four_dimensional(
    results: Sequence[Result],
    verdict: IsCorrect = robust,
    area_of: Callable[[str], str | None] = area_of,
    weights: Weights = PAPER,
) -> FourDimensional | None:
    """The metric over all groups, or None when there is no group of steps.

    `area_of` gives the area of a knowledge concept; concepts without one are in no area.
    """
    groups, incomplete = groups_of(results)
    if not groups:
        return None
    one_step = [step for group in groups.values() for step in group.steps]
    by_length: defaultdict[int, list[Result]] = defaultdict(list)
    for group in groups.values():
        by_length[len(group.steps)].append(group.whole)
    concepts = dict(sorted(by_label(one_step, verdict).get("knowledge", {}).items()))
    origins = [group.whole.origin for group in groups.values()]
    return FourDimensional(
        groups=len(groups),
        weights=weights,
        strict=dimensions(list(classes_of(groups, verdict).values()), weights, origins),
        loose=dimensions(
            list(classes_of(groups, verdict, loose=True).values()), weights, origins
        ),
        steps={"1": accuracy(one_step, verdict)}
        | {str(k): accuracy(by_length[k], verdict) for k in sorted(by_length) if k > 1},
        areas=_areas(concepts, area_of),
        concepts=concepts,
        incomplete=incomplete,
    )


def _areas(
    concepts: dict[str, Rate], area_of: Callable[[str], str | None]
) -> dict[str, Area]:
    values: defaultdict[str, list[float]] = defaultdict(list)
    for concept, rate in concepts.items():
        area = area_of(concept)
        if area is not None and rate.value is not None:
            values[area].append(rate.value)
    return {
        area: Area(value=round(math.fsum(v) / len(v), 6), concepts=len(v))
        for area, v in sorted(values.items())
    }
