"""`score`: CPU a reply, memory, two processes against one, scoring again; a board of many runs.

    python bench/score.py          3,040 samples x 8 replies, without and with thoughts; 100 runs
    python bench/score.py --small      300 samples x 2 replies, 5 runs: a trial, in seconds

Samples and replies are MATH-V's and its published outputs where these lie beside the checkout, and
made ones elsewhere. Every figure is of a process of its own; CPU counts its workers too, memory is
the peak of the process that was started. Verdicts are kept in an empty folder.
"""

from __future__ import annotations

import json
import os
import random
import resource
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

from shared_data import beside

THOUGHTS = 4_000  # characters
WORDS = "so we have the sum of both sides and x = 3 gives $\\frac{1}{2}$ of it, then".split()


class Cost(NamedTuple):
    """What a command took."""

    cpu: float
    seconds: float
    megabytes: float


def main() -> None:
    small = "--small" in sys.argv
    samples, repeats, runs = (300, 2, 5) if small else (3040, 8, 100)
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        gold = golds(samples, folder)
        replies = len(gold) * repeats
        print(
            f"{len(gold):,} samples, {repeats} replies to each, load {os.getloadavg()[0]:.0f}"
        )
        print(
            f"{'replies':10}{'ms each':>9}{'MB':>6}{'again, ms':>11}{'two processes':>15}"
        )
        for kind, thoughts in (("short", 0), ("thoughts", THOUGHTS)):
            path = folder / f"{kind}.jsonl"
            write_replies(path, gold, repeats, thoughts)
            first = scored(folder, path, kind)
            again = scored(folder, path, f"{kind}-again")
            two = scored(folder, path, f"{kind}-2", "--jobs", "2", fresh=True)
            print(
                f"{kind:10}{1000 * first.cpu / replies:9.3f}{first.megabytes:6.0f}"
                f"{1000 * again.cpu / replies:11.3f}{first.seconds / two.seconds:14.2f}x"
            )
        folders = boards(folder / "out-short", folder / "runs", runs)
        board = cost(
            folder, "evaluate", "leaderboard", *folders, "--out", folder / "board"
        )
        print(
            f"a board of {runs} such runs: {board.megabytes:.0f} MB, {board.cpu:.1f} CPU s"
        )


def golds(count: int, folder: Path) -> list[str]:
    """Write the samples, as a table of the project's; their golds, in order."""
    place = beside("math-v/test.jsonl")
    if place is not None:
        rows = [json.loads(line) for line in place.read_text("utf-8").splitlines()]
    else:
        rows = [made(k) for k in range(count)]
    rows = rows[:count]
    with (folder / "samples.jsonl").open("w", encoding="utf-8") as file:
        for row in rows:
            file.write(json.dumps(row | {"image": ""}) + "\n")
    return [row["answer"] for row in rows]


def made(k: int) -> dict[str, object]:
    options = [str(k + n) for n in range(5)] if k % 2 else []
    answer = "ABCDE"[k % 5] if options else str(k)
    question = f"How many are {k}?"
    row = {"id": str(k + 1), "question": question, "options": options, "answer": answer}
    return row | {"level": 1, "subject": "arithmetic", "solution": None}


def outputs(gold: list[str]) -> Iterator[list[str]]:
    """The replies of one model after another."""
    place = beside("math-v/outputs")
    for path in sorted(place.glob("*.jsonl")) if place else ():
        rows = map(json.loads, path.read_text("utf-8").splitlines())
        by_id = {row["id"]: row["response"] for row in rows}
        if len(by_id) >= len(gold):
            yield [by_id.get(str(k + 1), "") for k in range(len(gold))]
    rng = random.Random(3)
    while True:
        yield [
            f"{' '.join(rng.choices(WORDS, k=60))} The answer is {answer}."
            for answer in gold
        ]


def write_replies(path: Path, gold: list[str], repeats: int, thoughts: int) -> None:
    rng = random.Random(5)
    with path.open("w", encoding="utf-8") as file:
        for repeat, texts in zip(range(1, repeats + 1), outputs(gold)):  # noqa: B905 (endless)
            for k, text in enumerate(texts):
                said = " ".join(rng.choices(WORDS, k=thoughts // 3))[:thoughts]
                whole = f"<think>{said}</think>\n{text}" if thoughts else text
                row = {"id": str(k + 1), "repeat": repeat, "response": whole}
                file.write(json.dumps(row) + "\n")


def scored(
    folder: Path, path: Path, name: str, *options: str, fresh: bool = False
) -> Cost:
    """A score of the replies; `fresh` without the verdicts that are kept."""
    words = ["score", folder / "samples.jsonl", path, "--split", "test"]
    out = folder / f"out-{name}"
    return cost(
        folder, *words, "--out", out, *options, cache=name if fresh else "cache"
    )


def cost(folder: Path, *words: str | Path, cache: str = "cache") -> Cost:
    """Run the command line with these words in a process of its own."""
    environment = os.environ | {"XDG_CACHE_HOME": str(folder / cache)}
    command = [sys.executable, "-m", "benchwright", *map(str, words)]
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    started = time.perf_counter()
    with subprocess.Popen(
        command, stdout=subprocess.DEVNULL, env=environment
    ) as process:
        _, status, used = os.wait4(process.pid, 0)
        process.returncode = os.waitstatus_to_exitcode(status)
    if process.returncode:
        raise SystemExit(f"{' '.join(command)} ended with {process.returncode}")
    seconds = time.perf_counter() - started
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    cpu = after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime
    return Cost(cpu, seconds, used.ru_maxrss / 1000)


def boards(run: Path, place: Path, count: int) -> list[Path]:
    """So many runs like one, each with verdicts of its own."""
    rng = random.Random(9)
    scores = (run / "scores.json").read_bytes()
    lines = [json.loads(line) for line in (run / "samples.jsonl").open("rb")]
    folders = [place / f"run-{k}" for k in range(count)]
    for folder in folders:
        folder.mkdir(parents=True)
        (folder / "scores.json").write_bytes(scores)
        with (folder / "samples.jsonl").open("w", encoding="utf-8") as file:
            for row in lines:
                right = rng.random() < 0.5
                tokens = rng.randint(20, 4000)
                own = {
                    "correct": right,
                    "status": "ok",
                    "tokens": tokens,
                    "response": "x",
                }
                file.write(json.dumps(row | own) + "\n")
    return folders


if __name__ == "__main__":
    main()
