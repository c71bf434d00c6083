"""Contamination: which of our questions occur in another benchmark or a training set?

The same candidates, evidence, classes and ranking as within one set (`pairs`), between two: equal
keys, the exact join, rare words, formulas and numbers of other languages, pictures; and both ways
round, whether one question stands in a longer one.
"""

from __future__ import annotations

import html
from collections.abc import Iterable
from itertools import islice
from pathlib import Path

from ..base.display import Rows
from ..pipeline import Engine
from .classes import Pair
from .items import Item, items_of
from .join import whole_percent
from .pairs import pairs_among


class Contamination(Rows[Pair]):
    """What `find_contamination` found: `questions` of ours (a) among so many `others` (b)."""

    __slots__ = ("others", "questions", "unreadable")
    questions: int
    others: int
    unreadable: list[str]

    def headline(self) -> str:
        linked = len({pair.a for pair in self if pair.linked})
        return (
            f"{linked} of {self.questions} questions found among {self.others}; "
            f"{len(self)} pairs to look at"
        )

    def report(self, title: str) -> str:
        """All pairs as a Markdown text to send on: what was compared, how, and what was found."""
        lines = [
            f"# {_escaped(title)}",
            "",
            f"{self.headline()}. Each pair has its class, the probability that both are one "
            "problem, the similarity of the texts (1 - edits / length), the share of word 8- and "
            "13-grams in common, and the passage in which the shorter stands. Found is not proven: "
            "read both.",
            "",
        ]
        for pair in self:
            lines += _section(pair)
        return "\n".join(lines)


def _section(pair: Pair) -> list[str]:
    """The lines of the report about a pair."""
    evidence = [
        pair.kind,
        f"probability {pair.score:.2f}",
        f"similarity {pair.similarity:.2f}",
    ]
    for n in ("8", "13"):
        if n in pair.overlap:
            evidence.append(f"{n}-grams {pair.overlap[n]:.0%}")
    evidence.append(f"answers {pair.answer}")
    lines = [
        f"## {_escaped(pair.a)} and {_escaped(pair.b)}",
        "",
        "; ".join(evidence),
        "",
    ]
    if pair.passage:
        lines += [f"> {_escaped(pair.passage)}", ""]
    if pair.diff:
        changes = "; ".join(
            f"{ours or '-'} / {theirs or '-'}" for ours, theirs in pair.diff
        )
        lines += [f"Differs: {_escaped(changes)}", ""]
    return lines


def _escaped(text: str) -> str:
    return html.escape(" ".join(text.split())[:2000], quote=False).replace("`", "\\`")


def find_contamination(
    problems: str | Path | Iterable[Item],
    others: str | Path | Iterable[Item],
    threshold: float = 0.85,
    *,
    text_field: str | None = None,
    images: str | Path | None = None,
    other_images: str | Path | None = None,
    pictures: bool = True,
    most: int = 0,
    engine: Engine | None = None,
) -> Contamination:
    """Which questions of a JSONL of problems (or of items) occur in another one.

    Files are JSON lines, plain or gzipped, or Parquet.

    Args:
        problems: JSONL of problems.
        others: A benchmark or a training set.
        threshold: Least similarity of two questions: 1 - edits / length of the longer, a whole
            percentage from 0.5 to 1.
        text_field: Field of OTHERS with the text [default: question, problem, text, ...].
        images: Folder that picture paths are relative to [default: found beside or above the file].
        other_images: The same for OTHERS.
        pictures: Open the pictures and compare them, too.
        most: Only so many pairs, the likeliest [default: all].
        engine: Where the work runs.

    Raises UserError for files without a readable question, and for another threshold.

    Example: `find_contamination("problems.jsonl", "gsm8k-train.jsonl").to_frame()`
    """
    percent = whole_percent(threshold)
    ours, unreadable = items_of(problems, images)
    theirs, unreadable_others = items_of(others, other_images, text_field)
    pairs = pairs_among([*ours, *theirs], percent, engine, pictures, ours=len(ours))
    matches = Contamination(islice(pairs, most or None))
    matches.questions = len(ours)
    matches.others = len(theirs)
    matches.unreadable = unreadable + unreadable_others
    return matches
