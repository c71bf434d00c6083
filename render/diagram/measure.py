"""What a figure measures: the answer of a problem, taken from the spec that draws it."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from ...errors import UserError
from ..figure import MEASURES, call, curve, items, read_spec
from .compose import Composition, compose

OF_DRAWN = ("root", "height", "count")
BISECTIONS = 80  # more than a float has bits


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
    if op in OF_DRAWN:
        try:
            return _of_drawn(composition, op, value)
        except (ValueError, TypeError, IndexError, KeyError) as error:
            raise UserError(
                f"{op}: {value!r}: {error}", "write {root: [1, [0, 4]]}"
            ) from error
    (item,) = items({"measure": [what]}, "measure", MEASURES, "DI")
    return float(call(MEASURES[item.op], item, composition.figure.convert))


def _of_drawn(composition: Composition, op: str, value: Any) -> float:
    drawn = [item for item, _ in composition.drawn]
    if op == "count":
        return float(sum(item.op == value for item in drawn))
    curves = [item.value for item in drawn if item.op in ("curve", "graph")]
    f = curve(curves[int(value[0]) - 1])
    argument = value[1]
    if op == "height":
        return float(f(float(argument)))
    low, high = (float(end) for end in argument)
    return _root(f, low, high)


def _root(f: Callable[[float], float], low: float, high: float) -> float:
    """Where f is 0 between two places at which it has different signs."""
    if not f(low) * f(high) <= 0:
        raise ValueError("the curve does not cross the axis once there")
    for _ in range(BISECTIONS):
        middle = (low + high) / 2
        if f(low) * f(middle) <= 0:
            high = middle
        else:
            low = middle
    return (low + high) / 2
