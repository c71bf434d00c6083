"""Variants of a seed: parameters drawn by a seed number, composed, and proved by two answers."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator
from hashlib import sha256
from pathlib import Path
from typing import Any

import msgspec
import yaml

from ..base.pictures import store_drawn
from ..errors import UserError
from ..options import LETTERS
from ..problem import Option, Part, Problem, Source, Span, Step, parts_text
from ..render.diagram import Composition, Drawing, draw
from .agreement import check_agreement, check_answers
from .cutting import check_spans_cut
from .exact import WHOLE, Exact, latex, number
from .figures import Broken, composed, degenerate, filled
from .guarding import (
    Refused,
    Unfit,
    derive,
    filled_text,
    guarded,
    parameters_of,
    refused,
    worked,
)
from .reading import Seed, Values
from .soundness import check_soundness

AGREED = 20  # distinct variants on which both answers agree before any is used
TRIES = 3_000  # draws for one seed: distinct variants are found by then or too few
# Times as large, or as small, as the answer: nobody would choose that option.
ABSURD = 100.0
TO_LOOK_AT = ("mark-misread", "idle-near")  # issues that people are told of
COMPOSED = 150  # variants that may fail before any is found, and ten for each that is


class Variant(msgspec.Struct):
    """One variant: its parameters, what is asked, and its figure."""

    id: str
    values: dict[str, Exact]
    question: str
    spans: list[Span]
    spec: dict[str, Any]
    answer: str
    options: list[Option]
    steps: list[Step]
    solution: str | None
    parts: list[Part] = []
    drawing: Drawing | None = None

    def problem(self, seed: Seed, source: Source, numbers: str) -> Problem:
        """The variant as a problem; variants share their origin."""
        answer_data = seed.data["answer"]
        kind = answer_data.get("kind") or _kind(self.answer)
        letter = next((o.label for o in self.options if o.text == self.answer), "")
        placement = None
        if self.spec:
            placement = yaml.safe_dump(self.spec, sort_keys=False, width=1000)
        is_whole = not self.parts
        return Problem(
            id=self.id,
            origin=seed.id,
            source=source,
            question=self.question,
            options=self.options,
            answer=self._whole_answer(letter),
            answer_kind="choice" if self.options else kind if is_whole else "parts",
            unit=answer_data.get("unit") if is_whole else None,
            tolerance=answer_data.get("tolerance") if is_whole else None,
            parts=self.parts,
            solution=self.solution,
            language="en",
            labels={**seed.data.get("labels", {}), "numbers": numbers},
            spans=self.spans,
            placement=placement,
            steps=self.steps,
        )

    def _whole_answer(self, letter: str) -> str:
        """The option's letter, the answer, or those of all parts."""
        if self.parts:
            return parts_text(self.parts)
        return letter if self.options else self.answer

    def put_drawing(self, problem: Problem, folder: Path) -> None:
        """Give the problem the variant's picture, stored in the folder, and its description."""
        if self.drawing is not None:
            size = self.drawing.picture.size
            problem.images = [store_drawn(self.drawing.png(), size, folder)]
            problem.diagram = self.drawing.annotation or None


def _kind(answer: str) -> str:
    return "number" if re.fullmatch(r"-?[\d.]+", answer) else "expression"


def variants_of(
    seed: Seed, n: int, number_seed: int, *, drawn: bool = True
) -> list[Variant]:
    """`n` distinct variants, the same for the same seed number everywhere.

    Twenty or more are composed and their two answers compared before any is given.

    Raises Refused where answers disagree, and where too few distinct variants can be made.
    """
    return list(_chosen(seed, n, number_seed, drawn))


def published_of(seed: Seed) -> Variant:
    """The variant with the published numbers, or the first that is drawn."""
    numbers = seed.data.get("published")
    if not numbers:
        return variants_of(seed, 1, 0)[0]
    try:
        values: dict[str, Exact] = {}
        for name in seed.data["vary"]:
            is_word = name in seed.words
            values[name] = (
                numbers[name] if is_word else seed.evaluate(numbers[name], {})
            )
        derive(seed, values)
        variant = _composed(seed, values)
        variant.id = seed.id
        return _with_drawing(variant)
    except ValueError as error:
        raise seed.error(
            f"the published numbers: {error}", "correct them", "published"
        ) from error


Reasons = Counter[tuple[str, tuple[str | int, ...]]]  # why draws fail, and where


