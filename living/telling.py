"""Each value that a text tells stands in the figure or the other route, and the other way round."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any

from ..render.diagram import Claim
from .exact import WHOLE, number
from .guarding import refused, stands, uses
from .reading import Seed, Values
from .texts import Filled, ToldValue, told_numbers


def check_told(
    seed: Seed,
    values: Values,
    question: Filled,
    spec: dict[str, Any],
    claims: list[Claim],
) -> None:
    """Each value that the text tells stands in the figure or in the other route, too, and each
    essential value of the figure is told."""
    labels = (seed.data.get("figure") or {}).get("labels") or []
    templates = [seed.template(label.get("text", "")) for label in labels]
    printed = [template.fill(values).told for template in templates]
    route = [seed.data["answer"].get(key) for key in ("solved", "counted")]
    if spec or any(route):
        names = {
            name
            for part in route
            if part
            for name in seed.numbers
            if uses(str(part), name)
        }
        grounds = [abs(value) for value in _leaves(spec)]
        grounds += [abs(claim.number) for claim in claims]
        grounds += [abs(number(values[name])) for name in names]
        grounds += [abs(value) for told in printed for _, value, _ in told]
        _grounded(seed, values, question, grounds, "".join(str(route).split()))
    _labels_told(seed, values, question, labels, printed)
    _names_told(seed, values, question)


def _grounded(
    seed: Seed, values: Values, question: Filled, grounds: list[float], route: str
) -> None:
    """Each value that the text tells is one of the figure's, or stands in the other route."""
    for _, value, text in question.told:
        if stands(r"[\w.]", "".join(text.split()), route):
            continue  # the route has it as it is told: (n+1)
        if not any(abs(abs(value) - g) <= WHOLE * max(1.0, g) for g in grounds):
            what = f"the text tells {{{text}}} = {value:.6g}, which neither figure nor route has"
            raise refused(seed, values, what, "question")


def _labels_told(
    seed: Seed,
    values: Values,
    question: Filled,
    labels: list[dict[str, Any]],
    printed: list[list[ToldValue]],
) -> None:
    """Each essential value that a label prints is told by the text, where it tells any."""
    if not question.told:
        return
    told = [value for _, value, _ in question.told] + told_numbers(question.text)
    for place, label in enumerate(labels):
        if "EC" not in str(label.get("tag", "EC")):
            continue
        for _, value, text in printed[place]:
            if text.strip() and not any(
                abs(abs(value) - abs(v)) <= WHOLE for v in told
            ):
                what = f"the label {{{text}}} = {value:.6g} is told by no text (else tag it DI)"
                raise refused(seed, values, what, "figure", "labels", place)


def _names_told(seed: Seed, values: Values, question: Filled) -> None:
    """The text tells all names that the formula needs, or the figure does."""
    formula = str(seed.data["answer"]["exact"])
    telling = " ".join(text for _, _, text in question.told)
    telling = telling or str(seed.data.get("figure", ""))
    derived = {
        name: str(expression)
        for name, expression in seed.data.get("derive", {}).items()
    }
    for name in seed.data["vary"]:
        if name not in seed.numbers or not uses(formula, name) or uses(telling, name):
            continue
        # A derived name tells it that is not needed itself.
        is_derived = any(
            uses(telling, other) and not uses(formula, other) and uses(text, name)
            for other, text in derived.items()
        )
        if not is_derived:
            what = (
                f"the answer needs {name}, which is nowhere told where the others are"
            )
            raise refused(seed, values, what, "question")


def _leaves(spec: Any) -> Iterator[float]:
    """All numbers of a filled spec, those inside texts, too."""
    if isinstance(spec, dict):
        for key, part in spec.items():
            yield from _leaves(part)
            yield from told_numbers(str(key))
    elif isinstance(spec, list):
        for part in spec:
            yield from _leaves(part)
    elif isinstance(spec, int | float):
        yield float(spec)
    elif isinstance(spec, str):
        yield from told_numbers(spec)
        for top, bottom in re.findall(r"\\frac\{(\d+)\}\{(\d+)\}", spec):
            yield int(top) / int(bottom)
