"""What a figure measures: the answer of a problem, taken from the spec that draws it."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from ...errors import UserError
from ..figure import MEASURES, call, items, read_spec
from .compose import compose


def measure(spec: Mapping[str, Any] | str, what: Mapping[str, Any]) -> float:
    """Measure a length, angle, area, perimeter, ratio or distance in the figure of a spec.

    >>> right = "points: {A: [0, 0], B: [4, 0], C: [0, 3]}"
    >>> measure(right, {"length": "BC"})
    5.0

    Raises UserError for a spec that `draw` refuses, and for what cannot be measured in it.
    """
    if len(what) != 1:
        raise UserError(f"measure is one item, not {dict(what)!r}", "write {'length': 'AB'}")
    figure = compose(read_spec(spec)).figure
    (item,) = items({"measure": [what]}, "measure", MEASURES, "DI")
    return float(call(MEASURES[item.op], item, figure.convert))