def _chosen(seed: Seed, n: int, number_seed: int, drawn: bool) -> Iterator[Variant]:
    variants: list[Variant] = []
    unfulfilled = Reasons()
    unfit = Reasons()
    published = {k: str(v) for k, v in seed.data.get("published", {}).items()}
    for values in _draws(seed, number_seed, unfulfilled):
        if published and {k: str(values[k]) for k in published} == published:
            continue
        try:
            variant = _composed(seed, values)
            if drawn and len(variants) < n:
                variant = _with_drawing(variant)
        except Unfit as error:
            unfit[str(error), error.keys] += 1
            if unfit.total() > COMPOSED + 10 * len(variants):
                break
            continue
        if not variants:
            check_soundness(seed, values)
        variants.append(variant)
        if len(variants) >= max(n, AGREED):
            yield from variants[:n]
            return
    keys, reason = _main_reason(unfit or unfulfilled)
    raise Refused(
        f"{seed.file.at(*(keys or ('vary',)))}: only {len(variants)} distinct variants, "
        f"{max(n, AGREED)} are needed; most draws fail because {reason}",
        "widen the ranges, or correct what fails",
    )


def _main_reason(reasons: Reasons) -> tuple[tuple[str | int, ...], str]:
    """Where most draws fail, and why they do there most often.

    A reason has numbers in it: its place is the same for all.
    """
    if not reasons:
        return (), "all are used up"
    places: Counter[tuple[str | int, ...]] = Counter()
    for (_, keys), count in reasons.items():
        places[keys] += count
    ((place, _),) = places.most_common(1)
    here = [
        (count, reason) for (reason, keys), count in reasons.items() if keys == place
    ]
    return place, max(here)[1]


def _draws(
    seed: Seed, number_seed: int, reasons: Reasons
) -> Iterator[dict[str, Exact]]:
    """Distinct parameters that fulfil `where`, in the order of the seed number."""
    drawn = set[str]()
    for k in range(TRIES):
        digest = sha256(f"{seed.id}:{number_seed}:{k}".encode()).digest()
        values: dict[str, Exact] = {}
        section, name = "vary", ""
        try:
            for place, name in enumerate(seed.order):
                section = "vary" if name in seed.data["vary"] else "derive"
                if section == "derive":
                    values[name] = seed.evaluate(seed.data["derive"][name], values)
                    continue
                choices = seed.values_of(name, values)
                if not choices:
                    raise ValueError("no value to choose from")
                bits = sha256(digest + bytes([place])).digest()[:8]
                values[name] = choices[int.from_bytes(bits) % len(choices)]
        except (ValueError, TypeError) as error:
            if section == "vary":
                raise Refused(
                    f"{seed.file.at(section, name)}: {error}", "correct it"
                ) from error
            reasons[str(error), (section, name)] += 1
            continue
        key = repr([str(values[name]) for name in seed.data["vary"]])
        if key in drawn:
            continue
        drawn.add(key)
        for place, condition in enumerate(seed.data.get("where", [])):
            try:
                holds = seed.holds(str(condition), values)
            except ValueError:
                holds = False
            if not holds:
                reasons[f"{condition!r} does not hold", ("where", place)] += 1
                break
        else:
            yield values


def _composed(seed: Seed, values: dict[str, Exact]) -> Variant:
    """The variant, checked in every way but by drawing it.

    Raises Unfit for parameters that make no good variant, Refused for a seed that is wrong.
    """
    exact = seed.data["answer"]["exact"]
    answer = worked(seed, values, exact, "answer", "exact")
    text = _text_of_value(seed, answer)
    options: list[Option] = []
    if seed.data.get("options"):
        options, text = _options(seed, values, answer, text)
    question = filled_text(seed, values, "question")
    spec: dict[str, Any] = {}
    if seed.data.get("figure"):
        spec = guarded(lambda: filled(seed, values), "figure")
    composition = _composition(seed, values, spec) if spec else None
    check_agreement(seed, values, answer, question, spec, composition)
    check_spans_cut(seed, values, question)
    solution = seed.data.get("solution")
    return Variant(
        _named(seed, values),
        values,
        question.text,
        question.spans,
        spec,
        text,
        options,
        _steps(seed, values),
        solution and filled_text(seed, values, "solution").text,
        _parts(seed, values, text, composition),
    )


