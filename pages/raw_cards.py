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
        return [*self.issues, *(issue for one in self.problems for issue in one.issues)]

    def of_row(self) -> bool:
        """Is it a row, and no text that stands beside them?"""
        return bool(self.problems or self.issues)


def raw_card(row: RawView, source: str, name: str = "") -> Card:
    """The card of a raw row of `source`, called `name` where its place is not enough."""
    issues = row.every_issue()
    kept = sum(one.kept for one in row.problems)
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
        raw=[(one.name, _stood(one, issues), list(one.pictures)) for one in row.texts],
        became=[_became(one) for one in row.problems],
        issues=list(row.issues),
    )


def _stood(one: RawText, issues: Iterable[Issue]) -> Rich:
    """A cell's text with the marks given, and those of issues that name it."""
    text = one.text
    marks = [*one.marks]
    for issue in issues:
        field = "options" if issue.where.startswith("option") else issue.where
        if issue.where == one.name or field in one.fields:
            marks += _places(issue, text, words=issue.where == one.name) or _whole(
                issue, text
            )
    if len(text) > LONGEST:
        marks = [mark for mark in marks if mark.end <= LONGEST]
        text = f"{text[:LONGEST]}… and {len(text) - LONGEST:,} more characters"
    return verbatim(text, marks)


def _became(one: RawProblem) -> Card:
    problem, issues = one.problem, list(one.issues)
    facts = {"kind": [problem.answer_kind]} if one.kept else {"became": ["dropped"]}
    card = card_of(sample_of(problem), facts, problem)
    here = [issue for issue in issues if issue.where == "question"]
    card.question = rich(
        problem.question,
        [mark for issue in here for mark in _places(issue, problem.question)],
    )
    card.options = [
        (
            label,
            _marked(text, [issue for issue in issues if _names(issue, label)]),
            picture,
        )
        for label, text, picture in card.options
    ]
    on_gold = [issue for issue in issues if issue.where == "answer"]
    if on_gold and not card.rows:
        card.rows = [("gold", "")]
    card.rows = [(name, _marked(text, on_gold)) for name, text in card.rows]
    card.issues = issues
    return card


def _names(issue: Issue, label: str) -> bool:
    """Is an issue about the option of this label?"""
    named = issue.where == "options" and label in issue.what.partition(":")[0].split(
        " "
    )
    return named or issue.where == f"option {label}"


def _marked(shown: Rich, issues: Sequence[Issue]) -> Rich:
    """A text marked as a whole where an issue is about it."""
    if not issues:
        return shown
    parts = [shown] if isinstance(shown, str) else shown
    level = "error" if any(issue.level == "error" for issue in issues) else "warning"
    said = "\n".join(map(_said, issues))
    return [{"m": level, "p": parts if shown else ["(empty)"], "t": said}]


def _whole(issue: Issue, text: str) -> list[Mark]:
    """All of a text, where that is what an issue found."""
    here = text.strip() and issue.what.strip() == text.strip()
    return [Mark(0, len(text), issue.level, _said(issue))] if here else []


def _places(issue: Issue, text: str, *, words: bool = False) -> list[Mark]:
    """Where what an issue found stands in its field; nowhere where that is the whole field.

    What it found may say more than stands there ("Ã© for é"): the longest beginning that does
    stand there is the place; with `words` each of its words is.
    """
    found = issue.what.strip()
    if words:
        each = (
            re.search(rf"(?<!\w){re.escape(w)}(?!\w)", text)
            for w in found.split()[:TRIED]
        )
        return [
            Mark(*match.span(), issue.level, _said(issue)) for match in each if match
        ]
    pieces = found.split(" ")
    for length in range(min(len(pieces), TRIED), 0, -1):
        start = text.find(
            wanted := found if length == len(pieces) else " ".join(pieces[:length])
        )
        if wanted and start >= 0:
            whole = len(wanted) >= len(text.strip())
            return (
                []
                if whole
                else [Mark(start, start + len(wanted), issue.level, _said(issue))]
            )
    return []


def _said(issue: Issue) -> str:
    return f"{issue.code}: {issue.remedy}"
