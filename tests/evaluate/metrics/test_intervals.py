"""Intervals against published formulas and against simulation."""

import random
from itertools import combinations, product

import pytest
from benchwright.evaluate.metrics.intervals import clustered_se, rate, wilson
from benchwright.evaluate.metrics.paired import (
    cluster_bootstrap,
    holm,
    mcnemar,
    minimum_detectable,
    paired_difference,
)
from hypothesis import given
from hypothesis import strategies as st


@pytest.mark.parametrize(("k", "n"), [(0, 10), (1, 10), (7, 10), (10, 10), (304, 3040)])
def test_wilson_agrees_with_scipy(k, n):
    from scipy.stats import binomtest

    oracle = binomtest(k, n).proportion_ci(0.95, method="wilson")
    assert wilson(k / n, n) == pytest.approx((oracle.low, oracle.high), abs=1e-9)


def test_independent_samples_get_the_plain_wilson_interval():
    correct = [True] * 30 + [False] * 70
    result = rate(correct, [str(k) for k in range(100)])
    assert (result.low, result.high) == pytest.approx(wilson(0.3, 100), abs=1e-6)


def test_fully_dependent_samples_count_as_one_each():
    """Six copies of each of 100 answers say no more than the 100 answers."""
    correct = [k < 30 for k in range(100) for _ in range(6)]
    clusters = [str(k) for k in range(100) for _ in range(6)]
    once = rate([k < 30 for k in range(100)], [str(k) for k in range(100)])
    assert rate(correct, clusters).se == once.se
    assert rate(correct, clusters).low == pytest.approx(once.low, abs=1e-6)


def test_the_interval_covers_the_truth_in_95_of_100_clustered_draws():
    """Problems of differing difficulty, six versions each: the clustered interval covers, the
    one that takes samples as independent does not."""
    draw = random.Random(5)
    covered = naive = 0
    for _ in range(400):
        correct, clusters = [], []
        for problem in range(120):
            easy = draw.random() < 0.4
            correct += [draw.random() < (0.9 if easy else 0.1) for _ in range(6)]
            clusters += [str(problem)] * 6
        truth = 0.4 * 0.9 + 0.6 * 0.1
        result = rate(correct, clusters)
        covered += result.low <= truth <= result.high
        low, high = wilson(result.value, result.n)
        naive += low <= truth <= high
    assert 0.92 <= covered / 400 <= 0.98
    assert naive / 400 < 0.8


def test_simulated_figure_of_the_six_versions():
    """700 problems of six versions: the naive error is about half the clustered one."""
    draw = random.Random(1)
    values, clusters = [], []
    for problem in range(700):
        p = draw.betavariate(0.5, 0.5)
        values += [float(draw.random() < p) for _ in range(6)]
        clusters += [str(problem)] * 6
    naive = clustered_se(values, [str(k) for k in range(4200)])
    assert clustered_se(values, clusters) == pytest.approx(2 * naive, rel=0.15)


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
        assert result.high - result.low > 0.5  # one cluster knows next to nothing


@given(st.lists(st.tuples(st.booleans(), st.sampled_from("abcdefgh")), min_size=1))
def test_intervals_hold_the_value_and_never_beat_wilson(pairs):
    correct, clusters = zip(*pairs, strict=True)
    result = rate(correct, clusters)
    low, high = wilson(result.value, result.n)
    assert 0 <= result.low <= result.value + 1e-6
    assert result.value - 1e-6 <= result.high <= 1
    assert result.high - result.low >= high - low - 2e-6


@given(st.lists(st.tuples(st.booleans(), st.booleans()), min_size=1, max_size=60))
def test_mcnemar_agrees_with_scipy(pairs):
    from scipy.stats import binomtest

    first, second = zip(*pairs, strict=True)
    result = mcnemar(first, second)
    assert result.both + result.neither + result.only_first + result.only_second == len(pairs)
    discordant = result.only_first + result.only_second
    expected = binomtest(result.only_first, discordant, 0.5).pvalue if discordant else 1.0
    assert result.p == pytest.approx(expected)


def test_mcnemar_of_thousands_is_exact_and_finite():
    result = mcnemar([True] * 6000 + [False] * 5000, [False] * 6000 + [True] * 5000)
    assert 0 < result.p < 1e-15


def test_bootstrap_and_formula_agree_on_clustered_differences():
    draw = random.Random(3)
    first, second, clusters = [], [], []
    for problem in range(400):
        p, q = draw.random(), draw.random() * 0.8
        for _ in range(3):
            first.append(draw.random() < p)
            second.append(draw.random() < q)
            clusters.append(str(problem))
    formula = paired_difference(first, second, clusters)
    low, high = cluster_bootstrap(first, second, clusters)
    assert (low, high) == pytest.approx((formula.low, formula.high), abs=0.004)
    assert cluster_bootstrap(first, second, clusters) == (low, high)


