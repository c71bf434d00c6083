"""Variants of a seed: parameters drawn by a seed number, composed, and proved by two answers."""

from __future__ import annotations

import math
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
from ..render.claims import (
    Contradicted,
    asks,
    has_property,
    measured_question,
    read,
    sentences,
)
from ..render.diagram import Claim, Composition, Drawing, draw, misplaced
from ..render.versions import lint, texts_of
from .asking import (
    asks_another,
    asks_otherwise,
    kind_of,
    length_power,
    mixed_units,
    names_measured,
    names_with_units,
    unit_asked,
)
from .exact import Exact, latex, number
from .figures import Broken, by_figure, composed, degenerate, filled, mistold
from .noticed import unnoticed
from .reading import Seed, Values
from .routes import by_counting, by_equations
from .solutions import equalities, last_value
from .texts import Filled, ToldValue, told_numbers

AGREED = 20  # distinct variants on which both answers agree before any is used
TRIES = 3_000  # draws for one seed: distinct variants are found by then or too few
# Times as large, or as small, as the answer: nobody would choose that option.
ABSURD = 100.0
WHOLE = 1e-6
TO_LOOK_AT = ("mark-misread", "idle-near")  # issues that people are told of
WIDE = 0.1  # of the answer: so wide a tolerance accepts what is wrong
COMPOSED = 150  # variants that may fail before any is found, and ten for each that is
STOPS, FULL = ".,;:?!。，；：？！", ".?!。？！"  # where clauses end, and sentences
ASKED = 5  # characters at the end of a question that no span holds


class Refused(UserError):
    """A seed that is not to be used, with its line, and the parameters that show why."""


class Unfit(ValueError):
    """Parameters that make no good variant: others are drawn."""

    def __init__(self, why: str, *keys: str | int) -> None:
        super().__init__(why)
        self.keys = keys


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
        _derive(seed, values)
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
            _sound(seed, values)
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


def _derive(seed: Seed, values: dict[str, Exact]) -> None:
    for name in seed.order:
        if name not in values:
            values[name] = seed.evaluate(seed.data["derive"][name], values)


def _composed(seed: Seed, values: dict[str, Exact]) -> Variant:
    """The variant, checked in every way but by drawing it.

    Raises Unfit for parameters that make no good variant, Refused for a seed that is wrong.
    """
    exact = seed.data["answer"]["exact"]
    answer = _worked(seed, values, exact, "answer", "exact")
    text = _text_of_value(seed, answer)
    options: list[Option] = []
    if seed.data.get("options"):
        options, text = _options(seed, values, answer, text)
    question = _filled(seed, values, "question")
    spec: dict[str, Any] = {}
    if seed.data.get("figure"):
        spec = _guarded(lambda: filled(seed, values), "figure")
    composition = _composition(seed, values, spec) if spec else None
    _agreed(seed, values, answer, question, spec, composition)
    _cuttable(seed, values, question)
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
        solution and _filled(seed, values, "solution").text,
        _parts(seed, values, text, composition),
    )


def _composition(seed: Seed, values: Values, spec: dict[str, Any]) -> Composition:
    """The figure of a variant, that people can read.

    Raises Unfit for one that they cannot, Refused where it is not what the seed claims.
    """
    try:
        composition: Composition = _guarded(lambda: composed(seed, spec), "figure")
    except Broken as error:
        raise _refused(seed, values, str(error), "figure") from error
    if problem := degenerate(composition, float(seed.data.get("margin", 1.0))):
        raise Unfit(problem, "figure")
    return composition


def _agreed(
    seed: Seed,
    values: Values,
    answer: Exact,
    question: Filled,
    spec: dict[str, Any],
    composition: Composition | None,
) -> None:
    """Text, figure, labels and answers say the same.

    Raises Refused where they do not, and Unfit where the figure is more than its text says.
    """
    claims: list[Claim] = []
    if composition is not None:
        text = seed.template(seed.data["question"]).fill(values, plain=True).text
        try:
            claims = read(text, composition).claims
        except Contradicted as error:
            if error.narrower:
                raise Unfit(str(error), "question") from error
            raise _refused(
                seed, values, f"the text says {error}", "question"
            ) from error
        problem, is_label = mistold(seed, composition, claims)
        if problem:
            keys = ("figure", "labels") if is_label else ("question",)
            raise _refused(seed, values, problem, *keys)
        for problem, where in misplaced(composition):
            raise _refused(seed, values, f"{where}: {problem}", "figure")
    _proved(seed, values, answer, composition)
    _solved_so(seed, values, answer)
    _steps_agree(seed, values, composition)
    _close_enough(seed, values, answer)
    _told(seed, values, question, spec, claims)


