"""Contamination: which of our questions occur in another benchmark or a training set?

The same candidates, evidence, classes and ranking as within one set (`pairs`), between two: equal
keys, the exact join, rare words, formulas and numbers of other languages, pictures; and both ways
round, whether one question stands in a longer one. Corpora of documents are read as streams
(`contamination`), and what is found there are passages.
"""

from __future__ import annotations

import html
from collections.abc import Iterable, Sequence
from itertools import islice
from pathlib import Path
from typing import Any

from ..base.display import Rows
from ..pipeline import Engine
from .classes import Pair
from .contamination import Passage, holds_questions, scan_corpus
from .items import Item, items_of
from .join import whole_percent
from .pairs import pairs_among


class Contamination(Rows[Pair | Passage]):
    """What `find_contamination` found: `questions` of ours (a) among so many `others` (b).

    Rows are pairs where questions were compared, and passages where documents were read. Problems
    that are `too_short` were not sought in documents.
    """

    __slots__ = ("characters", "others", "questions", "too_short", "unreadable")
    questions: int
    others: int
    characters: int
    too_short: list[str]
    unreadable: list[str]

    def headline(self) -> str:
        linked = len({pair.a for pair in self if pair.linked})
        if not self.characters:
            return (
                f"{linked} of {self.questions} questions found among {self.others}; "
                f"{len(self)} pairs to look at"
            )
        return (
            f"{linked} of {self.questions} questions found in {self.others} documents "
            f"({self.characters / 1e6:,.1f} million characters); {len(self)} passages to look "
            f"at; {len(self.too_short)} questions are too short to be sought"
        )

    def report(self, title: str) -> str:
        """All pairs as a Markdown text to send on: what was compared, how, and what was found."""
        lines = [
            f"# {_escaped(title)}",
            "",
            f"{self.headline()}. {_PASSAGES if self.characters else _PAIRS} Found is not proven: "
            "read both.",
            "",
        ]
        for row in self:
            lines += _section(row) if isinstance(row, Pair) else _of_passage(row)
        return "\n".join(lines)


_PAIRS = (
    "Each pair has its class, the probability that both are one problem, the similarity of the "
    "texts (1 - edits / length), the share of word 8- and 13-grams in common, and the passage in "
    "which the shorter stands."
)
_PASSAGES = (
    "Each passage has its class, the share of the problem's words that stand there in their order, "
    "by rarity, and whether its numbers, its options and its answer are there."
)


def _of_passage(found: Passage) -> list[str]:
    """The lines of the report about a passage of a document."""
    beside = [
        name
        for name, there in (("answer", found.answer), ("options", found.options))
        if there
    ]
    evidence = [
        found.kind,
        f"words {found.score:.0%}",
        f"numbers {found.numbers}",
        f"beside it: {', '.join(beside) or 'nothing'}",
        f"{_escaped(found.file)}, line {found.line}, characters {found.start} to {found.end}",
    ]
    return [
        f"## {_escaped(found.a)} in {_escaped(found.b)}",
        "",
        "; ".join(evidence),
        "",
        f"> {_escaped(found.passage)}",
        "",
    ]


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
    others: str | Path | Iterable[Item] | Sequence[str | Path],
    threshold: float = 0.85,
    *,
    text_field: str | None = None,
    images: str | Path | None = None,
    other_images: str | Path | None = None,
    pictures: bool = True,
    most: int = 0,
    engine: Engine | None = None,
) -> Contamination:
    """Which questions of a JSONL of problems (or of items) occur in other data.

    One file of question rows (JSON lines, plain or gzipped, or Parquet) is compared row by row.
    All else is read as a stream of documents: several files, folders, patterns such as
    `corpus/**/*.gz`, and `-` for standard input. The threshold, pictures and `most` are for rows.

    Args:
        problems: JSONL of problems.
        others: A benchmark or a training set: files, folders, patterns, or -.
        threshold: Least similarity of two questions: 1 - edits / length of the longer, a whole
            percentage from 0.5 to 1.
        text_field: Field of OTHERS with the text [default: question, problem, text, ...; of
            documents all texts of a row].
        images: Folder that picture paths are relative to [default: found beside or above the file].
        other_images: The same for OTHERS.
        pictures: Open the pictures and compare them, too.
        most: Only so many pairs, the likeliest [default: all].
        engine: Where the work runs.

    Raises UserError for files without a readable question, names without a file, and another
    threshold.

    Example: `find_contamination("problems.jsonl", "gsm8k-train.jsonl").to_frame()`
    """
    percent = whole_percent(threshold)
    ours, unreadable = items_of(problems, images)
    sources = _sources(others)
    if sources and not (
        len(sources) == 1 and holds_questions(Path(sources[0]), text_field)
    ):
        return _in_documents(ours, unreadable, sources, text_field, engine)
    questions = sources[0] if sources else others
    theirs, unreadable_others = items_of(questions, other_images, text_field)  # type: ignore[arg-type]
    pairs = pairs_among([*ours, *theirs], percent, engine, pictures, ours=len(ours))
    matches = Contamination(islice(pairs, most or None))
    matches.questions = len(ours)
    matches.others = len(theirs)
    matches.characters, matches.too_short = 0, []
    matches.unreadable = unreadable + unreadable_others
    return matches


def _sources(others: Any) -> list[str | Path]:
    """The files, folders and patterns that are given; none where items are."""
    if isinstance(others, str | Path):
        return [others]
    return [source for source in others if isinstance(source, str | Path)]


def _in_documents(
    ours: list[Item],
    unreadable: list[str],
    sources: list[str | Path],
    text_field: str | None,
    engine: Engine | None,
) -> Contamination:
    scan = scan_corpus(ours, sources, text_field=text_field, engine=engine)
    matches = Contamination(sorted(scan.passages, key=lambda found: -found.score))
    matches.questions = len(ours)
    matches.others = scan.documents
    matches.characters, matches.too_short = scan.characters, scan.too_short
    unnamed = scan.unreadable - len(scan.named)
    more = [f"{unnamed} more rows of documents"] if unnamed else []
    matches.unreadable = [*unreadable, *scan.named, *more]
    return matches
