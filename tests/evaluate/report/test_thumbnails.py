"""Thumbnails of a release's pictures are made once, and made again when a picture changes."""

from __future__ import annotations

from pathlib import Path

import pytest
from benchwright.evaluate.report import thumbnails as room
from benchwright.evaluate.report.thumbnails import thumbnails
from small import png


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    for k in (1, 2):
        (tmp_path / f"{k}.png").write_bytes(png(40 * k, 30, k))
    return tmp_path


NAMES = ["1.png", "2.png", "gone.png", "../secret.png"]


def test_the_same_pictures_are_opened_once(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    first = thumbnails(folder, NAMES)
    assert list(first) == ["1.png", "2.png"]
    monkeypatch.setattr(room, "open_picture", lambda *given: pytest.fail("opened again"))
    assert thumbnails(folder, NAMES) == first


def test_a_changed_picture_is_seen(folder: Path) -> None:
    first = thumbnails(folder, NAMES)
    (folder / "2.png").write_bytes(png(80, 30, 200))
    second = thumbnails(folder, NAMES)
    assert (first["1.png"] == second["1.png"], first["2.png"] == second["2.png"]) == (True, False)


def test_a_damaged_or_missing_cache_is_no_loss(folder: Path) -> None:
    first = thumbnails(folder, NAMES)
    (kept,) = (folder / "cache").rglob("*.msgpack")
    kept.write_bytes(b"\xc1")
    assert thumbnails(folder, NAMES) == first
    for path in (kept, kept.parent, kept.parent.parent, folder / "cache"):
        path.unlink() if path.is_file() else path.rmdir()
    (folder / "cache").write_text("a file stands here")
    assert thumbnails(folder, NAMES) == first
