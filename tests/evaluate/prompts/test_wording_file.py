"""Wording files: a paper's own words in place of ours, each item checked."""

from __future__ import annotations

from pathlib import Path

import pytest
import yaml
from benchwright.errors import UserError
from benchwright.evaluate.inference.ask_model import Asking, requests_for
from benchwright.evaluate.judges import Judge, Panel, run_protocols, wordings
from benchwright.evaluate.prompts import read_words
from benchwright.llm import Model
from benchwright.problem import Sample, Source
from benchwright.taxonomy import first_errors, knowledge_cards
from small import release

CLASSES = {name: f"as printed: {name}" for name in first_errors("we-math")}


def written(folder: Path, **parts: object) -> Path:
    path = folder / "words.yaml"
    path.write_text(yaml.safe_dump({"words": "a paper", **parts}, sort_keys=False), "utf-8")
    return path


def test_classes_prompts_and_cards_take_the_place_of_ours(tmp_path: Path) -> None:
    cards = {name: f"card of {name}" for name in knowledge_cards()}
    prompts = {"process": "Kinds: $kinds\nReply: $reply"}
    path = written(tmp_path, errors={"we-math": CLASSES}, cards=cards, prompts=prompts)
    chosen = wordings(words=read_words(path))
    assert chosen["process"].text == "Kinds: $kinds\nReply: $reply"
    assert chosen["process"].classes == {"we-math": CLASSES}
    asked = Sample(
        id="s", problem_id="s", origin="s", source=Source(name="a", raw_id="1"), question="q",
        labels={"knowledge": ["Area of Circles"]},
    )  # fmt: skip
    how = Asking(style="we-math-kca", wording=path)
    (request,) = requests_for(release(tmp_path), [asked], how)
    text = request.messages[0]["content"][-1]["text"]
    assert "Knowledge concept: Area of Circles:\ncard of Area of Circles\n" in text


def test_the_record_says_whose_words_they_are(tmp_path: Path) -> None:
    words = read_words(written(tmp_path, errors={"we-math": CLASSES}))
    judge = Judge(model=Model(name="m"), cache=tmp_path / "c.db", offline=True)
    panel = Panel(judges=[judge], wording=wordings(words=words))
    assert run_protocols([], [], [], {}, tmp_path, panel).parts["words"] == "a paper"
    panel = Panel(judges=[judge])
    assert "words" not in run_protocols([], [], [], {}, tmp_path, panel).parts


@pytest.mark.parametrize(
    ("parts", "said"),
    [
        ({"errors": {"we-math": {"knowledge error": "x"}}}, "words.yaml:3: 3 of 4 are missing"),
        ({"errors": {"we-math": CLASSES | {"typo": "x"}}}, "words.yaml:8: 'typo' is none of ours"),
        ({"errors": {"we-math": CLASSES | {"hallucination": " "}}}, "has no text"),
        ({"errors": {"other": {}}}, "has no classes of its own"),
        ({"cards": {"Area of Circles": "x"}}, "66 of 67 are missing"),
        ({"definitions": {}}, "unknown field `definitions`"),
    ],
)
def test_what_is_missing_or_foreign_is_named(
    tmp_path: Path, parts: dict[str, object], said: str
) -> None:
    path = written(tmp_path, **parts)
    with pytest.raises(UserError) as error:
        read_words(path)
    assert said in str(error.value)


def test_what_is_doubled_and_prompts_that_judges_cannot_use_are_named(tmp_path: Path) -> None:
    path = tmp_path / "words.yaml"
    path.write_text("words: a\nerrors:\n  we-math: {}\n  we-math: {}\n", "utf-8")
    with pytest.raises(UserError, match="'we-math' stands twice"):
        read_words(path)
    words = read_words(written(tmp_path, prompts={"process": "$replly"}))
    with pytest.raises(UserError, match=r"unknown name \$replly"):
        wordings(words=words)
    words = read_words(written(tmp_path, prompts={"proces": "$reply"}))
    with pytest.raises(UserError, match="no judge's prompt is called 'proces'"):
        wordings(words=words)
