"""What a figure measures: the answer of a problem, taken from the spec that draws it."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from ...errors import UserError
from ..figure import MEASURES, call, curve, items, read_spec
from .compose import Composition, compose


def measure(spec: Mapping[str, Any] | str, what: Mapping[str, Any]) -> float:
    """Measure a length, angle, area, perimeter, ratio or distance in the figure of a spec.

    >>> right = "points: {A: [0, 0], B: [4, 0], C: [0, 3]}"
    >>> measure(right, {"length": "BC"})
    5.0

    Raises UserError for a spec that `draw` refuses, and for what cannot be measured in it.
    """
    return measured(compose(read_spec(spec)), what)


def measured(composition: Composition, what: Mapping[str, Any]) -> float:
    """What `measure` gives, in a figure that is composed already.

    Of drawn curves, by their number from 1: `{root: [1, [0, 4]]}` is where the first meets the x
    axis, `{height: [1, 2]}` its y at x = 2, `{count: circle}` how many circles are drawn.
    """
    if len(what) != 1:
        raise UserError(
            f"measure is one item, not {dict(what)!r}", "write {'length': 'AB'}"
        )
    ((op, value),) = what.items()
    if op in ("root", "height", "count"):
        try:
            return _drawn(composition, op, value)
        except (ValueError, TypeError, IndexError, KeyError) as error:
            raise UserError(
                f"{op}: {value!r}: {error}", "write {root: [1, [0, 4]]}"
            ) from error
    (item,) = items({"measure": [what]}, "measure", MEASURES, "DI")
    return float(call(MEASURES[item.op], item, composition.figure.convert))


def _drawn(composition: Composition, op: str, value: Any) -> float:
    if op == "count":
        return float(sum(item.op == value for item, _ in composition.drawn))
    curves = [
        item.value for item, _ in composition.drawn if item.op in ("curve", "graph")
    ]
    f = curve(curves[int(value[0]) - 1])
    if op == "height":
        return float(f(float(value[1])))
    low, high = (float(end) for end in value[1])
    if not f(low) * f(high) <= 0:
        raise ValueError("the curve does not cross the axis once there")
    for _ in range(80):
        middle = (low + high) / 2
        low, high = (low, middle) if f(low) * f(middle) <= 0 else (middle, high)
    return (low + high) / 2
