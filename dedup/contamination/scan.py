"""Which problems stand in a corpus: its files are tasks, none of which is held in memory."""

from __future__ import annotations

import hashlib
import tempfile
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import ExitStack
from functools import lru_cache, partial
from importlib.metadata import version
from itertools import chain
from pathlib import Path
from typing import NamedTuple

import msgspec
import numpy as np

from ...base.files import encode, read_bytes, sha256_file, write_bytes
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
SAMPLE = "sample.json"  # problems and rarity, for all workers
BETWEEN = bytes(GRAM)  # between two documents: no gram of ours has zero bytes
Looks = tuple[Grams, Grams]


class ShardResult(msgspec.Struct):
    """What a file holds: its passages, where they are kept, and counts."""

    file: str
    passages: list[Passage] = []
    documents: int = 0
    characters: int = 0
    found: int = 0
    problems: list[str] = []
    unreadable: int = 0
    named: list[str] = []


class CorpusScan(NamedTuple):
    """How large a corpus is, and which problems are too short to be sought in it."""

    documents: int
    characters: int
    too_short: list[str]
    unreadable: int
    named: list[str]


class _Sample(msgspec.Struct):
    """The problems, and in how many of so many documents each gram was: what a worker needs.

    `files` are those that the documents were taken from.
    """

    problems: list[Problem]
    documents: int
    whole: list[int]
    letters: list[int]
    files: list[str] = []


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

    def passages(
        self, documents: Iterable[Piece], result: ShardResult, unreadable: Unreadable
    ) -> Iterator[Passage]:
        """The passages of a file, the likeliest of each problem in each document.

        They come as soon as their document ends; `result` counts what was read until then.
        """
        best: dict[tuple[int, str, str], Passage] = {}
        problems = set[str]()
        for block in _blocks(documents):
            result.documents += sum(piece.offset == 0 for piece in block)
            result.characters += sum(len(piece.text) for piece in block)
            for passage in self._block(result.file, block):
                key = passage.line, passage.b, passage.a
                if key not in best or passage.score > best[key].score:
                    best[key] = passage
            goes_on = block[-1].line, block[-1].id
            for key in [key for key in best if key[:2] != goes_on]:
                problems.add(key[2])
                yield best.pop(key)
        problems.update(name for _, _, name in best)
        yield from best.values()
        result.problems = sorted(problems)
        result.unreadable, result.named = unreadable.count, unreadable.named

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
    each: Callable[[Passage], None],
    *,
    text_field: str | None = None,
    engine: Engine | None = None,
    folder: Path | None = None,
    each_shard: Callable[[str, ShardResult], None] | None = None,
) -> CorpusScan:
    """Which problems stand in the documents of files, folders, patterns or standard input (`-`).

    Args:
        problems: What is sought.
        corpus: Files, folders, patterns or `-`.
        each: Is given every passage, those of a file together, as soon as it is read.
        text_field: Field with the text [default: all texts of a row].
        engine: Where the work runs; a file is a task.
        folder: What is found of each file is kept here, and taken from here the next time.
        each_shard: Is given the source of a file, and what was counted in it.

    Raises UserError for a name without a file.

    Example: `scan_corpus(items, ["corpus/"], print).documents`
    """
    files = files_of(list(corpus))
    scanner = Scanner([Problem.of(item) for item in problems])
    total = Unreadable()
    documents = characters = 0
    results = _results(scanner, files, each, text_field, engine or Engine(), folder)
    for result in results:
        documents += result.documents
        characters += result.characters
        total.count += result.unreadable
        total.named += result.named
        if each_shard is not None:
            each_shard(files[result.file], result)
    return CorpusScan(
        documents, characters, scanner.too_short, total.count, total.named
    )


