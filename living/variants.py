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
from ..problem import Option, Problem, Source, Span, Step
from ..render.diagram import Composition, Drawing, draw
from ..render.versions import lint, texts_of
from .asking import asks_another, asks_otherwise, mixed_units
from .exact import Exact, latex, number
from .figures import Claim, by_figure, composed, degenerate, filled, mistold
from .noticed import unnoticed
from .reading import Seed, Values
from .routes import by_counting, by_equations
from .statements import Contradicted, Told, asks, has_property, held, sentences, unread
from .texts import Filled, told_numbers

AGREED = 20  # distinct variants on which both answers agree before any is used
TRIES = 3_000  # draws for one seed: distinct variants are found by then or too few
ABSURD = (
    100.0  # times as large, or as small, as the answer: nobody would choose that option
)
WHOLE = 1e-6
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
    drawing: Drawing | None = None

    def problem(self, seed: Seed, source: Source, numbers: str) -> Problem:
        """The variant as a problem; variants share their origin."""
        said = seed.data["answer"]
        kind = said.get("kind") or _kind(self.answer)
        value = next((o.label for o in self.options if o.text == self.answer), "")
        return Problem(
            id=self.id,
            origin=seed.id,
            source=source,
            question=self.question,
            options=self.options,
            answer=value if self.options else self.answer,
            answer_kind="choice" if self.options else kind,
            unit=said.get("unit"),
            tolerance=said.get("tolerance"),
            solution=self.solution,
            language="en",
            labels={**seed.data.get("labels", {}), "numbers": numbers},
            spans=self.spans,
            placement=yaml.safe_dump(self.spec, sort_keys=False, width=1000)
            if self.spec
            else None,
            steps=self.steps,
        )

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
    given = seed.data.get("published")
    if not given:
        return variants_of(seed, 1, 0)[0]
    try:
        values = {
            name: given[name] if name in seed.words else seed.evaluate(given[name], {})
            for name in seed.data["vary"]
        }
        _derive(seed, values)
        variant = _composed(seed, values)
        variant.id = seed.id
        return _with_drawing(variant)
    except ValueError as error:
        raise seed.error(
            f"the published numbers: {error}", "correct them", "published"
        ) from error


def _chosen(seed: Seed, n: int, number_seed: int, drawn: bool) -> Iterator[Variant]:
    found: list[Variant] = []
    why: Counter[tuple[str, tuple[str | int, ...]]] = Counter()
    unfit = Counter(why)
    published = {k: str(v) for k, v in seed.data.get("published", {}).items()}
    for values in _draws(seed, number_seed, why):
        if published and {k: str(values[k]) for k in published} == published:
            continue
        try:
            variant = _composed(seed, values)
            if drawn and len(found) < n:
                variant = _with_drawing(variant)
        except Unfit as error:
            unfit[str(error), error.keys] += 1
            if unfit.total() > COMPOSED + 10 * len(found):
                break
            continue
        if not found:
            _sound(seed, values)
        found.append(variant)
        if len(found) >= max(n, AGREED):
            yield from found[:n]
            return
    why = unfit or why  # what fulfils `where` and fails says more
    places = Counter[
        tuple[str | int, ...]
    ]()  # a reason has numbers in it: its place is the same
    for (_, keys), count in why.items():
        places[keys] += count
    at = places.most_common(1)[0][0] if why else ()
    reasons = [(count, reason) for (reason, keys), count in why.items() if keys == at]
    reason = max(reasons)[1] if reasons else "all are used up"
    raise Refused(
        f"{seed.file.at(*(at or ('vary',)))}: only {len(found)} distinct variants, "
        f"{max(n, AGREED)} are needed; most draws fail because {reason}",
        "widen the ranges, or correct what fails",
    )


