"""The hash of the code behind a function: all of its package changes it, nothing beside it does."""

from __future__ import annotations

import importlib
import os
import shutil
import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from benchwright.pipeline import STAGES, code, load_stage
from small import dump

ROOT = Path(code.__file__).parents[1]
FILES = {
    "__init__.py": "",
    "stages.py": "from .room import helper\n\n\ndef work(x):\n    return helper(x)\n",
    "room/__init__.py": "from .behind import helper\n",
    "room/behind.py": "def helper(x):\n    return x\n",
    "room/data/t.txt": "a table\n",
    "docs/page.md": "# A page\n",
    "tests/__init__.py": "",
    "tests/test_work.py": "def test_work():\n    pass\n",
}


@pytest.fixture
def fake(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> Iterator[Callable[..., str]]:
    """Write the package with changed files and hash what is behind its `work`."""
    monkeypatch.syspath_prepend(str(tmp_path))

    def hashed(**changed: str) -> str:
        for name in [
            name for name in sys.modules if name.partition(".")[0] == "fake_house"
        ]:
            del sys.modules[name]
        code._hash_of_files.cache_clear()
        for name, text in (FILES | changed).items():
            path = tmp_path / "fake_house" / name
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_bytes(text.encode())
        importlib.invalidate_caches()
        return code.code_hash(importlib.import_module("fake_house.stages").work)

    yield hashed
    code._hash_of_files.cache_clear()


@pytest.mark.parametrize("file", ["stages.py", "room/behind.py", "room/data/t.txt"])
def test_the_package_of_a_function_counts(fake: Callable[..., str], file: str) -> None:
    assert fake() != fake(**{file: FILES[file] + "# changed\n"})


@pytest.mark.parametrize("file", ["docs/page.md", "tests/test_work.py"])
def test_what_lies_beside_it_is_no_reason_to_work_again(
    fake: Callable[..., str], file: str
) -> None:
    assert fake() == fake(**{file: FILES[file] + "# changed\n"})


def test_line_ends_are_the_checkouts(fake: Callable[..., str]) -> None:
    assert fake() == fake(**{"stages.py": FILES["stages.py"].replace("\n", "\r\n")})


def test_all_built_in_stages_are_of_one_version() -> None:
    functions = [load_stage(entry.name).function for entry in STAGES]
    assert {code.code_hash(function) for function in functions} == {code.code_hash()}


def test_all_that_is_installed_counts_and_nothing_of_the_checkout() -> None:
    names = {path.relative_to(ROOT).as_posix() for path in code._files(ROOT)}
    assert {"cli.py", "check/rules.py", "words/roles.toml"} <= names
    assert not {name for name in names if name.startswith(("tests", "docs", "bench"))}


def test_a_function_typed_at_a_prompt_has_a_hash() -> None:
    names: dict[str, Any] = {"__name__": "prompt"}
    exec("def one(): return 1\ndef two(): return 2", names)
    assert code.code_hash(names["one"]) != code.code_hash(names["two"])


def test_another_version_makes_everything_again_and_the_same_bytes(
    tmp_path: Path,
) -> None:
    """A copy of the package is edited between builds of one work folder."""
    copy = tmp_path / "benchwright"
    ignored = shutil.ignore_patterns(
        ".*",
        "__pycache__",
        "tests",
        "examples",
        "docs",
        "bench",
        "out",
        "build",
        "node_modules",
    )
    shutil.copytree(ROOT, copy, ignore=ignored)
    recipe = dump(tmp_path / "mine")

    def again(edited: str) -> list[str]:
        """What was done again after a comment was added to a file."""
        if edited:
            with (copy / edited).open("a") as file:
                file.write("# a change\n")
        done = subprocess.run(
            [sys.executable, "-m", "benchwright", "build-release", str(recipe), "--jobs", "1",
             "--out", str(tmp_path / "out")],
            env=os.environ | {"PYTHONPATH": str(tmp_path)}, cwd=tmp_path,
            capture_output=True, text=True, check=True,
        )  # fmt: skip
        lines = [line for line in done.stderr.splitlines() if " in, " in line]
        return [line.partition(":")[0] for line in lines if "[unchanged]" not in line]

    assert again("") == ["read", "check", "split"]
    released = (tmp_path / "out/small-1.0.0/manifest.json").read_bytes()
    assert again("") == []
    assert again("evaluate/scoring/score.py") == ["read", "check", "split"]
    assert again("") == []
    assert (tmp_path / "out/small-1.0.0/manifest.json").read_bytes() == released
