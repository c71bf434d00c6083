"""Official files read and exported: rows come back as they were, or as a stage changed them."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from benchwright.base.files import write_jsonl
from benchwright.exports import export
from benchwright.release import read_problem_file
from layouts import released
from real_data import RealData
from small import png, tree

MM_MATH = [
    {"question": "Find $AB$.", "file_name": "12.png", "solution": "So \\boxed{5}",
     "year": "九年级上学期", "difficult": "容易", "knowledge": ["Functions", "Quadratic Function"]},
    {"question": "Find it.", "file_name": "p/13.png", "year": "nine",
     "solution": "\\boxed{60^\\circ} or \\boxed{3}", "difficult": "easy",
     "knowledge": "Properties of Shapes"},
    {"question": "Where?", "file_name": "", "solution": "\\boxed{x>1}", "year": "八年级下册",
     "difficult": "普通", "knowledge": "Transformations of Shapes>Rotation"},
]  # fmt: skip


def rows_of(path: Path) -> list[dict[str, Any]]:
    text = path.read_text("utf-8")
    if path.suffix == ".json":
        return json.loads(text)
    return [json.loads(line) for line in text.splitlines()]


def returned(
    folder: Path, layout: str, path: Path, images: Path | None = None
) -> list[Any]:
    """The rows of an official file, read by its reader and exported by its format."""
    more = {"images": str(images)} if images else {}
    release = released(folder, name="s", reader=layout, path=str(path), **more)
    return [
        row
        for written in export(layout, release, folder / "x")
        for row in rows_of(written)
    ]


@pytest.mark.parametrize(
    ("layout", "file"),
    [
        ("mathverse", "mathverse/testmini_text_only.json"),
        ("we-math", "we-math/testmini.json"),
        ("math-v", "math-v/test.jsonl"),
    ],
)
def test_no_published_row_is_changed(
    tmp_path: Path, data: RealData, layout: str, file: str
) -> None:
    path = data.math_v("test.jsonl") if layout == "math-v" else data.whole(file)
    given = rows_of(path)
    assert [
        a == b for a, b in zip(given, returned(tmp_path, layout, path), strict=True)
    ] == [True] * len(given)


def test_rows_of_mm_math_come_back_with_their_pictures(tmp_path: Path) -> None:
    write_jsonl(tmp_path / "rows.jsonl", MM_MATH)
    (tmp_path / "p").mkdir()
    for row in MM_MATH[:2]:
        (tmp_path / str(row["file_name"])).write_bytes(
            png(50, 40, len(str(row["file_name"])))
        )
    assert returned(tmp_path, "mm-math", tmp_path / "rows.jsonl", tmp_path) == MM_MATH
    assert {"12.png", "p/13.png"} <= tree(tmp_path / "x").keys()


def versions(**of_vision_only: Any) -> list[dict[str, Any]]:
    head = {"problem_index": "9", "answer": "A", "question_type": "multi-choice",
            "metadata": {"split": "testmini", "source": "GeoQA", "subject": "Plane Geometry",
                         "subfield": "Area"}}  # fmt: skip
    said = "Find it.\nChoice:\nA. 090\nB:.70°\n"
    text = {"sample_index": "41", "problem_version": "Text Dominant", "question": said,
            "image": "images_version_1-4/nine.png", "question_for_eval": said}  # fmt: skip
    seen = {"sample_index": "45", "problem_version": "Vision Only", "question": "",
            "image": "images_version_6/nine.png", "question_for_eval": said}  # fmt: skip
    return [head | text, head | seen | of_vision_only]


def test_spellings_and_questions_for_judges_are_carried(tmp_path: Path) -> None:
    (tmp_path / "rows.json").write_text(json.dumps(versions()), "utf-8")
    for name in ("images_version_1-4", "images_version_6"):
        (tmp_path / name).mkdir()
        (tmp_path / name / "nine.png").write_bytes(png(60, 40, 9))
    back = returned(tmp_path, "mathverse", tmp_path / "rows.json", tmp_path)
    for row, given in zip(back, versions(), strict=True):
        assert {name: row[name] for name in given} == given
    assert back[0]["query_wo"].endswith(f"\nQuestion: {versions()[0]['question']}")


def test_what_a_stage_has_changed_is_written_anew(tmp_path: Path) -> None:
    (tmp_path / "rows.json").write_text(json.dumps(versions()), "utf-8")
    release = released(tmp_path, name="s", reader="mathverse", path="rows.json")
    (problem,) = read_problem_file(release)
    (sample, _) = problem.samples
    sample.options[1].text = "$70$"
    (tmp_path / "again").mkdir()
    write_jsonl(tmp_path / "again/p.jsonl", [problem])
    release = released(tmp_path / "again", name="s", reader="problems", path="p.jsonl")
    (path,) = export("mathverse", release, tmp_path / "y")
    row, _ = rows_of(path)
    assert row["question"] == "Find it.\nChoices:\nA:090\nB:$70$"
    assert row["sample_index"] == "41"


@pytest.mark.parametrize("name", ["../out.png", "/out.png", "x.json", "a\0.png"])
def test_a_published_name_of_a_picture_leads_nowhere_else(
    tmp_path: Path, name: str
) -> None:
    row = MM_MATH[0] | {"file_name": "12.png"}
    write_jsonl(tmp_path / "rows.jsonl", [row])
    (tmp_path / "12.png").write_bytes(png(50, 40))
    release = released(
        tmp_path, name="s", reader="mm-math", path="rows.jsonl", images="."
    )
    (problem,) = read_problem_file(release)
    problem.published["file_name"].said = name
    (tmp_path / "again").mkdir()
    write_jsonl(tmp_path / "again/p.jsonl", [problem])
    plan = {
        "name": "s",
        "reader": "problems",
        "path": "p.jsonl",
        "images": str(release),
    }
    release = released(tmp_path / "again", **plan)
    (path,) = export("mm-math", release, tmp_path / "y")
    assert rows_of(path)[0]["file_name"].startswith("images/")
    assert {Path(one).parts[0] for one in tree(tmp_path / "y")} <= {
        "test.jsonl", "images", "x.export.json",
    }  # fmt: skip
