"""An instruction before many questions makes no two of them alike; a stem that few share does."""

from __future__ import annotations

import random

import pytest
from benchwright import Pair
from benchwright.dedup import Item, find_pairs, instructions_of
from benchwright.dedup.instructions import Instructions, common_ends

LONG = (
    "In this section you are given an exercise of a competition for secondary schools. "
    "Write your answer into the space below it without tables or calculators, and give "
    "reasons for each of your steps. "
)
SHORT = "Put the final answer within a box, and nothing else."


def asked(count: int) -> list[str]:
    """Short questions of words that nobody else has."""
    rng = random.Random(7)
    words = ["".join(rng.choices("bdfglmnrst", k=6)) for _ in range(9 * count)]
    return [" ".join(words[9 * k : 9 * k + 9]) + "?" for k in range(count)]


def pairs(questions: list[str]) -> list[Pair]:
    items = [
        Item(id=str(k), question=q, answer=str(k % 60)) for k, q in enumerate(questions)
    ]
    return list(find_pairs(items))


@pytest.mark.parametrize(
    ("before", "behind"), [(LONG, ""), ("", " " + LONG), (LONG, "\n" + SHORT)]
)
def test_questions_are_compared_without_what_all_of_them_begin_or_end_with(
    before: str, behind: str
) -> None:
    questions = asked(80)
    questions[5] = questions[4].replace("?", " now?")  # two of one problem
    found = pairs([before + question + behind for question in questions])
    assert [(pair.a, pair.b) for pair in found] == [("4", "5")]


def test_one_question_below_two_instructions_is_one_problem() -> None:
    questions = asked(60)
    given = [LONG + one for one in questions] + [
        LONG.upper() + one for one in questions
    ]
    linked = {(pair.a, pair.b) for pair in pairs(given) if pair.linked}
    assert linked == {(str(k), str(k + 60)) for k in range(60)}


def test_a_stem_that_a_few_questions_share_is_no_instruction() -> None:
    questions = asked(80)
    known = instructions_of([LONG + one for one in questions[:5]] + questions[5:])
    assert not known.beginnings
    assert common_ends(LONG + questions[0], known) == (0, 0)


def test_a_template_with_other_numbers_is_no_instruction() -> None:
    stem = "A train leaves the station at noon and never stops on its way to the sea. "
    questions = [f"{stem}How far is it after {k} hours?" for k in range(40)]
    assert instructions_of(questions).beginnings == frozenset()


def test_questions_that_are_nothing_else_stay_whole() -> None:
    known = Instructions(frozenset([LONG]), frozenset([LONG]))
    assert common_ends(LONG, known) == (0, 0)
    assert common_ends(LONG + LONG, known) == (0, 0)
