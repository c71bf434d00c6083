"""Old paths of modules: an error that says the new path, which is there."""

from __future__ import annotations

import importlib

import pytest
from benchwright.base.moved import RENAMED

OLD = (
    "build", "run", "files", "pictures", "lazy", "catalogue", "evaluate.score", "evaluate.compare",
    "evaluate.booklets", "evaluate.leaderboard", "convert.suggestions.senses", *RENAMED,
)  # fmt: skip


@pytest.mark.parametrize("old", OLD)
def test_the_new_path_is_said_and_is_there(old: str) -> None:
    with pytest.raises(ImportError, match="has moved: import benchwright") as raised:
        importlib.import_module(f"benchwright.{old}")
    importlib.import_module(str(raised.value).rpartition(" ")[2])


def test_a_name_is_not_taken_for_another_way_to_ask() -> None:
    with pytest.raises(ImportError, match=r"import benchwright\.building\.build$"):
        from benchwright import build  # noqa: F401
    with pytest.raises(ImportError, match=r"import benchwright\.evaluate\.scoring\.score$"):
        exec("from benchwright.evaluate.score import score")


@pytest.mark.parametrize("name", ["nothing", "evaluate.nothing", "base.build", "build.nothing"])
def test_what_never_was_is_not_found(name: str) -> None:
    with pytest.raises(ImportError) as raised:
        importlib.import_module(f"benchwright.{name}")
    assert ("has moved" in str(raised.value)) == (name == "build.nothing")
