"""A release in pieces: what some of its problems come to, made by whoever is free.

A piece holds the lines of problems and samples, the cards of the browse page, and sums. Files are
pieces one behind the other, and figures the sums of sums (`package.py`).
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import partial
from hashlib import sha256
from itertools import accumulate
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
    ids: list[str] = msgspec.field(default_factory=list)  # of problems
    kinds: dict[str, set[str]] = msgspec.field(
        default_factory=dict
    )  # label -> types of values
    words: dict[str, list[int]] = msgspec.field(
        default_factory=dict
    )  # of questions by version
    licences: dict[str, str] = msgspec.field(
        default_factory=dict
    )  # with a source that has it
    shown: dict[str, dict[str, int]] = msgspec.field(
        default_factory=dict
    )  # label -> value -> n
    pictures: set[str] = msgspec.field(default_factory=set)  # of questions
    images: dict[str, tuple[str, int]] = msgspec.field(
        default_factory=dict
    )  # hash and bytes
    configs: list[str] = msgspec.field(default_factory=list)  # of each sample ...
    sizes: list[int] = msgspec.field(
        default_factory=list
    )  # ... and the bytes of its pictures


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
    sums, cards = Sums(), list[Card]()
    lines, rows = list[bytes](), list[bytes]()
    for problem in problems:
        if making.withheld:
            problem = problem_without_answers(problem)
        samples = list(samples_of(problem))
        if making.withheld:
            samples = [without_answers(sample) for sample in samples]
        lines += record_lines([problem], making.guid)
        rows += record_lines(samples, making.guid)
        _count(sums, problem, pictures)
        for sample in samples:
            _count_sample(sums, sample)
            cards.append(card_of(sample, _facets(sample, making), problem))
    page, counts = (
        msgspec.Raw(msgspec.msgpack.encode(one)) for one in (page_of(cards), sums)
    )
    return Piece(b"".join(lines), b"".join(rows), page, counts)


def _count(sums: Sums, problem: Problem, pictures: Path) -> None:
    sums.ids.append(problem.id)
    sums.licences.setdefault(problem.source.license or "", problem.source.name)
    for image in all_images(problem):
        if image.path not in sums.images:
            size = (pictures / image.path).stat().st_size
            sums.images[image.path] = (image.sha256, size)
    shown = [(name, texts_of(value)) for name, value in problem.labels.items()]
    for name, values in [*shown, ("answer kind", [problem.answer_kind])]:
        counted = sums.shown.setdefault(name, {})
        for value in values:
            counted[value] = counted.get(value, 0) + 1


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
    ends = [0, *accumulate(map(len, splits.values()))]
    shards = cut(next(iter(splits.values())).path, ends[1:])
    work = work.absolute()  # workers may stand elsewhere

    def made(first: int, end: int, making: Making) -> Iterator[Piece]:
        some = [one for one in shards if first < one.number <= end]
        function = partial(piece_of_lines, pictures=work)
        return by_shard(
            function, some, Piece, making, work=work, engine=engine, chunk=1
        )

    return {
        name: Streamed(partial(made, first, end, making[name]))
        for name, first, end in zip(splits, ends, ends[1:], strict=False)
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
        return (
            piece_of(some, making[name], pictures)
            for some in chunked(problems[name], EACH)
        )

    return {name: Streamed(partial(made, name)) for name in problems}


def summed(
    pieces: Mapping[str, Iterable[Piece]],
) -> tuple[dict[str, Sums], dict[str, str]]:
    """What the pieces of each split come to, and the hashes of the files of its problems."""
    sums, hashes = {name: Sums() for name in pieces}, {}
    for name, some in pieces.items():
        digest = sha256()
        for piece in some:
            digest.update(piece.problems)
            together(sums[name], piece.sums())
        hashes[f"problems/{name}.jsonl"] = digest.hexdigest()
    return sums, hashes
