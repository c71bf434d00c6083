"""The site stands alone: every link and picture lies in the folder."""

from __future__ import annotations

import json
import re
import shutil
from pathlib import Path

import pytest
import yaml
from benchwright import build_release, score, site
from benchwright.errors import UserError
from benchwright.release import read_samples
from small import dump


def links(page: Path) -> set[str]:
    found = re.findall(r"""(?:href|src)=["']?([^"'\s>#]+)""", page.read_text("utf-8"))
    return {one for one in found if not one.startswith(("data:", "http"))}


def test_the_folder_is_whole_wherever_it_lies(tmp_path: Path) -> None:
    release = build_release(dump(tmp_path), tmp_path / "out").release
    rows = [{"id": s.id, "response": s.answer} for s in read_samples(release, "test")]
    (tmp_path / "r.jsonl").write_text(
        "".join(json.dumps(row) + "\n" for row in rows), "utf-8"
    )
    score(release, tmp_path / "r.jsonl", "test", tmp_path / "scores" / "gpt")
    made = site(release, [tmp_path / "scores" / "gpt"], out=tmp_path / "site")
    assert made.runs == 1
    moved = Path(shutil.move(tmp_path / "site", tmp_path / "elsewhere"))
    shutil.rmtree(release)
    shutil.rmtree(tmp_path / "scores")
    pages = list(moved.rglob("*.html"))
    assert {p.relative_to(moved).as_posix() for p in pages} == {
        "index.html", "release/index.html", "leaderboard/leaderboard.html"}  # fmt: skip
    for page in pages:
        for link in links(page):
            assert (page.parent / link).exists(), (page, link)
    front = (moved / "README.md").read_text("utf-8").split("---")[1]
    assert yaml.safe_load(front)["sdk"] == "static"
    assert not list(moved.rglob("problems"))


def test_replies_to_withheld_questions_are_not_shown(tmp_path: Path) -> None:
    hidden = build_release(
        dump(tmp_path, withhold_answers=["test"]), tmp_path / "out"
    ).release
    private = hidden.with_name(f"{hidden.name}-private")
    rows = [{"id": s.id, "response": f"SAID {s.answer}"}
            for s in read_samples(hidden, "test", private)]  # fmt: skip
    (tmp_path / "r.jsonl").write_text(
        "".join(json.dumps(row) + "\n" for row in rows), "utf-8"
    )
    score(hidden, tmp_path / "r.jsonl", "test", tmp_path / "gpt", answers=private)
    site(hidden, [tmp_path / "gpt"], out=tmp_path / "site")
    with pytest.raises(UserError, match="holds other files"):
        site(hidden, out=private)
    files = [path for path in (tmp_path / "site").rglob("*") if path.is_file()]
    assert not any(b"SAID" in path.read_bytes() for path in files)
