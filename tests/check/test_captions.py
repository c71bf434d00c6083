"""The stage `captions`, from a first release and a model's words to a blind model's prompt."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pyarrow.parquet as pq
import pytest
import yaml
from benchwright import Asking, build_release, predict
from benchwright.errors import UserError
from benchwright.evaluate.inference import requests_for
from benchwright.exports import export, verify
from benchwright.llm import Model
from benchwright.release import read_problems, read_samples
from llm_server import llm_server
from small import dump, png, tree, write_recipe, write_rows


def rows(path: Path) -> list[dict[str, Any]]:
    return [json.loads(line) for line in path.read_text("utf-8").splitlines()]


def table(folder: Path, name: str) -> list[dict[str, Any]]:
    found = sorted(folder.glob(f"out/work/*-captions/{name}.jsonl"))
    return rows(found[0]) if found else []


def rebuild(recipe: Path, version: str, **stage: Any) -> Path:
    """The recipe once more, with the stage `captions`, as the next version."""
    plan = yaml.safe_load(recipe.read_text("utf-8"))
    stages = ["check", {"captions": {"file": "captions.jsonl"} | stage}]
    plan |= {"version": version, "stages": stages}
    recipe.write_text(yaml.safe_dump(plan, sort_keys=False), "utf-8")
    return build_release(recipe, recipe.parent / "out", on_stale="tell").release


@pytest.fixture
def asked(tmp_path: Path) -> tuple[Path, Path]:
    """A recipe, and the captions that a model wrote of its first release, all unreviewed."""
    recipe = dump(tmp_path, count=4, splits={"test": "rest"})
    first = build_release(recipe, tmp_path / "out").release
    file = tmp_path / "captions.jsonl"
    number = iter(range(9))
    with llm_server(lambda body: f"picture {next(number)}") as server:
        model = Model(name="eyes", base_url=server.base_url, concurrency=1)
        predict(first, "test", model, file, how=Asking(style="math-v-caption"))
    return recipe, file


def test_only_reviewed_captions_reach_a_release_and_a_model_without_eyes(
    asked: tuple[Path, Path], tmp_path: Path
) -> None:
    recipe, file = asked
    written = rows(file)
    write_rows(
        file,
        [written[0] | {"caption": " a mended one ", "reviewer": "ada"}, *written[1:]],
    )
    release = rebuild(recipe, "1.1.0")
    first = read_problems(release, "test")[0]
    assert [image.caption for image in first.images] == ["a mended one"]
    assert [row["problems"] for row in table(tmp_path, "unreviewed")] == [
        ["a-2"],
        ["a-3"],
        ["a-4"],
    ]

    samples = read_samples(release, "test")
    how = Asking(pictures="captions")
    (request,) = requests_for(release, samples[:1], how)
    (text,) = request.messages[0]["content"]  # no picture goes with it
    assert "[Figure: a mended one] What is $1+1$?" in text["text"]
    with pytest.raises(UserError, match="a-2: no caption"):
        list(requests_for(release, samples, how))


def test_captions_are_part_of_the_release_and_of_its_exports(
    asked: tuple[Path, Path], tmp_path: Path
) -> None:
    recipe, _ = asked
    release = rebuild(recipe, "1.1.0", unreviewed="use")
    words = [f"picture {k}" for k in range(4)]
    assert verify(release) == []
    (data,) = release.glob("data/default/*.parquet")
    assert pq.read_table(data)["captions"].to_pylist() == [[w] for w in words]
    assert [
        r["images"][0]["caption"] for r in rows(release / "jsonl" / "test.jsonl")
    ] == words
    (exported,) = export("math-v", release, tmp_path / "math-v")
    assert [row["caption"] for row in rows(exported)] == words
    again = rebuild(recipe, "1.1.0", unreviewed="use")
    assert tree(again) == tree(release)


def test_a_caption_stays_with_its_picture(
    asked: tuple[Path, Path], tmp_path: Path
) -> None:
    """A picture that has changed takes no words, and its problems are named."""
    recipe, file = asked
    (tmp_path / "images" / "2.png").write_bytes(png(40, 30, 7))
    gone = {"image": "images/nobody.png", "caption": "x", "problems": ["b-9"]}
    write_rows(file, [*rows(file), gone])
    release = rebuild(recipe, "1.1.0", unreviewed="use")
    said = {p.id: p.images[0].caption for p in read_problems(release, "test")}
    assert said == {
        "a-1": "picture 0",
        "a-2": "",
        "a-3": "picture 2",
        "a-4": "picture 3",
    }
    assert [row["problems"] for row in table(tmp_path, "stale")] == [["a-2"]]
    assert [row["problems"] for row in table(tmp_path, "missing")] == [["a-2"]]
    assert [row["image"] for row in table(tmp_path, "unmatched")] == [
        "images/nobody.png"
    ]


def test_captions_outlive_reading_problems_again_unless_the_picture_changed(
    asked: tuple[Path, Path], tmp_path: Path
) -> None:
    recipe, _ = asked
    release = rebuild(recipe, "1.1.0", unreviewed="use")
    folder = tmp_path / "again"
    folder.mkdir()
    shown = rows(release / "problems" / "test.jsonl")
    write_rows(
        folder / "p.jsonl",
        [{k: v for k, v in r.items() if k != "canary"} for r in shown],
    )
    (folder / "images").mkdir()
    for path in (release / "images").iterdir():
        (folder / "images" / path.name).write_bytes(path.read_bytes())
    (folder / shown[0]["images"][0]["path"]).write_bytes(png(50, 50, 3))
    source = {
        "name": "again",
        "reader": "problems",
        "path": "p.jsonl",
        "license": "MIT",
    }
    plan = {"name": "again", "version": "1.0.0", "sources": [source], "stages": []}
    copy = write_recipe(folder / "recipe.yaml", plan | {"splits": {"test": "rest"}})
    read = read_problems(build_release(copy, folder / "out").release, "test")
    assert [p.images[0].caption for p in read] == [
        "",
        "picture 1",
        "picture 2",
        "picture 3",
    ]
    assert any("another picture" in note for note in read[0].notes)


def test_bad_lines_are_named(asked: tuple[Path, Path]) -> None:
    recipe, file = asked
    first = rows(file)[0]
    for lines, said in (
        ([first, first], "stands twice"),
        ([{"id": "a"}], "captions.jsonl:1"),
    ):
        write_rows(file, lines)
        with pytest.raises(UserError, match=said):
            rebuild(recipe, "1.1.0")
