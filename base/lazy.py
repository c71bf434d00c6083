"""Names whose objects are imported when they are asked for."""

from __future__ import annotations

import importlib
import sys
from collections.abc import Callable
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


def door(package: str, **places: str) -> Callable[[str], Any]:
    """The `__getattr__` of a room whose files are imported when one of their names is asked for.

    `places` are the names that each file gives, in one string.

    >>> door("benchwright.latex", symbols="FOLD CJK")("FOLD")[ord("Ｘ")] == ord("X")
    True
    """
    files = {name: file for file, names in places.items() for name in names.split()}

    def get(name: str) -> Any:
        if name not in files:
            raise AttributeError(f"module {package!r} has no attribute {name!r}")
        module = importlib.import_module(f"{package}.{files[name]}")
        value = vars(sys.modules[package])[name] = getattr(module, name)
        return value

    return get
