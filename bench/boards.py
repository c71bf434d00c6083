"""A board of a hundred runs on MATH-V, four replies a sample: made, opened, filtered, at a glance.

    python bench/boards.py [FOLDER] [RUNS] [REPEATS]

FOLDER (.cache/boards) keeps the runs between measurements. One real output of
../shared/data/math-v is scored; the runs have its replies, with verdicts, tokens and costs by a
hash of run, sample and reply. The board is made by the installed command: its CPU seconds and its
largest memory. Then Chromium opens the page three times. Needs Playwright and Chromium.
"""

from __future__ import annotations

import hashlib
import resource
import statistics
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import msgspec
from benchwright import score
from benchwright.base.files import pretty, write_bytes, write_jsonl
from benchwright.base.terminal import table
from benchwright.evaluate.metrics import (
    Result,
    read_results,
    scores_of,
    write_results,
)
from benchwright.evaluate.predictions import Coverage
from shared_data import ROOT, needed
from suspects import built

sys.path.insert(0, str(ROOT / "tests/support"))
OUTPUT = "Qwen-VL-Max"


def main() -> None:
    folder = Path(sys.argv[1]) if len(sys.argv) > 1 else ROOT / ".cache" / "boards"
    runs = int(sys.argv[2]) if len(sys.argv) > 2 else 100
    repeats = int(sys.argv[3]) if len(sys.argv) > 3 else 4
    release = built(folder)
    places = [folder / "runs" / f"model-{k:03}" for k in range(runs)]
    write_runs(release, places, repeats)
    board = folder / "board"
    spent = made(release, places, board)
    opened = [opening(board / "leaderboard.html") for _ in range(3)]
    middle = [statistics.median(column) for column in zip(*opened, strict=True)]
    row = [f"{runs} x {repeats}", *spent, *(f"{ms:.0f} ms" for ms in middle)]
    heads = ["runs", "CPU to make", "memory", "first paint", "ready", "filtered",
             "condition", "glance", "base"]  # fmt: skip
    print(table([row], heads))


def write_runs(release: Path, places: Sequence[Path], repeats: int) -> None:
    """Folders as `score` writes them, where they are not there yet."""
    if all((place / "scores.json").exists() for place in places):
        return
    base = places[0].parents[1] / "base"
    rows = msgspec.json.Decoder(dict[str, Any])
    replies = needed(f"math-v/outputs/{OUTPUT}.jsonl").read_bytes().splitlines()
    said = [rows.decode(reply) for reply in replies]
    write_jsonl(base.with_suffix(".jsonl"), [
        {"id": row["id"], "response": row["response"], "repeat": repeat}
        for row in said for repeat in range(1, repeats + 1)
    ])  # fmt: skip
    scored = score(release, base.with_suffix(".jsonl"), "test", base, report=False)
    for k, place in enumerate(places):
        results = [varied(result, k) for result in read_results(base)]
        write_results(place, results)
        scores = scores_of(
            results, release=scored.scores.release, split="test", profile="robust",
            coverage=Coverage(), provenance=scored.scores.provenance,
            guessing=scored.scores.guessing,
        )  # fmt: skip
        write_bytes(place / "scores.json", pretty(scores))


def varied(result: Result, run: int) -> Result:
    """The reply of another run: strong runs are right more often, on easy samples most of all."""

    def drawn(*what: object) -> float:
        digest = hashlib.sha256(repr(what).encode()).digest()
        return int.from_bytes(digest[:6], "big") / 2**48

    ease = 0.5 * drawn(result.id) + 0.5 * drawn(result.id, run, result.repeat)
    result.correct = ease < 0.2 + 0.006 * (run % 100)
    result.tokens = round(100 + 900 * drawn(result.id, run) + 10 * run)
    result.cost = result.tokens * 1e-6 * (1 + run % 7)
    return result


def made(release: Path, places: Sequence[Path], board: Path) -> list[str]:
    """CPU seconds and megabytes of the installed command."""
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    command = ["benchwright", "evaluate", "leaderboard", *map(str, places)]
    subprocess.run(
        [*command, "--release", str(release), "--out", str(board)],
        check=True,
        stdout=subprocess.DEVNULL,
    )
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    seconds = after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime
    return [f"{seconds:.0f} s", f"{after.ru_maxrss / 1000:.0f} MB"]


def opening(path: Path) -> list[float]:
    """Milliseconds to the first paint, until filters work, and of four looks at the samples."""
    from browser import chromium, new_page

    with chromium() as browser:
        page = new_page(browser, path.parent.as_uri())
        page.goto(path.as_uri())
        page.wait_for_selector("body[data-ready]")
        paint = "performance.getEntriesByName('first-contentful-paint')[0].startTime"
        times = [
            float(page.evaluate(paint)),
            float(page.evaluate("document.body.dataset.ready")),
        ]
        for address in (
            "#subject=algebra",
            '#where="run model-003" = right and "run model-090" = wrong',
            "#view=glance",
            "#base=4",
        ):
            times.append(looked(page, address))
        page.close()
    return times


def looked(page: Any, address: str) -> float:
    """Milliseconds from a change of the address to the frame behind it."""
    return float(
        page.evaluate(
            """async (address) => {
              delete document.body.dataset.filtered;
              const before = performance.now();
              history.replaceState(null, "", address);
              dispatchEvent(new PopStateEvent("popstate"));
              const frame = () => new Promise(requestAnimationFrame);
              while (document.body.dataset.filtered === undefined) await frame();
              await frame();
              return performance.now() - before;
            }""",
            address,
        )
    )


if __name__ == "__main__":
    main()
