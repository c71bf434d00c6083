"""Samples with several right letters or sub-answers: a strict and a partial score."""

from __future__ import annotations

from collections.abc import Sequence

from ...problem import Record
from .accuracy import accuracy
from .intervals import Rate, mean_of
from .results import Result


class Several(Record, kw_only=True):
    """`strict` asks for all of a sample's answers, `partial` is the mean credit, 95 % interval."""

    strict: Rate
    partial: float
    low: float
    high: float


def several(results: Sequence[Result]) -> Several | None:
    """The two scores of the samples that have several answers; None without any.

    These are samples of the kinds `choices` and `parts`, and those whose gold is written in parts.
    A sample of which the grader gives no credit counts as its verdict.
    """
    those = [
        r for r in results if r.kind in ("choices", "parts") or r.credit is not None
    ]
    if not those:
        return None
    credits = [
        float(r.correct) if r.credit is None or r.correct else r.credit for r in those
    ]
    mean = mean_of(credits, [r.origin for r in those])
    return Several(
        strict=accuracy(those), partial=mean.value, low=mean.low, high=mean.high
    )
