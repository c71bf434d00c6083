"""Machines that fail: full disks, forbidden folders, kills. Nothing is lost, no data is blamed."""

from __future__ import annotations

import errno
import os
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest
from benchwright import build_release
from benchwright.base import pictures
from benchwright.base.files import sha256_tree, write_bytes
from benchwright.errors import MachineError
from benchwright.pipeline import Engine, Parts, key_of
from small import COUNTED, dump, png


def test_many_threads_may_write_one_file(tmp_path: Path) -> None:
    """Temporary names by process alone made 408 of 800 such writes fail."""
    with ThreadPoolExecutor(8) as pool:
        list(
            pool.map(
                lambda k: write_bytes(tmp_path / "same", b"%d" % (k % 2)), range(400)
            )
        )
    assert (tmp_path / "same").read_bytes() in (b"0", b"1")
    assert [path.name for path in tmp_path.iterdir()] == ["same"]


def test_pictures_are_stored_from_many_threads(tmp_path: Path) -> None:
    with ThreadPoolExecutor(8) as pool:
        found = list(
            pool.map(
                lambda k: pictures.store_picture(png(9, 9, 7), tmp_path), range(80)
            )
        )
    assert all(image == found[0] for image in found)
    assert len(list((tmp_path / "images").iterdir())) == 1


@pytest.mark.parametrize("jobs", [1, 2])
def test_a_store_that_cannot_be_written_is_no_broken_picture(
    tmp_path: Path, jobs: int
) -> None:
    (tmp_path / "out" / "work").mkdir(parents=True)
    (tmp_path / "out" / "work" / "images").touch()  # a file where the folder should be
    with pytest.raises(MachineError, match="cannot write"):
        build_release(dump(tmp_path, 100), tmp_path / "out", engine=Engine(jobs))
    assert not list((tmp_path / "out").glob("small-*"))


def test_a_picture_that_cannot_be_read_is_not_missing(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    recipe, stat = dump(tmp_path), Path.stat

    def fails(path: Path, **more: bool) -> os.stat_result:
        if path.name == "3.png":
            raise OSError(errno.EIO, os.strerror(errno.EIO))
        return stat(path, **more)

    monkeypatch.setattr(Path, "stat", fails)
    with pytest.raises(MachineError, match=r"cannot read .*3\.png: Input/output error"):
        build_release(recipe, tmp_path / "out")


def test_a_kill_costs_the_part_in_hand(tmp_path: Path) -> None:
    plugin = tmp_path / "stage.py"
    plugin.write_text(COUNTED)
    recipe = dump(tmp_path, 300, stages=["counted"])
    (tmp_path / "orders").write_text("a-250")
    command = [sys.executable, "-m", "benchwright", "build-release", recipe, "--jobs", "1",
               "--plugin", plugin, "--out", tmp_path / "out"]  # fmt: skip
    assert subprocess.run(command, check=False, capture_output=True).returncode < 0
    first = (tmp_path / "ran").read_text().split()
    assert first[-1] == "a-250"
    (tmp_path / "ran").unlink()
    made = build_release(recipe, tmp_path / "out", plugins=[plugin])
    again = (tmp_path / "ran").read_text().split()
    assert len(set(first) & set(again)) <= 128  # a part
    assert set(first) | set(again) == {f"a-{k}" for k in range(1, 301)}
    alone = build_release(recipe, tmp_path / "alone", plugins=[plugin])
    assert sha256_tree(made.release) == sha256_tree(alone.release)


def test_what_was_read_before_a_kill_is_read_again_when_it_changed(
    tmp_path: Path,
) -> None:
    recipe = dump(
        tmp_path, 100, stages=[], splits={"test": "rest"}, allow_unlicensed=True
    )
    readers = tmp_path / "reader.py"
    readers.write_text(
        "from benchwright import reader\n"
        "from benchwright.convert.readers import json_lines_rows\n"
        "from benchwright.problem import Problem, Source\n"
        "@reader('fragile', rows=json_lines_rows)\n"
        "def fragile(raw, spec, pictures):\n"
        "    from pathlib import Path\n"
        f"    if raw.line == 90 and Path({str(tmp_path / 'stop')!r}).exists():\n"
        "        raise OSError(28, 'No space left on device')\n"
        "    name = f'a-{raw.line}'\n"
        "    return Problem(id=name, origin=name, source=Source(name='a', raw_id=name),\n"
        "        question='?', answer='1', images=pictures.get(raw.data['images']))\n"
    )
    recipe.write_text(recipe.read_text().replace("reader: jsonl", "reader: fragile"))
    (tmp_path / "stop").touch()
    with pytest.raises(MachineError, match="No space left"):
        build_release(recipe, tmp_path / "out", plugins=[readers])
    (tmp_path / "stop").unlink()
    (tmp_path / "images" / "5.png").write_bytes(png(50, 50))
    made = build_release(recipe, tmp_path / "out", plugins=[readers])
    alone = build_release(recipe, tmp_path / "alone", plugins=[readers])
    assert sha256_tree(made.release) == sha256_tree(alone.release)


def test_a_full_disk_in_the_middle(tmp_path: Path) -> None:
    """On a disk of 600 kB the build stops and says why; with room it goes on to the same bytes."""
    recipe, out = dump(tmp_path, 300, stages=["latex"]), tmp_path / "out"
    out.mkdir()
    build = (
        f"{sys.executable} -m benchwright build-release {recipe} --jobs 1 --out {out}"
    )
    script = (
        f"mount -t tmpfs -o size=600k none {out} || exit 99\n"
        f"{build}; echo first $?; ls {out}\n"
        f"mount -o remount,size=200m {out}; {build} && cp -r {out}/small-1.0.0 {tmp_path}/made"
    )
    command = ["unshare", "-m", "sh", "-c", script]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    if "first" not in done.stdout:
        pytest.skip("mount namespaces are not allowed here")
    assert "first 1\nwork\n" in done.stdout, done.stderr
    assert "No space left on device" in done.stderr
    assert "Traceback" not in done.stderr
    alone = build_release(recipe, tmp_path / "alone")
    assert sha256_tree(tmp_path / "made") == sha256_tree(alone.release)


@pytest.mark.parametrize("hours", [-9, 9])
def test_clocks_that_differ_change_nothing(tmp_path: Path, hours: int) -> None:
    """A disk whose clock is hours off: what is there decides, not when it was written."""
    recipe = dump(tmp_path, 40)
    expected = sha256_tree(build_release(recipe, tmp_path / "alone").release)
    for path in (tmp_path / "images").iterdir():
        at = path.stat().st_mtime + 3600 * hours
        os.utime(path, (at, at))
    made = build_release(recipe, tmp_path / "out")
    assert sha256_tree(made.release) == expected
    assert not build_release(recipe, tmp_path / "out").fresh


def test_a_part_cut_short_or_damaged_is_not_there(tmp_path: Path) -> None:
    parts = Parts(tmp_path, "made")
    parts.put(key_of(b"one"), b"whole" * 50)
    (path,) = parts.folder.iterdir()
    whole = path.read_bytes()

    def found(data: bytes) -> bytes | None:
        path.write_bytes(data)
        return parts.get(key_of(b"one"))

    assert found(whole) == b"whole" * 50
    assert not any(found(whole[:end]) for end in range(len(whole)))
    for place in range(len(whole)):  # damage, not only a cut
        assert found(whole[:place] + b"?" + whole[place + 1 :]) is None
    assert found(b"another layout" + whole) is None
    assert found(b"") is None
