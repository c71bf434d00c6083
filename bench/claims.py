"""Error rates of what the scorer claims: coverage of intervals, false alarms of tests and boards.

Clusters of 1, of 6, of 1 to 6, and nine of ten of 1 with one of 6; correlation within a cluster 0,
.4 and .8; 300 simulated runs a cell, so a coverage is known to about .013. The seed is fixed: the
same code prints the same table. Wanted: coverage at least .92 (differences .89 in the extreme cell
of .92 against .02), false alarms at most .065.
"""

from __future__ import annotations

import sys
from collections.abc import Callable
from itertools import combinations
from pathlib import Path
from typing import NamedTuple

import numpy as np
from benchwright.base.terminal import table
from benchwright.evaluate.metrics.families import places, tarone_holm
from benchwright.evaluate.metrics.intervals import macro_interval, mean_interval
from benchwright.evaluate.metrics.paired import flip_p, paired_difference

sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "tests" / "support"))
from simulated import SEED, equal_pair, sizes, verdicts

RUNS = 300
CHANCES = (0.1, 0.3, 0.5, 0.9)
KINDS = ("1", "6", "1-6", "rare")
GROUPS = (3, 5, 10, 20, 50, 200)


def main() -> None:
    print(table([one_mean(g) for g in GROUPS], ["clusters", "mean: least", "median", "marks: least",
                                                "difference: least", "type I: most"]))  # fmt: skip
    print()
    print(table(families(), ["groups", "family-wise error", "wanted"]))
    print()
    print(table(pages(), ["labels of a page", "any group called different", "wanted",
                          "each label by itself"]))  # fmt: skip
    print()
    print(table(boards(), ["runs", "any called worse", "a best left out"]))
    print()
    print(table(macros(), ["groups", "macro: coverage", "width"]))


def cells(groups: int):
    """The grid: kind of clusters, chance, correlation and its own random numbers."""
    for kind in KINDS:
        for p in CHANCES:
            for rho in (0.0,) if kind == "1" else (0.0, 0.4, 0.8):
                yield (
                    kind,
                    p,
                    rho,
                    np.random.default_rng([SEED, groups, int(100 * p + rho)]),
                )


def flat(size, right) -> tuple[list[float], list[str]]:
    values = [float(j < r) for n, r in zip(size, right, strict=True) for j in range(n)]
    return values, [str(k) for k, n in enumerate(size) for _ in range(n)]


def one_mean(groups: int) -> list[object]:
    means, marks, differences, alarms = [], [], [], []
    for kind, p, rho, rng in cells(groups):
        hits = np.zeros(4)
        for _ in range(RUNS):
            size = sizes(rng, kind, groups)
            right, other = equal_pair(rng, size, p, rho)
            values, names = flat(size, right)
            _, _, low, high = mean_interval(values, names)
            hits[0] += low <= p <= high
            shape = SHAPES[CHANCES.index(p)]
            _, _, low, high = mean_interval(shape.draw(rng, size, rho), names)
            hits[1] += low <= shape.mean <= high
            weaker = verdicts(rng, size, p / 2, rho)
            found = paired_difference(values, flat(size, weaker)[0], names)
            hits[2] += found.low <= p / 2 <= found.high
            hits[3] += flip_p(right - other) < 0.05
        for kept, hit in zip(
            (means, marks, differences, alarms), hits / RUNS, strict=True
        ):
            kept.append(hit)
    figures = (
        min(means),
        float(np.median(means)),
        min(marks),
        min(differences),
        max(alarms),
    )
    return [groups, *(f"{x:.3f}" for x in figures)]


class Shape(NamedTuple):
    """Marks of a chain of thought: how one is drawn, and their mean."""

    mean: float
    one: Callable[[np.random.Generator], float]

    def draw(self, rng: np.random.Generator, size, rho: float) -> list[float]:
        """Marks of clusters; some samples have the mark of their cluster."""
        shared = [self.one(rng) for _ in size]
        return [
            mark if rng.random() < rho**0.5 else self.one(rng)
            for n, mark in zip(size, shared, strict=True)
            for _ in range(n)
        ]


def tenths(rng: np.random.Generator) -> float:
    """Half full marks, a tenth none, the rest in tenths."""
    u = rng.random()
    return 1.0 if u < 0.5 else 0.0 if u < 0.6 else int(rng.integers(1, 10)) / 10


