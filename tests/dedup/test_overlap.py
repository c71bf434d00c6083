"""Measures of overlap."""

from __future__ import annotations

from itertools import pairwise

from benchwright.dedup.classes import compare, word_grams
from benchwright.dedup.items import Item
from benchwright.dedup.keys import words_of
from benchwright.dedup.tokens import grams_of, tokens_of
from hypothesis import given
from hypothesis import strategies as st


@given(st.lists(st.text("abc ", max_size=12), max_size=8))
def test_grams_of_numbers_are_those_of_words(keys: list[str]) -> None:
    rows = [words_of(key) for key in keys]
    grams = grams_of(tokens_of(rows), 3)
    own = [frozenset(grams.words[a:b].tolist()) for a, b in pairwise(grams.starts)]
    for k, left in enumerate(rows):
        for j, right in enumerate(rows):
            assert len(own[k] & own[j]) == len(word_grams(left) & word_grams(right))


def test_measures_of_empty_and_nested_texts() -> None:
    def overlap(a: str, b: str) -> dict[str, float]:
        return compare(Item(id="a", question=a), Item(id="b", question=b), []).overlap

    assert overlap("one two six ten", "eleven one two six ten zero") == {
        "jaccard": 0.5,
        "containment": 1.0,
    }
    assert overlap("", "") == overlap("", "one two") == {"jaccard": 0.0, "containment": 0.0}
    assert word_grams(["one", "two"]) == {("one", "two")}
    assert word_grams([]) == frozenset()
