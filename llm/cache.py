"""Answers by key in one SQLite file, as JSON."""

from __future__ import annotations

import sqlite3
import threading
from collections.abc import Iterable
from pathlib import Path
from typing import Generic, TypeVar

import msgspec

from ..base.files import encode, unwritable
from ..errors import UserError

T = TypeVar("T")


class Cache(Generic[T]):
    """Records of `kind` by key; safe to use from many threads."""

    def __init__(self, path: Path, kind: type[T]) -> None:
        self._kind, self._path = kind, path
        try:
            path.parent.mkdir(parents=True, exist_ok=True)
            self._db = sqlite3.connect(path, check_same_thread=False, timeout=60)
            self._db.execute("pragma journal_mode = wal")
            # a killed process loses nothing, only a power cut may: no wait for the disk each time
            self._db.execute("pragma synchronous = normal")
            self._db.execute(
                "create table if not exists answers (key text primary key, answer text)"
            )
        except (sqlite3.OperationalError, OSError) as error:
            raise unwritable(path, error) from error
        except sqlite3.DatabaseError as error:
            raise UserError(
                f"{path} is not an answer cache: {error}", "name another file"
            ) from error
        self._lock = threading.Lock()

    def get(self, key: str) -> T | None:
        with self._lock:
            row = self._db.execute(
                "select answer from answers where key = ?", (key,)
            ).fetchone()
        return msgspec.json.decode(row[0], type=self._kind) if row else None

    def put(self, key: str, answer: T) -> None:
        self.put_all([(key, answer)])

    def put_all(self, answers: Iterable[tuple[str, T]]) -> None:
        """Keep several answers by one commit. Raises UserError when the disk is full."""
        rows = [(key, encode(answer)) for key, answer in answers]
        try:
            with self._lock, self._db:
                self._db.executemany(
                    "insert or replace into answers values (?, ?)", rows
                )
        except sqlite3.OperationalError as error:
            raise unwritable(self._path, error) from error

    def drop(self, keys: Iterable[str]) -> None:
        """Keep what stands under these keys no longer."""
        with self._lock, self._db:
            self._db.executemany(
                "delete from answers where key = ?", [(key,) for key in keys]
            )

    def close(self) -> None:
        self._db.close()