def _solved_so(seed: Seed, values: Values, answer: Exact) -> None:
    """The solution ends in the answer, and what it sets equal is equal. Raises Refused."""
    if not seed.data.get("solution"):
        return
    filled = _filled(seed, values, "solution")
    for left, right in equalities(filled.text):
        what = f"it says {left} = {right}"
        raise _refused(seed, values, what, "solution")
    last = last_value(filled.text)
    size = number(answer)
    if last is not None and abs(last - size) > max(0.006, 0.002 * abs(size)):
        what = f"it ends in {last:.6g}, the answer is {size:.6g}"
        raise _refused(seed, values, what, "solution")


def _steps_agree(seed: Seed, values: Values, composition: Composition | None) -> None:
    """The answer of a step is what the figure answers to its question. Raises Refused."""
    for k, step in enumerate(seed.data.get("steps", [])):
        if composition is None:
            return
        question = seed.template(step["question"]).fill(values, plain=True).text
        measured = measured_question(question, composition)
        exact = number(_worked(seed, values, step["exact"], "steps", k, "exact"))
        if measured is not None and abs(measured - exact) > 1e-4 * max(1.0, abs(exact)):
            what = f"the formula gives {exact:.6g}, the figure measures {measured:.6g}"
            raise _refused(seed, values, what, "steps", k, "exact")


def _close_enough(seed: Seed, values: Values, answer: Exact) -> None:
    """The tolerance is no share of the answer, and takes in no wrong option. Raises Refused."""
    tolerance = seed.data["answer"].get("tolerance")
    if not tolerance:
        return
    size = number(answer)
    if not isinstance(tolerance, int | float) or tolerance > WIDE * abs(size):
        what = f"a tolerance of {tolerance} beside the answer {size:.6g}"
        raise _refused(seed, values, what, "answer", "tolerance")


def _sound(seed: Seed, values: Values) -> None:
    """What one variant shows of all: the question asks for what is answered, in units that go
    together, and no number of the figure could be wrong unseen. Raises Refused."""
    question = _filled(seed, values, "question")
    for alone, text in _by_part(seed, question.text):
        _asks_for_answer(alone, values, text)
    if seed.data.get("figure"):
        _all_noticed(seed, values, question)


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
        raise _refused(seed, values, problem, "question")


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

    def check(spec: dict[str, Any], composition: Composition) -> None:
        if "measured" in answer_data:
            measured = by_figure(seed, values, composition)
            if abs(measured - number(answer)) > WHOLE:
                raise ValueError("another answer")
        _agreed(seed, values, answer, question, spec, composition)

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


def _worked(seed: Seed, values: Values, text: Any, *keys: str | int) -> Exact:
    try:
        value = seed.evaluate(text, values)
        number(value)
    except ValueError as error:
        raise Unfit(f"{text}: {error}", *keys) from error
    return value


def _filled(seed: Seed, values: Values, *keys: str | int) -> Any:
    part: Any = seed.data
    for key in keys:
        part = part[key]
    return _guarded(lambda: seed.template(part).fill(values, seed.decimals), *keys)


def _guarded(make: Any, *keys: str | int) -> Any:
    try:
        return make()
    except Broken:
        raise
    except ValueError as error:
        raise Unfit(str(error), *keys) from error


def _parameters(seed: Seed, values: Values) -> str:
    return ", ".join(f"{name} = {values[name]}" for name in seed.data["vary"])


def _refused(seed: Seed, values: Values, what: str, *keys: str | int) -> Refused:
    return Refused(
        f"{seed.file.at(*keys)}: {what} (with {_parameters(seed, values)})",
        "correct the seed: it is wrong for these parameters",
    )


def _proved(seed: Seed, values: Values, answer: Exact, composition: Any) -> None:
    """Every other answer that the seed gives agrees with the formula."""
    answer_data = seed.data["answer"]
    for key in ("measured", "solved", "counted"):
        if key not in answer_data:
            continue
        try:
            second = _second_answer(seed, values, key, composition)
        except Exception as error:
            is_sympys = type(error).__module__[:5] == "sympy"
            if not is_sympys and not isinstance(error, ValueError | UserError):
                raise
            raise _refused(seed, values, f"{key}: {error}", "answer", key) from error
        if abs(second - number(answer)) > WHOLE * max(1.0, abs(second)):
            what = f"the formula gives {number(answer):.8g}, {key} gives {second:.8g}"
            raise _refused(seed, values, what, "answer", "exact")


def _second_answer(seed: Seed, values: Values, key: str, composition: Any) -> float:
    """The answer by another way than the formula."""
    if key == "solved":
        return by_equations(seed, values)
    if key == "counted":
        return by_counting(seed, values)
    if composition is None:
        raise ValueError("there is no figure to measure")
    return by_figure(seed, values, composition)


