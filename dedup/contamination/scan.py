"""Which problems stand in a corpus: its files are tasks, none of which is held in memory."""

from __future__ import annotations

import tempfile
from collections.abc import Iterable, Iterator, Sequence
from functools import cache, partial
from itertools import chain
from pathlib import Path
from typing import NamedTuple

import msgspec
import numpy as np

from ...base.files import read_bytes, write_bytes
from ...base.terminal import steadily
from ...pipeline import Engine, parallel_map
from ..items import Item
from .corpus import STANDARD_INPUT, Piece, Unreadable, files_of, pieces
from .folding import fold, letters
from .grams import GRAM, STEP, Grams, Stretch
from .passages import Judge, Passage, Places, Problem

BLOCK = 2_000_000  # characters looked at together
LEAST = 13.0  # what grams of a passage must tell: two that no document of the sample has, about
SAMPLED_FILES = 8  # from which rarity is learnt, evenly over the corpus ...
SAMPLED = 2_000_000  # ... and characters of each
BETWEEN = bytes(GRAM)  # between two documents: no gram of ours has zero bytes
Looks = tuple[Grams, Grams]


class ShardResult(msgspec.Struct):
    """What a file holds."""

    passages: list[Passage]
    documents: int
    characters: int
    unreadable: int
    named: list[str]


class CorpusScan(NamedTuple):
    """What a corpus holds: passages, and problems that are too short to be sought."""

    passages: list[Passage]
    documents: int
    characters: int
    too_short: list[str]
    unreadable: int
    named: list[str]


class _Sample(msgspec.Struct):
    """The problems, and in how many of so many documents each gram was: what a worker needs."""

    problems: list[Problem]
    documents: int
    whole: list[int]
    letters: list[int]


class Scanner:
    """An index of the problems, with and without their numbers, and the judge of passages."""

    def __init__(self, problems: Sequence[Problem]) -> None:
        folded = [fold(problem.question) for problem in problems]
        self.problems = problems
        self.whole = Grams(folded)
        self.letters = Grams([letters(text) for text in folded])
        self.judge = Judge(problems)
        # Fewer letters may pass between two looks without two grams.
        shortest = GRAM + 2 * STEP - 1
        self.too_short = [
            problem.id
            for problem, text in zip(problems, folded, strict=True)
            if len(text) < shortest
        ]

    def sample(self, documents: Iterable[Piece]) -> _Sample:
        """Learns from documents which grams are common."""
        count = 0
        whole = np.zeros(len(self.whole.grams), np.int64)
        plain = np.zeros(len(self.letters.grams), np.int64)
        for piece in documents:
            count += 1
            folded = fold(piece.text)
            whole[np.unique(self.whole.look(folded)[1])] += 1
            plain[np.unique(self.letters.look(letters(folded))[1])] += 1
        learnt = _Sample(list(self.problems), count, whole.tolist(), plain.tolist())
        self.weigh(learnt)
        return learnt

    def weigh(self, sample: _Sample) -> None:
        self.whole.weigh(np.array(sample.whole, np.int64), sample.documents)
        self.letters.weigh(np.array(sample.letters, np.int64), sample.documents)

    def shard(
        self, file: str, documents: Iterable[Piece], unreadable: Unreadable
    ) -> ShardResult:
        """The passages of a file, the likeliest of each problem in each document."""
        best: dict[tuple[int, str, str], Passage] = {}
        result = ShardResult([], 0, 0, 0, [])
        for block in _blocks(documents):
            result.documents += sum(piece.offset == 0 for piece in block)
            result.characters += sum(len(piece.text) for piece in block)
            for passage in self._block(file, block):
                key = passage.line, passage.b, passage.a
                if key not in best or passage.score > best[key].score:
                    best[key] = passage
        result.passages = list(best.values())
        result.unreadable, result.named = unreadable.count, unreadable.named
        return result

    def _block(self, file: str, block: list[Piece]) -> Iterator[Passage]:
        folded = [fold(piece.text) for piece in block]
        plain = [letters(text) for text in folded]
        known: dict[int, Places] = {}
        copies: set[tuple[int, int]] = set()  # which need no look without numbers
        for numbers, grams, texts in (
            (True, self.whole, folded),
            (False, self.letters, plain),
        ):
            sizes = [len(text) + len(BETWEEN) for text in texts]
            starts = np.cumsum([0, *sizes])
            for stretch in grams.stretches(BETWEEN.join(texts), starts, LEAST):
                pair = stretch.document, stretch.problem
                if not numbers and pair in copies:
                    continue
                piece = block[stretch.document]
                if stretch.document not in known:
                    known[stretch.document] = Places(piece.text)
                passage = self._verified(
                    known[stretch.document], piece, stretch, numbers
                )
                if passage is not None:
                    if passage.kind == "same":
                        copies.add(pair)
                    yield msgspec.structs.replace(
                        passage,
                        b=piece.id,
                        file=file,
                        line=piece.line,
                        start=passage.start + piece.offset,
                        end=passage.end + piece.offset,
                    )

    def _verified(
        self, places: Places, piece: Piece, stretch: Stretch, numbers: bool
    ) -> Passage | None:
        around = places.around(stretch.first, stretch.last, numbers=numbers)
        return self.judge.passage(stretch.problem, piece.text, around)


