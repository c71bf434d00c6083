"""The release package: loaders open it offline, its figures are right, damage is found."""

from __future__ import annotations

import json
import shutil
import subprocess
from collections.abc import Callable
from pathlib import Path

import msgspec
import pytest
import yaml
from benchwright.exports.statistics import summary
from benchwright.exports.verify import verify
from benchwright.problem import VERSIONS, Sample, Source, json_schema, sample_of
from benchwright.release import read_manifest, read_samples
from small import dump, options, png, problem, release, tree, write_rows


@pytest.fixture(scope="module")
def built(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return release(tmp_path_factory.mktemp("built"), withhold_answers=["test"])


@pytest.fixture
def offline(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    import socket

    def refuse(*args: object, **kwargs: object) -> None:
        raise OSError("no network in this test")

    monkeypatch.setattr(socket.socket, "connect", refuse)
    monkeypatch.setenv("HF_HOME", str(tmp_path / "hf"))
    monkeypatch.setenv("HF_HUB_OFFLINE", "1")


def test_datasets_loads_it_offline_with_decoded_pictures(
    built: Path, offline: None, tmp_path: Path
) -> None:
    import datasets

    loaded = datasets.load_dataset(str(built), cache_dir=str(tmp_path / "cache"))
    assert {name: len(split) for name, split in loaded.items()} == {"testmini": 4, "test": 8}
    row = loaded["testmini"][0]
    expected = read_samples(built, "testmini")[0]
    assert (row["id"], row["question"], row["answer"]) == (
        expected.id,
        expected.question,
        expected.answer,
    )
    assert row["images"][0].size == (expected.images[0].width, expected.images[0].height)
    assert row["subject"] == expected.labels["subject"]
    assert set(loaded["test"]["answer"]) == {None}


def test_each_version_is_a_config_of_its_own(offline: None, tmp_path: Path) -> None:
    import datasets

    rows = []
    for k in (1, 2):
        p = problem(k)
        p.samples = [
            sample_of(p, v, question="" if v == "vision_only" else p.question) for v in VERSIONS
        ]
        rows.append(msgspec.to_builtins(p))
    write_rows(tmp_path / "problems.jsonl", rows)
    source = {"name": "a", "reader": "problems", "path": "problems.jsonl", "license": "MIT"}
    folder = release(tmp_path, sources=[source], splits={"test": "rest"})
    names = datasets.get_dataset_config_names(str(folder))
    assert set(names) == {"default", *VERSIONS}
    every = datasets.load_dataset(str(folder), "default", cache_dir=str(tmp_path / "c"))["test"]
    lite = datasets.load_dataset(str(folder), "text_lite", cache_dir=str(tmp_path / "c"))["test"]
    assert (len(every), lite["id"]) == (12, ["a-1.text_lite", "a-2.text_lite"])


def test_croissant_validates_and_its_records_are_readable(
    built: Path, offline: None, caplog
) -> None:
    import mlcroissant

    dataset = mlcroissant.Dataset(jsonld=str(built / "croissant.json"))
    assert not dataset.metadata.ctx.issues.errors
    records = list(dataset.records("default_testmini-00000-of-00001"))
    ids = {r["default_testmini-00000-of-00001/id"].decode() for r in records}
    assert ids == {s.id for s in read_samples(built, "testmini")}


def test_the_card_has_valid_front_matter(built: Path) -> None:
    text = (built / "README.md").read_text("utf-8")
    front = yaml.safe_load(text.split("---")[1])
    assert front["license"] == "mit"
    assert front["size_categories"] == ["n<1K"]
    files = [
        path
        for config in front["configs"]
        for entry in config["data_files"]
        for path in entry["path"]
    ]
    assert files
    assert all((built / path).exists() for path in files)
    assert read_manifest(built)["canary"] in text
    assert "$" not in text.replace("`$…$`", "")


def test_sha256sums_is_what_sha256sum_reads(built: Path) -> None:
    done = subprocess.run(["sha256sum", "--check", "--quiet", "SHA256SUMS"], cwd=built, check=False)
    assert done.returncode == 0


def test_the_canary_is_in_every_data_file(built: Path) -> None:
    import pyarrow.parquet as pq

    canary = read_manifest(built)["canary"]
    for path in [*built.glob("jsonl/*"), *built.glob("problems/*")]:
        assert all(json.loads(line)["canary"] == canary for line in path.read_text().splitlines())
    for path in built.glob("data/*/*.parquet"):
        assert pq.read_schema(path).metadata[b"canary"].decode() == canary


def test_records_follow_the_published_schema(built: Path) -> None:
    assert json.loads((built / "schema.json").read_text()) == json_schema()
    properties = json_schema()["$defs"]["Sample"]["properties"]
    row = json.loads((built / "jsonl" / "test.jsonl").read_text().splitlines()[0])
    assert set(row) - {"canary"} == set(properties)


def test_statistics_by_hand() -> None:
    def sample(question: str, **changes: object) -> Sample:
        source = Source(name="s", raw_id="1")
        base = {"id": question, "problem_id": question, "origin": "o", "source": source}
        return Sample(**base, question=question, **changes)

    figures = summary(
        [
            sample(
                "two words", options=options("x", "long value"), answer="B", labels={"subject": "a"}
            ),
            sample("and three words", answer="7", labels={"subject": "a"}),
            sample("one", answer=None, labels={"subject": ["a", "b"]}),
        ]
    )
    assert figures["question_types"] == {
        "free form": {"n": 2, "share": 0.666667},
        "multiple choice": {"n": 1, "share": 0.333333},
    }
    assert figures["question_length"]["words"] == {"min": 1, "mean": 2.0, "max": 3}
    assert figures["answer_length"]["characters"] == {"min": 1, "mean": 1.0, "max": 1}
    assert figures["answer_value_length"]["characters"] == {"min": 1, "mean": 5.5, "max": 10}
    assert figures["option_letters"] == {"B": {"n": 1, "share": 1.0}}
    assert figures["labels"]["subject"]["b"]["n"] == 1
    assert (figures["clusters"], figures["problems"]) == (1, 3)


def edit(path: str, old: str, new: str) -> Callable[[Path], None]:
    def change(folder: Path) -> None:
        text = (folder / path).read_text("utf-8")
        assert old in text
        (folder / path).write_text(text.replace(old, new, 1), "utf-8")

    return change


def first(folder: Path, pattern: str) -> Path:
    return sorted(folder.glob(pattern))[0]


def copy_line(folder: Path, source: str, target: str) -> None:
    line = (folder / source).read_text("utf-8").splitlines()[0]
    with (folder / target).open("a", encoding="utf-8") as file:
        file.write(line + "\n")


def drop_line(folder: Path, path: str) -> None:
    lines = (folder / path).read_text("utf-8").splitlines()
    (folder / path).write_text("".join(line + "\n" for line in lines[1:]), "utf-8")


DAMAGE: dict[str, tuple[str, Callable[[Path], object]]] = {
    "a lost picture": ("picture-missing", lambda f: first(f, "images/*").unlink()),
    "a picture that is HTML": (
        "picture-broken",
        lambda f: first(f, "images/*").write_text("<html>"),
    ),
    "another picture": (
        "picture-changed",
        lambda f: first(f, "images/*").write_bytes(png(5, 5, 77)),
    ),
    "an edited card": ("file-changed", edit("README.md", "Version", "Edition")),
    "a stranger": ("file-unknown", lambda f: (f / "notes.txt").write_text("hello")),
    "a lost file": ("file-missing", lambda f: (f / "DATASHEET.md").unlink()),
    "a lost Parquet file": ("parquet-differs", lambda f: first(f, "data/*/*").unlink()),
    "a truncated Parquet file": (
        "parquet-broken",
        lambda f: first(f, "data/*/*").write_bytes(first(f, "data/*/*").read_bytes()[:-50]),
    ),
    "a changed question": ("parquet-differs", edit("jsonl/testmini.jsonl", "What is", "What was")),
    "an invalid record": (
        "record-invalid",
        edit("jsonl/test.jsonl", '"answer_kind":"', '"answer_kind":"x'),
    ),
    "a lost sample": ("split-count", lambda f: drop_line(f, "jsonl/test.jsonl")),
    "a lost problem": ("split-ids", lambda f: drop_line(f, "problems/test.jsonl")),
    "an id twice": (
        "id-twice",
        lambda f: copy_line(f, "jsonl/testmini.jsonl", "jsonl/testmini.jsonl"),
    ),
    "a problem in two splits": (
        "split-overlap",
        lambda f: copy_line(f, "problems/testmini.jsonl", "problems/test.jsonl"),
    ),
    "a leaked answer": ("answer-leaked", edit("jsonl/test.jsonl", '"answer":null', '"answer":"7"')),
    "an answer leaked by a problem": (
        "answer-leaked",
        edit("problems/test.jsonl", '"answer":""', '"answer":"7"'),
    ),
    "a lost canary": ("canary-missing", edit("jsonl/test.jsonl", '"canary":"', '"canary":"0')),
    "a wrong sum": ("sums-differ", lambda f: edit("SHA256SUMS", _sum(f), "0" * 64)(f)),
    "a lost sum": ("sums-incomplete", lambda f: drop_line(f, "SHA256SUMS")),
    "no croissant": ("croissant-invalid", lambda f: (f / "croissant.json").write_text("{")),
}


def _sum(folder: Path) -> str:
    lines = (folder / "SHA256SUMS").read_text().splitlines()
    return next(line.split()[0] for line in lines if line.endswith("manifest.json"))


def test_a_sound_release_is_accepted(built: Path) -> None:
    assert verify(built, built.with_name(f"{built.name}-private") / "answers.jsonl") == []


@pytest.mark.parametrize("name", DAMAGE)
def test_each_damage_is_found_and_named(built: Path, tmp_path: Path, name: str) -> None:
    folder = tmp_path / "copy"
    shutil.copytree(built, folder)
    code, damage = DAMAGE[name]
    damage(folder)
    found = verify(folder)
    assert code in {d.code for d in found}
    assert all(d.where and d.what for d in found)


def test_damages_are_told_apart() -> None:
    assert len({code for code, _ in DAMAGE.values()}) >= 15


def test_the_page_escapes_hostile_text(tmp_path: Path) -> None:
    evil = "<script>alert(1)</script>"
    write_rows(
        tmp_path / "x.jsonl",
        [{"id": "1", "question": evil, "answer": evil, "labels": {"subject": evil}}],
    )
    source = {"name": "a", "reader": "jsonl", "path": "x.jsonl", "license": "MIT"}
    folder = release(tmp_path, sources=[source], splits={"test": "rest"}, title=evil)
    page = (folder / "index.html").read_text("utf-8")
    assert evil not in page
    assert page.count("&lt;script&gt;alert(1)") >= 2
    data = (folder / "index.data/samples-00000.js").read_text("utf-8")
    assert "<" not in data
    assert data.count("\\u003cscript>alert(1)") >= 3


def test_an_unlicensed_source_needs_to_be_allowed(tmp_path: Path) -> None:
    source = {"name": "a", "reader": "jsonl", "path": "dump.jsonl"}
    folder = release(tmp_path, sources=[source], allow_unlicensed=True)
    assert "unlicensed" in (folder / "README.md").read_text()
    assert (folder / "LICENSES" / "unlicensed.txt").exists()


def test_pictures_outside_splits_are_not_shipped(tmp_path: Path) -> None:
    folder = release(tmp_path, splits={"mini": {"size": 3}})
    assert len(list((folder / "images").iterdir())) == 3
    assert len([name for name in tree(folder) if name.startswith("images/")]) == 3
    assert dump(tmp_path).exists()
