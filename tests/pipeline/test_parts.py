"""The part is what is done again when something changes: who is, counted; and the same bytes."""

from __future__ import annotations

import json
import shutil
from collections.abc import Callable
from hashlib import sha256
from pathlib import Path

import msgspec
import pytest
from benchwright import build_release
from benchwright.base.files import sha256_tree
from benchwright.pipeline import Engine, Parts, cut, trim
from small import dump, png

STAGES = """
from benchwright import stage
from benchwright.base.pictures import store_picture
from benchwright.problem import Drop
from small import png
import os

def note(name, problem, context):
    with open(context.recipe_folder / f"{name}.ran", "a") as log:
        log.write(problem.id + chr(10))

@stage("plain")
def plain(problem, *, context, size: int = 9):
    note("plain", problem, context)
    context.record("seen", {"id": problem.id})
    if problem.id.endswith("7"):
        return Drop(id=problem.id, reason="seven")
    problem.images.append(store_picture(png(size, int(problem.source.raw_id)), context.work))
    return problem

@stage("drawing")
def drawing(problem, *, context):
    note("drawing", problem, context)
    problem.labels["lot"] = context.seed
    return problem
"""
Rows = list[dict[str, object]]
ROWS, KEPT = 260, 234  # every tenth is dropped
MOST = 128  # rows of a part


