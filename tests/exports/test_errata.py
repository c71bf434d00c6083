"""Errata of texts, options and pictures; withdrawn problems; what the changelog may say of them."""

from __future__ import annotations

import hashlib
import json
from pathlib import Path
from typing import Any

import pytest
import yaml
from benchwright import build_release, diff
from benchwright.base.files import read_jsonl
from benchwright.cli import cli
from benchwright.errors import UserError
from benchwright.exports import verify
from benchwright.problem import Drop, Problem
from benchwright.release import read_corrections, read_problems, split_names
from click.testing import CliRunner
from small import dump, png, tree, write_rows

CHECKED = [
    {"check": {"policy": {"picture-missing": "drop", "picture-placeholder": "drop"}}}
]


def mended(
    folder: Path, *entries: dict[str, Any], **changes: Any
) -> dict[str, Problem]:
    """The problems of `dump` with errata applied, by id without its source."""
    release = build(folder, *entries, **changes)
    problems = (
        p for name in split_names(release) for p in read_problems(release, name)
    )
    return {problem.id.removeprefix("a-"): problem for problem in problems}


def build(folder: Path, *entries: dict[str, Any], **changes: Any) -> Path:
    recipe = dump(folder, **{"errata": "errata.yaml"} | changes)
    rows = [{"reason": "because"} | entry for entry in entries]
    (folder / "errata.yaml").write_text(yaml.safe_dump(rows), "utf-8")
    return build_release(recipe, folder / "out", force=True).release


def test_a_passage_that_stands_once_is_replaced_in_place(tmp_path: Path) -> None:
    typo = {
        "id": "a-2",
        "field": "question",
        "passage": "What is",
        "new": "How much is",
    }
    text = {"id": "a-3", "field": "options.B", "passage": "7", "new": "77"}
    found = mended(tmp_path, typo, text)
    assert found["2"].question == "<image1> How much is $2+2$?"
    assert [option.text for option in found["3"].options] == ["6", "77", "16"]
    for passage, message in [("2", "stands 2 times"), ("Whence", "stands nowhere")]:
        with pytest.raises(UserError, match=message):
            mended(tmp_path, typo | {"passage": passage})
    with pytest.raises(UserError, match="no old"):
        mended(tmp_path, typo | {"old": "x"})


def test_a_hash_stands_for_the_old_text(tmp_path: Path) -> None:
    digest = hashlib.sha256(b"<image1> What is $2+2$?").hexdigest()
    whole = {"id": "a-2", "field": "question", "new": "<image1> 2+2?"}
    for digits in (8, 64):
        found = mended(tmp_path, whole | {"old": f"sha256:{digest[:digits]}"})
        assert found["2"].question == "<image1> 2+2?"
    with pytest.raises(UserError, match="stale"):
        mended(tmp_path, whole | {"old": "sha256:00000000"})
    with pytest.raises(UserError, match="stale"):  # too short to tell anything
        mended(tmp_path, whole | {"old": f"sha256:{digest[:7]}"})


def test_options_are_changed_added_and_taken_out(tmp_path: Path) -> None:
    found = mended(
        tmp_path,
        {"id": "a-3", "field": "options.B", "old": "7", "new": "8"},
        {"id": "a-3", "field": "options.D", "new": "none of these"},
        {"id": "a-6", "field": "options.C", "old": "25", "new": None},
        {"id": "a-3", "field": "labels.level", "old": 4, "new": 5},
    )
    assert [(o.label, o.text) for o in found["3"].options] == [
        ("A", "6"), ("B", "8"), ("C", "16"), ("D", "none of these"),
    ]  # fmt: skip
    assert [o.label for o in found["6"].options] == ["A", "B"]
    assert found["3"].labels["level"] == 5
    for wrong, message in [
        ({"field": "options.Q", "new": None}, "no option 'Q'"),
        ({"field": "options.B", "new": 8}, "write a text"),
        ({"field": "options.B", "old": "nine", "new": "8"}, "is '7', not 'nine'"),
        ({"field": "option.B", "new": "8"}, "did you mean 'options"),
    ]:
        with pytest.raises(UserError, match=message):
            mended(tmp_path, {"id": "a-3"} | wrong)


