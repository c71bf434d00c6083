"""What happens to releases on their way is no damage: git, zips, other Pythons and libraries."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest
from benchwright import build_release, verify
from benchwright.base.statement import sign
from benchwright.release import fingerprint, private_folder
from fuzzing import PRIVATE_KEY, PUBLIC_KEY
from small import dump, tree

HERE = Path(__file__).parent
OTHERS = sorted((HERE.parents[1] / ".cache/pythons").glob("*/ready"))  # `make pythons`
PARTS = ("", "-exports", "-private")


@pytest.fixture(scope="module")
def built(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A signed release with exports and a private folder; the key lies beside it."""
    folder = tmp_path_factory.mktemp("built")
    changes = {
        "withhold_answers": ["test"],
        "exports": ["inspect", "vlmevalkit", "lmms-eval"],
    }
    release = build_release(dump(folder, 8, **changes), folder / "out").release
    (folder / "out/key.pem").write_text(PRIVATE_KEY)
    (folder / "out/key.pub").write_text(PUBLIC_KEY)
    sign(release, key=folder / "out/key.pem")
    return release


def parts(release: Path) -> list[Path]:
    return [release.with_name(f"{release.name}{part}") for part in PARTS]


def require_good(release: Path, built: Path) -> None:
    """By itself, with everything that lies beside it, and by each anchor."""
    found = verify(release, private_folder(release))
    assert (list(found), found.unproved) == ([], [])
    key = built.with_name("key.pub")
    found = verify(release, key=key, expect=fingerprint(built))
    assert (list(found), bool(found.anchor)) == ([], True)
    assert verify(release, quick=True) == []


def with_carriage_returns(path: Path) -> None:
    """As git for Windows does it: in text, which is what has no NUL in its first 8,000 bytes."""
    data = path.read_bytes()
    if b"\0" not in data[:8000] and b"\r\n" not in data:
        path.write_bytes(data.replace(b"\n", b"\r\n"))


@pytest.fixture
def rewritten(built: Path, tmp_path: Path) -> Path:
    for part in parts(built):
        shutil.copytree(part, tmp_path / part.name)
    for path in tmp_path.rglob("*"):
        if path.is_file():
            with_carriage_returns(path)
    assert b"\r\n" in (tmp_path / built.name / "manifest.json").read_bytes()
    return tmp_path / built.name


def test_line_ends_of_windows_are_no_damage(built: Path, rewritten: Path) -> None:
    before = tree(rewritten)
    require_good(rewritten, built)
    assert tree(rewritten) == before


def test_line_ends_of_windows_are_no_damage_without_exports(rewritten: Path) -> None:
    shutil.rmtree(parts(rewritten)[1])
    assert verify(rewritten) == []


def test_line_ends_of_windows_differ_from_no_recipe(
    built: Path, rewritten: Path
) -> None:
    recipe = built.parents[1] / "recipe.yaml"
    found = verify(rewritten, from_=recipe)
    assert (list(found), found.unproved) == ([], [])


def test_a_pipe_beside_the_release_is_told_and_not_read(
    built: Path, tmp_path: Path
) -> None:
    for part in parts(built):
        shutil.copytree(part, tmp_path / part.name)
    release = tmp_path / built.name
    os.mkfifo(parts(release)[1] / "inspect/notes.txt")
    assert "not-a-file" in {
        damage.code for damage in verify(release, private_folder(release))
    }


@pytest.mark.parametrize(
    "name", ["README.md", "problems/test.jsonl", "index.html", "LICENSES/MIT.txt"]
)
def test_a_change_among_such_line_ends_is_found(rewritten: Path, name: str) -> None:
    path = rewritten / name
    path.write_bytes(path.read_bytes().replace(b"\r\n", b" \r\n", 1))
    assert verify(rewritten)


def test_a_pipe_among_such_line_ends_is_found(rewritten: Path) -> None:
    os.mkfifo(rewritten / "images/pipe")
    assert "not-a-file" in {damage.code for damage in verify(rewritten)}


@pytest.mark.parametrize("line_ends", ["true", "false", "input"])
def test_a_checkout_by_git_is_good(built: Path, tmp_path: Path, line_ends: str) -> None:
    source, target = tmp_path / "source", tmp_path / "target"
    source.mkdir()
    for part in parts(built):
        shutil.copytree(part, source / part.name)
    who = (
        "-c",
        "user.name=a",
        "-c",
        "user.email=a@example.org",
        "-c",
        "core.safecrlf=false",
    )
    for command in (["init", "-q"], ["add", "-A"], [*who, "commit", "-qm", "a"]):
        subprocess.run(["git", *command], cwd=source, check=True, capture_output=True)
    command = [
        "git",
        "-c",
        f"core.autocrlf={line_ends}",
        "clone",
        "-q",
        str(source),
        str(target),
    ]
    subprocess.run(command, check=True, capture_output=True)
    require_good(target / built.name, built)


def test_an_archive_is_good_also_with_what_desktops_add(
    built: Path, tmp_path: Path
) -> None:
    archive = shutil.make_archive(str(tmp_path / "sent"), "zip", built.parent)
    shutil.unpack_archive(archive, tmp_path / "got")
    release = tmp_path / "got" / built.name
    for name in ("__MACOSX/._README.md", "images/.DS_Store", "desktop.ini"):
        (release / name).parent.mkdir(exist_ok=True)
        (release / name).write_bytes(b"\0")
    require_good(release, built)


BUILD = """
import sys
from pathlib import Path
sys.path.insert(0, sys.argv[1])
from benchwright import build_release, verify
from small import dump
folder = Path(sys.argv[2])
(folder / "key").write_text("5" * 64)
recipe = dump(folder, 8, withhold_answers=["test"], exports=["inspect", "vlmevalkit", "lmms-eval"])
release = build_release(recipe, folder / "out", commitment_key=folder / "key").release
found = verify(Path(sys.argv[3]) / "out" / release.name)
print("found:", [*found, *found.unproved])
"""
LIBRARIES = (".parquet", ".svg", "manifest.json", "SHA256SUMS", "croissant.json", "statement.json",
             "exports.json")  # fmt: skip


@pytest.mark.skipif(
    not OTHERS, reason="`make pythons` makes other Pythons with their libraries"
)
@pytest.mark.parametrize("other", OTHERS, ids=[path.parent.name for path in OTHERS])
def test_another_python_writes_the_same_and_neither_calls_the_other_damaged(
    tmp_path: Path, other: Path
) -> None:
    """What other libraries write otherwise is compared by value; all else has the same bytes."""
    here, there = tmp_path / "here", tmp_path / "there"
    for folder in (here, there):
        folder.mkdir()
    support = str(HERE.parent / "support")
    runs = [(sys.executable, here, here), (other.parent / "bin/python", there, here),
            (sys.executable, here, there)]  # fmt: skip
    for python, own, theirs in runs:
        command = [str(python), "-c", BUILD, support, str(own), str(theirs)]
        done = subprocess.run(command, capture_output=True, text=True, check=False)
        assert done.returncode == 0, done.stderr
        assert done.stdout == "found: []\n", done.stdout
    ours, theirs_ = ({n: d for n, d in tree(f / "out").items() if not n.startswith("work/")}
                     for f in (here, there))  # fmt: skip
    assert ours.keys() == theirs_.keys()
    differ = [n for n in ours if ours[n] != theirs_[n] and not n.endswith(LIBRARIES)]
    assert differ == []
