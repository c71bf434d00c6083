"""When no candidate is clear: a dimension line, a leader, or the least bad candidate."""

from __future__ import annotations

import numpy as np

from ..figure import Array, Stroke, unit_vectors
from .candidates import across, candidates, wedge_of
from .free_space import EDGE, PAD, FreeSpace, Placed, placed_at, steps
from .labels import Label
from .lettering import Lettering
from .stroke_distance import Scene, length


def least_bad(
    label: Label, lettering: Lettering, space: FreeSpace, scene: Scene, em: float
) -> Placed:
    """Among all candidates the one that covers least; the caller reports it."""
    centres, costs = candidates(label, lettering.size, scene)
    if not len(centres):
        centres = label.anchor.mean(0)[None]
        costs = np.zeros(1)
    half = np.array(lettering.size) / 2 + EDGE + 1
    limits = np.array([space.width, space.height])
    centres = np.clip(centres, half, np.maximum(limits - half, half))
    covered = space.ink(centres, lettering.size, PAD)
    hits = space.hits(centres, lettering.size, PAD)
    badness = covered + 1000 * hits + costs
    best = centres[int(np.argmin(badness))]
    return placed_at(label, lettering, best, em, "crossing")


def dimension_line(
    label: Label, lettering: Lettering, space: FreeSpace, scene: Scene, em: float
) -> Placed | None:
    """|<->| beside a segment, as far out as it is clear, with the label on its far side."""
    a, b = label.anchor
    size = np.array(lettering.size)
    segment_length = length(b - a)
    ahead, normal, outer = across(a, b, scene)
    zoom = scene.zoom
    text_length = float(np.abs(ahead) @ size)
    fits = text_length + 16 * zoom < segment_length
    beyond = (5 if fits else 10) * zoom  # a wide text keeps off the caps at the ends
    to_text = float(np.abs(normal) @ (size / 2)) + beyond
    apart = round(17 * zoom)  # the bar keeps off parallel edges
    count = max(2, int(segment_length / (6 * zoom)))
    fractions = np.linspace(0.02, 0.98, count)[:, None]
    for gap in np.arange(14.0, 330.0, 4.0) * zoom:
        for side in (outer, -outer):
            shift = side * gap * normal
            bar = a + shift + fractions * (b - a)
            centre = (a + b) / 2 + shift + side * normal * to_text
            if not space.clear(bar, (apart, apart), 0).all():
                continue
            if not space.clear(centre[None], lettering.size)[0]:
                continue
            line = placed_at(label, lettering, centre, em, "dimension")
            cap = 6 * zoom * normal
            line.strokes = _bar_and_caps(a + shift, b + shift, cap)
            return line
    return None


def _bar_and_caps(a: Array, b: Array, cap: Array) -> list[Stroke]:
    """|<->| from A to B; `cap` is the way from an end to the end of its cap."""
    return [
        Stroke(np.stack([a, b]), width=0.8, arrows=(True, True)),
        Stroke(np.stack([a - cap, a + cap]), width=0.8),
        Stroke(np.stack([b - cap, b + cap]), width=0.8),
    ]


def leader(
    label: Label, lettering: Lettering, space: FreeSpace, scene: Scene, em: float
) -> Placed | None:
    """A label outside with a thin arrow to what it names: for narrow angles and crowded points."""
    zoom = scene.zoom
    if label.kind == "angle":
        _, vertex, _ = label.anchor
        first, opening = wedge_of(*label.anchor)
        bisector = first + opening / 2
        ahead = np.array([np.cos(bisector), np.sin(bisector)])
        tip = vertex + 26 * zoom * ahead
    elif label.kind in ("point", "area", "segment"):
        tip = label.anchor.mean(0)
    else:
        return None
    half = np.array(lettering.size) / 2
    directions = unit_vectors(np.pi / 12 * np.arange(24))
    for distance in np.arange(40.0, 130.0, 6.0) * zoom:
        from_tip = distance + np.abs(directions) @ half
        centres = tip + directions * from_tip[:, None]
        clear = np.flatnonzero(space.clear(centres, lettering.size))
        for k in clear:
            start = tip + directions[k] * (distance - 4 * zoom)
            way = steps(start, tip)
            if space.hits(way, (3, 3), 1).any():
                continue
            led = placed_at(label, lettering, centres[k], em, "leader")
            arrow = Stroke(np.stack([start, tip]), width=0.7, arrows=(False, True))
            led.strokes = [arrow]
            return led
    return None
