"""Raw rows beside the problems they became, with every issue at the place that it is about.

What is shown is plain data (`RawView`), so that whoever cuts or converts raw text can show it.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from typing import NamedTuple

from ..problem import Problem, sample_of
from .cards import Card, Issue, card_of
from .rich import Mark, Rich, rich, verbatim

LONGEST = 6_000  # characters of a cell that are shown
TRIED = 12  # words of what an issue found that are looked for in its field


class RawText(NamedTuple):
    """A stretch of raw text under its name; `marks` are places in it, `pictures` paths.

    `fields` are those of the problem that are read from it.
    """

    name: str
    text: str
    marks: Sequence[Mark] = ()
    pictures: Sequence[str] = ()
    fields: Sequence[str] = ()


class RawProblem(NamedTuple):
    """A problem that came of a row, with its issues; one that is not kept was dropped."""

    problem: Problem
    issues: Sequence[Issue] = ()
    kept: bool = True


class RawView(NamedTuple):
    """A raw row: where it stands, its texts, its problems, and issues of the row itself."""

    place: str
    texts: Sequence[RawText]
    problems: Sequence[RawProblem] = ()
    issues: Sequence[Issue] = ()

    def every_issue(self) -> list[Issue]:
        """The row's issues and those of its problems."""
        return [
            *self.issues,
            *(issue for problem in self.problems for issue in problem.issues),
        ]

    def of_row(self) -> bool:
        """Is it a row, and no text that stands beside them?"""
        return bool(self.problems or self.issues)


def raw_card(row: RawView, source: str, name: str = "") -> Card:
    """The card of a raw row of `source`, called `name` where its place is not enough."""
    issues = row.every_issue()
    kept = sum(problem.kept for problem in row.problems)
    became = ("no problem", "a problem", "several problems")[min(kept, 2)]
    if not row.of_row():
        became = "outside of problems"
    return Card(
        id=name or row.place,
        problem=name or row.place,
        facets={
            "source": [source],
            "became": [became],
            "issues": list(dict.fromkeys(issue.code for issue in issues)) or ["none"],
        },
        raw=[
            (cell.name, _marked_text(cell, issues), list(cell.pictures))
            for cell in row.texts
        ],
        became=[_became(problem) for problem in row.problems],
        issues=list(row.issues),
    )


def _marked_text(cell: RawText, issues: Iterable[Issue]) -> Rich:
    """A cell's text with the marks given, and those of issues that name it."""
    text = cell.text
    marks = [*cell.marks]
    for issue in issues:
        field = "options" if issue.where.startswith("option") else issue.where
        names_cell = issue.where == cell.name
        if names_cell or field in cell.fields:
            marks += _places(issue, text, words=names_cell) or _whole(issue, text)
    if len(text) > LONGEST:
        marks = [mark for mark in marks if mark.end <= LONGEST]
        text = f"{text[:LONGEST]}… and {len(text) - LONGEST:,} more characters"
    return verbatim(text, marks)


def _became(raw: RawProblem) -> Card:
    problem = raw.problem
    issues = list(raw.issues)
    facts = {"kind": [problem.answer_kind]} if raw.kept else {"became": ["dropped"]}
    card = card_of(sample_of(problem), facts, problem)
    marks = [
        mark
        for issue in issues
        if issue.where == "question"
        for mark in _places(issue, problem.question)
    ]
    card.question = rich(problem.question, marks)
    options = []
    for label, text, picture in card.options:
        on_option = [issue for issue in issues if _names(issue, label)]
        options.append((label, _marked(text, on_option), picture))
    card.options = options
    on_gold = [issue for issue in issues if issue.where == "answer"]
    if on_gold and not card.rows:
        card.rows = [("gold", "")]
    card.rows = [(name, _marked(text, on_gold)) for name, text in card.rows]
    card.issues = issues
    return card


def _names(issue: Issue, label: str) -> bool:
    """Is an issue about the option of this label?"""
    if issue.where == "options":
        labels, _, _ = issue.what.partition(":")
        return label in labels.split(" ")
    return issue.where == f"option {label}"


def _marked(text: Rich, issues: Sequence[Issue]) -> Rich:
    """A text marked as a whole where an issue is about it."""
    if not issues:
        return text
    parts = [text] if isinstance(text, str) else text
    level = "error" if any(issue.level == "error" for issue in issues) else "warning"
    title = "\n".join(map(_title, issues))
    return [{"m": level, "p": parts if text else ["(empty)"], "t": title}]


def _whole(issue: Issue, text: str) -> list[Mark]:
    """All of a text, where that is what an issue found."""
    if not text.strip() or issue.what.strip() != text.strip():
        return []
    return [Mark(0, len(text), issue.level, _title(issue))]


def _places(issue: Issue, text: str, *, words: bool = False) -> list[Mark]:
    """Where what an issue found stands in its field; nowhere where that is the whole field.

    What it found may say more than stands there ("Ã© for é"): the longest beginning that does
    stand there is the place; with `words` each of its words is.
    """
    finding = issue.what.strip()
    if words:
        tried = [re.escape(word) for word in finding.split()[:TRIED]]
        matches = [re.search(rf"(?<!\w){word}(?!\w)", text) for word in tried]
        return [
            Mark(*match.span(), issue.level, _title(issue))
            for match in matches
            if match
        ]
    pieces = finding.split(" ")
    for length in range(min(len(pieces), TRIED), 0, -1):
        beginning = " ".join(pieces[:length])
        start = text.find(beginning)
        if not beginning or start < 0:
            continue
        if len(beginning) >= len(text.strip()):
            return []
        return [Mark(start, start + len(beginning), issue.level, _title(issue))]
    return []


def _title(issue: Issue) -> str:
    return f"{issue.code}: {issue.remedy}"
