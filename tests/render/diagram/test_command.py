"""The command: files in, pictures out, issues on stderr, exit codes."""

from __future__ import annotations

import json
from pathlib import Path

from benchwright.cli import cli
from benchwright.errors import UserError
from click.testing import CliRunner, Result
from PIL import Image
from real_data import ROOT

SPEC = """
points: {A: [0, 0], B: [4, 0], C: [0, 3]}
draw: [{polygon: ABC}]
labels: [{segment: AB, text: "4"}]
"""


def run(*arguments: object) -> Result:
    return CliRunner().invoke(cli, ["render", "diagram", *map(str, arguments)])


def test_draws_beside_the_spec(tmp_path: Path) -> None:
    spec = tmp_path / "a.yaml"
    spec.write_text(SPEC)
    result = run(spec)
    assert result.exit_code == 0
    picture = Image.open(tmp_path / "a.png")
    assert picture.info == {}
    assert f"{picture.width} x {picture.height}" in result.stdout


def test_json_and_folder_and_tags(tmp_path: Path) -> None:
    for name in "ab":
        (tmp_path / f"{name}.yaml").write_text(SPEC)
    out = tmp_path / "out"
    result = run(
        tmp_path / "a.yaml",
        tmp_path / "b.yaml",
        "-o",
        out,
        "--json",
        "--tags",
        "DI, IP",
    )
    rows = json.loads(result.stdout)
    assert [Path(row["picture"]).name for row in rows] == ["a.png", "b.png"]
    assert all("'4'" not in row["annotation"] for row in rows)
    assert (out / "a.png").read_bytes() == (out / "b.png").read_bytes()


def test_a_name_without_suffix_is_a_folder(tmp_path: Path) -> None:
    spec = tmp_path / "a.yaml"
    spec.write_text(SPEC)
    assert run(spec, "-o", tmp_path / "pictures").exit_code == 0
    assert (tmp_path / "pictures" / "a.png").is_file()


def test_issues_exit_with_one(tmp_path: Path) -> None:
    spec = tmp_path / "a.yaml"
    spec.write_text(SPEC.replace('"4"', '"4", at: [2, 0]'))
    result = run(spec)
    assert result.exit_code == 1
    assert "label-overlap" in result.stderr
    assert (tmp_path / "a.png").exists()


def test_errors_name_the_file(tmp_path: Path) -> None:
    spec = tmp_path / "a.yaml"
    spec.write_text(SPEC.replace("ABC", "ABD"))
    result = run(spec)
    assert isinstance(result.exception, UserError)
    assert str(spec) in str(result.exception)
    assert not (tmp_path / "a.png").exists()
    assert isinstance(run(tmp_path / "none.yaml").exception, UserError)


def test_a_background_lies_beside_its_spec(tmp_path: Path) -> None:
    Image.new("RGB", (200, 150), "white").save(tmp_path / "p.png")
    text = "kind: picture\nbackground: {}\nlabels: [{{near: [90, 70], text: '5 cm'}}]"
    spec = tmp_path / "a.yaml"
    spec.write_text(text.format("p.png"))
    assert run(spec, "-o", tmp_path / "out.png").exit_code == 0
    assert Image.open(tmp_path / "out.png").width == 510
    for bad in ("../p.png", "/etc/passwd", "none.png"):
        spec.write_text(text.format(bad))
        assert isinstance(run(spec).exception, UserError)


def test_logic_forms(tmp_path: Path) -> None:
    forms = tmp_path / "f.json"
    forms.write_text(
        json.dumps(["Triangle(A, B, C)", "Equals(LengthOf(Line(A, B)), 5)"])
    )
    assert run(forms, "--form", "forms").exit_code == 0
    forms.write_text("{")
    assert isinstance(run(forms, "--form", "forms").exception, UserError)


def test_regions_of_a_label_studio_task(tmp_path: Path) -> None:
    Image.new("RGB", (200, 150), "white").save(tmp_path / "p.png")
    size = {"original_width": 200, "original_height": 150}
    box = {
        "x": 40,
        "y": 40,
        "width": 10,
        "height": 8,
        "rectanglelabels": ["EC text box"],
    }
    result = [
        {"id": "r", "type": "rectanglelabels", "value": box, **size},
        {
            "id": "r",
            "type": "textarea",
            "value": {**box, "text": ["60^\\circ"]},
            **size,
        },
    ]
    task = tmp_path / "t.json"
    task.write_text(
        json.dumps(
            {"data": {"image": "/data/p.png"}, "annotations": [{"result": result}]}
        )
    )
    drawn = run(task, "--form", "regions", "-o", tmp_path / "out.png", "--json")
    assert drawn.exit_code == 0
    assert "60" in json.loads(drawn.stdout)[0]["annotation"]
    for bad in ({}, [], {"data": {}, "annotations": []}):
        task.write_text(json.dumps(bad))
        assert isinstance(run(task, "--form", "regions").exception, UserError)


def test_wrong_commands_name_the_right_one() -> None:
    result = CliRunner().invoke(cli, ["render", "diagramm"])
    assert result.exit_code == 2
    assert "did you mean 'diagram'" in result.output


def test_the_manual_names_every_operation() -> None:
    from benchwright.render.diagram.compose import DRAW
    from benchwright.render.figure import (
        CONSTRUCTIONS,
        MARKS,
        MEASURES,
        RELATIONS,
        SECTIONS,
        SOLIDS,
    )
    from benchwright.render.labels import LABELS

    manual = (ROOT / "docs" / "diagrams.md").read_text("utf-8")
    for table in (
        DRAW,
        CONSTRUCTIONS,
        LABELS,
        MARKS,
        RELATIONS,
        MEASURES,
        SOLIDS,
        SECTIONS,
    ):
        for name in table:
            assert f"`{name}`" in manual, name


def test_the_manual_shows_every_example() -> None:
    root = ROOT
    manual = (root / "docs" / "diagrams.md").read_text("utf-8")
    for example in (root / "examples" / "diagrams").glob("*.yaml"):
        assert f"(diagrams/{example.stem}.png)" in manual
        assert (root / "docs" / "diagrams" / f"{example.stem}.png").exists()
