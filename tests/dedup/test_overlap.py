"""Measures of overlap."""

from __future__ import annotations

from benchwright.dedup import Item, word_grams
from benchwright.dedup.classes import compare


def test_measures_of_empty_and_nested_texts() -> None:
    def overlap(a: str, b: str) -> dict[str, float]:
        return compare(Item(id="a", question=a), Item(id="b", question=b), []).overlap

    assert overlap("one two six ten", "eleven one two six ten zero") == {
        "jaccard": 0.5,
        "containment": 1.0,
    }
    assert (
        overlap("", "")
        == overlap("", "one two")
        == {"jaccard": 0.0, "containment": 0.0}
    )
    assert word_grams(["one", "two"]) == {("one", "two")}
    assert word_grams([]) == frozenset()
