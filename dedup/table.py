"""Texts on disk, sorted by length, with their signatures: what the tasks of a join read.

Arrays are memory-mapped, so each task reads only its slices and workers share pages.
"""

from __future__ import annotations

import os
import tempfile
from collections.abc import Callable, Iterator, Sequence
from contextlib import ExitStack, contextmanager
from itertools import chain
from pathlib import Path
from typing import Any, TypeVar

import numpy as np
from numpy.typing import NDArray

from ..base.files import scratch
from ..base.terminal import steadily
from ..pipeline import Engine, by_shard, cut, parallel_map, proof_for, started
from .signatures import (
    BUCKETS,
    PAIRS,
    SAMPLE,
    Ints,
    batches,
    choose_projection,
    gram_counts,
    project,
)

A = TypeVar("A")
B = TypeVar("B")
Masks = tuple[NDArray[np.bool_], NDArray[np.bool_]]
SHORT = 2000  # characters of a text that hardly has 255 of one kind


class SignatureTable:
    """Sorted texts and signatures; `norms` are |point|^2, `sides` the rows of each mask.

    `counts` are the 1-gram and 2-gram counts of each text, and `totals` their sums. Every task
    opens it anew, so that what it has read is not held beyond it.
    """

    def __init__(self, folder: Path) -> None:
        self.lengths, self._ends, self.norms, self.totals, masks = (
            np.load(folder / f"{name}.npy")
            for name in ("lengths", "ends", "norms", "totals", "masks")
        )
        self.sides = [
            (np.flatnonzero(rows), np.flatnonzero(columns)) for rows, columns in masks
        ]
        count_type = _count_type(self.lengths)

        def mapped(name: str, kind: Any, width: int) -> Any:
            file = np.memmap(folder / name, kind, "r")
            return file.reshape(len(self.lengths), width)

        self.points = mapped("points", np.float32, -1)
        self.counts = [
            mapped("ones", count_type, BUCKETS),
            mapped("twos", count_type, PAIRS),
        ]
        self._texts = folder / "texts"

    def read(self, rows: Ints) -> list[str]:
        """The texts of these rows; a text asked for twice is decoded once."""
        distinct, places = np.unique(rows, return_inverse=True)
        starts = np.where(distinct > 0, self._ends[distinct - 1], 0)
        spans = zip(starts.tolist(), self._ends[distinct].tolist(), strict=True)
        with self._texts.open("rb") as file:
            data = [os.pread(file.fileno(), end - start, start) for start, end in spans]
        texts = [text.decode("utf-8", "surrogatepass") for text in data]
        return [texts[place] for place in places]


def write_table(texts: Sequence[str], folder: Path, sides: Sequence[Masks]) -> Ints:
    """Write texts and who of them meets whom to `folder`; returns which text each row holds."""
    lengths = np.fromiter(map(len, texts), np.int64, len(texts))
    order = np.argsort(lengths, kind="stable")
    lengths = lengths[order]
    texts = [texts[row] for row in order]
    count_type = _count_type(lengths)
    most = np.iinfo(count_type).max
    sample = texts[:: max(1, len(texts) // SAMPLE)]
    projection = choose_projection(gram_counts(sample, 1))
    norms, totals, sizes = [], [], list[int]()
    with ExitStack() as stack:
        text_file, *files = (
            stack.enter_context((folder / name).open("wb"))
            for name in ("texts", "points", "ones", "twos")
        )
        for start, stop in batches(texts):
            batch = texts[start:stop]
            for text in batch:
                sizes.append(text_file.write(text.encode("utf-8", "surrogatepass")))
            ones, twos = gram_counts(batch, 1), gram_counts(batch, 2, PAIRS)
            points = project(ones, projection)
            norms.append(np.einsum("ij,ij->i", points, points, dtype=np.float64))
            counts = [np.minimum(of, most).astype(count_type) for of in (ones, twos)]
            sums = [of.sum(axis=1, dtype=np.int64) for of in counts]
            totals.append(np.column_stack(sums))
            for file, values in zip(files, (points, *counts), strict=True):
                file.write(values.data)
    arrays = {
        "lengths": lengths,
        "ends": np.cumsum(sizes),
        "masks": np.array([(rows[order], columns[order]) for rows, columns in sides]),
        "norms": np.concatenate(norms),
        "totals": np.concatenate(totals),
    }
    for name, array in arrays.items():
        np.save(folder / f"{name}.npy", array)
    return order


def _count_type(lengths: Ints) -> Any:
    """The type of all counts: bytes where texts are short, so that few counts reach 255."""
    return np.uint8 if lengths[-1] <= SHORT else np.uint16


@contextmanager
def workspace(
    below: Path | None = None, engine: Engine | None = None
) -> Iterator[Path]:
    """A temporary folder for tables, which the engine's workers must see as it is seen here.

    It lies `below` a folder; where none is given, below the one that the command runs in if workers
    are other machines', which have a /tmp of their own, and else below this machine's.
    """
    with ExitStack() as stack:
        if below is None and engine is not None and engine.kind == "dask":
            below = Path.cwd()
            stack.enter_context(
                started(engine, stack.enter_context(proof_for(below, ())))
            )
        place = below or Path(tempfile.gettempdir())
        yield stack.enter_context(scratch(place.absolute() / "benchwright-dedup"))


def run_tasks(
    function: Callable[[A], B], tasks: Sequence[A], engine: Engine, what: str
) -> Iterator[B]:
    """The results in order, with progress; a single task is not worth a worker's start."""
    where = engine if len(tasks) > 1 else Engine()
    yield from steadily(parallel_map(function, tasks, where), "dedup", len(tasks), what)


def in_shards(
    function: Callable[..., list[B]],
    kind: Any,
    lines: Path,
    engine: Engine,
    work: Path | None,
    *args: Any,
) -> Iterator[B]:
    """What `function` makes of each line of a file; below `work` it is kept by their content."""
    shards = by_shard(function, cut(lines), list[kind], *args, work=work, engine=engine)
    return chain.from_iterable(shards)