class Project:
    """A dump of 260 rows with two stages that note whom they see."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.recipe = dump(folder, ROWS, stages=["plain", "drawing"])
        self.rows = folder / "dump.jsonl"
        (folder / "stages.py").write_text(STAGES)

    def build(self, out: str = "out", jobs: int = 1) -> str:
        made = build_release(
            self.recipe, self.folder / out, engine=Engine(jobs), force=True,
            plugins=[self.folder / "stages.py"],
        )  # fmt: skip
        return sha256_tree(made.release)

    def ran(self) -> dict[str, list[str]]:
        """Whom each stage saw since the last time."""
        found = {}
        for name in ("plain", "drawing"):
            log = self.folder / f"{name}.ran"
            found[name] = sorted(log.read_text().split()) if log.exists() else []
            log.unlink(missing_ok=True)
        return found

    def parts(self) -> list[tuple[bytes, ...]]:
        """The lines of each part that was read."""
        folder = self.folder / "out" / "work" / "00-read"
        return [tuple(part.read()) for part in cut(folder / "problems.jsonl")]

    def change(self, how: Callable[[Rows], Rows]) -> None:
        rows = how([json.loads(line) for line in self.rows.read_text().splitlines()])
        self.rows.write_text("".join(json.dumps(row) + "\n" for row in rows))

    def alone(self) -> str:
        """What a build without any past makes of the same."""
        shutil.rmtree(self.folder / "alone", ignore_errors=True)
        made = self.build("alone")
        self.ran()
        return made


@pytest.fixture
def project(tmp_path: Path) -> Project:
    made = Project(tmp_path)
    made.build()
    assert [len(ids) for ids in made.ran().values()] == [ROWS, KEPT]
    assert len(made.parts()) >= ROWS // MOST
    return made


def id_of(line: bytes) -> str:
    return str(json.loads(line)["id"])


def changed(rows: Rows) -> Rows:
    return [
        row | {"question": "What now?"} if row["id"] == "40" else row for row in rows
    ]


def added(rows: Rows) -> Rows:
    return [*rows[:3], rows[3] | {"id": "999"}, *rows[3:]]


def dropped(rows: Rows) -> Rows:
    return [row for row in rows if row["id"] != "40"]


def moved(rows: Rows) -> Rows:
    return rows[::-1]


@pytest.mark.parametrize("how", [changed, added, dropped])
@pytest.mark.parametrize("jobs", [1, 2])
def test_only_parts_that_changed_are_done_again(
    project: Project, how: Callable[[Rows], Rows], jobs: int
) -> None:
    before = project.parts()
    project.change(how)
    made = project.build(jobs=jobs)
    ran = project.ran()
    assert 0 < len(ran["plain"]) <= 2 * MOST
    assert ran["drawing"] == [one for one in ran["plain"] if not one.endswith("7")]
    # Parts that are as they were, wherever they stand now, are not made again.
    stood = {*before} & {*project.parts()}
    assert stood
    assert not {id_of(line) for part in stood for line in part} & {*ran["plain"]}
    assert made == project.alone()


def test_rows_in_another_order_are_read_and_made_again(project: Project) -> None:
    project.change(moved)
    assert project.build() == project.alone()


def test_a_stage_keeps_the_parts_of_the_one_before_it(project: Project) -> None:
    work = project.folder / "out" / "work"
    before = project.parts()
    for name in ("01-plain", "02-drawing"):
        parts = msgspec.json.decode((work / name / "parts.json").read_bytes())
        lines = (work / name / "problems.jsonl").read_bytes()
        after = [
            [one for one in part if not id_of(one).endswith("7")] for part in before
        ]
        assert [part["rows"] for part in parts] == [len(part) for part in after]
        assert sum(part["bytes"] for part in parts) == len(lines)
        first = lines[: parts[0]["bytes"]]
        assert parts[0]["sha256"] == sha256(first).hexdigest()
        assert first.endswith(b"\n")


def test_a_picture_that_changed_is_read_again_and_its_problem_alone(
    project: Project,
) -> None:
    (project.folder / "images" / "40.png").write_bytes(png(50, 50))
    made = project.build()
    ran = project.ran()
    assert "a-40" in ran["plain"]
    assert len(ran["plain"]) <= MOST
    assert made == project.alone()


def test_a_seed_counts_where_a_stage_draws(project: Project) -> None:
    project.recipe.write_text(project.recipe.read_text().replace("seed: 3", "seed: 5"))
    made = project.build()
    assert [len(ids) for ids in project.ran().values()] == [0, KEPT]
    assert made == project.alone()


def test_options_and_back_again(project: Project) -> None:
    text, first = project.recipe.read_text(), project.build()
    project.recipe.write_text(text.replace("plain", "plain: {size: 11}"))
    other = project.build()
    assert other != first
    assert [len(ids) for ids in project.ran().values()] == [ROWS, KEPT]
    project.recipe.write_text(text)
    assert project.build() == first
    assert project.ran() == {"plain": [], "drawing": []}


def test_a_lost_picture_is_made_again(project: Project) -> None:
    shutil.rmtree(project.folder / "out" / "work" / "images")
    project.change(dropped)
    assert project.build() == project.alone()


@pytest.mark.parametrize("harm", ["cut", "other", "gone", "borders"])
def test_damage_is_never_believed(project: Project, harm: str) -> None:
    work = project.folder / "out" / "work"
    for part in work.glob("parts/*/*"):
        data = part.read_bytes()
        half = len(data) // 2
        if harm == "cut":
            part.write_bytes(data[:half])
        elif harm == "other":
            part.write_bytes(data[:half] + bytes(b ^ 1 for b in data[half:]))
        elif harm == "gone":
            part.unlink()
    for borders in work.glob("*/parts.json") if harm == "borders" else ():
        parts = json.loads(borders.read_bytes())
        parts[0]["bytes"] -= 1
        parts[-1]["bytes"] += 1
        borders.write_text(json.dumps(parts))
    project.change(changed)
    made = project.build()
    assert made == project.alone()


def test_what_was_not_used_for_longest_goes_first(project: Project) -> None:
    work = project.folder / "out" / "work"
    parts = sorted(
        (work / "parts").glob("*/*"), key=lambda part: part.stat().st_mtime_ns
    )
    used = parts[0]
    key = bytes.fromhex(used.name)
    assert Parts(work, used.parent.name).get(key) is not None
    (used.parent / ".killed").write_bytes(b"half")
    trim(work, used.stat().st_size)
    assert list((work / "parts").glob("*/*")) == [used]
    trim(work, 0)
    assert not list((work / "parts").glob("*/*"))
    project.change(changed)
    assert project.build() == project.alone()
