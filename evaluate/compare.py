"""Is A better than B? `benchwright compare` and its Python twin."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from pathlib import Path
from typing import Any, Literal

from ..display import Display, Table
from ..errors import UserError
from ..problem import Record
from ..release import read_samples
from .metrics import (
    Difference,
    Dimensions,
    McNemar,
    Rate,
    Result,
    accuracy,
    classes_of,
    cluster_bootstrap,
    dimensions,
    groups_of,
    holm,
    mcnemar,
    minimum_detectable,
    natural,
    paired_difference,
    read_results,
)
from .report import write_comparison
from .score import score


class LabelDifference(Record, kw_only=True):
    """The difference within one group; `p_holm` is corrected for the groups of its label."""

    difference: Difference
    p_holm: float


class Comparison(Display, Record, kw_only=True):
    """Figures of A minus figures of B, on the same samples.

    `verdict` is about the whole split: tied unless the cluster-robust interval excludes 0.
    `transitions` counts groups of steps by their strict four-dimensional class, "IK -> CM": IK
    with A, CM with B (plain prompts against knowledge cards, We-Math, section 3.3), and
    `four_dimensional` has the classes and the score of each, strict and loose.
    """

    a: str
    b: str
    accuracy_a: Rate
    accuracy_b: Rate
    difference: Difference
    bootstrap: tuple[float, float]
    mcnemar: McNemar
    minimum_detectable_difference: float | None
    verdict: Literal["A is better", "B is better", "tied"]
    by: dict[str, dict[str, LabelDifference]]
    transitions: dict[str, int]
    four_dimensional: dict[str, Dimensions]  # "A strict", "B strict", "A loose", "B loose"
    notes: list[str]

    def headline(self) -> str:
        d = self.difference
        interval = "" if d.low is None else f" [{100 * d.low:.1f}, {100 * (d.high or 0):.1f}]"
        value = "none" if d.value is None else f"{100 * d.value:+.1f}"
        return f"{self.a} - {self.b}: {value}{interval} points, {self.verdict}"

    def table(self) -> Table:
        header = ["label", "value", "n", "difference", "low", "high", "p", "p_holm"]
        d = self.difference
        rows: list[list[Any]] = [["", "all", d.n, d.value, d.low, d.high, d.p, None]]
        for label, values in self.by.items():
            for value, x in values.items():
                d = x.difference
                rows.append([label, value, d.n, d.value, d.low, d.high, d.p, x.p_holm])
        return header, rows


def compare(
    release: str | Path,
    a: str | Path,
    b: str | Path,
    split: str,
    out: str | Path | None = None,
    **options: Any,
) -> Comparison:
    """Compare two prediction files, or folders written by `score`, on one split.

    With `out`, comparison.html is written there: the figures, and every sample with both replies
    side by side. `options` are those of `score`. Raises UserError when the two do not judge the
    same samples.

    Example: `compare("out/math-v-1.0.0", "a.jsonl", "b.jsonl", "testmini").verdict`
    """
    release, a, b = Path(release), Path(a), Path(b)
    first, second = (_results(release, path, split, options) for path in (a, b))
    comparison = compare_results(first, second, a.stem, b.stem)
    if out is not None:
        samples = read_samples(release, split, options.get("answers"))
        write_comparison(Path(out) / "comparison.html", comparison, first, second, samples, release)
    return comparison


def _results(release: Path, path: Path, split: str, options: dict[str, Any]) -> list[Result]:
    if path.is_dir():
        return read_results(path)
    return score(release, path, split, **options).results


def compare_results(
    first: Sequence[Result], second: Sequence[Result], a: str = "A", b: str = "B"
) -> Comparison:
    """The comparison of two lists of results for the same samples, in any order."""
    partner = {r.id: r for r in second}
    if partner.keys() != {r.id for r in first} or len(partner) != len(second):
        raise UserError(
            f"{a} and {b} do not judge the same samples",
            "score both on the same release and split; a leaderboard compares what runs share",
        )
    if not first:
        raise UserError("there is nothing to compare", "give a split that has samples")
    pairs = [(r, partner[r.id]) for r in first]
    right_a, right_b = [x.correct for x, _ in pairs], [y.correct for _, y in pairs]
    origins = [x.origin for x, _ in pairs]
    difference = paired_difference(right_a, right_b, origins)
    return Comparison(
        a=a,
        b=b,
        accuracy_a=accuracy(first),
        accuracy_b=accuracy(second),
        difference=difference,
        bootstrap=cluster_bootstrap(right_a, right_b, origins),
        mcnemar=mcnemar(right_a, right_b),
        minimum_detectable_difference=minimum_detectable(difference.se),
        verdict=_verdict(difference),
        by=_by_label(pairs),
        transitions=_transitions(first, second),
        four_dimensional=_dimensions(first, second),
        notes=_notes(first),
    )


def _verdict(difference: Difference) -> Literal["A is better", "B is better", "tied"]:
    if difference.low is not None and difference.low > 0:
        return "A is better"
    if difference.high is not None and difference.high < 0:
        return "B is better"
    return "tied"


def _by_label(pairs: Sequence[tuple[Result, Result]]) -> dict[str, dict[str, LabelDifference]]:
    groups: dict[str, dict[str, list[tuple[Result, Result]]]] = {}
    for pair in pairs:
        for label, values in pair[0].group_values().items():
            for value in values:
                groups.setdefault(label, {}).setdefault(value, []).append(pair)
    table: dict[str, dict[str, LabelDifference]] = {}
    for label in sorted(groups):
        values = sorted(groups[label], key=natural)
        differences = [_difference(groups[label][value]) for value in values]
        corrected = holm([1.0 if d.p is None else d.p for d in differences])
        table[label] = {
            value: LabelDifference(difference=d, p_holm=p)
            for value, d, p in zip(values, differences, corrected, strict=True)
        }
    return table


def _difference(pairs: Sequence[tuple[Result, Result]]) -> Difference:
    return paired_difference(
        [x.correct for x, _ in pairs], [y.correct for _, y in pairs], [x.origin for x, _ in pairs]
    )


def _transitions(first: Sequence[Result], second: Sequence[Result]) -> dict[str, int]:
    before, after = (classes_of(groups_of(results)[0]) for results in (first, second))
    moves = Counter(f"{before[g]} -> {after[g]}" for g in before if g in after)
    return dict(sorted(moves.items()))


def _dimensions(first: Sequence[Result], second: Sequence[Result]) -> dict[str, Dimensions]:
    settings = {}
    for setting in ("strict", "loose"):
        for name, results in (("A", first), ("B", second)):
            if groups := groups_of(results)[0]:
                classes = classes_of(groups, loose=setting == "loose")
                settings[f"{name} {setting}"] = dimensions(list(classes.values()))
    return settings


def _notes(results: Sequence[Result]) -> list[str]:
    notes = ["p values of labels are Holm-corrected within each label; labels overlap each other"]
    clusters = len({r.origin for r in results})
    if clusters < len(results):
        notes.append(
            f"{len(results)} samples form {clusters} clusters: McNemar's test takes them as "
            "independent, the interval and the bootstrap do not"
        )
    if clusters < 30:
        notes.append(f"{clusters} clusters are few for a normal approximation: trust McNemar")
    return notes
