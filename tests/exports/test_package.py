"""The release package: loaders open it offline, its figures are right, damage is found."""

from __future__ import annotations

import json
import subprocess
from pathlib import Path

import msgspec
import pytest
import yaml
from benchwright.exports import verify
from benchwright.exports.statistics import summary
from benchwright.problem import VERSIONS, Problem, Sample, Source, sample_of
from benchwright.release import read_manifest, read_samples
from small import dump, options, problem, release, tree, write_rows


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
    assert {name: len(split) for name, split in loaded.items()} == {
        "testmini": 4,
        "test": 8,
    }
    row = loaded["testmini"][0]
    expected = read_samples(built, "testmini")[0]
    assert (row["id"], row["question"], row["answer"]) == (
        expected.id,
        expected.question,
        expected.answer,
    )
    assert row["images"][0].size == (
        expected.images[0].width,
        expected.images[0].height,
    )
    assert row["subject"] == expected.labels["subject"]
    assert set(loaded["test"]["answer"]) == {None}


def test_each_version_is_a_config_of_its_own(offline: None, tmp_path: Path) -> None:
    import datasets

    rows = []
    for k in (1, 2):
        p = problem(k)
        p.samples = [
            sample_of(p, v, question="" if v == "vision_only" else p.question)
            for v in VERSIONS
        ]
        rows.append(msgspec.to_builtins(p))
    write_rows(tmp_path / "problems.jsonl", rows)
    source = {
        "name": "a",
        "reader": "problems",
        "path": "problems.jsonl",
        "license": "MIT",
    }
    folder = release(tmp_path, sources=[source], splits={"test": "rest"})
    names = datasets.get_dataset_config_names(str(folder))
    assert {n for n in names if not n.startswith("asked-")} == {"default", *VERSIONS}
    every = datasets.load_dataset(
        str(folder), "default", cache_dir=str(tmp_path / "c")
    )["test"]
    lite = datasets.load_dataset(
        str(folder), "text_lite", cache_dir=str(tmp_path / "c")
    )["test"]
    assert (len(every), lite["id"]) == (12, ["a-1.text_lite", "a-2.text_lite"])


def test_croissant_validates_and_its_records_are_readable(
    built: Path, offline: None, caplog
) -> None:
    import mlcroissant

    dataset = mlcroissant.Dataset(jsonld=str(built / "croissant.json"))
    assert not dataset.metadata.ctx.issues.errors
    assert not [line for line in caplog.messages if "not standard" in line]
    assert dataset.metadata.ctx.is_v1_1()
    told = json.loads((built / "croissant.json").read_text("utf-8"))
    assert told["rai:dataCollection"] == "Read from a (jsonl, MIT)."
    assert dataset.metadata.data_use_cases == [told["rai:dataUseCases"]]
    assert "check (12 in, 12 kept, 0 dropped)" in str(
        dataset.metadata.data_preprocessing_protocol
    )
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
    done = subprocess.run(
        ["sha256sum", "--check", "--quiet", "SHA256SUMS"], cwd=built, check=False
    )
    assert done.returncode == 0


def test_the_canary_is_in_every_data_file(built: Path) -> None:
    import pyarrow.parquet as pq

    canary = read_manifest(built)["canary"]
    for path in [*built.glob("jsonl/*"), *built.glob("problems/*")]:
        assert all(
            json.loads(line)["canary"] == canary
            for line in path.read_text().splitlines()
        )
    for path in built.glob("data/*/*.parquet"):
        assert pq.read_schema(path).metadata[b"canary"].decode() == canary


def test_every_record_is_accepted_by_the_published_schema(built: Path) -> None:
    import jsonschema

    schema = json.loads((built / "schema.json").read_text())
    assert {
        name: set(schema["$defs"][name]["properties"]) for name in ("Problem", "Sample")
    } == {
        kind.__name__: {*kind.__struct_fields__, "canary"} for kind in (Problem, Sample)
    }
    for folder, kind in (("problems", "Problem"), ("jsonl", "Sample")):
        strict = jsonschema.Draft202012Validator(schema | {"$ref": f"#/$defs/{kind}"})
        for path in (built / folder).iterdir():
            for line in path.read_text("utf-8").splitlines():
                row = json.loads(line)
                strict.validate(row)
                jsonschema.validate(row, schema)
                assert not strict.is_valid(row | {"colour": "red"})


def test_statistics_by_hand() -> None:
    def sample(question: str, **changes: object) -> Sample:
        source = Source(name="s", raw_id="1")
        base = {"id": question, "problem_id": question, "origin": "o", "source": source}
        return Sample(**base, question=question, **changes)

    figures = summary(
        [
            sample(
                "two words",
                options=options("x", "long value"),
                answer="B",
                labels={"subject": "a"},
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
    assert figures["answer_value_length"]["characters"] == {
        "min": 1,
        "mean": 5.5,
        "max": 10,
    }
    assert figures["option_letters"] == {"B": {"n": 1, "share": 1.0}}
    assert figures["labels"]["subject"]["b"]["n"] == 1
    assert (figures["clusters"], figures["problems"]) == (1, 3)


def test_a_sound_release_is_accepted(built: Path) -> None:
    assert (
        verify(built, built.with_name(f"{built.name}-private") / "answers.jsonl") == []
    )


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
