"""What a worker must prove before it gets work: the same code, libraries, fonts and folders.

A worker that sees other files would take its own lack for a fault of the data: pictures that are
on the curator's disk would be "missing". So some files of each folder are compared, and a token in
the work folder must be read there, and answered.
"""

from __future__ import annotations

import hashlib
import os
import secrets
import sys
from collections.abc import Iterable, Iterator
from contextlib import contextmanager, suppress
from functools import lru_cache
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path

import msgspec

from ..base.files import write_text
from ..base.lazy import imported
from .code import own_hash

# that decide about bytes: of texts, numbers, pictures and verdicts
LIBRARIES = (
    "msgspec",
    "numpy",
    "pillow",
    "lxml",
    "matplotlib",
    "rapidfuzz",
    "mpmath",
    "sympy",
    "latex2sympy2-extended",
)
CJK_FONT = (
    "latex.typeset.fonts:cjk_face"  # the one thing of the machine that pages take
)
TOKEN = ".token"  # with a random part; in the work folder while a build runs


class Proof(msgspec.Struct, frozen=True):
    """What is here, for a worker to compare."""

    versions: tuple[tuple[str, str], ...]
    paths: tuple[tuple[str, str], ...] = ()  # files, absolute, and their hashes
    token: str = (
        ""  # a file in the work folder; the worker writes another one beside it
    )


@contextmanager
def proof_for(work: Path, paths: Iterable[Path]) -> Iterator[Proof]:
    """The proof for workers that write below `work` and read `paths`; a token lies there."""
    token = work.absolute() / f"{TOKEN}-{secrets.token_hex(8)}"
    write_text(token, token.name)
    try:
        samples = {file.absolute() for path in paths for file in _samples(path)}
        found = tuple((str(file), _content(file)) for file in sorted(samples))
        yield Proof(versions(), found, str(token))
    finally:
        for file in work.glob(f"{token.name}*"):
            with suppress(OSError):
                file.unlink()


@lru_cache(maxsize=8)
def lacking(proof: Proof) -> str:
    """What this process lacks or has otherwise, in words; "" when it may work.

    >>> lacking(Proof((("pillow", "0.1"),)))[:19]
    'pillow 0.1 is not h'
    """
    here = dict(versions())
    faults = [
        f"{name} {wanted} is not here, but {here.get(name) or 'none'}"
        for name, wanted in proof.versions
        if here.get(name) != wanted
    ]
    for name, wanted in proof.paths:
        found = _content(Path(name))
        if found != wanted:
            faults.append(f"{name} is {'another file' if found else 'not there'}")
    if proof.token:
        faults += _writes(Path(proof.token))
    return "; ".join(faults)


def _writes(token: Path) -> list[str]:
    try:
        if token.read_text("utf-8") != token.name:
            return [f"{token.parent} is another folder"]
    except OSError as error:
        return [f"{token.parent} is not shared ({error.strerror})"]
    try:
        write_text(token.with_name(f"{token.name}-{secrets.token_hex(4)}"), "")
    except Exception as error:
        return [str(error)]
    return []


@lru_cache(maxsize=1)
def versions() -> tuple[tuple[str, str], ...]:
    """Python, benchwright's code, the libraries and the font that decide about bytes."""
    font = imported(CJK_FONT)()
    shape = (
        f"{Path(font.path).name} {_content(Path(font.path))[:12]}" if font else "none"
    )
    return (
        ("Python", f"{sys.version_info.major}.{sys.version_info.minor}"),
        ("benchwright", f"{_version('benchwright')} ({own_hash()[:12]})"),
        *((name, _version(name)) for name in LIBRARIES),
        ("the Chinese font", shape),
    )


def _version(name: str) -> str:
    try:
        return version(name)
    except PackageNotFoundError:
        return "none"


def _samples(path: Path) -> list[Path]:
    """The file, or the first, middle and last one of the first folder below that has any."""
    for folder, folders, names in os.walk(path):
        folders.sort()
        if names := sorted(name for name in names if not name.startswith(".")):
            return [
                Path(folder, names[k]) for k in {0, len(names) // 2, len(names) - 1}
            ]
    return [path] if path.is_file() else []


def _content(path: Path) -> str:
    """The hash of a file; "" where none is."""
    try:
        with path.open("rb") as file:
            return hashlib.file_digest(file, "sha256").hexdigest()
    except OSError:
        return ""
