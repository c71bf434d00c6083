"""Placement: a clear place for every label, against ink and against the labels placed before.

For each label the cheapest candidate whose padded box holds no ink wins (an integral image answers
that for all candidates at once); of a segment's text only where no other line is nearer. Without
one, in this order: smaller letters (0.85), a canvas 1.25 as large (the caller's second try), a
white halo across dashed strokes. What then has no place waits until all others stand, and takes a
dimension line outside, a leader, or at last the least bad candidate with an issue that asks for
`at:`.
"""

from __future__ import annotations

from typing import Any

import msgspec
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
BOXES_ARE_ROUNDED = 1.5  # pixels
FAR = 150.0  # pixels at zoom 1: nobody takes a dimension line for one of a segment so far away
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
    space = FreeSpace(
        ink, faint, [label.anchor[0] for label in labels if label.kind == "point"]
    )
    wide = {id(label): -lettered(label, em).size[0] for label in labels}
    queue = sorted(labels, key=lambda item: (ORDER.get(item.kind, 7), wide[id(item)]))
    placed: list[Placed] = []
    waiting: list[Label] = []
    for label in queue:
        done = _beside(label, space, scene, em, last)
        if done is None:
            waiting.append(label)
        else:
            placed.append(_take(done, space, scene))
    issues = []
    for label in waiting:
        if label.where == "axes":  # a number that neighbours tell
            continue
        if last:
            placed.append(_take(_elsewhere(label, space, scene, em), space, scene))
        else:
            message = f"no clear spot for {label.text!r}"
            issues.append(Issue("label-unplaced", message, label.where))
    return placed, issues + [
        issue for done in placed for issue in _issues(done, space, scene)
    ]


def _beside(
    label: Label, space: FreeSpace, scene: Scene, em: float, last: bool
) -> Placed | None:
    """A label at a clear spot beside what it names, or where its author says."""
    lettering = lettered(label, em)
    if label.kind == "fixed":
        done = placed_at(label, lettering, label.anchor[0], em, "fixed")
        return (
            done
            if _is_clear(done, space)
            else msgspec.structs.replace(done, how="covering")
        )
    if label.dimension:
        return dimension_line(label, lettering, space, scene, em)
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
    return (
        None if best is None else placed_at(label, lettering, best, SMALL * em, "halo")
    )


def _elsewhere(label: Label, space: FreeSpace, scene: Scene, em: float) -> Placed:
    """A dimension line, a leader, or the least bad spot."""
    lettering = lettered(label, em)
    done = None
    if label.kind == "segment":
        done = dimension_line(label, lettering, space, scene, em)
    if done is None and not label.dimension:
        done = leader(label, lettering, space, scene, em)
    return done or least_bad(label, lettering, space, scene, em)


def _take(done: Placed, space: FreeSpace, scene: Scene) -> Placed:
    """The space of a placed label is taken, and its lines are lines like others."""
    space.take(done.box)
    for stroke in done.strokes:
        for x, y in steps(*stroke.path).round().astype(int).tolist():
            space.take((x - 2, y - 2, x + 3, y + 3))
    scene.add(done.strokes)
    return done


def _issues(done: Placed, space: FreeSpace, scene: Scene) -> list[Issue]:
    label, issues = done.label, []
    if done.how in ("crossing", "covering"):
        message = (
            f"{label.text!r} lies on ink or on another label: give it a place with 'at'"
        )
        issues.append(Issue("label-overlap", message, label.where))
    elif _is_far(done, scene):
        message = f"the dimension line of {label.text!r} is far from what it measures"
        issues.append(
            Issue("label-far", f"{message}: give it a place with 'at'", label.where)
        )
    elif _is_misread(done, space, scene):
        message = f"{label.text!r} reads as another line's or point's: give it a place with 'at'"
        issues.append(Issue("label-misread", message, label.where))
    if done.lettering.missing:
        message = f"no glyph for {done.lettering.missing!r} in {label.text!r}"
        issues.append(Issue("missing-glyph", message, label.where))
    return issues


def _best(
    label: Label, lettering: Lettering, space: FreeSpace, scene: Scene, solid: bool
) -> Array | None:
    centres, costs = candidates(label, lettering.size, scene)
    clear = space.clear(
        centres, lettering.size, 2 if label.kind == "tick" else PAD, solid
    )
    centres, costs = centres[clear], costs[clear]
    if not len(centres):
        return None
    if label.kind != "tick":
        costs = costs + CROWDED * space.crowded(
            centres, lettering.size, label.kind != "point"
        )
    centres = centres[np.argsort(costs, kind="stable")]
    for start in range(0, len(centres), 8):
        part = centres[start : start + 8]
        astray = _astray(label, part, lettering.size, space, scene, BOXES_ARE_ROUNDED)
        own = np.flatnonzero(~astray)
        if len(own):
            return np.asarray(part[own[0]])
    return None


def _astray(
    label: Label,
    centres: Array,
    size: Any,
    space: FreeSpace,
    scene: Scene,
    margin: float = 0.0,
    own: Any = None,
) -> Array:
    """Whether a text would be read as another's: a length is nearer to another line than to its
    own, the name of a point has a dimension line or a label between it and the point.
    """
    if label.kind == "segment":
        return scene.nearer_to_others(centres, np.array(size) / 2, label.anchor, margin)
    if label.kind == "point":
        return space.behind(centres, label.anchor[0], own)
    return np.zeros(len(centres), bool)


def _is_misread(done: Placed, space: FreeSpace, scene: Scene) -> bool:
    """Whether a text without a dimension line or leader stands astray."""
    left, top, right, bottom = done.box
    centre, size = (
        np.array([[left + right, top + bottom]]) / 2,
        (right - left, bottom - top),
    )
    astray = _astray(done.label, centre, size, space, scene, own=done.box)
    return not done.strokes and bool(astray[0])


def _is_far(done: Placed, scene: Scene) -> bool:
    """Whether a dimension line stands far from its segment."""
    if done.how != "dimension":
        return False
    bar, segment = done.strokes[0].path, done.label.anchor
    return float(np.linalg.norm(bar[0] - segment[0])) > FAR * scene.zoom


def _is_clear(done: Placed, space: FreeSpace) -> bool:
    centre = np.array([[done.box[0] + done.box[2], done.box[1] + done.box[3]]]) / 2
    return bool(space.clear(centre, done.lettering.size, 1)[0])