def _draws(
    seed: Seed, number_seed: int, why: Counter[Any]
) -> Iterator[dict[str, Exact]]:
    """Distinct parameters that fulfil `where`, in the order of the seed number."""
    seen = set[str]()
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
            why[str(error), (section, name)] += 1
            continue
        key = repr([str(values[name]) for name in seed.data["vary"]])
        if key in seen:
            continue
        seen.add(key)
        for place, condition in enumerate(seed.data.get("where", [])):
            try:
                holds = seed.holds(str(condition), values)
            except ValueError:
                holds = False
            if not holds:
                why[f"{condition!r} does not hold", ("where", place)] += 1
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
    said = seed.data["answer"]
    answer = _worked(seed, values, said["exact"], "answer", "exact")
    text, options = _shown_value(seed, answer), list[Option]()
    if seed.data.get("options"):
        options, text = _options(seed, values, answer, text)
    question = _filled(seed, values, "question")
    spec = (
        _guarded(lambda: filled(seed, values), "figure")
        if seed.data.get("figure")
        else {}
    )
    try:
        composition = _guarded(lambda: composed(seed, spec), "figure") if spec else None
    except Claim as error:
        raise _refused(seed, values, str(error), "figure") from error
    if composition is not None and (
        why := degenerate(composition, float(seed.data.get("margin", 1.0)))
    ):
        raise Unfit(why, "figure")
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
    )


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
    told = list[Told]()
    if composition is not None:
        text = seed.template(seed.data["question"]).fill(values, plain=True).text
        try:
            told = list(held(text, composition))
            for label in spec.get("labels") or []:
                if "point" in label and "(" in str(label.get("text", "")):
                    told += held(label["text"], composition)
        except Contradicted as error:
            if error.narrower:
                raise Unfit(str(error), "question") from error
            raise _refused(
                seed, values, f"the text says {error}", "question"
            ) from error
        if why := mistold(seed, values, composition, told):
            at = ("figure", "labels") if why.startswith("labels") else ("question",)
            raise _refused(seed, values, why, *at)
    _proved(seed, values, answer, composition)
    _told(seed, values, question, spec, told)


def _sound(seed: Seed, values: Values) -> None:
    """What one variant shows of all: the question asks for what is answered, in units that go
    together, and no number of the figure could be wrong unseen. Raises Refused."""
    said, data = seed.data["answer"], seed.data
    question = _filled(seed, values, "question")
    if "measured" in said and (why := asks_another(question.text, said["measured"])):
        raise _refused(seed, values, why, "question")
    labels = (data.get("figure") or {}).get("labels") or []
    units = [said.get("unit", ""), (data.get("options") or {}).get("unit", "")]
    texts = [
        question.text,
        *(f"0 {unit}" for unit in units),
        *(seed.template(e.get("text", "")).fill(values).text for e in labels),
    ]
    if why := asks_otherwise(question.text, *_as_length(seed, values)):
        raise _refused(seed, values, why, "question")
    if why := mixed_units(texts, f"{said} {data.get('derive')} {data.get('vary')}"):
        raise _refused(seed, values, why, "question")
    if not data.get("figure"):
        return
    answer, free = (
        seed.evaluate(said["exact"], values),
        {str(k) for k in data.get("free", [])},
    )

    def check(spec: dict[str, Any], composition: Composition) -> None:
        if (
            "measured" in said
            and abs(by_figure(seed, values, composition) - number(answer)) > 1e-6
        ):
            raise ValueError("another answer")
        _agreed(seed, values, answer, question, spec, composition)

    spec = filled(seed, values)
    found = [
        keys
        for keys in unnoticed(spec, lambda spec: composed(seed, spec), check)
        if not free & {str(key) for key in keys}
    ]
    if found:
        found = [
            tuple(key for key in keys if not isinstance(key, tuple)) for keys in found
        ]
        names = sorted(
            {
                str(keys[1 if keys[0] in ("points", "construct") else 0])
                for keys in found
            }
        )
        what = f"{'.'.join(map(str, found[0]))} may be another number, and nothing notices it"
        remedy = f"give a label or a check:, or say free: [{', '.join(names)}]"
        raise Refused(f"{seed.file.at('figure', *found[0])}: {what}", remedy)


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
    except Claim:
        raise
    except ValueError as error:
        raise Unfit(str(error), *keys) from error


def _shown(seed: Seed, values: Values) -> str:
    return ", ".join(f"{name} = {values[name]}" for name in seed.data["vary"])


def _refused(seed: Seed, values: Values, what: str, *keys: str | int) -> Refused:
    return Refused(
        f"{seed.file.at(*keys)}: {what} (with {_shown(seed, values)})",
        "correct the seed: it is wrong for these parameters",
    )


def _proved(seed: Seed, values: Values, answer: Exact, composition: Any) -> None:
    """Every other answer that the seed gives agrees with the formula."""
    said, other = seed.data["answer"], 0.0
    for key in ("measured", "solved", "counted"):
        if key not in said:
            continue
        try:
            if key == "measured":
                if composition is None:
                    raise ValueError("there is no figure to measure")
                other = by_figure(seed, values, composition)
            else:
                other = (by_equations if key == "solved" else by_counting)(seed, values)
        except Exception as error:
            if (
                not isinstance(error, ValueError | UserError)
                and type(error).__module__[:5] != "sympy"
            ):
                raise
            raise _refused(seed, values, f"{key}: {error}", "answer", key) from error
        if abs(other - number(answer)) > WHOLE * max(1.0, abs(other)):
            what = f"the formula gives {number(answer):.8g}, {key} gives {other:.8g}"
            raise _refused(seed, values, what, "answer", "exact")


