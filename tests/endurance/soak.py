"""`make soak`: the same small work again and again in one process; nothing grows.

Builds, scores, exports and reads damaged input in turn, `--rounds` times (200 by default). Fails
where the last quarter of the rounds holds more memory than the second by more than a tenth, or
more open files or threads, or where one round's results differ from the first's.
"""

from __future__ import annotations

import argparse
import contextlib
import gc
import io
import random
import shutil
import sys
import tempfile
from pathlib import Path
from statistics import median

sys.path.insert(0, str(Path(__file__).parents[1] / "support"))

GROWTH = 1.10


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--rounds", type=int, default=200)
    given = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        wrong = soak(Path(folder), given.rounds)
    print("\n".join(wrong) or f"{given.rounds} rounds, flat", flush=True)
    return 1 if wrong else 0


def soak(folder: Path, rounds: int) -> list[str]:
    """What grew or changed over the rounds; nothing, if all is well."""
    import psutil

    process = psutil.Process()
    seen: list[tuple[int, int, int]] = []  # bytes, open files, threads
    wrong, first = [], None
    for number in range(rounds):
        made = _round(folder, number)
        first = first or made
        if made != first:
            wrong.append(f"round {number} made other bytes than the first")
        gc.collect()
        seen.append(
            (process.memory_info().rss, process.num_fds(), process.num_threads())
        )
    quarter = max(1, rounds // 4)
    early, late = seen[quarter : 2 * quarter], seen[-quarter:]
    for k, (name, allowed) in enumerate(
        (("memory", GROWTH), ("files", 1.0), ("threads", 1.0))
    ):
        before, after = (median(row[k] for row in part) for part in (early, late))
        if early and after > before * allowed:
            wrong.append(f"{name} grew from {before:,.0f} to {after:,.0f}")
    return wrong


def _round(folder: Path, number: int) -> dict[str, bytes]:
    import fuzzing
    from benchwright import build_release
    from benchwright.evaluate.inference.baselines import predict_baseline
    from benchwright.evaluate.scoring import score
    from small import dump

    chance = random.Random(number)
    with contextlib.redirect_stderr(io.StringIO()):
        recipe = dump(folder, stages=["check", {"dedup": {}}], exports=["vlmevalkit"])
        release = build_release(recipe, folder / "out").release
        predict_baseline(release, "test", "random", folder / "random.jsonl")
        score(release, folder / "random.jsonl", "test", folder / "score")
        for name in sorted(fuzzing.targets()):
            fuzzing.run(name, fuzzing.mutated(name, chance))
    made = {
        path.relative_to(folder).as_posix(): path.read_bytes()
        for part in (release, folder / "score")
        for path in sorted(part.rglob("*"))
        if path.is_file()
    }
    shutil.rmtree(folder / "out")
    shutil.rmtree(folder / "score")
    return made


if __name__ == "__main__":
    raise SystemExit(main())
