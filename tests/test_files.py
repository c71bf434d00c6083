"""Safe paths and files that are whole or not there."""

from __future__ import annotations

from pathlib import Path

import pytest
from benchwright.errors import UserError
from benchwright.files import inside, read_jsonl, replacing, write_bytes, write_jsonl
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


def test_a_file_in_the_way_of_a_folder_is_one_clear_error(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("here")
    with pytest.raises(UserError, match="Not a directory"):
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
