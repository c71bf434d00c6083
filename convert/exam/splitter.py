"""Exams in Mathpix Markdown (or any Markdown with LaTeX) cut into problems.

    text -> plain lines -> numbers -> pieces -> stem, options, answer, figures

Nothing is decided in silence: what is doubtful becomes an ExamIssue, and a note on the problem.
"""

from __future__ import annotations

import re
from pathlib import Path

import msgspec

from ...errors import UserError
from ...latex import MATHPIX, Delimiters, maths_spans, outside
from ...problem import Option
from ..documents import PICTURE, TextPicture, figure
from .answer_keys import as_label, inline_answer, join_key, read_key, split_key
from .cut import ExamPiece, cut
from .doubts import doubts, without_page_lines
from .figures import PageLayout, Start, locate, owner, read_layout
from .options import Stem, alphabet_of, split_options
from .plain_text import plain_exam


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
    flags: list[str] = []


class Exam(msgspec.Struct):
    problems: list[ExamProblem]
    issues: list[ExamIssue]


def read_exam(
    path: Path,
    key: Path | None = None,
    lines: Path | None = None,
    delimiters: Delimiters = MATHPIX,
) -> Exam:
    """Cut the exam in `path`; `key` is an answer key of its own, `lines` its lines.json.

    Without `lines`, `<name>.lines.json` beside the exam is used where it exists. Raises UserError
    when a file cannot be read or no problem is found.
    """
    beside = path.with_suffix(".lines.json")
    layout = read_layout(lines) if lines else read_layout(beside) if beside.exists() else None
    exam = split_exam(_text(path), _text(key) if key else "", layout, delimiters)
    if not exam.problems:
        raise UserError(f"{path}: no numbered problems", "number them 1., (1), 第1题, ...")
    return exam


def _text(path: Path) -> str:
    try:
        return path.read_text(encoding="utf-8-sig")
    except (OSError, UnicodeDecodeError) as error:
        raise UserError(f"cannot read {path}: {error}", "give Markdown in UTF-8") from error


def split_exam(
    text: str, key: str = "", layout: PageLayout | None = None, delimiters: Delimiters = MATHPIX
) -> Exam:
    r"""Cut an exam's text.

    >>> exam = split_exam("1. One?\n(A) 1 (B) 2 (C) 3 (D) 4\n2. Two?\n\nAnswers\n\n1. B 2. 7")
    >>> [(p.question, p.answer, len(p.options)) for p in exam.problems]
    [('One?', 'B', 4), ('Two?', '7', 0)]
    """
    plain, figures = _numbered_pictures(plain_exam(text, delimiters))
    body, own_key = split_key(plain)
    body, page_lines = without_page_lines(body)
    pieces, titles, front = cut(body)
    issues = [ExamIssue("", "text-before-first", front)] if front else []
    issues += [ExamIssue("", "page-line-removed", line) for line in page_lines]
    for piece in pieces:
        piece.text, piece.answer, piece.solution = inline_answer(piece.text)
    alphabet = alphabet_of([piece.text for piece in pieces])
    stems = [split_options(piece.text, alphabet) for piece in pieces]
    problems = [
        _understood(piece, stem, titles[piece.section], figures)
        for piece, stem in zip(pieces, stems, strict=True)
    ]
    _name(problems, pieces)
    _answers(problems, pieces, plain_exam(key, delimiters) if key else own_key, issues)
    for problem, flags in zip(problems, doubts(pieces, stems), strict=True):
        problem.flags += [*flags, *_answer_doubts(problem)]
    if layout is not None:
        _check_places(problems, pieces, layout)
    issues += [ExamIssue(p.raw_id, *_explained(flag)) for p in problems for flag in p.flags]
    return Exam(problems, issues)


def _numbered_pictures(text: str) -> tuple[str, list[TextPicture]]:
    """Pictures as `<imageN>`; one that is printed twice stays one picture."""
    figures: list[TextPicture] = []

    def number(match: re.Match[str]) -> str:
        picture = figure(match)
        if picture not in figures:
            figures.append(picture)
        return f"<image{figures.index(picture) + 1}>"

    return PICTURE.sub(number, text), figures


def _answer_doubts(problem: ExamProblem) -> list[str]:
    labels = [option.label for option in problem.options]
    unknown = problem.answer and labels and problem.answer not in labels
    flags = [f"answer-no-option: {problem.answer[:80]}"] if unknown else []
    return [*flags, "answer-long"] if "\n" in problem.answer else flags


