"""Modules that have moved: for one version, importing an old path says the new one."""

from __future__ import annotations

import sys
from collections.abc import Sequence
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from importlib.machinery import ModuleSpec
    from types import ModuleType

PACKAGE = __name__.split(".")[0]
ROOMS = {  # where a module was -> where it may be now
    "": ("base", "building"),
    "evaluate": ("evaluate.scoring", "evaluate.runs", "evaluate.people"),
    "convert.suggestions": ("convert.guards",),
}
RENAMED = {
    "evidence": "base.about",
    "build_check": "building.check",
    "build_exports": "building.feasible",
    "build_inputs": "building.inputs",
    "evaluate.telling": "evaluate.runs.errors",
}


def new_place(old: str) -> str | None:
    """Where a module of this package is now, both without the package's name; None: not moved.

    >>> new_place("evaluate.score"), new_place("evidence"), new_place("evaluate.nothing")
    ('evaluate.scoring.score', 'base.about', None)
    """
    from importlib.util import find_spec

    room, _, name = old.rpartition(".")
    places = [RENAMED[old]] if old in RENAMED else [f"{new}.{name}" for new in ROOMS.get(room, ())]
    return next((place for place in places if find_spec(f"{PACKAGE}.{place}")), None)


class _Finder:
    """The last to be asked for a module, so only for one that is not there."""

    @staticmethod
    def find_spec(
        name: str, path: Sequence[str] | None = None, target: ModuleType | None = None
    ) -> ModuleSpec | None:
        package, _, old = name.partition(".")
        if package == PACKAGE and (new := new_place(old)):
            raise ImportError(f"{name} has moved: import {PACKAGE}.{new}", name=name)
        return None


def watch() -> None:
    """Let imports of old paths say the new ones."""
    if _Finder not in sys.meta_path:
        sys.meta_path.append(_Finder)
