"""How many of the first suspects are golds that were made wrong on purpose: MATH-V, ten models.

    python bench/suspects.py [FOLDER] [SEEDS]

FOLDER (.cache/suspects) keeps the
release and the scores of ../shared/data/math-v between runs. Of every seed 2 % of
the golds are changed: another letter; of values one half becomes the gold of another problem, the
other half is off by one or ten or doubled. The weights never see which. Told are all samples, and
the two parts of them, each by itself: a third that is held out, by a hash of its ids, and the rest.
"""

from __future__ import annotations

import hashlib
import random
import re
import statistics
import sys
from collections.abc import Sequence
from pathlib import Path

import msgspec
import yaml
from benchwright import build_release, score
from benchwright.base.terminal import table
from benchwright.check.gold_evidence import weighed
from benchwright.check.suspects import twins_of
from benchwright.evaluate.metrics import Run
from benchwright.evaluate.runs import read_run
from benchwright.problem import Sample
from benchwright.release import read_samples
from shared_data import ROOT, needed

SHARE = 0.02
DEPTHS = (10, 20, 50)


def main() -> None:
    folder = Path(sys.argv[1]) if len(sys.argv) > 1 else ROOT / ".cache" / "suspects"
    seeds = int(sys.argv[2]) if len(sys.argv) > 2 else 5
    samples, runs = scored(folder)
    root = built(folder)
    held = {
        s.id
        for s in samples
        if int(hashlib.sha256(s.id.encode()).hexdigest(), 16) % 3 == 0
    }
    parts = {"all": samples, "two thirds": [s for s in samples if s.id not in held],
             "held out": [s for s in samples if s.id in held]}  # fmt: skip
    rows = []
    for name, part in parts.items():
        hits = [found(part, runs, seed, root) for seed in range(seeds)]
        for depth, ranks in zip(DEPTHS, zip(*hits, strict=True), strict=True):
            error = statistics.stdev(ranks) / seeds**0.5 if seeds > 1 else 0.0
            rows.append([name, len(part), depth, f"{statistics.mean(ranks):.3f}", f"{error:.3f}",
                         " ".join(f"{share:.2f}" for share in ranks)])  # fmt: skip
            print(*rows[-1], file=sys.stderr, flush=True)
    print(
        table(rows, ["samples", "n", "first", "precision", "standard error", "by seed"])
    )


def scored(folder: Path) -> tuple[list[Sample], list[Run]]:
    """The samples that have a gold, and each model's run; made where they are not there."""
    data, release = needed("math-v"), built(folder)
    places = []
    for replies in sorted((data / "outputs").glob("*.jsonl")):
        places.append(folder / "scores" / re.sub(r"\W+", "-", replies.stem).strip("-"))
        if not places[-1].exists():
            score(release, replies, "test", places[-1], name=replies.stem)
    return [s for s in read_samples(release, "test", None) if s.answer], list(
        map(read_run, places)
    )


def built(folder: Path) -> Path:
    """A release of MATH-V; made where it is not there."""
    data, release = needed("math-v"), folder / "out" / "math-v-1.0.0"
    if not release.exists():
        source = {"name": "math-v", "reader": "math-v", "path": str(data / "test.jsonl"),
                  "license": "MIT"}  # fmt: skip
        recipe = {"name": "math-v", "version": "1.0.0", "seed": 7, "benchmark": "math-v",
                  "sources": [source], "splits": {"test": "rest"}}  # fmt: skip
        folder.mkdir(parents=True, exist_ok=True)
        (folder / "recipe.yaml").write_text(yaml.safe_dump(recipe), encoding="utf-8")
        build_release(folder / "recipe.yaml", folder / "out")
    return release


def found(
    samples: Sequence[Sample], runs: Sequence[Run], seed: int, root: Path
) -> list[float]:
    """The shares of changed golds among the first suspects."""
    rng = random.Random(seed)
    able = [s for s in samples if len(s.options) != 1]
    golds = {
        s.id: wrong(s, samples, rng)
        for s in rng.sample(able, round(SHARE * len(samples)))
    }
    changed = [
        msgspec.structs.replace(s, answer=golds.get(s.id, s.answer)) for s in samples
    ]
    twins = twins_of(changed, root)
    chances = [one.chance for one in weighed(changed, runs, twins)]
    order = sorted(range(len(samples)), key=lambda k: -chances[k])
    return [
        sum(samples[k].id in golds for k in order[:depth]) / depth for depth in DEPTHS
    ]


def wrong(sample: Sample, samples: Sequence[Sample], rng: random.Random) -> str:
    """Another gold of the same kind."""
    gold = sample.answer or ""
    if sample.options:
        return rng.choice(
            [option.label for option in sample.options if option.label != gold]
        )
    if rng.random() < 0.5 and gold.isdecimal():
        n = int(gold)
        return str(rng.choice([n + 1, n - 1 if n else 2, 2 * n or 3, n + 10]))
    like = [s for s in samples if not s.options and s.answer_kind == sample.answer_kind]
    return rng.choice(
        [s.answer or "" for s in like if s.answer != gold] or [f"{gold}1"]
    )


if __name__ == "__main__":
    main()
