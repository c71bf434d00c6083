"""Results in little room say what they said, whatever their fields hold."""

from __future__ import annotations

from pathlib import Path

from benchwright.evaluate.metrics import (
    Alike,
    Official,
    read_results,
    read_verdicts,
    write_results,
)
from small_releases import make_result


def test_results_in_little_room_are_the_same(tmp_path: Path) -> None:
    results = [
        make_result(f"a-{k}", (k + repeat) % 3 > 0, response=f"reply {k}", repeat=repeat,
                    tokens=None if k == 4 else 7 * k + repeat, cost=k / 8,
                    labels={"subject": ["x", "y"], "level": k % 3},
                    official=None if k % 2 else Official(profile="math-v", correct=k > 5))
        for k in range(12) for repeat in (1, 2)
    ]  # fmt: skip
    write_results(tmp_path, results)
    alike = Alike()
    verdicts = read_verdicts(tmp_path, alike)
    stored = len(alike.results)
    again = read_verdicts(tmp_path, alike)
    expected = read_results(tmp_path)
    for result in expected:
        result.response = None
    assert list(verdicts) == list(again) == expected
    assert len(verdicts) == 24
    assert verdicts[-1] == expected[-1]
    assert list(verdicts[2:4]) == expected[2:4]
    assert len(alike.results) == stored <= 24
