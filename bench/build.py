"""Building the complete MATH-V: seconds by stage, a rebuild, peak memory, twice the input.

Reads ../shared/data/math-v (test.jsonl and images/); without it there is nothing to measure.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
import tempfile
import time
from pathlib import Path

from real_data import needed

RECIPE = """\
name: math-v
version: 1.0.0
sources:
{sources}
stages: [check]
splits: {{testmini: {{size: 304, by: [subject], per_stratum: equal}}, test: rest}}
"""
SOURCE = "  - {{name: {name}, reader: math-v, path: {path}, license: MIT}}"


def build(recipe: Path, out: Path, jobs: int) -> tuple[float, float, dict]:
    """Wall seconds, peak memory in MB of the largest process, and the command's report."""
    command = [sys.executable, "-m", "benchwright", "build-release", recipe, "-o", out, "--json"]
    started = time.perf_counter()
    process = subprocess.Popen(
        [*map(str, command), "--jobs", str(jobs)],
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
    )
    assert process.stdout
    report = process.stdout.read()
    _, status, usage = os.wait4(process.pid, 0)  # of this build alone, not of earlier benchmarks
    seconds = time.perf_counter() - started
    assert status == 0, f"build-release ended with {status}"
    return seconds, usage.ru_maxrss / 1024, json.loads(report)


def write_recipe(folder: Path, copies: int) -> Path:
    names = [f"copy{k}" for k in range(copies)]
    sources = "\n".join(
        SOURCE.format(name=n, path=needed("math-v/test.jsonl").as_posix()) for n in names
    )
    path = folder / f"recipe{copies}.yaml"
    path.write_text(RECIPE.format(sources=sources))
    return path


def main() -> None:
    needed("math-v/test.jsonl")
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        recipe = write_recipe(folder, 1)
        one, memory, report = build(recipe, folder / "one", jobs=1)
        again, _, _ = build(recipe, folder / "one", jobs=1)
        two, _, _ = build(recipe, folder / "two", jobs=2)
        double, more, _ = build(write_recipe(folder, 2), folder / "double", jobs=1)
        stages = {stage["stage"]: stage["seconds"] for stage in report["stages"]}
        stages["package"] = one - sum(stages.values())
        print(f"3,040 problems, 1 worker   {one:6.1f} s   peak {memory:.0f} MB")
        for stage, seconds in stages.items():
            print(f"  {stage:24s} {seconds:6.1f} s   {100 * seconds / one:3.0f} %")
        print(f"2 workers                  {two:6.1f} s   {one / two:.2f} x as fast")
        print(f"nothing changed            {again:6.1f} s   {again / one:.3f} of the first build")
        print(
            f"6,080 problems             {double:6.1f} s   "
            f"peak {more:.0f} MB, {more / memory:.2f} x"
        )


if __name__ == "__main__":
    main()
