"""Pages that are made when they are asked for, of data that nobody wrote a page for."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

from ..annotate.votes import latest
from ..convert.suggestions import Suggestion
from ..dedup import write_evidence_page
from ..files import read_jsonl, read_lines
from ..pages import Card, ReportTable, Run, Section, differences, rich, write_page
from ..problem import Vote
from .folders import Folder
from .saving import value_text


def make_page(folder: Folder, kind: str, out: Path) -> None:
    """Write the page of a folder's data to `out`."""
    if kind == "evidence":
        write_evidence_page(folder.path, out)
    elif kind == "suggestions":
        write_page(out, f"Suggestions in {folder.name}", cards=_suggestions(folder))
    elif kind == "votes":
        write_page(out, f"Votes in {folder.name}", cards=_votes(folder))
    else:
        write_page(out, f"Replies in {folder.name}", [_replies(folder)])


def _suggestions(folder: Folder) -> Iterator[Card]:
    for file in folder.data("suggestions"):
        for s in read_jsonl(file, Suggestion):
            before, after = differences(s.original, s.text)
            yield Card(
                id=s.id,
                problem=s.problem_id,
                facets={
                    "task": [s.task],
                    "field": [s.field],
                    "guards": ["refuse" if s.rejected else "pass"],
                },
                rows=[("problem", s.problem_id), ("model", s.model)],
                runs=[
                    Run(name="as it is", text=rich(s.original, before)),
                    Run(name="suggested", text=rich(s.text, after)),
                ],
                warnings=s.rejected,
            )


def _votes(folder: Folder) -> Iterator[Card]:
    """One card an item: open where its people do not agree."""
    votes = [v for file in folder.data("votes") for v in read_jsonl(file, Vote)]
    items: dict[tuple[str, str], list[Vote]] = {}
    for vote in latest(votes)[0]:
        items.setdefault((vote.problem_id, vote.field), []).append(vote)
    for (problem, field), given in sorted(items.items()):
        values = sorted({value_text(v.value) for v in given})
        yield Card(
            id=f"{problem} · {field}",
            problem=problem,
            facets={"field": [field], "open": ["yes" if len(values) > 1 else "no"],
                    "value": values},
            rows=[(v.annotator, value_text(v.value)) for v in given],
        )  # fmt: skip


def _replies(folder: Folder) -> Section:
    rows = [[file.name, sum(1 for _ in read_lines(file))] for file in folder.data("predictions")]
    rows += [[file.name, cached(file)] for file in folder.caches()]
    return Section("Replies so far", [], [ReportTable(["file", "replies"], rows)])


def cached(path: Path) -> int:
    """How many replies a cache holds; it may be written meanwhile."""
    import sqlite3

    try:
        with sqlite3.connect(f"{path.as_uri()}?mode=ro", uri=True) as connection:
            tables = connection.execute("SELECT name FROM sqlite_master WHERE type = 'table'")
            return sum(
                connection.execute(f'SELECT count(*) FROM "{name}"').fetchone()[0]
                for (name,) in tables.fetchall()
            )
    except sqlite3.Error:
        return 0
