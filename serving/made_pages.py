"""Pages that are made when they are asked for, of data that nobody wrote a page for."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from itertools import chain
from pathlib import Path

from ..annotate.projects import pulse, status
from ..annotate.votes import agreement_page, latest
from ..base.files import read_jsonl, read_lines, write_text
from ..convert.suggestions import Suggestion, readers
from ..dedup import write_evidence_page
from ..errors import UserError
from ..evaluate.runs import explain, read_run
from ..living import write_grid
from ..pages import (
    Card,
    Column,
    Mark,
    ReportTable,
    Run,
    Section,
    card_of,
    differences,
    rich,
    write_page,
)
from ..problem import Problem, Vote, sample_of
from ..release import read_problems, split_names
from .folders import TEAM, Folder
from .saving import value_text

ROLES = ("DI", "IP", "EC")
# And another run's name: the folder of the page that explains the two.
AGAINST = "against-"
Maker = Callable[[Folder, Path, Sequence[Folder]], object]


def maker(folder: Folder, page: str) -> Maker | None:
    """What makes a page, or a file of its data, of this folder when it is asked for."""
    if page.startswith(AGAINST):
        return _explain if folder.kind() == "scores" else None
    name = page.removesuffix(".data").removesuffix(".html")
    kind, make = PAGES.get(f"{name}.html", ("", None))
    is_of_kind = kind == folder.kind() or (kind == "project" and folder.is_project())
    return make if is_of_kind else None


def pages(folder: Folder) -> list[str]:
    """The pages that lie in a folder, and those that can be made of its data."""
    written = {path.name for path in folder.path.glob("*.html")}
    return sorted(written | {page for page in PAGES if maker(folder, page)})


def make_page(folder: Folder, out: Path, folders: Sequence[Folder] = ()) -> None:
    """Write the page `out` of a folder's data; `folders` may hold the problems of votes."""
    if make := maker(folder, out.name):
        make(folder, out, folders)


def _team(folder: Folder, out: Path, _: Sequence[Folder]) -> None:
    pulse(folder.path)  # a server that does not answer is said at once
    status(folder.path, out=out)


def _agreement(folder: Folder, out: Path, _: Sequence[Folder]) -> None:
    tree = folder.path / "tree.yaml"
    write_text(out, agreement_page(_votes_in(folder), tree if tree.exists() else None))


def _explain(folder: Folder, out: Path, folders: Sequence[Folder]) -> None:
    """Two served runs, explained; the release of the first shows their samples."""
    name = out.name.removeprefix(AGAINST)
    other = next((f for f in folders if f.name == name and f.kind() == "scores"), None)
    if other is None:
        raise UserError(
            f"no run {name!r} is served", "choose two of the runs on the first page"
        )
    title = read_run(folder.path).scores.release
    releases = [f.path for f in folders if f.kind() == "release"]
    release = next((path for path in releases if path.name == title), None)
    if release is None:
        raise UserError(
            f"{title} is not served", f"give view the folder of {title}, too"
        )
    explain(folder.path, other.path, release=release, out=out)


def _suggestions(folder: Folder, out: Path, _: Sequence[Folder]) -> None:
    write_page(
        out,
        f"Suggestions in {folder.name}",
        cards=_suggested(folder),
        noun="suggestions",
    )


def _suggested(folder: Folder) -> Iterator[Card]:
    for file in folder.data("suggestions"):
        for s in read_jsonl(file, Suggestion):
            before, after = differences(s.original, s.text)
            yield Card(
                id=s.id,
                problem=s.problem_id,
                facets={
                    "task": [s.task],
                    "field": [s.field],
                    "verdict": [_verdict(s)],
                },
                rows=[
                    ("problem", s.problem_id),
                    ("model", s.model),
                    ("read by", readers(s)),
                    *(("doubt", doubt) for doubt in s.doubts),
                ],
                runs=[
                    Run(name="as it is", text=rich(s.original, before)),
                    Run(name="suggested", text=rich(s.text, after)),
                ],
                warnings=s.rejected,
            )


def _verdict(suggestion: Suggestion) -> str:
    if suggestion.rejected:
        return "rejected"
    return "doubted" if suggestion.doubts else "passed"


