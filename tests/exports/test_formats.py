"""Other tools' formats: read back with the tool's own way of reading, or with our readers."""

from __future__ import annotations

import base64
import csv
import json
import sys
from pathlib import Path

import msgspec
import pytest
import yaml
from benchwright.convert.readers.ingest import read_sources
from benchwright.errors import UserError
from benchwright.exports.formats import export
from benchwright.files import read_jsonl
from benchwright.pictures import store_picture
from benchwright.pipeline.engine import Engine
from benchwright.pipeline.recipe import SourceSpec
from benchwright.problem import VERSIONS, Option, Problem, Source, Step, sample_of
from benchwright.release import read_problems, read_samples
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


def test_vlmevalkit_rows_read_back(plain: Path, tmp_path: Path) -> None:
    csv.field_size_limit(sys.maxsize)
    for path in export("vlmevalkit", plain, tmp_path / "tsv"):
        split = path.stem.split("_")[-1]
        with path.open(encoding="utf-8", newline="") as file:
            rows = list(csv.DictReader(file, delimiter="\t"))
        samples = read_samples(plain, split)
        assert [int(row["index"]) for row in rows] == list(range(len(samples)))
        for row, sample in zip(rows, samples, strict=True):
            assert (row["question"], row["answer"]) == (sample.question, sample.answer)
            assert base64.b64decode(row["image"]) == (plain / sample.images[0].path).read_bytes()
            assert row["A"] == (sample.options[0].text if sample.options else "")


def test_vlmevalkit_holds_every_option_or_says_which_it_cannot(tmp_path: Path) -> None:
    texts = [str(k) for k in range(12)]
    (tmp_path / "a").mkdir()
    (tmp_path / "b").mkdir()
    folder = built(tmp_path / "a", [problem(1, options=options(*texts), answer="L")])
    (path,) = export("vlmevalkit", folder, tmp_path / "tsv")
    with path.open(encoding="utf-8", newline="") as file:
        (row,) = csv.DictReader(file, delimiter="\t")
    assert [row[letter] for letter in "ABCDEFGHIJKL"] == texts
    named = [Option(label="yes", text="1"), Option(label="no", text="2")]
    folder = built(tmp_path / "b", [problem(1, options=named, answer="yes")])
    with pytest.raises(UserError, match="has an option 'yes'"):
        export("vlmevalkit", folder, tmp_path / "tsv")


def test_vlmevalkit_names_a_shared_picture_once(tmp_path: Path) -> None:
    p = problem(1, images=[store_picture(png(), tmp_path)])
    p.samples = [sample_of(p, v) for v in VERSIONS]
    folder = built(tmp_path, [p])
    (path,) = export("vlmevalkit", folder, tmp_path / "tsv")
    with path.open(encoding="utf-8", newline="") as file:
        cells = [row["image"] for row in csv.DictReader(file, delimiter="\t")]
    assert len(cells[0]) > 64
    assert cells[1:] == ["0"] * 5


def test_lmms_eval_task_is_plain_yaml_with_functions(plain: Path, tmp_path: Path) -> None:
    class Loader(yaml.SafeLoader):
        pass

    Loader.add_constructor("!function", lambda loader, node: node.value)
    written = export("lmms-eval", plain, tmp_path / "lmms")
    task = yaml.load((tmp_path / "lmms" / "small_test.yaml").read_text(), Loader)
    assert Path(task["dataset_path"]) == plain.resolve()
    assert task["cluster_key"] == "origin"
    functions = {v.removeprefix("utils.") for v in task.values() if str(v).startswith("utils.")}
    names: dict = {}
    exec(compile((tmp_path / "lmms" / "utils.py").read_text(), "utils.py", "exec"), names)
    assert functions <= set(names)
    assert len(written) == 3
    doc = {
        "question": "q",
        "images": [],
        "options": [{"label": "A", "text": "1"}],
        "answer": "A",
        "answer_kind": "choice",
    }
    assert names["process_results"](doc, [r"\boxed{A}"]) == {"accuracy": 1.0}
    assert "(A) 1" in names["doc_to_text"](doc)


def test_inspect_task_compiles(plain: Path, tmp_path: Path) -> None:
    (path,) = export("inspect", plain, tmp_path)
    text = path.read_text()
    compile(text, "task.py", "exec")
    assert "def small_testmini():" in text
    assert "def small_test():" in text


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
        Step(question=f"step {k}", options=options("1", "2; or 3"), answer="B", knowledge=[f"c{k}"])
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
        1, options=options("40°", "60°"), answer="B", labels={"subject": "s", "subfield": "f"}
    )
    p.samples = [sample_of(p, v, question="" if v == "vision_only" else f"{v}?") for v in VERSIONS]
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
    export("mm-math", plain, tmp_path / "mm")
    back = read_back(tmp_path, tmp_path / "mm" / "test.jsonl", "mm-math")
    assert [p.answer for p in back] == [p.answer for p in read_problems(plain, "test")]


def test_a_format_that_cannot_hold_the_release_says_so(plain: Path, tmp_path: Path) -> None:
    with pytest.raises(UserError, match="no problems with steps"):
        export("we-math", plain, tmp_path)
    with pytest.raises(UserError, match="did you mean 'vlmevalkit'"):
        export("vlmeval", plain, tmp_path)


def test_hostile_ids_stay_inside_the_export(tmp_path: Path) -> None:
    pictures = [store_picture(png(shade=k), tmp_path) for k in (1, 2)]
    hostile = [
        problem(
            k, id=f"a-{name}", images=[picture], source=Source(name="a", raw_id=name, license="MIT")
        )
        for k, (name, picture) in enumerate(zip(["../../x", "../../x "], pictures, strict=True))
    ]
    path = built(tmp_path, hostile)
    before = set(tmp_path.rglob("*"))
    export("math-v", path, tmp_path / "deep" / "er" / "out")
    added = {p for p in tmp_path.rglob("*") if p.is_file()} - before
    assert len(added) == 3, "one list and two pictures"
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
