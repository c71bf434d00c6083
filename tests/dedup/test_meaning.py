"""Embeddings as a signal: neighbours are those of all pairs, and are compared like all others."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from benchwright.dedup import Item, find_pairs, meaning
from benchwright.dedup.meaning import meaning_cosines, near_meanings
from benchwright.llm import Model
from llm_server import llm_server

TWINS = ["A ferry carries 47 bikes.", "Le bac transporte 47 velos."]
QUESTIONS = [*TWINS, "Compute the sum of angles.", "Name any prime."]


def vector(body: dict) -> list[float]:
    """The twins mean the same, all else something of its own."""
    text = body["input"]
    return [
        float(text in TWINS),
        *(float(text == other) for other in QUESTIONS[2:]),
        0.01,
    ]


@pytest.mark.parametrize("cells", [50, 4_000_000])
def test_neighbours_are_those_of_all_pairs(
    cells: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(meaning, "CELLS", cells)
    monkeypatch.setattr(meaning, "NEAREST", 2)
    rng = np.random.default_rng(3)
    vectors = rng.normal(size=(60, 3)).astype(np.float32)
    vectors /= np.linalg.norm(vectors, axis=1)[:, None]
    vectors[7] = 0
    cosine = np.round(vectors @ vectors.T, 4)
    np.fill_diagonal(cosine, 0)
    expected = set()
    for row in range(60):
        bar = np.sort(cosine[row])[-2]
        for other in np.flatnonzero(
            (cosine[row] >= bar) & (cosine[row] >= meaning.NEAR)
        ):
            expected.add((min(row, int(other)), max(row, int(other))))
    a, b = near_meanings(vectors)
    assert set(zip(a.tolist(), b.tolist(), strict=True)) == expected
    assert np.allclose(meaning_cosines(vectors, a, b, most=7), cosine[a, b], atol=1e-4)


def test_meaning_adds_to_the_score_and_is_asked_for_once(tmp_path: Path) -> None:
    choices = [("A", "17 cm"), ("B", "12 cm")]
    items = [
        Item(
            id=str(k),
            question=q,
            answer="A" if k < 2 else str(k),
            options=choices[: 4 - 2 * k],
        )
        for k, q in enumerate(QUESTIONS)
    ]
    items[1].options = choices
    items += [Item(id=f"f{k}", question="", answer=str(100 + k)) for k in range(20)]
    (before,) = [p for p in find_pairs(items) if {p.a, p.b} == {"0", "1"}]
    with llm_server(vector) as server:
        model = Model(name="m", base_url=server.base_url)
        pairs = find_pairs(items, embeddings=model, cache=tmp_path / "a.db")
        find_pairs(items, embeddings=model, cache=tmp_path / "a.db")
        assert len(server.requests) == 4  # one for each text that is not blank
    (twin,) = [p for p in pairs if "meaning" in p.found]
    assert (twin.a, twin.b) == ("0", "1")
    assert twin.parts["meaning"] == pytest.approx(2.0, abs=0.01)
    assert "meaning" not in before.parts
    assert before.score < twin.score
