"""comparison.html of runs that differ in release, split or profile: what changed, what flips."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path

from ...base.terminal import progress
from ...pages import (
    Card,
    ReportTable,
    Rich,
    Section,
    card_of,
    differences,
    formula,
    rich,
    write_page,
)
from ...problem import Sample, option_texts
from ..metrics import Described, Run
from .comparison import rate_headline, who_is_right
from .html import by_sample, facets, runs_of

Samples = Mapping[str, Sample]
Verdicts = Mapping[str, tuple[bool, bool]]  # of the samples that both have, A's and B's


def write_across(
    path: Path,
    described: Described,
    verdicts: Verdicts,
    runs: tuple[Run, Run],
    samples: tuple[Sequence[Sample], Sequence[Sample]],
    release: Path,
) -> None:
    """Write the page of the samples that both have, changed and flipped ones first.

    Pictures are those of A's `release`. Raises UserError when nothing can be written there.
    """
    d = described
    one, two = ({sample.id: sample for sample in side} for side in samples)
    shared = {name: changes(one[name], two[name]) for name in verdicts}
    write_page(
        path,
        f"{d.a} and {d.b}, described",
        [_section(d, verdicts, shared)],
        headlines=[
            rate_headline(f"A: {d.a}", d.accuracy_a),
            rate_headline(f"B: {d.b}", d.accuracy_b),
        ],
        about=f"{d.shared:,} samples of both; no test compares runs that differ in "
        f"{' and '.join(d.differ_in) or 'nothing'}.",
        cards=_cards(verdicts, runs, one, two, shared),
        release=release,
    )


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


def _section(d: Described, verdicts: Verdicts, shared: Mapping[str, list[str]]) -> Section:
    """How many flip, by what changed."""
    counts: dict[str, Counter[str]] = {}
    for name, changed in shared.items():
        outcome = who_is_right(verdicts[name])
        for what in changed or ["nothing"]:
            counts.setdefault(what, Counter())[outcome] += 1
    rows = [
        [what, c.total(), c["only A"], c["only B"], c["both"], c["neither"]]
        for what, c in counts.items()
    ]
    header = ["changed", "samples", "only A right", "only B right", "both", "neither"]
    differ = [[name, *sides] for name, sides in d.differ_in.items()]
    tables = [ReportTable(header, rows), ReportTable(["they differ in", "A", "B"], differ)]
    return Section("Flips by what changed", [], tables)


def _cards(
    verdicts: Verdicts,
    runs: tuple[Run, Run],
    one: Samples,
    two: Samples,
    shared: Mapping[str, list[str]],
) -> Iterator[Card]:
    replies = [by_sample(run.results) for run in runs]

    def order(name: str) -> tuple[bool, bool]:
        right, other = verdicts[name]
        return right == other, not shared[name]  # flips first, then what changed

    for name in progress(sorted(shared, key=order), "page", len(shared), "samples"):
        a, b, changed = one[name], two[name], shared[name]
        ours, theirs = (groups[name] for groups in replies)
        labels = facets(ours, runs[0].verdict)
        own = ("verdict", "status", "official and robust", "decided by")
        card = card_of(
            a,
            {"right": [who_is_right(verdicts[name])], "changed": changed or ["nothing"]}
            | {k: v for k, v in labels.items() if k not in own},
        )
        marks = differences(a.asked(), b.asked())
        for letter, run, sample, given, differing in zip(
            "AB", runs, (a, b), (ours, theirs), marks, strict=True
        ):
            shown = runs_of(given, sample, run.verdict, f"{letter}: {run.name}")
            if "question" in changed:
                shown[0].text = rich(sample.asked(), differing)
            rows: list[tuple[str, Rich]] = []
            rows += [("gold", formula(sample.answer or ""))] if "gold" in changed else []
            if "options" in changed:
                texts = option_texts(sample.options, len(sample.images))
                rows += [(o.label, rich(t)) for o, t in zip(sample.options, texts, strict=True)]
            shown[0].rows = rows + shown[0].rows
            card.runs += shown
        yield card
