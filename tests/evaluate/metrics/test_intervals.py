"""Intervals of one mean against scipy, explicit matrices and simulation."""

from __future__ import annotations

import random

import numpy as np
import pytest
from benchwright.evaluate.metrics import (
    beta_cdf,
    beta_quantile,
    clopper_pearson,
    cluster_index,
    macro_interval,
    mean_interval,
    rate,
    spread,
    sums,
    t_quantile,
)
from hypothesis import given
from hypothesis import strategies as st
from simulated import SEED, sizes, verdicts


@pytest.mark.parametrize("df", [1, 1.5, 2.3, 7, 50, 3e3, 2e5])
def test_t_quantiles_are_those_of_scipy(df):
    from scipy.stats import t

    assert t_quantile(0.975, df) == pytest.approx(t.ppf(0.975, df), rel=1e-10)


@given(st.floats(0.3, 9e4), st.floats(0.2, 1e5), st.sampled_from((0.025, 0.3, 0.975)))
def test_beta_quantiles_are_those_of_scipy(a, b, q):
    from scipy.special import betainc, betaincinv

    x = beta_quantile(q, a, b)
    assert x == pytest.approx(float(betaincinv(a, b, q)), abs=1e-10)
    assert beta_cdf(a, b, x) == pytest.approx(float(betainc(a, b, x)), abs=1e-9)


@given(st.integers(0, 200), st.integers(1, 200))
def test_independent_verdicts_get_the_exact_interval_of_scipy(k, n):
    from scipy.stats import binomtest

    k = min(k, n)
    oracle = binomtest(k, n).proportion_ci(0.95, method="exact")
    assert clopper_pearson(k / n, n) == pytest.approx(
        (oracle.low, oracle.high), abs=1e-9
    )
    if n > 1:
        found = rate([True] * k + [False] * (n - k), [str(c) for c in range(n)])
        assert (found.low, found.high) == pytest.approx(
            (oracle.low, oracle.high), abs=1e-6
        )


def _matrices(size, right):
    """CR2 and Bell and McCaffrey's degrees of freedom, by the matrices of their definition."""
    n, groups = sum(size), np.repeat(np.arange(len(size)), size)
    y = np.concatenate(
        [[1.0] * a + [0.0] * (k - a) for a, k in zip(right, size, strict=True)]
    )
    hat, error = np.full((n, n), 1 / n), y - y.mean()
    variance, rows = 0.0, []
    for k in range(len(size)):
        i = groups == k
        values, vectors = np.linalg.eigh(np.eye(i.sum()) - hat[np.ix_(i, i)])
        root = vectors @ np.diag(values**-0.5) @ vectors.T
        variance += float((root @ error[i]).sum()) ** 2 / n**2
        rows.append(np.ones(i.sum()) @ root @ (np.eye(n) - hat)[i] / n)
    product = np.array(rows) @ np.array(rows).T
    return variance, float(np.trace(product) ** 2 / (product**2).sum())


@given(
    st.lists(st.tuples(st.integers(1, 6), st.integers(0, 6)), min_size=2, max_size=8)
)
def test_the_clustered_variance_and_its_freedom_are_those_of_the_matrices(clusters):
    size = [n for n, _ in clusters]
    right = [min(n, k) for n, k in clusters]
    found = spread(np.array(right, float), np.array(size, float))
    variance, df = _matrices(size, right)
    assert found.variance == pytest.approx(variance, abs=1e-12)
    assert found.df == pytest.approx(df, rel=1e-6)


def test_fully_dependent_samples_count_as_one_each():
    """Six copies of each of 100 answers say little more than the 100 answers."""
    correct = [k < 30 for k in range(100) for _ in range(6)]
    found = rate(correct, [str(k) for k in range(100) for _ in range(6)])
    once = rate([k < 30 for k in range(100)], [str(k) for k in range(100)])
    assert found.se == once.se
    assert (found.low, found.high) == pytest.approx((once.low, once.high), abs=2e-3)


