"""Placement: a clear place for every label, against ink and against the labels placed before.

For each label the cheapest candidate whose padded box holds no ink wins (an integral image answers
that for all candidates at once). Without one, in this order: smaller letters (0.85), a canvas 1.25
as large (the caller's second try), a white halo across dashed strokes, a dimension line outside
or a leader, and at last the least bad candidate with an issue that asks for `at:`.
"""

from __future__ import annotations

import numpy as np

from ..figure import Array
from ..issues import Issue
from .candidates import candidates
from .fallbacks import dimension_line, leader, least_bad
from .free_space import PAD, FreeSpace, Placed, placed_at, steps
from .labels import EM, Label, lettered
from .lettering import Lettering
from .stroke_distance import Scene

SMALL = 0.85
MISNAMED = 25.0  # cost of a candidate nearer to another stroke than to its own
CROWDED = 14.0  # cost of a candidate where two labels would read as one, "E 7"
ORDER = {
    "fixed": 0,
    "tick": 1,
    "angle": 2,
    "segment": 3,
    "area": 4,
    "arc": 5,
    "curve": 5,
    "point": 6,
}


def place(
    labels: list[Label], ink: Array, faint: Array, scene: Scene, last: bool
) -> tuple[list[Placed], list[Issue]]:
    """Place labels whose anchors are in pixels; on the `last` try the fallbacks are used too."""
    em = EM * scene.zoom
    space = FreeSpace(ink, faint, [label.anchor[0] for label in labels if label.kind == "point"])
    placed, issues = [], []
    wide = {id(label): -lettered(label, em).size[0] for label in labels}
    for label in sorted(labels, key=lambda item: (ORDER.get(item.kind, 7), wide[id(item)])):
        done = _place(label, space, scene, em, last)
        if done is None:
            if label.kind != "tick":
                message = f"no clear spot for {label.text!r}"
                issues.append(Issue("label-unplaced", message, label.where))
            continue
        if done.how == "crossing" or (done.how == "fixed" and not _is_clear(done, space)):
            message = f"{label.text!r} lies on ink or on another label: give it a place with 'at'"
            issues.append(Issue("label-overlap", message, label.where))
        if done.lettering.missing:
            message = f"no glyph for {done.lettering.missing!r} in {label.text!r}"
            issues.append(Issue("missing-glyph", message, label.where))
        space.take(done.box)
        for stroke in done.strokes:
            for x, y in steps(*stroke.path).round().astype(int).tolist():
                space.take((x - 2, y - 2, x + 3, y + 3))
        placed.append(done)
    return placed, issues


def _place(label: Label, space: FreeSpace, scene: Scene, em: float, last: bool) -> Placed | None:
    lettering = lettered(label, em)
    if label.kind == "fixed":
        return placed_at(label, lettering, label.anchor[0], em, "fixed")
    if label.dimension:
        done = dimension_line(label, lettering, space, scene, em)
        return done or (least_bad(label, lettering, space, scene, em) if last else None)
    for how, share in (("clear", 1.0), ("small", SMALL)):
        if label.kind == "tick" and how == "small":
            return None
        lettering = lettered(label, share * em)
        best = _best(label, lettering, space, scene, solid=False)
        if best is not None:
            return placed_at(label, lettering, best, share * em, how)
    if not last:
        return None
    best = _best(label, lettering, space, scene, solid=True)
    if best is not None:
        return placed_at(label, lettering, best, SMALL * em, "halo")
    lettering = lettered(label, em)
    if label.kind == "segment":
        done = dimension_line(label, lettering, space, scene, em)
    else:
        done = leader(label, lettering, space, scene, em)
    return done or least_bad(label, lettering, space, scene, em)


def _best(
    label: Label, lettering: Lettering, space: FreeSpace, scene: Scene, solid: bool
) -> Array | None:
    centres, costs = candidates(label, lettering.size, scene)
    clear = space.clear(centres, lettering.size, 2 if label.kind == "tick" else PAD, solid)
    centres, costs = centres[clear], costs[clear]
    if not len(centres):
        return None
    if label.kind != "tick":
        costs = costs + CROWDED * space.crowded(centres, lettering.size, label.kind != "point")
    order = np.argsort(costs, kind="stable")[:40]
    centres, costs = centres[order], costs[order]
    if label.kind == "segment":
        return _own(label, lettering, centres, costs, scene)
    return np.asarray(centres[0])


def _own(label: Label, lettering: Lettering, centres: Array, costs: Array, scene: Scene) -> Array:
    """The cheapest of these candidates when being nearer to another stroke costs more."""
    best, least = centres[0], np.inf
    for start in range(0, len(centres), 5):
        if costs[start] >= least:
            break
        part = slice(start, start + 5)
        half = np.array(lettering.size) / 2
        wrong = scene.nearer_to_others(centres[part], half, label.anchor)
        full = costs[part] + MISNAMED * wrong
        k = int(np.argmin(full))
        if full[k] < least:
            best, least = centres[start + k], full[k]
    return np.asarray(best)


def _is_clear(done: Placed, space: FreeSpace) -> bool:
    centre = np.array([[done.box[0] + done.box[2], done.box[1] + done.box[3]]]) / 2
    return bool(space.clear(centre, done.lettering.size, 1)[0])
