"""Every example in a docstring does what it says."""

from __future__ import annotations

import doctest
import importlib
import pkgutil

import benchwright
import pytest

NOT_OURS = ("tests", "bench", "examples", "docs", "__main__")
TOP = [m for m in pkgutil.iter_modules(benchwright.__path__) if m.name not in NOT_OURS]
MODULES = [f"benchwright.{module.name}" for module in TOP] + [
    module.name
    for house in TOP
    for module in pkgutil.walk_packages(
        [f"{benchwright.__path__[0]}/{house.name}"], f"benchwright.{house.name}."
    )
]


@pytest.mark.parametrize("name", MODULES)
def test_examples(name: str) -> None:
    failed, _ = doctest.testmod(
        importlib.import_module(name),
        optionflags=doctest.NORMALIZE_WHITESPACE | doctest.ELLIPSIS,
    )
    assert failed == 0
