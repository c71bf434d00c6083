"""Tasks: what one page shows of a problem, before anything is rendered."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import msgspec

from ...base.about import about
from ...errors import UserError
from ...problem import Image, Problem, Vote, option_texts, shown_images
from ..votes import VOTED, WRITTEN, value_text

SHOWN_LABELS = ("subject", "subfield", "knowledge", "grade", "level", "difficulty")

PictureMaker = Callable[[Path | None], bytes]  # of the folder that picture paths are in


class Task(msgspec.Struct, kw_only=True):
    """One task: `texts` become rendered `<name>_html`, `pictures` addresses, `data` stays."""

    id: str
    texts: dict[str, str] = {}
    pictures: dict[str, list[Image]] = {}
    data: dict[str, Any] = {}
    about: str = ""  # hash of what is shown (`base/about.py`), for the answers' votes
    proposal: list[dict[str, Any]] = []  # results that the form starts with
    made: dict[str, PictureMaker] = {}  # pictures made from those in the folder
    needs_picture: bool = False


class Material(msgspec.Struct, kw_only=True):
    """What tasks are made of: the problems, and what the kind needs beside them."""

    problems: dict[str, Problem]  # by id
    tree: Any = None  # a Tree, where the kind needs one
    file: Path = Path()  # the further file that the kind needs
    advice: dict[str, list[Vote]] = {}  # the models' votes, by problem
    notes: dict[str, str] = {}  # what stands on top of a problem's page
    prefill: bool = False  # start with what the problem has already

    def each(self, make: Callable[[Problem, str], Task]) -> list[Task]:
        """One task a problem, made of it and its note: `material.each(problem_task)`."""
        return [
            make(problem, self.notes.get(key, ""))
            for key, problem in self.problems.items()
        ]

    def problem(self, key: str) -> Problem:
        """The problem that the further file names. Raises UserError where there is none."""
        if key not in self.problems:
            raise UserError(
                f"{self.file}: no problem {key!r}",
                "give the problems that it was made from",
            )
        return self.problems[key]


def problem_task(problem: Problem, note: str = "", field: str = "") -> Task:
    """A problem with its options below it; what people wrote on it and `note` stand on top.

    What stages noted does not: a note on what was done to its answer would tell it.
    """
    notes = [n for n in problem.notes if n.startswith((VOTED, WRITTEN))]
    if note:
        notes.append(note)
    return Task(
        id=problem.id,
        texts={"question": with_options(problem), "note": "\n".join(notes)},
        pictures={"image": shown_images(problem)},
        data={"question": problem.question},
        about=about(problem, field),
    )


def with_options(problem: Problem) -> str:
    """A problem's text; options that are pictures are `<imageN>`, behind the question's.

    >>> from ...problem import Option, Source
    >>> picture = Image(path="a.png", sha256="", width=9, height=9)
    >>> print(with_options(Problem(id="a", origin="a", source=Source(name="a", raw_id="1"),
    ...     question="Which?", options=[Option(label="A", text="", image=picture)])))
    Which?
    (A) <image1>
    """
    lines = [problem.question]
    texts = option_texts(problem.options, len(problem.images))
    for option, text in zip(problem.options, texts, strict=True):
        lines.append(f"({option.label}) {text}")
    return "\n".join(lines)


def as_it_stands(problem: Problem) -> str:
    """Answer, labels and solution of a problem, a line each."""
    unit = f" {problem.unit}" if problem.unit else ""
    lines = [f"Answer: {problem.answer or 'none'}{unit}"]
    for name in SHOWN_LABELS:
        value = problem.labels.get(name)
        if value:
            lines.append(f"{name}: {value_text(value)}")
    if problem.solution:
        lines.append(f"Solution: {problem.solution}")
    return "\n".join(lines)
