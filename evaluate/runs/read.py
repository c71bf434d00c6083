"""A scored run as `compare` and `leaderboard` read it: one source of verdicts.

Every test and rank is computed from exactly the verdicts, the profile, the denominator and the
split of the accuracy that the run shows.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Mapping, Sequence
from importlib.metadata import version
from itertools import combinations
from pathlib import Path
from typing import TYPE_CHECKING, Any

import msgspec

from ...base.display import and_more
from ...errors import UserError
from ..judges import judge_words
from ..metrics import (
    Alike,
    Result,
    Run,
    Scores,
    headline,
    lattice,
    numbers_of,
    read_results,
    read_verdicts,
    run_name,
    without_numbers,
)
from ..predictions import RunRecord, differences
from ..scoring import score

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    Integers = NDArray[np.int64]


# sample -> its origin, how many answers it has, how many of them are right
Tallies = dict[str, tuple[str, int, int]]
NAMED = 6  # runs that a remark names
AGAIN = "score the predictions again, or give a folder that score finished"


def read_run(folder: Path, *, texts: bool = True, alike: Alike | None = None) -> Run:
    """A folder that `score` (or `evaluate humans`) wrote; without `texts` its results hold no
    replies, and are columns that share what is `alike`: a hundred runs fit into memory.

    Raises UserError where it is none, or was written by another version.
    """
    path = folder / "scores.json"
    try:
        scores = msgspec.json.decode(path.read_bytes(), type=Scores)
        results: Sequence[Result] = (
            read_results(folder) if texts else read_verdicts(folder, alike)
        )
    except OSError as error:
        raise UserError(
            f"no scores in {folder}", "give a folder written by 'score'"
        ) from error
    except msgspec.DecodeError as error:
        raise UserError(f"{path}: {error}{_writer(path)}", AGAIN) from error
    except UserError as error:
        raise UserError(f"{error.message}{_writer(path)}", AGAIN) from error
    if (counted := scores.counts.get("samples")) != len(results):
        raise UserError(
            f"{folder} is half written: scores.json counts {counted} samples, "
            f"samples.jsonl holds {len(results)}",
            AGAIN,
        )
    name = run_name(scores, folder)
    return Run(name, scores, headline(results), judge_words(folder))


def read_runs(folders: Sequence[str | Path], *, texts: bool = True) -> list[Run]:
    """Folders that `score` wrote, of one release, split and profile, each with a name of its own.

    Raises UserError where they are not, and for none.
    """
    alike = Alike()
    runs = [read_run(Path(folder), texts=texts, alike=alike) for folder in folders]
    if not runs:
        raise UserError("no runs", "give folders written by 'benchwright score'")
    require_alike(runs)
    named: dict[str, Path] = {}
    for run, folder in zip(runs, map(Path, folders), strict=True):
        if run.name in named:
            raise UserError(
                f"two runs are called {run.name}: {named[run.name]} and {folder}",
                "name each run's folder after its model, or score it with --name",
            )
        named[run.name] = folder
    return runs


def replies_to_a_sample(run: Run) -> int:
    """How many replies a run has to a sample, at most."""
    return int(max(numbers_of(run.results, "repeat"), default=bool(run.results)))


def uneven(runs: Sequence[Run]) -> list[str]:
    """Runs that have other numbers of replies to a sample than the first, by name."""
    counts = {run.name: replies_to_a_sample(run) for run in runs}
    by_count: dict[int, list[str]] = {}
    for name, count in counts.items():
        by_count.setdefault(count, []).append(name)
    if len(by_count) < 2:
        return []
    told = [
        f"{n} of {', '.join(names[:NAMED])}{and_more(len(names), NAMED)}"
        for n, names in sorted(by_count.items())
    ]
    return [
        f"Replies to a sample differ in number ({'; '.join(told)}): every reply of one run meets "
        "every reply of the other, and a run with few has wider intervals."
    ]


def run_of(
    path: Path,
    release: str | Path | None,
    split: str | None,
    options: Mapping[str, Any],
) -> Run:
    """A folder that was scored, or a prediction file, which is scored now.

    Raises UserError for a file without the release and split that it answers.
    """
    if path.is_dir():
        return read_run(path)
    if release is None or split is None:
        raise UserError(
            f"{path} is a file of predictions", "give its --release and --split"
        )
    scored = score(release, path, split, **options)
    return Run(path.stem, scored.scores, headline(scored.results))


def record_of(run: Run) -> RunRecord | None:
    """The record of a run; of several files', the first where all were asked alike."""
    records = run.scores.provenance.runs
    alike = all(not differences([records[0], other]) for other in records[1:])
    return records[0] if records and alike else None


