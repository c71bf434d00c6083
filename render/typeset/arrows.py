"""Arrows as long as what they belong to: above letters, and between two sides with labels."""

from __future__ import annotations

import numpy as np

from ...latex import ink_of
from .outlines import AXIS, CLOSE, MathBox, Outline, Placed, assembled, rectangle

OVER = {r"\overrightarrow": "→", r"\overleftarrow": "←", r"\overleftrightarrow": "↔"}
BETWEEN = {r"\xrightarrow": "→", r"\xleftarrow": "←", r"\xleftrightarrow": "↔", r"\xlongequal": "="}
_LINE, _HEAD, _WING = 0.055, 0.26, 0.13  # em: thickness, length and half width of a head
_LABEL, _GAP = 0.7, 0.12


def over_arrow(base: MathBox, sign: str) -> MathBox:
    """A base with an arrow over its whole width."""
    width = max(base.width, 0.5)
    height = max(base.ascent, 0.5) + _GAP + _WING
    strokes = _strokes(0.0, width, height, sign)
    return assembled([Placed(base, (width - base.width) / 2)], width, strokes, ink_of(sign))


def between(above: MathBox, below: MathBox, sign: str) -> MathBox:
    """An arrow or a long equals sign at the height of minus signs, labels over and under it."""
    width = max(above.width * _LABEL, below.width * _LABEL, 0.9) + 0.5
    parts = [
        Placed(label, (width - label.width * _LABEL) / 2, y, _LABEL)
        for label, y in (
            (above, AXIS + _WING + _GAP + above.descent * _LABEL),
            (below, AXIS - _WING - _GAP - below.ascent * _LABEL),
        )
    ]
    return assembled(parts, width, _strokes(0.0, width, AXIS, sign), ink_of(sign))


def _strokes(left: float, right: float, y: float, sign: str) -> list[Outline]:
    if sign == "=":
        return [rectangle(left, y + d - _LINE / 2, right - left, _LINE) for d in (0.1, -0.1)]
    inset = 0.7 * _HEAD  # the shaft ends inside its head
    start = left + (inset if sign in "←↔" else 0.0)
    end = right - (inset if sign in "→↔" else 0.0)
    strokes = [rectangle(start, y - _LINE / 2, end - start, _LINE)]
    strokes += [_head(left, y, 1)] if sign in "←↔" else []
    return strokes + ([_head(right, y, -1)] if sign in "→↔" else [])


def _head(tip: float, y: float, way: int) -> Outline:
    """A head with its tip at (tip, y), its wings `way` (1 right, -1 left) of it."""
    back, notch = tip + way * _HEAD, tip + way * 0.6 * _HEAD
    corners = [(tip, y), (back, y + _WING), (notch, y), (back, y - _WING), (tip, y)]
    return np.array(corners), np.array([1, 2, 2, 2, CLOSE], np.uint8)
