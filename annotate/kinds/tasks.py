"""Tasks: what one page shows of a problem, before anything is rendered."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import msgspec

from ...base.about import about
from ...errors import UserError
from ...problem import Image, Problem, Vote, option_texts, shown_images

SHOWN_LABELS = ("subject", "subfield", "knowledge", "grade", "level", "difficulty")


class Task(msgspec.Struct, kw_only=True):
    """One task: `texts` become rendered `<name>_html`, `pictures` addresses, `data` stays."""

    id: str
    texts: dict[str, str] = {}
    pictures: dict[str, list[Image]] = {}
    data: dict[str, Any] = {}
    about: str = (
        ""  # hash of what is shown, see `base/about.py`; the answers' votes carry it
    )
    proposal: list[dict[str, Any]] = []  # results that the form starts with
    made: dict[
        str, Callable[[Path | None], bytes]
    ] = {}  # pictures made from those in the folder
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
    """A problem with its options below it; its notes and `note` are shown on top of the page."""
    notes = "\n".join([*problem.notes, *([note] if note else [])])
    return Task(
        id=problem.id,
        texts={"question": with_options(problem), "note": notes},
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
    texts = option_texts(problem.options, len(problem.images))
    pairs = zip(problem.options, texts, strict=True)
    return "\n".join([problem.question, *(f"({o.label}) {text}" for o, text in pairs)])


def as_it_stands(problem: Problem) -> str:
    """Answer, labels and solution of a problem, a line each."""
    labels = {
        name: problem.labels[name] for name in SHOWN_LABELS if problem.labels.get(name)
    }
    unit = f" {problem.unit}" if problem.unit else ""
    lines = [f"Answer: {problem.answer or 'none'}{unit}"]
    lines += [
        f"{name}: {', '.join(map(str, value)) if isinstance(value, list) else value}"
        for name, value in labels.items()
    ]
    lines += [f"Solution: {problem.solution}"] if problem.solution else []
    return "\n".join(lines)
