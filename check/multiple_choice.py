"""The stage `options`: open questions as multiple choice (We-Math, section 3.3).

Distractors are people's work: a file of lines
`{"id", "question", "answer", "distractors": [...], "reviewer"}`, where question and answer are what
stood there when the distractors were written. `shown` may say how the gold is to be written.
"""

from __future__ import annotations

import random
from pathlib import Path
from typing import Any, Literal

import msgspec

from ..base.about import bind, stale_fields
from ..base.files import BAD_JSON, read_lines
from ..errors import UserError
from ..pipeline import Context, stage
from ..problem import Drop, Option, Problem
from ..taxonomy import with_no_answer
from .gold import graded

LETTERS = "ABCDEFGHIJKLMNOPQRSTUVWXY"  # Z is left for "No correct answer"
ASKS_FOR_NO_ANSWER = ("we-math",)  # benchmarks whose every question offers it


class Distractors(msgspec.Struct, kw_only=True, forbid_unknown_fields=True):
    """The wrong options of one problem, and the text that they were written for."""

    id: str
    question: str
    answer: str
    distractors: list[str]
    reviewer: str = ""
    shown: str | None = None


@stage("options", whole_set=True)
def options(
    problems: list[Problem],
    *,
    context: Context,
    distractors: Path | None = None,
    no_answer: bool | None = None,
    otherwise: Literal["keep", "drop"] = "keep",
) -> list[Problem | Drop]:
    """Open questions become multiple choice with reviewed distractors, in an order by the seed.

    `no_answer` adds "No correct answer" as the last option of every question that has options, of
    its steps too; the default is what the source's benchmark does (We-Math: yes). Side tables:
    `open` (rows to fill in and review), `stale`, `unmatched`. With `otherwise: drop` what stays
    open is dropped. Raises UserError for a distractor that the grader takes for the gold.

    Example: `- options: {distractors: distractors.jsonl}`
    """
    written = _read(distractors) if distractors is not None else {}
    for name in sorted(written.keys() - {problem.id for problem in problems}):
        context.record(
            "unmatched", {"id": name, "why": "distractors for a problem not here"}
        )
    return [
        _still_bound(problem, _chosen(problem, row, no_answer, otherwise, context))
        for problem, row in ((problem, written.get(problem.id)) for problem in problems)
    ]


def _still_bound(before: Problem, after: Problem | Drop) -> Problem | Drop:
    """Steps stay with their question when nothing but its options has changed."""
    bound = "steps" in before.about and "steps" not in stale_fields(before)
    if bound and isinstance(after, Problem):
        bind(after, "steps")
    return after


def _read(path: Path) -> dict[str, Distractors]:
    rows: dict[str, Distractors] = {}
    for number, line in read_lines(path):
        try:
            row = msgspec.json.decode(line, type=Distractors)
        except BAD_JSON as error:
            raise UserError(
                f"{path}:{number}: {error}", "repair or remove this line"
            ) from error
        if row.id in rows:
            raise UserError(
                f"{path}:{number}: {row.id} stands twice", "keep one line of it"
            )
        if row.distractors and not row.reviewer.strip():
            raise UserError(
                f"{path}:{number}: {row.id} has no reviewer", "say who looked at it"
            )
        if len(row.distractors) >= len(LETTERS):
            raise UserError(
                f"{path}:{number}: {len(row.distractors)} distractors", "keep some"
            )
        rows[row.id] = row
    return rows


def _chosen(
    problem: Problem,
    row: Distractors | None,
    no_answer: bool | None,
    otherwise: str,
    context: Context,
) -> Problem | Drop:
    if not problem.options:
        why = _not_usable(problem, row)
        if row is not None and why == "stale":
            context.record(
                "stale",
                {"id": problem.id, "why": "written for another text", "was": row},
            )
        if row is None or why:
            context.record("open", _template(problem, why))
            if otherwise == "drop":
                return Drop(id=problem.id, reason=f"options: {why}")
            return problem
        problem = _multiple_choice(problem, row, context.seed)
    wanted = (
        problem.source.benchmark in ASKS_FOR_NO_ANSWER
        if no_answer is None
        else no_answer
    )
    return _with_no_answer(problem) if wanted else problem


def _not_usable(problem: Problem, row: Distractors | None) -> str:
    """Why a problem stays open; nothing where its distractors fit."""
    if problem.samples:
        return "has versions: put `options` before `versions`"
    if problem.answer_kind == "parts" or not problem.answer.strip():
        return "several sub-answers" if problem.answer_kind == "parts" else "no answer"
    if row is None or not row.distractors:
        return "no distractors"
    same = (row.question, row.answer) == (problem.question, problem.answer)
    return "" if same else "stale"


def _template(problem: Problem, why: str) -> dict[str, Any]:
    """A row for the file of distractors; `why` is to be taken out."""
    return {
        "id": problem.id,
        "question": problem.question,
        "answer": problem.answer,
        "distractors": [],
        "reviewer": "",
        "why": why,
    }


def _multiple_choice(problem: Problem, row: Distractors, seed: int) -> Problem:
    gold = _shown(problem, row)
    texts = [gold, *(text.strip() for text in row.distractors)]
    for text in texts[1:]:
        if equal(text, problem):
            raise _refused(problem, f"{text!r} equals the gold {problem.answer!r}")
        if not text or sum(_squeezed(text) == _squeezed(other) for other in texts) > 1:
            raise _refused(
                problem, f"{text!r} stands twice" if text else "an empty distractor"
            )
    random.Random(f"{seed}\0{problem.id}").shuffle(texts)
    made = [Option(label=LETTERS[k], text=text) for k, text in enumerate(texts)]
    return msgspec.structs.replace(
        problem,
        options=made,
        answer=LETTERS[texts.index(gold)],
        answer_kind="choice",
        unit=None,
        tolerance=None,
        ordered=None,
        notes=[*problem.notes, f"options: was open, answer {problem.answer}"],
    )


def equal(text: str, problem: Problem) -> bool:
    """Whether the project's grading takes an option's text for the gold, bare or boxed.

    >>> from ..problem import Source
    >>> gold = Problem(id="a", origin="a", source=Source(name="a", raw_id="1"), question="?",
    ...                answer=r"\\frac{1}{2}", answer_kind="number")
    >>> equal("$0.5$", gold), equal("0.6", gold)
    (True, False)
    """
    bare = text.replace("$", "").strip()
    return any(graded(reply, problem).equal for reply in (text, f"\\boxed{{{bare}}}"))


def _shown(problem: Problem, row: Distractors) -> str:
    """The gold as an option says it: as the reviewer wrote it, or with dollars around a formula."""
    if row.shown is not None:
        if not equal(row.shown, problem):
            raise _refused(
                problem, f"shown {row.shown!r} is not the gold {problem.answer!r}"
            )
        return row.shown.strip()
    answer = problem.answer.strip()
    bare = "$" not in answer and any(mark in answer for mark in "\\^_{")
    return f"${answer}$" if bare else answer


def _squeezed(text: str) -> str:
    return "".join(text.replace("$", "").split()).casefold()


def _refused(problem: Problem, what: str) -> UserError:
    return UserError(
        f"options: {problem.id}: {what}", "correct its line of distractors"
    )


def _with_no_answer(problem: Problem) -> Problem:
    """The last option of every question: the problem's own, its steps', its versions'."""
    add = msgspec.structs.replace
    return add(
        problem,
        options=with_no_answer(problem.options),
        steps=[
            add(step, options=with_no_answer(step.options)) for step in problem.steps
        ],
        samples=[
            add(sample, options=with_no_answer(sample.options))
            for sample in problem.samples
        ],
    )
