"""Which problems stand in a corpus: its files are tasks, none of which is held in memory."""

from __future__ import annotations

import hashlib
import tempfile
from bisect import bisect_right
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import ExitStack
from functools import partial
from itertools import accumulate, chain, pairwise
from pathlib import Path
from typing import Any, NamedTuple

import msgspec
import numpy as np

from ...base.files import encode, read_bytes, sha256_file, write_bytes
from ...base.terminal import steadily
from ...errors import UserError
from ...pipeline import Engine, Rank, own_hash, parallel_map
from ..items import Item
from ..signatures import Ints
from .corpus import STANDARD_INPUT, Piece, Unreadable, files_of, pieces
from .folding import BETWEEN, cuts_of, fold, folded_places
from .grams import COMMON_AT_LEAST, GRAM, STEP, Grams, Stretches, documents_at
from .marks import Marks, Vocabulary, marks_of, pairs, starts_of, triples
from .passages import FEWEST_WORDS, Judge, Passage, Problem
from .translation import Translated

BLOCK = 1_500_000  # characters looked at together
ROWS = 20_000  # ... or so many rows
LEAST = 13.0  # what grams of a passage must tell: two that no document of the sample has, about
LEAST_PAIRS = 30.0  # ... pairs of words near each other, ...
SHARE_OF_PAIRS = 0.08  # ... that are such a share of what a problem's tell, ...
SHARE_OF_TRIPLES = 0.2
LEAST_TRIPLES = 5.0  # ... or three numbers in their order
COMMON_WORD = 1000  # a word that is one of so many of the sample tells nothing, ...
COMMON_OF_OURS = 5  # ... nor does one that one in so many of the problems has
OWNERS = 25  # problems that have a pair or triple, from which it tells nothing
ASIDE = 200  # bytes in which one translation stands
SAMPLED_FILES = 8  # from which rarity is learnt, evenly over the corpus ...
SAMPLED = 2_000_000  # ... and characters of each
SAMPLE = "sample.json"  # problems and rarity, for all workers


