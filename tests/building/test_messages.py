"""What `--check` and refusals say: each names the remedy that mends it, word for word usable."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
import yaml
from benchwright import build_release, check_recipe
from benchwright.errors import UserError
from small import write_recipe, write_rows

ROWS = [
    {"id": k, "question": f"What is {k}+1?", "answer": str(k + 1)} for k in range(1, 5)
]


def recipe(folder: Path, rows: list[dict[str, Any]], **source: Any) -> Path:
    (folder / "t.jsonl").write_text(
        "".join(json.dumps(row) + "\n" for row in rows), "utf-8"
    )
    spec = {
        "name": "s",
        "reader": "jsonl",
        "path": "t.jsonl",
        "license": "MIT",
    } | source
    stages = source.pop("stages", ["check"])
    spec.pop("stages", None)
    plan = {"name": "m", "version": "1.0.0", "sources": [spec], "stages": stages}
    path = folder / "recipe.yaml"
    path.write_text(json.dumps(plan | {"splits": {"test": "rest"}}), "utf-8")
    return path


def said(path: Path) -> str:
    return "\n".join(f"{f.what} -> {f.remedy}" for f in check_recipe(path).findings)


def test_a_proposed_map_is_read_back_by_yaml_as_it_is_meant(tmp_path: Path) -> None:
    rows = [{"No": k, "Stem": "1+1?", "Key": "2"} for k in range(3)]
    lines = said(recipe(tmp_path, rows))
    proposed = lines[lines.index("fields: {") :].split("\n")[0]
    assert yaml.safe_load(proposed) == {
        "fields": {"id": "No", "question": "Stem", "answer": "Key"}
    }


def test_a_key_that_yaml_reads_as_no_text_is_named(tmp_path: Path) -> None:
    path = recipe(tmp_path, ROWS, fields={"id": False})
    with pytest.raises(
        UserError, match=r"Expected str, got bool at id: False: quote it"
    ):
        check_recipe(path)


def test_a_turned_map_is_offered_turned(tmp_path: Path) -> None:
    path = recipe(tmp_path, ROWS, fields={"analysis": "solution"})
    assert "ours: theirs, so write solution: analysis" in said(path)


@pytest.mark.parametrize(
    ("licence", "line"),
    [
        ("MIT", ""),
        ("GPL-3.0-or-later", ""),
        ("CC-BY-4.0 AND (MIT OR Apache-2.0)", ""),
        ("LicenseRef-own", ""),
        ("gpl-3.0-or-later", "SPDX calls it GPL-3.0-or-later"),
        ("CC-BY", "unknown licence 'CC-BY'"),
        ("MIT AND", "unknown licence 'MIT AND'"),
        (None, "has no licence"),
    ],
)
def test_licences_are_looked_at_before_any_stage(
    tmp_path: Path, licence: str | None, line: str
) -> None:
    pytest.importorskip("license_expression")
    lines = said(recipe(tmp_path, ROWS, license=licence))
    assert (line in lines) if line else "licence" not in lines


def test_an_expression_goes_into_the_release(tmp_path: Path) -> None:
    pytest.importorskip("license_expression")
    path = recipe(tmp_path, ROWS, license="GPL-3.0-or-later OR MIT")
    release = build_release(path, tmp_path / "out").release
    text = (release / "LICENSES/GPL-3.0-or-later OR MIT.txt").read_text("utf-8")
    assert "https://spdx.org/licenses/GPL-3.0-or-later.html" in text


def test_columns_that_no_field_uses_are_named(tmp_path: Path) -> None:
    rows = [row | {"remark": "sums", "img": f"p{k}.png"} for k, row in enumerate(ROWS)]
    lines = said(recipe(tmp_path, rows, fields={"images": "picture"}))
    assert "columns that no field uses: remark" in lines
    assert "fields: {images: img}" in lines


def test_what_is_wrong_at_a_glance_is_said_by_check_build_and_card(
    tmp_path: Path,
) -> None:
    rows = [row | {"answer": "B"} for row in ROWS]
    path = recipe(tmp_path, rows)
    line = "4 of 4 golds are an option's letter where there are no options"
    assert line in said(path)
    release = build_release(path, tmp_path / "out").release
    assert f"- s: {line}" in (release / "README.md").read_text("utf-8")


@pytest.mark.parametrize(
    ("row", "line"),
    [
        ({"options": ["3 B. 4 C. 5", "7"], "answer": "B"},
         "1 of 1 problems have an option that holds labels"),
        ({"options": ["$f(b)=2$", "7", "8"], "answer": "B"}, ""),
        ({"options": ["4"], "answer": "A"}, "1 of 1 problems have a single option"),
        ({"answer": ["B", "C"]}, "1 of 1 golds are an option's letter where there are no options"),
        ({"answer": "4", "figure_file": "a.png"},
         "none of 1 problems has a picture, 1 name one"),
    ],
)  # fmt: skip
def test_each_thing_that_a_person_would_see_at_a_glance(
    row: dict[str, Any], line: str, tmp_path: Path
) -> None:
    write_rows(tmp_path / "d.jsonl", [{"id": 1, "question": "Which is it?"} | row])
    source = {"name": "s", "reader": "jsonl", "path": "d.jsonl", "license": "MIT"}
    path = write_recipe(
        tmp_path / "r.yaml", {"name": "x", "version": "1.0.0", "sources": [source]}
    )
    seen = [f.what for f in check_recipe(path).findings if " of 1 " in f.what]
    assert seen == ([line] if line else [])


def test_decisions_may_be_written_later(tmp_path: Path) -> None:
    path = recipe(tmp_path, ROWS, stages=[{"dedup": {"decisions": "decisions.jsonl"}}])
    assert build_release(path, tmp_path / "out").fresh
    path = recipe(
        tmp_path, ROWS, stages=[{"dedup": {"decisions": "no/decisions.jsonl"}}]
    )
    with pytest.raises(UserError, match="does not exist"):
        build_release(path, tmp_path / "out")


def test_no_line_of_the_quarantine_names_this_machine(tmp_path: Path) -> None:
    rows = [*ROWS, ROWS[0] | {"id": 9, "images": "../../etc/passwd"}, {"id": 10}]
    path = recipe(tmp_path, rows)
    (tmp_path / "t.jsonl").open("a").write("{half\n")
    build_release(path, tmp_path / "out", until="read")
    work = tmp_path / "out/work/00-read"
    for name in ("quarantine.jsonl", "dropped.jsonl", "noted.jsonl", "outside.jsonl"):
        if (work / name).exists():
            assert str(tmp_path) not in (work / name).read_text("utf-8")


def test_golds_in_dollars_are_bare_after_latex(tmp_path: Path) -> None:
    golds = ["$\\frac{1}{2}$", "\\boxed{3}", "$x$ and $y$", "$\\boxed{4}$"]
    rows = [row | {"answer": gold} for row, gold in zip(ROWS, golds, strict=True)]
    path = recipe(tmp_path, rows, stages=["latex", "check"])
    build_release(path, tmp_path / "out", until="check")
    problems = (
        (tmp_path / "out/work/02-check/problems.jsonl").read_text("utf-8").splitlines()
    )
    answers = [json.loads(line)["answer"] for line in problems]
    assert answers == ["\\frac{1}{2}", "3", "$x$ and $y$", "4"]
