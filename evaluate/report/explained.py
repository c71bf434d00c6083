"""explained.html: where a difference comes from, every share a link to its samples."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any, NamedTuple

from ...base.terminal import progress
from ...pages import (
    Card,
    Cell,
    Mark,
    ReportTable,
    Rich,
    Round,
    Section,
    card_of,
    differences,
    formula,
    rich,
    samples_of,
    write_page,
)
from ...pages import Run as Reply
from ...problem import Sample, option_texts
from ..metrics import Explained, IsCorrect, Result, Run
from .comparison import rate_headline, who_is_right
from .html import by_sample, runs_of

ReplyKey = tuple[str, int, str]  # a sample, which of its replies, and whose


class Side(NamedTuple):
    """One of two runs, by its letter, with its replies to a sample."""

    letter: str
    run: Run
    verdict: IsCorrect
    sample: Sample
    results: list[Result]


def write_explained(
    path: Path,
    found: Explained,
    causes: Mapping[ReplyKey, str],
    runs: tuple[Run, Run],
    verdicts: tuple[IsCorrect, IsCorrect],
    samples: tuple[Sequence[Sample], Sequence[Sample]],
    release: Path,
) -> None:
    """Write the page: the shares, and all samples, those that differ first.

    `causes` are those of replies that differ; pictures are those of A's `release`. Raises UserError
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
    header, body = found.table()
    whole = body[-1]
    tables = [ReportTable(list(header), [*_linked(found, body), list(whole)])]
    if found.differ_in:
        sides = ["A", "B"]
        rows = {
            name: dict(zip(sides, values, strict=True))
            for name, values in found.differ_in.items()
        }
        tables.append(ReportTable.matrix("they differ in", sides, rows))
    return Section("Where the difference comes from", list(found.untold), tables)


def _linked(found: Explained, rows: Sequence[Sequence[Any]]) -> list[list[Any]]:
    """The rows of the shares, causes that have samples as links to them."""
    linked = []
    for share, (cause, points, *_) in zip(found.shares, rows, strict=False):
        sides = {"only A": share.only_a, "only B": share.only_b}
        counts = [
            Cell(f"{len(names):,}", address=samples_of(cause=cause, right=side))
            if names
            else 0
            for side, names in sides.items()
        ]
        link = samples_of(cause=cause) if any(sides.values()) else ""
        linked.append([Cell(str(cause), address=link), points, *counts])
    return linked


def changes(a: Sample, b: Sample) -> list[str]:
    """What of a sample is not the same in both.

    >>> from benchwright.problem import Source
    >>> a = Sample(id="a", problem_id="a", origin="a", source=Source(name="a", raw_id="1"),
    ...            question="1+1?", answer="2")
    >>> import msgspec
    >>> changes(a, msgspec.structs.replace(a, answer="3", question="1 + 1?"))
    ['question', 'gold']
    """
    ours = _compared(a)
    theirs = _compared(b)
    return [name for name in ours if ours[name] != theirs[name]]


def _compared(sample: Sample) -> dict[str, object]:
    return {
        "question": sample.asked(),
        "pictures": [image.sha256 for image in sample.images],
        "options": option_texts(sample.options, 0),
        "gold": (sample.answer, sample.parts),
        "answer kind": sample.answer_kind,
    }


def _cards(
    causes: Mapping[ReplyKey, str],
    runs: tuple[Run, Run],
    verdicts: tuple[IsCorrect, IsCorrect],
    samples: tuple[Sequence[Sample], Sequence[Sample]],
) -> Iterator[Card]:
    ours, theirs = ({sample.id: sample for sample in side} for side in samples)
    replies = [by_sample(run.results) for run in runs]
    names = [
        name
        for name in dict.fromkeys([*ours, *theirs])
        if any(name in results for results in replies)
    ]
    differing = {name for name, *_ in causes}
    order = sorted(names, key=lambda name: name not in differing)
    for name in progress(order, "page", len(order), "samples"):
        a = ours.get(name)
        b = theirs.get(name)
        changed = ["only one has it"]
        if a is not None and b is not None:
            changed = changes(a, b)
        answers = [by_name.get(name, []) for by_name in replies]
        first = next(results for results in answers if results)
        labels = {"changed": changed or ["nothing"]} | first[0].group_values()
        sides = [
            Side(letter, run, verdict, sample, results)
            for letter, run, verdict, sample, results in zip(
                "AB", runs, verdicts, (a, b), answers, strict=True
            )
            if sample is not None and results
        ]
        card = card_of(sides[0].sample, labels)
        card.rounds = _rounds(causes, answers, verdicts)
        texts = differences(a.asked(), b.asked()) if a and b else ([], [])
        for side in sides:
            card.runs += _replies(side, changed, texts["AB".index(side.letter)])
        yield card


def _rounds(
    causes: Mapping[ReplyKey, str],
    answers: Sequence[Sequence[Result]],
    verdicts: Sequence[IsCorrect],
) -> list[Round]:
    """By the replies' keys who is right, and why one alone is."""
    ours, theirs = ({reply_key(r): r for r in results} for results in answers)
    rounds = []
    for key in dict.fromkeys([*ours, *theirs]):
        right = [
            key in side and verdict(side[key])
            for side, verdict in zip((ours, theirs), verdicts, strict=True)
        ]
        facets = {
            "right": [who_is_right(right)],
            "cause": [causes.get(key, "no difference")],
            "reply": [str(key[1])],
        }
        rounds.append(Round(facets=facets))
    return rounds


def reply_key(result: Result) -> ReplyKey:
    """A sample, which of its replies, and whose."""
    return result.id, result.repeat, result.person or ""


def _replies(side: Side, changed: Sequence[str], marks: Sequence[Mark]) -> list[Reply]:
    """A side's replies; the first shows what of the sample is not the same in both."""
    sample = side.sample
    name = f"{side.letter}: {side.run.name}"
    replies = runs_of(side.results, sample, side.verdict, name)
    rows: list[tuple[str, Rich]] = []
    if "gold" in changed:
        rows.append(("gold", formula(sample.answer or "")))
    if "options" in changed:
        texts = option_texts(sample.options, len(sample.images))
        rows += [
            (option.label, rich(text))
            for option, text in zip(sample.options, texts, strict=True)
        ]
    first = replies[0]
    if "question" in changed:
        first.text = rich(sample.asked(), marks)
    first.rows = rows + first.rows
    return replies
