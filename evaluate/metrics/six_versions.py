"""How much of a picture a model reads: accuracy on the six versions of a problem.

MathVerse, section 2.2: from Text Dominant to Vision Only, ever less stands in the text and ever
more only in the picture. "All" leaves Text Only out, as the paper's tables do.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence

from ...problem import VERSIONS, Record
from .accuracy import IsCorrect, accuracy, grouped, robust
from .intervals import Rate
from .paired import Difference, paired_difference
from .results import Result, versions_run

# The drops that section 3.3 of the paper reads, from the richer to the poorer text.
DROPS = (
    ("text_dominant", "text_only"),
    ("text_dominant", "text_lite"),
    ("text_lite", "vision_intensive"),
    ("text_lite", "vision_dominant"),
    ("vision_dominant", "vision_only"),
)


class VersionScores(Record, kw_only=True):
    """Accuracy per version, over all but Text Only, per subject and subfield, and the drops."""

    text_dominant: Rate | None = None
    text_lite: Rate | None = None
    text_only: Rate | None = None
    vision_intensive: Rate | None = None
    vision_dominant: Rate | None = None
    vision_only: Rate | None = None
    all: Rate | None = None
    by: dict[
        str, dict[str, dict[str, Rate]]
    ]  # label -> value -> version or "all" -> rate
    drops: dict[
        str, Difference
    ]  # "text_dominant -> text_only": the first minus the second


def version_scores(
    results: Sequence[Result], verdict: IsCorrect = robust
) -> VersionScores | None:
    """The six-version tables, or None when no sample is one of the six versions."""
    versioned = [r for r in versions_run(results) if r.version in VERSIONS]
    if not versioned:
        return None
    groups = grouped(versioned)
    by: dict[str, dict[str, dict[str, Rate]]] = {
        label: {
            value: _per_version([versioned[k] for k in places], verdict)
            for value, places in sorted(groups[label].items())
        }
        for label in ("subfield", "subject")
        if label in groups
    }
    rates = _per_version(versioned, verdict)
    return VersionScores(by=by, drops=_drops(versioned, verdict), **rates)


def _per_version(results: Sequence[Result], verdict: IsCorrect) -> dict[str, Rate]:
    split: defaultdict[str, list[Result]] = defaultdict(list)
    for result in results:
        split[result.version].append(result)
        if result.version != "text_only":
            split["all"].append(result)
    return {
        name: accuracy(split[name], verdict)
        for name in (*VERSIONS, "all")
        if name in split
    }


def _drops(results: Sequence[Result], verdict: IsCorrect) -> dict[str, Difference]:
    """Paired over the problems that have both versions; of people, who answer one version each,
    every answer to the one meets every answer to the other."""
    cells: defaultdict[tuple[tuple[str, int], str], list[Result]] = defaultdict(list)
    for result in results:
        cells[(result.problem_id, result.repeat), result.version].append(result)
    drops = {}
    for rich, poor in DROPS:
        pairs = [
            (a, b)
            for (problem, version), answers in cells.items()
            if version == rich and (problem, poor) in cells
            for a in answers
            for b in cells[problem, poor]
        ]
        if pairs:
            drops[f"{rich} -> {poor}"] = paired_difference(
                [verdict(a) for a, _ in pairs],
                [verdict(b) for _, b in pairs],
                [a.origin for a, _ in pairs],
            )
    return drops
