"""Differences and families of tests against scipy, brute force and simulation."""

from __future__ import annotations

from itertools import combinations, product

import numpy as np
import pytest
from benchwright.evaluate.metrics import (
    dimension_differences,
    flip_p,
    flip_table,
    lattice,
    outcomes,
    paired_difference,
    places,
    rate,
    rote_difference,
    tarone_holm,
)
from hypothesis import given
from hypothesis import strategies as st
from simulated import SEED, equal_pair, sizes

DIFFERENCES = st.lists(st.integers(-6, 6), min_size=1, max_size=10).map(np.array)


def slow_flips(differences):
    """p of every flip of every sign, counted one by one."""
    seen = abs(sum(differences))
    sums = [abs(sum(s * d for s, d in zip(signs, differences, strict=True)))
            for signs in product((1, -1), repeat=len(differences))]  # fmt: skip
    return sum(x >= seen for x in sums) / len(sums)


@given(DIFFERENCES)
def test_the_test_counts_every_flip(differences):
    assert flip_p(differences) == pytest.approx(
        slow_flips(differences.tolist()), abs=1e-9
    )


@given(st.integers(0, 400), st.integers(0, 400))
def test_clusters_of_one_are_mcnemars_exact_test(only_first, only_second):
    from scipy.stats import binomtest

    n = only_first + only_second
    oracle = binomtest(only_first, n, 0.5).pvalue if n else 1.0
    differences = np.array([1] * only_first + [-1] * only_second, int)
    assert flip_p(differences) == pytest.approx(oracle, abs=1e-9)


def test_no_p_is_ever_zero_and_no_interval_without_width():
    """All gaps equal: one sample, three, and thousands."""
    for n in (1, 3, 5, 5000):
        found = paired_difference([True] * n, [False] * n, [str(k) for k in range(n)])
        assert found.p == pytest.approx(max(2.0 ** (1 - n) if n < 60 else 0, 1e-12))
        assert found.low < found.high
        assert found.verdict == ("first" if n > 5 else "tied")
    assert (
        "too few disagreements (3)"
        in paired_difference([1] * 3, [0] * 3, "abc").caution()
    )
    assert "unanimous" in paired_difference([1] * 7, [0] * 7, "abcdefg").caution()
    assert paired_difference([1] * 9, [0] * 9, "abcdefghi").caution() == ""


@given(
    st.lists(
        st.tuples(st.floats(0, 1), st.floats(0, 1), st.sampled_from("abcdefgh")),
        min_size=1,
    )
)
def test_test_and_interval_agree_and_mirror(rows):
    first, second, clusters = zip(*rows, strict=True)
    found = paired_difference(first, second, clusters)
    assert found.low <= found.value <= found.high
    if found.p >= 0.05:
        assert found.low <= 0 <= found.high
        assert found.verdict == "tied"
    mirror = paired_difference(second, first, clusters)
    assert (mirror.p, mirror.low, mirror.high) == pytest.approx(
        (found.p, -found.high, -found.low), abs=2e-6
    )


def test_pairing_sees_what_separate_intervals_cannot():
    """Nested successes: A is right wherever B is, and on 30 of 1,000 more."""
    second = [k < 500 for k in range(1000)]
    first = [k < 530 for k in range(1000)]
    clusters = [str(k) for k in range(1000)]
    assert rate(first, clusters).low < rate(second, clusters).high
    found = paired_difference(first, second, clusters)
    assert found.low > 0
    assert found.verdict == "first"
    assert outcomes(first, second).only_first == 30


def test_the_detectable_difference_is_found_four_times_in_five():
    """304 problems, a fifth of them discordant, a true gap of the size that is named."""
    rng = np.random.default_rng(SEED)
    n, discordant = 304, 0.2
    gap = 2.8016 * (discordant / n) ** 0.5
    found = 0
    for _ in range(400):
        u = rng.random(n)
        d = (u < (discordant + gap) / 2).astype(int) - (
            u > 1 - (discordant - gap) / 2
        ).astype(int)
        found += flip_p(d) < 0.05
    assert 0.72 <= found / 400 <= 0.88


@pytest.mark.parametrize("kind", ["1", "6", "1-6", "rare"])
@pytest.mark.parametrize(
    ("groups", "p", "rho"), [(3, 0.5, 0.4), (10, 0.3, 0.8), (40, 0.5, 0.4)]
)
def test_equal_models_are_rarely_called_different(kind, groups, p, rho):
    """Type I error below 8 % in 300 runs (nominal 5 %); the old z test reached 30 %."""
    rng = np.random.default_rng([SEED, groups])
    wrong = 0
    for _ in range(300):
        a, b = equal_pair(rng, sizes(rng, kind, groups), p, 0.0 if kind == "1" else rho)
        wrong += flip_p(a - b) < 0.05
    assert wrong / 300 <= 0.08


