"""Folders that stand as they were left, known by the marks of their files: none is read again."""

from __future__ import annotations

import hashlib
import os
from pathlib import Path

from ..base.files import write_text

MARKS = ".marks"  # below the work folder, a file for each folder


def stands(folder: Path, work: Path, key: str = "") -> bool:
    """Whether every file lies there as it did when `leave` was called, with the same key.

    A file is known by its name, size and times of change, of which no program sets the second;
    `verify` reads them all.
    """
    try:
        left = _place(folder, work).read_text("utf-8")
        return left.endswith(key) and left == _mark(folder) + key
    except OSError:
        return False


def leave(folder: Path, work: Path, key: str = "") -> None:
    """Note how a folder stands that is known to be whole."""
    write_text(_place(folder, work), _mark(folder) + key)


def _place(folder: Path, work: Path) -> Path:
    return work / MARKS / folder.name


def _mark(folder: Path) -> str:
    total = hashlib.sha256()
    for place, folders, names in os.walk(folder):
        folders.sort()
        inner = os.path.relpath(place, folder)
        for name in sorted(names):
            found = os.lstat(f"{place}/{name}")
            times = f"{found.st_mtime_ns} {found.st_ctime_ns}"
            said = f"{inner}/{name}\0{found.st_mode} {found.st_size} {times}\n"
            total.update(said.encode("utf-8", "surrogateescape"))
    return total.hexdigest()
