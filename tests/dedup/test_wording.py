"""Rare words: the vectors and neighbours are those of an obvious slow twin."""

from __future__ import annotations

import math
import random

import numpy as np
import pytest
from benchwright.dedup import wording
from benchwright.dedup.wording import cosines, neighbours, only, stems, vectors_of
from benchwright.pipeline import Engine


def slow(texts: list[list[str]]) -> np.ndarray:
    """All cosines, word by word."""
    frequency: dict[str, int] = {}
    for text in texts:
        for word in set(text):
            frequency[word] = frequency.get(word, 0) + 1
    out = np.zeros((len(texts), len(texts)))
    weight = {word: math.log((1 + len(texts)) / n) for word, n in frequency.items()}
    length = [math.sqrt(sum(weight[w] ** 2 for w in set(text))) for text in texts]
    for i, x in enumerate(texts):
        for j, y in enumerate(texts):
            shared = sum(weight[w] ** 2 for w in set(x) & set(y))
            out[i, j] = shared / (length[i] * length[j]) if length[i] * length[j] else 0
    return out


@pytest.mark.parametrize("seed", range(5))
@pytest.mark.parametrize("cells", [64, 8])  # a sum for every text, or one for several
def test_neighbours_and_cosines_are_those_of_the_slow_twin(
    cells: int, seed: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(wording, "CELLS", cells)
    monkeypatch.setattr(wording, "BLOCK", 7)  # several blocks
    monkeypatch.setattr(wording, "POSTINGS", 350)
    monkeypatch.setattr(wording, "NEIGHBOURS", 3)
    monkeypatch.setattr(wording, "TOGETHER", 70)
    rng = random.Random(seed)
    words = [f"w{k}" for k in range(30)]
    texts = [rng.choices(words, range(1, 31), k=rng.randrange(8)) for _ in range(40)]
    expected = slow(texts)
    vectors = vectors_of(texts)
    a, b = (side.ravel() for side in np.meshgrid(range(40), range(40)))
    assert np.allclose(cosines(vectors, a, b), expected[a, b])
    found = set(zip(*(side.tolist() for side in neighbours(vectors)), strict=True))
    np.fill_diagonal(expected, 0)
    for row in range(40):
        mine = sorted(
            expected[row, o] for p in found if row in p for o in p if o != row
        )
        best = [
            value
            for value in np.sort(expected[row])[::-1][:3]
            if value >= wording.LEAST
        ]
        assert np.allclose(mine[::-1][: len(best)], best)


@pytest.mark.parametrize("engine", [Engine(jobs=2), Engine(kind="dask", jobs=2)])
def test_every_engine_finds_the_same_neighbours(
    engine: Engine, monkeypatch: pytest.MonkeyPatch
) -> None:
    rng = random.Random(5)
    words = [f"w{k}" for k in range(300)]
    vectors = vectors_of([rng.choices(words, k=8) for _ in range(200)])
    expected = neighbours(vectors)
    monkeypatch.setattr(wording, "TASK", 30)
    for found in (neighbours(vectors), neighbours(vectors, engine)):
        assert all(map(np.array_equal, found, expected))
    assert len(expected[0]) > 500


def test_rows_that_are_not_chosen_have_no_neighbours() -> None:
    vectors = vectors_of([["a", "b"], ["a", "b"], ["c", "d"], ["a", "b"]])
    pairs = neighbours(only(vectors, np.array([True, False, True, True])))
    assert [side.tolist() for side in pairs] == [[0], [3]]


def test_nothing_and_texts_without_words() -> None:
    for texts in ([], [[]], [[], []]):
        assert [len(side) for side in neighbours(vectors_of(texts))] == [0, 0]


def test_words_are_compared_by_their_first_letters_and_numbers_as_numerals() -> None:
    assert stems("colours of three \\triangle") == stems("coloured of 3")
    assert stems("求三角形的面积") == list("求3角形的面积")
