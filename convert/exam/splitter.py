"""Exams in Mathpix Markdown (or any Markdown with LaTeX) cut into problems.

    text -> plain lines -> numbers -> pieces -> stem, options, answer, figures

Nothing is decided in silence: what is doubtful becomes an ExamIssue, and a note on the problem.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Callable, Iterator

import msgspec

from ...latex import MATHPIX, Delimiters
from ...options import CIRCLED, LETTERS, Choices, Stem, lettered, read_gold, stems
from ..conservation import lost
from ..documents import (
    BREAK,
    PageLayout,
    TextPicture,
    loses_dollar,
    misplaced,
    numbered,
    plain_lines,
    renumbered,
    with_pictures,
    without_page_lines,
)
from ..normalise import tighten
from .answer_keys import KeyEntry, KeyText, join_key, placed, read_key
from .cut import cut
from .doubts import doubts
from .inline_answers import inline_answer, without_marks
from .instructions import asks
from .spans import Cut, ExamProblem, Outside, Proposal, as_cut
from .structure import structure
from .templates import Template


class ExamIssue(msgspec.Struct, frozen=True):
    """Something for a person to look at; `problem` is its raw id, empty for the whole exam."""

    problem: str
    kind: str
    detail: str


class Exam(msgspec.Struct):
    """The problems of an exam, what a person must look at, and the text of no problem."""

    problems: list[ExamProblem]
    issues: list[ExamIssue]
    outside: list[Outside] = []
    proposal: Proposal | None = None  # the spans that cut it, where no rule did


def split_exam(
    text: str,
    key: str = "",
    layout: PageLayout | None = None,
    delimiters: Delimiters = MATHPIX,
    spans: Callable[[str], Proposal] | None = None,
) -> Exam:
    r"""Cut an exam's text.

    >>> exam = split_exam("1. One?\n(A) 1 (B) 2 (C) 3 (D) 4\n2. Two?\n\nAnswers\n\n1. B 2. 7")
    >>> [(p.question, p.answer, len(p.options)) for p in exam.problems]
    [('One?', 'B', 4), ('Two?', '7', 0)]
    """
    given = (text, key, layout, delimiters, spans)
    exam, refused = _split(*given)
    if not refused:
        return exam
    other, still = _split(*given, sections=frozenset(refused))
    new = other.problems[len(exam.problems) - len(other.problems) :]
    more = len(other.problems) > len(exam.problems) and not still
    if not more or 2 * sum(asks(problem.question) for problem in new) < len(new):
        return exam
    told = "; ".join(f"{title}: {why}" for title, why in refused.values())
    issue = ExamIssue("", "key-or-section", f"read as a section; as a key, {told}")
    other.issues.insert(0, issue)
    return other


def _split(
    text: str,
    key: str,
    layout: PageLayout | None,
    delimiters: Delimiters,
    spans: Callable[[str], Proposal] | None,
    sections: frozenset[int] = frozenset(),
) -> tuple[Exam, dict[int, tuple[str, str]]]:
    """An exam, and the keys in it that fit none of its problems: where, their title, and why."""
    figures: list[TextPicture] = []
    plain, page_lines = without_page_lines(
        numbered(plain_lines(tighten(text), delimiters), figures)
    )
    proposal = spans(plain) if spans else None
    made, keys, template = (
        (as_cut(plain, proposal), [], None) if proposal else _by_rules(plain, sections)
    )
    key_texts = [key_read.text for key_read in keys]
    if key:
        key_texts.append(numbered(plain_lines(tighten(key), delimiters), figures))
        keys = [
            _Key(len(plain), key_texts[-1], read_key(key_texts[-1], template=template))
        ]
    problems = made.problems
    printed = [problem.question.replace(BREAK, "") for problem in problems]
    for problem, whole in zip(problems, printed, strict=True):
        said = inline_answer(whole)
        problem.question, problem.hint = said.text, said.hint
        problem.parts = [*said.parts]
        problem.answer = said.answer or said.of_parts or problem.answer
        problem.solution = said.solution or problem.solution
    read = stems([problem.question for problem in problems])
    for problem, stem in zip(problems, read, strict=True):
        problem.give(KeyEntry(problem.number, stem.right))
    issues = [ExamIssue("", "page-line-removed", line) for line in page_lines]
    issues += [ExamIssue("", *doubt.partition(": ")[::2]) for doubt in made.doubts]
    answered = [*_answers(problems, keys)]
    issues += answered
    texts = [
        f"{problem.number}.{' '.join(problem.question.split())}" for problem in problems
    ]
    unusual = doubts(problems, printed, read)
    answers = [
        text for p in problems for text in (p.mark, p.answer, p.solution, p.hint)
    ]
    runs = [*placed(problem.label for problem in problems)]
    every = zip(problems, printed, read, unusual, runs, strict=True)
    for problem, whole, stem, flags, (run, label) in every:
        problem.raw_id = f"{run}.{label}" if runs[-1][0] > 1 else label
        _finish(problem, whole, stem, flags, figures)
    ids = [problem.raw_id for problem in problems]
    if layout is not None:
        shown = [[] if problem.shared else problem.figures for problem in problems]
        for k, flag in misplaced(texts, ids, shown, layout):
            problems[k].flags.append(flag)
    outside = [Outside("page-line", line) for line in page_lines]
    outside += [Outside("key", text.strip()) for text in key_texts]
    places = sorted((problem.start, problem.raw_id) for problem in problems)
    for start, block in made.outside:
        behind = places[bisect_right(places, (start, "")) :][:1]
        block.before = behind[0][1] if behind else ""
        outside += [block] if block.text != BREAK else []
    if missed := lost(plain, [*printed, *answers, *(block.text for block in outside)]):
        issues.append(ExamIssue("", "text-lost", missed))
    issues += [
        ExamIssue(p.raw_id, *flag.partition(": ")[::2])
        for p in problems
        for flag in p.flags
    ]
    if proposal:
        proposal.doubts = [f"{i.problem or '-'}: {i.kind}: {i.detail}" for i in issues]
    for block in outside:
        block.text = with_pictures(block.text, figures)
    why = next((one.detail for one in answered if one.kind == "key-refused"), "")
    refused = {one.start: (one.title, why) for one in keys if why and one.title}
    return Exam(problems, issues, outside, proposal), refused


class _Key(msgspec.Struct):
    """An answer key: where it stands, what it says, and what is read of it."""

    start: int
    text: str
    entries: list[KeyEntry]
    title: str = ""
    line: int = 0


def _by_rules(
    plain: str, sections: frozenset[int]
) -> tuple[Cut, list[_Key], Template | None]:
    """What the numbers of an exam make of it; nothing where these can be read in two ways."""
    found = structure(plain, sections)
    if found.twofold:
        where = [_where(plain, stretch) for stretch in found.twofold]
        other = " of the problems before, or as problems of their own"
        doubt = f"two-readings: {'; '.join(each + other for each in where)}"
        return Cut(outside=[(0, Outside("front", plain))], doubts=[doubt]), [], None
    made = cut(found)
    template = found.numbering.template
    made.doubts += [f"key-unnamed: {_where(plain, key)}" for key in found.unnamed]
    keys = [
        _Key(
            k.start,
            plain[k.start : k.end],
            read_key(plain[k.begin : k.end], k.reading == "worked", template),
            k.title,
            plain.count("\n", 0, k.start) + 1,
        )
        for k in found.keys
    ]
    return made, keys, template


def _where(text: str, key: KeyText) -> str:
    """The lines of numbers that stand again, and their title."""
    first, last = (text.count("\n", 0, place) + 1 for place in (key.start, key.end))
    return (
        f"lines {first}-{last}, {key.title or 'without a title'}: read as the answers"
    )


# Problems ---------------------------------------------------------------------------------------


def _finish(
    problem: ExamProblem,
    printed: str,
    stem: Stem,
    unusual: list[str],
    figures: list[TextPicture],
) -> None:
    """Read a problem's options, figures and answer; what is doubtful or lost is flagged."""
    question = f"{problem.shared}\n{stem.text}" if problem.shared else stem.text
    texts = [question, *(option.text for option in stem.options), problem.solution]
    (problem.question, *bodies, problem.solution), problem.figures = renumbered(
        texts, figures
    )
    problem.options = lettered(bodies)
    said = problem.answer
    labels = {option.label for option in problem.options}
    problem.answer = (
        read_gold(said, Choices(problem.options)).answer if labels else said
    )
    problem.flags += [*stem.flags, *([] if stem.text else ["empty"])]
    if any(map(loses_dollar, texts)) or any(
        "$$" in option.text for option in problem.options
    ):
        problem.flags.append("dollar-unbalanced")
    problem.flags += unusual
    if labels and not labels.issuperset(problem.answer):
        problem.flags.append(f"answer-no-option: {problem.answer[:80]}")
    problem.flags += ["answer-long"] if "\n" in problem.answer else []
    if missed := lost(without_marks(printed), [*_shown(problem), said, stem.marks]):
        problem.flags.append(f"text-lost: {missed}")


