"""A model cuts an exam: it gives spans only, what is left out or taken twice is told, and a person
decides. A small server plays the model: obedient, lazy, lying.
"""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from benchwright import split_exam
from benchwright.errors import UserError
from llm_server import llm_server

EXAM = """\
Spring test

Each answer must be a whole number.

First: how many sides has a triangle?
Second: what is 2+3?
A. 4  B. 5  C. 6  D. 7

triangle 3
sum B
"""


def span(
    role: str, first: int, last: int | None = None, *problems: str, **places: int
) -> Any:
    known = {
        "role": role,
        "problems": list(problems),
        "first": first,
        "last": last or first,
    }
    return known | {"start": None, "end": None} | places


OBEDIENT = [
    span("outside", 1),
    span("instruction", 3, 3, "1", "2"),
    span("stem", 5, 5, "1", start=7),
    span("stem", 6, 6, "2", start=8),
    span("option", 7, 7, "2"),
    span("outside", 5, 5, start=0, end=7),
    span("outside", 6, 6, start=0, end=8),
    span("answer", 9, 9, "1", start=9),
    span("answer", 10, 10, "2", start=4),
    span("outside", 9, 9, start=0, end=9),
    span("outside", 10, 10, start=0, end=4),
]


@pytest.fixture
def cut(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Callable[..., Any]:
    """Cut EXAM by a model that replies with these spans; the number of its requests is kept."""
    monkeypatch.setenv("OPENAI_API_KEY", "none")
    (tmp_path / "e.mmd").write_text(EXAM, "utf-8")

    def run(spans: Any, **options: Any) -> Any:
        reply = spans if isinstance(spans, str) else json.dumps({"spans": spans})
        with llm_server(lambda body: reply) as server:
            made = split_exam(
                tmp_path / "e.mmd",
                tmp_path / "out",
                cut_by="m",
                base_url=server.base_url,
                cache=tmp_path / "answers.sqlite",
                **options,
            )
            run.asked = len(server.requests)  # type: ignore[attr-defined]
        return made

    return run


def test_an_obedient_model_cuts_what_no_rule_can(cut: Any, tmp_path: Path) -> None:
    first, second = cut(OBEDIENT).problems
    assert first.question == "how many sides has a triangle?"
    assert second.question == "what is 2+3?"
    assert [option.text for option in second.options] == ["4", "5", "6", "7"]
    assert [p.answer for p in (first, second)] == ["3", "B"]
    assert second.answer_kind == "choice"
    assert first.labels["instruction"] == "Each answer must be a whole number."


def test_the_same_exam_is_asked_about_once(cut: Any) -> None:
    cut(OBEDIENT)
    cut("not even asked")
    assert cut.asked == 0


def test_what_a_lazy_model_leaves_out_is_told(cut: Any) -> None:
    made = cut(OBEDIENT[:-4])
    left = [issue.detail for issue in made.issues if issue.kind == "cut-left-out"]
    assert left == ["triangle 3 sum B"]
    assert not any(problem.answer for problem in made.problems)


def test_what_a_model_takes_twice_is_told(cut: Any) -> None:
    made = cut([*OBEDIENT, span("solution", 7, 7, "2")])
    assert ("cut-twice", "A. 4 B. 5 C. 6 D. 7") in [
        (i.kind, i.detail) for i in made.issues
    ]


@pytest.mark.parametrize(
    "lie",
    [
        [span("stem", 90, 95, "1")],
        [span("stem", 5, 5, "1", start=500)],
        [span("stem", 6, 5, "1")],
        [span("stem", 0, 0, "1")],
        [{"role": "stem", "text": "an invented question"}],
        "I would rather not.",
    ],
)
def test_a_lying_model_is_refused(cut: Any, lie: Any) -> None:
    with pytest.raises(UserError):
        cut(lie)


def test_a_number_that_is_not_the_printed_one_is_told(cut: Any, tmp_path: Path) -> None:
    (tmp_path / "e.mmd").write_text("1. What is two?\n\n2. What is three?\n", "utf-8")
    made = cut([span("stem", 1, 1, "2"), span("stem", 3, 3, "1")])
    assert {issue.kind for issue in made.issues} == {"cut-number"}
    right = cut([span("stem", 1, 1, "1"), span("stem", 3, 3, "2")])
    assert len(right.issues) == 2  # the first reply is kept, right or wrong


def test_a_cut_without_doubts_is_replayed_without_a_model(
    cut: Any, tmp_path: Path
) -> None:
    (tmp_path / "e.mmd").write_text("1. What is two?\n\n2. What is three?\n", "utf-8")
    made = cut([span("stem", 1, 1, "1"), span("stem", 3, 3, "2")])
    again = split_exam(
        tmp_path / "e.mmd", tmp_path / "again", cut=tmp_path / "out" / "cut.json"
    )
    assert again.problems == made.problems
    assert made.issues == []


def test_doubts_are_decided_by_a_person(cut: Any, tmp_path: Path) -> None:
    cut(OBEDIENT)
    path = tmp_path / "out" / "cut.json"
    with pytest.raises(UserError, match="undecided"):
        split_exam(tmp_path / "e.mmd", tmp_path / "again", cut=path)
    path.write_text(json.dumps(json.loads(path.read_text()) | {"decided": True}))
    assert (
        len(split_exam(tmp_path / "e.mmd", tmp_path / "again", cut=path).problems) == 2
    )
    (tmp_path / "e.mmd").write_text(EXAM + "A new line.\n", "utf-8")
    with pytest.raises(UserError, match="another text"):
        split_exam(tmp_path / "e.mmd", tmp_path / "again", cut=path)