def test_a_picture_is_replaced_by_a_file_and_its_change_is_noticed(
    tmp_path: Path,
) -> None:
    (tmp_path / "fixed").mkdir()
    (tmp_path / "fixed/5.png").write_bytes(png(90, 60, 200))
    old = hashlib.sha256(
        (dump(tmp_path).parent / "images/5.png").read_bytes()
    ).hexdigest()
    entry = {
        "id": "a-5",
        "field": "images.1",
        "old": f"sha256:{old[:12]}",
        "new": "fixed/5.png",
    }
    more = {"id": "a-3", "field": "options.A.image", "new": "fixed/5.png"}
    found = mended(tmp_path, entry, more)
    assert [image.width for image in found["5"].images] == [90]
    assert found["3"].options[0].image == found["5"].images[0]
    assert (tmp_path / "out/small-1.0.0" / found["5"].images[0].path).is_file()
    (tmp_path / "fixed/5.png").write_bytes(png(91, 60, 200))
    assert mended(tmp_path, entry)["5"].images[0].width == 91
    for wrong, message in [
        ({"old": f"sha256:{'0' * 12}"}, "stale"),
        ({"new": "fixed/6.png"}, "no picture 'fixed/6.png'"),
        ({"new": "../../x.png"}, "leaves its folder"),
        ({"field": "images.7", "old": None}, "there are 1 pictures"),
        ({"field": "images.7", "old": old, "new": None}, "stale"),
    ]:
        with pytest.raises(UserError, match=message):
            mended(tmp_path, entry | wrong)


def test_a_picture_is_taken_out_with_its_mark(tmp_path: Path) -> None:
    (tmp_path / "more.png").write_bytes(png(90, 60, 200))
    found = mended(
        tmp_path,
        {"id": "a-5", "field": "question", "new": "See <image1>, then <image2>."},
        {"id": "a-5", "field": "images.2", "new": "more.png"},
        {"id": "a-5", "field": "images.1", "new": None},
    )
    assert found["5"].question == "See, then <image1>."
    assert [image.width for image in found["5"].images] == [90]


def test_a_missing_picture_that_an_erratum_brings_is_missing_no_more(
    tmp_path: Path,
) -> None:
    (tmp_path / "fixed.png").write_bytes(png(90, 60, 200))
    recipe = dump(
        tmp_path, errata="errata.yaml", stages=CHECKED, splits={"test": "rest"}
    )
    data = [
        json.loads(line) for line in (tmp_path / "dump.jsonl").read_text().splitlines()
    ]
    write_rows(
        tmp_path / "dump.jsonl", [row | {"images": ["gone.png"]} for row in data[:6]]
    )
    entry = {
        "id": "a-2",
        "field": "images.1",
        "old": "gone.png",
        "new": "fixed.png",
        "reason": "r",
    }
    (tmp_path / "errata.yaml").write_text(yaml.safe_dump([entry]))
    release = build_release(recipe, tmp_path / "out").release
    kept = [p.id for name in split_names(release) for p in read_problems(release, name)]
    assert kept == ["a-2"]


WITHDRAWN = {"id": "a-4", "reason": "two answers | are right"}


def test_a_withdrawn_problem_is_gone_and_everybody_reads_why(tmp_path: Path) -> None:
    old = build_release(dump(tmp_path), tmp_path / "out").release
    later = {"version": "1.1.0", "previous": "out/small-1.0.0"}
    recipe = dump(tmp_path, 14, **later, withdraw=[WITHDRAWN])
    built = build_release(recipe, tmp_path / "out")
    new = built.release
    [drop] = read_jsonl(tmp_path / "out/work/02-withdraw/dropped.jsonl", Drop)
    assert (drop.id, drop.reason) == ("a-4", f"withdrawn: {WITHDRAWN['reason']}")
    report = next(report for report in built.reports if report.stage == "withdraw")
    assert (report.taken, report.dropped, report.reasons) == (14, 1, {"withdrawn": 1})
    kinds = {
        change.id: (change.kinds, change.new.get("reason")) for change in diff(old, new)
    }
    assert kinds["a-4"] == (["withdrawn"], WITHDRAWN["reason"])
    assert {name for name, (kind, _) in kinds.items() if kind == ["added"]} == {
        "a-13",
        "a-14",
    }
    log = (new / "CHANGELOG.md").read_text()
    assert "- withdrawn: 1 (a-4)" in log
    assert "- a-4: two answers | are right" in log
    assert "| `a-4` | two answers \\| are right |" in (new / "README.md").read_text()
    assert [c.reasons for c in read_corrections(new) if c.id == "a-4"] == [
        [f"withdrawn: {WITHDRAWN['reason']}"]
    ]
    assert verify(new) == []
    said = CliRunner().invoke(cli, ["diff", str(old), str(new)]).stdout
    assert "withdrawn, two answers | are right" in said

    again = dump(
        tmp_path, 14, version="1.2.0", previous="out/small-1.1.0", withdraw=[WITHDRAWN]
    )
    log = (build_release(again, tmp_path / "out").release / "CHANGELOG.md").read_text()
    assert log.count("a-4: two answers") == 1  # it was gone before this version


