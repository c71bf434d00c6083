"""A set read as a set: what all its problems together show and none of them alone."""

from __future__ import annotations

import re

from benchwright.check import findings_of, set_findings
from benchwright.problem import Problem
from benchwright.words import mention
from small import options, problem


def told(problems: list[Problem]) -> list[tuple[str, str, str]]:
    return [(f.id, f.code, f.value) for f in set_findings(lambda: problems)]


def test_a_sound_set_has_no_findings() -> None:
    assert told([problem(k) for k in range(1, 40)]) == []
    assert told([problem(k, answer="Se ovan.") for k in range(1, 4)]) == []  # too few


def test_a_gold_that_is_one_sentence_again_and_again_is_told_at_each_of_its_problems() -> (
    None
):
    golds = ["Se lösningen ovan.", "Se lösningen ovan.", "7", "Se lösningen ovan."] * 5
    found = told([problem(k, answer=gold) for k, gold in enumerate(golds)])
    assert len(found) == 15
    assert found[0] == (
        "a-0",
        "gold-common",
        "Se lösningen ovan.: the gold of 15 of 20 problems",
    )


def test_one_value_or_one_letter_in_all_rows_is_a_finding_of_the_source() -> None:
    same = [problem(k, answer="3") for k in range(12)]
    assert told(same) == [
        (
            "a",
            "set-repeated",
            "12 of 12 problems: the gold is 3: a-0, a-1, a-2",
        )
    ]
    chosen = [
        problem(k, options=options(f"{k}", "x", "y"), answer="A") for k in range(12)
    ]
    assert [code for _, code, _ in told(chosen)] == ["set-repeated"]


def test_what_a_tenth_lacks_is_told_with_three_examples() -> None:
    problems = [
        problem(k, options=options("1", "2") if k % 12 else [], answer="AB"[k % 2])
        for k in range(48)
    ]
    assert told(problems) == [
        ("a", "set-unlike", "4 of 48 problems: no options: a-0, a-12, a-24")
    ]


def test_questions_that_are_nearly_empty_or_swallowed_others_are_told() -> None:
    problems = [
        problem(k, question=f"What is the sum of {k} and {k * k} and three?")
        for k in range(20)
    ]
    problems += [problem(50, question="(c)"), problem(51, question="Then add. " * 900)]
    codes = [(code, value.split(": ")[1]) for _, code, value in told(problems)]
    assert codes == [
        ("set-length", "nearly empty"),
        ("set-length", "far longer than the others"),
    ]


SPEAKS = {
    "as shown in the figure below": "in the figure", "d'après la figure ci-contre": "figure",
    "Observe a figura abaixo": "figura", "siehe Skizze": "siehe Skizze", "如图所示": "如图",
    "На рисунке изображён": "На рисунке", "Yandaki şekilde verilen": "şekil",
    "다음 그림과 같이": "그림",
    "na rysunku obok": "na rysunku", "右の図のように": "右の図", "se figuren": "se figuren",
}  # fmt: skip
SILENT = (
    "a plane figure of three sides", "Die Abbildung f bildet ab", "three significant figures",
    "函数的图象", "a picture is worth a thousand words", "la figura más grande", "de tabel van 7",
)  # fmt: skip


def test_figures_that_are_spoken_of_are_known_in_many_languages() -> None:
    for text, words in SPEAKS.items():
        assert re.search(words, mention("figure", text), re.IGNORECASE), text
    assert [mention("figure", text) for text in SILENT] == [""] * len(SILENT)


def test_what_leaves_is_read_everywhere() -> None:
    """Solutions, hints, steps and labels are texts of the problem, too."""
    found = problem(
        solution="So $x^2^3$.", labels={"hint": "See (cid:12).", "level": 3}
    )
    places = {(f.code, f.where) for f in findings_of(found)}
    assert places == {("text-formula", "solution"), ("text-characters", "labels.hint")}
