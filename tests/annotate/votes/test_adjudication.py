"""What goes to an adjudicator brings its pictures; any file that holds problems is read."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from benchwright import adjudicate
from benchwright.annotate.votes import ledger
from benchwright.base.files import encode, write_jsonl
from benchwright.base.pictures import picture_root, store_picture
from benchwright.errors import UserError
from benchwright.problem import Vote
from benchwright.release import read_problem_file
from small import png, problem


def test_adjudication_brings_its_pictures(tmp_path: Path) -> None:
    image = store_picture(png(), tmp_path / "work")
    problems = tmp_path / "work" / "03-check" / "problems.jsonl"
    write_jsonl(problems, [problem(1, images=[image]), problem(2)])
    votes = [
        Vote(problem_id="a-1", field="subject", value=value, annotator=value)
        for value in "xy"
    ]
    out = tmp_path / "elsewhere" / "adjudicate.jsonl"
    assert adjudicate(ledger(votes, "subject", "majority"), problems, out) == ["a-1"]
    (open_problem,) = read_problem_file(out)
    assert picture_root(out, open_problem.images) == out.parent
    assert (out.parent / image.path).read_bytes() == (
        tmp_path / "work" / image.path
    ).read_bytes()


def test_problems_of_a_release_are_read_with_their_canary(tmp_path: Path) -> None:
    row = json.loads(encode(problem(1))) | {"canary": "canary GUID 1"}
    path = tmp_path / "test.jsonl"
    path.write_text(json.dumps(row) + "\n", "utf-8")
    assert read_problem_file(path) == [problem(1)]
    path.write_text("{}\n", "utf-8")
    with pytest.raises(UserError, match="not a problem"):
        read_problem_file(path)
