"""What no guard proves of a seed, for people to read."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from ..render.claims import (
    asks,
    has_property,
    measured_question,
    plain,
    read,
    sentences,
)
from .asking import (
    names_measured,
)
from .exact import WHOLE, Exact, number
from .figures import composed, relations_said
from .guarding import derive, filled_text, stands
from .reading import Seed

if TYPE_CHECKING:
    from .variants import Variant


def notes_of(seed: Seed, variant: Variant) -> list[str]:
    """What no guard proves of a seed, for people to read; empty where all is proved."""
    where = seed.file.at("question")
    notes = [
        f"{where}: nothing proves {clause!r}" for clause in _unproved(seed, variant)
    ]
    for span in variant.spans:
        words = variant.question[span.start : span.end]
        states_property = has_property(words)
        if states_property is None or span.role == "EC":
            continue
        role = "IP" if states_property else "DI"
        if span.role != role:
            reading = f"by what it states it would be {role}"
            notes.append(f"{where}: {words!r} is {span.role}, {reading}")
    notes += [f"{seed.file.at(*keys)}: {what}" for keys, what in _beside(seed, variant)]
    return notes


def _unproved(seed: Seed, variant: Variant) -> list[str]:
    """Clauses of the question that no reader has decided, and what is asked where nothing says
    that it is what is answered."""
    text = seed.template(seed.data["question"]).fill(variant.values, plain=True).text
    questions = [sentence for sentence in sentences(text) if asks(sentence)]
    answer = number(seed.evaluate(seed.data["answer"]["exact"], variant.values))
    if not variant.spec:
        return sentences(text)
    composition = composed(seed, variant.spec)
    said = [
        _one_line(plain(seed.template(words).fill(variant.values, plain=True).text))
        for words, _ in relations_said(seed)
    ]
    clauses = [
        clause
        for clause in read(text, composition).unread()
        if not any(clause in words for words in said)
    ]
    asked = measured_question(text, composition)
    is_answer = asked is not None and abs(asked - answer) <= WHOLE * max(
        1.0, abs(answer)
    )
    what = seed.data["answer"].get("measured")
    names_it = isinstance(what, dict) and names_measured(text, what)
    return clauses if is_answer or names_it else [*clauses, *questions]


def _one_line(text: str) -> str:
    return " ".join(text.split())


def _beside(
    seed: Seed, variant: Variant
) -> Iterator[tuple[tuple[str | int, ...], str]]:
    """What stands beside the question and nothing proves: steps, values of the solution, published
    numbers outside their ranges, a wide tolerance."""
    composition = composed(seed, variant.spec) if variant.spec else None
    parts = seed.data.get("parts", [])
    questions = len([s for s in sentences(variant.question) if asks(s)])
    if questions > 1 + len(parts):
        yield (
            ("question",),
            f"it asks {questions} times and has {1 + len(parts)} answers",
        )
    for k, part in enumerate(parts):
        if not part.keys() & {"measured", "solved", "counted"}:
            yield ("parts", k), "nothing proves its answer"
    for k in range(len(seed.data.get("steps", []))):
        question = filled_text(seed, variant.values, "steps", k, "question").text
        if composition is None or measured_question(question, composition) is None:
            yield ("steps", k), f"nothing proves the answer to {question!r}"
    yield from _of_solution(seed, variant)
    for issue in variant.drawing.issues if variant.drawing else ():
        yield ("figure",), f"{issue.where}: {issue.message}"
    yield from _of_published(seed)
    tolerance = seed.data["answer"].get("tolerance")
    answer = number(seed.evaluate(seed.data["answer"]["exact"], variant.values))
    if tolerance and tolerance > 0.02 * abs(answer):
        yield ("answer", "tolerance"), f"{tolerance:g} is much beside {answer:.4g}"


def _of_published(seed: Seed) -> Iterator[tuple[tuple[str | int, ...], str]]:
    """Published numbers that no draw could give: outside their ranges, or against `where`."""
    published = seed.data.get("published")
    if not published:
        return
    values: dict[str, Exact] = {
        name: published[name]
        if name in seed.words
        else seed.evaluate(published[name], {})
        for name in seed.data["vary"]
    }
    derive(seed, values)
    for name in seed.numbers:
        if name not in seed.data["vary"]:
            continue
        size = number(values[name])
        choices = [number(choice) for choice in seed.values_of(name, values)]
        if not min(choices) - WHOLE <= size <= max(choices) + WHOLE:
            yield (
                ("published", name),
                f"{size:g} is none of the numbers that {name} takes",
            )
    for condition in seed.data.get("where", []):
        if not seed.holds(str(condition), values):
            yield (
                ("published",),
                f"{condition!r} does not hold for the published numbers",
            )


def _of_solution(
    seed: Seed, variant: Variant
) -> Iterator[tuple[tuple[str | int, ...], str]]:
    """Values of a solution that are neither given, nor the answer, nor a step of the other way."""
    if not seed.data.get("solution"):
        return
    filled = filled_text(seed, variant.values, "solution")
    question = filled_text(seed, variant.values, "question")
    known = [value for _, value, _ in question.told]
    known += [number(variant.values[name]) for name in seed.numbers]
    known += [number(seed.evaluate(step["exact"], variant.values))
              for step in seed.data.get("steps", [])]  # fmt: skip
    known.append(number(seed.evaluate(seed.data["answer"]["exact"], variant.values)))
    route = "".join(str(seed.data["answer"]).split())
    for _, value, text in filled.told:
        is_known = any(
            abs(abs(value) - abs(k)) <= WHOLE * max(1.0, abs(k)) for k in known
        )
        if not is_known and not stands(r"[\w.]", "".join(text.split()), route):
            yield ("solution",), f"nothing proves {{{text}}} = {value:.6g}"
