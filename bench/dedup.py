"""The exact join beside brute force and MinHash, its growth, and what each misses.

    python bench/dedup.py              quick: up to 20,000 questions
    python bench/dedup.py --full       also 50,000 and 200,000
    python bench/dedup.py --million    only 1,000,000 at 0.95, two worker processes

A number after a flag divides its sizes, to try the whole run: `--full 100`, `--million 100`.

Every figure is CPU seconds of one process with one BLAS thread, so that a busy machine does not
count; ratios are within this run. Corpora come from question_corpus.py.
"""

from __future__ import annotations

import os

os.environ["OPENBLAS_NUM_THREADS"] = "1"

import json
import math
import resource
import sys
import time
from collections.abc import Callable
from typing import Any

import numpy as np
from benchwright.dedup.join import groups_of, join
from benchwright.pipeline.engine import Engine
from question_corpus import corpus, questions
from rapidfuzz import process
from rapidfuzz.distance import Levenshtein
from shared_data import needed

Pairs = set[tuple[int, int]]


def cpu_seconds() -> float:
    """User and system time of this process and of its finished children."""
    own, children = (
        resource.getrusage(who)
        for who in (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN)
    )
    return own.ru_utime + own.ru_stime + children.ru_utime + children.ru_stime


def timed(function: Callable[..., Pairs], *args: Any) -> tuple[Pairs, float]:
    start = cpu_seconds()
    result = function(*args)
    return result, cpu_seconds() - start


def ours(texts: list[str], percent: int) -> Pairs:
    return {(match.a, match.b) for match in join(texts, percent)}


def cdist(texts: list[str], percent: int) -> Pairs:
    """Brute force as a good engineer writes it: length windows, blocks, one cutoff per block."""
    first = [rows[0] for rows in groups_of(texts).values()]
    first.sort(key=lambda row: len(texts[row]))
    lengths = np.array([len(texts[row]) for row in first])
    pairs: Pairs = set()
    for start in range(0, len(first), 256):
        last = min(start + 255, len(first) - 1)
        stop = int(
            np.searchsorted(lengths * percent, lengths[last] * 100, side="right")
        )
        allowed = lengths[start:stop] * (100 - percent) // 100
        distances = process.cdist(
            [texts[row] for row in first[start : last + 1]],
            [texts[row] for row in first[start:stop]],
            scorer=Levenshtein.distance, score_cutoff=int(allowed.max()), dtype=np.int32,
        )  # fmt: skip
        i, j = np.nonzero(distances <= allowed)
        for a, b in zip(i[j > i], j[j > i], strict=True):
            x, y = first[start + a], first[start + b]
            pairs.add((min(x, y), max(x, y)))
    return pairs


def minhash(texts: list[str], percent: int) -> Pairs:
    """datasketch with char 5-grams, 128 permutations and threshold 0.5, verified."""
    from datasketch import MinHash, MinHashLSH

    first = [rows[0] for rows in groups_of(texts).values()]
    index = MinHashLSH(threshold=0.5, num_perm=128)
    pairs: Pairs = set()
    for row in first:
        text = texts[row]
        signature = MinHash(num_perm=128)
        signature.update_batch(
            [text[k : k + 5].encode() for k in range(max(1, len(text) - 4))]
        )
        for other in index.query(signature):
            most = max(len(text), len(texts[other])) * (100 - percent) // 100
            if Levenshtein.distance(text, texts[other], score_cutoff=most) <= most:
                pairs.add((min(row, other), max(row, other)))
        index.insert(row, signature)
    return pairs


def generated(size: int) -> list[str]:
    return [row["question"] for row in corpus(size)]


def against_brute_force(shrink: int) -> None:
    """Equal pair sets; how much faster; what MinHash misses."""
    print(
        "corpus            t    pairs  equal   ours  cdist  ratio  MinHash  recall  (CPU s)"
    )
    corpora = [("MATH-V+WeMath+MV", questions(), (80, 85, 90))]
    for size in (10_000 // shrink, 20_000 // shrink):
        corpora.append((f"{size:,} generated", generated(size), (85,)))
    for name, texts, percents in corpora:
        for percent in percents:
            pairs, seconds = timed(ours, texts, percent)
            expected, brute = timed(cdist, texts, percent)
            approximate, hashed = timed(minhash, texts, percent)
            print(
                f"{name:16} {percent / 100:.2f} {len(pairs):7} {pairs == expected!s:>6}"
                f" {seconds:6.2f} {brute:6.2f} {brute / seconds:6.1f} {hashed:8.2f}"
                f" {len(approximate & expected) / max(1, len(expected)):7.3f}",
                flush=True,
            )


def growth(sizes: list[int], percent: int) -> None:
    """CPU seconds over sizes, and the exponent between neighbours."""
    print(
        f"\ngrowth at {percent / 100:.2f}\n      n    pairs  CPU s  exponent  peak MB"
    )
    last: tuple[int, float] | None = None
    for size in sizes:
        texts = generated(size)
        pairs, seconds = timed(ours, texts, percent)
        exponent = (
            math.log(seconds / last[1]) / math.log(size / last[0]) if last else math.nan
        )
        peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss // 1024
        print(
            f"{size:7} {len(pairs):8} {seconds:6.2f} {exponent:9.2f} {peak:8}",
            flush=True,
        )
        last = size, seconds


def million(shrink: int) -> None:
    texts = generated(1_000_000 // shrink)
    start, wall = cpu_seconds(), time.monotonic()
    count = sum(1 for _ in join(texts, 95, Engine(jobs=2)))
    peak = [resource.getrusage(who).ru_maxrss // 1024
            for who in (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN)]  # fmt: skip
    print(json.dumps({
        "questions": len(texts), "pairs": count, "cpu_seconds": round(cpu_seconds() - start, 1),
        "wall_seconds": round(time.monotonic() - wall, 1), "peak_mb_parent_and_worker": peak,
    }))  # fmt: skip


def main() -> None:
    needed("math-v/test.jsonl")  # its questions are recombined
    flag = next((flag for flag in ("--full", "--million") if flag in sys.argv), "")
    after = sys.argv[sys.argv.index(flag) + 1 :][:1] if flag else []
    shrink = int(after[0]) if after and after[0].isdigit() else 1
    if flag == "--million":
        million(shrink)
        return
    against_brute_force(shrink)
    full = [50_000, 200_000] if flag == "--full" else []
    growth([size // shrink for size in (3_000, 10_000, 20_000, *full)], 90)


if __name__ == "__main__":
    main()
