"""The reader `exam`: exams in Mathpix Markdown as a source of a recipe.

Options: `key` (file of an answer key of its own), `lines` (lines.json; default: the one beside
the exam). Pictures are looked for in the source's `images` folder under the name that
`convert pdf` gives them, or under their plain file name.
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import msgspec

from ...pipeline import SourceSpec
from ...problem import Image, Problem
from ..documents import Figure, crop_name
from ..exam import Exam, ExamProblem, read_exam
from .base import Pictures, Raw, Unreadable, guess_kind, reader, source_of


def rows(spec: SourceSpec, paths: list[Path]) -> Iterator[Raw | Unreadable]:
    """One row per problem, and an entry for each issue that concerns the exam as a whole."""
    for path in paths:
        beside = {name: path.parent / str(value) for name, value in spec.options.items()}
        exam = read_exam(path, beside.get("key"), beside.get("lines"))
        for issue in exam.issues:
            if not issue.problem:
                yield Unreadable(path.name, 0, f"{issue.kind}: {issue.detail}", "")
        several = f"{path.stem}." if len(paths) > 1 else ""
        for number, problem in enumerate(exam.problems, 1):
            problem.raw_id = several + problem.raw_id
            yield Raw(path.name, number, problem)


@reader("exam", rows=rows, options=("key", "lines"))
def problem(raw: Raw, spec: SourceSpec, pictures: Pictures) -> Problem:
    cut: ExamProblem = raw.data
    images = [image for shown in cut.figures for image in _stored(shown, pictures)]
    answer = cut.answer
    return Problem(
        id=f"{spec.name}-{cut.raw_id}",
        origin=f"{spec.name}-{cut.raw_id}",
        source=source_of(spec, cut.raw_id),
        question=cut.question,
        images=images,
        options=cut.options,
        answer=answer,
        answer_kind=guess_kind(answer, cut.options),
        solution=cut.solution or None,
        language=spec.language or ("zh" if _chinese(cut.question) else "en"),
        labels={"section": cut.section} if cut.section else {},
        notes=[f"exam: {flag}" for flag in cut.flags],
    )


def _stored(shown: Figure, pictures: Pictures) -> list[Image]:
    plain = shown.url.split("?", 1)[0]
    name = crop_name(shown)
    for candidate in (name, plain.split("/")[-1], plain):
        if "://" not in candidate and (pictures.folder / candidate).is_file():
            return pictures.get([candidate])
    return pictures.get([name])  # notes that it is missing


def _chinese(text: str) -> bool:
    return any("\u4e00" <= character <= "\u9fff" for character in text)


def write_exam(exam: Exam, spec: SourceSpec, images: Path, out: Path) -> list[Problem]:
    """Problems of an exam with their pictures, into `out` (the Python twin of `convert exam`)."""
    from ...files import write_jsonl

    pictures = Pictures(images, out)
    problems = []
    for number, cut in enumerate(exam.problems, 1):
        pictures.notes = []
        made = problem(Raw(spec.name, number, cut), spec, pictures)
        problems.append(msgspec.structs.replace(made, notes=[*made.notes, *pictures.notes]))
    write_jsonl(out / "problems.jsonl", problems)
    write_jsonl(out / "issues.jsonl", exam.issues)
    return problems