def _understood(
    piece: ExamPiece, stem: Stem, section: str, figures: list[TextPicture]
) -> ExamProblem:
    question = f"{piece.shared}\n{stem.text}" if piece.shared else stem.text
    texts = [question, *(option.text for option in stem.options), piece.solution]
    renumbered, own = _renumber(texts, figures)
    options = [
        Option(label=option.label, text=text)
        for option, text in zip(stem.options, renumbered[1:-1], strict=True)
    ]
    flags = [*piece.flags, *stem.flags]
    if not stem.text:
        flags.append("empty")
    if any(map(_stray_dollar, texts)) or any("$$" in option.text for option in stem.options):
        flags.append("dollar-unbalanced")
    return ExamProblem(
        raw_id="",
        number=piece.number,
        section=section,
        question=renumbered[0],
        options=options,
        figures=own,
        answer=as_label(piece.answer, options),
        solution=renumbered[-1],
        flags=flags,
    )


_SWALLOWED = re.compile(r"<image\d|(?:(?<![\\A-Za-z])[a-z]{3,}[\s,]+){3}|[；、]")
_WORDS = re.compile(r"\\(?:text|mbox|operatorname)[a-z]*\s*\{[^{}]*\}")


def _stray_dollar(text: str) -> bool:
    """A dollar without a partner, escaped though no price follows, or closed by another's."""
    spans = maths_spans(text)
    prose = "".join(text[start:end] for start, end in outside(text, spans))
    return (
        len(re.findall(r"(?<!\\)\$", prose)) % 2 == 1
        or bool(re.search(r"\$(?!\d)", prose))
        or any(_SWALLOWED.search(_WORDS.sub("", span.tex)) for span in spans)
    )


def _renumber(texts: list[str], figures: list[TextPicture]) -> tuple[list[str], list[TextPicture]]:
    """`<imageN>` of the exam -> `<imageN>` of the problem, in order of appearance."""
    order: dict[int, int] = {}

    def own(match: re.Match[str]) -> str:
        return f"<image{order.setdefault(int(match[1]), len(order) + 1)}>"

    renumbered = [re.sub(r"<image(\d+)>", own, text) for text in texts]
    return renumbered, [figures[n - 1] for n in order if n <= len(figures)]


def _name(problems: list[ExamProblem], pieces: list[ExamPiece]) -> None:
    """Raw ids: the number, with a part in front where numbers restart."""
    part, seen = 1, set[int]()
    repeats = len({p.number for p in problems}) < len(problems)
    for problem, piece in zip(problems, pieces, strict=True):
        if problem.number in seen:
            part, seen = part + 1, set()
        seen.add(problem.number)
        piece.section = part  # from here on: the run of numbers, for joining the key
        problem.raw_id = f"{part}.{problem.number}" if repeats else str(problem.number)


def _answers(
    problems: list[ExamProblem], pieces: list[ExamPiece], key: str, issues: list[ExamIssue]
) -> None:
    if not key:
        return
    answers, refusal = join_key([(p.section, p.number) for p in pieces], read_key(key))
    if answers is None:
        issues.append(ExamIssue("", "key-refused", refusal))
        return
    for problem, key_answer in zip(problems, answers, strict=True):
        answer = as_label(key_answer, problem.options)
        if problem.answer and problem.answer != answer:
            problem.flags.append(
                f"two-answers: {problem.answer} below the problem, {answer} in the key"
            )
        problem.answer = answer


def _check_places(
    problems: list[ExamProblem],
    pieces: list[ExamPiece],
    layout: PageLayout,
) -> None:
    """Flag problems whose figures stand elsewhere on the page than in the text."""
    words = [
        f"{p.number}.{' '.join(piece.text.split())}"
        for p, piece in zip(problems, pieces, strict=True)
    ]
    places = locate(words, layout)
    starts: list[Start] = [s for s in places if s is not None]
    for k, problem in enumerate(problems):
        if places[k] is None and problem.figures:
            problem.flags.append("figure-unchecked: the problem was not found in lines.json")
            continue
        for number, picture in enumerate(problem.figures, 1):
            if picture.box is None or not picture.box.page:
                continue
            index, reaches = owner(picture.box, starts, layout.widths.get(picture.box.page, 0))
            shared = pieces[k].shared
            if index is not None and index != k and not shared:
                problem.flags.append(
                    f"figure-order: <image{number}> stands at problem {problems[index].raw_id}"
                )
                problems[index].flags.append(
                    f"figure-order: <image{number}> of problem {problem.raw_id} stands here"
                )
            elif reaches and not shared:
                problem.flags.append(f"figure-spans: <image{number}> reaches into another problem")


def _explained(flag: str) -> tuple[str, str]:
    kind, _, detail = flag.partition(": ")
    return kind, detail
