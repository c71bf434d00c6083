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

import numpy as np

from ..figure import Array
from ..issues import Issue
from .candidates import candidates
from .fallbacks import dimension_line, leader, least_bad
from .free_space import PAD, FreeSpace, Placed, placed_at, steps
from .labels import EM, Label, lettered
from .lettering import Lettering
from .stroke_distance import Scene, length

SMALL = 0.85
BOXES_ARE_ROUNDED = 1.5  # pixels
FAR = 150.0  # pixels at zoom 1: nobody takes a dimension line for one of a segment so far away
BATCH = 8  # candidates looked at together, the cheapest first: most often one of them will do
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
    points = [label.anchor[0] for label in labels if label.kind == "point"]
    space = FreeSpace(ink, faint, points)
    placed: list[Placed] = []
    waiting: list[Label] = []
    for label in _queue(labels, em):
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
    for done in placed:
        issues += _issues(done, space, scene)
    return placed, issues


def _queue(labels: list[Label], em: float) -> list[Label]:
    """Labels with the least choice of places first; of one kind, the widest."""

    def priority(label: Label) -> tuple[int, int]:
        return ORDER.get(label.kind, 7), -lettered(label, em).size[0]

    return sorted(labels, key=priority)


def _beside(
    label: Label, space: FreeSpace, scene: Scene, em: float, last: bool
) -> Placed | None:
    """A label at a clear spot beside what it names, or where its author says."""
    lettering = lettered(label, em)
    if label.kind == "fixed":
        fixed = placed_at(label, lettering, label.anchor[0], em, "fixed")
        if not _is_clear(fixed, space):
            fixed.how = "covering"
        return fixed
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
    if best is None:
        return None
    return placed_at(label, lettering, best, SMALL * em, "halo")


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


def _issues(placed: Placed, space: FreeSpace, scene: Scene) -> list[Issue]:
    label = placed.label
    text = repr(label.text)
    remedy = "give it a place with 'at'"
    problem: tuple[str, str] | None = None
    if placed.how in ("crossing", "covering"):
        problem = "label-overlap", f"{text} lies on ink or on another label"
    elif _is_far(placed, scene):
        message = f"the dimension line of {text} is far from what it measures"
        problem = "label-far", message
    elif _is_misread(placed, space, scene):
        problem = "label-misread", f"{text} reads as another line's or point's"
    issues = []
    if problem:
        code, message = problem
        issues.append(Issue(code, f"{message}: {remedy}", label.where))
    if placed.lettering.missing:
        message = f"no glyph for {placed.lettering.missing!r} in {text}"
        issues.append(Issue("missing-glyph", message, label.where))
    return issues


def _best(
    label: Label, lettering: Lettering, space: FreeSpace, scene: Scene, solid: bool
) -> Array | None:
    """The centre of the cheapest clear candidate that is not astray."""
    size = lettering.size
    centres, costs = candidates(label, size, scene)
    clear = space.clear(centres, size, 2 if label.kind == "tick" else PAD, solid)
    centres = centres[clear]
    costs = costs[clear]
    if not len(centres):
        return None
    if label.kind != "tick":
        crowded = space.crowded(centres, size, names=label.kind != "point")
        costs = costs + CROWDED * crowded
    centres = centres[np.argsort(costs, kind="stable")]
    for start in range(0, len(centres), BATCH):
        batch = centres[start : start + BATCH]
        astray = _astray(label, batch, size, space, scene, BOXES_ARE_ROUNDED)
        sound = np.flatnonzero(~astray)
        if len(sound):
            return np.asarray(batch[sound[0]])
    return None


def _astray(
    label: Label,
    centres: Array,
    size: Any,
    space: FreeSpace,
    scene: Scene,
    margin: float = 0.0,
    box: Any = None,
) -> Array:
    """Whether a text would be read as another's: a length is nearer to another line than to its
    own, the name of a point has a dimension line or a label between it and the point.

    `box` is where the text itself stands, when it has been placed.
    """
    if label.kind == "segment":
        return scene.nearer_to_others(centres, np.array(size) / 2, label.anchor, margin)
    if label.kind == "point":
        return space.behind(centres, label.anchor[0], box)
    return np.zeros(len(centres), bool)


def _is_misread(placed: Placed, space: FreeSpace, scene: Scene) -> bool:
    """Whether a text without a dimension line or leader stands astray."""
    if placed.strokes:
        return False
    left, top, right, bottom = placed.box
    size = (right - left, bottom - top)
    astray = _astray(placed.label, _centre(placed), size, space, scene, box=placed.box)
    return bool(astray[0])


def _is_far(placed: Placed, scene: Scene) -> bool:
    """Whether a dimension line stands far from its segment."""
    if placed.how != "dimension":
        return False
    bar = placed.strokes[0].path
    segment = placed.label.anchor
    return length(bar[0] - segment[0]) > FAR * scene.zoom


def _is_clear(placed: Placed, space: FreeSpace) -> bool:
    return bool(space.clear(_centre(placed), placed.lettering.size, 1)[0])


def _centre(placed: Placed) -> Array:
    """The middle of a label's box, as one row (1, 2)."""
    left, top, right, bottom = placed.box
    return np.array([[left + right, top + bottom]]) / 2
