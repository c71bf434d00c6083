"""The code behind a function as one hash: what it makes is made again under other code.

Of benchwright that is the whole package with the data that lies in it, of another's function the
package that it comes from, or its own file. Nothing is executed, so the hash is the same on every
machine and Python.
"""

from __future__ import annotations

import hashlib
import inspect
import marshal
import os
import sys
from collections.abc import Callable, Iterator
from functools import lru_cache
from pathlib import Path
from typing import Any

PACKAGE = Path(__file__).parents[1]
DOOR = "__init__.py"


def code_hash(*functions: Callable[..., Any]) -> str:
    """Hash of benchwright, and of the code of those `functions` that others wrote.

    >>> from .recipe import read_recipe
    >>> code_hash(read_recipe) == code_hash(), len(code_hash())
    (True, 64)
    """
    hashes = {own_hash(), *(_hash_of(inspect.unwrap(one)) for one in functions)}
    return hashlib.sha256("\n".join(sorted(hashes)).encode()).hexdigest()


def name_of(function: Callable[..., Any]) -> str:
    """A function's name in its module, with the hash of the code behind it.

    >>> name_of(code_hash).partition("-")[0]
    'benchwright.pipeline.code.code_hash'
    """
    plain = inspect.unwrap(function)
    return f"{plain.__module__}.{plain.__qualname__}-{code_hash(function)[:16]}"


def own_hash() -> str:
    """Hash of benchwright itself."""
    return _hash_of_files(PACKAGE.name, PACKAGE)


def _hash_of(function: Callable[..., Any]) -> str:
    try:
        file = inspect.getsourcefile(function)
    except TypeError:
        file = None
    if file is None or not Path(file).is_file():  # typed at a prompt
        return hashlib.sha256(marshal.dumps(function.__code__)).hexdigest()
    top = function.__module__.partition(".")[0]
    folders = [Path(folder) for folder in getattr(sys.modules.get(top), "__path__", ())]
    package = next((one for one in folders if Path(file).is_relative_to(one)), None)
    if package == PACKAGE:
        return own_hash()
    return _hash_of_files(function.__module__, package or Path(file))


@lru_cache(maxsize=256)
def _hash_of_files(module: str, place: Path) -> str:
    total = hashlib.sha256()
    for path in sorted(_files(place)) if place.is_dir() else [place]:
        digest = hashlib.sha256(_content(path)).hexdigest()
        name = path.relative_to(place).as_posix() if path != place else module
        total.update(f"{name}\0{digest}\n".encode())
    return total.hexdigest()


def _files(package: Path) -> Iterator[Path]:
    """The files of a package: its modules, and all that its folders with a door hold.

    Other folders beside its modules are those of a checkout; tests decide about nothing.
    """
    yield from package.glob("*.py")
    for door in package.glob(f"*/{DOOR}"):
        if door.parent.name == "tests":
            continue
        for place, folders, names in os.walk(door.parent):
            folders[:] = [name for name in folders if name != "__pycache__"]
            yield from (Path(place, name) for name in names if name[0] != ".")


def _content(path: Path) -> bytes:
    """Line ends are those of the checkout, not of the code."""
    data = path.read_bytes()
    return data.replace(b"\r\n", b"\n") if path.suffix == ".py" else data
