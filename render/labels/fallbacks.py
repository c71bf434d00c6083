"""When no candidate is clear: a dimension line, a leader, or the least bad candidate."""

from __future__ import annotations

import numpy as np

from ..figure import Stroke
from .candidates import across, candidates, wedge_of
from .free_space import EDGE, PAD, FreeSpace, Placed, placed_at, steps
from .labels import Label
from .lettering import Lettering
from .stroke_distance import Scene


def least_bad(
    label: Label, lettering: Lettering, space: FreeSpace, scene: Scene, em: float
) -> Placed:
    """Among all candidates the one that covers least; the caller reports it."""
    centres, costs = candidates(label, lettering.size, scene)
    if not len(centres):
        centres, costs = label.anchor.mean(0)[None], np.zeros(1)
    half = np.array(lettering.size) / 2 + EDGE + 1
    limits = np.array([space.width, space.height])
    centres = np.clip(centres, half, np.maximum(limits - half, half))
    bad = space.ink(centres, lettering.size, PAD) + 1000 * space.hits(
        centres, lettering.size, PAD
    )
    return placed_at(
        label, lettering, centres[int(np.argmin(bad + costs))], em, "crossing"
    )


def dimension_line(
    label: Label, lettering: Lettering, space: FreeSpace, scene: Scene, em: float
) -> Placed | None:
    """|<->| beside a segment, as far out as it is clear, with the label on its far side."""
    a, b = label.anchor
    length = float(np.linalg.norm(b - a))
    ahead, normal, outer = across(a, b, scene)
    reach = float(np.abs(normal) @ (np.array(lettering.size) / 2))
    zoom = scene.zoom
    fits = float(np.abs(ahead) @ np.array(lettering.size)) + 16 * zoom < length
    beyond = (5 if fits else 10) * zoom  # a wide text keeps off the caps at the ends
    apart = round(17 * zoom)  # the bar keeps off parallel edges
    for gap in np.arange(14.0, 330.0, 4.0) * zoom:
        for side in (outer, -outer):
            shift = side * gap * normal
            count = max(2, int(length / (6 * zoom)))
            bar = a + shift + np.linspace(0.02, 0.98, count)[:, None] * (b - a)
            centre = (a + b) / 2 + shift + side * normal * (reach + beyond)
            if not space.clear(bar, (apart, apart), 0).all():
                continue
            if not space.clear(centre[None], lettering.size)[0]:
                continue
            done = placed_at(label, lettering, centre, em, "dimension")
            cap = 6 * zoom * normal
            done.strokes = [
                Stroke(np.stack([a, b]) + shift, width=0.8, arrows=(True, True))
            ]
            done.strokes += [
                Stroke(np.stack([p + shift - cap, p + shift + cap]), width=0.8)
                for p in (a, b)
            ]
            return done
    return None


def leader(
    label: Label, lettering: Lettering, space: FreeSpace, scene: Scene, em: float
) -> Placed | None:
    """A label outside with a thin arrow to what it names: for narrow angles and crowded points."""
    zoom = scene.zoom
    if label.kind == "angle":
        first, opening = wedge_of(*label.anchor)
        middle = first + opening / 2
        tip = label.anchor[1] + 26 * zoom * np.array([np.cos(middle), np.sin(middle)])
    elif label.kind in ("point", "area", "segment"):
        tip = label.anchor.mean(0)
    else:
        return None
    half = np.array(lettering.size) / 2
    for distance in np.arange(40.0, 130.0, 6.0) * zoom:
        t = np.pi / 12 * np.arange(24)
        direction = np.stack([np.cos(t), np.sin(t)], 1)
        centres = tip + direction * (distance + np.abs(direction) @ half)[:, None]
        clear = space.clear(centres, lettering.size)
        for k in np.flatnonzero(clear):
            start = tip + direction[k] * (distance - 4 * zoom)
            if space.hits(steps(start, tip), (3, 3), 1).any():
                continue
            done = placed_at(label, lettering, centres[k], em, "leader")
            done.strokes = [
                Stroke(np.stack([start, tip]), width=0.7, arrows=(False, True))
            ]
            return done
    return None
