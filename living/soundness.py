"""What one variant shows of all: what is asked is what is answered, and every number is noticed."""

from __future__ import annotations

import math
import re
from collections.abc import Iterator
from typing import Any

import msgspec

from ..render.claims import (
    asks,
    names_of,
    read,
    run,
    sentences,
)
from ..render.diagram import Composition
from .agreement import check_agreement
from .asking import (
    asks_another,
    asks_otherwise,
    kind_of,
    length_power,
    mixed_units,
    names_with_units,
    scales_of,
    unit_asked,
)
from .exact import WHOLE, number
from .figures import by_figure, composed, filled
from .guarding import Refused, filled_text, refused
from .noticed import unnoticed
from .reading import Seed, Values
from .texts import Filled


def check_soundness(seed: Seed, values: Values) -> None:
    """What one variant shows of all: the question asks for what is answered, in units that go
    together, and no number of the figure could be wrong unseen. Raises Refused."""
    question = filled_text(seed, values, "question")
    for alone, text in _by_part(seed, question.text):
        _asks_for_answer(alone, values, text)
    if seed.data.get("figure"):
        _all_noticed(seed, values, question)


def _settled_by_text(seed: Seed, values: Values) -> set[str]:
    """The points that the question names, where readers decide every clause of it and the figure
    measures the answer: of these all that is said holds, so what nothing notices is free."""
    if "measured" not in seed.data["answer"]:
        return set()
    text = seed.template(seed.data["question"]).fill(values, plain=True).text
    composition = composed(seed, filled(seed, values))
    reading = read(text, composition)
    if not composition.is_to_scale or reading.unread():
        return set()
    return {
        name
        for names in re.findall(run("2,"), reading.text)
        for name in names_of(names)
    }


def _by_part(seed: Seed, question: str) -> Iterator[tuple[Seed, str]]:
    """The seed with each of its answers alone, and the text that asks for it."""
    parts = seed.data.get("parts", [])
    asking = [sentence for sentence in sentences(question) if asks(sentence)]
    if len(asking) != 1 + len(parts):
        yield seed, question
        return
    given = [sentence for sentence in sentences(question) if sentence not in asking]
    for data, sentence in zip([seed.data["answer"], *parts], asking, strict=True):
        alone = msgspec.structs.replace(seed, data=seed.data | {"answer": data})
        yield alone, " ".join([*given, sentence])


def _asks_for_answer(seed: Seed, values: Values, question: str) -> None:
    """The question asks for what is answered, in units that go together. Raises Refused."""
    data = seed.data
    answer_data = seed.data["answer"]
    problem = ""
    if "measured" in answer_data:
        problem = asks_another(question, answer_data["measured"])
    if not problem:
        problem = asks_otherwise(question, *_as_length(seed, values))
    if not problem:
        problem = _wrong_unit(seed, values, question)
    if not problem:
        units = [
            answer_data.get("unit", ""),
            (data.get("options") or {}).get("unit", ""),
        ]
        labels = (data.get("figure") or {}).get("labels") or []
        printed = [seed.template(label.get("text", "")) for label in labels]
        texts = [question, *(f"0 {unit}" for unit in units)]
        texts += [template.fill(values).text for template in printed]
        formulas = f"{answer_data} {data.get('derive')} {data.get('vary')}"
        problem = mixed_units(texts, formulas)
    if problem:
        raise refused(seed, values, problem, "question")


def _wrong_unit(seed: Seed, values: Values, question: str) -> str:
    """Why a unit is none of what is answered: by how it grows, and by what is asked."""
    given = str(seed.data["answer"].get("unit") or "")
    _, growth = _as_length(seed, values)
    kind = kind_of(question)
    for unit, said in (
        (given, "the answer's unit is"),
        (unit_asked(question), "it asks for an answer in"),
    ):
        power = length_power(unit) if unit else None
        if power is None:
            continue
        if growth and abs(growth - 2**power) > 1e-6:
            return (
                f"{said} {unit}, and in a figure of twice the size the answer is "
                f"{growth:.4g} times as large"
            )
        if kind and kind.power is not None and kind.power != power:
            return f"it asks for {kind.word!r}, {said} {unit}"
    return ""


def _all_noticed(seed: Seed, values: Values, question: Filled) -> None:
    """No number of the figure could be wrong unseen, but those said to be free. Raises Refused."""
    answer_data = seed.data["answer"]
    answer = seed.evaluate(answer_data["exact"], values)
    free = {str(name) for name in seed.data.get("free", [])}
    free |= _settled_by_text(seed, values)

    def check(spec: dict[str, Any], composition: Composition) -> None:
        if "measured" in answer_data:
            measured = by_figure(seed, values, composition)
            if abs(measured - number(answer)) > WHOLE:
                raise ValueError("another answer")
        check_agreement(seed, values, answer, question, spec, composition)

    places = []
    for keys in unnoticed(
        filled(seed, values), lambda spec: composed(seed, spec), check
    ):
        if not free & {str(key) for key in keys}:
            # Without where in a text the number stands.
            places.append(tuple(key for key in keys if not isinstance(key, tuple)))
    if places:
        names = {
            str(keys[1 if keys[0] in ("points", "construct") else 0]) for keys in places
        }
        first = places[0]
        what = (
            f"{'.'.join(map(str, first))} may be another number, and nothing notices it"
        )
        remedy = f"give a label or a check:, or say free: [{', '.join(sorted(names))}]"
        raise Refused(f"{seed.file.at('figure', *first)}: {what}", remedy)


def _as_length(seed: Seed, values: Values) -> tuple[float, float | None]:
    """The answer, and how many times it is larger in a figure of twice the size; None where it
    cannot be told which names are lengths.

    Names are lengths that stand before a unit of length; in a figure all names are but those
    that stand for angles, where its points then lie twice as far apart.
    """
    answer = number(seed.evaluate(seed.data["answer"]["exact"], values))
    numbers = {name for name in seed.data["vary"] if name in seed.numbers}
    texts = [str(seed.data["question"])]
    labels = (seed.data.get("figure") or {}).get("labels") or []
    texts += [str(label.get("text", "")) for label in labels]
    lengths, others = names_with_units(" ; ".join(texts), numbers)
    question = filled_text(seed, values, "question").text
    if any(scales_of(question)):
        return answer, None  # drawn lengths and real ones
    has_points = bool((seed.data.get("figure") or {}).get("points"))
    if not has_points and lengths | others != numbers:
        return answer, None
    names = numbers - others if has_points else lengths
    try:
        double = {name: values[name] for name in values if name in seed.numbers}
        for name in names & double.keys():
            double[name] = 2 * double[name]
        for name in seed.data.get("derive", {}):
            double[name] = seed.evaluate(seed.data["derive"][name], double)
        large = number(seed.evaluate(seed.data["answer"]["exact"], double))
        is_twice = not has_points or _is_twice(seed, values, double)
    except (ValueError, TypeError):
        return answer, None
    return answer, large / answer if names and is_twice and answer else None


def _is_twice(seed: Seed, values: Values, double: Values) -> bool:
    """Whether with other values every point lies twice as far from the origin."""
    points, large_points = (
        composed(seed, filled(seed, at)).figure.points for at in (values, double)
    )
    return bool(points) and all(
        math.dist(2 * place, large_points[name]) < WHOLE
        for name, place in points.items()
    )
