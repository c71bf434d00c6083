"""Every figure of a score, computed from results: the shape of `scores.json`."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from importlib.metadata import version
from pathlib import Path
from typing import Any, Literal

import msgspec

from ...base.display import Display, Table
from ...base.files import sha256_file
from ...problem import Record
from ..predictions import Coverage, RunRecord
from .accuracy import (
    IsCorrect,
    Macro,
    accuracy,
    counts,
    grouped,
    judged,
    macro,
    official,
    robust,
)
from .earlier import Earlier
from .four_dimensional import PAPER, FourDimensional, Weights, four_dimensional
from .intervals import Rate, rate
from .left_out import LeftOut, left_out
from .living import LivingScores, living_scores
from .looks import LookScore, look_scores, without_looks
from .repeats import Repeats, repeats
from .results import Result, headline, not_run, versions_run
from .several import Several, several
from .six_versions import VersionScores, version_scores

Profile = Literal["robust", "official"]
VERDICTS: dict[str, IsCorrect] = {"robust": robust, "official": official}


class Tables(Record, kw_only=True):
    """Accuracy (micro), by every label, macro per label, and the two papers' protocols.

    Of six versions, accuracy and labels are over all but Text Only (`headline`).
    """

    accuracy: Rate
    by: dict[str, dict[str, Rate]]
    macro: dict[str, Macro]
    versions: VersionScores | None
    four_dimensional: FourDimensional | None
    repeats: Repeats | None = None
    living: LivingScores | None = None
    # of pictures in several looks
    looks: dict[str, LookScore] = msgspec.field(default_factory=dict)


class OfficialTables(Tables, kw_only=True):
    """The tables by the official rules, over the samples that have them.

    `robust_only` and `official_only` name every sample that only one of the profiles calls right.
    """

    profiles: list[str]
    robust_only: list[str]
    official_only: list[str]


class Provenance(Record, kw_only=True):
    """What the figures were computed from, and how the model was asked, as far as it is known.

    `runs` are the records of the files (`RUN.json`, or a harness's own log), `remarks` say why
    there is none.
    """

    benchwright: str
    manifest_sha256: str
    predictions: str
    predictions_sha256: str
    runs: list[RunRecord] = msgspec.field(default_factory=list)
    remarks: list[str] = msgspec.field(default_factory=list)


def provenance(
    manifest_sha256: str,
    predictions: Sequence[Path],
    runs: Sequence[RunRecord] = (),
    remarks: Sequence[str] = (),
) -> Provenance:
    """The version, the release and the files of replies, each as its hash, and their records."""
    return Provenance(
        benchwright=version("benchwright"),
        manifest_sha256=manifest_sha256,
        predictions=" + ".join(path.name for path in predictions),
        predictions_sha256=" + ".join(map(sha256_file, predictions)),
        runs=list(runs),
        remarks=list(remarks),
    )


class Ended(Record, kw_only=True):
    """Replies of one end that was known when they came: how many, and how many are right."""

    n: int
    robust: int
    official: int | None


class OwnVerdicts(Record, kw_only=True):
    """A file's own verdicts in `field`: on how many samples ours agree, and on which not."""

    field: str
    n: int
    right: int
    robust_differs: list[str]
    official_differs: list[str] | None


class Scores(Display, Tables, kw_only=True):
    """scores.json. Rates are fractions of one; intervals are 95 %, clustered by origin.

    `guessing` is what an option drawn at random is right by. `asked` is the accuracy over the
    replies to what was asked at all, where that is not everything.
    `not_run` names versions without any prediction; no figure counts them. `several` scores
    samples with several letters or sub-answers. `endings` are replies that were cut, refused or
    never came, as far as whoever asked knew it; `own` are the file's own verdicts. `judge`, `cot`,
    `process` and `wo` are filled when a judge has been asked, `people` when people's verdicts were
    given (`people_verdicts.py`). `as_of` says by which earlier version's golds all figures are, and
    `without` what they are without some problems.
    """

    release: str
    split: str
    name: str = ""
    profile: Profile
    counts: dict[str, int]
    endings: dict[str, Ended] = msgspec.field(default_factory=dict)
    own: OwnVerdicts | None = None
    asked: Rate | None = None
    guessing: float | None = None
    not_run: list[str] = msgspec.field(default_factory=list)
    several: Several | None = None
    judge: dict[str, Any] | None = None
    cot: dict[str, Any] | None = None
    process: dict[str, Any] | None = None
    wo: dict[str, Any] | None = None
    people: dict[str, Any] | None = None
    as_of: Earlier | None = None
    without: LeftOut | None = None
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
        rates += [
            (label, v, rate) for label, by in self.by.items() for v, rate in by.items()
        ]
        header = ["label", "value", "n", "correct", "accuracy", "low", "high"]
        return header, [
            [*key, r.n, r.correct, r.value, r.low, r.high] for *key, r in rates
        ]


def run_name(scores: Scores, folder: Path) -> str:
    """What a run is called on every page: the name given to `score`, or its folder's."""
    return scores.name or folder.resolve().name


def _figures(
    results: Sequence[Result], verdict: IsCorrect, weights: Weights
) -> dict[str, Any]:
    shown = headline(results)
    clean = without_looks(results)
    run = versions_run(results)
    groups = grouped(shown)
    every = judged(shown, verdict)
    macros = {label: macro(values, every) for label, values in groups.items()}
    rates = every.rates(groups)
    if len(run) > len(
        shown
    ):  # the mean over versions leaves Text Only out, as the papers do
        versions = grouped(run)["version"]
        asked = judged(run, verdict)
        rates |= asked.rates({"version": versions})
        macros.setdefault("version", macro(versions, asked))
    return {
        "accuracy": rate(*every),
        "by": dict(sorted(rates.items())),
        "macro": macros,
        "versions": version_scores(clean, verdict),
        "four_dimensional": four_dimensional(clean, verdict, weights=weights),
        "repeats": repeats(shown, verdict),
        "living": living_scores(headline(clean), verdict),
        "looks": look_scores(shown, verdict),
    }


def official_tables(
    results: Sequence[Result], weights: Weights = PAPER
) -> OfficialTables | None:
    """The official profile beside the robust one; None when no sample has published rules."""
    known = [r for r in results if r.official is not None]
    if not known:
        return None
    differ = [r for r in known if official(r) != r.correct]
    return OfficialTables(
        profiles=sorted({r.official.profile for r in known if r.official}),
        robust_only=[r.reply_name() for r in differ if r.correct],
        official_only=[r.reply_name() for r in differ if not r.correct],
        **_figures(known, official, weights),
    )


def _endings(results: Sequence[Result]) -> dict[str, Ended]:
    known = any(r.official for r in results)
    found: dict[str, Ended] = {}
    for name in dict.fromkeys(r.ended for r in results if r.ended):
        those = [r for r in results if r.ended == name]
        found[name] = Ended(
            n=len(those),
            robust=sum(map(robust, those)),
            official=sum(map(official, those)) if known else None,
        )
    return found


def _asked(results: Sequence[Result], verdict: IsCorrect) -> Rate | None:
    """The accuracy of what has a prediction; None where everything has, or nothing."""
    counted = headline(results)
    there = [result for result in counted if result.status != "missing"]
    return accuracy(there, verdict) if 0 < len(there) < len(counted) else None


def _own(results: Sequence[Result]) -> OwnVerdicts | None:
    said = [(r, r.own) for r in results if r.own is not None]
    if not said:
        return None
    known = all(r.official for r, _ in said)
    return OwnVerdicts(
        field=said[0][1].field,
        n=len(said),
        right=sum(own.correct for _, own in said),
        robust_differs=[r.reply_name() for r, own in said if robust(r) != own.correct],
        official_differs=[
            r.reply_name() for r, own in said if official(r) != own.correct
        ]
        if known
        else None,
    )


def scores_of(
    results: Sequence[Result],
    *,
    release: str,
    split: str,
    profile: Profile,
    coverage: Coverage,
    provenance: Provenance,
    judged: Mapping[str, Any] | None = None,
    people: dict[str, Any] | None = None,
    weights: Weights = PAPER,
    as_of: Earlier | None = None,
    name: str = "",
    guessing: float | None = None,
    without: Collection[str] | None = None,
) -> Scores:
    """Everything that scores.json says; `judged` is what `run_protocols` returned, `people` what
    people's verdicts decided, `without` names problems that figures are given without, too."""
    judged = judged or {}
    figures = _figures(results, VERDICTS[profile], weights)
    return Scores(
        release=release,
        split=split,
        name=name,
        profile=profile,
        counts=counts(results),
        endings=_endings(results),
        own=_own(results),
        asked=_asked(results, VERDICTS[profile]),
        guessing=guessing,
        not_run=not_run(results),
        several=several(versions_run(results)),
        official=official_tables(results, weights),
        coverage=coverage,
        provenance=provenance,
        judge={k: v for k, v in judged.items() if k not in ("cot", "process", "wo")}
        or None,
        cot=judged.get("cot"),
        process=judged.get("process"),
        wo=judged.get("wo"),
        people=people,
        as_of=as_of,
        without=None
        if without is None
        else left_out(headline(results), without, VERDICTS[profile]),
        **figures,
    )
