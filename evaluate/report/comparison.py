"""comparison.html: figures of A against B, then every sample with both replies side by side."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from ...pages import Card, Headline, ReportTable, Section, card_of, radar_plot, write_page
from ...problem import Sample
from ..metrics import Rate, Result, by_label
from .html import facets, run_of
from .number_format import interval, percent, points

if TYPE_CHECKING:
    from ..compare import Comparison


def write_comparison(
    path: Path,
    comparison: Comparison,
    first: Sequence[Result],
    second: Sequence[Result],
    samples: Sequence[Sample],
    release: Path,
) -> None:
    """Write the page and its data. Raises UserError when nothing can be written there."""
    c, partner = comparison, {result.id: result for result in second}
    known = {sample.id: sample for sample in samples}
    write_page(
        path,
        f"{c.a} against {c.b}",
        [_whole(c), _labels(c, first, second)],
        headlines=_headlines(c),
        about=f"Verdict on the whole split: {c.verdict}.",
        cards=_cards(c, first, partner, known),
        release=release,
    )


def _headlines(c: Comparison) -> list[Headline]:
    d = c.difference
    return [
        _rate(f"A: {c.a}", c.accuracy_a),
        _rate(f"B: {c.b}", c.accuracy_b),
        Headline("A - B, points", points(d.value), f"95 % {interval(d)}"),
        Headline("only A right", f"{c.mcnemar.only_first:,}", f"only B {c.mcnemar.only_second:,}"),
    ]


def _rate(of: str, rate: Rate) -> Headline:
    return Headline(of, percent(rate.value), interval(rate), rate.low, rate.value, rate.high)


def _whole(c: Comparison) -> Section:
    m = c.mcnemar
    right: list[Any] = ["A right", m.both, m.only_first]
    wrong: list[Any] = ["A wrong", m.only_second, m.neither]
    tables = [ReportTable(["", "B right", "B wrong"], [right, wrong])]
    if c.transitions:
        moves = [[move, n] for move, n in c.transitions.items()]
        tables.append(ReportTable(["class, A -> B", "problems"], moves, "Four-dimensional classes"))
    return Section("Both together", c.notes, tables)


def _labels(c: Comparison, first: Sequence[Result], second: Sequence[Result]) -> Section:
    header = ["", "n", "A - B", "95 %", "p (Holm)"]
    tables = [
        ReportTable(
            [label, *header[1:]],
            [
                [v, x.difference.n, points(x.difference.value), interval(x.difference),
                 f"{x.p_holm:.3g}"]
                for v, x in values.items()
            ],
            f"By {label}",
        )
        for label, values in c.by.items()
        if len(values) > 1
    ]  # fmt: skip
    rates = [(name, by_label(results)) for name, results in ((c.a, first), (c.b, second))]
    subjects = {
        f"{letter}: {name}": list(found.get("subject", {}).items())
        for letter, (name, found) in zip("AB", rates, strict=True)
    }
    enough = all(3 <= len(found) <= 20 for found in subjects.values())
    plots = [radar_plot("Subjects, percent", subjects)] if enough else []
    return Section("By label", [], tables, plots)


def _cards(
    c: Comparison,
    first: Sequence[Result],
    partner: Mapping[str, Result],
    samples: Mapping[str, Sample],
) -> Iterator[Card]:
    right = _right_by_problem(first), _right_by_problem(list(partner.values()))
    for one in first:
        if one.id not in samples:
            continue  # a folder of another split, which its figures do not hide
        other = partner[one.id]
        found = {"right": [_who(one.correct, other.correct)]}
        if flips := [n for n, by in zip("AB", right, strict=True) if len(by[one.problem_id]) == 2]:
            found["flips between versions"] = flips
        found |= {k: v for k, v in facets(one).items() if k not in ("verdict", "status")}
        card = card_of(samples[one.id], found)
        card.runs = [
            run_of(one, samples[one.id], f"A: {c.a}"),
            run_of(other, samples[one.id], f"B: {c.b}"),
        ]
        yield card


def _who(a: bool, b: bool) -> str:
    return ("both" if b else "only A") if a else ("only B" if b else "neither")


def _right_by_problem(results: Sequence[Result]) -> dict[str, set[bool]]:
    """Which verdicts the samples of a problem have: both, where versions flip."""
    found: dict[str, set[bool]] = {}
    for result in results:
        found.setdefault(result.problem_id, set()).add(result.correct)
    return found
