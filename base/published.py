"""What a published row says otherwise than we write it, kept beside what was read of it.

Rows of the four benchmarks come back as they were: the spelling of options, names of pictures,
cards, labels. Each is bound to what it spells, and is gone where a stage has changed that.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from ..problem import Image, Problem, Published, Sample, Step
from .about import digest
from .files import safe_name

# field of an official row -> what it spells; a name of our own where no other stands there
SPELLS = {
    "question": ("question", "options"),
    "answer": ("answer",),
    "solution": ("solution",),
    "option": ("options",),
    "options": ("options",),
    "knowledge concept description": ("knowledge",),
    "knowledge concept": ("knowledge",),
    "image": ("images",),
    "image_path": ("images",),
    "file_name": ("images",),
    "difficult": ("difficulty",),
    "year": ("year", "grade"),
    "knowledge": ("knowledge",),
}


def keep(
    record: Problem | Sample | Step, row: Mapping[str, Any], made: Mapping[str, Any]
) -> None:
    """Keep of a published row what we would write otherwise; `made` is what we would write."""
    record.published = record.published | {
        name: Published(said=row[name], of=_spelt(record, name))
        for name, ours in made.items()
        if row[name] != ours
    }


def published(record: Problem | Sample | Step, field: str, ours: Any) -> Any:
    """What the published row says in a field, while it spells what the record says; else `ours`.

    >>> from benchwright.problem import Option
    >>> step = Step(question="q", options=[Option(label="A", text="x")])
    >>> keep(step, {"option": "A.x"}, {"option": "A. x"})
    >>> published(step, "option", "A. x"), published(Step(question="q"), "option", "")
    ('A.x', '')
    """
    kept = record.published.get(field)
    return kept.said if kept is not None and kept.of == _spelt(record, field) else ours


def named_pictures(record: Problem | Sample) -> list[str]:
    """The names under which a published row keeps the pictures of a record.

    >>> from benchwright.problem import Source
    >>> sample = Sample(id="a", problem_id="a", origin="a", source=Source(name="a", raw_id="1"),
    ...                 question="?")
    >>> keep(sample, {"image": "1.png"}, {"image": ""})
    >>> named_pictures(sample)
    ['1.png']
    """
    said = [
        published(record, field, "")
        for field, spells in SPELLS.items()
        if spells == ("images",)
    ]
    names = [name for one in said for name in (one if isinstance(one, list) else [one])]
    return list(dict.fromkeys(name for name in names if isinstance(name, str) and name))


def picture_name(folder: str, stem: str, images: Sequence[Image]) -> str:
    """What we call the one picture of a row; "" without one."""
    return f"{folder}/{safe_name(stem)}{Path(images[0].path).suffix}" if images else ""


def version_folder(version: str) -> str:
    """Where MathVerse keeps the pictures of a version."""
    own = {"vision_dominant": "images_version_5", "vision_only": "images_version_6"}
    return own.get(version, "images_version_1-4")


def _spelt(record: Problem | Sample | Step, field: str) -> str:
    names = SPELLS.get(field, ())
    return digest([_said(record, name) for name in names])[:8] if names else ""


def _said(record: Problem | Sample | Step, name: str) -> Any:
    if name == "options":
        return [[o.label, o.text, o.image and o.image.sha256] for o in record.options]
    if name == "images":
        return [image.sha256 for image in record.images]
    if hasattr(record, name):  # question, answer, solution; the concepts of a step
        return getattr(record, name)
    return None if isinstance(record, Step) else record.labels.get(name)
