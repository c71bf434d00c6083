"""Stores: what lies there is read as if it lay here, and releases and scores are written there."""

from __future__ import annotations

import json
import shutil
import socket
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import suppress
from importlib.util import find_spec
from pathlib import Path

import pytest
from benchwright import build_release, score
from benchwright.base import files, stores
from benchwright.errors import UserError
from real_data import ROOT
from small import dump
from small_releases import make_sample, write_predictions, write_release

fsspec = pytest.importorskip("fsspec", reason="needs the extra `store`")


@pytest.fixture(autouse=True)
def cache(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    yield tmp_path / "cache"
    fsspec.filesystem("memory").store.clear()


def upload(folder: Path, address: str) -> None:
    store, root = fsspec.core.url_to_fs(address)
    for path in folder.rglob("*"):
        if path.is_file():
            target = f"{root}/{path.relative_to(folder).as_posix()}"
            store.makedirs(target.rpartition("/")[0], exist_ok=True)
            store.pipe_file(target, path.read_bytes())


S3 = (
    ROOT / ".cache/s3/bin"
)  # an environment of its own: its libraries are not those of s3fs


@pytest.fixture
def s3(monkeypatch: pytest.MonkeyPatch) -> Iterator[str]:
    """A server that speaks S3, by moto, with empty buckets."""
    server = shutil.which("moto_server") or shutil.which("moto_server", path=S3)
    if server is None or not find_spec("s3fs"):
        pytest.skip("moto or s3fs is not installed: make s3")
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    address = f"http://127.0.0.1:{port}"
    for name, value in {
        "AWS_ENDPOINT_URL": address,
        "AWS_ACCESS_KEY_ID": "testing",
        "AWS_SECRET_ACCESS_KEY": "testing",
        "AWS_DEFAULT_REGION": "us-east-1",
    }.items():
        monkeypatch.setenv(name, value)
    command = [server, "-H", "127.0.0.1", "-p", str(port)]
    process = subprocess.Popen(command, stderr=subprocess.DEVNULL)
    store = fsspec.filesystem("s3", skip_instance_cache=True)
    try:
        for _ in range(600):  # a backstop
            with suppress(OSError), socket.create_connection(("127.0.0.1", port), 1):
                break
            time.sleep(0.1)
        for bucket in ("raw", "bucket"):
            store.mkdir(bucket)
        yield "s3"
    finally:
        process.kill()
        process.wait()
        type(store).clear_instance_cache()


def test_a_release_goes_from_s3_into_s3(tmp_path: Path, s3: str) -> None:
    through_a_store(tmp_path, s3)
    store = fsspec.filesystem("s3")
    manifest = store.cat_file("bucket/out/small-1.0.0/manifest.json")
    other = dump(tmp_path / "b", 13)
    for work in (stores.cache() / "builds").iterdir():
        work.rename(tmp_path / "elsewhere")
    with pytest.raises(UserError, match="another build of this version"):
        build_release(other, "s3://bucket/out")
    assert store.cat_file("bucket/out/small-1.0.0/manifest.json") == manifest
    with pytest.raises(UserError, match="nothing is there"):
        stores.brought("s3://raw/set/none.jsonl")


def test_a_release_from_a_store_into_a_store_is_the_one_of_folders(
    tmp_path: Path,
) -> None:
    through_a_store(tmp_path, "memory")


def through_a_store(tmp_path: Path, scheme: str) -> None:
    """Sources in a store, and a release built into it, are those of folders."""
    local = dump(tmp_path / "data")
    expected = build_release(local, tmp_path / "out").release
    upload(tmp_path / "data", f"{scheme}://raw/set")
    recipe = local.read_text().replace(
        "path: dump.jsonl", f"path: {scheme}://raw/set/*.jsonl"
    )
    assert scheme in recipe
    recipe = recipe.replace(
        "reader: jsonl", f"reader: jsonl\n  images: {scheme}://raw/set"
    )
    (tmp_path / "apart").mkdir()
    apart = tmp_path / "apart" / "recipe.yaml"
    apart.write_text(recipe)
    built = build_release(apart, f"{scheme}://bucket/out")
    store, there = fsspec.core.url_to_fs(f"{scheme}://bucket/out/small-1.0.0")
    names = sorted(
        path.relative_to(built.release).as_posix()
        for path in built.release.rglob("*")
        if path.is_file()
    )
    assert sorted(name.removeprefix(f"{there}/") for name in store.find(there)) == names
    same = [name for name in names if name.split("/")[0] in ("data", "problems")]
    assert len(same) > 3
    for name in same:
        assert store.cat_file(f"{there}/{name}") == (expected / name).read_bytes()
    for folder in ("memory:", "s3:"):
        assert not (tmp_path / folder).exists()
        assert not Path(folder).exists()


def test_another_build_of_a_version_is_not_written_over(tmp_path: Path) -> None:
    build_release(dump(tmp_path / "a"), "memory://bucket/out")
    store = fsspec.filesystem("memory")
    before = store.cat_file("/bucket/out/small-1.0.0/manifest.json")
    stores_elsewhere = dump(tmp_path / "b", 13)
    files_here = stores.cache() / "builds"
    for work in files_here.iterdir():  # another machine has no copy of the first
        work.rename(tmp_path / "elsewhere")
    with pytest.raises(UserError, match="another build of this version"):
        build_release(stores_elsewhere, "memory://bucket/out")
    assert store.cat_file("/bucket/out/small-1.0.0/manifest.json") == before
    build_release(stores_elsewhere, "memory://bucket/out", force=True)
    assert store.cat_file("/bucket/out/small-1.0.0/manifest.json") != before


def test_withheld_answers_stay_on_this_machine(tmp_path: Path) -> None:
    recipe = dump(tmp_path / "a", withhold_answers=["test"])
    built = build_release(recipe, "memory://bucket/out")
    assert built.private is not None
    names = fsspec.filesystem("memory").find("/bucket")
    assert names
    assert not [name for name in names if "-private" in name]


@pytest.mark.parametrize("scheme", ["memory://runs", "file://{tmp}/runs"])
def test_a_score_of_what_lies_in_a_store(tmp_path: Path, scheme: str) -> None:
    release = write_release(
        tmp_path / "tiny-1.0.0", {"test": [make_sample("a-1", "12")]}
    )
    (tmp_path / "said").mkdir()
    said = write_predictions(tmp_path / "said" / "p.jsonl", {"a-1": "It is 12."})
    place = scheme.format(tmp=tmp_path)
    upload(release, f"{place}/tiny-1.0.0")
    upload(tmp_path / "said", f"{place}/said")
    score(release, said, "test", tmp_path / "here")
    score(f"{place}/tiny-1.0.0", f"{place}/said/p.jsonl", "test", f"{place}/scores/p")
    store, root = fsspec.core.url_to_fs(f"{place}/scores/p")
    for name in ("samples.jsonl", "report.md"):
        here = (tmp_path / "here" / name).read_bytes()
        assert store.cat_file(f"{root}/{name}").replace(b"p on", b"here on") == (
            here.replace(b"p on", b"here on")
        )


def test_what_was_brought_is_brought_again_only_when_it_changed(tmp_path: Path) -> None:
    (tmp_path / "a.jsonl").write_text("1\n")
    upload(tmp_path, "memory://x")
    here = stores.brought("memory://x/a.jsonl")
    assert here.read_text() == "1\n"
    stamp = here.stat().st_mtime_ns
    assert stores.brought("memory://x/a.jsonl").stat().st_mtime_ns == stamp
    fsspec.filesystem("memory").pipe_file("/x/a.jsonl", b"22\n")
    assert stores.brought("memory://x/a.jsonl").read_text() == "22\n"
    with pytest.raises(UserError, match="nothing is there"):
        stores.brought("memory://x/b.jsonl")


def test_simplecache_reads_through_its_own_copies(tmp_path: Path) -> None:
    (tmp_path / "a.jsonl").write_text("1\n")
    upload(tmp_path, "memory://y")
    address = "simplecache::memory://y/a.jsonl"
    assert stores.brought(address).read_text() == "1\n"


def test_without_the_extra_addresses_are_refused_by_name(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    recipe = dump(tmp_path / "a")
    release = write_release(tmp_path / "r", {"test": [make_sample("a-1", "12")]})
    said = write_predictions(tmp_path / "p.jsonl", {"a-1": "12"})
    monkeypatch.setitem(sys.modules, "fsspec", None)
    for call in (
        lambda: build_release(recipe, "s3://bucket/out"),
        lambda: score(release, said, "test", Path("s3://bucket/scores")),
        lambda: score(release, "s3://bucket/p.jsonl", "test"),
    ):
        with pytest.raises(UserError, match=r"s3://bucket/.*needs fsspec"):
            call()
    assert not (tmp_path / "s3:").exists()


def test_what_writes_here_only_refuses_an_address() -> None:
    with pytest.raises(UserError, match="lies in a store"):
        files.write_jsonl(Path("s3://bucket/x.jsonl"), [json.loads("{}")])
    assert not Path("s3:").exists()
