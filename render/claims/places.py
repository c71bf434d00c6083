"""Values of a text held to the labels of a figure by place: at the thing, or elsewhere.

Nothing here asks how large a thing is drawn: figures that are not to scale are held to this alone.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from ..diagram import Claim, Composition, label_values

NEAR = 1e-6  # of a length: things of one size
UNITS_ALIKE = {"degrees": "°"}


def labelled_otherwise(
    claims: Sequence[Claim], composition: Composition
) -> Iterator[tuple[Claim, str]]:
    """Values whose thing has a label, and none that says so: the claim, what is printed there."""
    labels = list(label_values(composition))
    for claim in claims:
        there = [label for label in labels if claim.is_of_same(label)]
        if there and not any(_agree(claim, label) for label in there):
            yield claim, f"{there[0].number:g}{there[0].unit}"


def labelled_elsewhere(
    claims: Sequence[Claim], composition: Composition
) -> Iterator[tuple[Claim, str]]:
    """Values that are printed, but not at their thing nor at one as large: the claim, and where.

    A label that other words account for is no label of this one.
    """
    labels = list(label_values(composition))
    accounted = {
        label.quote
        for label in labels
        for claim in claims
        if claim.is_of_same(label) and _agree(claim, label)
    }
    for claim in claims:
        alike = [
            label
            for label in labels
            if label.kind == claim.kind
            and abs(label.measured - claim.measured) <= NEAR * claim.measured
            and _agree(claim, label)
        ]
        is_labelled = any(claim.is_of_same(label) for label in labels)
        bare = re.compile(rf"\$?{claim.number:g}(?!\d)[^A-Z=]*")
        printed = [
            label
            for label in composition.labels
            if bare.fullmatch(label.text) and label.where not in accounted
        ]
        if claim.places and printed and not alike and not is_labelled:
            yield claim, printed[0].named or printed[0].where


def _agree(claim: Claim, label: Claim) -> bool:
    """Whether words and a label give one value: the number, and the unit where both have one."""
    units = [UNITS_ALIKE.get(unit, unit) for unit in (claim.unit, label.unit)]
    is_one_unit = "" in units or units[0] == units[1]
    off = NEAR * abs(claim.number) + label.off
    return is_one_unit and abs(claim.number - label.number) <= off
