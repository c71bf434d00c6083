"""The texts of the versions are held to the picture that each of them shows."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
import yaml
from benchwright import build_release
from benchwright.base.command_tree import Commands
from benchwright.base.files import write_jsonl
from benchwright.living.texts import Template
from benchwright.problem import Problem, Source
from benchwright.render.versions import six_samples
from click.testing import CliRunner

PLANTED = yaml.safe_load(
    Path(__file__).with_name("planted_versions.yaml").read_text("utf-8")
)
FOR_PEOPLE = "figure-unread"  # the short list: nothing proves it
OF_WORDS = "text-contradicts label-otherwise condition-elsewhere drawn-nowhere name-nowhere".split()


def _problem(text: str) -> Problem:
    """A problem of a question with marked spans, and the spec below it."""
    question, spec = text.split("\n", 1)
    filled = Template(question, []).fill({})
    return Problem(
        id="own-1",
        origin="own-1",
        source=Source(name="own", raw_id="1"),
        question=filled.text,
        spans=filled.spans,
        placement=spec,
        answer="4.8",
        answer_kind="number",
    )


def _issues(text: str, work: Path) -> dict[str, str]:
    _, issues = six_samples(_problem(text), work)
    return {str(issue): issue.code for issue in issues}


@pytest.mark.parametrize("name", PLANTED)
def test_a_mistake_in_one_version_is_told(name: str, tmp_path: Path) -> None:
    case = PLANTED[name]
    text = f"{case['question']}\n{case['spec']}".replace(*case.get("fixed", ["", ""]))
    right = _issues(text, tmp_path)
    assert {*right.values()} <= {FOR_PEOPLE}
    for old, new in case["mistakes"]:
        assert old in text, old
        others = _issues(text.replace(old, new), tmp_path)
        assert others.keys() - right.keys(), (old, new)


@pytest.mark.parametrize(
    ("change", "version", "code"),
    [
        (("{segment: CD}]", "{segment: CD, tag: EC}]"), "text_dominant", "drawn-nowhere"),
        (("labels: [", "hide: [D]\nlabels: ["), "text_dominant", "name-nowhere"),
        (("to AB.]", "to AB.||CD is equal to AB.]"), "vision_intensive", "text-contradicts"),
        (("{segment: AC,", "{segment: AB,"), "vision_dominant", "condition-elsewhere"),
        (('text: "8"', 'text: "8 m"'), "", ""),
        (("AC = 8", "AC = 8 cm"), "", ""),  # a label without a unit may be in any
        (("AC = 8", "AC = $\\sqrt{65}$"), "text_dominant", "label-otherwise"),
        (("AC = 8", "AC = $\\sqrt{64}$"), "", ""),
    ],
)  # fmt: skip
def test_an_issue_names_the_version_that_it_is_of(
    change: tuple[str, str], version: str, code: str, tmp_path: Path
) -> None:
    case = PLANTED["height"]
    text = f"{case['question']}\n{case['spec']}".replace(*change)
    _, issues = six_samples(_problem(text), tmp_path)
    told = {(issue.where, issue.code) for issue in issues}
    told = {one for one in told if one[1] in OF_WORDS}
    assert told == ({(version, code)} if code else set())


def test_a_figure_that_is_not_to_scale_is_held_to_its_labels_alone(
    tmp_path: Path,
) -> None:
    text = (
        "AB = 3 and BC = 4. AB is perpendicular to BC. How long is AC?\n"
        "scale: false\npoints: {A: [0, 0], B: [5, 0], C: [7, 2]}\n"
        "draw: [{polygon: ABC}]\n"
        "labels: [{segment: AB, text: '3'}, {segment: BC, text: '4'}]"
    )
    assert {*_issues(text, tmp_path).values()} == {"no-spans"}
    wrong = _issues(text.replace("BC = 4", "BC = 5"), tmp_path)
    assert "label-otherwise" in wrong.values()


def test_the_check_and_the_build_tell_a_condition_of_another_thing(
    tmp_path: Path,
) -> None:
    case = PLANTED["angles"]
    text = f"{case['question']}\n{case['spec']}".replace(*case["fixed"])
    wrong = text.replace("{angle: ABC, text", "{angle: ACB, text")
    write_jsonl(tmp_path / "in" / "problems.jsonl", [_problem(wrong)])
    recipe = tmp_path / "recipe.yaml"
    recipe.write_text(
        "name: own\nversion: 1.0.0\nsplits: {test: rest}\nsources:\n"
        "- {name: own, reader: problems, path: in/problems.jsonl, images: in, license: MIT}\n"
        "stages: [versions: {}]\n"
    )
    run = CliRunner().invoke(
        Commands(""),
        ["build-release", str(recipe), "--check", "-o", str(tmp_path / "out")],
    )
    assert "figure-contradicts" in run.output, run.output
    assert "printed at another thing: angle ACB" in run.output
    release = build_release(recipe, tmp_path / "out").release
    (path,) = release.parent.rglob("*-versions/issues.jsonl")
    rows = [json.loads(line) for line in path.read_text("utf-8").splitlines()]
    (row,) = [row for row in rows if row["code"] == "condition-elsewhere"]
    assert (row["id"], row["where"]) == ("own-1", "vision_dominant")
