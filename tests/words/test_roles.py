"""The words for answers, solutions and instructions, language by language."""

from __future__ import annotations

import re

from benchwright.convert.exam import inline_answer
from benchwright.words import SCHOOL, WORDS, words


def test_every_word_is_a_pattern_of_its_own() -> None:
    for role, by_language in WORDS.items():
        for said in by_language.values():
            assert re.compile(said).groups == 0, role


def test_a_word_means_what_the_languages_asked_for_mean() -> None:
    school = re.compile(words("answer", languages=SCHOOL))
    assert re.compile(words("answer")).search("解答")
    assert not school.search("解答")
    assert inline_answer("求值【答案】C【解答】因为")[:3] == ("求值", "C", "因为")
