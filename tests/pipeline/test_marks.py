"""Folders known by the marks of their files: whatever was written again is read again."""

from __future__ import annotations

import os
from pathlib import Path

from benchwright.pipeline import leave, stands


def test_a_file_of_old_size_and_time_that_was_written_again_is_seen(
    tmp_path: Path,
) -> None:
    folder, work = tmp_path / "release", tmp_path / "work"
    (folder / "jsonl").mkdir(parents=True)
    file = folder / "jsonl" / "test.jsonl"
    file.write_text("gold: 4")
    before = file.stat()
    leave(folder, work, "key")
    assert stands(folder, work, "key")
    assert not stands(folder, work, "another key")
    while file.stat().st_ctime_ns == before.st_ctime_ns:  # the system's clock ticks
        file.write_text("gold: 5")
    os.utime(file, ns=(before.st_atime_ns, before.st_mtime_ns))
    assert file.stat().st_mtime_ns == before.st_mtime_ns
    assert not stands(folder, work, "key")


def test_files_that_come_or_go_are_seen(tmp_path: Path) -> None:
    folder = tmp_path / "release"
    folder.mkdir()
    (folder / "a").write_text("a")
    assert not stands(folder, tmp_path)
    leave(folder, tmp_path)
    (folder / "b").write_text("")
    assert not stands(folder, tmp_path)
    (folder / "b").unlink()
    assert stands(folder, tmp_path)
