"""A task of every kind, on a real Label Studio."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from benchwright.annotate.kinds import (
    BUILT_IN,
    Task,
    checks_task,
    level_task,
    pair_task,
    placement_task,
    problem_task,
    review_task,
    solution_task,
    steps_review_task,
    steps_task,
)
from benchwright.annotate.projects import make_project, push_tasks
from benchwright.problem import Problem, Vote
from benchwright.taxonomy import load_tree
from label_studio import LabelStudio

KINDS = [
    kind for kind in BUILT_IN if not kind.startswith("cards")
]  # those show a concept
HOSTILE = "<script>alert(1)</script><img src=x onerror=alert(2)> & <b>bold</b>"
TREES = {"subject": "math-v", "concepts": "we-math", "review": "math-v", "steps": "we-math",
         "level": "math-v"}  # fmt: skip


def pushed(
    studio: LabelStudio, folder: Path, kind: str, problem: tuple[Problem, Path]
) -> tuple[Any, int]:
    it, images = problem
    scale = load_tree("math-v").scale("level")
    steps = {
        "injection": "text",
        "steps": [{"knowledge": "Area of Circles", "question": HOSTILE}],
    }
    authored = Vote(problem_id=it.id, field="steps", value=steps, annotator="anna")
    make: dict[str, Any] = {
        "steps": lambda: steps_task(it, note=HOSTILE),
        "steps-review": lambda: steps_review_task(it, authored, None, note=HOSTILE),
        "level": lambda: level_task(it, note=HOSTILE, scale=scale),
        "mathverse-checks": lambda: checks_task(it, note=HOSTILE),
        "we-math-checks": lambda: checks_task(it, note=HOSTILE),
        "review": lambda: review_task(it, "algebra"),
        "placement": lambda: placement_task(it),
        "first-error": lambda: solution_task(it, f"So $x=2$. {HOSTILE}"),
        "duplicates": lambda: pair_task(it, it, {"why": HOSTILE}),
    }
    task: Task = make.get(kind, lambda: problem_task(it, note=HOSTILE))()
    project = make_project(folder / kind, kind, TREES.get(kind))
    done = push_tasks(project, [task], studio.client, images, studio.files)
    assert done.skipped == []
    return project, done.project
