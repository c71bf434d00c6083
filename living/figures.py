"""The figure of a variant: the seed's spec with values, composed once, measured and held to its
labels."""

from __future__ import annotations

import math
import re
from collections.abc import Iterable, Iterator
from itertools import pairwise
from typing import Any

from ..errors import UserError
from ..render.claims import labelled_elsewhere, labelled_otherwise
from ..render.diagram import (
    Claim,
    Composition,
    compose,
    label_values,
    measured,
    mismatch,
    misnamed,
)
from ..render.figure import angle, read_spec
from .exact import number
from .reading import Seed, Values

TEXTS = ("text", "title", "note", "names")  # keys whose strings are texts with {...}
LEAST_ANGLE, LEAST_LENGTH = 8.0, 0.04  # degrees; of the figure's largest extent


def filled(seed: Seed, values: Values) -> dict[str, Any]:
    """The spec with values: names stand for numbers everywhere, in texts as {...}.

    Raises ValueError where a value cannot be worked out.
    """
    longest_first = sorted([*seed.numbers, *seed.words], key=len, reverse=True)
    names = "|".join(map(re.escape, longest_first))
    word = re.compile(rf"(?<![A-Za-z_])(?:{names})(?![A-Za-z0-9_'])")

    def put(value: Any, key: str = "") -> Any:
        if isinstance(value, dict):
            return {k: put(v, str(k)) for k, v in value.items()}
        if isinstance(value, list):
            return [put(part, key) for part in value]
        if not isinstance(value, str):
            return value
        if key in TEXTS:
            return seed.template(value).fill(values, seed.decimals).text
        if not word.search(value):
            return value
        try:
            return number(seed.evaluate(value, values))
        except ValueError as error:
            if "cannot read" not in str(error) and "unexpected" not in str(error):
                raise
        return word.sub(lambda m: _plain(values[m[0]]), value)

    spec: dict[str, Any] = put(seed.data.get("figure", {}))
    said = [put(relation) for _, relation in relations_said(seed)]
    return spec | {"check": [*(spec.get("check") or []), *said]} if said else spec


def relations_said(seed: Seed) -> Iterator[tuple[str, dict[str, Any]]]:
    """What the author says that words mean: `check: {the chord touches it: {tangent: [...]}}`."""
    for words, relations in (seed.data.get("check") or {}).items():
        for relation in relations if isinstance(relations, list) else [relations]:
            yield str(words), relation


def _plain(value: Any) -> str:
    return str(value) if isinstance(value, str) else f"({number(value):.12f})"


class Broken(ValueError):
    """A check or a mark of the figure that does not hold, though the figure can be made."""


def composed(seed: Seed, spec: dict[str, Any]) -> Composition:
    """The checked figure. Raises ValueError for one that folds over or cannot be made."""
    try:
        return compose(read_spec(spec))
    except UserError as error:
        claims = ("check", "marks")
        without = {key: part for key, part in spec.items() if key not in claims}
        try:
            compose(read_spec(without))
        except UserError:
            raise ValueError(f"the figure: {error.message}") from error
        raise Broken(f"the figure: {error.message}") from error


def degenerate(composition: Composition, margin: float = 1.0) -> str:
    """Why nobody could read the figure: an angle or a segment is too small; "" where none is."""
    if composition.axes is not None or composition.figure.dimension == 3:
        return ""
    places = list(composition.figure.points.values())
    extent = max((math.dist(p, q) for p in places for q in places), default=0.0)
    shortest = margin * LEAST_LENGTH * extent
    for item, strokes in composition.drawn:
        if item.op not in ("polygon", "segment", "path"):
            continue
        for stroke in strokes:
            corners = list(getattr(stroke, "path", []))
            if getattr(stroke, "closed", False):
                corners += corners[:2]
            for p, q in pairwise(corners):
                if math.dist(p, q) < shortest:
                    return f"{item.op} {item.value} has a side too short to be seen"
            for p, q, r in zip(corners, corners[1:], corners[2:], strict=False):
                turn = angle([p, q, r])
                if min(turn, 180 - turn) < margin * LEAST_ANGLE:
                    return f"{item.op} {item.value} has an angle of {turn:.1f} degrees"
    return ""


def mistold(
    seed: Seed, composition: Composition, claims: Iterable[Claim]
) -> tuple[str, bool]:
    """The first number, name or equation of a label, or number of a text, that the figure
    contradicts, and whether a label says it; lengths have one scale."""
    for where, what in misnamed(composition):
        return f"{where}: {what}", True
    if not composition.is_to_scale:
        claims = list(claims)
        for claim, printed in labelled_otherwise(claims, composition):
            return f"{claim.quote!r}: the label there is {printed}", False
        for claim, where in labelled_elsewhere(claims, composition):
            return f"{claim.quote!r} is printed at another thing: {where}", False
        return "", False
    labels = list(label_values(composition))
    problem = mismatch([*labels, *claims], to_scale="measured" in seed.data["answer"])
    return problem, any(problem.startswith(claim.quote) for claim in labels)


def by_figure(seed: Seed, values: Values, composition: Composition) -> float:
    """The answer as the composed figure measures it. Raises ValueError."""
    what = seed.data["answer"]["measured"]
    if not isinstance(what, dict) or not what:
        raise ValueError("measured is no item: write {length: BD}")
    name = re.compile(rf"(?<![A-Za-z_])(?:{'|'.join(seed.numbers)})(?![A-Za-z0-9_'])")

    def put(part: Any) -> Any:
        """A part of the item with values for names."""
        if isinstance(part, list):
            return [put(inner) for inner in part]
        if isinstance(part, str) and seed.numbers and name.search(part):
            return number(seed.evaluate(part, values))
        return part

    try:
        return measured(composition, {key: put(part) for key, part in what.items()})
    except UserError as error:
        raise ValueError(error.message) from error
