"""Is A better than B? `benchwright compare` and its Python twin."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from pathlib import Path
from typing import Any, Literal, overload

from ..display import Display, Table
from ..errors import UserError
from ..problem import Record
from ..release import fingerprint, read_manifest, read_samples
from .metrics import (
    Class,
    Difference,
    Dimensions,
    Outcomes,
    Rate,
    Result,
    accuracy,
    classes_of,
    dimension_differences,
    dimensions,
    grouped,
    groups_of,
    headline,
    natural,
    outcomes,
    paired_difference,
    tarone_holm,
)
from .report import (
    comparison_figures,
    comparison_sections,
    write_across,
    write_comparison,
    write_papers,
)
from .runs import Run, cluster_differences, named_apart, read_run, require_alike, tallies
from .score import score

BETTER: dict[str, Literal["A is better", "B is better", "tied"]] = {
    "first": "A is better",
    "second": "B is better",
    "tied": "tied",
}


class LabelDifference(Record, kw_only=True):
    """The difference within one group.

    `p_adjusted` is corrected for the groups of its label (Tarone and Holm); only it may be read as
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
    differences of their rates in `dimension_differences`.
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
    four_dimensional: dict[str, Dimensions]  # "A strict", "B strict", "A loose", "B loose"
    dimension_differences: dict[str, dict[str, Difference]]  # "strict" -> "score", "IK", ...
    notes: list[str]

    def headline(self) -> str:
        d = self.difference
        interval = "" if d.low is None else f" [{100 * d.low:.1f}, {100 * (d.high or 0):.1f}]"
        value = "none" if d.value is None else f"{100 * d.value:+.1f}"
        return f"{self.a} - {self.b}: {value}{interval} points, {self.verdict}"

    def table(self) -> Table:
        header = ["label", "value", "n", "difference", "low", "high", "p", "p_adjusted"]
        d = self.difference
        rows: list[list[Any]] = [["", "all", d.n, d.value, d.low, d.high, d.p, None]]
        for label, values in self.by.items():
            for value, x in values.items():
                d = x.difference
                rows.append([label, value, d.n, d.value, d.low, d.high, d.p, x.p_adjusted])
        return header, rows


class Described(Display, Record, kw_only=True):
    """Two runs that no test may compare: other versions, splits or profiles.

    The figures of each as it shows them, and on the `shared` samples which of them are right.
    """

    a: str
    b: str
    accuracy_a: Rate
    accuracy_b: Rate
    differ_in: dict[str, list[str]]  # release, build, split, profile -> what each has
    shared: int
    outcomes: Outcomes
    only_a: list[str]
    only_b: list[str]

    def headline(self) -> str:
        values = (f"{100 * (r.value or 0):.1f} %" for r in (self.accuracy_a, self.accuracy_b))
        return f"{self.a} {next(values)}, {self.b} {next(values)}; {self.shared} samples shared"

    def table(self) -> Table:
        o = self.outcomes
        header = ["on shared samples", "n"]
        return header, [
            ["both right", o.both],
            [f"only A right: {self.a}", o.only_first],
            [f"only B right: {self.b}", o.only_second],
            ["neither right", o.neither],
        ]


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


@overload
def compare(
    release: str | Path,
    a: str | Path,
    b: str | Path,
    split: str,
    out: str | Path | None = None,
    *,
    across: Literal[False] = False,
    **options: Any,
) -> Comparison: ...


@overload
def compare(
    release: str | Path,
    a: str | Path,
    b: Sequence[str | Path],
    split: str,
    out: str | Path | None = None,
    *,
    across: Literal[False] = False,
    **options: Any,
) -> Comparison | Comparisons: ...


@overload
def compare(
    release: str | Path,
    a: str | Path,
    b: str | Path | Sequence[str | Path],
    split: str,
    out: str | Path | None = None,
    *,
    across: Literal[True],
    **options: Any,
) -> Described: ...


