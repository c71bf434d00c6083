"""Grading: accuracy and speed beside Math-Verify in one run, MATH-V's rescoring, hostile answers.

Reads ../shared/data/equivalence and math-v; says so and ends without. Answers go to both graders
without kind or question (Math-Verify can use neither); ours is shown with the kind as well.
"""

from __future__ import annotations

import json
import subprocess
import sys
import time
from collections import Counter
from collections.abc import Callable

from shared_data import needed

REAL = ("real_mathv", "real_qwen_math")
PUBLISHED = 157 / 16  # processor seconds of the published script for 3,040 rows
PEER = """
import json, sys
from math_verify import parse, verify
wrap = lambda s: s if any(d in s for d in ("$", "\\\\boxed", "\\\\(", "\\\\[")) else f"${s}$"
for line in sys.stdin:
    gold, prediction = json.loads(line)
    try:
        gold, prediction = (parse(wrap(s), parsing_timeout=5) for s in (gold, prediction))
        answer = bool(verify(gold, prediction, timeout_seconds=5))
    except Exception:
        answer = None
    print(json.dumps(answer), flush=True)
"""


def main() -> None:
    rows = pairs()
    print(
        f"{'grader':26}{'n':>6}{'accuracy':>10}{'false accepts':>15}{'rejects':>9}{'pairs/s':>9}"
    )
    for name, grader in (
        ("own, blind", blind),
        ("own, kind known", informed),
        ("Math-Verify", peer),
    ):
        seconds, answers = clock(grader, rows)
        if answers:
            row(name, rows, answers, seconds)
    real = [r for r in rows if r["file"] in REAL]
    print(f"real answers, one core: {len(real) / clock(blind, real)[0]:.0f} pairs/s")
    hostile()
    math_v()


def pairs() -> list[dict]:
    folder = needed("equivalence")
    rows = []
    for path in sorted(folder.glob("*.jsonl")):
        for line in path.read_text(encoding="utf-8").splitlines():
            pair = json.loads(line)
            if (
                "gold" in pair
                and "prediction" in pair
                and pair.get("form") != "response"
            ):
                rows.append(pair | {"file": path.stem})
    return rows


Grader = Callable[[list[dict]], list[bool | None]]


def clock(grader: Grader, rows: list[dict]) -> tuple[float, list[bool | None]]:
    """Seconds and answers of a grader that remembers nothing."""
    from benchwright.grading.answers import parser
    from benchwright.grading.equivalence import pairs

    for cache in (pairs._by_grammar, parser.read):
        cache.cache_clear()
    started = time.perf_counter()
    answers = grader(rows)
    return time.perf_counter() - started, answers


def blind(rows: list[dict]) -> list[bool | None]:
    from benchwright.grading.verdicts.grade import grade

    return [grade(r["prediction"], r["gold"]).equal for r in rows]


def informed(rows: list[dict]) -> list[bool | None]:
    from benchwright.grading.verdicts.commands import OTHER_NAMES
    from benchwright.grading.verdicts.grade import grade

    return [
        grade(
            r["prediction"], r["gold"], kind=OTHER_NAMES.get(r["kind"], r["kind"])
        ).equal
        for r in rows
    ]


def peer(rows: list[dict]) -> list[bool | None]:
    if subprocess.run(
        [sys.executable, "-c", "import math_verify"], capture_output=True
    ).returncode:
        print("Math-Verify is not installed: left out")
        return []
    text = "\n".join(json.dumps([r["gold"], r["prediction"]]) for r in rows)
    done = subprocess.run(
        [sys.executable, "-W", "ignore", "-c", PEER],
        input=text,
        capture_output=True,
        text=True,
    )
    return [json.loads(line) for line in done.stdout.splitlines()]


def row(
    name: str, rows: list[dict], answers: list[bool | None], seconds: float
) -> None:
    c = Counter(
        "right" if (a is True) == r["equal"] else "accept" if a else "reject"
        for r, a in zip(rows, answers, strict=True)
    )
    print(
        f"{name:26}{len(rows):6}{100 * c['right'] / len(rows):9.1f}%{c['accept']:15}{c['reject']:9}"
        f"{len(rows) / seconds:9.0f}"
    )


def math_v() -> None:
    """Processor seconds under both profiles, and how many times the published rate that is."""
    from benchwright.grading.official.profiles import official
    from benchwright.grading.verdicts.grade import grade_response
    from benchwright.problem import Option

    folder = needed("math-v")
    gold = {}
    for line in (folder / "test.jsonl").read_text(encoding="utf-8").splitlines():
        item = json.loads(line)
        options = [
            Option(label="ABCDE"[k], text=o) for k, o in enumerate(item["options"])
        ]
        gold[item["id"]] = item["answer"], options, item["question"]
    spent = Counter[str]()
    outputs = sorted((folder / "outputs").glob("*.jsonl"))
    for path in outputs:
        replies = [
            json.loads(line) for line in path.read_text(encoding="utf-8").splitlines()
        ]
        started = time.process_time()
        verdicts = [
            official("math-v", r["response"], *gold[r["id"]][:2]) for r in replies
        ]
        between = time.process_time()
        for reply in replies:
            answer, options, question = gold[reply["id"]]
            kind = "choice" if options else "number"
            grade_response(
                reply["response"], answer, kind=kind, options=options, question=question
            )
        seconds = {
            "official": between - started,
            "robust": time.process_time() - between,
        }
        spent.update(seconds)
        differ = sum(
            v.equal is not r["correct"] for v, r in zip(verdicts, replies, strict=True)
        )
        rates = ", ".join(f"{name} {PUBLISHED / s:.0f}" for name, s in seconds.items())
        print(
            f"MATH-V, {path.stem:36}{differ:3} rows differ, times the published rate: {rates}"
        )
    shown = ", ".join(
        f"{name} {s * 16 / len(outputs):.1f}" for name, s in spent.items()
    )
    print(f"sixteen outputs at the rate of these {len(outputs)}, CPU s: {shown}")


def hostile() -> None:
    from benchwright.grading.verdicts.grade import grade

    bombs = {
        "power tower": "9^{9^{9^9}}", "factorials": "((9!)!)!", "200,000 digits": "7" * 200_000,
        "binomial": r"\binom{10^{9}}{5\cdot10^{8}}", "call": "1/2+__import__('os').getcwd()",
        "400 fractions": r"\frac{1}{" * 400 + "2" + "}" * 400, "sum": r"\sum_{k=1}^{10000000} k!",
        "integral": r"\int \frac{x^{10}\sin(x)}{\sqrt{1+x^7}}dx",
    }  # fmt: skip
    for name, text in bombs.items():
        started = time.perf_counter()
        verdict = grade(text, "5")
        print(
            f"hostile, {name:18}{verdict.status:10}{time.perf_counter() - started:6.2f} s"
        )


if __name__ == "__main__":
    main()
