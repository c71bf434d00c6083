"""A release in pieces: what some of its problems come to, made by whoever is free.

A piece holds the lines of problems and samples, the cards of the browse page, and sums. Files are
pieces one behind the other, and figures the sums of sums (`package.py`).
"""

from __future__ import annotations

import secrets
from collections.abc import Callable, Iterable, Iterator, Mapping
from functools import partial
from itertools import accumulate
from pathlib import Path
from typing import Any

import msgspec

from ..base.display import texts_of
from ..base.files import Records, Streamed, encode
from ..pages import Encoded, card_of, encoded
from ..pipeline import Engine, Lines, Results, code_hash, cut, key_of, parallel_map
from ..problem import VERSIONS, Problem, Sample, all_images, samples_of, shown_images
from ..release import decode
from .parquet import config_of, label_kinds
from .statistics import Tally
from .withhold import problem_without_answers, without_answers

EACH = 1000  # problems of a piece


class Making(msgspec.Struct, frozen=True):
    """What pieces of a split are made with."""

    guid: str
    withheld: bool
    facets: dict[str, list[str]]  # that every card has


class Sums(msgspec.Struct):
    """What is counted of a split, and adds up (`together`)."""

    tally: Tally = msgspec.field(default_factory=Tally)
    ids: list[str] = msgspec.field(default_factory=list)  # of problems
    kinds: dict[str, set[str]] = msgspec.field(default_factory=dict)  # label -> types of values
    words: dict[str, list[int]] = msgspec.field(default_factory=dict)  # of questions by version
    licences: set[str] = msgspec.field(default_factory=set)
    shown: dict[str, dict[str, int]] = msgspec.field(default_factory=dict)  # label -> value -> n
    pictures: set[str] = msgspec.field(default_factory=set)  # of questions
    images: set[str] = msgspec.field(default_factory=set)  # all
    configs: dict[str, list[int]] = msgspec.field(default_factory=dict)  # bytes of pictures


class Piece(msgspec.Struct):
    """What some problems of a split come to."""

    problems: bytes
    samples: bytes
    cards: list[Encoded]
    sums: Sums


def record_lines(records: Iterable[Any], guid: str) -> Iterator[bytes]:
    """Problems or samples as their files hold them: one JSON line each, with the canary."""
    return (encode(msgspec.to_builtins(record) | {"canary": guid}) for record in records)


def piece_of(problems: Iterable[Problem], making: Making, pictures: Path) -> Piece:
    """The piece of some problems, whose pictures lie below `pictures`."""
    sums, cards = Sums(), list[Encoded]()
    lines, rows, sizes = list[bytes](), list[bytes](), dict[str, int]()
    for problem in problems:
        if making.withheld:
            problem = problem_without_answers(problem)
        samples = list(samples_of(problem))
        if making.withheld:
            samples = [without_answers(sample) for sample in samples]
        lines += record_lines([problem], making.guid)
        rows += record_lines(samples, making.guid)
        _count(sums, problem)
        for sample in samples:
            own = sum(_size(pictures, image.path, sizes) for image in shown_images(sample))
            sums.configs.setdefault(config_of(sample), []).append(own)
            _count_sample(sums, sample)
            cards.append(encoded(card_of(sample, _facets(sample, making), problem)))
    return Piece(b"".join(lines), b"".join(rows), cards, sums)


def _count(sums: Sums, problem: Problem) -> None:
    sums.ids.append(problem.id)
    sums.licences.add(problem.source.license or "unlicensed")
    sums.images.update(image.path for image in all_images(problem))
    shown = [(name, texts_of(value)) for name, value in problem.labels.items()]
    for name, values in [*shown, ("answer kind", [problem.answer_kind])]:
        counted = sums.shown.setdefault(name, {})
        for value in values:
            counted[value] = counted.get(value, 0) + 1


def _count_sample(sums: Sums, sample: Sample) -> None:
    sums.tally.add(sample)
    for name, value in sample.labels.items():
        sums.kinds.setdefault(name, set()).add(label_kinds(value))
    if sample.question:
        version = sample.version if sample.version in VERSIONS else "questions"
        sums.words.setdefault(version, []).append(len(sample.question.split()))
    sums.pictures.update(image.path for image in sample.images)


def _size(pictures: Path, path: str, known: dict[str, int]) -> int:
    if path not in known:
        known[path] = (pictures / path).stat().st_size
    return known[path]


def _facets(sample: Sample, making: Making) -> dict[str, list[str]]:
    facets = dict(making.facets)
    if sample.version:
        facets["version"] = [sample.version]
    facets |= {name: texts_of(value) for name, value in sorted(sample.labels.items())}
    return facets | {"answer kind": [sample.answer_kind]}


def pieces_of(
    splits: Mapping[str, Records[Problem]],
    making: Callable[[str], Making],
    work: Path,
    engine: Engine,
) -> dict[str, Iterable[Piece]]:
    """The pieces of splits that follow one another in a file, made by the engine's workers.

    They are gone through more than once: what is kept of a piece (`Results`) is found again.
    """
    ends = list(accumulate(map(len, splits.values())))
    path = next(iter(splits.values())).path
    lines = list(cut(path, ends, EACH))
    here = Engine(engine.jobs) if engine.ship else engine  # pictures lie on this machine
    code = code_hash(piece_of)

    def made(some: list[Lines], making: Making) -> Iterator[Piece]:
        results = Results(work, code, secrets.token_hex(8))
        for data in parallel_map(partial(_kept_piece, results, making), some, here):
            yield msgspec.msgpack.decode(data, type=Piece)

    starts = [0, *ends]
    return {
        name: Streamed(partial(made, [o for o in lines if start < o.number <= end], making(name)))
        for name, start, end in zip(splits, starts, ends, strict=False)
    }


def _kept_piece(results: Results, making: Making, lines: Lines) -> bytes:
    """On a worker: the piece of some lines of the split, encoded."""
    coming = lines.read()
    key = key_of(encode(making) + b"".join(coming))
    if (data := results.get(key)) is not None:
        return data
    problems = (decode(line, Problem)[0] for line in coming)
    data = msgspec.msgpack.encode(piece_of(problems, making, results.work))
    with results.adding() as pack:
        pack.add(key, data)
    return data
