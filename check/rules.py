"""The validators: each has hits in published benchmarks (the codes name what they find)."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator
from functools import lru_cache
from pathlib import Path
from typing import Any, Literal, TypeVar, get_args

import msgspec

from ..base.files import inside, read_bytes
from ..base.pictures import MARK, is_blank, open_picture
from ..base.registry import Registry, mark
from ..errors import MachineError, UserError
from ..latex import DOLLAR, replace_maths, stray_dollars
from ..pipeline import bug
from ..problem import AnswerKind, Image, Option, Part, Problem, Sample, all_images
from ..words import points_elsewhere
from .mojibake import mojibake

F = TypeVar("F", bound=Callable[..., Any])
Severity = Literal["error", "warning"]
SMALLEST = 28  # pixels: the side of a patch of common vision models
GLANCE = 128  # pixels of a side that show at once whether anything is drawn


class Finding(msgspec.Struct, kw_only=True):
    """A line of findings.jsonl. `where` is the field, prefixed by `step 2:` or a version."""

    id: str
    code: str
    level: Severity
    where: str
    value: str
    remedy: str


class CheckRule(msgspec.Struct, frozen=True):
    """A validator's code, level and remedy; the part of the code before '-' is its group."""

    name: str
    level: Severity
    remedy: str
    whole: bool = False


VALIDATORS = Registry(
    "validator", {}, consulted=True
)  # those below are put in at the end


def validator(
    code: str, level: Severity, remedy: str, *, whole: bool = False
) -> Callable[[F], F]:
    """Mark a function as a validator: it yields (field, value) for what is wrong with a question.

    It sees the question of a problem, of each step and each version (`Asked`); with `whole`, each
    `Problem` once. `level` is error or warning. The part of `code` before `-` is its group.
    Raises UserError for another level.

    Example: `@validator("gold-even", "warning", "make it even")`
    """
    if level not in get_args(Severity):
        raise UserError(
            f"validator {code!r}: level {level!r}", "write error or warning"
        )
    return mark("validator", code, level=level, remedy=remedy, whole=whole)


class Asked(msgspec.Struct, frozen=True):
    """A question with its options, gold and pictures; `prefix` says which one."""

    prefix: str
    question: str
    options: list[Option]
    answer: str
    images: list[Image]
    kind: AnswerKind = "text"
    parts: list[Part] = []
    version: str = ""  # "": the problem itself, or a step
    is_drawn: bool = False  # a later stage draws its picture from a spec
    beside: list[
        tuple[str, str]
    ] = []  # other texts that leave: a solution, labels, a condition

    @property
    def texts(self) -> list[tuple[str, str]]:
        """Every text that leaves beside golds, with its field."""
        options = [(f"option {o.label}", o.text) for o in self.options]
        return [("question", self.question), *options, *self.beside]

    @property
    def golds(self) -> list[tuple[str, str]]:
        """The gold, or those of the parts."""
        if self.kind == "parts" and self.parts:
            return [(f"part {part.label}", part.answer) for part in self.parts]
        return [("answer", self.answer)]


def questions_of(problem: Problem) -> Iterator[Asked]:
    """The problem itself, its steps, and those of its versions that differ from it."""
    yield _asked_by(problem)
    for k, step in enumerate(problem.steps, 1):
        beside = [("condition", step.condition), ("reasoning", step.reasoning)]
        yield Asked(
            f"step {k}: ",
            step.question,
            step.options,
            step.answer,
            step.images or problem.images,
            is_drawn=bool(problem.diagram),
            beside=[one for one in beside if one[1]],
        )
    bare = _asked_by(problem, beside=False)
    for sample in problem.samples:
        asked = _asked_by(sample, beside=False)
        if asked != bare:
            asked = msgspec.structs.replace(asked, version=sample.version)
            yield msgspec.structs.replace(asked, prefix=f"{sample.version}: ")


