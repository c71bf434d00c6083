"""explained.html: where a difference comes from, every share a link to its samples."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

from ...base.terminal import progress
from ...pages import (
    Card,
    Cell,
    ReportTable,
    Rich,
    Section,
    card_of,
    differences,
    formula,
    rich,
    samples_of,
    write_page,
)
from ...problem import Sample, option_texts
from ..metrics import Explained, IsCorrect, Run
from .comparison import rate_headline, who_is_right
from .html import by_sample, facets, runs_of

Samples = Mapping[str, Sample]


def write_explained(
    path: Path,
    found: Explained,
    causes: Mapping[str, str],
    runs: tuple[Run, Run],
    verdicts: tuple[IsCorrect, IsCorrect],
    samples: tuple[Sequence[Sample], Sequence[Sample]],
    release: Path,
) -> None:
    """Write the page: the shares, and all samples, those that differ first.

    `causes` are those of samples that differ; pictures are those of A's `release`. Raises UserError
    when nothing can be written there.
    """
    write_page(
        path,
        f"Why {found.a} is not {found.b}",
        [explained_section(found)],
        headlines=[
            rate_headline(f"A: {found.a}", found.accuracy_a),
            rate_headline(f"B: {found.b}", found.accuracy_b),
        ],
        about="The shares sum to the difference. Each is a link to its samples.",
        cards=_cards(causes, runs, verdicts, samples),
        release=release,
    )


def explained_section(found: Explained) -> Section:
    """The difference over its causes, and what the runs differ in."""
    header, rows = [*found.table()[0]], [[*row] for row in found.table()[1]]
    linked: list[list[Any]] = [
        [Cell(row[0], address=samples_of(cause=row[0])), *row[1:]]
        if share.only_a or share.only_b
        else row
        for row, share in zip(rows, found.shares, strict=False)
    ]
    differ = [[name, *sides] for name, sides in found.differ_in.items()]
    tables = [ReportTable(header, [*linked, rows[-1]])]
    tables += [ReportTable(["they differ in", "A", "B"], differ)] if differ else []
    return Section("Where the difference comes from", list(found.untold), tables)


def changes(a: Sample, b: Sample) -> list[str]:
    """What of a sample is not the same in both.

    >>> from benchwright.problem import Source
    >>> a = Sample(id="a", problem_id="a", origin="a", source=Source(name="a", raw_id="1"),
    ...            question="1+1?", answer="2")
    >>> import msgspec
    >>> changes(a, msgspec.structs.replace(a, answer="3", question="1 + 1?"))
    ['question', 'gold']
    """
    one, other = _compared(a), _compared(b)
    return [name for name in one if one[name] != other[name]]


def _compared(sample: Sample) -> dict[str, object]:
    return {
        "question": sample.asked(),
        "pictures": [image.sha256 for image in sample.images],
        "options": option_texts(sample.options, 0),
        "gold": (sample.answer, sample.parts),
        "answer kind": sample.answer_kind,
    }


def _cards(
    causes: Mapping[str, str],
    runs: tuple[Run, Run],
    verdicts: tuple[IsCorrect, IsCorrect],
    samples: tuple[Sequence[Sample], Sequence[Sample]],
) -> Iterator[Card]:
    one, two = ({sample.id: sample for sample in side} for side in samples)
    replies = [by_sample(run.results) for run in runs]
    asked = dict.fromkeys(
        name
        for side in (one, two)
        for name in side
        if any(name in found for found in replies)
    )
    order = sorted(asked, key=lambda name: name not in causes)
    for name in progress(order, "page", len(asked), "samples"):
        a, b = one.get(name), two.get(name)
        changed = (
            changes(a, b) if a is not None and b is not None else ["only one has it"]
        )
        given = [found.get(name, []) for found in replies]
        first = next(side for side in given if side)
        right = [
            bool(side) and by(side[0]) for side, by in zip(given, verdicts, strict=True)
        ]
        own = (
            "verdict",
            "status",
            "official and robust",
            "decided by",
            "file's own verdict",
        )
        labels = {k: v for k, v in facets(first, verdicts[0]).items() if k not in own}
        told = {
            "right": [who_is_right(right)],
            "cause": [causes.get(name, "no difference")],
            "changed": changed or ["nothing"],
        }
        sides = [
            (letter, run, by, sample, side)
            for letter, run, by, sample, side in zip(
                "AB", runs, verdicts, (a, b), given, strict=True
            )
            if sample is not None and side
        ]
        card = card_of(sides[0][3], told | labels)
        both = differences(a.asked(), b.asked()) if a and b else ([], [])
        for letter, run, by, sample, side in sides:
            shown = runs_of(side, sample, by, f"{letter}: {run.name}")
            if "question" in changed:
                shown[0].text = rich(sample.asked(), both["AB".index(letter)])
            rows: list[tuple[str, Rich]] = []
            rows += (
                [("gold", formula(sample.answer or ""))] if "gold" in changed else []
            )
            if "options" in changed:
                texts = option_texts(sample.options, len(sample.images))
                rows += [
                    (o.label, rich(t))
                    for o, t in zip(sample.options, texts, strict=True)
                ]
            shown[0].rows = rows + shown[0].rows
            card.runs += shown
        yield card
