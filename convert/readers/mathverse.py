"""MathVerse's official files: JSON arrays with one row for each version of a problem.

Rows of one `problem_index` are one problem, also across files (testmini.json holds five versions,
testmini_text_only.json the sixth). Options stand inline behind "Choices:".
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path

import msgspec

from ...base.published import keep, picture_name, version_folder
from ...pipeline import SourceSpec
from ...problem import VERSIONS, Option, Problem, Sample, sample_of, with_choices
from ...words import OPTION
from ..conservation import Holding, row_of
from .base import LETTERS, Pictures, Raw, Unreadable, grouped_rows, problem_of, reader


class Metadata(msgspec.Struct):
    subject: str
    subfield: str
    source: str = ""
    split: str = ""


class MathVerseRow(msgspec.Struct):
    problem_index: str
    problem_version: str
    question: str
    answer: str
    question_type: str
    metadata: Metadata
    image: str = ""
    sample_index: str = ""
    question_for_eval: str | None = None
    place: int = 0  # in its file


_CHOICES = re.compile(r"\n?\s*Choices?\s*[:：]\s*(?=[(（]?A)")


def split_choices(question: str) -> tuple[str, list[Option]]:
    """The stem and the options that stand inline behind "Choices:".

    >>> stem, options = split_choices("Find x.\\nChoices:\\nA:40°\\nB.60°")
    >>> stem, [(o.label, o.text) for o in options]
    ('Find x.', [('A', '40°'), ('B', '60°')])
    """
    match = _CHOICES.search(question)
    if not match:
        return question, []
    rest = question[match.end() :]
    options = _labelled(rest.split("\n"))
    if len(options) < 2:  # all on one line
        options = _labelled(
            re.split(rf"\s+(?=[{OPTION}]\s*[:：.．]|[(（][{OPTION}][)）])", rest)
        )
    return question[: match.start()].rstrip(), options


def _labelled(parts: list[str]) -> list[Option]:
    """Parts that start with the next letter are options; others go on with the one before."""
    options: list[Option] = []
    for part in parts:
        match = re.match(rf"\s*[(（]?([{OPTION}])[)）]?\s*[:：.．]*\s*(.*)", part, re.S)
        if match and LETTERS.index(match[1]) == len(options):
            options.append(Option(label=match[1], text=match[2].strip()))
        elif options:
            options[-1].text = f"{options[-1].text} {part.strip()}".strip()
    return options


def rows(spec: SourceSpec, paths: list[Path]) -> Iterator[Raw | Unreadable]:
    """One Raw for each problem_index, in the order in which they first occur."""
    return grouped_rows(
        spec,
        paths,
        MathVerseRow,
        lambda row: (row.problem_index, version_name(row.problem_version)),
    )


def version_name(name: str) -> str:
    """`Text Dominant` -> `text_dominant`; raises ValueError for anything but the six versions."""
    version = name.strip().lower().replace(" ", "_")
    if version not in VERSIONS:
        raise ValueError(
            f"unknown problem_version {name!r}; known: {', '.join(VERSIONS)}"
        )
    return version


def held(raw: Raw, spec: SourceSpec) -> Holding:
    """The questions of all versions, without the word that opens their options."""
    texts = {
        version: _CHOICES.sub("\n", row.question) for version, row in raw.data.items()
    }
    return row_of(texts, texts)


@reader("mathverse", rows=rows, holds=held)
def problem(raw: Raw, spec: SourceSpec, pictures: Pictures) -> Problem:
    group: dict[str, MathVerseRow] = raw.data
    fullest = next(group[v] for v in ("text_only", *VERSIONS) if v in group)
    stem, options = split_choices(fullest.question)
    said = fullest.metadata
    labels = {
        "subject": said.subject,
        "subfield": said.subfield,
        "collection": said.source,
    }
    base = problem_of(
        spec,
        fullest.problem_index,
        stem,
        fullest.answer,
        options=options,
        labels=labels,
    )
    figure = next(
        (group[v].image for v in VERSIONS[:4] if v in group and group[v].image), ""
    )
    base.images = pictures.get([figure] if figure else [])
    base.samples = [
        _sample(base, v, group[v], pictures) for v in VERSIONS if v in group
    ]
    return base


def _sample(
    base: Problem, version: str, row: MathVerseRow, pictures: Pictures
) -> Sample:
    stem, options = split_choices(row.question)
    sample = sample_of(
        base,
        version,
        question=stem,
        options=options or base.options,
        answer=row.answer,
        images=pictures.get(
            [row.image] if row.image else [],
            "page" if version == "vision_only" else "figure",
        ),
    )
    written = with_choices(stem, sample.options, len(sample.images))
    name = picture_name(
        version_folder(version), f"image_{row.problem_index}", sample.images
    )
    made = {
        "question": written,
        "image": name,
        "sample_index": str(row.place),
        "split": "test",
    }
    said = msgspec.structs.asdict(row) | {"split": row.metadata.split or "test"}
    if row.question_for_eval:
        made |= {"question_for_eval": ""}
    keep(sample, said, made)
    return sample
