"""Safe paths and files that are whole or not there."""

from __future__ import annotations

import errno
import os
import subprocess
import sys
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest
from benchwright.base.files import (
    inside,
    read_jsonl,
    replacing,
    replacing_folder,
    sole,
    write_bytes,
    write_jsonl,
)
from benchwright.errors import MachineError, UserError
from benchwright.problem import Drop


@pytest.mark.parametrize(
    "path", ["../x", "/etc/passwd", "a/../../x", "..", "a\\..\\x", "link/x", "a\0b"]
)
def test_paths_that_leave_are_refused(tmp_path: Path, path: str) -> None:
    (tmp_path / "root").mkdir()
    (tmp_path / "root" / "link").symlink_to(tmp_path)
    with pytest.raises(UserError, match="path"):
        inside(tmp_path / "root", path)


def test_paths_that_stay_are_accepted(tmp_path: Path) -> None:
    assert inside(tmp_path, "a/./b/../c.png") == tmp_path / "a" / "c.png"


def test_a_failed_write_leaves_the_old_file(tmp_path: Path) -> None:
    path = tmp_path / "a.txt"
    path.write_text("old")

    def stop_in_the_middle() -> None:
        with replacing(path) as file:
            file.write(b"new")
            raise RuntimeError("stopped")

    with pytest.raises(RuntimeError):
        stop_in_the_middle()
    assert path.read_text() == "old"
    assert [p.name for p in tmp_path.iterdir()] == ["a.txt"]


KILLED = """
import os, signal, sys
from pathlib import Path
from benchwright.base.files import replacing, replacing_folder, sole
path = Path(sys.argv[1])
with (
    sole(path / "long.txt"),
    replacing_folder(path / "folder") as folder,
    replacing(path / "a.txt") as file,
):
    (folder / "x").write_text("half")
    file.write(b"half"), file.flush()
    print("ready", flush=True)
    sys.stdin.read()
"""


@pytest.fixture
def writer(tmp_path: Path) -> Iterator[subprocess.Popen[str]]:
    """A process in the midst of writing `a.txt` and `folder`."""
    command = [sys.executable, "-c", KILLED, str(tmp_path)]
    with subprocess.Popen(
        command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
    ) as process:
        assert process.stdout is not None
        assert process.stdout.readline() == "ready\n"
        yield process
        process.kill()


def parts(folder: Path) -> list[str]:
    return [path.name for path in folder.iterdir() if path.name.endswith(".part")]


def write_both(folder: Path) -> None:
    write_bytes(folder / "a.txt", b"new")
    with replacing_folder(folder / "folder") as made:
        (made / "x").write_text("new")
    assert (folder / "a.txt").read_bytes() == b"new"
    assert (folder / "folder/x").read_text() == "new"


def test_what_a_killed_process_left_goes_with_the_next_write(
    tmp_path: Path, writer: subprocess.Popen[str]
) -> None:
    writer.kill()
    writer.wait()
    (tmp_path / ".b.txt.part").write_text("another's")
    assert len(parts(tmp_path)) == 3
    write_both(tmp_path)
    assert parts(tmp_path) == [".b.txt.part"]


def test_what_a_living_process_writes_is_left_alone(
    tmp_path: Path, writer: subprocess.Popen[str]
) -> None:
    write_both(tmp_path)
    assert len(parts(tmp_path)) == 2
    assert writer.communicate("")[1] is None
    assert writer.returncode == 0
    assert (tmp_path / "a.txt").read_bytes() == b"half"
    assert (tmp_path / "folder/x").read_text() == "half"
    assert parts(tmp_path) == []


def test_what_a_living_process_holds_is_refused_and_free_after_its_death(
    tmp_path: Path, writer: subprocess.Popen[str]
) -> None:
    with pytest.raises(UserError, match="another run"), sole(tmp_path / "long.txt"):
        pass
    writer.kill()
    writer.wait()
    with sole(tmp_path / "long.txt"):
        assert (tmp_path / ".long.txt.run").exists()
    assert not (tmp_path / ".long.txt.run").exists()


def test_a_link_or_pipe_where_a_part_would_lie_is_not_written_to(
    tmp_path: Path,
) -> None:
    (tmp_path / "mine").write_text("precious")
    (tmp_path / ".a.txt.part").symlink_to(tmp_path / "mine")
    os.link(tmp_path / "mine", tmp_path / ".b.txt.part")
    os.mkfifo(tmp_path / ".c.txt.part")
    for name in ("a.txt", "b.txt", "c.txt"):
        write_bytes(tmp_path / name, b"new")
        assert (tmp_path / name).read_bytes() == b"new"
    assert (tmp_path / "mine").read_text() == "precious"


def test_many_writers_of_one_file_leave_one_whole_file(tmp_path: Path) -> None:
    texts = [bytes([65 + k]) * 100_000 for k in range(8)]
    with ThreadPoolExecutor(8) as pool:
        list(pool.map(lambda text: write_bytes(tmp_path / "a.txt", text), texts * 20))
    assert (tmp_path / "a.txt").read_bytes() in texts
    assert parts(tmp_path) == []


def test_a_file_in_the_way_of_a_folder_is_one_clear_error(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("here")
    with pytest.raises(MachineError, match="Not a directory"):
        write_bytes(tmp_path / "file" / "below" / "new.txt", b"x")


def test_records_survive_a_round_trip_and_damage_is_located(tmp_path: Path) -> None:
    drops = [Drop(id="1", reason="é\n"), Drop(id="2", reason="", other="1")]
    path = tmp_path / "d.jsonl"
    assert write_jsonl(path, drops) == 2
    assert list(read_jsonl(path, Drop)) == drops
    path.write_bytes(path.read_bytes() + b'{"id":3}\n')
    with pytest.raises(UserError, match=r"d\.jsonl:3: .*\$\.id"):
        list(read_jsonl(path, Drop))


def test_a_link_of_a_hub_cache_is_read_and_no_other(tmp_path: Path) -> None:
    """As huggingface_hub lays out data sets: snapshots of links into blobs."""
    hub = tmp_path / "hub" / "datasets--a--b"
    images = hub / "snapshots" / "1" / "images"
    images.mkdir(parents=True)
    (hub / "blobs").mkdir()
    (hub / "blobs" / "5f3a").write_text("picture")
    (tmp_path / "secret").write_text("secret")
    (images / "1.png").symlink_to("../../../blobs/5f3a")
    (images / "2.png").symlink_to(tmp_path / "secret")
    assert inside(images, "1.png").read_text() == "picture"
    for path in ("2.png", "../../../blobs/5f3a", "../../../../../secret"):
        with pytest.raises(UserError, match="leaves its folder"):
            inside(images, path)


def test_a_file_system_without_locks_refuses_nobody(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    import fcntl

    def none(number: int, operation: int) -> None:
        raise OSError(errno.ENOLCK, "no locks available")

    monkeypatch.setattr(fcntl, "flock", none)
    for _ in range(2):
        with sole(tmp_path / "long.txt"):
            pass


def test_a_link_where_the_mark_would_lie_holds_nothing(tmp_path: Path) -> None:
    (tmp_path / "mine").write_text("precious")
    (tmp_path / ".long.txt.run").symlink_to(tmp_path / "mine")
    with sole(tmp_path / "long.txt"):
        pass
    assert (tmp_path / "mine").read_text() == "precious"
