"""The repository root is the package: nothing generic is installed, no name is shadowed."""

from __future__ import annotations

import os
import subprocess
import sys
import tomllib
import zipfile
from pathlib import Path

import pytest
from benchwright.building import PAPERS

ROOT = Path(__file__).parents[1]
SETTINGS = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))
PACKAGES = set(SETTINGS["tool"]["setuptools"]["packages"])
HOUSES = {path.parent.name for path in ROOT.glob("*/__init__.py")}
ROOMS = {
    path.parent.relative_to(ROOT)
    for house in HOUSES
    for path in (ROOT / house).rglob("__init__.py")
}


def test_declared_packages_are_the_folders_with_an_init() -> None:
    assert {"benchwright"} | {
        f"benchwright.{'.'.join(room.parts)}" for room in ROOMS
    } == PACKAGES


def test_no_root_file_is_named_like_a_standard_module() -> None:
    assert not {path.stem for path in ROOT.glob("*.py")} & set(sys.stdlib_module_names)


def test_tests_are_no_package() -> None:
    assert not list((ROOT / "tests").rglob("__init__.py"))


def test_importing_everything_imports_no_bare_name() -> None:
    script = f"""
import importlib, pkgutil, sys, benchwright
for module in pkgutil.walk_packages(benchwright.__path__, "benchwright."):
    part = module.name.split(".")[1]
    if part not in ("tests", "bench", "examples", "docs", "__main__"):
        importlib.import_module(module.name)
print(sorted(set({sorted(HOUSES)}) & set(sys.modules)))
"""
    done = subprocess.run(
        [sys.executable, "-c", script], capture_output=True, text=True, check=False
    )
    assert done.stdout.strip() == "[]", done.stderr


def test_inside_the_package_imports_are_relative() -> None:
    files = [path for name in HOUSES for path in (ROOT / name).rglob("*.py")] + list(
        ROOT.glob("*.py")
    )
    wrong = [
        str(path.relative_to(ROOT))
        for path in files
        if any(
            line.startswith(("from benchwright", "import benchwright"))
            for line in path.read_text("utf-8").splitlines()
        )
    ]
    assert wrong == []


@pytest.mark.xdist_group("wheel")
def test_a_wheel_holds_only_benchwright_with_its_data(tmp_path: Path) -> None:
    """Builds from a copy of what git tracks, so that nothing of this checkout leaks in."""
    if not (ROOT / ".git").exists():
        pytest.skip(
            "not a git checkout: nothing says which files belong to the project"
        )
    source = tmp_path / "source"
    subprocess.run(["git", "clone", "--quiet", str(ROOT), str(source)], check=True)
    subprocess.run(
        [
            sys.executable,
            "-m",
            "pip",
            "wheel",
            "--quiet",
            "--no-deps",
            "-w",
            str(tmp_path),
            str(source),
        ],
        check=True,
    )
    (wheel,) = tmp_path.glob("*.whl")
    names = zipfile.ZipFile(wheel).namelist()
    tops = {name.split("/")[0] for name in names}
    assert tops == {
        "benchwright",
        f"benchwright-{SETTINGS['project']['version']}.dist-info",
    }
    tracked = subprocess.run(
        ["git", "ls-files"], cwd=source, capture_output=True, text=True, check=True
    ).stdout
    code = {
        f
        for f in tracked.splitlines()
        if f.split("/")[0] in HOUSES or ("/" not in f and f.endswith(".py"))
    }
    examples = {
        f
        for f in tracked.splitlines()
        if f.startswith(tuple(f"examples/{p}/" for p in PAPERS))
    }
    missing = {f for f in code | examples if f"benchwright/{f}" not in names}
    assert missing == set()
    zipfile.ZipFile(wheel).extractall(tmp_path / "installed")
    subprocess.run(
        [sys.executable, "-m", "benchwright", "init", "mine", "--like", "we-math"],
        cwd=tmp_path, env={**os.environ, "PYTHONPATH": str(tmp_path / "installed")}, check=True,
    )  # fmt: skip
    assert (tmp_path / "mine/raw/pictures/2-step2.png").is_file()
