"""Is the figure to scale? A label that says 6 on the shorter of two segments misleads."""

from __future__ import annotations

import re

from ..figure import relations
from ..issues import Issue
from .labels import Label

# A number alone or with its unit, which has no digit: 6, $6$, 6 cm, 50°; not 2x5.
NUMBER = re.compile(r"\$?([0-9]+(?:\.[0-9]+)?)\$?\s*(°|\D*)")
DEGREES = 10.0  # an angle drawn so far from its label is seen
LONGER = 1.08  # a segment drawn so much longer than one with a greater label is seen


def out_of_scale(labels: list[Label]) -> list[Issue]:
    """Issues `not-to-scale` for numbers that the drawn figure contradicts to the eye.

    Labels hold true coordinates. Lengths are compared in pairs of the same unit, by order only.
    """
    issues = []
    segments = []  # value, unit, length as drawn, label
    for label in labels:
        match = NUMBER.fullmatch(label.text)
        if match is None or len(label.anchor) < 2:
            continue
        value = float(match[1])
        unit = match[2].strip()
        if label.kind == "angle" and unit == "°":
            drawn = relations.angle(list(label.anchor))
            if abs(drawn - value) > DEGREES and abs(360 - drawn - value) > DEGREES:
                text = f"the angle labelled {label.text!r} is drawn with {drawn:.0f}°"
                issues.append(Issue("not-to-scale", text, label.where))
        elif label.kind == "segment":
            drawn = relations.length((*label.anchor,))
            segments.append((value, unit, drawn, label))
    for value, unit, drawn, label in segments:
        for other_value, other_unit, other_drawn, other in segments:
            comparable = value < other_value and unit == other_unit
            if comparable and drawn > LONGER * other_drawn:
                text = f"{label.text!r} is drawn longer than {other.text!r}"
                issues.append(Issue("not-to-scale", text, label.where))
    return issues
