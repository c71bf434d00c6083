"""The kinds in which people write, on a real Label Studio: pushed, answered, pulled as files."""

from __future__ import annotations

from pathlib import Path

import pytest
from benchwright import pull, push
from benchwright.annotate.votes import read_votes
from benchwright.base.files import read_jsonl, write_jsonl
from benchwright.evaluate.inference.asking import read_map
from label_studio import LabelStudio, picked, typed
from small import problem


@pytest.mark.parametrize(
    ("kind", "results", "votes"),
    [
        ("suitability", [picked("suitability", "too simple")], {"suitability": "too simple"}),
        ("diagram", [typed("annotation", "$y=x^2$")], {"diagram": "$y=x^2$"}),
        ("paths", [typed("paths", "R = 3\n\nd = 6\nR = 3")],
         {"unique_path": "yes", "paths": [["R = 3"], ["d = 6", "R = 3"]], "required": ["R = 3"]}),
        ("description", [typed("description", "ABC is a triangle.")],
         {"description": "ABC is a triangle."}),
    ],
)  # fmt: skip
def test_what_is_written_becomes_votes(
    studio: LabelStudio, tmp_path: Path, kind: str, results: list[dict], votes: dict
) -> None:
    asked = problem(1, images=[])
    write_jsonl(tmp_path / "p.jsonl", [asked])
    pushed = push(tmp_path / "p.jsonl", tmp_path / kind, kind, server=studio.server)
    assert pushed.added == 1
    studio.answer(pushed.project, asked.id, "anna", results)
    assert not pull(tmp_path / kind, server=studio.server).refused
    given = {v.field: v.value for v in read_votes(tmp_path / kind / "votes.jsonl")}
    assert given == votes
    if kind == "description":
        (row,) = read_jsonl(tmp_path / kind / "overrides.jsonl", dict)
        assert row["question"] == f"ABC is a triangle. {asked.question}"


def test_cards_go_from_author_to_reviewer_to_the_prompt(
    studio: LabelStudio, tmp_path: Path
) -> None:
    write_jsonl(tmp_path / "p.jsonl", [problem(1, images=[])])
    cards, review = tmp_path / "cards", tmp_path / "review"
    pushed = push(
        tmp_path / "p.jsonl", cards, "cards", tree="we-math", server=studio.server
    )
    assert pushed.added == 67
    studio.answer(pushed.project, "Area of Circles", "anna", [typed("card", "A = πr²")])
    pull(cards, server=studio.server)
    assert read_map(cards / "cards.jsonl", "concept", "card") == {
        "Area of Circles": "A = πr²"
    }
    pushed = push(tmp_path / "p.jsonl", review, "cards-review", server=studio.server,
                  material=cards / "votes.jsonl")  # fmt: skip
    better = [picked("verdict", "no"), typed("better", "A = πr·r")]
    studio.answer(pushed.project, "Area of Circles", "ben", better)
    pull(review, server=studio.server)
    assert read_map(review / "cards.jsonl", "concept", "card") == {
        "Area of Circles": "A = πr·r"
    }
