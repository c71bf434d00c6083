"""Whether anything notices a wrong number in a figure: each is changed, something must object."""

from __future__ import annotations

import copy
import re
from collections.abc import Callable, Iterator
from typing import Any

import numpy as np

from ..errors import BenchwrightError
from ..render.diagram import Composition

MADE = ("points", "construct", "solve", "solids", "chart", "draw")
LOOKS = ("extend", "dash", "bold")  # options that say how long or thick, not where
SEEN = 80  # places of a drawing that are compared


def unnoticed(
    spec: dict[str, Any],
    compose: Callable[[dict[str, Any]], Composition],
    check: Callable[[dict[str, Any], Composition], None],
) -> Iterator[tuple[str | int, ...]]:
    """Where a number of a spec may be another: what is drawn changes, and `check` accepts it.

    `compose` and `check` raise ValueError or UserError for what they notice.
    """
    seen = _seen(compose(spec))
    numbers = list(_numbers({key: spec[key] for key in MADE if key in spec}))
    size = {
        section: max((abs(v) for keys, v in numbers if keys[0] == section), default=1.0)
        for section in MADE
    }
    for keys, value in numbers:
        by = 0.1 * size[keys[0]]
        if any(
            _accepted(_with(spec, keys, value + d), seen, compose, check)
            for d in (by, -by)
        ):
            yield keys


def _accepted(spec: dict[str, Any], seen: Any, compose: Any, check: Any) -> bool:
    try:
        composition = compose(spec)
        now = _seen(composition)
        if now.shape == seen.shape and np.allclose(now, seen, atol=1e-6):
            return False  # drawn as before
        check(spec, composition)
    except (ValueError, ArithmeticError, BenchwrightError):
        return False
    return True


def _seen(composition: Composition) -> Any:
    """Distances between all that is drawn, of the largest: the same for similar figures."""
    places = [np.asarray(label.anchor, float)[0] for label in composition.labels]
    for _, strokes in composition.drawn:
        for stroke in strokes:
            path = getattr(stroke, "path", None)
            places += list(path[:: max(1, len(path) // 6)]) if path is not None else []
    at = np.array(places[:SEEN], float)
    if not len(at):
        return np.ones((1, 1))
    apart = np.linalg.norm(at[:, None] - at[None], axis=2)
    return apart / max(float(apart.max()), 1e-9)


def _numbers(
    part: Any, keys: tuple[Any, ...] = ()
) -> Iterator[tuple[tuple[Any, ...], float]]:
    entries = part.items() if isinstance(part, dict) else enumerate(part)
    for key, value in entries:
        if isinstance(value, dict | list):
            yield from _numbers(value, (*keys, key))
        elif (
            isinstance(value, int | float)
            and not isinstance(value, bool)
            and key not in LOOKS
        ):
            yield (*keys, key), float(value)
        elif isinstance(value, str):  # a curve: (x-(3.0))^2
            for match in re.finditer(r"(?<=\()-?\d+\.\d+(?=\))", value):
                yield (*keys, key, match.span()), float(match[0])


def _with(spec: dict[str, Any], keys: tuple[Any, ...], value: float) -> dict[str, Any]:
    changed = copy.deepcopy(spec)
    holder: Any = changed
    *way, last = keys
    inside = way.pop() if isinstance(last, tuple) else None
    for key in way:
        holder = holder[key]
    if inside is not None:
        holder[inside] = (
            f"{holder[inside][: last[0]]}{value:.12f}{holder[inside][last[1] :]}"
        )
    else:
        holder[last] = value
    return changed