def _composition(seed: Seed, values: Values, spec: dict[str, Any]) -> Composition:
    """The figure of a variant, that people can read.

    Raises Unfit for one that they cannot, Refused where it is not what the seed claims.
    """
    try:
        composition: Composition = guarded(lambda: composed(seed, spec), "figure")
    except Broken as error:
        raise refused(seed, values, str(error), "figure") from error
    if problem := degenerate(composition, float(seed.data.get("margin", 1.0))):
        raise Unfit(problem, "figure")
    return composition


def _options(
    seed: Seed, values: Values, answer: Exact, text: str
) -> tuple[list[Option], str]:
    """The answer among wrong values, distinct and plausible, shuffled by the parameters; and the
    right one's text."""
    right = number(answer)
    texts = [text]
    sizes = [right]
    for k, expression in enumerate(seed.data["options"].get("wrong", [])):
        keys = ("options", "wrong", k)
        value = worked(seed, values, expression, *keys)
        size = number(value)
        if any(abs(size - other) <= WHOLE * max(1.0, abs(other)) for other in sizes):
            raise Unfit(f"the option {expression} is equal to another", *keys)
        if right and (size * right <= 0 or not 1 / ABSURD < size / right < ABSURD):
            raise Unfit(f"the option {expression} is absurd", *keys)
        sizes.append(size)
        texts.append(_text_of_value(seed, value))
    if len(texts) > len(LETTERS):
        what = f"{len(texts)} options, of which {len(LETTERS)} have letters"
        raise seed.error(what, "leave some out", "options", "wrong")
    parameters = parameters_of(seed, values)

    def draw_of(k: int) -> bytes:
        return sha256(f"{seed.id}:{parameters}:{k}".encode()).digest()

    unit = seed.data["options"].get("unit", "")
    order = sorted(range(len(texts)), key=draw_of)
    options = [
        Option(label=LETTERS[place], text=f"{texts[k]}{unit}")
        for place, k in enumerate(order)
    ]
    return options, f"{text}{unit}"


def _text_of_value(seed: Seed, value: Exact) -> str:
    """A value as people read it: a formula unless it is a plain number."""
    text = latex(value, seed.decimals)
    return text if re.fullmatch(r"-?[\d.]+", text) else f"${text}$"


def _steps(seed: Seed, values: Values) -> list[Step]:
    steps = []
    for k, step in enumerate(seed.data.get("steps", [])):
        value = worked(seed, values, step["exact"], "steps", k, "exact")
        question = filled_text(seed, values, "steps", k, "question").text
        knowledge = [str(word) for word in step.get("knowledge", [])]
        steps.append(
            Step(
                question=question,
                answer=_text_of_value(seed, value),
                knowledge=knowledge,
            )
        )
    return steps


def _parts(
    seed: Seed, values: Values, first: str, composition: Composition | None
) -> list[Part]:
    """The answers of a question of several parts, each proved as the first one is."""
    if not seed.data.get("parts"):
        return []
    answers = [(seed.data["answer"], first)]
    for k, part in enumerate(seed.data["parts"]):
        value = worked(seed, values, part["exact"], "parts", k, "exact")
        alone = msgspec.structs.replace(seed, data=seed.data | {"answer": part})
        check_answers(alone, values, value, composition)
        answers.append((part, _text_of_value(seed, value)))
    return [
        Part(
            label=str(k),
            answer=text,
            answer_kind=data.get("kind") or _kind(text),
            unit=data.get("unit"),
            tolerance=data.get("tolerance"),
        )
        for k, (data, text) in enumerate(answers, 1)
    ]


def _with_drawing(variant: Variant) -> Variant:
    if not variant.spec:
        return variant
    try:
        variant.drawing = draw(variant.spec)
    except UserError as error:
        raise Unfit(error.message, "figure") from error
    for issue in variant.drawing.issues:
        if issue.code not in TO_LOOK_AT:
            raise Unfit(str(issue), "figure")
    return variant


def _named(seed: Seed, values: Values) -> str:
    """The seed's id and the parameters: one id is one problem, in every edition."""
    parts = [
        f"{name}{values[name]}".replace("-", "m").replace("/", "_")
        for name in seed.data["vary"]
    ]
    slug = "-".join(parts)
    if not re.fullmatch(r"[A-Za-z0-9_-]{1,40}", slug):
        slug = sha256(slug.encode()).hexdigest()[:10]
    return f"{seed.id}~{slug}"
