"""Numbers of points, and how far a mean may be from what it is the mean of."""

import numpy as np
import pytest

from disclosure.gaussian_measure.sampling import Sampling, mean_and_error, uniform_numbers, unit
from disclosure.numerics.errors import DomainError


def test_there_are_as_many_points_as_lines_or_up_to_twice_as_many():
    for lines, points in ((32, 2), (33, 4), (4096, 256), (4097, 512)):
        uniform = uniform_numbers(Sampling(lines), 3)
        assert uniform.shape == (16, points, 3)
        assert ((uniform > 0) & (uniform < 1)).all()
    assert (uniform_numbers(Sampling(64, 1), 3) != uniform_numbers(Sampling(64, 2), 3)).all()


def test_the_error_is_two_standard_errors_and_what_may_not_have_been_met():
    generator = np.random.default_rng(1)
    wrong = []
    for _ in range(300):
        value, error = mean_and_error(1e-200 * generator.exponential(size=(16, 64)))
        wrong.append(abs(value - 1e-200) / error)
    assert np.mean(np.array(wrong) > 1) < 0.06
    assert max(wrong) > 0.8
    assert mean_and_error(np.zeros((16, 4))) == (0.0, 0.0)
    # All the same: the largest value over their number.
    assert mean_and_error(np.ones((16, 4))) == (1.0, 1 / 64)


def test_unit_vectors():
    assert unit(np.array([[3.0, 4.0]])).tolist() == [[0.6, 0.8]]
    assert unit(np.array([[3.0, 4.0], [-2.0, 0.0], [0.0, 5.0]])).tolist() == [[0.6, 0.8], [-1.0, 0.0], [0.0, 1.0]]


@pytest.mark.parametrize(
    ("lines", "seed", "named"), [(31, 0, "lines = 31"), (2**25, 0, "lines = "), (32, -1, "seed = -1")]
)
def test_samplings_outside_their_domain_are_refused(lines, seed, named):
    with pytest.raises(DomainError, match=named):
        Sampling.checked(lines, seed)