def is_proved(seed: Seed) -> bool:
    """Whether a second, independent answer stands in the seed; the formula once more is none."""
    said = seed.data["answer"]
    equations = [str(e).replace(" ", "") for e in (said.get("solved") or {}).values()]
    formula = str(said["exact"]).replace(" ", "")
    again = len(equations) == 1 and formula in equations[0].split("=")
    return "measured" in said or "counted" in said or (bool(equations) and not again)


def notes_of(seed: Seed, variant: Variant) -> list[str]:
    """What no guard proves of a seed: clauses that none reads, roles that rules would give else."""
    where = seed.file.at("question")
    text = seed.template(seed.data["question"]).fill(variant.values, plain=True).text
    clauses = (
        unread(text) if variant.spec else [s for s in sentences(text) if not asks(s)]
    )
    if (
        "measured" not in seed.data["answer"]
    ):  # what equations answer may be another question
        clauses += filter(asks, sentences(text))
    notes = [f"{where}: nothing proves {clause!r}" for clause in clauses]
    for span in variant.spans:
        said = variant.question[span.start : span.end]
        role = {True: "IP", False: "DI", None: span.role}[has_property(said)]
        if "EC" not in (span.role, role) and span.role != role:
            notes.append(
                f"{where}: {said!r} is {span.role}, by what it states it would be {role}"
            )
    return notes


def _as_length(seed: Seed, values: Values) -> tuple[float, float | None]:
    """The answer, and how many times it is larger in a figure of twice the size; None where names
    are no lengths."""
    answer = number(seed.evaluate(seed.data["answer"]["exact"], values))
    names = set(seed.data["vary"])
    try:
        double = {
            n: 2 * v if n in names else v
            for n, v in values.items()
            if n in seed.numbers
        }
        for name in seed.data.get("derive", {}):
            double[name] = seed.evaluate(seed.data["derive"][name], double)
        large = number(seed.evaluate(seed.data["answer"]["exact"], double))
        sizes = [
            composed(seed, filled(seed, at)).figure.points for at in (values, double)
        ]
    except (ValueError, TypeError):
        return answer, None
    of_length = sizes[0] and all(
        math.dist(2 * place, sizes[1][name]) < 1e-6 for name, place in sizes[0].items()
    )
    return answer, large / answer if of_length and answer else None


def _told(
    seed: Seed,
    values: Values,
    question: Any,
    spec: dict[str, Any],
    measured: list[Told],
) -> None:
    """Each value that the text tells stands in the figure or in the other route, too, and each
    essential value of the figure is told."""
    charts = [abs(v) for v in _leaves(spec.get("chart") or [])]
    if charts and (
        lost := Counter(round(abs(v), 9) for _, v, _ in question.told)
        - Counter(round(v, 9) for v in charts)
    ):
        what = (
            f"the text tells {next(iter(lost)):.6g} more often than the chart shows it"
        )
        raise _refused(seed, values, what, "figure", "chart")
    grounds = [abs(v) for v in _leaves(spec)] + [abs(told.said) for told in measured]
    route = [seed.data["answer"].get(key) for key in ("solved", "counted")]
    names = {n for r in route if r for n in seed.numbers if _uses(str(r), n)}
    grounds += [abs(number(values[n])) for n in names]
    labels = (seed.data.get("figure") or {}).get("labels") or []
    printed = [
        seed.template(label.get("text", "")).fill(values).told for label in labels
    ]
    grounds += [abs(value) for told in printed for _, value, _ in told]
    worked = "".join(str(route).split())  # the route may have it as it is told: (n+1)
    for _, value, text in question.told if spec or any(route) else ():
        if _stands(r"[\w.]", "".join(text.split()), worked):
            continue
        if not any(abs(abs(value) - g) <= 1e-6 * max(1.0, g) for g in grounds):
            what = f"the text tells {{{text}}} = {value:.6g}, which neither figure nor route has"
            raise _refused(seed, values, what, "question")
    told = [value for _, value, _ in question.told] + told_numbers(question.text)
    for place, label in enumerate(labels):
        if not question.told or "EC" not in str(label.get("tag", "EC")):
            continue
        for _, value, text in printed[place]:
            if text.strip() and not any(abs(abs(value) - abs(v)) <= 1e-6 for v in told):
                what = f"the label {{{text}}} = {value:.6g} is told by no text"
                raise _refused(
                    seed, values, f"{what} (else tag it DI)", "figure", "labels", place
                )
    formula = str(seed.data["answer"]["exact"])
    shown = " ".join(
        text for _, _, text in question.told
    )  # the text tells all, or the figure
    shown = shown or str(seed.data.get("figure", ""))
    for name in seed.data["vary"]:
        known = _uses(shown, name) or any(
            _uses(shown, d) and not _uses(formula, d) and _uses(str(e), name)
            for d, e in seed.data.get("derive", {}).items()
        )
        if name in seed.numbers and _uses(formula, name) and not known:
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


