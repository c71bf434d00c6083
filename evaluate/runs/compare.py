"""Is A better than B? `benchwright compare` and its Python twin."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Mapping, Sequence
from pathlib import Path
from typing import Any, Literal

from ...errors import UserError
from ...pipeline import Jobs
from ..metrics import (
    Class,
    Comparison,
    Comparisons,
    Difference,
    Explained,
    LabelDifference,
    Result,
    Run,
    accuracy,
    classes_of,
    dimension_differences,
    dimensions,
    grouped,
    groups_of,
    living_differences,
    natural,
    outcomes,
    paired_difference,
    tarone_holm,
)
from ..predictions import differences, read_material
from ..report import (
    comparison_figures,
    comparison_sections,
    write_comparison,
    write_papers,
)
from .explain import explain
from .read import cluster_differences, named_apart, record_of, require_alike, run_of

BETTER: dict[str, Literal["A is better", "B is better", "tied"]] = {
    "first": "A is better",
    "second": "B is better",
    "tied": "tied",
}


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
    profile: str = "robust",
    answers: str | Path | None = None,
    fields: Mapping[str, str] | None = None,
    lenient: bool = False,
    jobs: Jobs = 1,
) -> Comparison | Comparisons | Explained:
    """Compare two prediction files, or folders written by `score`, on one split.

    Args:
        release: Folder of the release, an export of it, or one split's file.
        a: A prediction file, or a folder that `score` wrote.
        b: Another one, or several: A is compared with each.
        split: Which split was predicted.
        out: Folder for comparison.html: the figures, and every sample with all replies.
        across: B is of another release, split or profile: explain the difference, without a test.
        other: B's release, for the page of `across`.
        papers: Write tables/ (LaTeX, CSV, Markdown) and figures/ (SVG, PDF), too.
        profile: Whose verdicts on prediction files: robust, official, or rules by name.
        answers: Private folder, or its answers.jsonl, of a release that withholds answers.
        fields: The field of the sample's id, and of the reply: id=NAME, response=NAME, or a path
            a.b [default: found].
        lenient: List damaged rows instead of refusing them.
        jobs: Worker processes; 0 takes all cores. Results do not depend on it.

    Raises UserError, by name, where a folder was scored on another release, build or split, or
    where runs have different profiles.

    Example: `compare("out/math-v-1.0.0", "a.jsonl", "b.jsonl", "testmini").verdict`
    """
    release, page = (
        Path(release),
        None if out is None else Path(out) / "comparison.html",
    )
    others = [Path(b)] if isinstance(b, str | Path) else [Path(path) for path in b]
    if papers and (out is None or across):
        raise UserError(
            "tables and figures need a place, and a test", "give --out, no --across"
        )
    options = {
        "profile": profile,
        "answers": answers,
        "fields": fields,
        "lenient": lenient,
        "jobs": jobs,
    }
    if across:
        if len(others) > 1:
            raise UserError(
                f"{len(others) + 1} runs cannot be explained at once", "give two"
            )
        return explain(
            a,
            others[0],
            release=release,
            split=split,
            out=out,
            other=other,
            profile=profile,
            answers=answers,
            lenient=lenient,
        )
    first = _run(release, Path(a), split, options)
    runs = named_apart(
        [first, *(_run(release, path, split, options) for path in others)]
    )
    require_alike(runs)
    found = _comparisons(runs)
    figures = found.pairs, found.p_adjusted
    if out is not None and papers:
        write_papers(
            Path(out), comparison_sections(*figures, runs), comparison_figures(runs)
        )
    if page is not None:
        material = read_material(release, split, answers)
        write_comparison(page, *figures, runs, list(material.samples), material.root)
    return found.pairs[0] if len(found.pairs) == 1 else found


def _comparisons(runs: Sequence[Run]) -> Comparisons:
    """The first run against each other one."""
    family = tarone_holm([cluster_differences(runs[0], run) for run in runs[1:]])
    pairs = [compare_runs(runs[0], run) for run in runs[1:]]
    return Comparisons(pairs=pairs, p_adjusted=list(family.adjusted))


def _run(release: Path, path: Path, split: str, options: dict[str, Any]) -> Run:
    """A prediction file scored now, or a folder that was scored on this release and split."""
    run = run_of(path, release, split, options)
    if not path.is_dir():
        return run
    material = read_material(release, split)
    name = material.name
    if (run.scores.release, run.scores.split) != (name, split):
        raise UserError(
            f"{path} is on {run.scores.release}/{run.scores.split}, not on {name}/{split}",
            "name its release and split, or describe both with --across",
        )
    if run.scores.provenance.manifest_sha256 != material.fingerprint:
        raise UserError(
            f"{path} was scored on another build of {name}",
            "score the predictions again on this release, or describe both with --across",
        )
    return run


SETTINGS = ("strict", "loose")


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
    classes = {
        setting: _classes(first, second, loose=setting == "loose")
        for setting in SETTINGS
    }
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
        notes=_notes(difference, {result.id for result in first.results}),
        asked=differences([record_of(first), record_of(second)]),
        living=living_differences(first.results, second.results, first.verdict),
    )


def _key(result: Result) -> tuple[str, int]:
    """A sample and which of its replies."""
    return result.id, result.repeat


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
    """The difference in every group; all groups of all labels are one family of tests.

    A label of one group says what the whole does: it is no test more.
    """
    groups = {
        (label, value): [first.results[k] for k in values[value]]
        for label, values in grouped(first.results).items()
        for value in sorted(values, key=natural)
    }
    several = Counter(label for label, _ in groups)
    tested = [key for key in groups if several[key[0]] > 1]

    def differing(key: tuple[str, str]) -> Any:
        theirs = [partner[_key(r)] for r in groups[key]]
        return cluster_differences(
            first._replace(results=groups[key]), second._replace(results=theirs)
        )

    adjusted = dict(
        zip(tested, tarone_holm(list(map(differing, tested))).adjusted, strict=True)
    )
    table: dict[str, dict[str, LabelDifference]] = {}
    for (label, value), members in groups.items():
        difference = _difference(
            first, second, [(r, partner[_key(r)]) for r in members]
        )
        p = adjusted.get((label, value), difference.p or 1.0)
        table.setdefault(label, {})[value] = LabelDifference(
            difference=difference, p_adjusted=p
        )
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


def _notes(difference: Difference, samples: Collection[str]) -> list[str]:
    notes = [
        "p of groups is corrected over all labels together (Tarone-Holm, valid where groups "
        "overlap); a group may be called different only by it."
    ]
    unit = "samples" if difference.n == len(samples) else "replies"
    if difference.clusters < difference.n:
        notes.append(
            f"{difference.n} {unit} form {difference.clusters} clusters: test and interval count "
            "clusters."
        )
    if caution := difference.caution():
        notes.append(caution)
    return notes
