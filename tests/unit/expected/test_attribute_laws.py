"""How laws of an attribute are written, and what they keep."""

import pickle

import numpy as np
import pytest

from disclosure.expected.attribute_laws import NAMED, Discrete, attribute_law
from disclosure.expected.densities import Beta, Uniform
from disclosure.numerics.errors import DomainError


def parabola(x):
    return 6 * x * (1 - x)


@pytest.mark.parametrize("written", ["uniform", ("beta", 0.5, 3.0), ("beta", 1000.0, 2000.0), (parabola, 0.0, 1.0)])
def test_a_density_is_the_same_after_pickling(written):
    density = attribute_law(written)
    again = pickle.loads(pickle.dumps(density))
    b = np.linspace(0.01, 0.99, 7)
    assert np.array_equal(again(b, 1 - b), density(b, 1 - b))
    assert np.array_equal(again.below(b), density.below(b))


def test_a_list_of_values_is_the_same_after_pickling():
    values = pickle.loads(pickle.dumps(attribute_law("binary")))
    assert values.values.tolist() == [0.0, 1.0]
    assert values.probabilities.tolist() == [0.5, 0.5]


def test_names_stand_for_laws_anew():
    assert {name: type(attribute_law(name)) for name in NAMED} == {"uniform": Uniform, "binary": Discrete}
    assert attribute_law("uniform") is not attribute_law("uniform")


def test_a_beta_density_that_is_flat_is_the_uniform_one():
    assert isinstance(attribute_law(("beta", 1.0, 1.0)), Uniform)
    law = Beta(2.0, 2.0)
    assert attribute_law(law) is law


def test_lengths_of_a_list_of_values():
    law = Discrete([-1.0, 0.5, 2.0], [0.5, 0.2, 0.3])
    assert (law.sensitivity, law.spread, law.unit) == (3.0, 3.0, 1.0)


@pytest.mark.parametrize(
    ("written", "message"),
    [
        ("normal", 'attributes = \'normal\' is not understood; use "uniform", "binary", '),
        (("discrete", [0.0, 1.0]), r"\(\"discrete\", values, probabilities\)"),
        (("discrete", [0.0, 1.0], [0.5, 0.4]), r"probabilities sums to 0\.9"),
        (("discrete", [0.0, 0.0], [0.5, 0.5]), "expected as many distinct values"),
        (("beta", 0.0, 1.0), r"beta parameter a = 0\.0 is outside \(0, inf\)"),
        (None, "is not understood"),
    ],
)
def test_what_is_no_law_is_refused(written, message):
    with pytest.raises(DomainError, match=message):
        attribute_law(written)