def compare(
    release: str | Path,
    a: str | Path,
    b: str | Path | Sequence[str | Path],
    split: str,
    out: str | Path | None = None,
    *,
    across: bool = False,
    other: str | Path | None = None,
    papers: bool = False,
    **options: Any,
) -> Comparison | Comparisons | Described:
    """Compare two prediction files, or folders written by `score`, on one split.

    Where `b` is several, A is compared with each of them. With `out`, comparison.html is written
    there: the figures, and every sample with all replies side by side; with `papers` tables and
    figures for a paper, too. `options` are those of `score`. With `across`, B may be a folder of
    another release (`other`), split or profile: what comes back are counts, no test, and the page
    shows what changed and what flips. Raises UserError, by name, where a folder was scored on
    another release, build or split, or where runs have different profiles.

    Example: `compare("out/math-v-1.0.0", "a.jsonl", "b.jsonl", "testmini").verdict`
    """
    release, page = Path(release), None if out is None else Path(out) / "comparison.html"
    others = [Path(b)] if isinstance(b, str | Path) else [Path(path) for path in b]
    if papers and (out is None or across):
        raise UserError("tables and figures need a place, and a test", "give --out, no --across")
    first = _run(release, Path(a), split, options)
    answers = options.get("answers")
    if across:
        return _across(release, first, others, split, other, page, options)
    runs = named_apart([first, *(_run(release, path, split, options) for path in others)])
    require_alike(runs)
    found = _comparisons(runs)
    figures = found.pairs, found.p_adjusted
    if out is not None and papers:
        write_papers(Path(out), comparison_sections(*figures, runs), comparison_figures(runs))
    if page is not None:
        write_comparison(page, *figures, runs, read_samples(release, split, answers), release)
    return found.pairs[0] if len(found.pairs) == 1 else found


def _comparisons(runs: Sequence[Run]) -> Comparisons:
    """The first run against each other one."""
    family = tarone_holm([cluster_differences(runs[0], run) for run in runs[1:]])
    pairs = [compare_runs(runs[0], run) for run in runs[1:]]
    return Comparisons(pairs=pairs, p_adjusted=list(family.adjusted))


def _across(
    release: Path,
    first: Run,
    others: Sequence[Path],
    split: str,
    other: str | Path | None,
    page: Path | None,
    options: dict[str, Any],
) -> Described:
    """Two runs described; with a `page`, the samples of both with what changed."""
    if len(others) > 1:
        raise UserError(f"{len(others) + 1} runs cannot be described at once", "give two")
    path = others[0]
    second = read_run(path) if path.is_dir() else _run(release, path, split, options)
    described = describe(first, second)
    if page is None:
        return described
    if other is None and second.scores.release != first.scores.release:
        raise UserError(
            f"the page shows the samples of {second.scores.release}",
            "give its folder: --other RELEASE",
        )
    answers = options.get("answers")
    theirs = Path(other) if other is not None else release
    samples = (
        read_samples(release, split, answers),
        read_samples(theirs, second.scores.split, answers),
    )
    verdicts = _shared(first, second)
    if missing := sorted(verdicts.keys() - {s.id for s in samples[1]}):
        raise UserError(f"{theirs} has no sample {missing[0]!r}", "give the release of B")
    write_across(page, described, verdicts, (first, second), samples, release)
    return described


def _names(first: Run, second: Run) -> tuple[str, str]:
    """What the two are called; two of one name by the first thing they differ in."""
    if first.name != second.name:
        return first.name, second.name
    one, two = next(iter(_differ_in(first, second).values()), ["A", "B"])
    return f"{first.name} ({one})", f"{second.name} ({two})"


def describe(first: Run, second: Run) -> Described:
    """Two runs, whatever their release, split or profile: counts on what they share."""
    pairs = _shared(first, second)
    a, b = _names(first, second)
    return Described(
        a=a,
        b=b,
        accuracy_a=first.scores.accuracy,
        accuracy_b=second.scores.accuracy,
        differ_in=_differ_in(first, second),
        shared=len(pairs),
        outcomes=outcomes([x for x, _ in pairs.values()], [y for _, y in pairs.values()]),
        only_a=[k for k, (x, y) in pairs.items() if x and not y],
        only_b=[k for k, (x, y) in pairs.items() if y and not x],
    )


def _shared(first: Run, second: Run) -> dict[str, tuple[bool, bool]]:
    """The verdicts of both on the samples that both have, of several replies the majority's."""
    one, two = tallies(first), tallies(second)
    return {k: (2 * one[k][2] > one[k][1], 2 * two[k][2] > two[k][1]) for k in one if k in two}


def _differ_in(first: Run, second: Run) -> dict[str, list[str]]:
    both = [
        {
            "release": run.scores.release,
            "build": run.scores.provenance.manifest_sha256[:12],
            "split": run.scores.split,
            "profile": run.scores.profile,
        }
        for run in (first, second)
    ]
    return {k: [both[0][k], both[1][k]] for k in both[0] if both[0][k] != both[1][k]}


