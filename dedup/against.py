"""Contamination: which of our questions occur in another benchmark or a training set?

The same candidates, evidence, classes and ranking as within one set (`pairs`), between two: equal
keys, the exact join, rare words, formulas and numbers of other languages, pictures; and both ways
round, whether one question stands in a longer one. Corpora of documents are read as streams
(`contamination`), and what is found there are passages.
"""

from __future__ import annotations

import html
from collections.abc import Callable, Iterable, Sequence
from contextlib import ExitStack
from itertools import islice
from pathlib import Path
from typing import Any

from ..base.display import Rows
from ..base.files import encode, path_or_none, replacing
from ..errors import UserError
from ..pipeline import Engine, rank_of, what_is_missing
from .classes import Pair
from .contamination import (
    PASSAGES,
    Change,
    Cleaner,
    CorpusScan,
    Ledger,
    Passage,
    Problem,
    ShardResult,
    holds_questions,
    scan_corpus,
    scan_part,
    write_account,
)
from .items import Item, items_of
from .join import whole_percent
from .pairs import pairs_among

KEPT = "kept"  # of `out`: what was found in each file


class Contamination(Rows[Pair | Passage]):
    """What `find_contamination` found: `questions` of ours (a) among so many `others` (b).

    Rows are pairs where questions were compared, and passages where documents were read. Problems
    that are `too_short` were not sought in documents.
    """

    __slots__ = (
        "changes",
        "characters",
        "linked",
        "listed",
        "missing",
        "others",
        "questions",
        "too_short",
        "unreadable",
    )
    questions: int
    others: int
    characters: int
    too_short: list[str]
    unreadable: list[str]
    listed: int  # rows, held or handed on
    linked: set[str]  # questions of ours that are taken for one with another
    changes: list[Change]  # of a clean corpus
    missing: str  # parts without which nothing is said yet

    def headline(self) -> str:
        if self.missing:
            return self.missing
        linked = len(self.linked)
        if not self.characters:
            return (
                f"{linked} of {self.questions} questions found among {self.others}; "
                f"{self.listed} pairs to look at"
            )
        return (
            f"{linked} of {self.questions} questions found in {self.others} documents "
            f"({self.characters / 1e6:,.1f} million characters); {self.listed} passages to look "
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
    each: Callable[[Pair | Passage], None] | None = None,
    out: str | Path | None = None,
    clean: str | Path | None = None,
    cut: bool = False,
    part: str | None = None,
) -> Contamination:
    """Which questions of a JSONL of problems, of a release (or of items) occur in other data.

    One file of question rows (JSON lines, plain or gzipped, or Parquet) is compared row by row.
    All else is read as a stream of documents: several files, folders, patterns such as
    `corpus/**/*.gz`, and `-` for standard input. The threshold, pictures and `most` are for rows.

    Args:
        problems: JSONL of problems, a release, or hub:owner/name@commit.
        others: A benchmark or a training set: files, folders, patterns, addresses of a store,
            hub:owner/name@commit, or -.
        threshold: Least similarity of two questions: 1 - edits / length of the longer, a whole
            percentage from 0.5 to 1.
        text_field: Field of OTHERS with the text [default: question, problem, text, ...; of
            documents all texts of a row].
        images: Folder that picture paths are relative to [default: found beside or above the file].
        other_images: The same for OTHERS.
        pictures: Open the pictures and compare them, too.
        most: Only so many pairs, the likeliest [default: all].
        engine: Where the work runs.
        each: Is given every row as soon as it is found; none is held then.
        out: Folder for passages.jsonl (as they are found), contamination.json (for a release's
            card), leave-out.txt (for `score --without`), shards.jsonl and a page. What was found
            in a file is kept there: another run reads only files that are new.
        clean: New folder for the documents without those that hold a problem.
        cut: Of these documents cut the passages only.
        part: Look through part K of N of the files only, e.g. 2/3, on a machine that sees the
            others' `out`; the last of N to end writes what was found.

    Raises UserError for files without a readable question, names without a file, another
    threshold, a folder for clean documents that is not new or lies inside the corpus, and a part
    without a folder or of what has no parts.

    Example: `find_contamination("problems.jsonl", "gsm8k-train.jsonl").to_frame()`
    """
    percent = whole_percent(threshold)
    ours, unreadable = items_of(problems, images)
    sources = _sources(others)
    matches = Contamination()
    matches.questions, matches.listed, matches.linked = len(ours), 0, set()
    matches.changes, matches.missing = [], ""
    rank = None if part is None else rank_of(part)
    if rank is not None and out is None:
        raise UserError(
            f"--part {part}: parts meet in a folder that all of them see", "give --out"
        )
    name = Path(problems).name if isinstance(problems, str | Path) else "problems"
    if sources and not (
        len(sources) == 1 and holds_questions(Path(sources[0]), text_field)
    ):
        if rank is not None and out is not None:
            missing = scan_part(
                ours,
                sources,
                rank,
                text_field=text_field,
                engine=engine or Engine(),
                folder=Path(out) / KEPT,
            )
            if missing:
                matches.others = matches.characters = 0
                matches.too_short, matches.unreadable = [], unreadable
                matches.missing = what_is_missing(rank, missing, "account")
                return matches
        look = _Look(name, ours, path_or_none(out), path_or_none(clean), cut)
        look.through(matches, sources, text_field, engine or Engine(), each)
        matches.unreadable = unreadable + matches.unreadable
        return matches
    if clean is not None:
        raise UserError(
            f"{sources[0] if sources else 'the items'}: rows of questions, no documents",
            "leave --clean out; `dedup pairs` and recipes drop duplicates",
        )
    if rank is not None:
        raise UserError(
            f"{sources[0] if sources else 'the items'}: rows of questions have no parts",
            "leave --part out: they are compared at once",
        )
    questions = sources[0] if sources else others
    theirs, unreadable_others = items_of(questions, other_images, text_field)  # type: ignore[arg-type]
    pairs = pairs_among([*ours, *theirs], percent, engine, pictures, ours=len(ours))
    matches.others = len(theirs)
    matches.characters, matches.too_short = 0, []
    matches.unreadable = unreadable + unreadable_others
    ledger = Ledger()
    other_texts = {item.id: item.question for item in theirs} if out else {}
    source = str(sources[0]) if sources else "items"
    for pair in islice(pairs, most or None):
        _count(matches, pair, each or matches.append)
        if out is not None:
            ledger.add(_as_passage(pair, other_texts[pair.b], source))
    if out is not None:
        characters = sum(map(len, other_texts.values()))
        result = ShardResult(source, [], len(theirs), characters, matches.listed)
        result.problems = sorted(ledger.best)
        ledger.add_shard(source, result)
        scan = CorpusScan(len(theirs), characters, [], len(unreadable_others), [])
        account = ledger.account(name, len(ours), scan)
        write_account(Path(out), account, ledger, map(Problem.of, ours))
    return matches


