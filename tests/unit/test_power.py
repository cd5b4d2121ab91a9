"""The smallest difference that a number of sets can show."""

from __future__ import annotations

import numpy as np
import pytest
from scipy import stats
from statsmodels.stats.power import TTestPower

from dualpair.analysis import power


@pytest.mark.parametrize("n", [10, 40, 170, 1000])
@pytest.mark.parametrize("chance", [0.5, 0.8, 0.95])
def test_the_effect_has_the_power_that_statsmodels_gives_it(n, chance):
    effect = power.standardised_effect(n, chance)
    theirs = TTestPower().power(effect, n, 0.05, alternative="two-sided")
    assert theirs == pytest.approx(chance, abs=1e-4)


def test_many_clusters_need_the_normal_approximation():
    z = stats.norm.ppf(0.975) + stats.norm.ppf(0.8)
    assert power.standardised_effect(5000, 0.8) == pytest.approx(z / np.sqrt(5000), rel=1e-3)


def test_few_clusters_at_a_small_level():
    """By the exact upper tail of the noncentral t distribution, where statsmodels finds no root."""
    effect = power.standardised_effect(4, 0.8, 0.05 / 144)
    critical = stats.t.isf(0.05 / 288, 3)
    rng = np.random.default_rng(0)
    t = (rng.normal(size=400_000) + 2 * effect) / np.sqrt(rng.chisquare(3, 400_000) / 3)
    assert np.mean(t > critical) == pytest.approx(0.8, abs=0.005)


def test_under_three_clusters_nothing_is_said():
    assert np.isnan(power.standardised_effect(2))
    assert np.isnan(power.cluster_spread([[1.0], [2.0]], ["a", "b"])).all()
    assert np.isnan(power.detectable([[1.0], [2.0]], ["a", "b"])).all()


@pytest.mark.parametrize(("chance", "level"), [(0.4, 0.05), (1.0, 0.05), (0.8, 0.0), (0.8, 0.5)])
def test_values_out_of_range_are_refused(chance, level):
    with pytest.raises(ValueError, match="level must lie"):
        power.standardised_effect(10, chance, level)


def test_spread_of_equal_clusters_is_that_of_their_means():
    values = np.array([[1.0], [3.0], [5.0], [5.0], [0.0], [2.0]])
    assert power.cluster_spread(values, list("aabbcc")) == pytest.approx(np.std([2.0, 5.0, 1.0], ddof=1))


def test_spread_of_unequal_clusters_by_hand():
    # Sums 4, 2, 0 of sizes 2, 1, 1; mean 1.5; deviations 4 - 3, 2 - 1.5, 0 - 1.5, each times 3 / 4.
    expected = np.sqrt(0.75**2 * (1.0 + 0.25 + 2.25) / 2)
    assert power.cluster_spread([[1.0], [3.0], [2.0], [0.0]], list("aabc")) == pytest.approx(expected)


def test_spread_over_root_c_is_the_spread_of_means_over_worlds():
    """Unequal clusters, 4,000 worlds: the mean spread over sqrt(C) against the standard deviation of the means."""
    rng = np.random.default_rng(1)
    clusters = np.repeat(np.arange(40), rng.integers(1, 5, 40))
    values = rng.normal(size=(40, 4000))[clusters] + rng.normal(size=(len(clusters), 4000))
    predicted = power.cluster_spread(values, clusters).mean() / np.sqrt(40)
    assert predicted == pytest.approx(values.mean(axis=0).std(), rel=0.06)


def test_four_times_the_sets_show_half_the_difference():
    least = [power.detectable_with(0.5, n, 2.0) for n in (400, 1600)]
    assert least[0] / least[1] == pytest.approx(2.0, rel=0.01)
    assert power.detectable_with(0.5, 100, 2.0) == pytest.approx(0.5 * power.standardised_effect(50))


def test_the_t_test_finds_what_is_detectable_at_the_stated_rate():
    rng = np.random.default_rng(2)
    least = 0.7 * power.standardised_effect(25, 0.8)
    p = stats.ttest_1samp(rng.normal(least, 0.7, (25, 4000)), 0.0).pvalue
    assert np.mean(p < 0.05) == pytest.approx(0.8, abs=0.025)
