"""Every figure of a score, computed from results: the shape of `scores.json`."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from importlib.metadata import version
from pathlib import Path
from typing import Any, Literal

from ...display import Display, Table
from ...files import sha256_file
from ...problem import Record
from ...release import fingerprint
from ..predictions import Coverage
from .accuracy import IsCorrect, Macro, accuracy, by_label, counts, macro, official, robust
from .four_dimensional import PAPER, FourDimensional, Weights, four_dimensional
from .intervals import Rate, mean_interval
from .paired import minimum_detectable
from .results import Result
from .six_versions import VersionScores, version_scores

Profile = Literal["robust", "official"]
AreaOf = Callable[[str], str | None]
VERDICTS: dict[str, IsCorrect] = {"robust": robust, "official": official}


class Tables(Record, kw_only=True):
    """Accuracy (micro), by every label, macro per label, and the two papers' protocols."""

    accuracy: Rate
    by: dict[str, dict[str, Rate]]
    macro: dict[str, Macro]
    versions: VersionScores | None
    four_dimensional: FourDimensional | None


class OfficialTables(Tables, kw_only=True):
    """The tables by the official rules, over the samples that have them.

    `robust_only` and `official_only` name every sample that only one of the profiles calls right.
    """

    profiles: list[str]
    robust_only: list[str]
    official_only: list[str]


class Partial(Record, kw_only=True):
    """Accuracy with partial credit: `n` samples may earn it (several letters, or parts).

    `credit` is the mean of these; `value` the mean over all samples, with its 95 % interval.
    """

    n: int
    credit: float
    value: float
    low: float
    high: float


def partial(results: Sequence[Result]) -> Partial | None:
    """None where no sample may earn partial credit; a judge's verdict counts whole."""
    marks = [
        float(r.correct) if r.credit is None or r.decided_by == "judge" else r.credit
        for r in results
    ]
    earned = [m for m, r in zip(marks, results, strict=True) if r.credit is not None]
    if not earned:
        return None
    value, _, low, high = mean_interval(marks, [r.origin for r in results])
    return Partial(
        n=len(earned), credit=round(sum(earned) / len(earned), 6),
        value=round(value, 6), low=round(low, 6), high=round(high, 6),
    )  # fmt: skip


class Provenance(Record, kw_only=True):
    """What the figures were computed from."""

    benchwright: str
    manifest_sha256: str
    predictions: str
    predictions_sha256: str


def provenance(release: Path, predictions: Path) -> Provenance:
    """The version, the release and the file of replies, each as its hash."""
    return Provenance(
        benchwright=version("benchwright"),
        manifest_sha256=fingerprint(release),
        predictions=predictions.name,
        predictions_sha256=sha256_file(predictions),
    )


class Scores(Display, Tables, kw_only=True):
    """scores.json. Rates are fractions of one; intervals are 95 %, clustered by origin.

    `minimum_detectable_difference`: between this run and an independent one as uncertain, found
    with 80 % power. `partial` is there where golds have several letters or parts. `judge`, `cot`
    and `process` are filled when a judge has been asked.
    """

    release: str
    split: str
    profile: Profile
    counts: dict[str, int]
    partial: Partial | None = None
    minimum_detectable_difference: float | None
    judge: dict[str, Any] | None = None
    cot: dict[str, Any] | None = None
    process: dict[str, Any] | None = None
    official: OfficialTables | None
    coverage: Coverage
    provenance: Provenance

    def headline(self) -> str:
        a = self.accuracy
        value = "none" if a.value is None else f"{100 * a.value:.2f} %"
        return (
            f"{self.release} / {self.split}, {self.profile} profile, accuracy {value} "
            f"({a.correct} of {a.n})"
        )

    def table(self) -> Table:
        rates = [("", "all", self.accuracy)]
        rates += [(label, v, rate) for label, by in self.by.items() for v, rate in by.items()]
        header = ["label", "value", "n", "correct", "accuracy", "low", "high"]
        return header, [[*key, r.n, r.correct, r.value, r.low, r.high] for *key, r in rates]


def _figures(
    results: Sequence[Result], verdict: IsCorrect, area_of: AreaOf, weights: Weights
) -> dict[str, Any]:
    rates = by_label(results, verdict)
    return {
        "accuracy": accuracy(results, verdict),
        "by": rates,
        "macro": {label: macro(values) for label, values in rates.items()},
        "versions": version_scores(results, verdict),
        "four_dimensional": four_dimensional(results, verdict, area_of, weights),
    }


def official_tables(
    results: Sequence[Result], area_of: AreaOf, weights: Weights = PAPER
) -> OfficialTables | None:
    """The official profile beside the robust one; None when no sample has published rules."""
    known = [r for r in results if r.official is not None]
    if not known:
        return None
    differ = [r for r in known if official(r) != r.correct]
    return OfficialTables(
        profiles=sorted({r.official.profile for r in known if r.official}),
        robust_only=[r.id for r in differ if r.correct],
        official_only=[r.id for r in differ if not r.correct],
        **_figures(known, official, area_of, weights),
    )


def scores_of(
    results: Sequence[Result],
    *,
    release: str,
    split: str,
    profile: Profile,
    coverage: Coverage,
    provenance: Provenance,
    area_of: AreaOf,
    judged: Mapping[str, Any] | None = None,
    weights: Weights = PAPER,
) -> Scores:
    """Everything that scores.json says; `judged` is what `run_protocols` returned."""
    judged = judged or {}
    figures = _figures(results, VERDICTS[profile], area_of, weights)
    se = figures["accuracy"].se
    return Scores(
        release=release,
        split=split,
        profile=profile,
        counts=counts(results),
        partial=partial(results),
        minimum_detectable_difference=minimum_detectable(None if se is None else se * 2**0.5),
        official=official_tables(results, area_of, weights),
        coverage=coverage,
        provenance=provenance,
        judge={k: v for k, v in judged.items() if k not in ("cot", "process")} or None,
        cot=judged.get("cot"),
        process=judged.get("process"),
        **figures,
    )
