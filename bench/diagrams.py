"""Diagrams a second on one core, and how many labels get a clear place.

    python bench/diagrams.py

All is measured on the finished picture. A label is clear when its padded box holds no ink but its
own and meets no other label, and beside when it stands there without a dimension line or leader.
A length is at the wrong line when another line's ink is nearer to its box than its own segment's.
"""

from __future__ import annotations

import time
from pathlib import Path
from typing import Any

import numpy as np
from benchwright.render.diagram.canvas import INK
from benchwright.render.diagram.draw import Drawing, draw
from benchwright.render.figure.spec import read_spec
from diagram_specs import generated, narrow_solids

EXAMPLES = Path(__file__).resolve().parent.parent / "examples" / "diagrams"


def main() -> None:
    examples = [
        spec
        for path in sorted(EXAMPLES.glob("*.yaml"))
        if not (spec := read_spec(path.read_text(encoding="utf-8"))).get("background")
    ]
    draw(examples[0])  # fonts and modules are loaded once
    for name, specs in (("examples", examples), ("generated", generated(200)),
                        ("narrow solids", narrow_solids(200))):  # fmt: skip
        print(report(name, specs))


def report(name: str, specs: list[dict[str, Any]]) -> str:
    start = time.process_time()
    drawings = [draw(spec) for spec in specs]
    seconds = time.process_time() - start
    placed = [
        done
        for drawing in drawings
        for done in drawing.labels
        if done.label.kind != "tick"
    ]
    issues = [issue for drawing in drawings for issue in drawing.issues]
    clear = sum(is_clear(drawing, k) for drawing in drawings for k in named(drawing))
    beside = sum(done.how in ("clear", "small", "halo") for done in placed)
    overlaps = sum(map(overlapping, drawings)) + sum(map(crossing, drawings))
    wrong = sum(map(at_wrong_line, drawings))
    return (
        f"{name}: {len(specs)} diagrams, {len(specs) / seconds:.1f}/s; {len(placed)} labels, "
        f"{clear / len(placed):.1%} clear, {beside / len(placed):.1%} beside, "
        f"{overlaps} overlaps, {wrong} at the wrong line; {len(issues)} issues"
    )


def named(drawing: Drawing) -> list[int]:
    return [k for k, done in enumerate(drawing.labels) if done.label.kind != "tick"]


def is_clear(drawing: Drawing, k: int, pad: int = 2) -> bool:
    """Whether label `k` has only paper within `pad` pixels of its letters."""
    picture = np.asarray(drawing.picture.convert("RGB"))[..., 1] < INK
    done = drawing.labels[k]
    left, top, right, bottom = done.box
    picture[top:bottom, left:right] &= (
        np.asarray(done.lettering.mask) == 0
    )  # soft edges on a tint
    return not picture[
        max(0, top - pad) : bottom + pad, max(0, left - pad) : right + pad
    ].any()


def at_wrong_line(drawing: Drawing) -> int:
    """Lengths without a dimension line or leader that stand nearer to another line's ink."""
    ink = np.asarray(drawing.picture.convert("RGB"))[..., 1] < INK
    for done in drawing.labels:
        left, top, right, bottom = done.box
        ink[max(0, top - 1) : bottom + 1, max(0, left - 1) : right + 1] = False
    y, x = np.nonzero(ink)
    places = np.stack([x, y], 1).astype(float)
    count = 0
    for done in drawing.labels:
        if done.label.kind != "segment" or done.strokes:
            continue
        a, b = done.label.anchor
        t = np.clip((places - a) @ (b - a) / max(float((b - a) @ (b - a)), 1e-9), 0, 1)
        off = np.linalg.norm(places - a - t[:, None] * (b - a), axis=1)
        left, top, right, bottom = done.box
        gap = np.maximum([left, top] - places, places - [right, bottom]).clip(0)
        away = np.linalg.norm(gap, axis=1)
        own, other = away[off < 3], away[off > 5]
        count += bool(len(other) and other.min() + 1 < own.min(initial=np.inf))
    return count


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
        count += bool(
            (picture[top:bottom, left:right] & (done.lettering.mask == 0)).any()
        )
    return count


if __name__ == "__main__":
    main()
