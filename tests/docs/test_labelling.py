"""The tutorial on labelling, walked with a real Label Studio: every line is what is printed."""

from __future__ import annotations

import json
import shlex
import subprocess
import sys
from pathlib import Path

from consoles import blocks, differences, sessions
from label_studio import LabelStudio, picked

ROOT = Path(__file__).parents[2]
PAGE = (ROOT / "docs" / "labelling.md").read_text("utf-8")
VOTES = ROOT / "examples" / "math-v" / "votes" / "subject.jsonl"


def test_the_tutorial_on_labelling(studio: LabelStudio, tmp_path: Path) -> None:
    folder = tmp_path
    for language, _, block in blocks(PAGE):
        for command, shown in sessions(block) if language == "console" else ():
            program, *words = shlex.split(command)
            if program == "rm":
                (folder / words[0]).unlink()
                continue
            server = studio.options if words[1] in ("push", "pull") else []
            done = subprocess.run(
                [sys.executable, "-m", "benchwright", *words, *server],
                cwd=folder, capture_output=True, encoding="utf-8", check=False,
            )  # fmt: skip
            assert done.returncode == 0, f"$ {command}\n{done.stderr}"
            printed = done.stdout + done.stderr
            assert differences(shown, printed) == [], f"$ {command}\n{printed}"
            if words[0] == "init":
                folder = tmp_path / "mine"
            if words[:2] == ["annotate", "push"]:
                label(studio, int(printed.split("/projects/")[1].split("/")[0]))


def label(studio: LabelStudio, project: int) -> None:
    """Two people give every problem the subject that a group of the example gave it."""
    votes = map(json.loads, VOTES.read_text("utf-8").splitlines())
    subjects = {
        v["problem_id"]: v["value"] for v in votes if v["annotator"] == "group-a"
    }
    for task in studio.tasks(project):
        for person in ("anna", "ben"):
            answer = [picked("label", subjects[task]), picked("level", "1")]
            studio.answer(project, task, person, answer)
