"""Remarks: what people write beside their votes."""

from __future__ import annotations

from pathlib import Path

import msgspec


class Remark(msgspec.Struct, kw_only=True):
    """A line of remarks.jsonl: what somebody wrote on a problem, into which control of the form."""

    id: str
    annotator: str
    control: str
    text: str
    about: str  # hash of what was shown
    at: str


def remarks_path(votes: Path) -> Path:
    """Where the remarks on a recipe's votes are kept.

    >>> remarks_path(Path("votes/subject.jsonl")).name
    'subject.remarks.jsonl'
    """
    return votes.with_suffix(".remarks.jsonl")
