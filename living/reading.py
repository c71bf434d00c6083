"""A seed: a problem with its numbers left open, in YAML; every mistake is named with its line."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from fractions import Fraction
from itertools import pairwise
from pathlib import Path
from typing import Any

import msgspec

from ..base.yaml_lines import Located, located, read_located
from ..errors import UserError, nearest
from ..render.claims import names_of, run
from ..render.figure import parse_named
from .exact import EXACT, Exact, number
from .texts import Template

SECTIONS = (
    "vary",
    "where",
    "derive",
    "published",
    "question",
    "figure",
    "answer",
    "options",
    "steps",
    "parts",
    "solution",
    "labels",
    "source",
    "margin",
    "free",
    "check",
)
SHAPES: dict[str, type] = {
    "derive": dict,
    "where": list,
    "published": dict,
    "figure": dict,
    "steps": list,
    "parts": list,
    "check": dict,
}
ANSWER = ("exact", "measured", "solved", "counted", "unit", "kind", "tolerance")
TAKEN = {"x", "y", "t", *EXACT.functions, *EXACT.constants}
NAME = re.compile(r"[a-z][a-z0-9_]{0,15}")
RANGE = re.compile(r"(.+?)\.\.(.+?)(?:\s+by\s+(.+))?")
LONGEST = 1_000  # values of one range
MOST = 5_000  # parts of a seed: aliases cannot make it larger
RELATIONS: dict[str, Callable[[float, float], bool]] = {
    "<=": lambda a, b: a <= b + 1e-9,
    ">=": lambda a, b: a >= b - 1e-9,
    "!=": lambda a, b: abs(a - b) > 1e-9,
    "<": lambda a, b: a < b - 1e-9,
    ">": lambda a, b: a > b + 1e-9,
    "=": lambda a, b: abs(a - b) <= 1e-9,
}

Values = Mapping[str, Exact]


class Seed(msgspec.Struct):
    """A seed that was read: what it says, and where each part stands."""

    id: str
    file: Located
    data: dict[str, Any]
    order: list[str]  # names in the order in which they get values
    numbers: list[str]  # names whose values are numbers
    words: frozenset[str]
    decimals: bool
    texts: dict[str, Template] = {}
    compiled: dict[str, Any] = {}

    def error(self, message: str, remedy: str, *keys: str | int) -> UserError:
        return UserError(f"{self.file.at(*keys)}: {message}", remedy)

    def evaluate(self, text: Any, values: Values, *keys: str | int) -> Exact:
        """An expression of the seed with values. Raises ValueError."""
        text = str(text)
        if text not in self.compiled:
            self.compiled[text] = parse_named(text, self.numbers, EXACT)
        return self.compiled[text]([values.get(name) for name in self.numbers])

    def template(self, text: Any) -> Template:
        text = str(text)
        if text not in self.texts:
            self.texts[text] = Template(text, self.numbers, self.words)
        return self.texts[text]

    def holds(self, condition: str, values: Values) -> bool:
        """Whether a condition such as `d < p` or `1 < a < b` holds."""
        parts = re.split(r"(<=|>=|!=|<|>|=)", condition)
        sides = [number(self.evaluate(part, values)) for part in parts[::2]]
        signs = parts[1::2]
        return all(
            RELATIONS[sign](a, b)
            for sign, (a, b) in zip(signs, pairwise(sides), strict=True)
        )

    def values_of(self, name: str, before: Values) -> list[Exact]:
        """What a varied name may be. Raises ValueError for a range that is empty or huge."""
        choices = self.data["vary"][name]
        if isinstance(choices, list):
            if name in self.words:
                return [str(value) for value in choices]
            return [self.evaluate(value, before) for value in choices]
        match = RANGE.fullmatch(str(choices).strip())
        if match is None:
            raise ValueError(f"{choices!r} is no range such as 3..9, and no list")
        low, high = (self.evaluate(match[k], before) for k in (1, 2))
        step = self.evaluate(match[3], before) if match[3] else Fraction(1)
        if number(step) <= 0:
            raise ValueError(f"the step of {choices!r} is not positive")
        count = int((number(high) - number(low)) / number(step) + 1e-9) + 1
        if number(high) < number(low):
            raise ValueError(f"the range {choices!r} is empty")
        if count > LONGEST:
            raise ValueError(
                f"the range {choices!r} has {count:,} values; the limit is {LONGEST:,}"
            )
        return [low + k * step for k in range(count)]


def read_seed(path: str | Path, text: str | None = None) -> Seed:
    """Read and check a seed; its `text` where it is read already.

    >>> import benchwright.building.start as start
    >>> read_seed(start.EXAMPLES / "living/seeds/math-v-half-circle.yaml").order[0]
    'r'

    Raises UserError with file, line and remedy for what cannot be meant.
    """
    path = Path(path)
    file = read_located(path) if text is None else located(path, text)
    if not isinstance(file.data, dict):
        raise UserError(
            f"{path}: not a mapping", "start with vary:, question: and answer:"
        )
    data: dict[str, Any] = file.data
    for key in data:
        if key not in SECTIONS:
            raise UserError(
                f"{file.at(key)}: unknown {key!r}", nearest(str(key), list(SECTIONS))
            )
    for key, shape in (("vary", dict), ("question", str), ("answer", dict)):
        if not isinstance(data.get(key), shape) or not data[key]:
            raise UserError(
                f"{file.at(key)}: {key} is missing or empty", f"give {key}:"
            )
    for key, container in SHAPES.items():
        if not isinstance(data.get(key, container()), container):
            kind = "mapping" if container is dict else "list"
            raise UserError(f"{file.at(key)}: {key} is no {kind}", f"write a {kind}")
    if _parts(data) > MOST:
        raise UserError(f"{path}: more than {MOST:,} parts", "make it smaller")
    names = [*data["vary"], *data.get("derive", {})]
    for name in names:
        section = "vary" if name in data["vary"] else "derive"
        if not isinstance(name, str) or not NAME.fullmatch(name) or name in TAKEN:
            raise UserError(
                f"{file.at(section, name)}: {name!r} cannot be a name here",
                "use small letters; x, y, t, e, pi and functions are taken",
            )
    if len(set(names)) < len(names):
        raise UserError(
            f"{file.at('derive')}: a name is varied and derived", "give it another"
        )
    words = frozenset(
        name for name, choices in data["vary"].items() if _are_words(choices)
    )
    seed = Seed(
        path.stem,
        file,
        data,
        _ordered(file, data, names),
        [n for n in names if n not in words],
        words,
        bool(re.search(r"\d\.\d", str(data["vary"]))),
    )
    _check(seed)
    return seed


def _are_words(choices: Any) -> bool:
    """Whether a name varies among words."""
    return (
        isinstance(choices, list)
        and any(re.search(r"[A-Za-z]{2}", str(choice)) for choice in choices)
        and not any(map(_is_number, choices))
    )


def _is_number(value: Any) -> bool:
    try:
        parse_named(str(value), (), EXACT)
    except ValueError:
        return False
    return True


def _parts(data: Any) -> int:
    """How many parts a seed has, counted as far as the limit."""
    waiting = [data]
    count = 0
    while waiting and count <= MOST:
        part = waiting.pop()
        count += 1
        if isinstance(part, dict):
            waiting += part.values()
        elif isinstance(part, list):
            waiting += part
    return count


def _ordered(file: Located, data: dict[str, Any], names: list[str]) -> list[str]:
    """Each name behind those that it needs. Raises UserError for a circle."""
    expressions = {**data["vary"], **data.get("derive", {})}
    needs: dict[str, set[str]] = {}
    for name in names:
        expression = expressions[name]
        text = "" if isinstance(expression, list) else str(expression)
        needs[name] = {
            other
            for other in names
            if re.search(rf"(?<![A-Za-z_]){other}(?![A-Za-z0-9_])", text)
        }
    order: list[str] = []
    while left := [name for name in names if name not in order]:
        free = [name for name in left if needs[name] <= {*order}]
        if not free:
            name = left[0]
            section = "vary" if name in data["vary"] else "derive"
            raise UserError(
                f"{file.at(section, name)}: circular: {', '.join(left)} need each other",
                "let one of them stand alone",
            )
        order.append(free[0])
    return order


def _unsaid(words: str, relations: Any, question: str) -> str:
    """Why relations do not say what some words of a question do; "" where they may."""
    if " ".join(words.split()) not in " ".join(question.split()):
        return f"the question does not say {words!r}"
    every = relations if isinstance(relations, list) else [relations]
    if not every or not all(isinstance(one, dict) and len(one) == 1 for one in every):
        return f"{words!r}: {relations!r} is no relation such as {{parallel: [AB, CD]}}"
    named = {name for run_ in re.findall(run("1,"), words) for name in names_of(run_)}
    told = {*names_of(re.sub(r"[\[\]'\"]+", " ", str(every)))}
    if lost := sorted(named - told - {"A", "I"}):
        return f"{words!r} names {lost[0]}, which no relation does"
    return ""


def _check(seed: Seed) -> None:
    """Every expression and text of the seed can be read."""
    data = seed.data
    readings: list[tuple[tuple[str | int, ...], Callable[[], Any]]] = []

    def expression(text: Any, *keys: str | int) -> None:
        readings.append((keys, lambda: parse_named(str(text), seed.numbers, EXACT)))

    def text(value: Any, *keys: str | int) -> None:
        readings.append((keys, lambda: seed.template(value)))

    for name, derived in data.get("derive", {}).items():
        expression(derived, "derive", name)
    for k, condition in enumerate(data.get("where", [])):
        parts = re.split(r"<=|>=|!=|<|>|=", str(condition))
        if len(parts) < 2:
            raise seed.error(
                f"{condition!r} compares nothing", "write d < p", "where", k
            )
        for part in parts:
            expression(part, "where", k)
    text(data["question"], "question")
    text(data.get("solution", ""), "solution")
    answer = data["answer"]
    for key in answer:
        if key not in ANSWER:
            remedy = nearest(str(key), list(ANSWER))
            raise seed.error(f"unknown {key!r}", remedy, "answer", key)
    if "exact" not in answer:
        raise seed.error(
            "no formula", "give exact: an expression of the names", "answer"
        )
    expression(answer["exact"], "answer", "exact")
    options = data.get("options", {})
    if not isinstance(options, dict) or not isinstance(options.get("wrong", []), list):
        raise seed.error("options are no {wrong: [...]}", "list expressions", "options")
    for k, wrong in enumerate(options.get("wrong", [])):
        if "{" in str(wrong):
            text(wrong, "options", "wrong", k)
        else:
            expression(wrong, "options", "wrong", k)
    for k, step in enumerate(data.get("steps", [])):
        if not isinstance(step, dict) or not {"question", "exact"} <= step.keys():
            raise seed.error(
                "a step needs question: and exact:", "give both", "steps", k
            )
        text(step["question"], "steps", k, "question")
        expression(step["exact"], "steps", k, "exact")
    for k, part in enumerate(data.get("parts", [])):
        if not isinstance(part, dict) or "exact" not in part or part.keys() - {*ANSWER}:
            raise seed.error(
                "a part needs exact:, as the answer does", "give it", "parts", k
            )
        expression(part["exact"], "parts", k, "exact")
    for name in data["vary"]:
        if data.get("published") and name not in data["published"]:
            raise seed.error(
                f"no published {name}", "give a number to each", "published"
            )
    for words, relations in data.get("check", {}).items():
        if problem := _unsaid(str(words), relations, data["question"]):
            raise seed.error(
                problem, "quote the question, and say it by points", "check"
            )
        text(words, "check", words)
    for keys, reading in readings:
        try:
            reading()
        except ValueError as error:
            raise seed.error(str(error), "correct it", *keys) from error
