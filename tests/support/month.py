"""A small project of a team on a real Label Studio, for what happens to it in a month."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from benchwright import pull, push
from benchwright import vote as decide
from benchwright.base.files import write_jsonl
from label_studio import LabelStudio, picked
from small import problem

KIND = "alignment"
ALL_YES = {"a-0": "yes", "a-1": "yes", "a-2": "yes"}  # what both people say


class Month:
    """A project of three problems, each answered by two people."""

    def __init__(self, studio: LabelStudio, folder: Path) -> None:
        self.studio = studio
        self.folder = folder / "labels"
        self.problems = folder / "problems.jsonl"
        self.rows = [problem(k) for k in range(3)]
        write_jsonl(self.problems, self.rows)
        self.number = self.push().project
        for row in self.rows:
            for name in ("anna", "ben"):
                self.answer(row.id, name)
        self.pull()

    def push(self, **options: Any) -> Any:
        return push(
            self.problems, self.folder, KIND, server=self.studio.server, **options
        )

    def pull(self) -> Any:
        return pull(self.folder, server=self.studio.server)

    def answer(self, task: str, name: str, verdict: str = "yes") -> int:
        return self.studio.answer(self.number, task, name, [picked(KIND, verdict)])

    def decided(self) -> dict[str, Any]:
        votes = self.folder / "votes.jsonl"
        return {
            entry.id: entry.value for entry in decide(votes, KIND, policy="majority")
        }
