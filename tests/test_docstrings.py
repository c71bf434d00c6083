"""Every example in a docstring does what it says."""

from __future__ import annotations

import doctest
import importlib
import pkgutil

import benchwright

NOT_OURS = ("tests", "bench", "examples", "docs", "__main__")
TOP = [m for m in pkgutil.iter_modules(benchwright.__path__) if m.name not in NOT_OURS]
MODULES = [f"benchwright.{module.name}" for module in TOP] + [
    module.name
    for house in TOP
    for module in pkgutil.walk_packages(
        [f"{benchwright.__path__[0]}/{house.name}"], f"benchwright.{house.name}."
    )
]


def test_examples() -> None:
    """What fails is printed, with its place."""
    flags = doctest.NORMALIZE_WHITESPACE | doctest.ELLIPSIS
    results = {
        name: doctest.testmod(importlib.import_module(name), optionflags=flags)
        for name in MODULES
    }
    assert [name for name, result in results.items() if result.failed] == []
    assert sum(result.attempted for result in results.values()) > 500