def scan_corpus(
    problems: Sequence[Item],
    corpus: Sequence[str | Path],
    *,
    text_field: str | None = None,
    engine: Engine | None = None,
) -> CorpusScan:
    """Which problems stand in the documents of files, folders, patterns or standard input (`-`).

    Raises UserError for a name without a file.

    Example: `scan_corpus(items, ["corpus/"]).passages`
    """
    files = files_of(list(corpus))
    scanner = Scanner([Problem.of(item) for item in problems])
    streamed = STANDARD_INPUT in files
    files = [file for file in files if file != STANDARD_INPUT]
    results: list[ShardResult] = []
    if streamed:
        results.append(_standard_input(scanner, text_field))
    if files:
        sampled = _sampled(files, text_field)
        results += _over_files(
            scanner.sample(sampled), files, text_field, engine or Engine()
        )
    return CorpusScan(
        passages=[passage for result in results for passage in result.passages],
        documents=sum(result.documents for result in results),
        characters=sum(result.characters for result in results),
        too_short=scanner.too_short,
        unreadable=sum(result.unreadable for result in results),
        named=[line for result in results for line in result.named],
    )


def _over_files(
    sample: _Sample, files: list[str], field: str | None, engine: Engine
) -> list[ShardResult]:
    with tempfile.TemporaryDirectory(prefix="benchwright-against-") as folder:
        index = Path(folder) / "sample.json"
        write_bytes(index, msgspec.json.encode(sample))
        task = partial(scan_file, str(index), field)
        sizes = dict(zip(files, map(_megabytes, files), strict=True))
        scanned = zip(files, parallel_map(task, files, engine), strict=True)
        label, total = "dedup against", sum(sizes.values())
        steady = steadily(
            scanned, label, total, "MB", weight=lambda done: sizes[done[0]]
        )
        return [result for _, result in steady]


def _megabytes(file: str) -> int:
    return Path(file).stat().st_size // 1_000_000


def scan_file(index: str, field: str | None, file: str) -> ShardResult:
    """One task: a file with an index that was written for all."""
    unreadable = Unreadable()
    return _scanner(index).shard(file, pieces(file, field, unreadable), unreadable)


@cache
def _scanner(index: str) -> Scanner:
    sample = msgspec.json.decode(read_bytes(Path(index)), type=_Sample)
    scanner = Scanner(sample.problems)
    scanner.weigh(sample)
    return scanner


def _standard_input(scanner: Scanner, field: str | None) -> ShardResult:
    """What comes first is the sample, and is looked at with the rest."""
    unreadable = Unreadable()
    documents = pieces(STANDARD_INPUT, field, unreadable)
    start = list(_first(documents, SAMPLED))
    scanner.sample(start)
    return scanner.shard(STANDARD_INPUT, chain(start, documents), unreadable)


def _sampled(files: list[str], field: str | None) -> Iterator[Piece]:
    step = max(len(files) // SAMPLED_FILES, 1)
    for file in files[::step][:SAMPLED_FILES]:
        yield from _first(pieces(file, field, Unreadable()), SAMPLED)


def _first(documents: Iterator[Piece], characters: int) -> Iterator[Piece]:
    size = 0
    while size < characters and (piece := next(documents, None)) is not None:
        size += len(piece.text)
        yield piece


def _blocks(documents: Iterable[Piece]) -> Iterator[list[Piece]]:
    block: list[Piece] = []
    size = 0
    for piece in documents:
        block.append(piece)
        size += len(piece.text)
        if size >= BLOCK:
            yield block
            block, size = [], 0
    if block:
        yield block
