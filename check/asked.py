"""Where a problem asks something: the problem itself, its steps, its versions."""

from __future__ import annotations

from collections.abc import Iterator

import msgspec

from ..problem import Image, Option, Problem


class Asked(msgspec.Struct, frozen=True):
    """A question with its options, gold and pictures; `prefix` says which one."""

    prefix: str
    question: str
    options: list[Option]
    answer: str
    images: list[Image]


def questions_of(problem: Problem) -> Iterator[Asked]:
    """The problem itself, its steps, and those of its versions that differ from it."""
    whole = Asked("", problem.question, problem.options, problem.answer, problem.images)
    yield whole
    for k, step in enumerate(problem.steps, 1):
        images = step.images or problem.images
        yield Asked(f"step {k}: ", step.question, step.options, step.answer, images)
    for sample in problem.samples:
        asked = Asked(
            f"{sample.version}: ",
            sample.question,
            sample.options,
            sample.answer or "",
            sample.images,
        )
        if msgspec.structs.replace(asked, prefix="") != whole:
            yield asked
