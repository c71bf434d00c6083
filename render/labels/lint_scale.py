"""Is the figure to scale? A label that says 6 on the shorter of two segments misleads."""

from __future__ import annotations

import re

from ..figure import relations
from ..issues import Issue
from .labels import Label

NUMBER = re.compile(r"\$?([0-9]+(?:\.[0-9]+)?)\$?\s*(°|\D*)")
DEGREES = 10.0  # an angle drawn so far from its label is seen
LONGER = 1.08  # a segment drawn so much longer than one with a greater label is seen


def out_of_scale(labels: list[Label]) -> list[Issue]:
    """Issues `not-to-scale` for numbers that the drawn figure contradicts to the eye.

    Labels hold true coordinates. Lengths are compared in pairs of the same unit, by order only.
    """
    issues, lengths = [], []
    for label in labels:
        match = NUMBER.fullmatch(label.text)
        if match is None or len(label.anchor) < 2:
            continue
        value, unit = float(match[1]), match[2].strip()
        if label.kind == "angle" and unit == "°":
            drawn = relations.angle(list(label.anchor))
            if abs(drawn - value) > DEGREES and abs(360 - drawn - value) > DEGREES:
                message = (
                    f"the angle labelled {label.text!r} is drawn with {drawn:.0f}°"
                )
                issues.append(Issue("not-to-scale", message, label.where))
        elif label.kind == "segment":
            lengths.append((value, unit, relations.length((*label.anchor,)), label))
    for low, unit, drawn, label in lengths:
        for high, other_unit, other_drawn, other in lengths:
            if low < high and unit == other_unit and drawn > LONGER * other_drawn:
                message = f"{label.text!r} is drawn longer than {other.text!r}"
                issues.append(Issue("not-to-scale", message, label.where))
    return issues
