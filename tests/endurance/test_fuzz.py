"""Every reader and parser meets damaged input; what long fuzzing found stays mended."""

from __future__ import annotations

import random
import zlib
from pathlib import Path

import fuzzing
import pytest

FOUND = sorted(path for path in fuzzing.CASES.glob("*/*") if path.is_file())
TIMES = 40


@pytest.mark.parametrize("name", sorted(fuzzing.targets()))
def test_damaged_input_is_refused_by_name(name: str) -> None:
    for seed in fuzzing.seeds(name):
        fuzzing.run(name, seed)
    chance = random.Random(zlib.crc32(name.encode()))
    for _ in range(TIMES):
        fuzzing.run(name, fuzzing.mutated(name, chance))


@pytest.mark.parametrize(
    "path", FOUND, ids=[f"{p.parent.name}-{p.name}" for p in FOUND]
)
def test_what_was_found_stays_mended(path: Path) -> None:
    fuzzing.run(path.parent.name, path.read_bytes())


def test_a_find_is_found(monkeypatch: pytest.MonkeyPatch) -> None:
    def fails(data: bytes) -> None:
        raise KeyError("x")

    monkeypatch.setitem(fuzzing.targets(), "votes", fails)
    with pytest.raises(KeyError):
        fuzzing.run("votes", b"")


@pytest.mark.parametrize("name", sorted(fuzzing.targets()))
def test_deep_nesting_is_refused_by_name(name: str) -> None:
    for start in (
        b"[",
        b'{"id":',
        b'{"id":"1","question":[',
        b"\\frac{",
        b"<p>",
        b"- ",
    ):
        fuzzing.run(name, start * 3000)
