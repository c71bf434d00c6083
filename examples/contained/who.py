"""Who contains whom: every benchmark of a folder against every other, as one page with evidence.

    python examples/contained/who.py FOLDER OUT

FOLDER holds one JSONL file a benchmark (MATH-V, MathVerse, We-Math, GSM8K, MATH ...), each row
with `id`, a question and, where there is one, `answer`. OUT/index.html is the table: how many
problems of the row stand in the column. A click on a number opens the pairs, text beside text.
"""

from __future__ import annotations

import sys
from html import escape
from itertools import permutations
from pathlib import Path

from benchwright import Pair, find_contamination, write_evidence

PAGE = """<!doctype html><meta charset="utf-8"><title>Who contains whom</title>
<style>body {{ font: 16px system-ui; margin: 2em }}
td, th {{ padding: .4em 1em; text-align: right }}
caption {{ text-align: left; max-width: 40em; padding-bottom: 1em }}</style>
<table><caption>Problems of the row that stand in the column, taken for one problem by wording,
numbers, formulas and answer. Found is not proven: read both.</caption>
<tr><th></th>{head}</tr>{rows}</table>"""


def cell(ours: Path, theirs: Path, out: Path) -> str:
    """The number of problems of `ours` in `theirs`, and the page of the pairs behind it."""
    found = find_contamination(ours, theirs, pictures=False)
    linked = [pair for pair in found if isinstance(pair, Pair) and pair.linked]
    taken = len({pair.a for pair in linked})
    if not taken:
        return "<td>0</td>"
    name = f"{ours.stem}-in-{theirs.stem}"
    write_evidence(linked, ours, out / name, others=theirs)
    share = taken / found.questions
    return f'<td><a href="{escape(name)}/evidence.html">{taken} ({share:.0%})</a></td>'


def main(folder: Path, out: Path) -> None:
    files = sorted(folder.glob("*.jsonl"))
    cells = {pair: cell(*pair, out) for pair in permutations(files, 2)}
    head = "".join(f"<th>{escape(file.stem)}</th>" for file in files)
    rows = "".join(
        f"<tr><th>{escape(ours.stem)}</th>"
        + "".join(cells.get((ours, theirs), "<td></td>") for theirs in files)
        + "</tr>"
        for ours in files
    )
    out.mkdir(parents=True, exist_ok=True)
    (out / "index.html").write_text(PAGE.format(head=head, rows=rows), encoding="utf-8")


if __name__ == "__main__":
    main(Path(sys.argv[1]), Path(sys.argv[2]))
