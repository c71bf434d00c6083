"""Which figures of the papers a score or several runs have."""

from __future__ import annotations

from collections.abc import Mapping

from ...problem import VERSIONS
from ..metrics import Rate, Scores
from .papers import PaperFigure

CLASSES = ("IK", "IG", "CM", "RM")
AXES = range(3, 21)  # groups that make a radar
GROUPS = ("subject", "level", "difficulty")
ROWS = 40  # groups that make a figure


def paper_figures(scores: Scores) -> list[PaperFigure]:
    """Subjects and levels with intervals, radar, six-version profile, four dimensions, errors."""
    figures = runs_figures({"accuracy": scores.by})
    if (table := scores.versions) is not None:
        every = [(version, getattr(table, version)) for version in VERSIONS]
        rates = [(version, rate) for version, rate in every if rate is not None]
        figures.append(PaperFigure("six versions", "profile", {"accuracy": rates}))
    if (four := scores.four_dimensional) is not None:
        shares = {
            setting: [(name, getattr(d, name).n / four.groups) for name in CLASSES]
            for setting, d in (("strict", four.strict), ("loose", four.loose))
        }
        figures.append(PaperFigure("four dimensions", "shares", shares))
    if scores.process is not None:
        errors = [
            (name, c["share"] or 0.0)
            for name, c in scores.process["categories"].items()
        ]
        figures.append(PaperFigure("first errors", "shares", {"first errors": errors}))
    return figures


def runs_figures(
    runs: Mapping[str, Mapping[str, Mapping[str, Rate]]],
) -> list[PaperFigure]:
    """The groups of one run or several beside each other: run -> label -> value -> rate."""
    figures = []
    for label in GROUPS:
        series = {
            name: _counted(by_label.get(label, {})) for name, by_label in runs.items()
        }
        groups = {value for rates in series.values() for value, _ in rates}
        if 1 < len(groups) <= ROWS:
            figures.append(PaperFigure(f"accuracy by {label}", "dots", series))
        if label == "subject" and len(groups) in AXES:
            figures.append(PaperFigure("subjects radar", "radar", series))
    return figures


def _counted(rates: Mapping[str, Rate]) -> list[tuple[str, Rate]]:
    """The groups in which anything was counted."""
    return [(value, rate) for value, rate in rates.items() if rate.value is not None]
