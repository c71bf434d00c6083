"""MathML -> LaTeX beside pandoc: formulas kept per second, as a ratio, on the same formulas.

    python bench/mathml.py [FORMULAS.jsonl ...]

Without files those of ../shared/data/mathml are taken, or else the project's own test cases, which
are shorter, 200 times. Each side converts all formulas in one
run of its command, start-up included, on one core; the median of three runs counts. Processor
time is taken, so that other work on the machine does not count.
"""

from __future__ import annotations

import json
import os
import resource
import statistics
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from shared_data import ROOT, beside

CASES = ROOT / "tests" / "convert" / "mathml" / "mathml_cases.json"


def formulas(paths: list[str]) -> list[str]:
    """MathML from JSON lines with a field `mathml`, or the test cases, 200 times."""
    folder = beside("mathml")
    paths = paths or [
        str(p) for p in (sorted(folder.glob("*.jsonl")) if folder else [])
    ]
    if paths:
        lines = [
            line
            for path in paths
            for line in Path(path).read_text("utf-8").splitlines()
        ]
        return [json.loads(line)["mathml"] for line in lines if line.strip()]
    cases = json.loads(CASES.read_text("utf-8"))
    return [c["mathml"] for c in cases if "mml:" not in c["mathml"]] * 200


def seconds(command: list[str], data: str) -> float:
    """Median processor time of three runs of a filter."""
    times = []
    for _ in range(3):
        before = resource.getrusage(resource.RUSAGE_CHILDREN)
        subprocess.run(
            command, input=data.encode(), stdout=subprocess.DEVNULL, check=True
        )
        after = resource.getrusage(resource.RUSAGE_CHILDREN)
        times.append(
            after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime
        )
    return statistics.median(times)


def main(paths: list[str] | None = None) -> None:
    """Print the rates and their ratio."""
    try:
        import pypandoc
    except ImportError:
        print("skipped: pypandoc_binary is not installed")
        return
    sources = formulas(paths or [])
    lines = "".join(
        json.dumps({"id": k, "mathml": m}) + "\n" for k, m in enumerate(sources)
    )
    page = "".join(f"<div><p>{m}</p></div>" for m in sources)
    with one_core():
        own = seconds([sys.executable, "-m", "benchwright", "convert", "mathml"], lines)
        pandoc = seconds([pypandoc.get_pandoc_path(), "-f", "html", "-t", "json"], page)
    count = len(sources)
    print(f"{count} formulas: {count / own:.0f}/s, pandoc {count / pandoc:.0f}/s")
    print(f"ratio to pandoc: {pandoc / own:.1f}")


@contextmanager
def one_core() -> Iterator[None]:
    """Keep this process and its children on one core, where the system can."""
    if not hasattr(os, "sched_setaffinity"):
        yield
        return
    allowed = os.sched_getaffinity(0)
    os.sched_setaffinity(0, {min(allowed)})
    try:
        yield
    finally:
        os.sched_setaffinity(0, allowed)


if __name__ == "__main__":
    main(sys.argv[1:])
