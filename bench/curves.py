"""How work grows: CPU, wall and peak memory of every stage at 1k, 10k, 100k; written to RESULTS.md.

    python bench/curves.py                 1,000 to 100,000 problems (about twenty minutes)
    python bench/curves.py 1000 3000       other sizes, printed and not written

Problems have pictures of their own (problem_corpus.py); the recipe is whole, with gold and dedup.
Then nothing is changed, and one problem, and it is built again.
What is joined is generated (question_corpus.py): duplicates grow as the questions do. CPU seconds,
of all processes, are what counts on a machine that others use; wall is noted. What more machines
would give is simulated (cluster_simulation.py) from the costs measured here.
"""

from __future__ import annotations

import gc
import json
import math
import os
import platform
import re
import resource
import shutil
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from typing import Any

from cluster_simulation import ASSUMPTIONS, Work, simulated
from problem_corpus import write_corpus
from question_corpus import corpus
from shared_data import needed

HERE = Path(__file__).parent
SIZES = (1_000, 10_000, 100_000)
HUGE = 200_000  # from which on only questions are joined and replies graded
STAGES = ("read", "row stages", "dedup", "split", "pieces", "pages", "parquet", "asked", "package",
          "exports", "history")  # fmt: skip
Row = dict[str, float]
Measured = tuple[dict[str, Row], dict[str, Row], Work | None]


def cpu() -> float:
    own, children = map(
        resource.getrusage, (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN)
    )
    return own.ru_utime + own.ru_stime + children.ru_utime + children.ru_stime


def peak() -> float:
    """MB that this process has needed at most since the last call."""
    status = Path("/proc/self/status").read_text("utf-8")
    Path("/proc/self/clear_refs").write_text("5", "utf-8")
    found = re.search(r"VmHWM:\s+(\d+) kB", status)
    return int(found[1]) / 1024 if found else math.nan


# What runs in a process of its own, so that none measures another's memory.


def unchanged(folder: str, _: str) -> dict[str, Row]:
    """A build of the same in the folder of the first."""
    return {"unchanged": build(folder, "1")["whole"]}


