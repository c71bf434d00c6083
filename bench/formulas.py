"""Formulas of real exams: does each show what it says, and how does it look beside KaTeX?

    python bench/formulas.py [DATA] [--held-out] [--sheet DIR]

Draws 378 formulas and 60 arrays, alignments and tables with a fixed seed from the questions of a
folder of data (`exams/*.mmd`, `math-v/`, `mathverse/`), sets them, and compares the ink of each
with what its LaTeX says. A third of the formulas, by hash, is held out: `--held-out` draws from it
alone. `--sheet` writes pages with our drawing and KaTeX's side by side, to be looked at.
"""

from __future__ import annotations

import argparse
import base64
import hashlib
import html
import json
import random
import subprocess
import time
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from shutil import which

from benchwright.base.pictures import encode_png
from benchwright.latex import Ink, UnreadableError, expected_ink, maths_spans, unlike
from benchwright.latex.typeset.formula import math_box, math_ink
from benchwright.latex.typeset.outlines import RefusedError
from benchwright.render.page.browser import BROWSERS
from benchwright.render.typeset.stretches import tables_of
from PIL import Image, ImageOps
from shared_data import ROOT, needed

Formula = tuple[str, bool]
KATEX = ROOT / "pages/katex"
ENVIRONMENT = r"\begin{"


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("data", type=Path, nargs="?")
    parser.add_argument("--held-out", action="store_true")
    parser.add_argument("--sheet", type=Path)
    arguments = parser.parse_args()
    chosen = drawn(arguments.data or needed(""), arguments.held_out)
    verdicts = {formula: verdict(formula) for formula in chosen}
    counts = Counter(kind for kind, _ in verdicts.values())
    print(f"{len(chosen)} formulas: {dict(counts)}")
    for (tex, _), (kind, why) in verdicts.items():
        if kind in ("refused", "wrong in silence"):
            print(f"  {kind}: {tex[:100]!r}: {why[:160]}")
    if arguments.sheet:
        write_sheets(list(chosen), verdicts, arguments.sheet)


def drawn(data: Path, held_out: bool) -> list[Formula]:
    """The formulas of this run, the same for the same data."""
    rng = random.Random(18)
    pools: dict[bool, set[Formula]] = {False: set(), True: set()}
    for text in texts(data):
        tables = [(span.tex, True) for span in tables_of(text)]
        for tex, display in [*tables, *((s.tex, s.display) for s in maths_spans(text))]:
            if (hashlib.sha256(tex.encode()).digest()[0] % 3 == 0) == held_out:
                pools[ENVIRONMENT in tex].add((tex, display))
    return [f for laid, size in ((False, 378), (True, 60))
            for f in rng.sample(sorted(pools[laid]), min(size, len(pools[laid])))]  # fmt: skip


def texts(data: Path) -> Iterator[str]:
    for path in sorted(data.glob("exams/*.mmd")):
        yield path.read_text("utf-8", "replace")
    for path in sorted(data.glob("math-v/test.jsonl")):
        yield from (
            json.loads(line)["question"] for line in path.open(encoding="utf-8")
        )
    for path in sorted(data.glob("mathverse/testmini_text_only.json")):
        yield from (row["question"] for row in json.loads(path.read_bytes()))


def verdict(formula: Formula) -> tuple[str, str]:
    """set, refused with the reason, or wrong in silence."""
    tex, display = formula
    try:
        box = math_box(tex, display)
    except RefusedError as reason:
        return "refused", str(reason)
    try:
        expected: Ink = expected_ink(tex)
    except UnreadableError as reason:
        return "wrong in silence", str(reason)
    mask, _ = math_ink(tex, 36, display)
    if sum(expected.values()) and not mask.getbbox():
        return "wrong in silence", "no ink"
    difference = unlike(expected, box.ink)
    return ("wrong in silence", difference) if difference else ("set", "")


def write_sheets(
    formulas: list[Formula], verdicts: dict[Formula, tuple[str, str]], folder: Path
) -> None:
    """PNG pages of 50 formulas: number, ours, KaTeX's."""
    folder.mkdir(parents=True, exist_ok=True)
    browser = next((path for name in BROWSERS if (path := which(name))), None)
    if browser is None:
        print("no sheets: Chromium was not found")
        return
    started = time.process_time()
    for page, start in enumerate(range(0, len(formulas), 50)):
        rows = []
        for number, formula in enumerate(formulas[start : start + 50], start):
            kind, why = verdicts[formula]
            cell = (
                f"<small>{html.escape(why[:90])}</small>"
                if kind == "refused"
                else ours(formula)
            )
            tex = html.escape(formula[0], quote=True)
            rows.append(f"<tr><td>{number}</td><td>{cell}</td>"
                        f'<td class="k" data-d="{int(formula[1])}">{tex}</td></tr>')  # fmt: skip
        source = folder / f"sheet-{page}.html"
        source.write_text(
            PAGE.replace("ROWS", "".join(rows)).replace("KATEX", KATEX.as_uri())
        )
        subprocess.run(
            [browser, "--headless", "--no-sandbox", "--disable-gpu", "--hide-scrollbars",
             "--allow-file-access-from-files", "--window-size=1500,3600",
             "--virtual-time-budget=8000", f"--screenshot={folder / f'sheet-{page}.png'}",
             source.as_uri()], check=True, capture_output=True,
        )  # fmt: skip
    print(f"{folder}: sheets in {time.process_time() - started:.1f} s")


def ours(formula: Formula) -> str:
    mask, _ = math_ink(formula[0], 22, formula[1])
    picture = mask if mask.mode == "L" else Image.alpha_composite(
        Image.new("RGBA", mask.size, "white"), mask)  # fmt: skip
    picture = (
        ImageOps.invert(picture) if picture.mode == "L" else picture.convert("RGB")
    )
    data = base64.b64encode(encode_png(picture)).decode()
    return f'<img src="data:image/png;base64,{data}">'


PAGE = """<!doctype html><meta charset="utf-8"><link rel="stylesheet" href="KATEX/katex.min.css">
<script src="KATEX/katex.min.js"></script>
<style>body{margin:4px;font:11px sans-serif}table{border-collapse:collapse;width:1480px;
table-layout:fixed}td{border:1px solid #ccc;padding:3px;overflow:hidden}td:first-child{width:30px}
img{max-width:700px}.k{font-size:16px}</style>
<table>ROWS</table><script>for (const cell of document.querySelectorAll(".k")) {
try { katex.render(cell.textContent, cell, {displayMode: cell.dataset.d === "1"}); }
catch (error) { cell.textContent = "KaTeX: " + error.message.slice(0, 120); } }</script>"""


if __name__ == "__main__":
    main()
