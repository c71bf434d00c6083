"""The stages of `convert/`, one thin function each."""

from __future__ import annotations

import difflib
from collections.abc import Callable
from functools import lru_cache
from pathlib import Path
from typing import Any, Literal

import msgspec
from msgspec.structs import replace

from ..base.terminal import say
from ..errors import UserError
from ..latex import Delimiters, read_boxed, write_boxed
from ..pipeline import Context, stage
from ..problem import Drop, Problem, Span
from .documents import in_dollars
from .golds import plain_gold, respelled
from .normalise import TextChange, normalise_latex, normalise_prose, unbalanced
from .open_ended import open_up
from .suggestions import Suggestion, apply_suggestions, read_reviewed

Rewrite = Callable[[str], tuple[str, list[TextChange]]]


@stage("mathml")
def mathml(problem: Problem) -> Problem | Drop:
    """Every `<math>` element in a problem's texts becomes `$...$`; a refused one drops the problem.

    An answer that is one formula becomes bare LaTeX.
    """
    from .mathml import convert_problem

    return convert_problem(problem)


@stage("html")
def html(
    problem: Problem, *, images: Path | None = None, context: Context
) -> Problem | Drop:
    """HTML in a problem's fields, as school sites keep it, becomes text with LaTeX and pictures.

    Pictures are taken from the folder `images` by their address, or from `data:` addresses, and
    never fetched. Side tables: `remote` (addresses that are not in the folder), `pictures` (those
    of solutions, which are not kept). A page or formula that is refused drops the problem.
    """
    from .html_fields import from_html

    changed = from_html(problem, images, context)
    if isinstance(changed, Problem):
        changed.spans = moved(problem.spans, problem.question, changed.question)
    return changed


@stage("mmd")
def mmd(
    problem: Problem,
    *,
    inline: list[tuple[str, str]] | None = None,
    display: list[tuple[str, str]] | None = None,
) -> Problem:
    """Formulas of Mathpix Markdown, or of other delimiters, between dollars."""
    defaults = Delimiters()
    delimiters = Delimiters(
        inline=tuple(inline or defaults.inline),
        display=tuple(display or defaults.display),
    )
    return _rewritten(problem, lambda text: (in_dollars(text, delimiters), []))[0]


@stage("latex")
def latex(problem: Problem, *, box: bool = False, context: Context) -> Problem:
    r"""Formulas in plain LaTeX; bare LaTeX gets dollars; what does not close is listed.

    Golds are respelled too; one that is a formula between dollars, or in a box, is bare then.
    With `box` the solution ends in its boxed answer, and a missing answer is read from the box.
    Side tables: `changes`, `unbalanced`.
    """
    problem = _recorded(problem, _latex_of, context)
    problem = _spelled_golds(problem, plain_gold, context)
    for field, text in _texts(problem):
        for what in _unbalanced_in(text):
            context.record(
                "unbalanced", {"id": problem.id, "field": field, "what": what}
            )
    return _boxed(problem, context) if box else problem


def _spelled_golds(
    problem: Problem, spell: Callable[[str], str], context: Context
) -> Problem:
    """The problem with its golds respelled, and a row of `changes` for each that became another."""
    problem, changes = respelled(problem, spell)
    for field, change in changes:
        row = {"id": problem.id, "field": field, **msgspec.to_builtins(change)}
        context.record("changes", row)
    return problem


SHORT = 60  # characters: options and units come again and again


def _latex_of(text: str) -> tuple[str, list[TextChange]]:
    return _short_latex(text) if len(text) <= SHORT else normalise_latex(text)


@lru_cache(maxsize=4096)
def _short_latex(text: str) -> tuple[str, list[TextChange]]:
    return normalise_latex(text)


def _unbalanced_in(text: str) -> list[str]:
    return _short_unbalanced(text) if len(text) <= SHORT else list(unbalanced(text))


@lru_cache(maxsize=4096)
def _short_unbalanced(text: str) -> list[str]:
    return list(unbalanced(text))


@stage("text")
def text(problem: Problem, *, context: Context) -> Problem:
    """Widths and punctuation of the prose between formulas, of golds too. Side table: `changes`."""
    problem = _recorded(problem, normalise_prose, context)
    return _spelled_golds(problem, lambda gold: normalise_prose(gold)[0], context)