SHAPES = (
    Shape(0.7, tenths),
    Shape(0.8, lambda rng: float(rng.beta(20, 5))),
    Shape(0.975, lambda rng: 1.0 if rng.random() < 0.95 else float(rng.random())),
    Shape(0.015, lambda rng: 0.3 if rng.random() < 0.05 else 0.0),
)


def families() -> list[list[object]]:
    sets = {"16 of 19": [19] * 16, "67 of 1 to 80": [1 + k * k % 80 for k in range(67)],
            "7 of 5": [5] * 7, "40 of 1 to 3": [1, 2, 3, 2] * 10}  # fmt: skip
    rows = []
    for name, members in sets.items():
        rng, wrong = np.random.default_rng(SEED), 0
        for _ in range(RUNS):
            groups = [
                rng.binomial(1, 0.5, n) - rng.binomial(1, 0.5, n) for n in members
            ]
            wrong += min(tarone_holm(groups).adjusted) < 0.05
        rows.append([name, f"{wrong / RUNS:.3f}", "at most .065"])
    return rows


def pages() -> list[list[object]]:
    """Two equal runs on a page of several labels that overlap: does any group look different?

    All groups of all labels are one family, as `compare` has them; beside it what a correction
    within each label would do.
    """
    sets = {
        "16": (16,),
        "16, 5 and 2": (16, 5, 2),
        "16, 5, 2, 3, 67 and 12": (16, 5, 2, 3, 67, 12),
    }
    rows = []
    for name, labels in sets.items():
        for kind in ("1", "1-6"):
            rng, wrong = np.random.default_rng(SEED), np.zeros(2)
            for _ in range(RUNS):
                right, other = equal_pair(
                    rng, sizes(rng, kind, 300), 0.5, 0.4 * (kind != "1")
                )
                members = [rng.integers(0, values, 300) for values in labels]
                groups = [[(right - other)[member == value] for value in range(values)]
                          for member, values in zip(members, labels, strict=True)]  # fmt: skip
                together = tarone_holm([group for label in groups for group in label])
                wrong += (
                    min(together.adjusted) < 0.05,
                    any(min(tarone_holm(label).adjusted) < 0.05 for label in groups),
                )
            rows.append([f"{name}, clusters of {kind}", f"{wrong[0] / RUNS:.3f}", "at most .065",
                         f"{wrong[1] / RUNS:.3f}"])  # fmt: skip
    return rows


def boards() -> list[list[object]]:
    rows = []
    for runs in (5, 10, 20):
        rng, wrong, out = np.random.default_rng(SEED), 0, 0
        for _ in range(RUNS // 2):
            marks = (rng.random((runs, 200)) < rng.random(200)).astype(int)
            gaps = {
                (i, j): marks[i] - marks[j] for i, j in combinations(range(runs), 2)
            }
            found, _ = places(gaps, runs)
            wrong += any(place.best > 1 for place in found)
            out += not found[0].may_be_best
        rows.append([runs, f"{wrong / (RUNS // 2):.3f}", f"{out / (RUNS // 2):.3f}"])
    return rows


def macros() -> list[list[object]]:
    rows = []
    sets = {"16 of 19": [19] * 16, "7 of 5": [5] * 7, "4 of 1 to 3": [1, 2, 3, 2],
            "12 of 1 to 400": [1, 1, 2, 3, 5, 8, 20, 50, 100, 200, 300, 400]}  # fmt: skip
    for name, members in sets.items():
        rng, hits, width = np.random.default_rng(SEED), 0, 0.0
        chances = np.linspace(0.2, 0.8, len(members))
        names = [str(g) for g, n in enumerate(members) for _ in range(n)]
        for _ in range(RUNS):
            values = [float(x) for n, p in zip(members, chances, strict=True)
                      for x in rng.random(n) < p]  # fmt: skip
            clusters = [str(k) for k in range(len(values))]
            _, _, low, high = macro_interval(values, names, clusters)
            hits += low <= chances.mean() <= high
            width += (high - low) / RUNS
        rows.append([name, f"{hits / RUNS:.3f}", f"{width:.3f}"])
    return rows


if __name__ == "__main__":
    main()