def _run(release: Path, path: Path, split: str, options: dict[str, Any]) -> Run:
    """A prediction file scored now, or a folder that was scored on this release and split."""
    if not path.is_dir():
        scored = score(release, path, split, **options)
        return Run(path.stem, scored.scores, headline(scored.results))
    run = read_run(path)
    manifest = read_manifest(release)
    name = f"{manifest['name']}-{manifest['version']}"
    if (run.scores.release, run.scores.split) != (name, split):
        raise UserError(
            f"{path} is on {run.scores.release}/{run.scores.split}, not on {name}/{split}",
            "name its release and split, or describe both with --across",
        )
    if run.scores.provenance.manifest_sha256 != fingerprint(release):
        raise UserError(
            f"{path} was scored on another build of {name}",
            "score the predictions again on this release, or describe both with --across",
        )
    return run


def compare_runs(first: Run, second: Run) -> Comparison:
    """The comparison of two runs that judge the same samples, in any order."""
    a, b = first.name, second.name
    partner = {_key(r): r for r in second.results}
    if partner.keys() != set(map(_key, first.results)) or not (
        len(partner) == len(second.results) == len(first.results)
    ):
        raise UserError(
            f"{a} and {b} do not judge the same samples once each",
            "score both on the same release and split; a leaderboard compares what runs share",
        )
    if not partner:
        raise UserError("there is nothing to compare", "give a split that has samples")
    pairs = [(r, partner[_key(r)]) for r in first.results]
    difference = _difference(first, second, pairs)
    classes = {setting: _classes(first, second, loose=setting == "loose") for setting in SETTINGS}
    return Comparison(
        a=a,
        b=b,
        accuracy_a=accuracy(first.results, first.verdict),
        accuracy_b=accuracy(second.results, second.verdict),
        difference=difference,
        outcomes=outcomes(
            [first.verdict(x) for x, _ in pairs], [second.verdict(y) for _, y in pairs]
        ),
        verdict=BETTER[difference.verdict],
        by=_by_label(first, second, partner),
        transitions=_transitions(*classes["strict"][:2]),
        four_dimensional={
            f"{name} {setting}": dimensions(side, origins=origins)
            for setting, (before, after, origins) in classes.items()
            for name, side in (("A", before), ("B", after))
            if origins
        },
        dimension_differences={
            setting: dimension_differences(*values)
            for setting, values in classes.items()
            if values[2]
        },
        notes=_notes(difference),
    )


def _key(result: Result) -> tuple[str, int]:
    """A sample and which of its replies."""
    return result.id, result.repeat


SETTINGS = ("strict", "loose")
Pairs = Sequence[tuple[Result, Result]]
Classes = tuple[list[Class], list[Class], list[str]]


def _difference(first: Run, second: Run, pairs: Pairs) -> Difference:
    return paired_difference(
        [first.verdict(x) for x, _ in pairs],
        [second.verdict(y) for _, y in pairs],
        [x.origin for x, _ in pairs],
    )


def _by_label(
    first: Run, second: Run, partner: dict[tuple[str, int], Result]
) -> dict[str, dict[str, LabelDifference]]:
    table: dict[str, dict[str, LabelDifference]] = {}
    for label, groups in grouped(first.results).items():
        values = sorted(groups, key=natural)
        family = tarone_holm(
            [
                cluster_differences(
                    first._replace(results=groups[value]),
                    second._replace(results=[partner[_key(r)] for r in groups[value]]),
                )
                for value in values
            ]
        )
        table[label] = {
            value: LabelDifference(
                difference=_difference(
                    first, second, [(r, partner[_key(r)]) for r in groups[value]]
                ),
                p_adjusted=p,
            )
            for value, p in zip(values, family.adjusted, strict=True)
        }
    return table


def _classes(first: Run, second: Run, *, loose: bool) -> Classes:
    """The four-dimensional classes of the groups of both, and the groups' origins."""
    groups = groups_of(first.results)[0]
    before = classes_of(groups, first.verdict, loose=loose)
    after = classes_of(groups_of(second.results)[0], second.verdict, loose=loose)
    shared = [name for name in before if name in after]
    return (
        [before[name] for name in shared],
        [after[name] for name in shared],
        [groups[name].whole.origin for name in shared],
    )


def _transitions(before: Sequence[str], after: Sequence[str]) -> dict[str, int]:
    moves = Counter(f"{x} -> {y}" for x, y in zip(before, after, strict=True))
    return dict(sorted(moves.items()))


def _notes(difference: Difference) -> list[str]:
    notes = [
        "p of labels is corrected within each label (Tarone-Holm, valid where labels overlap); "
        "a group may be called different only by it"
    ]
    if difference.clusters < difference.n:
        notes.append(
            f"{difference.n} samples form {difference.clusters} clusters: test and interval count "
            "clusters"
        )
    if caution := difference.caution():
        notes.append(caution)
    return notes
