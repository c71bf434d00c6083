"""Other tools' formats: read back with the tool's own way of reading, or with our readers."""

from __future__ import annotations

import base64
import csv
import json
import sys
from pathlib import Path
from typing import Any

import msgspec
import pyarrow.parquet as pq
import pytest
import yaml
from benchwright.base.files import read_jsonl
from benchwright.base.pictures import store_picture
from benchwright.cli import cli
from benchwright.convert.readers import read_sources
from benchwright.errors import UserError
from benchwright.exports import export
from benchwright.pipeline import Engine, SourceSpec
from benchwright.problem import VERSIONS, Option, Problem, Source, Step, sample_of
from benchwright.release import read_problems, read_samples
from click.testing import CliRunner
from mixed import mixed_release
from small import options, png, problem, release, write_rows


def built(tmp_path: Path, problems: list[Problem]) -> Path:
    write_rows(tmp_path / "p.jsonl", [msgspec.to_builtins(p) for p in problems])
    source = {"name": "a", "reader": "problems", "path": "p.jsonl", "license": "MIT"}
    return release(tmp_path, sources=[source], splits={"test": "rest"})


def read_back(tmp_path: Path, path: Path | list[Path], reader: str) -> list[Problem]:
    paths = [str(p) for p in path] if isinstance(path, list) else str(path)
    spec = SourceSpec(name="a", reader=reader, path=paths)
    read_sources([spec], tmp_path, tmp_path / "back", Engine())
    return list(read_jsonl(tmp_path / "back/00-read/problems.jsonl", Problem))


@pytest.fixture
def plain(tmp_path: Path) -> Path:
    return release(tmp_path)


def table(path: Path) -> list[dict[str, str]]:
    """The rows of a TSV as they are written."""
    csv.field_size_limit(sys.maxsize)
    with path.open(encoding="utf-8", newline="") as file:
        return list(csv.DictReader(file, delimiter="\t"))


def test_vlmevalkit_rows_read_back(plain: Path, tmp_path: Path) -> None:
    rows = {}
    for path in export("vlmevalkit", plain, tmp_path / "tsv"):
        _, split, kind = path.stem.split("_")
        lines = table(path)
        assert [int(row["index"]) for row in lines] == list(range(len(lines)))
        assert ("A" in lines[0]) == (kind == "choice")
        rows |= {row["id"]: row | {"table": split} for row in lines}
    for split in ("testmini", "test"):
        for sample in read_samples(plain, split):
            row = rows.pop(sample.id)
            assert row["table"] == row["split"] == split
            assert (row["question"], row["answer"].strip()) == (
                sample.question,
                sample.answer,
            )
            assert (
                base64.b64decode(row["image"])
                == (plain / sample.images[0].path).read_bytes()
            )
            assert row.get("A", "").strip() == (
                sample.options[0].text if sample.options else ""
            )
    assert not rows


def test_vlmevalkit_holds_every_option_or_says_which_it_cannot(tmp_path: Path) -> None:
    texts = [str(k) for k in range(12)]
    (tmp_path / "a").mkdir()
    (tmp_path / "b").mkdir()
    choice = problem(1, options=options(*texts), answer="L", answer_kind="choice")
    (path,) = export("vlmevalkit", built(tmp_path / "a", [choice]), tmp_path / "tsv")
    (row,) = table(path)
    assert [row[letter].strip() for letter in "ABCDEFGHIJKL"] == texts
    named = [Option(label="yes", text="1"), Option(label="no", text="2")]
    choice = problem(1, options=named, answer="yes", answer_kind="choice")
    folder = built(tmp_path / "b", [choice])
    with pytest.raises(UserError, match="has an option 'yes'"):
        export("vlmevalkit", folder, tmp_path / "tsv")


def test_vlmevalkit_names_a_shared_picture_once(tmp_path: Path) -> None:
    p = problem(1, images=[store_picture(png(), tmp_path)])
    p.samples = [sample_of(p, v) for v in VERSIONS]
    (path,) = export("vlmevalkit", built(tmp_path, [p]), tmp_path / "tsv")
    cells = [row["image"] for row in table(path)]
    assert len(cells[0]) > 64
    assert cells[1:] == ["0"] * 5


def test_vlmevalkit_gets_a_table_for_each_class_of_its_loader(tmp_path: Path) -> None:
    release = mixed_release(tmp_path)
    written = export("vlmevalkit", release, tmp_path / "tsv")
    tables = {path.stem.removeprefix("mixed_test_"): table(path) for path in written}
    assert list(tables) == ["choice", "open", "choice_text", "open_text"]
    for name, rows in tables.items():
        assert ("image" in rows[0]) == (not name.endswith("_text"))
        assert all(row["image"] for row in rows if "image" in row)
        assert all(row["question"].strip() for row in rows)
    assert {
        name: row for row in tables["open_text"] for name in "AB" if row[name]
    } == {}
    assert sorted(row["id"] for rows in tables.values() for row in rows) == sorted(
        sample.id for sample in read_samples(release, "test")
    )
    (kinds,) = [
        row["question"] for row in tables["open_text"] if row["answer"] == "ABD"
    ]
    assert kinds.splitlines()[1:5] == ["(A) 1", "(B) 2", "(C) 3", "(D) 4"]