@given(st.lists(DIFFERENCES, min_size=1, max_size=4))
def test_tarone_holm_is_the_closed_test_of_tarones_bound(comparisons):
    """Every set of hypotheses tried out: a set is rejected when some member's p, weighed with
    what all its members can attain, is small (Marcus, Peritz, Gabriel 1976)."""
    tables = [np.unique(flip_table(c)) for c in comparisons]
    p = [slow_flips(c.tolist()) for c in comparisons]

    def bound(members, x):
        below = [[q for q in tables[k] if q <= x + 1e-9] for k in members]
        return sum(max(b, default=0.0) for b in below)

    count = range(len(p))
    sets = [s for size in count for s in combinations(count, size + 1)]
    closed = [
        max(min(1.0, bound(s, min(p[j] for j in s))) for s in sets if k in s)
        for k in count
    ]
    assert tarone_holm(comparisons).adjusted == pytest.approx(closed, abs=1e-8)


def test_groups_too_small_to_show_anything_cost_nothing():
    alone = [np.ones(1, int)] * 40
    found = tarone_holm([np.ones(8, int), *alone])
    assert found.adjusted[0] == pytest.approx(2 / 2**8)
    assert set(found.adjusted[1:]) == {1.0}


@pytest.mark.parametrize(
    "sizes_of_groups", [[19] * 16, [5] * 7, [1, 2, 3] * 13, [1, 3, 8, 15, 20, 40] * 5]
)
def test_no_group_is_called_different_in_19_of_20_tables(sizes_of_groups):
    rng = np.random.default_rng(SEED)
    wrong = 0
    for _ in range(150):
        groups = [
            rng.binomial(1, 0.5, n) - rng.binomial(1, 0.5, n) for n in sizes_of_groups
        ]
        wrong += min(tarone_holm(groups).adjusted) < 0.05
    assert wrong / 150 <= 0.08


@pytest.mark.parametrize("runs", [5, 10])
def test_equal_runs_are_rarely_ranked_apart(runs):
    rng = np.random.default_rng(SEED)
    wrong = left_out = 0
    for _ in range(60):
        verdicts = rng.random((runs, 150)) < rng.random(150)
        marks = verdicts.astype(int)
        found, _ = places({(i, j): marks[i] - marks[j]
                           for i, j in combinations(range(runs), 2)}, runs)  # fmt: skip
        wrong += any(place.best > 1 for place in found)
        left_out += not found[0].may_be_best
    assert wrong / 60 <= 0.1
    assert left_out / 60 <= 0.1


def test_a_clearly_better_run_is_alone_at_the_top():
    rng = np.random.default_rng(SEED)
    marks = np.array([rng.random(300) < p for p in (0.8, 0.4, 0.4)]).astype(int)
    gaps = {(i, j): marks[i] - marks[j] for i, j in combinations(range(3), 2)}
    found, family = places(gaps, 3)
    assert (found[0].best, found[0].worst) == (1, 1)
    assert [place.may_be_best for place in found] == [True, False, False]
    assert all(2 <= place.best <= place.worst <= 3 for place in found[1:])
    assert family.adjusted[0] < 0.001


def test_marks_are_laid_on_a_grid_and_verdicts_stay():
    assert lattice(np.array([2.0, -1.0])).tolist() == [2, -1]
    assert lattice(np.array([0.333, -0.1])).tolist() == [100, -30]


def test_four_dimensions_differ_where_the_classes_do():
    first = ["CM"] * 20 + ["RM"] * 5 + ["IK"] * 5
    second = ["CM"] * 5 + ["RM"] * 20 + ["IK"] * 5
    found = dimension_differences(first, second, [str(k) for k in range(30)])
    assert found["CM"].value == 0.5
    assert found["CM"].verdict == "first"
    assert found["IK"].verdict == "tied"
    assert found["RM"].value == -0.6
    assert found["RM"].verdict == "second"
    assert found["RM"].low <= -0.6 <= found["RM"].high < 0


def test_equal_rates_of_rote_memorisation_are_rarely_told_apart():
    """Both draw their classes from the same chances: type I error and coverage of 0."""
    rng = np.random.default_rng(SEED)
    names = np.array(["IK", "IG", "CM", "RM"])
    wrong = covered = counted = 0
    for _ in range(200):
        a, b = (
            names[rng.choice(4, 60, p=[0.5, 0.08, 0.32, 0.1])].tolist()
            for _ in range(2)
        )
        found = rote_difference(a, b, [str(k) for k in range(60)])
        if found.value is not None:
            counted += 1
            wrong += found.verdict != "tied"
            covered += found.low <= 0 <= found.high
    assert wrong / counted <= 0.08
    assert covered / counted >= 0.92
