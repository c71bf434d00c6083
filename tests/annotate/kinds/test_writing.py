"""Kinds in which people write: annotations, descriptions, cards and their review, paths."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
import yaml
from benchwright import build_release
from benchwright.annotate.kinds import (
    Material,
    TaskAnswer,
    controls_of,
    kind_for,
    load_kind,
)
from benchwright.annotate.votes import decide
from benchwright.base.about import about
from benchwright.base.files import read_jsonl, write_jsonl
from benchwright.errors import UserError
from benchwright.problem import Problem, Vote, samples_of
from benchwright.release import read_problems
from benchwright.taxonomy import load_tree, steps_from
from label_studio import leaves, picked, typed
from small import problem, write_recipe


def read(
    kind: str, *results: dict[str, Any], tree: str = "", **data: Any
) -> dict[str, Any]:
    loaded = load_tree(tree) if tree else None
    answer = TaskAnswer(data, list(results), loaded)
    answer.check(controls_of(load_kind(kind).interface(loaded)))
    return load_kind(kind).read(answer)


def vote(name: str, field: str, value: Any, who: str = "anna", **more: Any) -> Vote:
    return Vote(problem_id=name, field=field, value=value, annotator=who, **more)


def test_an_annotation_reaches_the_judge_of_its_problem(tmp_path: Path) -> None:
    said = read("diagram", typed("annotation", "$y = x^2$,\nopens upward"))
    assert said == {"diagram": "$y = x^2$,\nopens upward"}
    with pytest.raises(UserError, match="nothing written"):
        read("diagram")
    asked = problem(1)
    write_jsonl(tmp_path / "p.jsonl", [asked])
    write_jsonl(tmp_path / "v.jsonl", [vote(asked.id, "diagram", said["diagram"])])
    plan = {"name": "x", "version": "1.0.0",
            "sources": [{"name": "a", "reader": "problems", "path": "p.jsonl", "license": "MIT"}],
            "stages": [{"label": {"field": "diagram", "votes": "v.jsonl"}}]}  # fmt: skip
    release = build_release(
        write_recipe(tmp_path / "r.yaml", plan), tmp_path / "out"
    ).release
    (built,) = read_problems(release, "test")
    assert (built.diagram, "diagram" in built.labels) == (
        "$y = x^2$,\nopens upward",
        False,
    )
    assert kind_for("diagram", "mathverse") == "diagram"


def test_a_description_becomes_an_override_of_text_dominant() -> None:
    asked: Problem = problem(1, question="Find BC.")
    said = read(
        "description", typed("description", "ABC is a triangle."), question="Find BC."
    )
    given = (("anna", "2", said["description"]), ("ben", "1", "Old."))
    votes = [vote(asked.id, "description", text, who, at=at, about=about(asked))
             for who, at, text in given]  # fmt: skip
    rows = load_kind("description").tables["overrides.jsonl"]
    assert rows({asked.id: {"question": asked.question}}, votes) == [
        {"id": asked.id, "version": "text_dominant", "about": about(asked),
         "question": "ABC is a triangle. Find BC."}
    ]  # fmt: skip


def test_unsuitable_problems_are_named_by_their_reason() -> None:
    assert read("suitability", picked("suitability", "too simple")) == {
        "suitability": "too simple"
    }
    with pytest.raises(UserError, match="nothing given for suitability"):
        read("suitability")


@pytest.mark.parametrize(
    ("text", "unique", "required"),
    [
        ("R = 3", "yes", ["R = 3"]),
        (
            "R = 3\nh = 4\n\nd = 6\nr=3",
            "yes",
            ["R = 3"],
        ),  # another way, the same result
        ("R = 3\n\nd = 6", "no", []),  # a way round
        ("\n\na\nb\n\n\nb\na\n", "yes", ["a", "b"]),
    ],
)
def test_a_path_is_unique_where_all_paths_need_a_result(
    text: str, unique: str, required: list[str]
) -> None:
    said = read("paths", typed("paths", text))
    assert (said["unique_path"], said["required"]) == (unique, required)
    assert all(
        result in path or result == "R = 3"
        for path in said["paths"]
        for result in required
    )


def test_cards_are_written_for_each_concept_reviewed_and_asked_with(
    tmp_path: Path,
) -> None:
    tree = load_tree("we-math")
    asks = {
        str(k): problem(k, labels={"knowledge": ["Area of Circles"]}) for k in range(9)
    }
    tasks = load_kind("cards").tasks_of(Material(problems=asks, tree=tree))
    assert len(tasks) == 67
    (circles,) = [task for task in tasks if task.id == "Area of Circles"]
    assert sum(p.question in circles.texts["question"] for p in asks.values()) == 5
    said = read("cards", typed("card", "A = πr²"), tree="we-math")
    write_jsonl(
        tmp_path / "v.jsonl", [vote("Area of Circles", "card", said["card"], at="1")]
    )
    (review,) = load_kind("cards-review").tasks_of(
        Material(problems={}, file=tmp_path / "v.jsonl")
    )
    assert "A = πr²" in review.texts["question"]
    kept = read("cards-review", picked("verdict", "yes"), card="A = πr²")
    assert kept == {"card": "A = πr²", "card.review": "yes"}
    better = read(
        "cards-review", picked("verdict", "no"), typed("better", "A = πr·r"), card="x"
    )
    votes = [*read_jsonl(tmp_path / "v.jsonl", Vote),
             vote("Area of Circles", "card", better["card"], "ben", at="2"),
             vote("Area of Circles", "card.review", "no", "ben", at="2")]  # fmt: skip
    rows = load_kind("cards-review").tables["cards.jsonl"]({}, votes)
    card = {"concept": "Area of Circles", "card": "A = πr·r", "others": ["A = πr²"]}
    assert rows == [card]
    # Whoever confirms the first card later has it stand by two votes to one, and says so.
    votes.append(vote("Area of Circles", "card", "A = πr²", "cy", at="3"))
    (row,) = load_kind("cards-review").tables["cards.jsonl"]({}, votes)
    assert (row["card"], row["others"]) == ("A = πr²", ["A = πr·r"])


def test_models_count_with_people_and_never_alone() -> None:
    people = [vote("p", "f", "algebra", who) for who in "ab"] + [
        vote("p", "f", "logic", "c")
    ]
    models = [vote("p", "f", "logic", who, kind="model") for who in "mn"]
    assert decide([*people, *models], "combined").value == "logic"  # 3 of 5
    assert decide([*people, *models[:1]], "combined").value is None  # 2 and 2
    assert decide([*people[:2], *models], "combined").value is None
    assert decide([*people[:2], *models, vote("p", "f", "logic", "o", kind="model")],
                  "combined").rule == "models alone"  # fmt: skip
    assert (
        decide([people[0], *models], "combined").value is None
    )  # one person is no quorum


def test_levels_above_a_list_of_labels_of_ones_own_tree(tmp_path: Path) -> None:
    own = {"name": "own", "source": "us", "levels": ["area", "point"], "field": "knowledge",
           "nodes": [{"name": "Shapes", "children": ["Square", "Circle"]},
                     {"name": "Numbers", "children": ["Primes"]}]}  # fmt: skip
    (tmp_path / "own.yaml").write_text(yaml.safe_dump(own), "utf-8")
    asked = problem(1, labels={})
    write_jsonl(tmp_path / "p.jsonl", [asked])
    given = [
        vote(asked.id, "knowledge", ["Circle", "Primes"], who)
        for who in ("anna", "ben")
    ]
    write_jsonl(tmp_path / "v.jsonl", given)
    stage = {"field": "knowledge", "votes": "v.jsonl", "tree": "own.yaml"}
    source = {"name": "a", "reader": "problems", "path": "p.jsonl", "license": "MIT"}
    plan = {
        "name": "x",
        "version": "1.0.0",
        "stages": [{"label": stage}],
        "sources": [source],
    }
    release = build_release(
        write_recipe(tmp_path / "r.yaml", plan), tmp_path / "out"
    ).release
    (built,) = read_problems(release, "test")
    assert built.labels["area"] == ["Numbers", "Shapes"]


def test_the_reasoning_of_steps_is_the_solution_of_their_samples() -> None:
    """We-Math, B.2: what is needed for each sub-problem is noted before it is written."""
    leaves_of = load_tree("we-math").find
    results = [picked("count", "Two-Step"), picked("injection", "text")]
    for k, name in enumerate(("Area of Circles", "Area of Squares"), 1):
        results += [leaves(f"concept_{k}", list(leaves_of(name).path)),
                    typed(f"condition_{k}", "c"), typed(f"question_{k}", f"q{k}"),
                    typed(f"options_{k}", "A. 1\nB. 2"), picked(f"answer_{k}", "A")]  # fmt: skip
    said = read("steps", *results, typed("reasoning", "By the radius.\nBy the side."),
                tree="we-math")  # fmt: skip
    whole = problem(1, steps=steps_from(said["steps"]), labels={"knowledge": []})
    first, second, multi = samples_of(whole)
    assert (first.solution, second.solution) == ("By the radius.", "By the side.")
    assert multi.solution == whole.solution
    with pytest.raises(UserError, match="3 lines of reasoning for 2 steps"):
        read("steps", *results, typed("reasoning", "a\nb\nc"), tree="we-math")