def test_lmms_eval_task_is_plain_yaml_with_functions(
    plain: Path, tmp_path: Path
) -> None:
    class Loader(yaml.SafeLoader):
        pass

    Loader.add_constructor("!function", lambda loader, node: node.value)
    written = export("lmms-eval", plain, tmp_path / "lmms")
    assert str(tmp_path) not in "".join(
        p.read_text() for p in written if p.suffix != ".parquet"
    )
    task = yaml.load((tmp_path / "lmms" / "small_test.yaml").read_text(), Loader)
    assert task["cluster_key"] == "origin"
    assert (
        task["generation_kwargs"]["until"] == []
    )  # its default ends a reply at a blank line
    used = [*task.values(), *(m["aggregation"] for m in task["metric_list"])]
    functions = {
        v.removeprefix("utils.") for v in map(str, used) if v.startswith("utils.")
    }
    utils = tmp_path / "lmms" / "utils.py"
    names: dict[str, Any] = {"__file__": str(utils)}
    exec(compile(utils.read_text(), "utils.py", "exec"), names)
    assert functions <= set(names)
    (files,) = task["dataset_kwargs"]["data_files"].values()
    (data,) = Path(names["FOLDER"]).glob(files)
    first, *_ = read_samples(plain, "test")
    doc, *_ = pq.read_table(data).to_pylist()
    doc.pop("images")  # lmms-eval does not hand them over
    reply = rf"\boxed{{{first.answer}}}"
    assert names["process_results"](doc, [reply]) == {
        "accuracy": {"score": 1.0, "id": first.id, "origin": first.origin}
    }
    assert names["process_results"](doc, ["no"])["accuracy"]["score"] == 0.0
    assert names["doc_to_text"](doc).startswith(first.question)


def test_inspect_task_compiles_and_stands_alone(plain: Path, tmp_path: Path) -> None:
    path, *files = export("inspect", plain, tmp_path / "x")
    text = path.read_text()
    compile(text, "task.py", "exec")
    assert "def small_testmini():" in text
    assert "def small_test():" in text
    assert str(tmp_path) not in text
    for split in ("testmini", "test"):
        for row in read_jsonl(tmp_path / "x/data" / f"{split}.jsonl", dict[str, Any]):
            assert all(
                tmp_path / "x" / image["path"] in files for image in row["images"]
            )


def test_golds_are_exported_only_with_the_private_folder(tmp_path: Path) -> None:
    folder = release(tmp_path, withhold_answers=["test"])
    private = folder.with_name(f"{folder.name}-private")
    golds = {s.id: s.answer for s in read_samples(folder, "test", private)}
    assert None not in golds.values()
    for answers in (None, private):
        wanted = golds if answers else dict.fromkeys(golds)
        export("inspect", folder, tmp_path / "i", answers=answers)
        rows = list(read_jsonl(tmp_path / "i/data/test.jsonl", dict[str, Any]))
        assert {row["id"]: row["answer"] for row in rows} == wanted
        export("lmms-eval", folder, tmp_path / "l", answers=answers)
        (data,) = (tmp_path / "l/data/test").glob("*.parquet")
        rows = pq.read_table(data).to_pylist()
        assert {row["id"]: row["answer"] for row in rows} == wanted
        written = export("vlmevalkit", folder, tmp_path / "v", answers=answers)
        rows = [
            row for path in written for row in table(path) if row["split"] == "test"
        ]
        told = {row["id"]: row["answer"].strip() or None for row in rows}
        assert told == wanted
        kept = json.loads((tmp_path / "i/small.export.json").read_text("utf-8"))
        assert kept["answers"] == bool(answers)
        assert (
            [sorted(ids) for ids in kept["notes"].values()] == []
            if answers
            else [sorted(golds)]
        )


def test_an_export_says_what_its_format_does_not_hold(
    plain: Path, tmp_path: Path
) -> None:
    result = CliRunner().invoke(
        cli, ["export", "vlmevalkit", str(plain), "-o", str(tmp_path / "v")]
    )
    assert result.exit_code == 0
    assert (
        "8 exported, asked by VLMEvalKit and judged by `score` alone" in result.stderr
    )
    assert result.stdout.splitlines() == [
        str(tmp_path / "v" / f"small_{split}_{kind}.tsv")
        for split in json.loads((plain / "manifest.json").read_text())["splits"]
        for kind in ("choice", "open")
    ]


def test_math_v_layout_reads_back(plain: Path, tmp_path: Path) -> None:
    export("math-v", plain, tmp_path / "mv")
    back = read_back(tmp_path, tmp_path / "mv" / "test.jsonl", "math-v")
    for ours, theirs in zip(read_problems(plain, "test"), back, strict=True):
        assert (ours.id, ours.question, ours.answer, ours.labels) == (
            theirs.id,
            theirs.question,
            theirs.answer,
            theirs.labels,
        )
        assert [i.sha256 for i in ours.images] == [i.sha256 for i in theirs.images]