def _votes_in(folder: Folder) -> list[Vote]:
    return [vote for file in folder.data("votes") for vote in read_jsonl(file, Vote)]


def _votes(folder: Folder, out: Path, folders: Sequence[Folder]) -> None:
    """One card an item, open where its people do not agree, with the problem that it is about."""
    items: dict[tuple[str, str], list[Vote]] = {}
    for vote in latest(_votes_in(folder))[0]:
        items.setdefault((vote.problem_id, vote.field), []).append(vote)
    problems, root = _problems({name for name, _ in items}, [folder, *folders])
    missing = ""
    if not problems:
        missing = (
            "Their problems are not served: give view their release, too, or the folder of "
            "the stage before them (out/work/03-check)."
        )
    cards = (
        _voted(name, field, votes, problems.get(name))
        for (name, field), votes in sorted(items.items())
    )
    write_page(
        out,
        f"Votes in {folder.name}",
        about=missing,
        cards=cards,
        release=root,
        noun="items",
    )


def _problems(
    ids: set[str], folders: Sequence[Folder]
) -> tuple[dict[str, Problem], Path | None]:
    """The problems, of the first folder that has any of them, and where its pictures lie."""
    rows: Iterator[Problem]
    for folder in folders:
        file = folder.path / "problems.jsonl"
        if folder.kind() == "release":
            splits = (
                read_problems(folder.path, split) for split in split_names(folder.path)
            )
            rows = chain.from_iterable(splits)
            root = folder.path
        elif file.is_file():
            rows = iter(read_jsonl(file, Problem))
            root = folder.path.parent
        else:
            continue
        problems = {problem.id: problem for problem in rows if problem.id in ids}
        if problems:
            return problems, root
    return {}, None


def _voted(name: str, field: str, votes: list[Vote], problem: Problem | None) -> Card:
    values = sorted({value_text(vote.value) for vote in votes})
    card = Card(id=name, problem=name, facets={})
    if problem is not None:
        card = card_of(sample_of(problem), {}, problem)
    card.id = f"{name} · {field}"
    card.facets = {
        "field": [field],
        "open": ["yes" if len(values) > 1 else "no"],
        "value": values,
    }
    if field == "spans" and problem is not None:
        card.runs = [
            Run(name=v.annotator, text=rich(problem.question, _marks(v))) for v in votes
        ]
    else:
        card.rows += [(vote.annotator, value_text(vote.value)) for vote in votes]
    return card


def _marks(vote: Vote) -> list[Mark]:
    spans = vote.value if isinstance(vote.value, list) else []
    return [
        Mark(s["start"], s["end"], s["role"]) for s in spans if s.get("role") in ROLES
    ]


def _replies(folder: Folder, out: Path, _: Sequence[Folder]) -> None:
    records = [
        {"file": file.name, "replies": sum(1 for _ in read_lines(file))}
        for file in folder.data("predictions")
    ]
    records += [
        {"file": file.name, "replies": cached(file)} for file in folder.caches()
    ]
    table = ReportTable.of((Column("file"), Column("replies")), records)
    section = Section("Replies so far", [], [table])
    write_page(out, f"Replies in {folder.name}", [section])


def cached(path: Path) -> int:
    """How many replies a cache holds; it may be written meanwhile."""
    import sqlite3

    try:
        with sqlite3.connect(f"{path.as_uri()}?mode=ro", uri=True) as connection:
            tables = connection.execute(
                "SELECT name FROM sqlite_master WHERE type = 'table'"
            )
            return sum(
                connection.execute(f'SELECT count(*) FROM "{name}"').fetchone()[0]
                for (name,) in tables.fetchall()
            )
    except sqlite3.Error:
        return 0


# by its name a page that is made on request: of which kind its folder is, and what makes it
PAGES: dict[str, tuple[str, Maker]] = {
    "evidence.html": (
        "evidence",
        lambda folder, out, _: write_evidence_page(folder.path, out),
    ),
    "suggestions.html": ("suggestions", _suggestions),
    "votes.html": ("votes", _votes),
    "agreement.html": ("votes", _agreement),
    "predictions.html": ("predictions", _replies),
    "variants.html": ("seeds", lambda folder, out, _: write_grid(out, folder.path)),
    TEAM: ("project", _team),
}
