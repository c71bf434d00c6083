"""Runs side by side: a scored run, and what comparing runs gives."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, Literal, NamedTuple

import msgspec

from ...base.display import Display, Table
from ...problem import Record
from .accuracy import IsCorrect
from .four_dimensional import Dimensions
from .intervals import Rate
from .paired import Difference, Outcomes
from .results import Result
from .scores import VERDICTS, Scores


class Run(NamedTuple):
    """One run: its scores, the results that its accuracy is over, and what each judge said."""

    name: str
    scores: Scores
    results: Sequence[Result]
    # sample and reply -> judge -> right, wrong or left open
    words: Mapping[tuple[str, int], Mapping[str, str]] = {}

    @property
    def verdict(self) -> IsCorrect:
        """The verdict of the run's profile."""
        return VERDICTS[self.scores.profile]


class LabelDifference(Record, kw_only=True):
    """The difference within one group.

    `p_adjusted` is corrected for all groups of all labels (Tarone and Holm); only it may be read as
    a claim about a group.
    """

    difference: Difference
    p_adjusted: float


class Comparison(Display, Record, kw_only=True):
    """Figures of A minus figures of B, on the same samples, by the profile they were scored with.

    `verdict` is about the whole split: tied unless the exact test and the interval both exclude 0.
    `transitions` counts groups of steps by their strict four-dimensional class, "IK -> CM": IK
    with A, CM with B (plain prompts against knowledge cards, We-Math, section 3.3), and
    `four_dimensional` has the classes and the score of each, strict and loose, with the
    differences of their rates in `dimension_differences`. `asked` is what the two were asked
    otherwise, as far as it is recorded: prompt, sampling, model.
    """

    a: str
    b: str
    accuracy_a: Rate
    accuracy_b: Rate
    difference: Difference
    outcomes: Outcomes
    verdict: Literal["A is better", "B is better", "tied"]
    by: dict[str, dict[str, LabelDifference]]
    transitions: dict[str, int]
    four_dimensional: dict[
        str, Dimensions
    ]  # "A strict", "B strict", "A loose", "B loose"
    dimension_differences: dict[
        str, dict[str, Difference]
    ]  # "strict" -> "score", "IK", ...
    notes: list[str]
    asked: dict[str, list[str]] = msgspec.field(default_factory=dict)
    living: dict[str, Difference] = msgspec.field(
        default_factory=dict
    )  # average, worst case

    def headline(self) -> str:
        d = self.difference
        interval = (
            "" if d.low is None else f" [{100 * d.low:.1f}, {100 * (d.high or 0):.1f}]"
        )
        value = "none" if d.value is None else f"{100 * d.value:+.1f}"
        return f"{self.a} - {self.b}: {value}{interval} points, {self.verdict}"

    def table(self) -> Table:
        header = ["label", "value", "n", "difference", "low", "high", "p", "p_adjusted"]
        d = self.difference
        rows: list[list[Any]] = [["", "all", d.n, d.value, d.low, d.high, d.p, None]]
        for label, values in self.by.items():
            for value, x in values.items():
                d = x.difference
                rows.append(
                    [label, value, d.n, d.value, d.low, d.high, d.p, x.p_adjusted]
                )
        return header, rows


class Share(Record, kw_only=True):
    """A part of A minus B: its cause, its points as a fraction of one, and its samples."""

    cause: str
    points: float
    only_a: list[str] = msgspec.field(default_factory=list)
    only_b: list[str] = msgspec.field(default_factory=list)


class Explained(Display, Record, kw_only=True):
    """A's accuracy minus B's, split over causes; the shares sum to the difference.

    `differ_in` says what is not the same of both runs, `untold` what the material does not tell,
    `by` the difference in each group that a published row has figures for.
    """

    a: str
    b: str
    accuracy_a: Rate
    accuracy_b: Rate
    difference: float
    shares: list[Share]
    differ_in: dict[str, list[str]]
    untold: list[str]
    by: dict[str, list[float]] = msgspec.field(default_factory=dict)

    def headline(self) -> str:
        parts = ", ".join(f"{100 * s.points:+.2f} {s.cause}" for s in self.shares)
        return (
            f"{self.a} - {self.b}: {100 * self.difference:+.2f} points"
            + f" = {parts}" * bool(parts)
        )

    def table(self) -> Table:
        header = ["cause", "points", "only A right", "only B right"]
        told = zip(self.shares, in_hundredths(self), strict=True)
        rows = [[s.cause, points, len(s.only_a), len(s.only_b)] for s, points in told]
        return header, [*rows, ["A - B", f"{100 * self.difference:+.2f}", "", ""]]


def in_hundredths(found: Explained) -> list[str]:
    """Each share in points with two digits; what rounding leaves goes to the largest remainders."""
    exact = [10_000 * share.points for share in found.shares]
    whole = [int(value // 1) for value in exact]
    left = round(10_000 * found.difference) - sum(whole)
    by_rest = sorted(range(len(exact)), key=lambda k: whole[k] - exact[k])
    for k in by_rest[: max(0, left)]:
        whole[k] += 1
    return [f"{value / 100:+.2f}" for value in whole]


class Comparisons(Display, Record, kw_only=True):
    """A against each of several others; `p_adjusted` corrects the tests for being several."""

    pairs: list[Comparison]
    p_adjusted: list[float]

    def headline(self) -> str:
        return "; ".join(comparison.headline() for comparison in self.pairs)

    def table(self) -> Table:
        header = ["A", "B", "n", "difference", "low", "high", "p", "p_adjusted"]
        rows: list[list[Any]] = []
        for c, p in zip(self.pairs, self.p_adjusted, strict=True):
            d = c.difference
            rows.append([c.a, c.b, d.n, d.value, d.low, d.high, d.p, p])
        return header, rows
