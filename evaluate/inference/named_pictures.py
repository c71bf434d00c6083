"""Pictures that a question or its row names and that nobody has: asked without, it asks for luck.

What names a picture: a mark in the question or an option, a field of the published row, and a note
of whoever read the row.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from pathlib import Path

from ...base.pictures import lost_picture
from ...base.published import named_pictures
from ...errors import UserError
from ...problem import Problem, Sample, samples_of, shown_images
from ...release import read_problems, split_names

_IMAGE = re.compile(r"<image(\d+)>")
TEXT_ONLY = "text_only"  # the version of six that shows no picture


def lacking_pictures(release: Path, samples: Sequence[Sample]) -> dict[str, str]:
    """The samples that lack a picture, each with the first that it lacks."""
    lost = _lost_of_problems(release)
    found = {}
    for sample in samples:
        if sample.version == TEXT_ONLY:
            continue
        own = _lost_of_sample(sample, release)
        noted = [
            name
            for name, samples_of_it in lost.get(sample.problem_id, {}).items()
            if not samples_of_it or sample.id in samples_of_it
        ]
        if name := next(iter([*own, *noted]), ""):
            found[sample.id] = name
    return found


def require_pictures(release: Path, samples: Sequence[Sample]) -> None:
    """Refuse to ask about pictures that are not there. Raises UserError for these."""
    lacking = lacking_pictures(release, samples)
    if not lacking:
        return
    first = next(iter(lacking))
    raise UserError(
        f"{len(lacking)} of {len(samples)} samples lack a picture that their question or row "
        f"names, the first is {first}: {lacking[first]}",
        "build the release with its pictures, or go on with --pictures held",
    )


def _lost_of_sample(sample: Sample, release: Path) -> list[str]:
    """What the sample itself names and does not hold."""
    images = shown_images(sample)
    lost = [image.path for image in images if not (release / image.path).is_file()]
    texts = [sample.asked(), *(option.text for option in sample.options)]
    marks = {int(number) for text in texts for number in _IMAGE.findall(text)}
    lost += [f"<image{number}>" for number in sorted(marks) if number > len(images)]
    names = named_pictures(sample)
    if len(names) > len(images):
        lost += names[len(images) :]
    return lost


def _lost_of_problems(release: Path) -> dict[str, dict[str, set[str]]]:
    """By problem the pictures that its reader could not find, each with the samples that name it.

    Where none of a problem's samples names it, it may be any's.
    """
    if not all((release / name).exists() for name in ("problems", "manifest.json")):
        return {}
    lost: dict[str, dict[str, set[str]]] = {}
    for split in split_names(release):
        for problem in read_problems(release, split):
            names = list(filter(None, map(lost_picture, problem.notes)))
            if names:
                lost[problem.id] = {name: _naming(problem, name) for name in names}
    return lost


def _naming(problem: Problem, name: str) -> set[str]:
    """The samples of a problem whose published row names a picture."""
    return {
        sample.id
        for sample in samples_of(problem)
        if any(_same(name, own) for own in named_pictures(sample))
    }


def _same(name: str, own: str) -> bool:
    return name == own or (own.startswith(name) and len(name) == 200)