@pytest.mark.parametrize(
    ("correct", "clusters"),
    [([], []), ([True], ["a"]), ([True] * 5, ["a"] * 5), ([True, False], ["a", "a"])],
)
def test_edge_cases_have_no_false_certainty(correct, clusters):
    result = rate(correct, clusters)
    if not correct:
        assert result.value is None
        assert result.low is None
    else:
        assert result.high - result.low > 0.9  # one cluster knows next to nothing


@given(st.lists(st.tuples(st.booleans(), st.sampled_from("abcdefgh")), min_size=1))
def test_intervals_hold_the_value_whatever_the_order(pairs):
    correct, clusters = zip(*pairs, strict=True)
    result = rate(correct, clusters)
    assert 0 <= result.low <= result.value + 1e-6
    assert result.value - 1e-6 <= result.high <= 1
    shuffled = random.Random(1).sample(pairs, len(pairs))
    assert rate(*zip(*shuffled, strict=True)) == result


@pytest.mark.parametrize("kind", ["1", "6", "1-6", "rare"])
@pytest.mark.parametrize(
    ("groups", "p", "rho"), [(3, 0.5, 0.4), (10, 0.9, 0.8), (40, 0.3, 0.4)]
)
def test_the_interval_covers_the_truth(kind, groups, p, rho):
    """A small part of the grid of bench/statistics.py: 300 runs a cell, so .90 is allowed."""
    rng = np.random.default_rng([SEED, groups, int(p * 100)])
    covered = 0
    for _ in range(300):
        size = sizes(rng, kind, groups)
        right = verdicts(rng, size, p, 0.0 if kind == "1" else rho)
        flat, names = expand(size, right)
        _, _, low, high = mean_interval(flat, names)
        covered += low <= p <= high
    assert covered / 300 >= 0.90


def expand(size, right):
    flat = [float(j < r) for n, r in zip(size, right, strict=True) for j in range(n)]
    return flat, [str(k) for k, n in enumerate(size) for _ in range(n)]


def test_marks_between_are_not_four_times_too_wide():
    """Marks that are alike (.45 to .55) tell more than verdicts of the same mean."""
    marks = [0.45 + 0.1 * (k % 2) for k in range(200)]
    names = [str(k) for k in range(200)]
    _, _, low, high = mean_interval(marks, names)
    assert high - low < 0.03
    _, _, low, high = mean_interval([float(k % 2) for k in range(200)], names)
    assert high - low > 0.12


def test_the_macro_interval_covers_the_mean_of_unequal_groups():
    rng = np.random.default_rng(SEED)
    members = [1, 2, 3, 5, 8, 20, 50, 100]
    chances = np.linspace(0.2, 0.8, len(members))
    names = [str(g) for g, n in enumerate(members) for _ in range(n)]
    covered = 0
    for _ in range(300):
        flat = [float(x) for n, p in zip(members, chances, strict=True)
                for x in rng.random(n) < p]  # fmt: skip
        _, _, low, high = macro_interval(
            flat, names, [str(k) for k in range(len(flat))]
        )
        covered += low <= chances.mean() <= high
    assert covered / 300 >= 0.90


def test_six_copies_widen_a_macro_mean():
    values, groups = [1.0, 0.0, 1.0, 1.0, 0.0, 1.0, 0.0, 0.0], list("aaaabbbb")
    once = macro_interval(values, groups, [str(k) for k in range(8)])
    copies = [x for x in values for _ in range(6)]
    names, clusters = (
        [g for g in groups for _ in range(6)],
        [str(k) for k in range(8)] * 6,
    )
    clusters = [str(k // 6) for k in range(48)]
    many = macro_interval(copies, names, clusters)
    naive = macro_interval(copies, names, [str(k) for k in range(48)])
    assert many.high - many.low > 1.5 * (naive.high - naive.low)
    assert many.high - many.low == pytest.approx(once.high - once.low, rel=0.35)


def test_clusters_are_summed_by_name():
    where = cluster_index(["b", "a", "b"])
    assert sums(where).tolist() == [1, 2]
    assert sums(where, np.array([1.0, 2.0, 3.0])).tolist() == [2, 4]
