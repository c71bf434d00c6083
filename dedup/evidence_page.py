"""The evidence on pairs as a page: texts with differences marked, pictures and what they differ in.

It is made of evidence.jsonl and its pictures, and stands beside them as evidence.html.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from pathlib import Path

import msgspec

from ..base.files import read_jsonl
from ..pages import Card, Headline, Mark, Rich, Run, rich, write_page
from .classes import Pair

Marked = list[tuple[str, bool]]  # stretches of text, and whether the other side lacks them


class Side(msgspec.Struct, kw_only=True):
    """One problem of a pair as the page shows it."""

    id: str
    question: Marked
    options: list[tuple[str, str]]
    answer: str
    pictures: list[str]  # files below the folder of the evidence
    hash: str


class Evidence(msgspec.Struct, kw_only=True):
    """One pair: both sides, the comparison, and pictures of what differs (red: only in b)."""

    pair: Pair
    a: Side
    b: Side
    differences: list[str]


def read_evidence(folder: Path) -> list[Evidence]:
    """The pairs of a folder that `dedup evidence` wrote; damage is named by file and line."""
    return list(read_jsonl(folder / "evidence.jsonl", Evidence))


def card_id(row: Evidence) -> str:
    return f"{row.a.id} / {row.b.id}"


def write_evidence_page(folder: Path, out: Path | None = None) -> Path:
    """Write evidence.html beside the data (or `out`, whose pictures are linked from there).

    Raises UserError for damaged data.
    """
    page = out or folder / "evidence.html"
    rows = read_evidence(folder)
    kinds = (row.pair.kind for row in rows)
    write_page(
        page,
        "Pairs that may be duplicates",
        about="Coloured: what the other text lacks. In the picture of differences blue stands only "
        "in the first, red only in the second.",
        headlines=[Headline(kind, f"{n:,}") for kind, n in Counter(kinds).most_common()],
        cards=_cards(rows),
        release=folder if out else None,
        noun="pairs",
    )
    return page


def _cards(rows: list[Evidence]) -> Iterator[Card]:
    for row in rows:
        p = row.pair
        keep = [("suggested", f"keep {p.keep} ({p.why_keep})")] if p.keep else []
        shown: list[tuple[str, Rich]] = [
            ("one problem", f"probability {p.score:.2f}, similarity of texts {p.similarity:.2f}"),
            ("compared", f"numbers {p.numbers} · options {p.options} · answers {p.answer} · "
                         f"picture {p.picture}"),
            *keep,
        ]  # fmt: skip
        yield Card(
            id=card_id(row),
            problem=card_id(row),
            facets={
                "class": [p.kind],
                "picture": [p.picture],
                "answer": [p.answer],
                "decides": ["a rule" if p.automatic else "a person"],
            },
            rows=shown,
            pictures=row.differences,
            runs=[_side("a", row.a), _side("b", row.b)],
            seen=f"{row.a.hash} {row.b.hash}",
        )


def _side(letter: str, side: Side) -> Run:
    marks, text = [], ""
    for stretch, differs in side.question:
        if differs:
            marks.append(Mark(len(text), len(text) + len(stretch), "differs"))
        text += stretch
    return Run(
        name=f"{letter}: {side.id}",
        text=rich(text, marks),
        rows=[*((label, rich(option)) for label, option in side.options),
              ("answer", rich(side.answer))],
        pictures=side.pictures,
    )  # fmt: skip