def test_we_math_layout_reads_back(tmp_path: Path) -> None:
    steps = [
        Step(
            question=f"step {k}",
            options=options("1", "2; or 3"),
            answer="B",
            knowledge=[f"c{k}"],
        )
        for k in (1, 2)
    ]
    labels = {"knowledge": ["c1", "c2"], "steps": 2}
    p = problem(1, options=options("x", "y"), answer="A", steps=steps, labels=labels)
    folder = built(tmp_path, [p])
    (path,) = export("we-math", folder, tmp_path / "we")
    rows = json.loads(path.read_text())
    assert [row["key"] for row in rows] == ["2steps_1", "2steps_2", "2steps_multi"]
    (back,) = read_back(tmp_path, path, "we-math")
    assert (back.steps, back.options, back.labels) == (p.steps, p.options, p.labels)


def test_mathverse_layout_reads_back(tmp_path: Path) -> None:
    p = problem(
        1,
        options=options("40°", "60°"),
        answer="B",
        labels={"subject": "s", "subfield": "f"},
    )
    p.samples = [
        sample_of(p, v, question="" if v == "vision_only" else f"{v}?")
        for v in VERSIONS
    ]
    folder = built(tmp_path, [p])
    written = export("mathverse", folder, tmp_path / "v")
    (back,) = read_back(tmp_path, written, "mathverse")
    assert [(s.version, s.question, s.options) for s in back.samples] == [
        (s.version, s.question, s.options) for s in p.samples
    ]
    rows = json.loads(written[0].read_text())
    assert rows[-1]["query_wo"].startswith(
        "According to the question shown in the image, please directly"
    )


def test_mm_math_layout_reads_back(plain: Path, tmp_path: Path) -> None:
    with pytest.raises(UserError, match="mm-math holds no options"):
        export("mm-math", plain, tmp_path / "mm")
    words = {"easy": "容易", "medium": "普通", "hard": "困难"}
    problems = [
        problem(k, solution=f"It is {k + 1}.",
                images=[store_picture(png(shade=k), tmp_path / "open")],
                labels={"difficulty": name, "year": "nine", "knowledge": ["Functions"]})
        for k, name in enumerate(words, 1)
    ]  # fmt: skip
    folder = built(tmp_path / "open", problems)
    (path,) = export("mm-math", folder, tmp_path / "mm")
    rows = list(read_jsonl(path, dict[str, Any]))
    assert [row["difficult"] for row in rows] == list(words.values())
    back = read_back(tmp_path, path, "mm-math")
    ours = read_problems(folder, "test")
    assert [(p.answer, p.labels["difficulty"]) for p in back] == [
        (p.answer, p.labels["difficulty"]) for p in ours
    ]


def test_a_format_that_cannot_hold_the_release_says_so(
    plain: Path, tmp_path: Path
) -> None:
    with pytest.raises(UserError, match="no problems with steps"):
        export("we-math", plain, tmp_path)
    with pytest.raises(UserError, match="did you mean 'vlmevalkit'"):
        export("vlmeval", plain, tmp_path)


def test_hostile_ids_stay_inside_the_export(tmp_path: Path) -> None:
    pictures = [store_picture(png(shade=k), tmp_path) for k in (1, 2)]
    hostile = [
        problem(
            k,
            id=f"a-{name}",
            images=[picture],
            source=Source(name="a", raw_id=name, license="MIT"),
        )
        for k, (name, picture) in enumerate(
            zip(["../../x", "../../x "], pictures, strict=True)
        )
    ]
    path = built(tmp_path, hostile)
    before = set(tmp_path.rglob("*"))
    export("math-v", path, tmp_path / "deep" / "er" / "out")
    added = {p for p in tmp_path.rglob("*") if p.is_file()} - before
    assert len(added) == 4, "one list, two pictures and what was exported"
    assert all(p.is_relative_to(tmp_path / "deep" / "er" / "out") for p in added)


@pytest.mark.parametrize(
    ("file", "old", "new"),
    [
        ("manifest.json", '"test":', '"../../test":'),
        ("jsonl/test.jsonl", "images/", "../images/"),
        ("jsonl/test.jsonl", '"path":"images/', '"path":"/etc/'),
    ],
)
def test_a_release_from_elsewhere_names_no_other_files(
    plain: Path, tmp_path: Path, file: str, old: str, new: str
) -> None:
    text = (plain / file).read_text("utf-8")
    assert old in text
    (plain / file).write_text(text.replace(old, new), "utf-8")
    with pytest.raises(UserError, match=r"leaves its folder|not relative|use letters"):
        export("vlmevalkit", plain, tmp_path / "exported")
    assert not list(tmp_path.glob("exported/*"))
