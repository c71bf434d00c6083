"""A look at a recipe: what would stop or spoil a build is found from a few rows, in any order."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from benchwright import build_release, check_recipe
from benchwright.base.files import read_jsonl
from benchwright.building.check import MOST
from benchwright.cli import cli
from benchwright.errors import UserError
from click.testing import CliRunner
from small import dump, png, write_recipe, write_rows


def found(recipe: Path) -> list[tuple[str, str]]:
    """Findings that are no hints, and the map that is proposed; the pictures here are tiny."""
    findings = check_recipe(recipe).findings
    return [
        (f.where, f.what) for f in findings if "picture-" not in f.what or not f.hint
    ]


def test_a_sound_recipe_has_no_findings_and_nothing_is_written(tmp_path: Path) -> None:
    recipe = dump(tmp_path, count=3 * MOST, exports=["math-v", "vlmevalkit"])
    before = sorted(tmp_path.rglob("*"))
    checked = check_recipe(recipe)
    assert [f for f in checked.findings if not f.hint] == []
    assert checked.rows == {"a": 3 * MOST}
    assert sorted(tmp_path.rglob("*")) == before


def test_a_split_by_a_label_that_nobody_has_is_told_before_the_build(
    tmp_path: Path,
) -> None:
    splits = {"mini": {"size": 3, "by": ["sauce"]}, "test": "rest"}
    (where, what), = found(dump(tmp_path, count=9, splits=splits))  # fmt: skip
    assert (where, what) == ("split mini", "no problem read has a label 'sauce'")
    later = check_recipe(dump(tmp_path, count=9, splits=splits, stages=["level"]))
    told = [finding.hint for finding in later.findings if finding.where == where]
    assert told == [True]


@pytest.mark.parametrize(
    ("stages", "told"),
    [([{"check": {"on_gold": "drop"}}], True), ([{"gold": {"on_fail": "drop"}}], True),
     ([{"check": {"policy": {"gold-empty": "drop"}}}], True), (["check", "gold"], False)],
)  # fmt: skip
def test_a_stage_that_would_leave_nothing_is_told(
    stages: list[Any], told: bool, tmp_path: Path
) -> None:
    write_rows(tmp_path / "d.jsonl", [{"id": 1, "question": "Prove it."}])
    source = {"name": "s", "reader": "jsonl", "path": "d.jsonl", "license": "MIT"}
    recipe = {"name": "x", "version": "1.0.0", "sources": [source], "stages": stages}
    found = check_recipe(write_recipe(tmp_path / "r.yaml", recipe)).findings
    assert any("no problem read has an answer" in one.what for one in found) == told


def test_columns_pictures_encodings_and_exports_are_looked_at(tmp_path: Path) -> None:
    rows = [
        {"nr": str(k), "Stem": "1+1?", "answer": "2", "pic": "no.png"} for k in range(3)
    ]
    write_rows(tmp_path / "raw.jsonl", rows)
    with (tmp_path / "raw.jsonl").open("ab") as file:
        file.write('{"Stem": "中"}\n'.encode("gb18030"))
    source = {"name": "s", "reader": "jsonl", "path": "raw.jsonl", "license": "MIT"}
    wanted = {
        "name": "x",
        "version": "1.0.0",
        "exports": ["math-v", "we-math", "mathverse"],
    }
    recipe = write_recipe(tmp_path / "r.yaml", wanted | {"sources": [source]})
    unmapped, broken, hint = found(recipe)
    assert "raw.jsonl:4: not UTF-8" in broken[1]
    assert "3 of 4 rows cannot be read: raw.jsonl:1: no field 'question'" in unmapped[1]
    assert hint[1] == "columns that are not mapped"
    [remedy] = [f.remedy for f in check_recipe(recipe).findings if f.hint]
    assert remedy == "fields: {id: nr, question: Stem, images: pic}"

    source["fields"] = {
        "id": "nr",
        "question": "Stem",
        "images": "pic",
        "labels.grade": "year",
    }
    write_recipe(recipe, wanted | {"sources": [source]})
    texts = [what for _, what in found(recipe)]
    assert "no row read has a column 'year'" in texts
    missing = next(text for text in texts if text.startswith("3 picture-missing: "))
    assert missing.count("no.png") == 3
    needs = [where for where, what in found(recipe) if "it needs" in what]
    assert needs == ["export math-v", "export we-math", "export mathverse"]
    stages = ["level", {"steps": {}}, "versions"]
    write_recipe(recipe, wanted | {"sources": [source], "stages": stages})
    assert not [what for _, what in found(recipe) if "it needs" in what]


@pytest.mark.parametrize("where", ["level >>= 2", "level in [1", "__import__('os')"])
def test_a_condition_that_cannot_be_read_stops_before_any_work(
    tmp_path: Path, where: str
) -> None:
    recipe = dump(tmp_path, stages=["check", {"select": {"where": where}}])
    with pytest.raises(UserError, match=r"recipe\.yaml:\d+"):
        check_recipe(recipe)


def test_a_stage_to_stop_at_that_is_not_there_is_named_before_any_work(
    tmp_path: Path,
) -> None:
    recipe = dump(tmp_path, stages=["check", "latex", "latex"])
    for until, message in [
        ("chek", "no stage 'chek'"),
        ("latex", "2 stages are 'latex': give one of 02-latex, 03-latex"),
    ]:
        with pytest.raises(UserError) as error:
            build_release(recipe, tmp_path / "out", until=until)
        assert message in str(error.value)
        assert "02-latex" in str(error.value)
    assert not (tmp_path / "out").exists()


def test_the_command_tells_findings_by_its_exit_status(tmp_path: Path) -> None:
    recipe = dump(tmp_path)
    out = ["-o", str(tmp_path / "out")]
    sound = CliRunner().invoke(cli, ["build-release", str(recipe), "--check", *out])
    assert (sound.exit_code, sound.stdout.splitlines()[-1]) == (
        0,
        "a: 12 rows read; no findings, 2 to look at",
    )
    (tmp_path / "images" / "1.png").unlink()
    bad = CliRunner().invoke(
        cli, ["build-release", str(recipe), "--check", "--json", *out]
    )
    assert bad.exit_code == 1
    wrong = [f["what"] for f in json.loads(bad.stdout)["findings"] if not f["hint"]]
    assert wrong == [
        "1 picture-missing: a-1 (dump.jsonl:1): images: images/1.png",
        "1 picture-placeholder: a-1 (dump.jsonl:1): question: <image1> with 0 pictures",
    ]


def test_the_build_goes_on_from_what_the_look_has_read(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    recipe = dump(tmp_path)
    check_recipe(recipe, tmp_path / "out")
    capsys.readouterr()
    build_release(recipe, tmp_path / "out", until="check")
    said = capsys.readouterr().err.splitlines()
    assert [line.endswith("[unchanged]") for line in said] == [True, True]


def test_ten_thousand_findings_of_one_cause_are_one_line(tmp_path: Path) -> None:
    rows = [
        {"id": k, "question": f"Find $x^2^3+{k}$ of {{{{name}}}}.", "answer": str(k)}
        for k in range(10_000)
    ]
    write_rows(
        tmp_path / "d.jsonl", [*rows, {"id": "big", "question": "x" * 1_000_000}]
    )
    source = {"name": "s", "reader": "jsonl", "path": "d.jsonl", "license": "MIT"}
    recipe = {"name": "x", "version": "1.0.0", "sources": [source]}
    checked = check_recipe(write_recipe(tmp_path / "r.yaml", recipe))
    [told] = [f for f in checked.findings if " text-formula: " in f.what]
    assert told.what.startswith(
        "10000 text-formula: s-0 (d.jsonl:1): question: two super"
    )
    assert told.what.count("(d.jsonl:") == 3
    assert all(len(f.what) < 600 for f in checked.findings)


def test_rows_of_one_cause_that_cannot_be_read_are_one_line(tmp_path: Path) -> None:
    rows = [{"id": k, "question": f"What is {k}?"} for k in (1, 1, 2, 2, 3, 3, 4)]
    write_rows(tmp_path / "d.jsonl", rows)
    source = {"name": "s", "reader": "jsonl", "path": "d.jsonl", "license": "MIT"}
    recipe = {"name": "x", "version": "1.0.0", "sources": [source]}
    texts = [what for _, what in found(write_recipe(tmp_path / "r.yaml", recipe))]
    [told] = [text for text in texts if "cannot be read" in text]
    assert told.startswith(
        "3 of 7 rows cannot be read: d.jsonl:2: id 's-1' stands also"
    )
    assert told.endswith("(also d.jsonl:4, d.jsonl:6)")


def test_a_stage_that_stops_is_told_and_the_rest_goes_on(tmp_path: Path) -> None:
    stages = [{"check": {"policy": {"text-formula": "fail"}}}]
    rows = [{"id": 1, "question": "Find $x^2^3$.", "answer": "C"}]
    write_rows(tmp_path / "d.jsonl", rows)
    source = {"name": "s", "reader": "jsonl", "path": "d.jsonl", "license": "MIT"}
    recipe = {"name": "x", "version": "1.0.0", "sources": [source], "stages": stages}
    findings = check_recipe(write_recipe(tmp_path / "r.yaml", recipe)).findings
    assert any(f.where == "recipe" and "check failed" in f.what for f in findings)
    assert any("1 gold-without-options" in f.what for f in findings)


def test_annotated_pictures_of_no_problem_are_listed(tmp_path: Path) -> None:
    (tmp_path / "by-hand").mkdir()
    for name in ("1.png", "77.png"):
        (tmp_path / "by-hand" / name).write_bytes(png(40, 40, 3))
    source = {"name": "a", "reader": "jsonl", "path": "dump.jsonl", "license": "MIT"}
    build_release(
        dump(tmp_path, sources=[source | {"annotated": "by-hand"}]), tmp_path / "out"
    )
    [row] = read_jsonl(
        tmp_path / "out" / "work" / "00-read" / "unused.jsonl", dict[str, str]
    )
    assert (row["source"], row["file"]) == ("a", "77.png")


EXAMPLES = Path(__file__).parents[2] / "examples"
# of math-v-clean the dump is not here: its reader says so
RECIPES = sorted(
    p for p in EXAMPLES.glob("**/recipe.yaml") if "math-v-clean" not in p.parts
)


@pytest.mark.parametrize("recipe", RECIPES, ids=lambda p: p.parent.name)
def test_every_example_can_be_looked_over(recipe: Path) -> None:
    """All recipes of ours, `label` with its policies among them, come through `--check`."""
    checked = check_recipe(recipe)
    assert sum(checked.rows.values()) > 0
    build_would_stop = [f for f in checked.findings if f.where.startswith("recipe")]
    assert build_would_stop == []


def test_all_recipes_of_ours_are_looked_over() -> None:
    assert {p.parent.name for p in RECIPES} >= {
        "math-v",
        "mathverse",
        "we-math",
        "mm-math",
    }
