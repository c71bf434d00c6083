"""A release in pieces: what some of its problems come to, made by whoever is free.

A piece holds the lines of problems and samples, the cards of the browse page, and sums. Files are
pieces one behind the other, and figures the sums of sums (`package.py`).
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import partial
from hashlib import sha256
from itertools import accumulate, pairwise
from pathlib import Path
from typing import Any

import msgspec

from ..base.display import texts_of
from ..base.files import Records, Streamed, encode
from ..pages import Card, Page, card_of, page_of
from ..pipeline import Engine, by_shard, chunked, cut
from ..problem import VERSIONS, Problem, Sample, all_images, samples_of, shown_images
from ..release import decode
from .parquet import config_of, label_kinds
from .statistics import Tally, together
from .withhold import problem_without_answers, without_answers

EACH = 1000  # problems of a piece, where they are in memory


class Making(msgspec.Struct, frozen=True):
    """What pieces of a split are made with."""

    guid: str
    withheld: bool
    facets: dict[str, list[str]]  # that every card has


class Sums(msgspec.Struct):
    """What is counted of a split, and adds up (`together`)."""

    tally: Tally = msgspec.field(default_factory=Tally)
    # The ids of problems.
    ids: list[str] = msgspec.field(default_factory=list)
    # Label -> types of its values.
    kinds: dict[str, set[str]] = msgspec.field(default_factory=dict)
    # Version -> lengths of its questions in words.
    words: dict[str, list[int]] = msgspec.field(default_factory=dict)
    # Licence -> a source that has it.
    licences: dict[str, str] = msgspec.field(default_factory=dict)
    # Label -> value -> number of problems.
    shown: dict[str, dict[str, int]] = msgspec.field(default_factory=dict)
    # The pictures of questions.
    pictures: set[str] = msgspec.field(default_factory=set)
    # Picture -> its hash and bytes.
    images: dict[str, tuple[str, int]] = msgspec.field(default_factory=dict)
    # The configuration of each sample, and the bytes of its pictures.
    configs: list[str] = msgspec.field(default_factory=list)
    sizes: list[int] = msgspec.field(default_factory=list)


class Piece(msgspec.Struct):
    """What some problems of a split come to: lines, the page of their cards, and their sums.

    Pieces are gone through twice, for sums and for pages: each is decoded where it is asked for.
    """

    problems: bytes
    samples: bytes
    cards: msgspec.Raw
    counts: msgspec.Raw

    def page(self) -> Page:
        return msgspec.msgpack.decode(self.cards, type=Page)

    def sums(self) -> Sums:
        return msgspec.msgpack.decode(self.counts, type=Sums)


def record_lines(records: Iterable[Any], guid: str) -> Iterator[bytes]:
    """Problems or samples as their files hold them: one JSON line each, with the canary."""
    return (
        encode(msgspec.to_builtins(record) | {"canary": guid}) for record in records
    )


def piece_of(problems: Iterable[Problem], making: Making, pictures: Path) -> Piece:
    """The piece of some problems, whose pictures lie below `pictures`."""
    sums = Sums()
    cards = list[Card]()
    problem_lines = list[bytes]()
    sample_lines = list[bytes]()
    for problem in problems:
        if making.withheld:
            problem = problem_without_answers(problem)
        samples = list(samples_of(problem))
        if making.withheld:
            samples = [without_answers(sample) for sample in samples]
        problem_lines += record_lines([problem], making.guid)
        sample_lines += record_lines(samples, making.guid)
        _count(sums, problem, pictures)
        for sample in samples:
            _count_sample(sums, sample)
            cards.append(card_of(sample, _facets(sample, making), problem))
    return Piece(
        b"".join(problem_lines),
        b"".join(sample_lines),
        msgspec.Raw(msgspec.msgpack.encode(page_of(cards))),
        msgspec.Raw(msgspec.msgpack.encode(sums)),
    )


def _count(sums: Sums, problem: Problem, pictures: Path) -> None:
    sums.ids.append(problem.id)
    sums.licences.setdefault(problem.source.license or "", problem.source.name)
    for image in all_images(problem):
        if image.path not in sums.images:
            size = (pictures / image.path).stat().st_size
            sums.images[image.path] = (image.sha256, size)
    for name, label in [*problem.labels.items(), ("answer kind", problem.answer_kind)]:
        counts = sums.shown.setdefault(name, {})
        for value in texts_of(label):
            counts[value] = counts.get(value, 0) + 1


def _count_sample(sums: Sums, sample: Sample) -> None:
    sums.tally.add(sample)
    sums.configs.append(config_of(sample))
    sums.sizes.append(sum(sums.images[image.path][1] for image in shown_images(sample)))
    for name, value in sample.labels.items():
        sums.kinds.setdefault(name, set()).add(label_kinds(value))
    if sample.question:
        version = sample.version if sample.version in VERSIONS else "questions"
        sums.words.setdefault(version, []).append(len(sample.question.split()))
    sums.pictures.update(image.path for image in sample.images)


def _facets(sample: Sample, making: Making) -> dict[str, list[str]]:
    facets = dict(making.facets)
    if sample.version:
        facets["version"] = [sample.version]
    facets |= {name: texts_of(value) for name, value in sorted(sample.labels.items())}
    return facets | {"answer kind": [sample.answer_kind]}


def pieces_of(
    splits: Mapping[str, Records[Problem]],
    making: Mapping[str, Making],
    work: Path,
    engine: Engine,
) -> dict[str, Iterable[Piece]]:
    """The pieces of splits that follow one another in a file, made by the engine's workers.

    They are gone through more than once: what is kept of a piece is found again.
    """
    ends = [*accumulate(map(len, splits.values()))]
    shards = cut(next(iter(splits.values())).path)
    work = work.absolute()  # workers may stand elsewhere
    make = partial(piece_of_lines, pictures=work)

    def made(first: int, end: int, making: Making) -> Iterator[Piece]:
        of_split = [shard for shard in shards if first < shard.number <= end]
        return by_shard(
            make, of_split, Piece, making, work=work, engine=engine, chunk=1
        )

    bounds = zip(splits, pairwise([0, *ends]), strict=True)
    return {
        name: Streamed(partial(made, first, end, making[name]))
        for name, (first, end) in bounds
    }


def piece_of_lines(lines: Sequence[bytes], making: Making, pictures: Path) -> Piece:
    """The piece of problems as a stage has written them."""
    return piece_of((decode(line, Problem)[0] for line in lines), making, pictures)


def pieces_in_memory(
    problems: Mapping[str, Sequence[Problem]],
    making: Mapping[str, Making],
    pictures: Path,
) -> dict[str, Iterable[Piece]]:
    """The pieces of problems that are in memory already."""

    def made(name: str) -> Iterator[Piece]:
        for some in chunked(problems[name], EACH):
            yield piece_of(some, making[name], pictures)

    return {name: Streamed(partial(made, name)) for name in problems}


def summed(
    pieces: Mapping[str, Iterable[Piece]],
) -> tuple[dict[str, Sums], dict[str, str]]:
    """What the pieces of each split come to, and the hashes of the files of its problems."""
    sums: dict[str, Sums] = {}
    hashes: dict[str, str] = {}
    for name, of_split in pieces.items():
        sums[name] = Sums()
        digest = sha256()
        for piece in of_split:
            digest.update(piece.problems)
            together(sums[name], piece.sums())
        hashes[f"problems/{name}.jsonl"] = digest.hexdigest()
    return sums, hashes
