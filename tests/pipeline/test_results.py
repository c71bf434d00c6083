"""Results by record: who is done again when something changes, counted; and the same bytes."""

from __future__ import annotations

import json
import shutil
from collections.abc import Callable
from pathlib import Path

import pytest
from benchwright import build_release
from benchwright.base.files import sha256_tree
from benchwright.pipeline import Engine, trim
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


class Project:
    """A dump of 150 rows with two stages that note whom they see."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.recipe = dump(folder, 150, stages=["plain", "drawing"])
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
    assert [len(ids) for ids in made.ran().values()] == [150, 135]
    return made


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


@pytest.mark.parametrize(
    ("how", "again"),
    [(changed, ["a-40"]), (added, ["a-999"]), (dropped, []), (moved, [])],
)
@pytest.mark.parametrize("jobs", [1, 2])
def test_only_what_changed_is_done_again(
    project: Project, how: Callable[[Rows], Rows], again: list[str], jobs: int
) -> None:
    project.change(how)
    made = project.build(jobs=jobs)
    assert project.ran() == {"plain": again, "drawing": again}
    assert made == project.alone()


def test_a_picture_that_changed_is_read_again_and_its_problem_alone(
    project: Project,
) -> None:
    (project.folder / "images" / "40.png").write_bytes(png(50, 50))
    made = project.build()
    assert project.ran() == {"plain": ["a-40"], "drawing": ["a-40"]}
    assert made == project.alone()


def test_a_seed_counts_where_a_stage_draws(project: Project) -> None:
    project.recipe.write_text(project.recipe.read_text().replace("seed: 3", "seed: 5"))
    made = project.build()
    assert [len(ids) for ids in project.ran().values()] == [0, 135]
    assert made == project.alone()


def test_options_and_back_again(project: Project) -> None:
    text, first = project.recipe.read_text(), project.build()
    project.recipe.write_text(text.replace("plain", "plain: {size: 11}"))
    other = project.build()
    assert other != first
    assert [len(ids) for ids in project.ran().values()] == [150, 135]
    project.recipe.write_text(text)
    assert project.build() == first
    assert project.ran() == {"plain": [], "drawing": []}


def test_a_lost_picture_is_made_again(project: Project) -> None:
    shutil.rmtree(project.folder / "out" / "work" / "images")
    project.change(dropped)
    assert project.build() == project.alone()


@pytest.mark.parametrize("harm", ["cut", "other", "gone", "folder"])
def test_damage_is_never_believed(project: Project, harm: str) -> None:
    results = project.folder / "out" / "work" / "results"
    for pack in results.glob("*/*.pack"):
        data = pack.read_bytes()
        if harm == "cut":
            pack.write_bytes(data[: len(data) // 2])
        elif harm == "other":
            half = len(data) // 2
            pack.write_bytes(data[:half] + bytes(b ^ 1 for b in data[half:]))
        else:
            pack.unlink()
            if harm == "folder":
                pack.mkdir()
    project.change(changed)
    made = project.build()
    assert made == project.alone()


def test_the_oldest_results_go_first(project: Project) -> None:
    work = project.folder / "out" / "work"
    packs = sorted(
        (work / "results").glob("*/*.pack"), key=lambda p: p.stat().st_mtime_ns
    )
    last = packs[-1].stat().st_size
    trim(work, last)
    assert list((work / "results").glob("*/*.pack")) == [packs[-1]]
    trim(work, 0)
    assert not list((work / "results").glob("*/*.pack"))
    project.change(changed)
    assert project.build() == project.alone()