def test_pairing_sees_what_separate_intervals_cannot():
    """Nested successes: A is right wherever B is, and on 30 of 1,000 more."""
    second = [k < 500 for k in range(1000)]
    first = [k < 530 for k in range(1000)]
    clusters = [str(k) for k in range(1000)]
    assert rate(first, clusters).low < rate(second, clusters).high
    assert paired_difference(first, second, clusters).low > 0


def test_minimum_detectable_difference_is_found_four_times_in_five():
    draw = random.Random(11)
    se = 0.02
    wanted = minimum_detectable(se)
    found = sum(abs(draw.gauss(wanted, se)) > 1.959964 * se for _ in range(20_000))
    assert found / 20_000 == pytest.approx(0.8, abs=0.01)


@given(st.lists(st.floats(0, 1), max_size=12))
def test_holm_never_lowers_and_keeps_the_order(p_values):
    adjusted = holm(p_values)
    assert all(a >= p for a, p in zip(adjusted, p_values, strict=True))
    assert all(
        a <= min(1, p * len(p_values)) + 1e-12 for a, p in zip(adjusted, p_values, strict=True)
    )
    ranked = sorted(range(len(p_values)), key=lambda k: p_values[k])
    assert [adjusted[k] for k in ranked] == sorted(adjusted)


@given(st.lists(st.floats(0, 1), min_size=1, max_size=7))
def test_holm_is_the_closed_test_of_bonferroni(p_values):
    """Every set of hypotheses that holds one of them, tried out (Marcus, Peritz, Gabriel 1976)."""
    count = range(len(p_values))
    sets = [s for size in count for s in combinations(count, size + 1)]
    closed = [
        max(min(1.0, len(s) * min(p_values[j] for j in s)) for s in sets if k in s) for k in count
    ]
    assert holm(p_values) == pytest.approx(closed)


@given(st.lists(st.tuples(st.floats(0, 1), st.sampled_from("abcde")), min_size=1, max_size=30))
def test_the_clustered_error_is_the_sum_over_pairs_of_one_cluster(pairs):
    values, clusters = zip(*pairs, strict=True)
    n, mean = len(values), sum(values) / len(values)
    covariance = sum(
        (values[i] - mean) * (values[j] - mean)
        for i in range(n)
        for j in range(n)
        if clusters[i] == clusters[j]
    )
    assert clustered_se(values, clusters) == pytest.approx(max(0, covariance) ** 0.5 / n, abs=1e-7)


def test_the_bootstrap_draws_what_all_redraws_together_give():
    """Five clusters of 1 to 5 samples have 3,125 equally likely redraws: every one of them."""
    draw = random.Random(2)
    groups = [[(draw.random() < 0.7, draw.random() < 0.4) for _ in range(k)] for k in range(1, 6)]
    first, second, clusters = [], [], []
    for name, group in enumerate(groups):
        first += [a for a, _ in group]
        second += [b for _, b in group]
        clusters += [str(name)] * len(group)
    means = []
    for redraw in product(groups, repeat=5):
        pairs = [pair for group in redraw for pair in group]
        means.append(sum(a - b for a, b in pairs) / len(pairs))
    low, high = cluster_bootstrap(first, second, clusters)
    below = sum(m < low - 1e-6 for m in means) / len(means)
    upto = sum(m <= low + 1e-6 for m in means) / len(means)
    assert below <= 0.03
    assert upto >= 0.02
    above = sum(m > high + 1e-6 for m in means) / len(means)
    downto = sum(m >= high - 1e-6 for m in means) / len(means)
    assert above <= 0.03
    assert downto >= 0.02


@pytest.mark.parametrize(("alpha", "power"), [(0.05, 0.8), (0.01, 0.9), (0.1, 0.5)])
def test_minimum_detectable_difference_agrees_with_scipy(alpha, power):
    from scipy.stats import norm

    expected = (norm.ppf(1 - alpha / 2) + norm.ppf(power)) * 0.013
    assert minimum_detectable(0.013, alpha, power) == pytest.approx(expected, abs=1e-6)


@given(st.lists(st.tuples(st.booleans(), st.booleans(), st.sampled_from("abcdef")), min_size=2))
def test_the_paired_difference_is_the_slow_one(rows):
    """Mean of gaps; its test is a z test on the clustered error."""
    from scipy.stats import norm

    first, second, clusters = zip(*rows, strict=True)
    found = paired_difference(first, second, clusters)
    gaps = [int(a) - int(b) for a, b, _ in rows]
    mean = sum(gaps) / len(gaps)
    totals = {c: sum(g - mean for g, (_, _, d) in zip(gaps, rows, strict=True) if d == c)
              for c in set(clusters)}  # fmt: skip
    se = sum(t * t for t in totals.values()) ** 0.5 / len(gaps)
    assert (found.value, found.se) == pytest.approx((mean, se), abs=1e-6)
    if se > 1e-9:
        assert found.p == pytest.approx(2 * norm.sf(abs(mean) / se), abs=1e-9)
        assert found.low == pytest.approx(max(-1, mean - norm.ppf(0.975) * se), abs=1e-6)
        assert found.high == pytest.approx(min(1, mean + norm.ppf(0.975) * se), abs=1e-6)
