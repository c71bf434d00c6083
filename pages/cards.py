"""What the sample viewer shows of one sample, whoever made it: a release, a score, a comparison."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence

import msgspec

from ..problem import Option, Problem, Sample, asked
from .rich import Mark, Rich, rich

# commands and what they set upright already, or words
WORDS = re.compile(
    r"(\\(?:text|math|mbox|operatorname)[a-z]*\s*\{[^{}]*\}|\\[A-Za-z]+)"
    r"| ?(?<![A-Za-z])(?:[A-Z]?[a-z]{2,3} )?[A-Za-z]?[a-z]{3,}"
    r"(?:[ :,]+[a-z]{2,}(?![A-Za-z]))*[ :,]*"
)
SEARCHED = 20_000  # characters at the end of a reply in which its answer is looked for


CELLS = (  # of a reply, in the grid
    "read",
    "status",
    "finish",
    "tokens",
    "of thoughts",
    "of the prompt",
    "seconds",
    "cost",
)


class Run(msgspec.Struct, omit_defaults=True):
    """One reply to a sample: what was said, what was read in it, and the verdict.

    `thoughts` are what the model said to itself, `cells` what the grid shows under CELLS, `asked`
    the message as it was sent. Where a sample has several `rounds` of replies, `round` says which.
    """

    name: str = ""
    round: int = 1
    right: bool | None = None
    rows: list[tuple[str, Rich]] = []
    text: Rich = ""  # shown at once
    pictures: list[str] = []  # paths below the viewer's root
    reply: Rich | None = None  # opened by a click
    thoughts: Rich | None = None  # as well
    asked: Rich | None = None  # as well
    cells: list[str | float | None] = []
    said: list[str] = []  # a judge's lines
    seen: str = ""  # what a verdict on this reply is bound to


class Issue(msgspec.Struct, omit_defaults=True):
    """What is wrong: its code, the field it is about, what was found there, and the remedy."""

    code: str
    where: str
    what: str
    remedy: str
    level: str = "error"  # or warning


class Round(msgspec.Struct, omit_defaults=True):
    """The replies of one number to a sample, one a run: what they can be filtered by.

    `numbers` are what they can be compared by: tokens, seconds, cost.
    """

    facets: dict[str, list[str]] = {}
    numbers: dict[str, float] = {}


class Card(msgspec.Struct, omit_defaults=True):
    """One sample. `facets` are what it can be filtered by; `gold` are letters of right options.

    A card is a row of the page, or one row for each of its `rounds`, where replies are counted.
    A raw row is one, too: `raw` are its cells, each with its pictures, and `became` its problems.
    """

    id: str
    problem: str
    facets: dict[str, list[str]]
    version: str = ""
    question: Rich = ""
    pictures: list[str] = []  # paths below the viewer's root
    options: list[tuple[str, Rich, str]] = []  # letter, text, picture or ""
    gold: list[str] = []
    rows: list[tuple[str, Rich]] = []
    runs: list[Run] = []
    rounds: list[Round] = []
    more: list[tuple[str, list[tuple[str, Rich]]]] = []  # folded: title, rows
    warnings: list[str] = []
    issues: list[Issue] = []
    raw: list[tuple[str, Rich, list[str]]] = []
    became: list[Card] = []
    seen: str = ""  # what a decision on this card is bound to


def card_of(
    sample: Sample, facets: Mapping[str, Sequence[str]], problem: Problem | None = None
) -> Card:
    """The card of a sample as a release has it; `problem` brings spans, notes and provenance."""
    letters = [o.label for o in sample.options]
    answer = sample.answer or ""
    gold = [answer] if answer in letters else [c for c in answer if c in letters]
    return Card(
        id=sample.id,
        problem=sample.problem_id,
        version=sample.version,
        facets={name: list(values) for name, values in facets.items()},
        question=rich(sample.asked(), _roles(sample, problem)),
        pictures=[image.path for image in sample.images],
        options=[_option(option) for option in sample.options],
        gold=gold if sample.answer_kind in ("choice", "choices") else [],
        rows=_rows(sample),
        more=_more(sample, problem),
    )


def _option(option: Option) -> tuple[str, Rich, str]:
    return option.label, rich(option.text), option.image.path if option.image else ""


def _rows(sample: Sample) -> list[tuple[str, Rich]]:
    rows: list[tuple[str, Rich]] = []
    gold = "withheld" if sample.answer is None else sample.answer
    if sample.parts:
        rows += [(f"answer ({p.label})", formula(p.answer)) for p in sample.parts]
    elif gold:
        unit = f" {sample.unit}" if sample.unit else ""
        rows.append(
            ("gold", formula(gold) if not unit else [*parts(formula(gold)), unit])
        )
    return rows


def _more(
    sample: Sample, problem: Problem | None
) -> list[tuple[str, list[tuple[str, Rich]]]]:
    more: list[tuple[str, list[tuple[str, Rich]]]] = []
    if sample.solution:
        more.append(("Solution", [("", rich(sample.solution))]))
    if problem is not None and problem.steps and not sample.version.startswith("step"):
        steps: list[tuple[str, Rich]] = []
        for k, step in enumerate(problem.steps, 1):
            steps.append((f"step {k}", rich(asked(step.condition, step.question))))
            steps.append(("answer", formula(step.answer)))
            if step.knowledge:
                steps.append(("knowledge", ", ".join(step.knowledge)))
        more.append(("Steps", steps))
    source = sample.source
    origin: list[tuple[str, Rich]] = [
        (name, value)
        for name, value in (
            ("source", source.name),
            ("id there", source.raw_id),
            ("address", source.url or ""),
            ("licence", source.license or ""),
            ("cluster", sample.origin if sample.origin != sample.problem_id else ""),
            ("language", sample.language),
            ("answer kind", sample.answer_kind),
        )
        if value
    ]
    notes = dict.fromkeys([*sample.notes, *(problem.notes if problem else [])])
    origin += [("stage", note) for note in notes]
    more.append(("Provenance", origin))
    return more


def _roles(sample: Sample, problem: Problem | None) -> list[Mark]:
    """Spans colour the question that they were marked in, and what a version keeps of it: a stretch
    that stands there once, to the letter (MathVerse, figures 2 and 14)."""
    if problem is None:
        return []
    text = sample.asked()
    if problem.question == text:
        return [Mark(span.start, span.end, span.role) for span in problem.spans]
    marks = []
    for span in problem.spans if sample.version else ():
        stretch = problem.question[span.start : span.end].strip()
        if stretch and text.count(stretch) == 1:
            start = text.index(stretch)
            marks.append(Mark(start, start + len(stretch), span.role))
    return marks


def formula(answer: str) -> Rich:
    r"""A bare answer as a formula, where it is LaTeX without delimiters; its words are upright.

    >>> formula(r"\frac{1}{2}"), formula("12 cm"), formula("an object of_type x")
    ([{'f': '\\frac{1}{2}'}], '12 cm', 'an object of_type x')
    >>> formula(r"range: [0, \infty) and so on")
    [{'f': '\\text{range: }[0, \\infty)\\text{ and so on}'}]
    """
    bare = "$" not in answer and "\n" not in answer and len(answer) <= 500
    command = re.search(r"\\[A-Za-z]", answer)
    if bare and (
        command or (re.search(r"[\^_]", answer) and not re.search("[a-z]{4}", answer))
    ):
        return [{"f": WORDS.sub(lambda m: m[1] or rf"\text{{{m[0]}}}", answer)}]
    return rich(answer)


def parts(text: Rich) -> list[object]:
    """The parts of a text, to put others beside them."""
    return [text] if isinstance(text, str) else list(text)


def reply(
    text: str | None,
    extracted: str | None,
    options: Iterable[Option] = (),
    span: tuple[int, int] | None = None,
) -> Rich:
    """A whole reply with the place where its answer stands, as it was said: nobody looks at most.

    The page cuts it into formulas and words, and colours the place, when it is looked at. That is
    `span`; where nobody noted it, the last place that says the answer.

    >>> reply("A? No, it is B.", "B")
    [{'u': ['A? No, it is ', 'B', '.']}]
    >>> reply("B, as in B.", "B", span=(0, 1)), reply("Hm.", None)
    ([{'u': ['', 'B', ', as in B.']}], [{'u': ['Hm.']}])
    """
    text = text or ""
    if span is not None and 0 <= span[0] < span[1] <= len(text):
        return _unset(text, *span)
    texts = {o.label: o.text for o in options}
    for wanted in filter(None, (extracted, texts.get(extracted or ""))):
        if place := _last(text, wanted):
            return _unset(text, *place)
    return unset(text)


def unset(text: str) -> Rich:
    """A text that the page cuts into formulas and words when it is looked at."""
    return [{"u": [text]}] if text else ""


def _unset(text: str, start: int, end: int) -> Rich:
    return [{"u": [text[:start], text[start:end], text[end:]]}]


def _last(text: str, wanted: str) -> tuple[int, int] | None:
    """Where `wanted` stands last; a letter or number only by itself."""
    start = max(0, len(text) - SEARCHED)
    if len(wanted) > 1 and not wanted.isalnum():
        at = text.rfind(wanted, start)
        return (at, at + len(wanted)) if at >= 0 else None
    own = re.compile(rf"(?<![^\W_]){re.escape(wanted)}(?![^\W_])")
    places = [match.span() for match in own.finditer(text, start)]
    return places[-1] if places else None
