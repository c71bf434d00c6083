"""What a look through a corpus found, problem by problem and source by source: contamination.json.

A release's card and datasheet say what stands in it, and `score --without` leaves its problems out.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from importlib.metadata import version
from pathlib import Path

import msgspec

from ...base.contamination import Account, Sighting, SourceCount
from ...base.files import pretty, write_bytes, write_jsonl, write_text
from ...pages import Card, Column, Headline, ReportTable, Run, Section, rich, write_page
from ...pages import differences as differences_of
from .passages import Passage, Problem
from .scan import CorpusScan, ShardResult

ACCOUNT = "contamination.json"
PASSAGES = "passages.jsonl"
SHARDS = "shards.jsonl"
LEFT_OUT = "leave-out.txt"
PAGE = "contamination.html"
SHOWN = 5  # passages of a problem on the page; all stand in PASSAGES


class ShardCount(msgspec.Struct, kw_only=True):
    """A file of the corpus, and what of the benchmark stands in it."""

    file: str
    documents: int
    characters: int
    passages: int
    problems: list[str]


class Ledger:
    """Takes passages as they are found, and keeps of each problem the likeliest."""

    def __init__(self) -> None:
        self.best: dict[str, list[Passage]] = {}
        self.count: Counter[str] = Counter()
        self.answered: Counter[str] = Counter()
        self.shards: list[ShardCount] = []
        self._of_source: dict[str, set[str]] = {}
        self._sources: dict[str, SourceCount] = {}

    def add(self, passage: Passage) -> None:
        self.count[passage.a] += 1
        self.answered[passage.a] += passage.linked and passage.answer
        few = self.best.setdefault(passage.a, [])
        few.append(passage)
        few.sort(key=_rank)
        del few[SHOWN:]

    def add_shard(self, source: str, result: ShardResult) -> None:
        problems = sorted(result.problems)
        self.shards.append(
            ShardCount(
                file=result.file,
                documents=result.documents,
                characters=result.characters,
                passages=result.found,
                problems=problems,
            )
        )
        count = self._sources.setdefault(source, SourceCount(source=source))
        of_source = self._of_source.setdefault(source, set())
        of_source.update(problems)
        count.files += 1
        count.documents += result.documents
        count.characters += result.characters
        count.passages += result.found
        count.problems = len(of_source)

    def account(self, benchmark: str, problems: int, scan: CorpusScan) -> Account:
        """All of it, problems in the order of their ids."""
        sightings = {name: self._sighting(name) for name in sorted(self.best)}
        kinds = Counter(seen.kind for seen in sightings.values())
        linked = [name for name, seen in sightings.items() if seen.linked]
        return Account(
            benchmark=benchmark,
            benchwright=version("benchwright"),
            problems=problems,
            documents=scan.documents,
            characters=scan.characters,
            linked=len(linked),
            answered=sum(self.answered[name] > 0 for name in linked),
            found=dict(sorted(kinds.items())),
            sources=list(self._sources.values()),
            leave_out=linked,
            too_short=scan.too_short,
            unreadable=scan.unreadable,
            sightings=sightings,
        )

    def _sighting(self, name: str) -> Sighting:
        first = self.best[name][0]
        return Sighting(
            kind=first.kind,
            score=first.score,
            linked=first.linked,
            passages=self.count[name],
            answered=self.answered[name],
            document=first.b,
            file=first.file,
            line=first.line,
            start=first.start,
            end=first.end,
        )


def _rank(passage: Passage) -> tuple[bool, bool, float, str, int, int]:
    """The likeliest first, and of equals the one whose answer stands beside it."""
    return (
        not passage.linked,
        not passage.answer,
        -passage.score,
        passage.file,
        passage.line,
        passage.start,
    )


def write_account(
    folder: Path, account: Account, ledger: Ledger, problems: Iterable[Problem]
) -> None:
    """Write contamination.json, the shards, the problems to leave out, and the page."""
    write_bytes(folder / ACCOUNT, pretty(account))
    write_jsonl(folder / SHARDS, ledger.shards)
    write_text(folder / LEFT_OUT, "".join(f"{name}\n" for name in account.leave_out))
    by_id = {problem.id: problem for problem in problems}
    write_page(
        folder / PAGE,
        f"{account.benchmark}: what stands in the corpus",
        _sections(account),
        about="Each card is a problem and the passages where it was found. Coloured: what the "
        "problem lacks. Found is not proven: read both.",
        headlines=_headlines(account),
        cards=_cards(account, ledger.best, by_id),
        noun="problems",
    )


def _headlines(account: Account) -> list[Headline]:
    figures = {
        "problems found": account.linked,
        "of these with their answer": account.answered,
        "problems sought": account.problems - len(account.too_short),
        "documents": account.documents,
    }
    return [Headline(of, f"{value:,}") for of, value in figures.items()]


_SOURCES = tuple(map(Column, SourceCount.__struct_fields__))
_PROBLEMS = (
    Column("problem"),
    Column("class"),
    Column("words", "{:.0%}".format),
    Column("passages"),
    Column("with answer"),
    Column("where"),
)


def _sections(account: Account) -> list[Section]:
    sources = ReportTable.of(_SOURCES, map(msgspec.structs.asdict, account.sources))
    rows = [
        {
            "problem": name,
            "class": seen.kind,
            "words": seen.score,
            "passages": seen.passages,
            "with answer": seen.answered,
            "where": place_of(seen.file, seen.line),
        }
        for name, seen in account.sightings.items()
    ]
    by_problem = ReportTable.of(_PROBLEMS, rows)
    notes = []
    if account.too_short:
        names = ", ".join(account.too_short[:20])
        notes.append(
            f"{len(account.too_short)} problems are too short to be sought: {names}"
        )
    return [
        Section("By source", tables=[sources]),
        Section("By problem", notes, [by_problem]),
    ]


def place_of(file: str, line: int) -> str:
    """Where a document is, as an editor takes it.

    >>> place_of("a.jsonl", 3), place_of("a.txt", 0)
    ('a.jsonl:3', 'a.txt')
    """
    return f"{file}:{line}" if line else file


def _cards(
    account: Account,
    best: Mapping[str, list[Passage]],
    problems: Mapping[str, Problem],
) -> Iterator[Card]:
    for name, seen in account.sightings.items():
        question = problems[name].question
        yield Card(
            id=name,
            problem=name,
            facets={
                "class": [seen.kind],
                "linked": ["yes" if seen.linked else "no"],
                "answer": ["beside it" if seen.answered else "not there"],
                "file": sorted({passage.file for passage in best[name]}),
            },
            question=rich(question),
            rows=[("passages", str(seen.passages))],
            runs=[_run(question, passage) for passage in best[name]],
        )


def _run(question: str, passage: Passage) -> Run:
    marks = differences_of(question, passage.passage)[1]
    beside = [
        name
        for name, there in (("answer", passage.answer), ("options", passage.options))
        if there
    ]
    return Run(
        name=f"{passage.b} ({place_of(passage.file, passage.line)})",
        text=rich(passage.passage, marks),
        rows=[
            ("class", passage.kind),
            ("words in order", f"{passage.score:.0%}"),
            ("numbers", passage.numbers),
            ("beside it", ", ".join(beside) or "nothing"),
            ("characters", f"{passage.start} to {passage.end}"),
        ],
    )
