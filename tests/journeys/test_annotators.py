"""A month of a small team: duplicates, subjects and a wrong gold, from the form to two releases."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path
from typing import Any

import yaml
from label_studio import LabelStudio, picked
from small import write_rows

GOLD_OF = {"cube": "6", "sheep": "17", "flock": "17", "coins": "5", "dice": "36"}
QUESTIONS = {
    "cube": "How many faces has a cube?",
    "sheep": "A farmer has 12 sheep and buys 5 more sheep. How many sheep does he have now?",
    "flock": "A farmer has 12 sheep, and buys 5 more. How many sheep does he have now?",
    "coins": "A drawer holds 3 red coins and 1 blue coin. How many coins does the drawer hold?",
    "dice": "In how many ways can two different dice fall?",
}
SUBJECTS = {"cube": "solid geometry", "coins": "arithmetic", "dice": "counting"}


class Curator:
    """A folder with a recipe, and the commands that are typed in it."""

    def __init__(self, folder: Path, studio: LabelStudio) -> None:
        self.folder = folder
        self.studio = studio
        folder.mkdir()
        rows = [{"id": name, "question": text, "answer": GOLD_OF[name]}
                for name, text in QUESTIONS.items()]  # fmt: skip
        write_rows(folder / "raw.jsonl", rows)
        self.plan: dict[str, Any] = {
            "name": "farm", "version": "1.0.0", "seed": 3,
            "sources": [{"name": "s", "reader": "jsonl", "path": "raw.jsonl", "license": "MIT"}],
            "stages": [
                "latex",
                {"dedup": {"decisions": "labels/pairs/decisions.jsonl"}},
                {"label": {"field": "subject", "votes": "labels/subject/votes.jsonl",
                           "policy": "mathv", "tree": "math-v"}},
            ],
            "splits": {"test": "rest"},
        }  # fmt: skip

    def type(self, *words: object, code: int = 0) -> str:
        (self.folder / "recipe.yaml").write_text(yaml.safe_dump(self.plan), "utf-8")
        there = self.studio.options if words[1] in ("push", "pull", "status") else []
        done = subprocess.run(
            [sys.executable, "-m", "benchwright", *map(str, words), *there],
            cwd=self.folder, capture_output=True, encoding="utf-8", check=False,
        )  # fmt: skip
        assert done.returncode == code, f"{words}\n{done.stdout}{done.stderr}"
        return done.stdout + done.stderr

    def push(self, *words: object) -> int:
        """The number of the project that a push speaks of."""
        said = self.type("annotate", "push", *words)
        return int(said.split("/projects/")[1].split("/")[0])

    def released(self, version: str) -> dict[str, dict[str, Any]]:
        path = self.folder / f"out/farm-{version}/jsonl/test.jsonl"
        rows = map(json.loads, path.read_text("utf-8").splitlines())
        return {row["problem_id"].removeprefix("s-"): row for row in rows}


def subject_of(problem: str) -> str:
    return SUBJECTS.get(problem.removeprefix("s-"), "arithmetic")


def test_what_people_mark_comes_out_in_two_releases(
    studio: LabelStudio, tmp_path: Path
) -> None:
    curator = Curator(tmp_path / "farm", studio)
    (curator.folder / "labels/pairs").mkdir(parents=True)
    (curator.folder / "labels/subject").mkdir()
    (curator.folder / "labels/pairs/decisions.jsonl").touch()
    (curator.folder / "labels/subject/votes.jsonl").touch()

    # two people find that the flock is the sheep, and that the sheep stay
    curator.type("build-release", "recipe.yaml", "-o", "out", "--until", "latex")
    latex = "out/work/01-latex/problems.jsonl"
    pairs = curator.type("dedup", "pairs", latex)
    (curator.folder / "pairs.jsonl").write_text(
        "".join(line + "\n" for line in pairs.splitlines() if line.startswith("{")),
        "utf-8",
    )
    project = curator.push(
        latex, "-o", "labels/pairs", "--kind", "duplicates", "--material", "pairs.jsonl",
        "--people", "2",
    )  # fmt: skip
    (pair,) = studio.tasks(project)
    assert set(pair.split("|")) == {"s-sheep", "s-flock"}
    stays = "A" if pair.startswith("s-sheep") else "B"
    for person in ("anna", "ben"):
        decided = [
            picked("verdict", "duplicate", to="a"),
            picked("keep", stays, to="a"),
        ]
        studio.answer(project, pair, person, decided)
    curator.type("annotate", "pull", "labels/pairs")

    # they label the four that are left; ben passes his doubt about the coins on
    curator.type("build-release", "recipe.yaml", "-o", "out", "--until", "dedup")
    project = curator.push(
        "recipe.yaml", "--field", "subject", "--people", "2", "--build", "out"
    )
    tasks = studio.tasks(project)
    assert set(tasks) == {"s-cube", "s-sheep", "s-coins", "s-dice"}
    for task in tasks:
        for person in ("anna", "ben"):
            given = [picked("label", subject_of(task)), picked("level", "1")]
            if (task, person) == ("s-coins", "ben"):
                given.append(written("comment", "3 and 1 are 4, not 5"))
            studio.answer(project, task, person, given)
    assert "4 of 4 tasks done" in curator.type("annotate", "status", "labels/subject")
    curator.type("annotate", "pull", "labels/subject")
    remarks = (curator.folder / "labels/subject/remarks.jsonl").read_text("utf-8")
    (remark,) = map(json.loads, remarks.splitlines())
    assert (remark["id"], remark["annotator"]) == ("s-coins", "ben")
    curator.type("build-release", "recipe.yaml", "-o", "out")
    first = curator.released("1.0.0")
    assert {name: row["labels"]["subject"] for name, row in first.items()} == {
        name: subject_of(name) for name in ("cube", "sheep", "coins", "dice")
    }

    # the remark mends the gold, and a text that is mended is asked again
    (curator.folder / "errata.yaml").write_text(yaml.safe_dump([
        {"id": "s-coins", "field": "answer", "old": "5", "new": "4", "reason": remark["text"]},
        {"id": "s-dice", "field": "question", "passage": "two different dice",
         "new": "a red and a blue die", "reason": "clearer"},
    ]), "utf-8")  # fmt: skip
    curator.plan |= {"version": "1.1.0", "errata": "errata.yaml"}
    stopped = curator.type("build-release", "recipe.yaml", "-o", "out", code=1)
    remedy = "ask again: benchwright annotate push recipe.yaml --field subject"
    assert f"1 changed since anna, ben voted: s-dice; {remedy}" in stopped
    assert not (curator.folder / "out/farm-1.1.0").exists()
    again = curator.push("recipe.yaml", "--field", "subject", "--build", "out", "--yes")
    assert again == project
    for person in ("anna", "ben"):
        given = [picked("label", "combinatorics"), picked("level", "2")]
        studio.answer(project, "s-dice", person, given)
    curator.type("annotate", "pull", "labels/subject")
    curator.type("build-release", "recipe.yaml", "-o", "out")
    second = curator.released("1.1.0")
    assert second["coins"]["answer"] == "4"
    assert second["dice"]["labels"]["subject"] == "combinatorics"
    assert (
        second["dice"]["question"] == "In how many ways can a red and a blue die fall?"
    )
    assert second.keys() == first.keys()
    assert [name for name in first if first[name] == second[name]] == ["cube", "sheep"]


def written(control: str, text: str) -> dict[str, Any]:
    """The result of a field for typed text."""
    return {
        "from_name": control, "to_name": "question", "type": "textarea", "value": {"text": [text]}
    }  # fmt: skip
