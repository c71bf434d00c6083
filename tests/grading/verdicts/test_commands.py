"""`grade` and `extract`: JSON lines in, JSON lines out, in order."""

from __future__ import annotations

import json

from benchwright.base.commands import command
from click.testing import CliRunner, Result

grade, extract = command("grade"), command("extract")


def lines(result: Result) -> list[dict[str, object]]:
    return [json.loads(line) for line in result.stdout.splitlines()]


def test_grade_answers_every_line_in_order() -> None:
    rows = [
        {"id": "a", "prediction": "x = 0.5", "gold": "\\frac12", "kind": "numeric"},
        {
            "id": "b",
            "prediction": "4",
            "gold": "B",
            "kind": "choice",
            "options": ["3", "4"],
        },
        {"id": "c", "response": "So the answer is 4.", "gold": "5"},
        {
            "id": "d",
            "prediction": "9^{9^{9^9}}",
            "gold": "5",
            "kind": "unit",
            "question": "?",
        },
    ]
    result = CliRunner().invoke(grade, [], input="\n".join(map(json.dumps, rows)))
    assert result.exit_code == 0
    answers = lines(result)
    assert [(a["id"], a["equal"], a["status"]) for a in answers] == [
        ("a", True, "ok"), ("b", True, "ok"), ("c", False, "ok"), ("d", None, "refused"),
    ]  # fmt: skip
    assert answers[2]["extracted"] == "4"
    assert answers[2]["rule"] == "declared"
    assert set(answers[0]) == {"id", "equal", "how", "status"}


def test_numbers_of_json_are_answers() -> None:
    rows = [
        {"id": 1, "prediction": 4.0, "gold": 4},
        {"id": 2, "response": "The answer is 1/2.", "gold": 0.5},
        {"id": 3, "prediction": 4, "gold": 5},
        {"id": 4, "prediction": "True", "gold": True},
    ]
    result = CliRunner().invoke(grade, [], input="\n".join(map(json.dumps, rows)))
    assert result.exit_code == 0
    assert [a["equal"] for a in lines(result)] == [True, True, False, True]


def test_unreadable_lines_are_answered_and_counted() -> None:
    good = '{"id": 1, "prediction": "1", "gold": "1"}'
    bad = '{"id": 3, "prediction": [1], "gold": "1"}'
    result = CliRunner().invoke(grade, [], input=f"{good}\nnonsense\n{bad}")
    assert result.exit_code == 1
    assert [(a["id"], "error" in a) for a in lines(result)] == [
        (1, False),
        (None, True),
        (3, True),
    ]
    assert "2 of 3 lines unreadable" in result.stderr


def test_grade_is_the_same_on_two_processes() -> None:
    rows = "\n".join(
        json.dumps({"id": k, "prediction": f"{k}/3", "gold": "\\frac{10}{3}"})
        for k in range(600)
    )
    one, two = (
        CliRunner().invoke(grade, ["--jobs", str(n)], input=rows) for n in (1, 2)
    )
    assert one.stdout_bytes == two.stdout_bytes
    assert [a["id"] for a in lines(one) if a["equal"]] == [10]


def test_extract_answers_every_line() -> None:
    labelled = [{"label": "P", "text": "4"}, {"label": "Q", "text": "5"}]
    rows = [
        {"id": 1, "response": "It is (B).", "options": ["3", ""]},
        {"id": 2, "response": "It is 4.", "options": labelled},
        {"id": 3, "response": "no idea", "options": [None, None]},
        {"id": 4, "response": "B"},
    ]  # fmt: skip
    result = CliRunner().invoke(extract, [], input="\n".join(map(json.dumps, rows)))
    *found, failed = lines(result)
    assert [(a["id"], a["letter"]) for a in found] == [(1, "B"), (2, "P"), (3, None)]
    assert failed == {"id": 4, "error": "options is None, not a list"}
    assert result.exit_code == 1
