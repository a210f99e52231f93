"""log g, its slopes and its bends against sums in 40 digits and differences."""

import mpmath
import numpy as np
import pytest

from disclosure.gaussian_measure.terms import Terms, log_mixture, rounding


def problem(scale):
    generator = np.random.default_rng(1)
    gaps, weights = scale * generator.normal(size=(4, 6, 3)), generator.dirichlet(np.ones(6), size=4)
    gaps[0, 2] = np.inf, 0.0, 0.0
    return Terms.from_gaps(gaps, weights), scale * generator.normal(size=(4, 3))


def exact_log_g(terms, row, point):
    with mpmath.workdps(40):
        total = mpmath.mpf(0)
        for gap, offset, weight in zip(terms.gaps[row], terms.offsets[row], terms.weights[row], strict=True):
            if np.isfinite(offset):
                gap, point = [mpmath.mpf(float(c)) for c in gap], [mpmath.mpf(float(z)) for z in point]
                product = sum(c * z for c, z in zip(gap, point, strict=True))
                total += mpmath.mpf(float(weight)) * mpmath.exp(-product - sum(c * c for c in gap) / 2)
        # The weights themselves sum to 1 up to rounding only.
        whole = sum(mpmath.mpf(float(weight)) for weight in terms.weights[row])
        return float(mpmath.log(total / whole))


@pytest.mark.parametrize("scale", [1.0, 1e-5, 12.0])
def test_log_g_keeps_its_relative_accuracy(scale):
    terms, points = problem(scale)
    for row in (1, 2, 3) if scale < 1 else range(4):
        value = log_mixture(terms.of(slice(row, row + 1)), points[row : row + 1])[0][0]
        assert value == pytest.approx(exact_log_g(terms, row, points[row]), rel=1e-10)


def test_slopes_and_bends_are_those_of_differences():
    terms, points = problem(1.0)
    _, gradient, hessian = log_mixture(terms, points)
    for axis in range(3):
        step = np.zeros(3)
        step[axis] = 1e-5
        before, after = log_mixture(terms, points - step), log_mixture(terms, points + step)
        assert gradient[:, axis] == pytest.approx((after[0] - before[0]) / 2e-5, abs=1e-8)
        assert hessian[:, axis] == pytest.approx((after[1] - before[1]) / 2e-5, abs=1e-8)


def test_rounding_grows_with_the_number_of_terms():
    assert rounding(10) == 1e-11
    assert rounding(10**6) == pytest.approx(1e-9)


def test_a_dataset_far_off_changes_nothing_of_another():
    gaps = np.array([[[0.5], [-0.25]], [[60.0], [70.0]]])
    both = Terms.from_gaps(gaps, np.full((1, 2), 0.5))
    alone = Terms.from_gaps(gaps[1:], np.full((1, 2), 0.5))
    point = np.array([[0.3], [0.3]])
    for found, expected in zip(log_mixture(both, point), log_mixture(alone, point[:1]), strict=True):
        assert np.isfinite(found).all()
        np.testing.assert_array_equal(found[1], expected[0])