def _count(
    matches: Contamination, row: Pair | Passage, take: Callable[[Pair | Passage], None]
) -> None:
    matches.listed += 1
    if row.linked:
        matches.linked.add(row.a)
    take(row)


def _as_passage(pair: Pair, text: str, file: str) -> Passage:
    """A pair of questions as the account has it."""
    passage = pair.passage or text
    start = max(text.find(passage), 0)
    return Passage(
        a=pair.a,
        b=pair.b,
        kind=pair.kind,
        score=pair.score,
        linked=pair.linked,
        numbers=pair.numbers,
        answer=pair.answer == "equal",
        options=pair.options in ("identical", "respelled", "shuffled"),
        passage=passage,
        start=start,
        end=start + len(passage),
        file=file,
        line=0,
    )


def _sources(others: Any) -> list[str | Path]:
    """The files, folders and patterns that are given; none where items are."""
    if isinstance(others, str | Path):
        return [others]
    return [source for source in others if isinstance(source, str | Path)]


class _Look:
    """A look through documents, and all that is written of it."""

    def __init__(
        self,
        name: str,
        ours: list[Item],
        out: Path | None,
        clean: Path | None,
        cut: bool,
    ) -> None:
        self.name = name
        self.ours = ours
        self.out = out
        self.ledger = Ledger()
        self.cleaner = None if clean is None else Cleaner(clean, cut=cut)
        self.sources: dict[str, str] = {}
        self.damaged: list[str] = []

    def through(
        self,
        matches: Contamination,
        sources: list[str | Path],
        field: str | None,
        engine: Engine,
        each: Callable[[Pair | Passage], None] | None,
    ) -> None:
        if self.cleaner is not None:
            self.cleaner.check(map(str, sources))
        with ExitStack() as stack:
            write = None
            if self.out is not None:
                write = stack.enter_context(replacing(self.out / PASSAGES)).write

            def take(passage: Passage) -> None:
                _count(matches, passage, each or matches.append)
                self.ledger.add(passage)
                if write is not None:
                    write(encode(passage))
                if self.cleaner is not None:
                    self.cleaner.add(passage)

            scan = scan_corpus(
                self.ours,
                sources,
                take,
                text_field=field,
                engine=engine,
                folder=self.out and self.out / KEPT,
                each_shard=self._note,
            )
        matches.sort(key=lambda found: -found.score)
        matches.others, matches.characters = scan.documents, scan.characters
        matches.too_short = scan.too_short
        unnamed = scan.unreadable - len(scan.named)
        more = [f"{unnamed} more rows of documents"] if unnamed else []
        matches.unreadable = [*scan.named, *more]
        if self.out is not None:
            account = self.ledger.account(self.name, len(self.ours), scan)
            problems = map(Problem.of, self.ours)
            write_account(self.out, account, self.ledger, problems)
        if self.cleaner is not None:
            matches.changes = self.cleaner.write(
                self.sources, self.damaged, field, engine
            )

    def _note(self, source: str, result: ShardResult) -> None:
        self.sources[result.file] = source
        self.ledger.add_shard(source, result)
        if result.unreadable:
            self.damaged.append(result.file)
