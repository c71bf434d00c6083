"""The sample viewer in Chromium: paint, readiness and filters of 3,040 and of 200,000 samples.

MATH-V's problems with a real model's replies (../shared/data/math-v); milliseconds of the median
of three openings, and how many times as long the large set takes. Needs Playwright and Chromium.
"""

from __future__ import annotations

import json
import statistics
import sys
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from benchwright.base.terminal import table
from benchwright.pages import Card, Run, reply, rich, write_page
from shared_data import ROOT, needed

sys.path.insert(0, str(ROOT / "tests/support"))
RUN = "Gemini-Pro-CoT"
SIZES = (3_040, 200_000)


def main() -> None:
    from browser import CHROMIUM, FLAGS
    from playwright.sync_api import sync_playwright

    folder = needed("math-v")
    rows = [json.loads(line) for line in (folder / "test.jsonl").open(encoding="utf-8")]
    replies = (folder / f"outputs/{RUN}.jsonl").open(encoding="utf-8")
    said = {row["id"]: row["response"] for row in map(json.loads, replies)}
    figures = []
    with tempfile.TemporaryDirectory() as place, sync_playwright() as engine:
        browser = engine.chromium.launch(executable_path=CHROMIUM, args=FLAGS)
        for size in SIZES:
            path = Path(place) / f"{size}.html"
            started = time.process_time()
            write_page(path, f"{size} samples", cards=cards(rows, said, size))
            written = time.process_time() - started
            opened = [opening(browser, path) for _ in range(3)]
            middle = [statistics.median(column) for column in zip(*opened, strict=True)]
            figures.append(
                [f"{size:,}", f"{written:.1f} s", *(f"{ms:.0f} ms" for ms in middle)]
            )
        browser.close()
    print(
        table(figures, ["samples", "CPU to write", "first paint", "ready", "filtered"])
    )


def cards(
    rows: list[dict[str, Any]], said: dict[str, str], size: int
) -> Iterator[Card]:
    for k in range(size):
        row = rows[k % len(rows)]
        right = k % 5 == 0
        facets = {
            "verdict": ["right" if right else "wrong"],
            "subject": [row["subject"]],
        }
        text = reply(said[row["id"]], row["answer"])
        yield Card(
            id=f"m-{k}", problem=f"m-{k // 6}", facets=facets, question=rich(row["question"]),
            runs=[Run(right=right, rows=[("read", row["answer"])], reply=text)],
        )  # fmt: skip


def opening(browser: Any, path: Path) -> tuple[float, float, float]:
    page = browser.new_page()
    page.goto(path.as_uri())
    page.wait_for_selector("body[data-ready]")
    paint = page.evaluate(
        "performance.getEntriesByName('first-contentful-paint')[0].startTime"
    )
    ready = float(page.evaluate("document.body.dataset.ready"))
    page.select_option("select[name=subject]", "algebra")
    page.wait_for_timeout(1_000)
    filtered = float(page.evaluate("document.body.dataset.filtered"))
    page.close()
    return paint, ready, filtered


if __name__ == "__main__":
    main()
