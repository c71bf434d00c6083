"""Whether anything notices a wrong number in a figure: each is changed, something must object."""

from __future__ import annotations

import copy
import re
from collections.abc import Callable, Iterator
from typing import Any

import numpy as np

from ..errors import BenchwrightError
from ..render.diagram import Composition

SECTIONS = ("points", "construct", "solve", "solids", "chart", "draw")
IN_CURVE = re.compile(r"(?<=\()-?\d+\.\d+(?=\))")  # a number of a curve: (x-(3.0))^2
LOOKS = ("extend", "dash", "bold")  # options that say how long or thick, not where
PLACES = 80  # places of a drawing that are compared


def unnoticed(
    spec: dict[str, Any],
    compose: Callable[[dict[str, Any]], Composition],
    check: Callable[[dict[str, Any], Composition], None],
) -> Iterator[tuple[str | int, ...]]:
    """Where a number of a spec may be another: what is drawn changes, and `check` accepts it.

    `compose` and `check` raise ValueError or UserError for what they notice.
    """
    drawn = _distances(compose(spec))
    numbers = list(_numbers({key: spec[key] for key in SECTIONS if key in spec}))
    largest: dict[Any, float] = {}  # of the numbers of a section
    for (section, *_), value in numbers:
        largest[section] = max(abs(value), largest.get(section, 0.0))
    for keys, value in numbers:
        step = 0.1 * largest[keys[0]]
        others = (_with(spec, keys, value + change) for change in (step, -step))
        if any(_is_accepted(other, drawn, compose, check) for other in others):
            yield keys


def _is_accepted(spec: dict[str, Any], drawn: Any, compose: Any, check: Any) -> bool:
    """Whether a changed spec is drawn in another way than before, and nothing objects."""
    try:
        composition = compose(spec)
        now = _distances(composition)
        if now.shape == drawn.shape and np.allclose(now, drawn, atol=1e-6):
            return False
        check(spec, composition)
    except (ValueError, ArithmeticError, BenchwrightError):
        return False
    return True


def _distances(composition: Composition) -> Any:
    """Distances between all that is drawn, of the largest: the same for similar figures."""
    places = [np.asarray(label.anchor, float)[0] for label in composition.labels]
    for _, strokes in composition.drawn:
        for stroke in strokes:
            path = getattr(stroke, "path", None)
            if path is not None:
                places += list(path[:: max(1, len(path) // 6)])
    at = np.array(places[:PLACES], float)
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
        elif isinstance(value, str):
            for match in IN_CURVE.finditer(value):
                yield (*keys, key, match.span()), float(match[0])
        elif _is_number(value) and key not in LOOKS:
            yield (*keys, key), float(value)


def _is_number(value: Any) -> bool:
    return isinstance(value, int | float) and not isinstance(value, bool)


def _with(spec: dict[str, Any], keys: tuple[Any, ...], value: float) -> dict[str, Any]:
    """The spec with another value at one place, which may be a part of a text."""
    changed = copy.deepcopy(spec)
    *way, last = keys
    span = None
    if isinstance(last, tuple):
        span = last
        last = way.pop()
    holder: Any = changed
    for key in way:
        holder = holder[key]
    if span is None:
        holder[last] = value
    else:
        start, end = span
        text = holder[last]
        holder[last] = f"{text[:start]}{value:.12f}{text[end:]}"
    return changed
