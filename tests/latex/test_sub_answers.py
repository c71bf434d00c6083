"""Marks of parts: which count, and which parts a set text and a reply have."""

from __future__ import annotations

import pytest
from benchwright.convert.readers import read_parts as gold_parts
from benchwright.grading.extraction import read_parts
from benchwright.latex import PART_STYLES, first_run, last_run


def cut(text: str, style: str, run=first_run) -> list[tuple[int, str]]:
    return [(s.number, text[s.start : s.end].strip()) for s in run(text, style)]


@pytest.mark.parametrize(
    ("style", "text"),
    [
        ("①", "①p②q"), ("(1)", "(1) p （2）q"), ("(1)", "**(1)** p\n**(2)** q"),
        ("(a)", "(a) p (b) q"), ("(i)", "(i) p; (ii) q"), ("(Ⅰ)", "(Ⅰ)p。(Ⅱ)q"),
        ("(Ⅰ)", "(I) p (II) q"),
        ("Question 1:", "Question 1: p Question 2: q"), ("Part 1", "Part 1. p\n## Part 2: q"),
        ("Part 1", "第(1)问：p\n第(2)问：q"),
    ],
)  # fmt: skip
def test_every_style_is_cut_by_both_runs(style: str, text: str) -> None:
    for run in (first_run, last_run):
        parts = cut(text, style, run)
        assert [(n, part.strip("*;。# \n")) for n, part in parts] == [
            (1, "p"),
            (2, "q"),
        ]


@pytest.mark.parametrize(
    "text",
    ["f(1) = 3 and f(2) = 5", "C(2)-C(1)", "由(1)知", r"$\frac12 (12)(9)$", "Parts a of it",
     "(iiii) x"],
)  # fmt: skip
def test_what_speaks_of_a_part_or_is_a_value_is_no_mark(text: str) -> None:
    assert not any(last_run(text, style) for style in PART_STYLES)
    assert not any(len(first_run(text, style)) > 1 for style in PART_STYLES)


def test_a_reference_does_not_break_a_reply_off() -> None:
    """As Chinese replies argue: 由(1)知 stands inside part 2, and part 3 follows."""
    reply = "(1) x = 5.\n(2) 由(1)知 y = 7.\n(3) z = 9."
    assert [part for _, part in cut(reply, "(1)", last_run)] == [
        "x = 5.",
        "由(1)知 y = 7.",
        "z = 9.",
    ]
    assert list(read_parts(reply, ["1", "2", "3"])) == ["1", "2", "3"]


def test_golds_and_replies_are_cut_alike() -> None:
    for text in ("(Ⅰ) 5 (Ⅱ) 7", "(a) 5; (b) 7", "① 5 ② 7"):
        assert [part.answer for part in gold_parts(text)] == ["5", "7"]
        assert [read_parts(text, ["1", "2"])[label].answer for label in "12"] == [
            "5",
            "7",
        ]
