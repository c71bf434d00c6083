"""Step decomposition (We-Math, section 4.1): the rules that a composite problem's steps obey.

One sub-problem for each concept; the last one asks the original question and has its answer
(q_M = Q, a_M = A); the condition of a step is the condition before it plus the answer before it;
conditions are given in one way (text or picture); intermediate results are unique.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator
from itertools import pairwise
from typing import Any

import msgspec

from ..errors import UserError
from ..latex import WIDE_ASCII
from ..problem import Option, Problem, Step
from .tree import Tree

NO_ANSWER = "No correct answer"
REJECTED = "rejected"  # a reviewer's verdict in place of a decomposition, with reasons
# A number in figures, to tell whether two answers hold the same ones; units stay outside.
NUMBER = re.compile(r"[-−]?\d+(?:\.\d+)?")
# What makes no difference between two texts: spaces, dollars, a full stop at the end.
INSIGNIFICANT = re.compile(r"[\s$]+|[.。]\s*$")

Broken = tuple[str, str, str]  # code, where, what


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
    answer = row.get("answer")
    for option in row.get("options") or []:
        if isinstance(option, dict) and option.get("label") == row.get("answer"):
            answer = option.get("text")
            break
    return [row.get("knowledge"), _plain(str(answer))]


def is_rejection(value: Any) -> bool:
    """Whether a vote on steps is a reviewer's no: `{"rejected": [reasons]}`."""
    return isinstance(value, dict) and isinstance(value.get(REJECTED), list)


def with_no_answer(options: list[Option]) -> list[Option]:
    """The options with "No correct answer" as the last one.

    >>> [o.label for o in with_no_answer([Option(label="A", text="1")])]
    ['A', 'B']
    """
    if not options or _has_no_answer(options):
        return options
    last = options[-1].label
    if not ("A" <= last < "Z"):
        raise UserError(
            f"no letter follows option {last!r}", "letter the options A to Y at most"
        )
    return [*options, Option(label=chr(ord(last) + 1), text=NO_ANSWER)]


def _has_no_answer(options: list[Option]) -> bool:
    return any(_plain(option.text) == _plain(NO_ANSWER) for option in options)


def violations(
    problem: Problem, tree: Tree | None = None, injection: str | None = None
) -> Iterator[Violation]:
    """Every rule that the problem's steps break; nothing for a problem without steps.

    `injection` is how conditions are given: "text" asks each condition to repeat the one before
    and the answer before; with "picture" every later step has a picture of its own instead. None
    is for published steps. Where a condition is drawn, or stands in the question as in the
    published data, the last question is worded anew: its answer alone is compared.
    """
    if problem.steps:
        for code, where, what in _broken_rules(problem, tree, injection):
            yield Violation(id=problem.id, code=code, where=where, what=what)


def _broken_rules(
    problem: Problem, tree: Tree | None, injection: str | None
) -> Iterator[Broken]:
    yield from _concepts(problem, tree)
    yield from _last(problem, injection)
    for number, step in enumerate(problem.steps, 1):
        yield from _answer(step, f"step {number}")
    if injection == "text":
        yield from _chain(problem.steps)
    elif injection == "picture":
        yield from _pictures(problem.steps)


def _pictures(steps: list[Step]) -> Iterator[Broken]:
    """Every later step has its condition drawn; conditions in words are for all steps or none."""
    for number, step in enumerate(steps[1:], 2):
        if not step.images and not step.condition.strip():
            what = "the condition is neither drawn into a picture of the step nor told"
            yield "picture-missing", f"step {number}", what
    in_words = [str(k) for k, step in enumerate(steps, 1) if step.condition.strip()]
    if in_words and len(in_words) < len(steps):
        where = f"step {', '.join(in_words)}"
        yield "injection-mixed", where, "conditions told and drawn"


def _concepts(problem: Problem, tree: Tree | None) -> Iterator[Broken]:
    of_problem = set(problem.labels.get("knowledge") or [])
    of_steps = [concept for step in problem.steps for concept in step.knowledge]
    if of_problem and of_problem != set(of_steps):
        odd = ", ".join(sorted(of_problem ^ set(of_steps)))
        what = f"not in both problem and steps: {odd}"
        yield "concepts-differ", "knowledge", what
    for number, step in enumerate(problem.steps, 1):
        where = f"step {number}"
        count = len(step.knowledge)
        if count != 1:
            yield "concepts-per-step", where, f"{count} concepts, not one"
        for concept in step.knowledge:
            if tree is not None and not tree.has(concept):
                yield "concept-unknown", where, concept
    repeated = sorted({c for c, times in Counter(of_steps).items() if times > 1})
    if repeated:
        yield "concept-twice", "knowledge", ", ".join(repeated)


def _last(problem: Problem, injection: str | None) -> Iterator[Broken]:
    last = problem.steps[-1]
    where = f"step {len(problem.steps)}"
    condition_apart = injection == "text" and bool(last.condition.strip())
    if condition_apart and not _same_question(last.question, problem.question):
        what = f"{last.question[:80]!r}, not {problem.question[:80]!r}"
        yield "last-question", where, what
    last_answer = _value(last.options, last.answer)
    answer = _value(problem.options, problem.answer)
    if not _same_answer(last_answer, answer):
        yield "last-answer", where, f"{last_answer[:80]!r}, not {answer[:80]!r}"


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
    if not _has_no_answer(step.options):
        yield "no-correct-answer", where, "the last option is missing"


def _chain(steps: list[Step]) -> Iterator[Broken]:
    """condition m = condition m-1 plus answer m-1, by their words; a question may tell both."""
    for number, (before, step) in enumerate(pairwise(steps), 2):
        answer = _value(before.options, before.answer)
        text = _plain(step.condition or step.question)
        lacking = [
            name
            for name, words in (("condition", before.condition), ("answer", answer))
            if _plain(words) not in text
        ]
        if lacking:
            parts = " and the ".join(lacking)
            what = f"does not repeat the {parts} of step {number - 1}"
            yield "condition-chain", f"step {number}", what


def _value(options: list[Option], answer: str) -> str:
    return next((option.text for option in options if option.label == answer), answer)


def _plain(text: str) -> str:
    """Case, width, spacing, dollars and a closing full stop do not make a difference."""
    return INSIGNIFICANT.sub("", text.translate(WIDE_ASCII)).casefold()


def _same_answer(step_answer: str, answer: str) -> bool:
    """Equal texts; or one with more words, such as a unit, around the same numbers."""
    a = _plain(step_answer)
    b = _plain(answer)
    if a == b:
        return True
    numbers = NUMBER.findall(a)
    if not numbers or numbers != NUMBER.findall(b):
        return False
    return a in b or b in a


def _same_question(step_question: str, question: str) -> bool:
    """The original question may stand behind the step's condition."""
    a = _plain(step_question)
    b = _plain(question)
    return a == b or (bool(a) and (b.endswith(a) or a.endswith(b)))