def test_withdrawals_may_stand_in_a_file_and_wrong_ones_are_named(
    tmp_path: Path,
) -> None:
    recipe = dump(tmp_path, withdraw="withdrawn.yaml")
    file = tmp_path / "withdrawn.yaml"

    def tried(*entries: dict[str, Any]) -> str:
        file.write_text("".join(f"- {json.dumps(entry)}\n" for entry in entries))
        with pytest.raises(UserError) as error:
            build_release(recipe, tmp_path / "out")
        return str(error.value)

    unknown = tried(WITHDRAWN | {"id": "a-44"})
    assert "unknown id 'a-44'" in unknown
    assert "did you mean 'a-4'" in unknown
    assert "withdrawn.yaml:2: a-4 stands twice" in tried(WITHDRAWN, WITHDRAWN)
    assert "withdrawn.yaml:1: 0.reason" in tried({"id": "a-4", "reason": ""})
    assert "withdrawn.yaml:1: unknown key 'why'" in tried({"id": "a-4", "why": "x"})
    file.write_text(json.dumps([WITHDRAWN]))
    kept = build_release(recipe, tmp_path / "out").reports[-1].out
    assert kept == 11


def test_what_a_stage_dropped_before_is_accounted_for_there(tmp_path: Path) -> None:
    """Withdrawn and then dropped by a stricter check: the recipe still builds."""
    dropping = [{"select": {"where": "level != 5"}}]  # a-4 and a-9
    recipe = dump(tmp_path, stages=dropping, withdraw=[WITHDRAWN])
    built = build_release(recipe, tmp_path / "out")
    assert [(r.stage, r.dropped) for r in built.reports[1:3]] == [
        ("select", 2),
        ("withdraw", 0),
    ]
    wrong = dump(tmp_path, stages=dropping, withdraw=[WITHDRAWN | {"id": "b-4"}])
    with pytest.raises(UserError, match="unknown id 'b-4'"):
        build_release(wrong, tmp_path / "out", force=True)


def test_of_withheld_problems_only_what_tells_an_answer_is_hidden(
    tmp_path: Path,
) -> None:
    """`test` withholds all twelve; the golds are 2k, or A of three options."""
    said = {
        "a-1": (
            "question",
            {"passage": "What", "new": "Which"},
            "typo in the question",
            True,
        ),
        "a-2": (
            "question",
            {"passage": "What", "new": "Which"},
            "the text said 4 already",
            False,
        ),
        "a-3": (
            "options.B",
            {"old": "7", "new": "8"},
            "the wrong one was right",
            False,
        ),
        "a-4": ("answer", {"old": "8", "new": "9"}, "miscounted", False),
        "a-5": ("labels.level", {"new": 5}, "level 14, not 10.5", True),
        "a-7": ("solution", {"new": "twice seven"}, "it had none", False),
        "a-8": ("unit", {"new": "cm"}, "the unit was missing", True),
    }
    entries = [
        {"id": k, "field": f, "reason": why} | e for k, (f, e, why, _) in said.items()
    ]
    hidden = {"splits": {"test": "rest"}, "withhold_answers": ["test"]}
    release = build(tmp_path, *entries, **hidden)
    log = (release / "CHANGELOG.md").read_text().splitlines()
    for name, (field, _, why, shown) in said.items():
        told = why if shown else "(its answer is withheld)"
        assert f"- {name} {field}: {told}" in log
    secret = [why.encode() for *_, why, shown in said.values() if not shown]
    assert not any(why in data for data in tree(release).values() for why in secret)
    gone = {"id": "a-4", "field": "answer", "new": "9", "reason": "as in a-11: 4711"}
    release = build(
        tmp_path, gone, **hidden, withdraw=[{"id": "a-4", "reason": "as a-11"}]
    )
    assert (
        "- a-4 answer: (it is not in this release)"
        in (release / "CHANGELOG.md").read_text()
    )


def test_a_picture_is_taken_anew_from_its_page(tmp_path: Path) -> None:
    dump(tmp_path)
    (tmp_path / "page.png").write_bytes(png(200, 300, 4))
    cut = {
        "id": "a-2",
        "field": "images.1",
        "new": "page.png",
        "crop": [10, 20, 50, 60],
    }
    found = mended(tmp_path, cut)
    assert [(i.width, i.height) for i in found["2"].images] == [(50, 60)]
    for crop in ([10, 20, 191, 60], [-1, 0, 9, 9], [0, 0, 0, 9]):
        with pytest.raises(UserError, match="leaves the page of 200 x 300"):
            mended(tmp_path, cut | {"crop": crop})
    with pytest.raises(UserError, match="crop belongs to a picture"):
        mended(
            tmp_path, {"id": "a-2", "field": "answer", "new": "4", "crop": [0, 0, 9, 9]}
        )
