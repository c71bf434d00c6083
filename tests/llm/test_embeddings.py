"""llm.embed: vectors are asked for once, and what a lying endpoint sends is not believed."""

from __future__ import annotations

import math
from pathlib import Path

import numpy as np
import pytest
from benchwright import llm
from llm_server import llm_server

TEXTS = ["aab", "b", "", "ccb", "b"]


def vector(body: dict) -> list[float]:
    return [float(body["input"].count(letter)) for letter in "abc"]


def model(server, **changes: object) -> llm.Model:
    return llm.Model(name="m", base_url=server.base_url, retries=1, **changes)


def test_vectors_have_length_one_and_are_paid_for_once(tmp_path: Path) -> None:
    with llm_server(vector) as server:
        first = llm.embed(TEXTS, model(server), tmp_path / "c.db")
        again = llm.embed(TEXTS, model(server), tmp_path / "c.db")
        offline = llm.embed(
            [*TEXTS, "new"], model(server), tmp_path / "c.db", offline=True
        )
    s = math.sqrt(5)
    expected = [[2 / s, 1 / s, 0], [0, 1, 0], [0, 0, 0], [0, 1 / s, 2 / s], [0, 1, 0]]
    assert np.allclose(first.vectors, expected)
    assert first.lacking == {2: "no text"}
    assert len(server.requests) == 3  # equal texts are one request, a blank one is none
    assert np.array_equal(first.vectors, again.vectors)
    assert offline.lacking == {2: "no text", 5: "not in the cache"}
    assert not offline.vectors[5].any()


@pytest.mark.parametrize(
    "lie",
    [
        [math.nan, 1.0, 2.0],
        [0.0, 0.0, 0.0],
        [None, 1.0, 2.0],
        ["1", 1.0, 2.0],
        [True, 1.0, 2.0],
        [1e300, 0.0, 0.0],
        [],
        [{"embedding": [1.0]}, {"embedding": [2.0]}],
        [{"embedding": None}],
        [{"vector": [1.0]}],
    ],
)
def test_what_is_no_vector_is_no_answer(tmp_path: Path, lie: list) -> None:
    def reply(body: dict) -> list:
        return lie if body["input"] == "b" else vector(body)

    with llm_server(reply) as server:
        found = llm.embed(["aab", "b"], model(server), tmp_path / "c.db")
        assert list(found.lacking) == [1]
        assert found.vectors[0].any()
        assert not found.vectors[1].any()
        server.reply = vector
        assert not llm.embed(["aab", "b"], model(server), tmp_path / "c.db").lacking


def test_a_vector_of_another_length_is_asked_for_again(tmp_path: Path) -> None:
    def reply(body: dict) -> list[float]:
        return [1.0, 2.0] if body["input"] == "b" else vector(body)

    with llm_server(reply) as server:
        found = llm.embed(["aab", "b", "ccb"], model(server), tmp_path / "c.db")
        assert found.lacking == {1: "2 numbers where most vectors have 3"}
        server.reply = vector
        again = llm.embed(["aab", "b", "ccb"], model(server), tmp_path / "c.db")
    assert not again.lacking
    assert len(server.requests) == 4


def test_faults_are_asked_again_and_a_budget_holds(tmp_path: Path) -> None:
    with llm_server(vector, failures=["500", "garbage"]) as server:
        one = llm.embed(
            ["aab"], llm.Model(name="m", base_url=server.base_url), tmp_path / "c.db"
        )
        assert not one.lacking
        poor = model(server, price_in=1e6, budget=1.0, concurrency=1)
        found = llm.embed(["aa", "bb", "cc"], poor, tmp_path / "d.db")
    assert set(found.lacking.values()) == {"the budget is spent"}
    assert len(found.lacking) == 2
