"""mean@k and pass@k against every way of drawing."""

from __future__ import annotations

from itertools import combinations

import pytest
from benchwright.evaluate.metrics import passed, robust
from benchwright.evaluate.metrics.repeats import repeats
from hypothesis import given
from hypothesis import strategies as st
from small_releases import make_result


@given(st.lists(st.booleans(), min_size=1, max_size=7), st.integers(1, 7))
def test_pass_is_the_share_of_draws_with_a_right_one(verdicts, j):
    j = min(j, len(verdicts))
    draws = list(combinations(verdicts, j))
    share = sum(any(draw) for draw in draws) / len(draws)
    assert passed(len(verdicts), sum(verdicts), j) == pytest.approx(share)


def test_repeats_are_means_over_samples():
    rounds = {"a-1": [True, True, False, False], "a-2": [False] * 4, "a-3": [True] * 4}
    results = [
        make_result(name, right, repeat=k)
        for name, verdicts in rounds.items()
        for k, right in enumerate(verdicts, 1)
    ]
    found = repeats(results, robust)
    assert (found.k, found.samples, found.mean.value) == (4, 3, 0.5)
    assert list(found.passes) == ["1", "2", "4"]
    assert found.passes["1"].value == found.mean.value
    assert found.passes["2"].value == pytest.approx((5 / 6 + 0 + 1) / 3, abs=1e-6)
    assert found.passes["4"].value == pytest.approx(2 / 3, abs=1e-6)
    assert all(m.low <= m.value <= m.high for m in found.passes.values())
    assert repeats(results[::4], robust) is None
