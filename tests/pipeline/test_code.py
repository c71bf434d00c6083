"""The hash of the code behind a function: what it depends on changes it, nothing else does."""

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
    "__init__.py": "from .far import unrelated\n",
    "stages.py": "from .room import helper as h\n\n\ndef work(x):\n    return h(x)\n",
    "room/__init__.py": "from .behind import helper\nfrom .beside import other\n",
    "room/behind.py": "def helper(x):\n    from ..lazy_part import deep\n\n    return deep(x)\n",
    "room/beside.py": "def other(x):\n    return x\n",
    "lazy_part.py": "from .data.reader import TABLE\n\n\ndef deep(x):\n    return TABLE\n",
    "data/__init__.py": "",
    "data/reader.py": "from pathlib import Path\n\nTABLE = Path(__file__).with_name('t.txt')\n",
    "data/t.txt": "a table\n",
    "far.py": "def unrelated():\n    return 1\n",
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
        code._hash_of_module.cache_clear()
        code._imports.cache_clear()
        for name, text in (FILES | changed).items():
            path = tmp_path / "fake_house" / name
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_bytes(text.encode())
        importlib.invalidate_caches()
        return code.code_hash(importlib.import_module("fake_house.stages").work)

    yield hashed
    code._hash_of_module.cache_clear()
    code._imports.cache_clear()


@pytest.mark.parametrize(
    "file",
    ["stages.py", "room/behind.py", "lazy_part.py", "data/reader.py", "data/t.txt"],
)
def test_what_the_function_depends_on_counts(
    fake: Callable[..., str], file: str
) -> None:
    assert fake() != fake(**{file: FILES[file] + "# changed\n"})


@pytest.mark.parametrize("file", ["room/beside.py", "far.py", "room/__init__.py"])
def test_what_it_does_not_depend_on_is_no_reason_to_work_again(
    fake: Callable[..., str], file: str
) -> None:
    assert fake() == fake(**{file: FILES[file] + "# changed\n"})


def test_line_ends_are_the_checkouts(fake: Callable[..., str]) -> None:
    assert fake() == fake(**{"stages.py": FILES["stages.py"].replace("\n", "\r\n")})


def test_doors_that_import_each_other_end(fake: Callable[..., str]) -> None:
    loop = "try:\n    from .room import nothing\nexcept ImportError:\n    pass\n"
    assert fake(**{"room/__init__.py": FILES["room/__init__.py"] + loop})


@pytest.mark.parametrize("name", [entry.name for entry in STAGES])
def test_a_stage_knows_its_own_file_and_not_the_command_line(name: str) -> None:
    function = load_stage(name).function
    file = Path(sys.modules[function.__module__].__file__ or "")
    behind = code._behind(function.__module__, file, code._roots(function.__module__))
    assert file in behind.values()
    assert not {"benchwright.cli", "benchwright.building.build", "benchwright"} & set(
        behind
    )


def test_a_function_typed_at_a_prompt_has_a_hash() -> None:
    names: dict[str, Any] = {"__name__": "prompt"}
    exec("def one(): return 1\ndef two(): return 2", names)
    assert code.code_hash(names["one"]) != code.code_hash(names["two"])


def test_a_changed_reader_reads_again_and_an_unrelated_change_does_not(
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
        """What was done again, and what not, after a comment was added to a file."""
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
    assert again("convert/readers/mapped.py") == ["read"]
    assert again("convert/readers/mm_math.py") == []
    assert again("check/rules.py") == ["check"]
    assert again("exports/splits.py") == ["split"]
    assert again("evaluate/scoring/score.py") == []
    assert (tmp_path / "out/small-1.0.0/manifest.json").read_bytes() == released
