"""The stage `gold`: what kind of answer a gold is, and whether right replies would be graded right.

Graders reject a share of their own golds (6 % of MATH-Hard in one harness): a gold that does not
equal itself, boxed or bold or with its unit, makes right answers wrong, so it is found here.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from functools import lru_cache
from pathlib import Path
from typing import Any, Literal

import msgspec

from ..base.files import read_jsonl
from ..base.terminal import say
from ..grading.verdicts import (
    Verdict,
    grade_response,
    infer_kind,
    infer_unit,
    precision,
)
from ..pipeline import Context, stage
from ..problem import Drop, Option, Part, Problem, Source

GOLD = ("answer", "answer_kind", "unit", "tolerance")


class _Missed(msgspec.Struct):
    id: str


def _told(folder: Path, options: dict[str, Any]) -> None:
    """Say of how many problems a right reply may be graded wrong; rows are spellings."""
    table = folder / "gold.jsonl"
    missed = {row.id for row in read_jsonl(table, _Missed)} if table.exists() else set()
    if missed:
        say(
            f"gold: {len(missed)} problems whose gold is missed in some spelling of a right reply;"
            " gold.jsonl of this stage names them"
        )


@stage("gold", settled=_told)
def gold(
    problem: Problem, *, on_fail: Literal["report", "drop"] = "report", context: Context
) -> Problem | Drop:
    """Infer kind, unit and tolerance of the answer, then grade it in the spellings models use.

    What is declared already is kept (`text` counts as undeclared). Spellings that are not graded
    equal go to the side table `gold.jsonl`; `on_fail: drop` drops problems with no answer or with
    one that does not even equal itself.

    Example: `- gold: {on_fail: drop}`
    """
    problem = declared(problem)
    failures = list(self_test(problem))
    for failure in failures:
        context.record("gold", failure)
    hopeless = any(failure["spelling"] in ("empty", "as it is") for failure in failures)
    if hopeless and on_fail == "drop":
        return Drop(id=problem.id, reason="the gold answer does not equal itself")
    return problem


def declared(problem: Problem) -> Problem:
    """The problem with kind, unit and tolerance of its answer filled in."""
    if not problem.answer.strip():
        return problem
    kind = problem.answer_kind
    if kind == "parts":
        return msgspec.structs.replace(
            problem, parts=[_declared(part) for part in problem.parts]
        )
    if kind == "text":
        kind = infer_kind(problem.answer, problem.options)
    changes: dict[str, Any] = {"answer_kind": kind}
    if kind == "number":
        changes["unit"] = problem.unit or infer_unit(problem.answer)
        changes["tolerance"] = (
            problem.tolerance
            if problem.tolerance is not None
            else precision(problem.answer)
        )
    return msgspec.structs.replace(problem, **changes)


def self_test(problem: Problem) -> Iterator[dict[str, Any]]:
    """The spellings of the gold that are not graded equal to it.

    >>> from ..problem import Source
    >>> source = Source(name="a", raw_id="1")
    >>> list(self_test(Problem(id="a-1", origin="a-1", source=source, question="?", answer="3")))
    []
    """
    if not problem.answer.strip():
        yield _failure(problem, "empty", "", "no answer", "unparsed")
        return
    if problem.answer_kind == "parts":
        yield from _parts_test(problem)
        return
    gold = {name: getattr(problem, name) for name in (*GOLD, "options", "ordered")}
    for failed in _failed(msgspec.msgpack.encode(gold)):
        yield _failure(problem, *failed)


_WORDS = re.compile(r"[^\W_]+")


@lru_cache(maxsize=10_000)  # short golds come again and again: a letter, a small number
def _failed(gold: bytes) -> list[tuple[str, str, str, str]]:
    """The spellings that fail, with how and with the verdict's status."""
    problem = msgspec.structs.replace(
        _ALONE, **msgspec.msgpack.decode(gold, type=dict[str, Any])
    )
    problem.options = msgspec.convert(problem.options, list[Option])
    texts = {word for option in problem.options for word in _WORDS.findall(option.text)}
    failed = list[tuple[str, str, str, str]]()
    for name, reply in spellings(problem):
        if problem.answer_kind == "choice" and texts.isdisjoint(_WORDS.findall(reply)):
            verdict = _by_letter(
                reply, problem.answer, *(o.label for o in problem.options)
            )
        else:
            verdict = graded(reply, problem, options=problem.options)
        if verdict.equal is not True:
            failed.append((name, reply, verdict.how, verdict.status))
    return failed


def graded(reply: str, problem: Problem, options: Sequence[Option] = ()) -> Verdict:
    """The verdict on a reply to a problem; `options` where it may name one.

    Example: `graded("$0.5$", problem).equal`
    """
    return grade_response(
        reply,
        problem.answer,
        kind=problem.answer_kind,
        options=options,
        unit=problem.unit,
        tolerance=problem.tolerance,
        ordered=problem.ordered,
    )


@lru_cache(maxsize=1024)
def _by_letter(reply: str, answer: str, *labels: str) -> Verdict:
    """The verdict on a reply that says nothing of the options' texts: many problems share it."""
    return grade_response(
        reply,
        answer,
        kind="choice",
        options=[Option(label=label, text="") for label in labels],
    )


_ALONE = Problem(id="", origin="", source=Source(name="", raw_id=""), question="")


def _declared(part: Part) -> Part:
    whole = declared(msgspec.structs.replace(_ALONE, **_gold(part)))
    return Part(label=part.label, ordered=part.ordered, **_gold(whole))


def _parts_test(problem: Problem) -> Iterator[dict[str, Any]]:
    """Each sub-answer is tested as a gold of its own."""
    for part in problem.parts:
        alone = msgspec.structs.replace(
            problem, parts=[], **_gold(part), ordered=part.ordered
        )
        for failure in self_test(alone):
            yield failure | {"part": part.label}


def _gold(record: Problem | Part) -> dict[str, Any]:
    return {name: getattr(record, name) for name in GOLD}


def _failure(
    problem: Problem, spelling: str, reply: str, how: str, status: str
) -> dict[str, Any]:
    return {
        "id": problem.id,
        "answer": problem.answer,
        "kind": problem.answer_kind,
        "spelling": spelling,
        "reply": reply,
        "how": how,
        "status": status,
    }


def spellings(problem: Problem) -> Iterator[tuple[str, str]]:
    """Right replies, named: as models write them."""
    answer = problem.answer.strip()
    bare = answer.strip("$")
    yield "as it is", answer
    yield "boxed", f"So it is $\\boxed{{{bare}}}$."
    yield "bold", f"**Answer: {answer}**"
    yield "declared", f"We add up. The answer is {answer}."
    if problem.answer_kind == "choice":
        text = next((o.text for o in problem.options if o.label == answer), "")
        yield "boxed text", f"\\boxed{{\\text{{({bare})}}}}"
        if text:
            yield "letter with value", f"The correct answer is ({answer}) {text}."
        if text and sum(o.text == text for o in problem.options) == 1:
            yield "option value", f"The answer is {text}."
        return
    if "\\frac" in answer:
        yield "dfrac", f"\\boxed{{{bare.replace(chr(92) + 'frac', chr(92) + 'dfrac')}}}"
    written = (
        problem.unit and problem.unit in bare
    )  # a gold that spells its unit already
    if problem.unit and problem.answer_kind == "number" and not written:
        yield "with unit", f"\\boxed{{{bare}\\text{{ {problem.unit}}}}}"
