"""The guide's kind of task, from recipe to release, on a real Label Studio."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest
from benchwright import build_release, pull, push
from benchwright.annotate.votes import read_votes
from benchwright.errors import UserError
from label_studio import LabelStudio, picked, typed
from real_data import ROOT

FILE = re.compile(r"^`([\w.]+)`:\n\n```\w+\n(.*?)^```$", re.MULTILINE | re.DOTALL)


@pytest.fixture
def files(tmp_path: Path) -> Path:
    """The files of the guide, but for the votes, which are to be given first."""
    for guide in ("stage", "kind"):
        for name, content in FILE.findall(
            (ROOT / f"docs/guides/{guide}.md").read_text("utf-8")
        ):
            (tmp_path / name).write_text(content, "utf-8")
    (tmp_path / "picture_needed.jsonl").rename(tmp_path / "as_shown.jsonl")
    return tmp_path


def test_the_guides_kind_is_asked_and_becomes_a_label(
    studio: LabelStudio, files: Path
) -> None:
    recipe, mine, out = files / "labelled.yaml", files / "my_kinds.py", files / "out"
    with pytest.raises(UserError, match="tasks of kind 'subject' need a tree"):
        push(recipe, field="picture_needed", build=out, server=studio.server)
    pushed = push(
        recipe, field="picture_needed", build=out, server=studio.server, plugins=[mine]
    )
    assert (pushed.added, pushed.folder) == (
        4,
        str(files / "labels" / "picture_needed"),
    )
    answers = {"club-1": ("no", "no"), "club-3": ("no", "yes")}
    for task, given in answers.items():
        for person, choice in zip(("anna", "ben"), given, strict=True):
            why = [typed("what", "the sign")] if choice == "yes" else []
            studio.answer(
                pushed.project, task, person, [picked("needed", choice), *why]
            )
    studio.answer(
        pushed.project, "club-2", "anna", [typed("what", "nothing was chosen")]
    )
    pulled = pull(pushed.folder, server=studio.server, plugins=[mine])
    (refused,) = pulled.refused
    assert refused.reason.startswith("nothing given for picture_needed")
    shown = read_votes(files / "as_shown.jsonl")
    told = {(v.problem_id, v.field, v.value, v.annotator, v.about) for v in shown}
    votes = read_votes(files / "picture_needed.jsonl")
    assert {
        (v.problem_id, v.field, v.value, v.annotator, v.about) for v in votes
    } == told
    release = build_release(recipe, out).release
    lines = (release / "jsonl/test.jsonl").read_text("utf-8").splitlines()
    labels = {(row := json.loads(line))["id"]: row["labels"] for line in lines}
    assert labels == {"club-1": {"picture_needed": "no"}, "club-2": {}, "club-4": {}}


def test_a_form_that_cannot_be_is_named(studio: LabelStudio, files: Path) -> None:
    recipe, mine, out = files / "labelled.yaml", files / "my_kinds.py", files / "out"
    text = mine.read_text("utf-8")
    start, end = text.index("    return ["), text.index("]\n\n\n@kind") + 1
    for form, said in (
        ("return []", "asks nothing: "),
        ("return '<View'", "is no XML: "),
        ("return 3 / 0", "ZeroDivisionError"),
    ):
        mine.write_text(f"{text[:start]}    {form}{text[end:]}", "utf-8")
        with pytest.raises(UserError, match=said) as error:
            push(
                recipe,
                field="picture_needed",
                build=out,
                server=studio.server,
                plugins=[mine],
            )
        assert re.search(rf"{re.escape(str(mine))}(:|, line )\d+", str(error.value))
