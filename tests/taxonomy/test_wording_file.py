"""Wording files: a paper's own words in place of ours, each item checked."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
import yaml
from benchwright import Asking, predict, show_tree
from benchwright.errors import UserError
from benchwright.evaluate.inference import requests_for
from benchwright.evaluate.judges import Judge, Panel, run_protocols, wordings
from benchwright.llm import Model
from benchwright.problem import Sample, Source
from benchwright.taxonomy import first_errors, knowledge_cards, load_tree, read_words
from llm_server import llm_server
from small import png, release
from small_releases import make_sample, write_release

CLASSES = {name: f"as printed: {name}" for name in first_errors("we-math")}


def written(folder: Path, **parts: object) -> Path:
    path = folder / "words.yaml"
    path.write_text(
        yaml.safe_dump({"words": "a paper", **parts}, sort_keys=False), "utf-8"
    )
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
        (
            {"errors": {"we-math": {"knowledge error": "x"}}},
            "words.yaml:3: 3 of 4 are missing",
        ),
        (
            {"errors": {"we-math": CLASSES | {"typo": "x"}}},
            "words.yaml:8: 'typo' is none of ours",
        ),
        ({"errors": {"we-math": CLASSES | {"hallucination": " "}}}, "has no text"),
        ({"errors": {"other": {}}}, "has no classes of its own"),
        ({"cards": {"Area of Circles": "x"}}, "66 of 67 are missing"),
        ({"definitons": {}}, "unknown field `definitons`"),
        ({"definitions": {"math-v": {"algebra": "x"}}}, "15 of 16 are missing"),
        ({"definitions": {"math-x": {}}}, "math-x"),
        ({"instructions": {"math-y": "Read."}}, "math-y"),
    ],
)
def test_what_is_missing_or_foreign_is_named(
    tmp_path: Path, parts: dict[str, object], said: str
) -> None:
    path = written(tmp_path, **parts)
    with pytest.raises(UserError) as error:
        read_words(path)
    assert said in str(error.value)


def test_what_is_doubled_and_prompts_that_judges_cannot_use_are_named(
    tmp_path: Path,
) -> None:
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


def test_a_tree_is_written_in_the_words_of_a_paper(tmp_path: Path) -> None:
    said = {
        leaf.name: f"as printed: {leaf.name}" for leaf in load_tree("math-v").leaves
    }
    path = written(
        tmp_path, definitions={"math-v": said}, instructions={"math-v": "Read them."}
    )
    show_tree("math-v", wording=path, out=tmp_path / "tree.yaml")
    tree = load_tree(tmp_path / "tree.yaml")
    assert {leaf.name: leaf.definition for leaf in tree.leaves} == said
    assert (tree.instruction, "a paper" in tree.source) == ("Read them.", True)
    assert tree.scales == load_tree("math-v").scales
    with pytest.raises(UserError, match="says nothing of 'we-math'"):
        show_tree("we-math", wording=path)


def test_names_that_stand_twice_in_a_tree_keep_their_own_definition(
    tmp_path: Path,
) -> None:
    tree = load_tree("mathverse")
    said = {tree.label(leaf): f"as printed: {tree.label(leaf)}" for leaf in tree.leaves}
    show_tree("mathverse", wording=written(tmp_path, definitions={"mathverse": said}),
              out=tmp_path / "tree.yaml")  # fmt: skip
    again = load_tree(tmp_path / "tree.yaml")
    assert {again.label(leaf): leaf.definition for leaf in again.leaves} == said


def test_cards_have_pictures_which_are_sent_first(tmp_path: Path) -> None:
    cards: dict[str, object] = {name: f"card of {name}" for name in knowledge_cards()}
    cards["Area of Circles"] = {"text": "as printed", "pictures": ["circle.png"]}
    with pytest.raises(UserError, match=r"there is no picture .*circle.png"):
        read_words(written(tmp_path, cards=cards))
    (tmp_path / "circle.png").write_bytes(png(40, 30))
    asked = Sample(
        id="s", problem_id="s", origin="s", source=Source(name="a", raw_id="1"), question="q",
        labels={"knowledge": ["Area of Circles"]},
    )  # fmt: skip
    how = Asking(style="we-math-kca", wording=written(tmp_path, cards=cards))
    (request,) = requests_for(release(tmp_path), [asked], how)
    picture, text = request.messages[0]["content"]
    assert picture["type"] == "image_url"
    assert "Area of Circles:\nas printed" in text["text"]


def test_we_maths_rows_are_a_wording_file(tmp_path: Path) -> None:
    rows = [{"ID": "2steps_1", "knowledge concept": name,
             "knowledge concept description": f"{name}:\ncard\nof two lines"}
            for name in knowledge_cards()]  # fmt: skip
    (tmp_path / "rows.json").write_text(json.dumps(rows), "utf-8")
    words = read_words(tmp_path / "rows.json")
    assert set(words.card_texts().values()) == {"card\nof two lines"}
    assert words.words == "We-Math's rows (rows.json)"
    rows.append(rows[0] | {"knowledge concept description": "another"})
    (tmp_path / "rows.json").write_text(json.dumps(rows), "utf-8")
    with pytest.raises(UserError, match="two cards of"):
        read_words(tmp_path / "rows.json")
    (tmp_path / "rows.json").write_text(json.dumps(rows[1:9]), "utf-8")
    with pytest.raises(UserError, match="59 of 67 are missing"):
        read_words(tmp_path / "rows.json")


def test_we_maths_nodes_are_a_tree(tmp_path: Path) -> None:
    rows = [
        {"root0": "All", "root1": "Plane", "root2": name, "root3": None}
        for name in "ab"
    ]
    rows.append({"root0": "All", "root1": "Solid", "root2": "a", "root3": "Cube"})
    (tmp_path / "nodes.json").write_text(json.dumps(rows), "utf-8")
    tree = load_tree(tmp_path / "nodes.json")
    assert [leaf.path[1:] for leaf in tree.leaves] == [
        ("Plane", "a"), ("Plane", "b"), ("Solid", "a", "Cube"),
    ]  # fmt: skip
    (tmp_path / "nodes.json").write_text('[{"name": 1}]', "utf-8")
    with pytest.raises(UserError, match="is no path root0"):
        load_tree(tmp_path / "nodes.json")


def test_the_record_of_asking_says_whose_cards_were_sent(tmp_path: Path) -> None:
    cards = {name: f"card of {name}" for name in knowledge_cards()}
    asked = make_sample("a-1", labels={"knowledge": ["Area of Circles"]})
    folder = write_release(tmp_path / "r", {"test": [asked]})
    how = Asking(style="we-math-kca", wording=written(tmp_path, cards=cards))
    with llm_server(lambda body: "A") as server:
        model = Model(name="m", base_url=server.base_url)
        predict(folder, "test", model, tmp_path / "out.jsonl", how=how)
    (record,) = json.loads((tmp_path / "RUN.json").read_text("utf-8")).values()
    assert record["words"] == "a paper"
