"""Verdicts of earlier scores, found again by what they depend on: reply, gold, options, question.

They lie in `~/.cache/benchwright/verdicts`, or below XDG_CACHE_HOME, in a file for each version of
the code: what another one decided is not asked. The folder may be emptied at any time. A file that
cannot be read or written costs the time of grading again, and nothing else.
"""

from __future__ import annotations

import sqlite3
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from hashlib import blake2b
from itertools import islice
from pathlib import Path

import msgspec

from ...base.about import digest
from ...base.files import cache_folder
from ...base.registry import is_plugged
from ...pipeline import versions
from ...problem import Sample
from ..predictions import Place, Reply, said_hash

FEWEST = 200  # replies, fewer of which are graded at once
MOST = 400_000_000  # bytes of a file: above a million verdicts
TOGETHER = 500  # keys of a query
GRADED_BY = ("answer", "answer_kind", "unit", "tolerance", "ordered", "parts")


class KeptVerdicts:
    """The file of this version; without one nothing is found, and nothing kept."""

    def __init__(self, connection: sqlite3.Connection | None = None) -> None:
        self._connection = connection
        self._new: list[tuple[bytes, bytes]] = []

    @property
    def active(self) -> bool:
        return self._connection is not None

    def of(self, keys: Iterable[bytes]) -> dict[bytes, bytes]:
        """What is kept under these keys."""
        found: dict[bytes, bytes] = {}
        if self._connection is None:
            return found
        source = iter(keys)
        with suppress(sqlite3.Error):
            while some := list(islice(source, TOGETHER)):
                marks = ",".join("?" * len(some))
                query = f"SELECT key, verdict FROM verdicts WHERE key IN ({marks})"
                found.update(self._connection.execute(query, some))
        return found

    def add(self, verdicts: Mapping[bytes, bytes]) -> None:
        if self._connection is not None:
            self._new += verdicts.items()

    def close(self) -> None:
        """Write down what is new, once, so that two scores at a time hardly wait."""
        if self._connection is None:
            return
        with suppress(sqlite3.Error), self._connection:
            self._connection.executemany(
                "INSERT OR IGNORE INTO verdicts VALUES (?, ?)", self._new
            )
        with suppress(sqlite3.Error):
            self._connection.close()


@contextmanager
def kept_verdicts(replies: int) -> Iterator[KeptVerdicts]:
    """What earlier scores decided; nothing for few replies, nor with rules of others."""
    kept = KeptVerdicts(None if replies < FEWEST or is_plugged() else _opened())
    try:
        yield kept
    finally:
        kept.close()


def folder() -> Path:
    """Where verdicts are kept on this machine."""
    return cache_folder("verdicts")


def _opened() -> sqlite3.Connection | None:
    name = digest([list(pair) for pair in versions()])[:16]
    path = folder() / f"{name}.sqlite"
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        _tidied(path)
        connection = sqlite3.connect(path, timeout=20)
        connection.execute(
            "CREATE TABLE IF NOT EXISTS verdicts (key BLOB PRIMARY KEY, verdict BLOB) "
            "WITHOUT ROWID"
        )
    except (OSError, sqlite3.Error):
        return None
    return connection


def _tidied(path: Path) -> None:
    """Verdicts of other versions go when a new one begins, and a file that is too large."""
    others = [] if path.exists() else [*path.parent.glob("*.sqlite")]
    if path.exists() and path.stat().st_size > MOST:
        others = [path]
    for file in others:
        file.unlink(missing_ok=True)


def key_of_sample(sample: Sample, profile: str | None, thoughts: bool) -> bytes:
    """The hash of all that decides about a reply to a sample, but the reply.

    >>> from benchwright.problem import Source
    >>> s = Source(name="s", raw_id="1")
    >>> one = Sample(id="1", problem_id="1", origin="1", source=s, question="?")
    >>> key_of_sample(one, None, False) == key_of_sample(one, None, False)
    True
    """
    options = [[option.label, option.text] for option in sample.options]
    fields = [msgspec.to_builtins(getattr(sample, name)) for name in GRADED_BY]
    about = [*fields, options, sample.asked(), profile, thoughts]
    return digest(about).encode()


def key_of(sample: bytes, reply: Reply | Place) -> bytes:
    """The key of a reply to a sample."""
    sha = reply.sha if isinstance(reply, Place) else said_hash(reply)
    return blake2b(sample + sha, digest_size=16).digest()


def keys_of(
    sample: bytes, replies: Sequence[Reply | Place | None]
) -> list[bytes | None]:
    """The keys of all replies to a sample; None of one that never came."""
    return [None if reply is None else key_of(sample, reply) for reply in replies]