def _results(
    scanner: Scanner,
    files: dict[str, str],
    each: Callable[[Passage], None],
    field: str | None,
    engine: Engine,
    folder: Path | None,
) -> Iterator[ShardResult]:
    """The results of all files, after their passages were handed on."""
    stored = [file for file in files if file != STANDARD_INPUT]
    if STANDARD_INPUT in files:
        yield _standard_input(scanner, each, field)
    with ExitStack() as stack:
        if folder is None and stored:
            temporary = tempfile.TemporaryDirectory(prefix="benchwright-against-")
            folder = Path(stack.enter_context(temporary))
        for result in _over_files(scanner, stored, field, engine, folder):
            for passage in result.passages:
                each(passage)
            yield result


def _over_files(
    scanner: Scanner,
    files: list[str],
    field: str | None,
    engine: Engine,
    folder: Path | None,
) -> Iterator[ShardResult]:
    if folder is None or not files:
        return
    index = folder.absolute() / SAMPLE
    learnt = _kept_sample(index, scanner, files)
    if learnt is None:
        chosen = files[:: max(len(files) // SAMPLED_FILES, 1)][:SAMPLED_FILES]
        learnt = scanner.sample(_sampled(chosen, field))
        learnt.files = chosen
        write_bytes(index, msgspec.json.encode(learnt))
    task = partial(scan_file, str(index), sha256_file(index), field)
    sizes = dict(zip(files, map(_megabytes, files), strict=True))
    scanned = zip(files, parallel_map(task, files, engine), strict=True)
    label, total = "dedup against", sum(sizes.values())
    for _, result in steadily(
        scanned, label, total, "MB", weight=lambda done: sizes[done[0]]
    ):
        yield result


def _kept_sample(index: Path, scanner: Scanner, files: list[str]) -> _Sample | None:
    """What was learnt before, of these problems and of files that are still in the corpus.

    So a shard that is new leaves what was found in all others as it is.
    """
    try:
        kept = msgspec.json.decode(index.read_bytes(), type=_Sample)
    except (OSError, msgspec.MsgspecError):
        return None
    holds = kept.problems == list(scanner.problems) and set(kept.files) <= set(files)
    return kept if holds else None


def _megabytes(file: str) -> int:
    return Path(file).stat().st_size // 1_000_000


def scan_file(index: str, digest: str, field: str | None, file: str) -> ShardResult:
    """One task: a file with an index that was written for all; what was found once is kept."""
    kept = _kept_place(Path(index), digest, field, file)
    try:
        return msgspec.json.decode(kept.read_bytes(), type=ShardResult)
    except (OSError, msgspec.MsgspecError):
        pass
    unreadable = Unreadable()
    result = ShardResult(file)
    documents = pieces(file, field, unreadable)
    result.passages = list(
        _scanner(index, digest).passages(documents, result, unreadable)
    )
    result.found = len(result.passages)
    write_bytes(kept, msgspec.json.encode(result))
    return result


def _kept_place(index: Path, digest: str, field: str | None, file: str) -> Path:
    """Named by all that decides what is found: contents, name, problems, rarity, version."""
    try:
        contents = sha256_file(file)
    except OSError:
        contents = ""
    deciding = [contents, file, digest, field, version("benchwright")]
    name = hashlib.sha256(encode(deciding)).hexdigest()
    return index.parent / "shards" / f"{name}.json"


@lru_cache(maxsize=1)
def _scanner(index: str, digest: str) -> Scanner:
    """The index in a file; the hash of its contents tells two of one name apart."""
    sample = msgspec.json.decode(read_bytes(Path(index)), type=_Sample)
    scanner = Scanner(sample.problems)
    scanner.weigh(sample)
    return scanner


def _standard_input(
    scanner: Scanner, each: Callable[[Passage], None], field: str | None
) -> ShardResult:
    """What comes first is the sample, and is looked at with the rest."""
    unreadable = Unreadable()
    documents = pieces(STANDARD_INPUT, field, unreadable)
    start = list(_first(documents, SAMPLED))
    scanner.sample(start)
    result = ShardResult(STANDARD_INPUT)
    for passage in scanner.passages(chain(start, documents), result, unreadable):
        result.found += 1
        each(passage)
    return result


def _sampled(files: list[str], field: str | None) -> Iterator[Piece]:
    for file in files:
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