@stage("open-ended")
def open_ended(
    problem: Problem, *, otherwise: Literal["keep", "drop"] = "keep", context: Context
) -> list[Problem] | Drop:
    """Questions without options (MM-MATH, appendix B); what rules cannot open needs a suggestion.

    Side table `closed` names each problem that stayed as it was, and why.
    """
    result = open_up(problem)
    if result.problems:
        return result.problems
    context.record("closed", {"id": problem.id, "reason": result.reason})
    if otherwise == "drop" or result.reason in ("proof", "answer elsewhere"):
        return Drop(id=problem.id, reason=f"open-ended: {result.reason}")
    return [problem]


@stage("suggestions", whole_set=True)
def suggestions(
    problems: list[Problem],
    *,
    file: Path,
    decisions: Path | None = None,
    unreviewed: Literal["skip", "use"] = "skip",
    context: Context,
) -> list[Problem]:
    """Reviewed suggestions of a model become the text. Side table: `suggested`.

    With `unreviewed: use` also those that passed the guards and that nobody has looked at.
    Suggestions for a text that has changed since are not used (side table `stale`), nor are those
    for problems that are not here (`unmatched`).
    """
    chosen = read_reviewed(file, decisions, unreviewed == "use")
    known = {p.id for p in problems}
    own: dict[str, list[Suggestion]] = {}
    for s in chosen:
        own.setdefault(s.problem_id, []).append(s)
        if s.problem_id not in known:
            why = "a suggestion for a problem that is not here"
            context.record(
                "unmatched", {"id": s.problem_id, "suggestion": s.id, "why": why}
            )
    stale: list[str] = []

    def record(table: str, row: dict[str, Any]) -> None:
        context.record(table, row)
        if table == "stale":
            stale.append(row["id"])

    done = [apply_suggestions(p, own.get(p.id, []), record) for p in problems]
    if stale:
        named = ", ".join(stale[:5]) + (", ..." if len(stale) > 5 else "")
        say(
            f"suggestions: {len(stale)} made for another text: {named}; ask the model again"
        )
    return done


def _texts(problem: Problem) -> list[tuple[str, str]]:
    return [
        ("question", problem.question),
        *((f"option {o.label}", o.text) for o in problem.options),
        *([("solution", problem.solution)] if problem.solution else []),
    ]


def _recorded(problem: Problem, rewrite: Rewrite, context: Context) -> Problem:
    problem, log = _rewritten(problem, rewrite)
    for field, change in log:
        row = {"id": problem.id, "field": field, **msgspec.to_builtins(change)}
        context.record("changes", row)
    return problem


def _rewritten(
    problem: Problem, rewrite: Rewrite
) -> tuple[Problem, list[tuple[str, TextChange]]]:
    """Question, options and solution rewritten; spans of the question move with its text."""
    log: list[tuple[str, TextChange]] = []
    new: dict[str, str] = {}
    for field, old in _texts(problem):
        new[field], changes = rewrite(old)
        log += [(field, change) for change in changes]
    options = [replace(o, text=new[f"option {o.label}"]) for o in problem.options]
    changed = msgspec.structs.replace(
        problem,
        question=new["question"],
        options=options,
        solution=new.get("solution", problem.solution),
        spans=moved(problem.spans, problem.question, new["question"]),
    )
    return changed, log


def moved(spans: list[Span], before: str, after: str) -> list[Span]:
    """Spans of `before` at their places in `after`."""
    if before == after or not spans:
        return spans
    blocks = difflib.SequenceMatcher(None, before, after, autojunk=False).get_opcodes()

    def place(position: int, end: bool) -> int:
        for kind, i1, i2, j1, j2 in blocks:
            if i1 <= position < i2 or (end and i1 < position <= i2):
                return j1 + position - i1 if kind == "equal" else (j2 if end else j1)
        return len(after)

    return [
        msgspec.structs.replace(s, start=place(s.start, False), end=place(s.end, True))
        for s in spans
    ]


def _boxed(problem: Problem, context: Context) -> Problem:
    solution = problem.solution or ""
    answer = problem.answer
    try:
        boxes = read_boxed(solution)
    except UserError as error:
        context.record(
            "unbalanced", {"id": problem.id, "field": "solution", "what": error.message}
        )
        return problem
    if not answer and boxes:
        answer = ", ".join(boxes)
        log = TextChange("answer from box", "", answer)
        row = {"id": problem.id, "field": "answer", **msgspec.to_builtins(log)}
        context.record("changes", row)
    if solution:
        solution = write_boxed(solution, answer)
    return msgspec.structs.replace(problem, solution=solution or None, answer=answer)
