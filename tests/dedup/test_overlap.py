"""The Jaccard join against all pairs."""

from __future__ import annotations

from itertools import pairwise

from benchwright.dedup.overlap import containment, jaccard, jaccard_join, word_grams, words_of
from benchwright.dedup.tokens import grams_of, tokens_of
from hypothesis import given
from hypothesis import strategies as st

sets = st.lists(st.frozensets(st.sampled_from("abcdefg"), max_size=6), max_size=12)


@given(sets, st.integers(1, 100))
def test_the_join_is_all_pairs_above_the_threshold(grams, percent: int) -> None:
    expected = {
        (i, j)
        for j in range(len(grams))
        for i in range(j)
        if grams[i]
        and grams[j]
        and 100 * len(grams[i] & grams[j]) >= percent * len(grams[i] | grams[j])
    }
    assert sorted(jaccard_join(tokens_of(grams), percent)) == sorted(expected)


@given(
    st.lists(st.text("abc", max_size=9), max_size=9),
    st.integers(1, 100),
    st.sampled_from([1, 10**6]),
)
def test_grams_are_joined_whatever_the_numbers_of_words(texts, percent: int, spread: int) -> None:
    """Words with large numbers make grams that do not fit 62 bits."""
    tokens = tokens_of(texts)
    tokens = tokens._replace(words=tokens.words * spread)
    grams = [word_grams(" ".join(text)) for text in texts]
    expected = [
        (i, j)
        for j in range(len(grams))
        for i in range(j)
        if grams[i] and 100 * len(grams[i] & grams[j]) >= percent * len(grams[i] | grams[j])
    ]
    assert sorted(jaccard_join(tokens, percent, 3)) == sorted(expected)


@given(st.lists(st.text("abc ", max_size=12), max_size=8))
def test_grams_of_numbers_are_those_of_words(keys: list[str]) -> None:
    tokens = tokens_of(map(words_of, keys))
    grams = grams_of(tokens, 3)
    own = [frozenset(grams.words[a:b].tolist()) for a, b in pairwise(grams.starts)]
    for k, left in enumerate(keys):
        for j, right in enumerate(keys):
            assert len(own[k] & own[j]) == len(word_grams(left) & word_grams(right))


def test_measures_of_empty_and_nested_sets() -> None:
    short, long = word_grams("a b c d"), word_grams("x a b c d y")
    assert containment(short, long) == 1.0
    assert jaccard(short, long) == 0.5
    assert jaccard(frozenset(), frozenset()) == containment(frozenset(), short) == 0.0
    assert word_grams("one two") == {("one", "two")}
    assert word_grams(" ") == frozenset()