def changed(folder: str, _: str) -> dict[str, Row]:
    """A build in the folder of the first, after one question was changed."""
    path = Path(folder) / "rows.jsonl"
    rows = path.read_text("utf-8").splitlines(keepends=True)
    row = json.loads(rows[len(rows) // 2])
    row["question"] = f"Consider this: {row['question']}"
    rows[len(rows) // 2] = json.dumps(row, ensure_ascii=False) + "\n"
    path.write_text("".join(rows), "utf-8")
    rows_of = build(folder, "1", force=True)
    return {"changed": rows_of["whole"]} | {
        f"changed, {k}": row for k, row in rows_of.items()
    }


def build(folder: str, jobs: str, *, force: bool = False) -> dict[str, Row]:
    """CPU, wall and memory of each stage of a build; "whole" has the processes' peak."""
    from benchwright import build_release, exports
    from benchwright.building import build as building
    from benchwright.building import run
    from benchwright.exports import package, publication
    from benchwright.pipeline import Engine

    if not force:  # what is imported does not grow
        with tempfile.TemporaryDirectory() as small:
            write_corpus(Path(small), 100)
            shutil.copy(Path(folder) / "recipe.yaml", small)
            build_release(Path(small) / "recipe.yaml", Path(small) / "out")
    rows: dict[str, Row] = {}
    handed = handing()
    first = last = [cpu(), time.perf_counter(), time.process_time(), *handed]
    peak()

    def note(name: str) -> None:
        nonlocal last
        if name in ("check", "gold"):  # in one visit with latex
            return
        name = "row stages" if name == "latex" else name
        now = [cpu(), time.perf_counter(), time.process_time(), *handed]
        spent = [new - old for new, old in zip(now, last, strict=True)]
        names = ("cpu", "wall", "own", "tasks", "moved")
        rows[name] = dict(zip(names, spent, strict=True)) | {"peak": peak()}
        last = now

    def after(function: Any, name: str) -> Any:
        def noted(*words: Any, **more: Any) -> Any:
            made = function(*words, **more)
            note(name or words[0].stage)
            return made

        return noted

    gc.set_threshold(50_000, 20, 50)  # as the command does
    for module, function, name in (
        (exports, "publication_of", "pieces"), (package, "write_browse_cards", "pages"),
        (package, "_write_parquet", "parquet"), (package, "write_hub_eval", "asked"),
        (publication, "write_package", "package"),
    ):  # fmt: skip
        setattr(module, function, after(getattr(module, function), name))
    publication._write_exports = after(publication._write_exports, "exports")
    for module in (run, building):
        module.say_report = after(module.say_report, "")
    building._show_history = after(building._show_history, "history")
    recipe, out = Path(folder) / "recipe.yaml", Path(folder) / f"out{jobs}"
    build_release(recipe, out, engine=Engine(int(jobs)), force=force)
    children = resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss / 1024
    rows["whole"] = {
        "cpu": cpu() - first[0], "wall": time.perf_counter() - first[1], "children": children,
        "peak": max(children, *(row["peak"] for row in rows.values())),
    }  # fmt: skip
    return rows


def handing() -> list[float]:
    """Tasks that are handed to processes from now on, and the bytes that go and come for them."""
    from multiprocessing.connection import Connection

    from benchwright.pipeline.workers import Processes

    count = [0.0, 0.0]
    submit, send, receive = (
        Processes.submit,
        Connection._send_bytes,
        Connection._recv_bytes,
    )

    def submitted(self: Any, *words: Any) -> Any:
        count[0] += 1
        return submit(self, *words)

    def sent(self: Any, data: Any) -> None:
        count[1] += len(data)
        send(self, data)

    def received(self: Any, *most: Any) -> Any:
        data = receive(self, *most)
        count[1] += data.getbuffer().nbytes
        return data

    Processes.submit = submitted  # type: ignore[method-assign]
    Connection._send_bytes, Connection._recv_bytes = sent, received
    return count


def join(folder: str, _: str) -> dict[str, Row]:
    """All pairs of as many generated questions that are alike at 0.9."""
    from benchwright.dedup.join import join as joined

    with (Path(folder) / "rows.jsonl").open() as lines:
        count = sum(1 for _ in lines)
    texts = [row["question"] for row in corpus(count)]
    return once("join", lambda: sum(1 for _ in joined(texts, 90)))


def grade(folder: str, _: str) -> dict[str, Row]:
    """Replies that end in their gold, graded by rules."""
    from benchwright.grading.verdicts import grade_response

    def graded() -> None:
        for line in (Path(folder) / "rows.jsonl").open():
            gold = json.loads(line)["answer"]
            grade_response(f"We add up. So the answer is {gold}.", gold)

    return once("grading", graded)


def once(name: str, work: Any) -> dict[str, Row]:
    before, start = cpu(), time.perf_counter()
    peak()
    work()
    return {
        name: {
            "cpu": cpu() - before,
            "wall": time.perf_counter() - start,
            "peak": peak(),
        }
    }


def score(folder: str, _: str) -> dict[str, Row]:
    """`score` with report: a reply of 400 characters for every sample of the split test."""
    from benchwright import score as scored

    release = Path(folder) / "out1" / "corpus-1.0.0"
    replies = Path(folder) / "replies.jsonl"
    with (
        replies.open("w") as file,
        (release / "jsonl" / "test.jsonl").open() as samples,
    ):
        for k, line in enumerate(samples):
            row = json.loads(line)
            said = row["answer"] if k % 3 else "17"
            worked = " ".join([row["question"]] * 9)[:380]
            reply = {"id": row["id"], "response": f"{worked} The answer is {said}."}
            file.write(json.dumps(reply) + "\n")
    out = Path(folder) / "scores"
    return once("score", lambda: scored(release, replies, "test", out))


def apart(name: str, folder: Path, jobs: int = 1) -> dict[str, Row]:
    command = [sys.executable, __file__, f"--{name}", str(folder), str(jobs)]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr[-2000:]
    measured: dict[str, Row] = json.loads(done.stdout.splitlines()[-1])
    return measured


# The table, and what follows from it.


def measured(count: int) -> Measured:
    """Every figure at one size: with one process, with two, and what a cluster would be given."""
    if count > HUGE:
        with tempfile.TemporaryDirectory() as name:
            write_corpus(Path(name), count)
            return apart("join", Path(name)) | apart("grade", Path(name)), {}, None
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        write_corpus(folder, count)
        one = apart("build", folder)
        two = apart("build", folder, 2)
        for more in ("join", "grade", "score", "unchanged", "changed"):
            one |= apart(more, folder)
        one["whole"]["bytes"] = sum(p.stat().st_size for p in folder.glob("out1/**/*"))
    return one, two, work_of(one, two)


def work_of(one: dict[str, Row], two: dict[str, Row]) -> Work:
    """What the process that hands out does itself is not the workers' work."""
    stages = [stage for stage in STAGES if stage in one]
    chunks = {stage: two[stage]["tasks"] for stage in stages if two[stage]["tasks"]}
    handed = {stage: two[stage]["own"] for stage in chunks}
    parallel = {stage: max(one[stage]["cpu"] - handed[stage], 0.0) for stage in chunks}
    rest = sum(one[stage]["cpu"] for stage in stages if stage not in chunks)
    return Work(
        parallel, chunks, rest, handed, sum(two[stage]["moved"] for stage in chunks)
    )


def exponent(sizes: list[int], seconds: list[float]) -> float:
    """The slope of log(seconds) over log(size), by least squares; 0 of a single size."""
    if len(sizes) < 2:
        return 0.0
    xs, ys = [math.log(n) for n in sizes], [math.log(max(s, 1e-3)) for s in seconds]
    x, y = sum(xs) / len(xs), sum(ys) / len(ys)
    return sum((a - x) * (b - y) for a, b in zip(xs, ys, strict=True)) / sum(
        (a - x) ** 2 for a in xs
    )


def report(found: dict[int, Measured]) -> str:
    sizes = list(found)
    lines = [
        "# How the work grows", "",
        "Written by `python bench/curves.py`. " + (__doc__ or "").partition("\n\n    ")[2]
        .partition("\n\n")[2].replace("\n", " ").strip(), "",
        f"{platform.python_implementation()} {platform.python_version()}, {platform.system()}, "
        f"{os.cpu_count()} cores.", "",
        "| stage | " + " | ".join(f"{n:,}: CPU s, wall s, MB" for n in sizes) + " | exponent |",
        "| --- |" + " --- |" * (len(sizes) + 1),
    ]  # fmt: skip
    for stage in (*STAGES, "join", "grading", "score"):
        cells = {n: found[n][0][stage] for n in sizes if stage in found[n][0]}
        texts = [
            f"{c['cpu']:.1f}, {c['wall']:.1f}, {c['peak']:.0f}"
            if (c := cells.get(n))
            else ""
            for n in sizes
        ]
        last = dict(list(cells.items())[-2:])
        power = f"{exponent(list(last), [c['cpu'] for c in last.values()]):.2f}"
        power = power if len(last) > 1 else ""
        lines.append(f"| {stage} | {' | '.join(texts)} | {power} |")
    lines += ["", "`join` finds all generated questions alike at 0.9, `grading` grades one reply "
              "a problem, `score` writes all tables and the report. Memory is the largest "
              "process's. The exponent is that of CPU between the two largest sizes.", "",
              "## Two processes", "",
              "| problems | wall s, one | wall s, two | faster | CPU s | two | MB a process | "
              "MB on disk |",
              "| --- | --- | --- | --- | --- | --- | --- | --- |"]  # fmt: skip
    for n in sizes:
        if not found[n][1]:
            continue
        one, two = found[n][0]["whole"], found[n][1]["whole"]
        lines.append(
            f"| {n:,} | {one['wall']:.1f} | {two['wall']:.1f} | {one['wall'] / two['wall']:.2f} x "
            f"| {one['cpu']:.1f} | {two['cpu']:.1f} | {two['peak']:.0f} "
            f"| {one['bytes'] / 1e6:.0f} |"
        )
    lines += ["", "## Built again", "", "In the folder of a first build, by one process.", "",
              "| problems | nothing changed: CPU s, MB | one problem changed: CPU s, MB "
              "| without dedup |", "| --- | --- | --- | --- |"]  # fmt: skip
    for n in (n for n in sizes if "changed" in found[n][0]):
        same, changed = found[n][0]["unchanged"], found[n][0]["changed"]
        dedup = found[n][0]["changed, dedup"]
        lines.append(
            f"| {n:,} | {same['cpu']:.1f}, {same['peak']:.0f} | {changed['cpu']:.1f}, "
            f"{changed['peak']:.0f} | {changed['cpu'] - dedup['cpu']:.1f} |"
        )
    built = max(n for n in sizes if "whole" in found[n][0])
    largest, work = max((n, found[n][2]) for n in sizes if found[n][2])
    work = work.times(built / largest)
    lines += ["", "## Machines, simulated", "",
              f"{ASSUMPTIONS} Costs are those at {largest:,}, taken as linear.", "",
              "| problems | machines | seconds | faster than one | without dedup |",
              "| --- | --- | --- | --- | --- |"]  # fmt: skip
    dedup = found[largest][0]["dedup"]["cpu"] * built / largest
    for times in (1, 100):
        whole = work.times(times)
        rest = whole._replace(serial=whole.serial - dedup * times)
        one, few = simulated(whole, 1)[0], simulated(rest, 1)[0]
        for machines in (1, 2, 20, 100):
            many, less = (simulated(part, machines)[0] for part in (whole, rest))
            lines.append(
                f"| {built * times:,} | {machines} | {many:.0f} | {one / many:.1f} x "
                f"| {less:.0f} s, {few / less:.1f} x |"
            )
    lines += ["", f"Measured for it: {sum(work.cpu.values()):.0f} CPU s in "
              f"{sum(work.chunks.values()):.0f} tasks, {work.serial:.0f} CPU s that one process "
              f"does alone, {sum(work.handing.values()):.1f} CPU s of handing out and writing "
              f"down ({', '.join(f'{k} {v:.1f}' for k, v in work.handing.items())}), "
              f"{work.moved / 1e6:.0f} MB moved.", ""]  # fmt: skip
    return "\n".join(lines)


def main() -> None:
    needed("math-v")
    if len(sys.argv) == 4 and sys.argv[1].startswith("--"):
        child = (build, join, grade, score, unchanged, changed)
        run = next(one for one in child if one.__name__ == sys.argv[1][2:])
        print(json.dumps(run(*sys.argv[2:])))
        return
    sizes = [int(word) for word in sys.argv[1:]]
    found: dict[int, Measured] = {}
    for count in sizes or SIZES:
        found[count] = measured(count)
        if not sizes:  # what is measured is kept, should a longer size be stopped
            (HERE / "RESULTS.md").write_text(report(found), "utf-8")
    print(report(found))


if __name__ == "__main__":
    main()