def is_proved(seed: Seed) -> bool:
    """Whether a second, independent answer stands in the seed; the formula once more is none."""
    answer_data = seed.data["answer"]
    if "measured" in answer_data or "counted" in answer_data:
        return True
    solved = (answer_data.get("solved") or {}).values()
    equations = [str(equation).replace(" ", "") for equation in solved]
    formula = str(answer_data["exact"]).replace(" ", "")
    is_formula = len(equations) == 1 and formula in equations[0].split("=")
    return bool(equations) and not is_formula


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
    clauses = read(text, composition).unread()
    asked = measured_question(text, composition)
    is_answer = asked is not None and abs(asked - answer) <= WHOLE * max(
        1.0, abs(answer)
    )
    what = seed.data["answer"].get("measured")
    names_it = isinstance(what, dict) and names_measured(text, what)
    return clauses if is_answer or names_it else [*clauses, *questions]


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
        question = _filled(seed, variant.values, "steps", k, "question").text
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
    _derive(seed, values)
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
    filled = _filled(seed, variant.values, "solution")
    question = _filled(seed, variant.values, "question")
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
        if not is_known and not _stands(r"[\w.]", "".join(text.split()), route):
            yield ("solution",), f"nothing proves {{{text}}} = {value:.6g}"


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


def _told(
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
            if _uses(str(part), name)
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
        if _stands(r"[\w.]", "".join(text.split()), route):
            continue  # the route has it as it is told: (n+1)
        if not any(abs(abs(value) - g) <= WHOLE * max(1.0, g) for g in grounds):
            what = f"the text tells {{{text}}} = {value:.6g}, which neither figure nor route has"
            raise _refused(seed, values, what, "question")


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
                raise _refused(seed, values, what, "figure", "labels", place)


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
        if name not in seed.numbers or not _uses(formula, name) or _uses(telling, name):
            continue
        # A derived name tells it that is not needed itself.
        is_derived = any(
            _uses(telling, other) and not _uses(formula, other) and _uses(text, name)
            for other, text in derived.items()
        )
        if not is_derived:
            what = (
                f"the answer needs {name}, which is nowhere told where the others are"
            )
            raise _refused(seed, values, what, "question")


def _uses(text: str, name: str) -> bool:
    return _stands("[A-Za-z_]", name, text)


def _stands(letter: str, part: str, text: str) -> bool:
    return bool(re.search(rf"(?<!{letter}){re.escape(part)}(?!{letter})", text))


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


def _cuttable(seed: Seed, values: Values, question: Filled) -> None:
    """Spans say what they are: EC has a value, DI and IP have none, and the question is outside."""
    for span in question.spans:
        if problem := _broken_by(span, question):
            raise _refused(seed, values, problem, "question")
    if not question.spans:
        return
    for roles, value, text in question.told:
        if "EC" not in roles:
            what = f"{{{text}}} = {value:.6g} stands outside every EC span"
            raise _refused(seed, values, what, "question")
    last = max(span.end for span in question.spans)
    if last > len(question.text.rstrip()) - ASKED:
        raise _refused(seed, values, "a span swallows what is asked", "question")
    versions = texts_of(question.text, question.spans)
    of_question = lint(question.text)
    for version in ("text_lite", "vision_intensive", "vision_dominant"):
        for issue in lint(versions[version]):
            if issue not in of_question:
                what = f"{version}: {issue.message} ({issue.code})"
                raise _refused(seed, values, what, "question")


def _broken_by(span: Span, question: Filled) -> str:
    """What is wrong with a span, or with the question when it is cut; "" where nothing is."""
    words = question.text[span.start : span.end]
    if span.role == "EC" and not re.search(r"\d", words):
        return f"the EC span {words!r} holds no value"
    if span.alt is not None or _is_inner(span, question.spans):
        return ""
    before = question.text[: span.start].rstrip()
    behind = question.text[span.end :].lstrip()
    inside = words.rstrip()
    last = inside[-1:]
    hanging = f"without the span {words!r} the words %s it are left hanging"
    if before and before[-1] not in STOPS:
        problem = hanging.replace("%s", "before")
    elif last not in STOPS and behind[:1] not in STOPS:
        problem = hanging.replace("%s", "behind")
    elif last not in FULL and re.search(rf"[{FULL}]\s", inside):
        problem = f"the span {words!r} ends inside a sentence"
    else:
        return ""
    return f"{problem}: begin and end it at a clause, or give ||alt"


def _is_inner(span: Span, spans: list[Span]) -> bool:
    """Whether a span lies in a longer one."""
    return any(
        outer.start <= span.start
        and span.end <= outer.end
        and (outer.start, outer.end) != (span.start, span.end)
        for outer in spans
    )


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
        value = _worked(seed, values, expression, *keys)
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
    parameters = _parameters(seed, values)

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
        value = _worked(seed, values, step["exact"], "steps", k, "exact")
        question = _filled(seed, values, "steps", k, "question").text
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
        value = _worked(seed, values, part["exact"], "parts", k, "exact")
        alone = msgspec.structs.replace(seed, data=seed.data | {"answer": part})
        _proved(alone, values, value, composition)
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