def _cuttable(seed: Seed, values: Values, question: Any) -> None:
    """Spans say what they are: EC has a value, DI and IP have none, and the question is outside."""
    for span in question.spans:
        held = question.text[span.start : span.end]
        if span.role == "EC" and not re.search(r"\d", held):
            raise _refused(
                seed, values, f"the EC span {held!r} holds no value", "question"
            )
        before = question.text[: span.start].rstrip()
        behind = question.text[span.end :].lstrip()
        inner = any(
            s.start <= span.start < span.end <= s.end
            and (s.start, s.end) != (span.start, span.end)
            for s in question.spans
        )
        if span.alt is not None or inner:
            continue
        cut = "without the span {held!r} the words {where} it are left hanging"
        if before and before[-1] not in STOPS:
            what = cut.format(held=held, where="before")
        elif held.rstrip()[-1:] not in STOPS and behind[:1] not in STOPS:
            what = cut.format(held=held, where="behind")
        elif held.rstrip()[-1:] not in FULL and re.search(
            rf"[{FULL}]\s", held.rstrip()
        ):
            what = f"the span {held!r} ends inside a sentence"
        else:
            continue
        raise _refused(
            seed,
            values,
            f"{what}: begin and end it at a clause, or give ||alt",
            "question",
        )
    for roles, value, text in question.told:
        if question.spans and "EC" not in roles:
            what = f"{{{text}}} = {value:.6g} stands outside every EC span"
            raise _refused(seed, values, what, "question")
    if question.spans:
        vision = texts_of(question.text, question.spans)
        if (
            max(span.end for span in question.spans)
            > len(question.text.rstrip()) - ASKED
        ):
            raise _refused(seed, values, "a span swallows what is asked", "question")
        known = {(i.code, i.message) for i in lint(question.text)}
        for version in ("text_lite", "vision_intensive", "vision_dominant"):
            for issue in lint(vision[version]):
                if (issue.code, issue.message) not in known:
                    what = f"{version}: {issue.message} ({issue.code})"
                    raise _refused(seed, values, what, "question")


def _options(
    seed: Seed, values: Values, answer: Exact, text: str
) -> tuple[list[Option], str]:
    """The answer among wrong values, distinct and plausible, shuffled by the parameters; and the
    right one's text."""
    right = number(answer)
    texts, known = [text], [right]
    for k, said in enumerate(seed.data["options"].get("wrong", [])):
        keys = ("options", "wrong", k)
        value = _worked(seed, values, said, *keys)
        found = number(value)
        if any(abs(found - other) <= 1e-6 * max(1.0, abs(other)) for other in known):
            raise Unfit(f"the option {said} is equal to another", *keys)
        if right and (found * right <= 0 or not 1 / ABSURD < found / right < ABSURD):
            raise Unfit(f"the option {said} is absurd", *keys)
        known.append(found)
        texts.append(_shown_value(seed, value))
    unit = seed.data["options"].get("unit", "")
    order = sorted(
        range(len(texts)),
        key=lambda k: sha256(f"{seed.id}:{_shown(seed, values)}:{k}".encode()).digest(),
    )
    options = [
        Option(label=LETTERS[place], text=f"{texts[k]}{unit}")
        for place, k in enumerate(order)
    ]
    return options, f"{text}{unit}"


def _shown_value(seed: Seed, value: Exact) -> str:
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
                question=question, answer=_shown_value(seed, value), knowledge=knowledge
            )
        )
    return steps


def _with_drawing(variant: Variant) -> Variant:
    if not variant.spec:
        return variant
    try:
        variant.drawing = draw(variant.spec)
    except UserError as error:
        raise Unfit(error.message, "figure") from error
    if variant.drawing.issues:
        raise Unfit(str(variant.drawing.issues[0]), "figure")
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