_ready: dict[str, tuple[str, Scanner]] = {}  # by the file of their index: one


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

    `common` are words and numbers that tell nothing, `files` those that the documents were in.
    """

    problems: list[Problem]
    documents: int = 0
    letters: list[int] = []
    pairs: list[int] = []
    triples: list[int] = []
    common: list[int] = []
    files: list[str] = []


class Scanner:
    """Indexes of the problems, and the judge of passages. It weighs grams as a sample tells."""

    def __init__(self, problems: Sequence[Problem]) -> None:
        questions = [problem.question for problem in problems]
        folded = list(map(fold, questions))
        self.problems = problems
        self.letters = Grams.of_letters(folded)
        self.judge = Judge(problems)
        self.formulas = self.judge.formulas
        self.languages = np.array([problem.language for problem in problems])
        datas = [text.encode("utf-8", "replace") for text in questions]
        self.sizes = list(map(len, datas))
        self.starts = starts_of(datas)
        self.every = marks_of(BETWEEN.join(datas))
        numbers = self.every.numbers
        words = self.every.some(self.every.are_words)
        count = np.bincount(self._problem(words), minlength=len(problems))
        told = numbers.some(count[self._problem(numbers)] >= FEWEST_WORDS)
        self.triples = Grams.of_marks(triples(told), self.starts, self.sizes)
        # Fewer letters may pass between two looks without two grams.
        shortest = GRAM + 2 * STEP - 1
        self.too_short = [
            problem.id
            for k, (problem, text) in enumerate(zip(problems, folded, strict=True))
            if len(text) < shortest and k not in self.formulas.problems
        ]

    def _problem(self, marks: Marks) -> Ints:
        """Which problem each of some marks of all problems is of."""
        return documents_at(marks.starts, self.starts)

    def choose(self, common: Sequence[int]) -> None:
        """Sets which words and numbers pairs are made of: those that are not common."""
        known, count = np.unique(self.every.codes, return_counts=True)
        most = max(COMMON_AT_LEAST, len(self.problems) // COMMON_OF_OURS)
        is_common = np.isin(known, np.array(common, np.uint64))
        self.vocabulary = Vocabulary(known[(count <= most) & ~is_common])
        near = pairs(self.vocabulary.of(self.every))
        self.pairs = Grams.of_marks(near, self.starts, self.sizes)

    def sample(self, documents: Iterable[Piece]) -> _Sample:
        """Learns from documents which words and which grams are common."""
        self.letters.forget()
        self.triples.forget()
        known = np.unique(self.every.codes)
        ours = Vocabulary(known)
        learnt = _Sample(list(self.problems))
        letters_in = np.zeros(len(self.letters.grams), np.int64)
        triples_in = np.zeros(len(self.triples.grams), np.int64)
        of_each = list[Marks]()
        counts = np.zeros(len(known), np.int64)
        total = 0
        for block in _blocks(documents):
            learnt.documents += len(block)
            texts = _Texts(block)
            numbers, places, _ = self.letters.look(texts.folded)
            where = documents_at(places, texts.folded_starts)
            letters_in += self.letters.documents(numbers, where)
            marks = marks_of(texts.joined)
            total += len(marks.codes)
            numbers, places, _ = self.triples.among(triples(marks.numbers))
            where = documents_at(places, texts.starts)
            triples_in += self.triples.documents(numbers, where)
            some = ours.of(marks)
            at = np.minimum(np.searchsorted(known, some.codes), len(known) - 1)
            counts += np.bincount(at[known[at] == some.codes], minlength=len(known))
            where = documents_at(some.starts, texts.starts).astype(np.int32)
            of_each.append(Marks(some.codes, where, where))
        learnt.common = known[counts * COMMON_WORD > total].tolist()
        self.choose(learnt.common)
        pairs_in = np.zeros(len(self.pairs.grams), np.int64)
        for marks in of_each:
            near = pairs(self.vocabulary.of(marks))
            pairs_in += self.pairs.documents(*self.pairs.among(near)[:2])
        learnt.letters, learnt.pairs = letters_in.tolist(), pairs_in.tolist()
        learnt.triples = triples_in.tolist()
        self._weigh(learnt)
        return learnt

    def learn(self, sample: _Sample) -> None:
        """Takes over what a sample told before."""
        self.choose(sample.common)
        self._weigh(sample)

    def _weigh(self, sample: _Sample) -> None:
        documents = sample.documents
        self.letters.weigh(np.array(sample.letters, np.int64), documents)
        # What copies share many times over is found by letters: these are for the rest.
        counts = np.array(sample.pairs, np.int64)
        self.pairs.weigh(counts, documents, common=5, share=200, owners=OWNERS)
        counts = np.array(sample.triples, np.int64)
        self.triples.weigh(counts, documents, common=20, share=100, owners=OWNERS)
        self.least_letters = self.letters.least(LEAST)
        self.least_pairs = self.pairs.least(LEAST_PAIRS, SHARE_OF_PAIRS)
        self.least_triples = self.triples.least(LEAST_TRIPLES, SHARE_OF_TRIPLES)

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
            for piece, passage in self._block(block):
                found = msgspec.structs.replace(
                    passage,
                    b=piece.id,
                    file=result.file,
                    line=piece.line,
                    start=passage.start + piece.offset,
                    end=passage.end + piece.offset,
                )
                key = found.line, found.b, found.a
                if key not in best or _better(found, best[key]):
                    best[key] = found
            goes_on = block[-1].line, block[-1].id
            for key in [key for key in best if key[:2] != goes_on]:
                problems.add(key[2])
                yield best.pop(key)
        problems.update(name for _, _, name in best)
        yield from best.values()
        result.problems = sorted(problems)
        result.unreadable, result.named = unreadable.count, unreadable.named

    def _block(self, block: list[Piece]) -> Iterator[tuple[Piece, Passage]]:
        texts = _Texts(block)
        copies = set[tuple[int, int]]()  # which need no look in other words
        for place, problem, first, last in self._copied(texts):
            text = block[place].text
            if passage := self.judge.copy(problem, text, first, last):
                if passage.kind in ("same", "reworded"):
                    copies.add((place, problem))
                yield block[place], passage
        marks = marks_of(texts.joined)
        for place, problem, first, last in self.pairs.stretches(
            self.pairs.among(pairs(self.vocabulary.of(marks))),
            texts.starts,
            self.least_pairs,
        ).rows():
            if (place, problem) in copies:
                continue
            there = self._near(marks, texts, place, problem, first, last)
            if not self.judge.wording.may_stand(problem, there):
                continue
            text, around = block[place].text, texts.characters(place, first, last)
            passage = self.judge.copy(problem, text, *around)
            passage = passage or self.judge.reworded(problem, text, *around)
            if passage:
                yield block[place], passage
        yield from self._formulas(texts)
        yield from self._translated(texts, marks)

    def _translated(
        self, texts: _Texts, marks: Marks
    ) -> Iterator[tuple[Piece, Passage]]:
        """Of the problems that a passage may be a translation of, the likeliest."""
        numbers = marks.numbers
        likely: dict[tuple[int, int], tuple[Translated, int, int]] = {}
        for document, problem, first, last in self._abroad(
            texts, marks, numbers
        ).rows():
            start = int(texts.starts[document])
            one = self.judge.translation.passage(
                problem, numbers, start + first, start + last
            )
            if one is None:
                continue
            place = document, one.start // ASIDE
            if place not in likely or one.evidence > likely[place][0].evidence:
                likely[place] = one, problem, start
        for (document, _), (one, problem, start) in likely.items():
            around = texts.characters(document, one.start - start, one.end - start)
            piece = texts.block[document]
            if passage := self.judge.translated(problem, piece.text, one, *around):
                yield piece, passage

    def _abroad(self, texts: _Texts, marks: Marks, numbers: Marks) -> Stretches:
        """Where numbers of problems stand in their order, among words of other languages."""
        found = self.triples.among(triples(numbers))
        some = self.triples.stretches(found, texts.starts, self.least_triples)
        begin = texts.starts[some.documents]
        fewest = self.judge.translation.fewest_words[some.problems]
        chosen = np.zeros(len(begin), bool)
        for language in {problem.language for problem in self.problems}:
            is_of = self.languages[some.problems] == language
            chosen |= is_of & self.judge.languages.others(
                marks, language, begin + some.first, begin + some.last, fewest
            )
        return some.some(chosen)

    def _near(
        self,
        marks: Marks,
        texts: _Texts,
        document: int,
        problem: int,
        first: int,
        last: int,
    ) -> Any:
        """The words and numbers around a stretch."""
        begin = int(texts.starts[document])
        margin = int(1.3 * self.sizes[problem]) + 150
        bounds = begin + first - margin, begin + last + margin
        low, high = np.searchsorted(marks.starts, bounds).tolist()
        return marks.codes[low:high]

    def _copied(self, texts: _Texts) -> Iterator[tuple[int, int, int, int]]:
        """Piece, problem, and the characters between which letters of it stand."""
        found = self.letters.look(texts.folded)
        for document, problem, first, last in self.letters.stretches(
            found, texts.folded_starts, self.least_letters
        ).rows():
            yield document, problem, *texts.unfolded(document, first, last)

    def _formulas(self, texts: _Texts) -> Iterator[tuple[Piece, Passage]]:
        starts = texts.folded_starts
        for place, short in self.formulas.places(texts.folded):
            document = int(documents_at(place, starts))
            first = place - int(starts[document])
            around = texts.unfolded(document, first, first + len(short.folded))
            piece = texts.block[document]
            if passage := self.judge.formula(short, piece.text, *around):
                yield piece, passage


class _Texts:
    """Pieces that are looked at together, as letters and as bytes, and places in them."""

    def __init__(self, block: list[Piece]) -> None:
        self.block = block
        self.datas = [piece.text.encode("utf-8", "replace") for piece in block]
        self.joined = BETWEEN.join(self.datas)
        self.starts = starts_of(self.datas)
        self.cuts = list(map(cuts_of, self.datas))
        parts = [
            [fold(data[low:high]) for low, high in pairwise(cuts)]
            for data, cuts in zip(self.datas, self.cuts, strict=True)
        ]
        self.letters = [list(accumulate(map(len, some), initial=0)) for some in parts]
        folded = list(map(b"".join, parts))
        self.folded, self.folded_starts = BETWEEN.join(folded), starts_of(folded)

    def unfolded(self, number: int, first: int, last: int) -> tuple[int, int]:
        """The characters of a piece between two of its letters."""
        bounds = self._byte(number, first), self._byte(number, last - 1) + 1
        return self.characters(number, *bounds)

    def _byte(self, number: int, letter: int) -> int:
        """The byte of a piece where a letter of it stands."""
        letters, cuts = self.letters[number], self.cuts[number]
        part = bisect_right(letters, letter) - 1
        places = folded_places(self.datas[number][cuts[part] : cuts[part + 1]])
        return cuts[part] + int(places[letter - letters[part]])

    def characters(self, number: int, first: int, last: int) -> tuple[int, int]:
        """The characters of a piece between two of its bytes."""
        data = self.datas[number]
        if len(data) == len(self.block[number].text):
            return first, last
        before = len(data[:first].decode("utf-8", "ignore"))
        return before, before + len(data[first:last].decode("utf-8", "ignore"))


def _better(one: Passage, other: Passage) -> bool:
    return (one.linked, one.score) > (other.linked, other.score)


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
        if not stored:
            return
        if folder is None:
            temporary = tempfile.TemporaryDirectory(prefix="benchwright-against-")
            folder = Path(stack.enter_context(temporary))
        task = _task(scanner, stored, field, folder)
        for result in _scanned(task, stored, engine):
            for passage in result.passages:
                each(passage)
            yield result


def scan_part(
    problems: Sequence[Item],
    corpus: Sequence[str | Path],
    rank: Rank,
    *,
    text_field: str | None,
    engine: Engine,
    folder: Path,
) -> list[int]:
    """Look through a rank's share of the files, once; the ranks whose share is missing then.

    What is found is kept in the folder, which all ranks see: `scan_corpus` takes it from there.

    Raises UserError for standard input, which has no parts.
    """
    files = list(files_of(list(corpus)))
    if STANDARD_INPUT in files:
        raise UserError("-: standard input has no parts", "give files, or no --part")
    scanner = Scanner([Problem.of(item) for item in problems])
    task = _task(scanner, files, text_field, folder)
    sizes = [(file, Path(file).stat().st_size) for file in files]
    key = hashlib.sha256(encode([task.args[1:], sizes, own_hash()])).hexdigest()
    marks = [folder / f"{Rank(k, rank.of).name}.mark" for k in range(1, rank.of + 1)]
    for _ in _scanned(task, files[rank.number - 1 :: rank.of], engine):
        pass
    write_bytes(marks[rank.number - 1], key.encode())
    return [
        number
        for number, mark in enumerate(marks, 1)
        if not mark.exists() or mark.read_text() != key
    ]


def _task(
    scanner: Scanner, files: list[str], field: str | None, folder: Path
) -> partial[ShardResult]:
    """What is done to each file: rarity is learnt, or was learnt before."""
    index = folder.absolute() / SAMPLE
    learnt = _kept_sample(index, scanner, files)
    if learnt is None:
        chosen = files[:: max(len(files) // SAMPLED_FILES, 1)][:SAMPLED_FILES]
        learnt = scanner.sample(_sampled(chosen, field))
        learnt.files = chosen
        write_bytes(index, msgspec.json.encode(learnt))
    digest = sha256_file(index)
    scanner.learn(learnt)
    _ready[str(index)] = digest, scanner  # for tasks of this process
    return partial(scan_file, str(index), digest, field)


def _scanned(
    task: partial[ShardResult], files: list[str], engine: Engine
) -> Iterator[ShardResult]:
    """The results of some files, in their order."""
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
    """Named by all that decides what is found: contents, name, problems, rarity, code."""
    try:
        contents = sha256_file(file)
    except OSError:
        contents = ""
    deciding = [contents, file, digest, field, own_hash()]
    name = hashlib.sha256(encode(deciding)).hexdigest()
    return index.parent / "shards" / f"{name}.json"


def _scanner(index: str, digest: str) -> Scanner:
    """The index in a file; the hash of its contents tells two of one name apart."""
    known = _ready.get(index)
    if known is None or known[0] != digest:
        sample = msgspec.json.decode(read_bytes(Path(index)), type=_Sample)
        scanner = Scanner(sample.problems)
        scanner.learn(sample)
        _ready.clear()
        _ready[index] = known = digest, scanner
    return known[1]


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
        if size >= BLOCK or len(block) >= ROWS:
            yield block
            block, size = [], 0
    if block:
        yield block