def _asked_by(record: Problem | Sample, beside: bool = True) -> Asked:
    return Asked(
        "",
        record.question,
        record.options,
        record.answer or "",
        record.images,
        record.answer_kind,
        record.parts,
        is_drawn=bool(record.diagram),
        beside=list(_beside(record)) if beside else [],
    )


def _beside(record: Problem | Sample) -> Iterator[tuple[str, str]]:
    """The solution, the texts of labels and captions."""
    if record.solution:
        yield "solution", record.solution
    for name, value in record.labels.items():
        for text in value if isinstance(value, list) else [value]:
            if isinstance(text, str) and text:
                yield f"labels.{name}", text
    for image in record.images:
        if image.caption:
            yield "caption", image.caption


Flagged = tuple[str, str]  # field, value
Validator = Callable[[Any], Iterable[Flagged]]
CONTROL = re.compile(r"[\x00-\x08\x0b-\x1f\x7f-\x9f\ufffe\uffff]")
DRAWN = re.compile(
    r"<image\d+>|\[picture[:\]]|!\[|<img\b|\\includegraphics\b|\\begin\{tikzpicture\}|\[asy\]"
)


def control_characters(text: str) -> list[str]:
    """A form feed where "\\f" of "\\frac" was read as an escape, and the like."""
    return [text[max(0, m.start() - 10) : m.end() + 20] for m in CONTROL.finditer(text)]


@validator("gold-control", "error", "restore the lost backslash (\\f of \\frac, ...)")
def gold_control(asked: Asked) -> Iterator[Flagged]:
    yield from (("answer", hit) for hit in control_characters(asked.answer))


@validator("gold-wrapped", "warning", "give the bare value")
def gold_wrapped(asked: Asked) -> Iterator[Flagged]:
    dressed = "\\boxed" in asked.answer or DOLLAR.search(asked.answer)
    if dressed and asked.kind != "parts":
        yield "answer", asked.answer


@validator("gold-spaces", "warning", "remove the spaces")
def gold_spaces(asked: Asked) -> Iterator[Flagged]:
    if asked.answer.strip() not in ("", asked.answer) and not CONTROL.search(
        asked.answer
    ):
        yield "answer", asked.answer


@validator("gold-empty", "error", "give the answer")
def gold_empty(asked: Asked) -> Iterator[Flagged]:
    """No value; where there are parts, theirs are the answer."""
    yield from ((field, gold) for field, gold in asked.golds if not gold.strip())


@validator("gold-picture", "error", "leave the problem out, or ask for a value")
def gold_picture(asked: Asked) -> Iterator[Flagged]:
    """A drawing is the answer, or it is elsewhere: MM-MATH (2.1) takes computations only."""
    yield from (
        (field, a) for field, a in asked.golds if DRAWN.search(a) or points_elsewhere(a)
    )


@validator("gold-not-option", "error", "give an option's label, or a set")
def gold_not_option(asked: Asked) -> Iterator[Flagged]:
    answer = asked.answer.strip()
    labels = {o.label for o in asked.options}
    several = asked.kind == "choices" and answer and labels.issuperset(answer)
    if asked.options and asked.kind != "parts" and answer not in labels and not several:
        yield "answer", asked.answer


@validator("gold-parts", "error", "give each sub-answer its own label")
def gold_parts(asked: Asked) -> Iterator[Flagged]:
    """Sub-answers of which no reply could say which one it gives."""
    labels = [part.label for part in asked.parts]
    if asked.kind == "parts" and (len(labels) < 2 or len(set(labels)) < len(labels)):
        yield "parts", ", ".join(labels) or "none"


@validator("gold-is-other-option", "warning", "respell the option's value")
def gold_is_other_option(asked: Asked) -> Iterator[Flagged]:
    """The gold option's value is another option's letter: a reply of that letter is ambiguous."""
    labels = {o.label for o in asked.options}
    for option in asked.options:
        value = option.text.strip()
        if (
            option.label == asked.answer.strip()
            and value != option.label
            and value in labels
        ):
            yield "options", f"{option.label}. {value}"


