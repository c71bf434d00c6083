"""Exams in Mathpix Markdown (or any Markdown with LaTeX) cut into problems.

    text -> plain lines -> numbers -> pieces -> stem, options, answer, figures

Nothing is decided in silence: what is doubtful becomes an ExamIssue, and a note on the problem.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Callable, Iterator
from typing import Literal

import msgspec

from ...latex import MATHPIX, Delimiters
from ...options import CIRCLED, LETTERS, Choices, Stem, lettered, read_gold, stems
from ...problem import Option
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
from .spans import Between, Cut, ExamPiece, Proposal, as_cut
from .structure import structure
from .templates import Template


class ExamIssue(msgspec.Struct, frozen=True):
    """Something for a person to look at; `problem` is its raw id, empty for the whole exam."""

    problem: str
    kind: str
    detail: str


class ExamProblem(msgspec.Struct, kw_only=True):
    """One problem as cut; `<imageN>` names `figures[N - 1]`."""

    raw_id: str
    number: int
    section: str
    question: str
    options: list[Option]
    figures: list[TextPicture]
    answer: str = ""
    solution: str = ""
    instruction: str = ""  # the line above it and its neighbours
    flags: list[str] = []


Kind = Literal["front", "heading", "instruction", "page-line", "key"]


class Outside(msgspec.Struct):
    """Text that belongs to no problem; `before` is the raw id of the problem behind it, if any."""

    kind: Kind
    text: str
    before: str = ""


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
    figures: list[TextPicture] = []
    plain, page_lines = without_page_lines(
        numbered(plain_lines(tighten(text), delimiters), figures)
    )
    proposal = spans(plain) if spans else None
    made, keys, template = (as_cut(plain, proposal), [], None) if proposal else _by_rules(plain)
    key_texts = [key_read.text for key_read in keys]
    if key:
        key_texts.append(numbered(plain_lines(tighten(key), delimiters), figures))
        keys = [_Key(len(plain), key_texts[-1], read_key(key_texts[-1], template=template))]
    pieces = made.pieces
    printed = [piece.text.replace(BREAK, "") for piece in pieces]
    for piece, whole in zip(pieces, printed, strict=True):
        piece.text, answer, solution = inline_answer(whole)
        piece.answer, piece.solution = answer or piece.answer, solution or piece.solution
    read = stems([piece.text for piece in pieces])
    for piece, stem in zip(pieces, read, strict=True):
        piece.give(KeyEntry(piece.number, stem.right))
    issues = [ExamIssue("", "page-line-removed", line) for line in page_lines]
    issues += [ExamIssue("", *doubt.partition(": ")[::2]) for doubt in made.doubts]
    issues += _answers(pieces, keys)
    problems = _problems(made, read, printed, figures)
    ids = [p.raw_id for p in problems]
    if layout is not None:
        shown = [[] if p.shared else q.figures for p, q in zip(pieces, problems, strict=True)]
        texts = [f"{piece.number}.{' '.join(piece.text.split())}" for piece in pieces]
        for k, flag in misplaced(texts, ids, shown, layout):
            problems[k].flags.append(flag)
    outside = [Outside("page-line", line) for line in page_lines]
    outside += [Outside("key", text.strip()) for text in key_texts]
    places = sorted(zip((piece.start for piece in pieces), ids, strict=True))
    outside += [_outside(b, places) for b in made.between if b.text != BREAK]
    answers = [text for p in pieces for text in (p.mark, p.answer, p.solution)]
    if missed := lost(plain, [*printed, *answers, *(block.text for block in outside)]):
        issues.append(ExamIssue("", "text-lost", missed))
    issues += [
        ExamIssue(p.raw_id, *flag.partition(": ")[::2]) for p in problems for flag in p.flags
    ]
    if proposal:
        proposal.doubts = [f"{i.problem or '-'}: {i.kind}: {i.detail}" for i in issues]
    for block in outside:
        block.text = with_pictures(block.text, figures)
    return Exam(problems, issues, outside, proposal)


def _outside(block: Between, places: list[tuple[int, str]]) -> Outside:
    """A block between two problems, with the id of the one behind it; `places` are theirs."""
    k = bisect_right(places, (block.start, ""))
    before = places[k][1] if k < len(places) else ""
    kind: Kind = "heading" if block.heading else "instruction" if k else "front"
    return Outside(kind, block.text, before)


class _Key(msgspec.Struct):
    """An answer key: where it stands, what it says, and what is read of it."""

    start: int
    text: str
    entries: list[KeyEntry]


def _by_rules(plain: str) -> tuple[Cut, list[_Key], Template | None]:
    """What the numbers of an exam make of it; nothing where these can be read in two ways."""
    found = structure(plain)
    if found.twofold:
        where = [_where(plain, stretch) for stretch in found.twofold]
        other = " of the problems before, or as problems of their own"
        doubt = f"two-readings: {'; '.join(each + other for each in where)}"
        return Cut(between=[Between(plain, 0)], doubts=[doubt]), [], None
    made, template = cut(found), found.numbering.template
    made.doubts += [f"key-unnamed: {_where(plain, key)}" for key in found.unnamed]
    keys = [
        _Key(
            k.start,
            plain[k.start : k.end],
            read_key(plain[k.begin : k.end], k.reading == "worked", template),
        )
        for k in found.keys
    ]
    return made, keys, template


def _where(text: str, key: KeyText) -> str:
    """The lines of numbers that stand again, and their title."""
    first, last = (text.count("\n", 0, place) + 1 for place in (key.start, key.end))
    return f"lines {first}-{last}, {key.title or 'without a title'}: read as the answers"


# Problems ---------------------------------------------------------------------------------------


def _problems(
    cut: Cut, read: list[Stem], printed: list[str], figures: list[TextPicture]
) -> list[ExamProblem]:
    """The problems that the pieces are, with what is doubtful; `printed` are their whole texts."""
    unusual = doubts(cut.pieces, printed, read, cut.titles)
    places = [*placed(str(piece.number) for piece in cut.pieces)]
    repeats = any(run > 1 for run, _ in places)
    problems = []
    every = zip(cut.pieces, printed, read, unusual, places, strict=True)
    for piece, text, stem, flags, (run, name) in every:
        problem = _problem(piece, stem, cut.titles[piece.section], figures)
        problem.raw_id = f"{run}.{name}" if repeats else name
        problem.flags += [*flags, *_answer_doubts(problem)]
        if missed := lost(without_marks(text), [*_fields(problem, piece), stem.marks]):
            problem.flags.append(f"text-lost: {missed}")
        problems.append(problem)
    return problems


def _problem(piece: ExamPiece, stem: Stem, section: str, figures: list[TextPicture]) -> ExamProblem:
    question = f"{piece.shared}\n{stem.text}" if piece.shared else stem.text
    texts = [question, *(option.text for option in stem.options), piece.solution]
    (question, *bodies, solution), own = renumbered(texts, figures)
    options = lettered(bodies)
    flags = [*piece.flags, *stem.flags, *([] if stem.text else ["empty"])]
    if any(map(loses_dollar, texts)) or any("$$" in option.text for option in options):
        flags.append("dollar-unbalanced")
    return ExamProblem(
        raw_id="",
        number=piece.number,
        section=section,
        question=question,
        options=options,
        figures=own,
        answer=read_gold(piece.answer, Choices(options)).answer if options else piece.answer,
        solution=solution,
        instruction=piece.instruction,
        flags=flags,
    )


def _answer_doubts(problem: ExamProblem) -> list[str]:
    labels = [option.label for option in problem.options]
    unknown = problem.answer and labels and not {*problem.answer} <= {*labels}
    flags = [f"answer-no-option: {problem.answer[:80]}"] if unknown else []
    return [*flags, "answer-long"] if "\n" in problem.answer else flags


_LABELS = dict(zip(LETTERS, zip(LETTERS.lower(), CIRCLED, strict=False), strict=False))


def _fields(problem: ExamProblem, piece: ExamPiece) -> list[str]:
    """Everything that is shown of a problem; an option's label in every alphabet."""
    options = [f"{o.label} {' '.join(_LABELS[o.label])} {o.text}" for o in problem.options]
    shown = [problem.question, problem.answer, piece.answer, problem.solution]
    return [*shown, *problem.flags, *options]


def _answers(pieces: list[ExamPiece], keys: list[_Key]) -> Iterator[ExamIssue]:
    """Give the problems the answers of the keys behind them; what does not fit is told."""
    position = -1
    for key in keys:
        own = [piece for piece in pieces if position < piece.start < key.start]
        position = key.start
        if not own:
            continue
        entries, refusal = join_key(own, key.entries)
        if refusal:
            yield ExamIssue("", "key-refused", refusal)
            continue
        for piece, entry in zip(own, entries, strict=True):
            if entry:
                piece.give(entry)
        without = [p.label for p, entry in zip(own, entries, strict=True) if entry is None]
        if without:
            yield ExamIssue("", "key-partial", f"no entry for {', '.join(without)[:120]}")