_LABELS = dict(zip(LETTERS, zip(LETTERS.lower(), CIRCLED, strict=False), strict=False))


def _shown(problem: ExamProblem) -> list[str]:
    """Everything that is shown of a problem; an option's label in every alphabet."""
    options = [
        f"{o.label} {' '.join(_LABELS[o.label])} {o.text}" for o in problem.options
    ]
    return [
        problem.question,
        problem.answer,
        problem.solution,
        problem.hint,
        *problem.flags,
        *options,
    ]


def _answers(problems: list[ExamProblem], keys: list[_Key]) -> Iterator[ExamIssue]:
    """Give the problems the answers of the keys behind them; what does not fit is told."""
    position = -1
    for key in keys:
        own = [one for one in problems if position < one.start < key.start]
        position = key.start
        if not own:
            continue
        entries, refusal = join_key(own, key.entries)
        if refusal:
            head = f" (line {key.line}, {key.title!r})" if key.title else ""
            other = "; read as questions, too few of them ask" if head else ""
            yield ExamIssue("", "key-refused", f"{refusal}{head}{other}")
            continue
        for problem, entry in zip(own, entries, strict=True):
            if entry:
                problem.give(entry)
        without = [
            p.label for p, entry in zip(own, entries, strict=True) if entry is None
        ]
        if without:
            yield ExamIssue(
                "", "key-partial", f"no entry for {', '.join(without)[:120]}"
            )