@validator("option-duplicate", "error", "correct one of the options")
def option_duplicate(asked: Asked) -> Iterator[Flagged]:
    seen: dict[str, str] = {}
    for option in asked.options:
        said = " ".join(
            [*option.text.split(), option.image.sha256 if option.image else ""]
        ).strip()
        if said in seen:
            yield (
                "options",
                f"{seen[said]} and {option.label}: {option.text or 'one picture'}",
            )
        seen.setdefault(said, option.label)


@validator("option-empty", "error", "give its text or its picture")
def option_empty(asked: Asked) -> Iterator[Flagged]:
    for option in asked.options:
        if not option.text.strip() and option.image is None:
            yield "options", option.label


@validator("text-empty", "error", "give the question")
def text_empty(asked: Asked) -> Iterator[Flagged]:
    if not MARK.sub("", asked.question).strip() and not asked.prefix.startswith(
        "vision_only"
    ):
        yield "question", asked.question


@validator("text-dollar", "warning", "close the formula")
def text_dollar(asked: Asked) -> Iterator[Flagged]:
    for field, text in asked.texts:
        if stray_dollars(replace_maths(text, lambda _: " ")):
            yield field, text[:200]


@validator("text-control", "error", "restore the lost character")
def text_control(asked: Asked) -> Iterator[Flagged]:
    for field, text in asked.texts:
        yield from ((field, hit) for hit in control_characters(text))


@validator("text-mojibake", "error", "restore the character")
def text_mojibake(asked: Asked) -> Iterator[Flagged]:
    fields = [*asked.texts, ("answer", asked.answer)]
    whole = "\n".join(text for _, text in fields)
    for field, text in fields:
        yield from ((field, f"{bad} for {good}") for bad, good in mojibake(text, whole))


@validator("picture-placeholder", "error", "add the picture")
def picture_placeholder(asked: Asked) -> Iterator[Flagged]:
    """`<image2>` with one picture is fine only where all figures are pasted into it."""
    numbers = [
        int(n)
        for _, text in asked.texts[: 1 + len(asked.options)]
        for n in MARK.findall(text)
    ]
    composite = len(asked.images) == 1 and asked.images[0].role == "composite"
    shown = len(asked.images) + sum(
        option.image is not None for option in asked.options
    )
    if numbers and not composite and max(numbers) > shown:
        yield "question", f"<image{max(numbers)}> with {shown} pictures"


@validator(
    "picture-missing",
    "error",
    "add the file; those of pages: `html: {images: FOLDER}`",
    whole=True,
)
def picture_missing(problem: Problem) -> Iterator[Flagged]:
    yield from _noted(problem, "missing-picture: ")


@validator("picture-broken", "error", "replace the file", whole=True)
def picture_broken(problem: Problem) -> Iterator[Flagged]:
    yield from _noted(problem, "broken-picture: ")


@validator("picture-small", "warning", "get a larger one", whole=True)
def picture_small(problem: Problem) -> Iterator[Flagged]:
    """Models cut pictures into patches of 14 or 28 pixels; some refuse what holds no patch."""
    for image in _each_once(problem):
        if min(image.width, image.height) < SMALLEST:
            yield "images", f"{image.path}: {image.width} x {image.height} pixels"


def pictures_blank(problem: Problem, root: Path) -> Iterator[Flagged]:
    """Pictures of one colour, as far as `root` holds them."""
    for image in _each_once(problem):
        exists = (root / image.path).is_file()
        if exists and _is_blank(root, image.path, image.width * image.height):
            yield "images", f"{image.path}: nothing is drawn on it"


@lru_cache(maxsize=4096)  # rows that share a picture stand near each other
def _is_blank(root: Path, path: str, pixels: int) -> bool:
    place = inside(root, path)
    if place.stat().st_size > 1500 + pixels / 30:
        return False  # far too many bytes for a single colour
    data = read_bytes(place)
    glance, _ = open_picture(
        data, path, glance=GLANCE
    )  # its tones lie between the picture's
    return is_blank(glance) and is_blank(open_picture(data, path)[0])


