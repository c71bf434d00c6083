"""Step decomposition (We-Math, section 4.1): the rules that a composite problem's steps obey.

One sub-problem for each concept; the last one asks the original question and has its answer
(q_M = Q, a_M = A); the condition of a step is the condition before it plus the answer before it;
conditions are given in one way (text or picture); intermediate results are unique.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from itertools import pairwise
from typing import Any

import msgspec

from ..errors import UserError
from ..latex import WIDE_ASCII
from ..problem import Option, Problem, Step
from .tree import Tree

NO_ANSWER = "No correct answer"
REJECTED = (
    "rejected"  # a reviewer's verdict in place of a decomposition, with its reasons
)
NUMBER = re.compile(r"[-−]?\d+(?:\.\d+)?")


class Violation(msgspec.Struct, kw_only=True):
    """A rule that a problem's steps break: a line of violations.jsonl."""

    id: str
    code: str
    where: str
    what: str


def steps_from(decision: dict[str, Any]) -> list[Step]:
    """Steps of an annotator's decision `{injection, steps: [{knowledge, condition, ...}]}`.

    The option "No correct answer" is added where it is missing. Raises UserError for a decision
    without the fields of a step.
    """
    steps = []
    for number, row in enumerate(decision.get("steps") or [], 1):
        try:
            knowledge = row["knowledge"]
            step = Step(
                question=row["question"],
                options=with_no_answer([Option(**option) for option in row["options"]]),
                answer=row["answer"],
                knowledge=knowledge if isinstance(knowledge, list) else [knowledge],
                condition=row.get("condition", ""),
                reasoning=row.get("reasoning", ""),
            )
        except (LookupError, TypeError) as error:
            raise UserError(
                f"step {number} of a decision: {error!r}",
                "a step has question, options, answer, knowledge and condition",
            ) from error
        steps.append(step)
    return steps


def structure_of(decision: dict[str, Any]) -> list[Any]:
    """What two decompositions of a problem must share: every step's concept and its answer.

    Answers are compared by their text, whatever the letters; the wording is each author's own.

    >>> options = [{"label": "A", "text": "$3$ cm"}]
    >>> structure_of({"steps": [{"knowledge": "Area", "options": options, "answer": "A"}]})
    [['Area', '3cm']]
    """
    return [_structure(row) for row in decision.get("steps") or []]


def _structure(row: Any) -> Any:
    if not isinstance(row, dict):
        return row
    options = [
        option for option in row.get("options") or [] if isinstance(option, dict)
    ]
    texts = [o.get("text") for o in options if o.get("label") == row.get("answer")]
    return [row.get("knowledge"), _plain(str(texts[0] if texts else row.get("answer")))]


def is_rejection(value: Any) -> bool:
    """Whether a vote on steps is a reviewer's no: `{"rejected": [reasons]}`."""
    return isinstance(value, dict) and isinstance(value.get(REJECTED), list)


def with_no_answer(options: list[Option]) -> list[Option]:
    """The options with "No correct answer" as the last one.

    >>> [o.label for o in with_no_answer([Option(label="A", text="1")])]
    ['A', 'B']
    """
    if not options or any(
        _plain(option.text) == _plain(NO_ANSWER) for option in options
    ):
        return options
    last = options[-1].label
    if not ("A" <= last < "Z"):
        raise UserError(
            f"no letter follows option {last!r}", "letter the options A to Y at most"
        )
    return [*options, Option(label=chr(ord(last) + 1), text=NO_ANSWER)]


def violations(
    problem: Problem, tree: Tree | None = None, injection: str | None = None
) -> Iterator[Violation]:
    """Every rule that the problem's steps break; nothing for a problem without steps.

    `injection` is how conditions are given: "text" asks each condition to repeat the one before
    and the answer before; with "picture" every later step has a picture of its own instead. None
    is for published steps. Where a condition is drawn, or stands in the question as in the
    published data, the last question is worded anew: its answer alone is compared.
    """
    if not problem.steps:
        return

    def broken(code: str, where: str, what: str) -> Violation:
        return Violation(id=problem.id, code=code, where=where, what=what)

    yield from (broken(*hit) for hit in _concepts(problem, tree))
    yield from (broken(*hit) for hit in _last(problem, injection))
    for number, step in enumerate(problem.steps, 1):
        yield from (broken(*hit) for hit in _answer(step, f"step {number}"))
    if injection == "text":
        yield from (broken(*hit) for hit in _chain(problem.steps))
    elif injection == "picture":
        for number, step in enumerate(problem.steps[1:], 2):
            if not step.images and not step.condition.strip():
                what = (
                    "the condition is neither drawn into a picture of the step nor told"
                )
                yield broken("picture-missing", f"step {number}", what)
        worded = [
            str(k) for k, step in enumerate(problem.steps, 1) if step.condition.strip()
        ]
        if worded and len(worded) < len(problem.steps):
            yield broken(
                "injection-mixed",
                f"step {', '.join(worded)}",
                "conditions told and drawn",
            )


