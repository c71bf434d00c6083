"""Formulas in Mathpix Markdown and problems cut from exams: agreement, flags and rates.

Reads ../shared/data (mmd/, math-v/test.jsonl); what is not there is skipped.
"""

from __future__ import annotations

import json
import sys
import time
from collections import Counter
from pathlib import Path
from typing import Any

from benchwright.base.terminal import table
from benchwright.convert.exam.splitter import split_exam
from benchwright.latex.delimiters import MATHPIX, maths_spans
from shared_data import ROOT, beside

SIZE = 25  # problems of one exam


def main() -> None:
    """Print both tables."""
    sys.path[:0] = [str(ROOT / "tests" / "support"), str(ROOT / "tests/convert/exam")]
    for name, run in (("mmd", _spans), ("math-v/test.jsonl", _exams)):
        if path := beside(name):
            run(path)
        else:
            print(f"skipped: ../shared/data/{name} is not there")


def _spans(folder: Path) -> None:
    """The scanner beside the recorded answers of npm mathpix-markdown-it."""
    rows = []
    for path in sorted(folder.glob("*.jsonl")):
        records = [r for r in _records(path) if r["math_spans"]]
        started = time.perf_counter()
        spans = [
            [_bare(s.tex) for s in maths_spans(r["mmd"], MATHPIX)] for r in records
        ]
        rate = len(records) / (time.perf_counter() - started)
        expected = [[_bare(s["tex"]) for s in r["math_spans"]] for r in records]
        same = sum(a == b for a, b in zip(spans, expected, strict=True))
        rows.append(
            [path.name, len(records), same, _percent(same, len(records)), round(rate)]
        )
    print(table(rows, ["texts", "with_formulas", "same_spans", "%", "texts/s"]))


def _bare(tex: str) -> str:
    return "".join(tex.split())


def _exams(path: Path) -> None:
    """Every problem of MATH-V, typeset in every style and cut again."""
    from test_styles import outcomes
    from typeset import STYLES, printed, typeset

    problems = list(_records(path))
    rows, total, seconds = [], Counter[str](), 0.0
    for style in STYLES:
        counts: Counter[str] = Counter()
        for start in range(0, len(problems), SIZE):
            exam = problems[start : start + SIZE]
            text = typeset(exam, style)
            started = time.perf_counter()
            cut = split_exam(text)
            seconds += time.perf_counter() - started
            counts += outcomes(printed(exam, style), cut)
        rows.append(_row(style, counts, len(problems)))
        total += counts
    rows.append(_row("all", total, len(problems) * len(STYLES)))
    print(
        table(
            rows,
            ["style", "exact", "%", "flagged", "silent", "wrong_answer", "doubted"],
        )
    )
    print(f"{len(problems) * len(STYLES) / seconds:.0f} problems/s")


def _row(style: str, counts: Counter[str], of: int) -> list[Any]:
    names = ("flagged", "silent", "wrong answer", "doubted")
    return [
        style,
        counts["exact"],
        _percent(counts["exact"], of),
        *(counts[n] for n in names),
    ]


def _percent(part: int, whole: int) -> str:
    return f"{100 * part / max(whole, 1):.2f}"


def _records(path: Path) -> list[dict[str, Any]]:
    return [
        json.loads(line)
        for line in path.read_text("utf-8").splitlines()
        if line.strip()
    ]


if __name__ == "__main__":
    main()
