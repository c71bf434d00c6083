"""A problem in several looks: same question and answer, one origin, other pictures."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

import numpy as np
from msgspec.structs import replace

from ...base.pictures import load_picture, store_drawn
from ...errors import UserError
from ...problem import Image, Problem, Sample
from ..issues import Issue
from ..versions import drawings_of, six_samples, spec_of
from .look import BY_HAND, Look, LookName, look

DARK = 90  # of 255
FILLED = 0.01  # of a picture
MARK = "@"  # between a problem's id and its look


class LooksRecord:
    """What was done to each picture, for `looks.jsonl`."""

    def __init__(self) -> None:
        self.rows: list[dict[str, Any]] = []
        self.issues: list[Issue] = []


def looks_of(
    problem: Problem, names: Sequence[LookName], seed: int, work: Path
) -> Iterator[tuple[Problem, LooksRecord]]:
    """The problem in each look, and the record of its pictures.

    In looks by hand a problem with a spec is drawn again, its labels written by hand; letters that
    a given picture prints stay printed, which is an issue.
    Raises UserError for a picture that cannot be read in a look.
    """
    for name in names:
        record = LooksRecord()
        if name == "clean":
            yield _labelled(problem, problem.id, name), record
            continue
        new = _labelled(problem, f"{problem.id}{MARK}{name}", name)
        if name in BY_HAND and (spec_of(problem) or not _pictures(problem)):
            new = _by_hand(new, problem, work, record)
        elif name in BY_HAND:
            what = "the letters of a given picture stay printed: give a spec to have them written"
            record.issues.append(Issue("printed-letters", what, name))
        yield _seen(new, name, seed, work, record), record


def _labelled(problem: Problem, id: str, name: str) -> Problem:
    """The problem under an id, its samples with it, and the label `look` on all."""
    labels = problem.labels | {"look": name}
    samples = [
        replace(
            sample,
            id=sample.id.replace(problem.id, id, 1),
            problem_id=id,
            labels=sample.labels | {"look": name},
        )
        for sample in problem.samples
    ]
    return replace(problem, id=id, labels=labels, samples=samples)


def _pictures(problem: Problem) -> list[Image]:
    return [*problem.images, *(image for s in problem.samples for image in s.images)]


def _by_hand(
    new: Problem, problem: Problem, work: Path, record: LooksRecord
) -> Problem:
    """The problem drawn again with letters by hand, in all its versions."""
    if problem.samples and all(sample.version for sample in problem.samples):
        texts = {
            s.version: s.question for s in problem.samples if s.version != "vision_only"
        }
        texts["vision_only"] = texts.get("vision_dominant", "")
        bare = replace(problem, samples=[])
        samples, issues = six_samples(bare, work, texts=texts, hand=True)
        record.issues += [issue for issue in issues if issue.code == "label-overlap"]
        by_version = {sample.version: sample for sample in samples}
        drawn = [
            replace(sample, images=by_version[sample.version].images)
            if sample.version in by_version
            else sample
            for sample in new.samples
        ]
        return replace(new, samples=drawn)
    (drawing,) = drawings_of(problem, work, hand=True)
    image = store_drawn(drawing.png(), drawing.picture.size, work)
    return replace(new, images=[image, *new.images[1:]])


def _seen(
    problem: Problem, name: LookName, seed: int, work: Path, record: LooksRecord
) -> Problem:
    """The problem with all its pictures in a look; one that stands in several places once."""
    shown: dict[str, Image] = {}

    def image_of(image: Image) -> Image:
        if image.sha256 not in shown:
            try:
                picture = load_picture(work, image)
                seed_text = f"{seed}:{problem.origin}:{image.sha256}"
                seen = look(picture, name, seed=seed_text)
            except UserError as error:
                raise UserError(
                    f"{image.path}: {error.message}", error.remedy
                ) from error
            if name == "blackboard" and _has_dark_areas(picture):
                what = "areas that are black in the picture are white on the board: mind the text"
                record.issues.append(Issue("inverted-areas", what, image.path))
            data, suffix = seen.data()
            stored = store_drawn(data, seen.picture.size, work, image.role, suffix)
            shown[image.sha256] = stored
            record.rows.append(_row(problem.id, image, stored, seen))
        return shown[image.sha256]

    def sample_of(sample: Sample) -> Sample:
        options = [
            replace(o, image=image_of(o.image)) if o.image else o
            for o in sample.options
        ]
        return replace(sample, images=[*map(image_of, sample.images)], options=options)

    return replace(
        problem,
        images=[*map(image_of, problem.images)],
        options=[
            replace(o, image=image_of(o.image)) if o.image else o
            for o in problem.options
        ],
        samples=[*map(sample_of, problem.samples)],
    )


def _has_dark_areas(picture: Any) -> bool:
    """Whether more is dark than lines and letters are: most of what is dark lies within dark."""
    dark = np.asarray(picture.convert("L")) < DARK
    inner = (
        dark[8:-8, 8:-8]
        & dark[16:, 8:-8]
        & dark[:-16, 8:-8]
        & dark[8:-8, 16:]
        & dark[8:-8, :-16]
    )
    return bool(inner.sum() > FILLED * dark.size)


def _row(id: str, before: Image, behind: Image, seen: Look) -> dict[str, Any]:
    measures = seen.legible._asdict() if seen.legible else {}
    return {
        "id": id,
        "look": seen.name,
        "picture": behind.path,
        "of": before.path,
        "strength": seen.strength,
        "labels": [list(box) for box in seen.boxes],
        **measures,
    }
