"""Measures of overlap."""

from __future__ import annotations

from itertools import pairwise

from benchwright.dedup.overlap import containment, jaccard, word_grams, words_of
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


def test_measures_of_empty_and_nested_sets() -> None:
    short, long = word_grams("abcd"), word_grams("xabcdy")
    assert containment(short, long) == 1.0
    assert jaccard(short, long) == 0.5
    assert jaccard(frozenset(), frozenset()) == containment(frozenset(), short) == 0.0
    assert word_grams(["one", "two"]) == {("one", "two")}
    assert word_grams([]) == frozenset()
