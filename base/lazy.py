"""Names whose objects are imported when they are asked for."""

from __future__ import annotations

import ast
import importlib
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

from ..errors import UserError, nearest

PACKAGE = __name__.split(".")[0]


def load(name: str, table: dict[str, str], what: str) -> Any:
    """The object that `table` ("module:attribute" below this package) has under `name`.

    Raises UserError, naming the nearest known name, when it has none.
    """
    if name not in table:
        raise UserError(f"unknown {what} {name!r}", nearest(name, list(table)))
    return imported(table[name])


def imported(place: str) -> Any:
    module, attribute = place.split(":")
    return getattr(importlib.import_module(f"{PACKAGE}.{module}"), attribute)


def door(package: str) -> Callable[[str], Any]:
    """The `__getattr__` of a room whose files are imported when one of their names is asked for.

    What the room gives is said once: by the imports below `if TYPE_CHECKING:` in its `__init__.py`.

    >>> door("benchwright.latex")("FOLD")[ord("Ｘ")] == ord("X")
    True
    """
    files = _names_given(package)

    def get(name: str) -> Any:
        if name not in files:
            raise AttributeError(f"module {package!r} has no attribute {name!r}")
        module = importlib.import_module(files[name], package)
        value = vars(sys.modules[package])[name] = getattr(module, name)
        return value

    return get


def _names_given(package: str) -> dict[str, str]:
    """Name -> file, as `.file`, for every import that type checkers see of a door."""
    source = importlib.import_module(package).__file__
    tree = ast.parse(Path(str(source)).read_text(encoding="utf-8"))
    return {
        alias.name: f".{node.module}"
        for block in tree.body
        if isinstance(block, ast.If)
        for node in block.body
        if isinstance(node, ast.ImportFrom)
        for alias in node.names
    }
