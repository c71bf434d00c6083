"""The guide's kind of task, from recipe to release, on a real Label Studio."""

from __future__ import annotations

import json
import re
import shlex
from pathlib import Path

import pytest
from benchwright import build_release, push
from benchwright.annotate.votes import read_votes
from benchwright.cli import cli
from benchwright.errors import UserError
from click.testing import CliRunner
from label_studio import LabelStudio, picked, typed
from real_data import ROOT

FILE = re.compile(r"^`([\w.]+)`:\n\n```\w+\n(.*?)^```$", re.MULTILINE | re.DOTALL)
SHELL = re.compile(r"^```sh\n(.*?)^```$", re.MULTILINE | re.DOTALL)
GUIDE = (ROOT / "docs/guides/kind.md").read_text("utf-8")


@pytest.fixture
def files(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder with the files of the guide, but for the votes, which are to be given first."""
    for name, content in FILE.findall(GUIDE):
        (tmp_path / name).write_text(content, "utf-8")
    (tmp_path / "picture_needed.jsonl").rename(tmp_path / "as_shown.jsonl")
    monkeypatch.chdir(tmp_path)
    return tmp_path


def typed_in(command: str, studio: LabelStudio, status: int = 0) -> str:
    """What a command of the guide prints; the server is the one that runs already."""
    words = [*shlex.split(command)[1:], *studio.options]
    done = CliRunner().invoke(cli, words)
    assert done.exit_code == status, done.output
    return f"{done.output}{done.exception or ''}"


def test_the_guide_is_followed_word_by_word_in_an_empty_folder(
    studio: LabelStudio, files: Path
) -> None:
    _, give, take = SHELL.search(GUIDE)[1].splitlines()  # type: ignore[index]
    forgotten = give.partition(" --plugin")[0]
    assert "tasks of kind 'subject' need a tree" in typed_in(forgotten, studio, 1)
    printed = typed_in(give, studio)
    assert "4 tasks added" in printed
    words = shlex.split(printed.rpartition("then: ")[2])
    assert words == [*shlex.split(take)[:4], *studio.options, *shlex.split(take)[4:]]
    project = int(printed.partition("/projects/")[2].partition("/")[0])
    answers = {"club-1": ("no", "no"), "club-3": ("no", "yes")}
    for task, given in answers.items():
        for person, choice in zip(("anna", "ben"), given, strict=True):
            why = [typed("what", "the sign")] if choice == "yes" else []
            studio.answer(project, task, person, [picked("needed", choice), *why])
    studio.answer(project, "club-2", "anna", [typed("what", "nothing was chosen")])
    assert "refused: nothing given for picture_needed" in typed_in(take, studio, 1)
    shown = read_votes(files / "as_shown.jsonl")
    told = {(v.problem_id, v.field, v.value, v.annotator, v.about) for v in shown}
    votes = read_votes(files / "picture_needed.jsonl")
    assert {
        (v.problem_id, v.field, v.value, v.annotator, v.about) for v in votes
    } == told
    release = build_release("labelled.yaml", "out").release
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
