"""Questions on disk: what is kept of them decides how soon, never what."""

from __future__ import annotations

import random
from collections import Counter
from pathlib import Path
from types import ModuleType

import pytest
from benchwright.dedup import items as module
from benchwright.dedup import pairs
from benchwright.dedup.classes import Pair
from benchwright.dedup.item_store import stored
from benchwright.dedup.items import Item
from benchwright.dedup.pairs import pairs_among


def made(count: int) -> list[Item]:
    """Questions of few words, so that many are near; every fifth in another language."""
    rng = random.Random(3)
    words = (
        "tram river bakery counts twelve roses every 7 people leaves half of 30".split()
    )
    out = []
    for k in range(count):
        text = " ".join(rng.choices(words, k=12)) + (
            "?" if k % 5 else " ¿cuántos años són más?"
        )
        out.append(
            Item(
                id=str(k),
                question=text,
                answer=rng.choice(["7", "$\\frac12$", "6 cm", ""]),
            )
        )
    return out


def found(items: list[Item], work: Path | None) -> list[Pair]:
    with stored(items, work=work) as store:
        return list(pairs_among(store, 80))


def test_a_changed_set_has_the_pairs_of_a_first_look(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    items = made(600)
    first = found(items, tmp_path)
    assert first == found(items, None)
    assert len(first) > 100
    items[70].question = items[71].question + " each"
    items[300].question += " in all"
    del items[500]
    alone, counts = found(items, None), counting(monkeypatch, module, "text_key")
    assert found(items, tmp_path) == alone
    assert 3 <= counts["text_key"] < 450  # the shards of what changed


def test_pairs_are_compared_where_one_of_the_two_changed_or_what_was_kept_is_damaged(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    rng = random.Random(5)
    items = []
    for k in range(500):
        rare = " ".join("".join(rng.choices("bdglmnrst", k=9)) for _ in range(4))
        items += [
            Item(id=f"{side}{k}", question=f"How {end} {rare} are {k}?")
            for side, end in (("a", "many"), ("b", "few"))
        ]
    assert len(found(items, tmp_path)) >= 500
    items[250].question += " Explain."
    alone, counts = found(items, None), counting(monkeypatch, pairs, "comparison")
    assert found(items, tmp_path) == alone
    assert 1 <= counts["comparison"] < 250
    counts.clear()
    for pack in tmp_path.glob("parts/*/*"):
        pack.write_bytes(pack.read_bytes().replace(b"edited", b"EDITED"))
    assert found(items, tmp_path) == alone
    assert counts["comparison"] >= 500


def counting(
    monkeypatch: pytest.MonkeyPatch, room: ModuleType, name: str
) -> Counter[str]:
    """How often a function is called from now on."""
    counts, function = Counter[str](), getattr(room, name)
    monkeypatch.setattr(
        room, name, lambda *args: counts.update([name]) or function(*args)
    )
    return counts


def test_a_store_gives_items_as_they_were_put(tmp_path: Path) -> None:
    items = [
        *made(40),
        Item(id="odd", question="a \ud800 half", options=[("A", "1"), ("B", "2")]),
    ]
    with stored(items) as store:
        assert [item.id for item in store] == [item.id for item in items]
        assert len(store) == 41
        assert store[-1].question == "a \\ud800 half"
        for item, own in zip(items[:-1], store, strict=False):
            assert (item.question, item.key, item.value) == (
                own.question,
                own.key,
                own.value,
            )
            assert store[int(item.id)].content_hash() == item.content_hash()
