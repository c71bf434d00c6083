"""Diagrams a second on one core, and how many labels get a clear place.

    python bench/diagrams.py

A label is clear when its padded box held no ink and no other label at its first or its smaller
size; dimension lines and leaders count as found, not as clear. Overlaps are measured again on the
finished picture: label boxes that meet, and ink inside a label's box that is not its own.
"""

from __future__ import annotations

import time
from pathlib import Path
from typing import Any

import numpy as np
from benchwright.render.diagram.canvas import INK
from benchwright.render.diagram.draw import Drawing, draw
from benchwright.render.figure.spec import read_spec
from diagram_specs import generated

EXAMPLES = Path(__file__).resolve().parent.parent / "examples" / "diagrams"


def main() -> None:
    examples = [
        spec
        for path in sorted(EXAMPLES.glob("*.yaml"))
        if not (spec := read_spec(path.read_text(encoding="utf-8"))).get("background")
    ]
    draw(examples[0])  # fonts and modules are loaded once
    for name, specs in (("examples", examples), ("generated", generated(200))):
        print(report(name, specs))


def report(name: str, specs: list[dict[str, Any]]) -> str:
    start = time.process_time()
    drawings = [draw(spec) for spec in specs]
    seconds = time.process_time() - start
    placed = [done for drawing in drawings for done in drawing.labels if done.label.kind != "tick"]
    issues = [issue for drawing in drawings for issue in drawing.issues]
    clear = sum(done.how in ("clear", "small") for done in placed)
    uncrossed = sum(done.how != "crossing" for done in placed)
    overlaps = sum(map(overlapping, drawings)) + sum(map(crossing, drawings))
    return (
        f"{name}: {len(specs)} diagrams, {len(specs) / seconds:.1f}/s; {len(placed)} labels, "
        f"{clear / len(placed):.1%} clear, {uncrossed / len(placed):.1%} found a place, "
        f"{overlaps} overlaps; {len(issues)} issues"
    )


def overlapping(drawing: Drawing) -> int:
    """Pairs of label boxes that share a pixel, axis numbers included."""
    boxes = [done.box for done in drawing.labels]
    return sum(
        a[0] < b[2] and b[0] < a[2] and a[1] < b[3] and b[1] < a[3]
        for k, a in enumerate(boxes)
        for b in boxes[:k]
    )


def crossing(drawing: Drawing) -> int:
    """Labels whose box holds ink that is not their own, counted in the finished picture."""
    picture = np.asarray(drawing.picture.convert("RGB"))[..., 1] < INK
    count = 0
    for done in drawing.labels:
        left, top, right, bottom = done.box
        count += bool((picture[top:bottom, left:right] & (done.lettering.mask == 0)).any())
    return count


if __name__ == "__main__":
    main()
