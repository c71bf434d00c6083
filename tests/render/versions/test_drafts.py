"""The stage `spans` takes a model's drafts: votes bound to the text they are for."""

from __future__ import annotations

from pathlib import Path

import pytest
from benchwright.base.about import about
from benchwright.base.files import read_jsonl, write_jsonl
from benchwright.pipeline import Context, Engine, load_stage, run_stage
from benchwright.problem import Problem, Source, Vote

QUESTION = "As shown, AB is tangent to circle O, angle A = 50°, find angle O."
DRAFT = {"start": 10, "end": 36, "role": "DI", "alt": None}


@pytest.mark.parametrize(("more", "taken"), [("", True), (" Say why.", False)])
def test_drafts_come_first_unless_they_are_stale(
    tmp_path: Path, more: str, taken: bool
) -> None:
    source = Source(name="a", raw_id="1")
    drafted, plain = (
        Problem(id=k, origin=k, source=source, question=QUESTION) for k in "ab"
    )
    vote = Vote(problem_id="a", field="spans", value=[DRAFT], annotator="m", kind="model",
                about=about(drafted, "spans"))  # fmt: skip
    write_jsonl(tmp_path / "drafts.jsonl", [vote])
    drafted.question += more
    write_jsonl(tmp_path / "problems.jsonl", [drafted, plain])
    context = Context(recipe_folder=tmp_path, work=tmp_path, engine=Engine(1))
    options = {"drafts": str(tmp_path / "drafts.jsonl")}
    run_stage(
        load_stage("spans"),
        options,
        tmp_path / "problems.jsonl",
        tmp_path / "out",
        context,
    )
    kept = {p.id: p for p in read_jsonl(tmp_path / "out/problems.jsonl", Problem)}
    assert ([s.role for s in kept["a"].spans] == ["DI"]) == taken
    assert [s.role for s in kept["b"].spans] == ["IP", "EC"]  # by rule
    assert (tmp_path / "out/stale.jsonl").exists() != taken