def without_verdicts(run: Run) -> list[str]:
    """What of a run came to no verdict at all, with the remedy: its figures there say nothing."""
    remarks = []
    if run.results and all(
        result.status != "ok" for result in without_numbers(run.results)
    ):
        remarks.append(
            f"{run.name}: no answer was read in any of {len(run.results)} replies; "
            "look at them with `benchwright view`, or let a judge decide (score --judge)"
        )
    scores = run.scores
    asked = {
        "answers": (scores.judge or {}).get("answers"),
        "cot": scores.cot,
        "process": scores.process,
        "wo": scores.wo,
    }
    for protocol, part in asked.items():
        if part is None:
            continue
        ended = {name: n for name, n in part.get("counts", {}).items() if n}
        if ended and "ok" not in ended:
            how = ", ".join(f"{name} {n}" for name, n in ended.items())
            remarks.append(
                f"{run.name}: the judge came to no verdict under {protocol} ({how}); "
                "score it again with a judge that answers"
            )
    return remarks


def _writer(path: Path) -> str:
    """By which version scores were written, where that was another one."""
    try:
        written = msgspec.json.decode(path.read_bytes())["provenance"]["benchwright"]
    except (OSError, msgspec.DecodeError, LookupError, TypeError):
        return ""
    ours = version("benchwright")
    return (
        "" if written == ours else f" (benchwright {written} wrote it, this is {ours})"
    )


def named_apart(runs: Sequence[Run]) -> list[Run]:
    """Runs that share a name are numbered: `replies (1)`, `replies (2)`."""
    names = Counter(run.name for run in runs)
    seen: Counter[str] = Counter()
    apart = []
    for run in runs:
        seen[run.name] += 1
        single = names[run.name] == 1
        apart.append(
            run if single else run._replace(name=f"{run.name} ({seen[run.name]})")
        )
    return apart


def require_alike(runs: Sequence[Run]) -> None:
    """Raise UserError, by name, where runs are of another release, build, split or profile."""
    first = runs[0]
    for run in runs[1:]:
        ours, theirs = first.scores, run.scores
        if (theirs.release, theirs.split) != (ours.release, ours.split):
            raise UserError(
                f"{run.name} is on {theirs.release}/{theirs.split}, "
                f"{first.name} on {ours.release}/{ours.split}",
                "take runs on the same release and split; compare --across describes others",
            )
        if theirs.provenance.manifest_sha256 != ours.provenance.manifest_sha256:
            raise UserError(
                f"{run.name} was scored on another build of {ours.release} than {first.name}",
                "score both on the same build; compare --across describes others",
            )
        versions = [
            scores.as_of.version if scores.as_of else "" for scores in (ours, theirs)
        ]
        if versions[0] != versions[1]:
            raise UserError(
                f"{run.name} and {first.name} were scored by the golds of different versions",
                "score both with the same --as-of; compare --across describes others",
            )
        if theirs.profile != ours.profile:
            raise UserError(
                f"{run.name} has the {theirs.profile} profile, {first.name} the {ours.profile} one",
                "score both with the same --profile; compare --across describes others",
            )


def cluster_differences(a: Run, b: Run) -> Integers:
    """How much more often A is right than B in each cluster, on the samples of both.

    Where a sample has several answers (people, repeats), every answer of one meets every answer
    of the other.
    """
    return cluster_gaps(tallies(a), tallies(b))


def cluster_gaps(first: Tallies, second: Tallies) -> Integers:
    """The same from what was counted of the two runs."""
    import numpy as np

    totals: defaultdict[str, int] = defaultdict(int)
    for name, (origin, answers, right) in first.items():
        if name in second:
            _, others, theirs = second[name]
            totals[origin] += right * others - theirs * answers
    return lattice(np.array([totals[origin] for origin in sorted(totals)], float))


def gaps_of_pairs(runs: Sequence[Tallies]) -> dict[tuple[int, int], Integers]:
    """The same of every two of runs on the same samples, in the smallest type that holds it."""
    import numpy as np

    names = list(runs[0])
    origins = sorted({origin for origin, _, _ in runs[0].values()})
    number = {origin: k for k, origin in enumerate(origins)}
    where = np.array([number[runs[0][name][0]] for name in names])
    answers = np.array([[run[name][1] for name in names] for run in runs])
    right = np.array([[run[name][2] for name in names] for run in runs])

    def gap(i: int, j: int) -> Integers:
        each = right[i] * answers[j] - right[j] * answers[i]
        totals = lattice(np.bincount(where, each, len(origins)).astype(float))
        return totals.astype(np.min_scalar_type(-1 - int(np.abs(totals).max())))

    return {pair: gap(*pair) for pair in combinations(range(len(runs)), 2)}


def tallies(run: Run) -> Tallies:
    """For every sample its origin, how many answers it has and how many of them are right."""
    counted: dict[str, tuple[str, int, int]] = {}
    for result in without_numbers(run.results):
        _, answers, right = counted.get(result.id, ("", 0, 0))
        counted[result.id] = (result.origin, answers + 1, right + run.verdict(result))
    return counted