def _each_once(problem: Problem) -> list[Image]:
    return list({image.path: image for image in all_images(problem)}.values())


def _noted(problem: Problem, start: str) -> Iterator[Flagged]:
    for note in problem.notes:
        if note.startswith(start):
            yield "images", note.removeprefix(start)


@validator("steps-incomplete", "error", "add the missing rows", whole=True)
def steps_incomplete(problem: Problem) -> Iterator[Flagged]:
    expected = problem.labels.get("steps")
    if problem.steps and isinstance(expected, int) and expected != len(problem.steps):
        yield "steps", f"{len(problem.steps)} of {expected}"


@validator("steps-concepts", "error", "make the concepts agree", whole=True)
def steps_concepts(problem: Problem) -> Iterator[Flagged]:
    """We-Math: the whole problem's concepts are the union of its steps' concepts."""
    whole = set(problem.labels.get("knowledge") or [])
    union = {concept for step in problem.steps for concept in step.knowledge}
    if problem.steps and whole and whole != union:
        extra = sorted(whole - union)
        missing = sorted(union - whole)
        yield "labels.knowledge", f"not in a step: {extra}; only in a step: {missing}"


VALIDATORS.places.update(
    (function.__validator__["name"], f"check.rules:{name}")
    for name, function in list(globals().items())
    if hasattr(function, "__validator__")
)
VALIDATORS.places |= {  # in files of their own
    code: f"check.{file}:{code.replace('-', '_')}"
    for file, codes in {
        "figures": "figure-contradicts",
        "formulas": "text-formula text-bracket text-escape text-command",
        "golds": "gold-unread",
        "lost": "lost-text lost-formula lost-picture",
        "readable": "option-single option-labels option-missing option-unread gold-list "
        "gold-without-options gold-doubtful picture-unread",
        "residues": "text-html text-template text-container option-container picture-source "
        "picture-absent text-table text-characters text-invisible text-torn text-parts",
    }.items()
    for code in codes.split()
}
ID_DUPLICATE = CheckRule("id-duplicate", "error", "give each problem its own id")
# of a set as a whole, see `whole_set.py`
SET_CODES = ("gold-common", "set-unlike", "set-length", "set-repeated")
PICTURE_BLANK = CheckRule("picture-blank", "warning", "get the picture itself")


def codes() -> list[str]:
    """Every code that a finding may have."""
    return [
        *(entry.name for entry in VALIDATORS),
        PICTURE_BLANK.name,
        ID_DUPLICATE.name,
        *SET_CODES,
    ]


def findings_of(problem: Problem, root: Path | None = None) -> Iterator[Finding]:
    """All findings on one problem, its steps and versions; `root` is where its pictures lie."""
    questions = list(questions_of(problem))
    for find in VALIDATORS.every():
        rule = CheckRule(**find.__validator__)
        for asked in [problem] if rule.whole else questions:
            yield from _found(problem, rule, find, asked)
    if root is not None:
        blank = pictures_blank(problem, root)
        yield from (_finding(problem, PICTURE_BLANK, at, value) for at, value in blank)


def _found(
    problem: Problem, rule: CheckRule, find: Validator, asked: Asked | Problem
) -> Iterator[Finding]:
    prefix = asked.prefix if isinstance(asked, Asked) else ""
    try:
        for at, value in find(asked):
            yield _finding(problem, rule, prefix + at, value)
    except (UserError, MachineError):
        raise
    except Exception as error:
        raise bug(
            f"validator {rule.name!r}", find, error, f"problem {problem.id!r}"
        ) from error


def id_duplicates(problems: list[Problem]) -> Iterator[Finding]:
    seen: set[str] = set()
    for problem in problems:
        if problem.id in seen:
            yield _finding(problem, ID_DUPLICATE, "id", problem.id)
        seen.add(problem.id)


def _finding(problem: Problem, rule: CheckRule, where: str, value: str) -> Finding:
    return Finding(
        id=problem.id,
        code=rule.name,
        level=rule.level,
        where=where,
        value=value,
        remedy=rule.remedy,
    )