Broken = tuple[str, str, str]  # code, where, what


def _concepts(problem: Problem, tree: Tree | None) -> Iterator[Broken]:
    whole = set(problem.labels.get("knowledge") or [])
    each = [concept for step in problem.steps for concept in step.knowledge]
    if whole and whole != set(each):
        odd = sorted(whole ^ set(each))
        yield (
            "concepts-differ",
            "knowledge",
            f"not in both problem and steps: {', '.join(odd)}",
        )
    for number, step in enumerate(problem.steps, 1):
        if len(step.knowledge) != 1:
            yield (
                "concepts-per-step",
                f"step {number}",
                f"{len(step.knowledge)} concepts, not one",
            )
        for concept in step.knowledge:
            if tree is not None and not tree.has(concept):
                yield "concept-unknown", f"step {number}", concept
    twice = sorted({concept for concept in each if each.count(concept) > 1})
    if twice:
        yield "concept-twice", "knowledge", ", ".join(twice)


def _last(problem: Problem, injection: str | None) -> Iterator[Broken]:
    last, where = problem.steps[-1], f"step {len(problem.steps)}"
    told_apart = injection == "text" and bool(last.condition.strip())
    if told_apart and not _same_question(last.question, problem.question):
        yield (
            "last-question",
            where,
            f"{last.question[:80]!r}, not {problem.question[:80]!r}",
        )
    last_answer, asked = (
        _value(last.options, last.answer),
        _value(problem.options, problem.answer),
    )
    if not _same_answer(last_answer, asked):
        yield "last-answer", where, f"{last_answer[:80]!r}, not {asked[:80]!r}"


def _answer(step: Step, where: str) -> Iterator[Broken]:
    labels = [option.label for option in step.options]
    if step.options and step.answer not in labels:
        yield "answer-not-option", where, step.answer
        return
    value = _plain(_value(step.options, step.answer))
    if not value:
        yield "answer-empty", where, step.answer
    if sum(_plain(option.text) == value for option in step.options) > 1:
        yield "answer-not-unique", where, value
    if not any(_plain(option.text) == _plain(NO_ANSWER) for option in step.options):
        yield "no-correct-answer", where, "the last option is missing"


def _chain(steps: list[Step]) -> Iterator[Broken]:
    """condition m = condition m-1 plus answer m-1, by their words; a question may tell both."""
    for number, (before, step) in enumerate(pairwise(steps), 2):
        value = _value(before.options, before.answer)
        lacking = [
            name
            for name, words in (("condition", before.condition), ("answer", value))
            if _plain(words) not in _plain(step.condition or step.question)
        ]
        if lacking:
            what = (
                f"does not repeat the {' and the '.join(lacking)} of step {number - 1}"
            )
            yield "condition-chain", f"step {number}", what


def _value(options: list[Option], answer: str) -> str:
    return next((option.text for option in options if option.label == answer), answer)


def _plain(text: str) -> str:
    """Case, width, spacing, dollars and a closing full stop do not make a difference."""
    return re.sub(r"[\s$]+|[.。]\s*$", "", text.translate(WIDE_ASCII)).casefold()


def _same_answer(one: str, other: str) -> bool:
    """Equal texts; or one with more words, such as a unit, around the same numbers."""
    one, other = _plain(one), _plain(other)
    numbers = NUMBER.findall(one)
    around = bool(numbers) and numbers == NUMBER.findall(other)
    return one == other or (around and (one in other or other in one))


def _same_question(one: str, other: str) -> bool:
    """The original question may stand behind the step's condition."""
    one, other = _plain(one), _plain(other)
    return one == other or (bool(one) and (other.endswith(one) or one.endswith(other)))
