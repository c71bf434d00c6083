"""A set of texts on disk, sorted by length, with its signatures: what the tasks of a join read.

Arrays are memory-mapped, so each task reads only its contiguous slices and workers share pages.
"""

from __future__ import annotations

import os
import tempfile
from array import array
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from itertools import chain
from pathlib import Path
from typing import Any, TypeVar

import numpy as np

from ..base.terminal import steadily
from ..pipeline import Engine, by_shard, cut, parallel_map
from .signatures import (
    BUCKETS,
    PAIRS,
    SAMPLE,
    Counts,
    Ints,
    PointArray,
    Projection,
    batches,
    choose_projection,
    gram_counts,
    project,
)

A = TypeVar("A")
B = TypeVar("B")
SHORT = 2000  # characters of a text that hardly has 255 of one kind


class SignatureTable:
    """Sorted texts and signatures; `norms` are |point|^2.

    `counts[q]` are the q-gram counts of each text, and `totals[q]` their sums. Every task opens it
    anew, so that what it has read is not held beyond it.
    """

    def __init__(self, folder: str) -> None:
        def mapped(name: str) -> Any:
            return np.load(Path(folder) / f"{name}.npy", mmap_mode="r")

        self.lengths: Ints = np.asarray(mapped("lengths"))
        self.points: PointArray = mapped("points")
        self.norms = np.asarray(mapped("norms"))
        self.counts: dict[int, Counts] = {1: mapped("ones"), 2: mapped("twos")}
        self.totals: dict[int, Ints] = {q: np.asarray(mapped(f"totals{q}")) for q in self.counts}
        self._ends: Ints = np.asarray(mapped("ends"))
        self._texts = Path(folder) / "texts"

    def read(self, rows: Ints) -> list[str]:
        """The texts of these rows; a text asked for twice is decoded once."""
        distinct, places = np.unique(rows, return_inverse=True)
        starts = np.where(distinct > 0, self._ends[distinct - 1], 0)
        spans = zip(starts.tolist(), self._ends[distinct].tolist(), strict=True)
        with self._texts.open("rb") as file:
            data = [os.pread(file.fileno(), end - start, start) for start, end in spans]
        texts = [text.decode("utf-8", "surrogatepass") for text in data]
        return [texts[place] for place in places]


@contextmanager
def workspace() -> Iterator[Path]:
    """A temporary folder for tables."""
    with tempfile.TemporaryDirectory(prefix="benchwright-join-") as folder:
        yield Path(folder)


def run_tasks(
    function: Callable[[A], B], tasks: Sequence[A], engine: Engine, what: str
) -> Iterator[B]:
    """The results in order, with progress; a single task is not worth a worker's start."""
    where = engine if len(tasks) > 1 else Engine()
    yield from steadily(parallel_map(function, tasks, where), "dedup", len(tasks), what)


def in_shards(
    function: Callable[[list[bytes]], list[B]], kind: Any, lines: Path, engine: Engine,
    work: Path | None,
) -> Iterator[B]:  # fmt: skip
    """What `function` makes of each line of a file; below `work` it is kept by their content."""
    shards = by_shard(function, cut(lines), list[kind], work=work, engine=engine)
    yield from chain.from_iterable(shards)


def write_table(texts: Sequence[str], folder: Path, like: Path | None = None) -> Ints:
    """Write distinct texts to `folder`; returns which text each row holds.

    The projection is chosen from the texts, or is that of the table `like`.
    """
    lengths = np.fromiter(map(len, texts), np.int64, len(texts))
    order = np.argsort(lengths, kind="stable")
    texts = [texts[k] for k in order]
    folder.mkdir(parents=True)
    np.save(folder / "lengths.npy", lengths[order])
    _write_texts(texts, folder)
    projection = _projection(texts, folder, like)
    shape = len(texts), projection.directions.shape[1]
    kind = _kind(lengths, like)
    create: Any = np.lib.format.open_memmap
    for name, dtype, size in (
        ("ones", kind, (len(texts), BUCKETS)),
        ("twos", kind, (len(texts), PAIRS)),
        ("points", np.float32, shape),
        ("norms", np.float64, (len(texts),)),
        ("totals1", np.int64, (len(texts),)),
        ("totals2", np.int64, (len(texts),)),
    ):
        create(folder / f"{name}.npy", "w+", dtype, size)
    for start, stop in batches(texts):
        ones = gram_counts(texts[start:stop], 1)
        points = project(ones, projection)
        rows = {"points": points, "norms": np.einsum("ij,ij->i", points, points, dtype=np.float64)}
        counted = ("ones", ones), ("twos", gram_counts(texts[start:stop], 2, PAIRS))
        for q, (name, counts) in enumerate(counted, 1):
            rows[name] = np.minimum(counts, np.iinfo(kind).max)
            rows[f"totals{q}"] = rows[name].sum(axis=1, dtype=np.int64)
        for name, values in rows.items():  # opened anew: pages that were written need not be held
            np.load(folder / f"{name}.npy", mmap_mode="r+")[start:stop] = values
    return order


def _kind(lengths: Ints, like: Path | None) -> Any:
    """The type of all counts: bytes where texts are short, so that few counts reach 255.

    Both sides of a join must stop counting at the same number.
    """
    if like is not None:
        return np.load(like / "ones.npy", mmap_mode="r").dtype
    return np.uint8 if lengths.max(initial=0) <= SHORT else np.uint16


def _write_texts(texts: Sequence[str], folder: Path) -> None:
    sizes = array("q")
    with (folder / "texts").open("wb") as file:
        for text in texts:
            sizes.append(file.write(text.encode("utf-8", "surrogatepass")))
    np.save(folder / "ends.npy", np.cumsum(np.array(sizes, np.int64)))


def _projection(texts: Sequence[str], folder: Path, like: Path | None) -> Projection:
    """Choose the projection from every k-th text, or copy it from another table; keep it."""
    if like is None:
        step = max(1, len(texts) // SAMPLE)
        chosen = choose_projection(gram_counts(texts[::step], 1))
    else:
        with np.load(like / "projection.npz") as stored:
            chosen = Projection(stored["buckets"], stored["levels"], stored["directions"])
    np.savez(folder / "projection.npz", **chosen._asdict())
    return chosen
