"""Cuts tests/data/math-v out of the whole MATH-V data set, for checkouts without it.

    python tests/data/make.py FOLDER    # with test.jsonl, testmini.jsonl, images/ and outputs/

Chosen are the problems that tests name, with the pictures of those named for their pictures, and
200 others by the hash of their id. Rows are copied byte for byte, in their order.
"""

from __future__ import annotations

import hashlib
import json
import shutil
import sys
from pathlib import Path

HERE = Path(__file__).parent
OTHERS = 200
# Known defects, ambiguous golds, a verdict published otherwise, solutions with tables: what
# tests/check, tests/evaluate and tests/convert expect to find.
NAMED = """
59 434 742 1125 1591 1843 1875 1893 2521 2605 2804 2828 2830 2833 2845 2866 2875 2877 3013
""".split()


def main(source: Path) -> None:
    target = HERE / "math-v"
    rows = {json.loads(line)["id"]: line for line in lines(source / "test.jsonl")}
    pictured = pictured_ids()
    others = sorted(rows.keys() - pictured - set(NAMED), key=digest)[:OTHERS]
    chosen = {*NAMED, *pictured, *others}
    for path in [
        source / "test.jsonl",
        source / "testmini.jsonl",
        *source.glob("outputs/*.jsonl"),
    ]:
        name = path.relative_to(source)
        (target / name).parent.mkdir(parents=True, exist_ok=True)
        kept = [line for line in lines(path) if json.loads(line)["id"] in chosen]
        (target / name).write_bytes(b"".join(kept))
    shutil.rmtree(target / "images", ignore_errors=True)
    (target / "images").mkdir()
    for name in sorted(pictured):
        picture = json.loads(rows[name])["image"]
        (target / picture).write_bytes((source / picture).read_bytes())


def pictured_ids() -> set[str]:
    """The problems whose pictures tests/dedup compares."""
    cases = json.loads(
        (HERE.parent / "dedup/cases/math_v_pairs.json").read_text("utf-8")
    )
    named = [name for pair in cases["pairs"] + cases["not_linked"] for name in pair[:2]]
    return {*named, *(name for group in cases["leakage_groups"] for name in group)}


def lines(path: Path) -> list[bytes]:
    return path.read_bytes().splitlines(keepends=True)


def digest(name: str) -> str:
    return hashlib.sha256(name.encode()).hexdigest()


if __name__ == "__main__":
    main(Path(sys.argv[1]))
