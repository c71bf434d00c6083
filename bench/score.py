"""Scoring by rules: predictions a second, and how long a report takes to open.

15,672 predictions (the size of the complete MathVerse: 2,612 problems in six versions) made of
MATH-V's problems and a real model's replies; two worker processes; target: under 60 s.
"""

from __future__ import annotations

import json
import tempfile
import time
from itertools import cycle, islice
from pathlib import Path

from benchwright.base.terminal import table
from benchwright.evaluate.metrics.paired import paired_difference
from benchwright.evaluate.metrics.results import Result
from benchwright.evaluate.metrics.scores import Provenance, Scores, scores_of
from benchwright.evaluate.predictions.coverage import Coverage
from benchwright.evaluate.report import sections, write_report
from benchwright.evaluate.scoring.grade_replies import grade_replies
from benchwright.problem import VERSIONS, Image, Option, Sample, Source
from real_data import needed

ROOT = Path(__file__).resolve().parents[1]
RUN = "Qwen-VL-Max-CoT"
SAMPLES = 15_672


def lines(path: Path) -> list[dict]:
    return [json.loads(line) for line in path.read_text("utf-8").splitlines()]


def sample(row: dict, number: int, version: str) -> Sample:
    options = [Option(label="ABCDE"[k], text=text) for k, text in enumerate(row["options"])]
    kind = "choice" if options else "number" if row["answer"].isdigit() else "expression"
    problem = f"math-v-{number}"
    return Sample(
        id=f"{problem}.{version}" if version else problem, problem_id=problem, origin=problem,
        version=version, source=Source(name="math-v", raw_id=row["id"]), question=row["question"],
        images=[Image(path=row["image"], sha256="", width=1, height=1)], options=options,
        answer=row["answer"], answer_kind=kind,
        labels={"subject": row["subject"], "level": row["level"]},
    )  # fmt: skip


def main() -> None:
    folder = needed("math-v")
    rows = lines(folder / "test.jsonl")
    replies = {r["id"]: r["response"] for r in lines(folder / f"outputs/{RUN}.jsonl")}
    many = [sample(row, k // 6, VERSIONS[k % 6])
            for k, row in enumerate(islice(cycle(rows), SAMPLES))]  # fmt: skip
    replies_by_id = {s.id: replies[s.source.raw_id] for s in many}
    timings = []
    official = {"math-v": "math-v"}
    for name, jobs, profiles in (
        ("robust rules", 1, {}), ("robust rules", 2, {}), ("with official", 2, official),
    ):  # fmt: skip
        start = time.perf_counter()
        results = grade_replies(many, replies_by_id, profiles, jobs)
        seconds = time.perf_counter() - start
        timings.append([name, jobs, len(many), f"{seconds:.1f}", f"{len(many) / seconds:.0f}"])
    start = time.perf_counter()
    all_tables(results)
    tables = time.perf_counter() - start
    timings.append(["all tables", 1, len(many), f"{tables:.1f}", f"{len(many) / tables:.0f}"])
    right = [r.correct for r in results]
    start = time.perf_counter()
    paired_difference(right, right[::-1], [r.origin for r in results])
    seconds = time.perf_counter() - start
    timings.append(
        ["paired difference", 1, len(many), f"{seconds:.1f}", f"{len(many) / seconds:.0f}"]
    )
    print(table(timings, ["what", "processes", "predictions", "seconds", "a second"]))
    page(folder, rows, replies)


def all_tables(results: list[Result]) -> Scores:
    nothing = dict.fromkeys(Provenance.__struct_fields__, "")
    return scores_of(
        results, release="bench-1.0.0", split="all", profile="robust", coverage=Coverage(),
        provenance=Provenance(**nothing),
    )  # fmt: skip


def page(folder: Path, rows: list[dict], replies: dict[str, str]) -> None:
    """report.html of all 3,040 samples: CPU seconds to write, size."""
    samples = [sample(row, int(row["id"]), "") for row in rows]
    results = grade_replies(samples, {s.id: replies[s.source.raw_id] for s in samples}, {}, 2)
    scores = all_tables(results)
    with tempfile.TemporaryDirectory() as place:
        path = Path(place) / "report.html"
        start = time.process_time()
        write_report(
            path, "bench", sections(scores, results), scores, results, samples, release=folder
        )
        seconds = time.process_time() - start
        size = sum(p.stat().st_size for p in path.with_name("report.data").glob("*.js"))
    print(f"report.html of {len(samples)}: {size / 1e6:.1f} MB in {seconds:.1f} CPU seconds")


if __name__ == "__main__":
    main()
