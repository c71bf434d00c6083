"""Decisions and corrections of examples/math-v-clean fit the published data, line by line."""

from __future__ import annotations

import shutil
from pathlib import Path

from benchwright import build_release
from benchwright.release import read_manifest
from real_data import RealData

CLEAN = Path(__file__).parents[2] / "examples" / "math-v-clean"


def test_all_decisions_and_corrections_apply(tmp_path: Path, data: RealData) -> None:
    folder = tmp_path / "clean"
    shutil.copytree(CLEAN, folder)
    (folder / "MATH-V").symlink_to(data.whole("math-v"))
    release = build_release(folder / "recipe.yaml", folder / "out").release
    stages = {stage["stage"]: stage for stage in read_manifest(release)["stages"]}
    assert (stages["dedup"]["taken"], stages["dedup"]["kept"]) == (3040, 2848)
    assert not list(folder.glob("out/work/*-dedup/stale.jsonl"))
    readme = (CLEAN / "README.md").read_text("utf-8")
    assert (
        f"{len((CLEAN / 'decisions.jsonl').read_text('utf-8').splitlines())} pairs"
        in readme
    )
