"""How much can a differentially private release change what somebody believes about a person?

Arrays go in and come out; randomness is a seed or a generator of NumPy's that is passed in; a value outside its domain
raises `DomainError`, and what the package refuses or cannot compute is a `DisclosureError`. A call that lacks an argument is a
`TypeError`. Each name explains itself: ``help(disclosure.failure_probability)``.

An adversary who knows everybody but one person (paper A):

- `standardised_gaps`: differences of the query's answers, in units of the noise.
- `union_mass`: mass of the union of the bad regions, the theoretical upper limit T.
- `failure_probability`: exact probability that the posterior-to-prior ratio leaves its bounds.
- `ratio_bounds`, `prior_free_bounds`, `approximate_ratio_bounds`: bounds of the ratio.
- `ratio_quantiles`: factors that the ratio exceeds with a stated probability only.
- `expected_union_mass`, `expected_failure_probability`: expected values over random datasets, without sampling any.

Odds (paper B):

- `RiskProfile`: the largest odds ratio tolerated for every prior odds ratio, and the epsilon that it allows.

Mechanisms:

- `gaussian`, `laplace`: releases, and the noise that a guarantee asks for.

What comes back, and what is raised:

- `Estimate`: a value and how far off it may be.
- `DisclosureError`: the error above `DomainError`, `ConvergenceError`, and those of tables and of configurations.

The rooms below, from the ground up: `numerics`, `gaussian_measure`, `mechanisms`, `beliefs`, `expected`, `study`, `people`,
`releases`, `plots`, `pages`, `workflow`, `cli`. Imports go down only. What is not offered here is imported
from its room: ``from disclosure.people import queries``.

Examples
--------
>>> import disclosure
>>> sigma = disclosure.gaussian.calibrate(epsilon=1.0, delta=0.01, definition="probabilistic")
>>> gaps = disclosure.standardised_gaps(target=[0.7], neighbours=[[0.1], [0.4], [0.9]], sigma=sigma)
>>> float(disclosure.union_mass(gaps, 1.0).value), float(disclosure.failure_probability(gaps, 1.0).value)
(1.41...e-05, 7.92...e-14)
"""

import importlib
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from disclosure.beliefs.inclusion import (
        approximate_ratio_bounds,
        failure_probability,
        prior_free_bounds,
        ratio_bounds,
    )
    from disclosure.beliefs.profiles import RiskProfile
    from disclosure.beliefs.quantiles import ratio_quantiles
    from disclosure.beliefs.regions import standardised_gaps, union_mass
    from disclosure.expected.failure_probability import expected_failure_probability
    from disclosure.expected.union_mass import expected_union_mass
    from disclosure.mechanisms import gaussian, laplace
    from disclosure.numerics.errors import ConvergenceError, DisclosureError, DomainError
    from disclosure.numerics.estimate import Estimate

__all__ = [
    "ConvergenceError",
    "DisclosureError",
    "DomainError",
    "Estimate",
    "RiskProfile",
    "approximate_ratio_bounds",
    "expected_failure_probability",
    "expected_union_mass",
    "failure_probability",
    "gaussian",
    "laplace",
    "prior_free_bounds",
    "ratio_bounds",
    "ratio_quantiles",
    "standardised_gaps",
    "union_mass",
]
__version__ = "0.1.0"

# Where each public name lives. It is imported when it is first used: a short job needs few of them.
_HOMES = {
    "ConvergenceError": "numerics.errors",
    "DisclosureError": "numerics.errors",
    "DomainError": "numerics.errors",
    "Estimate": "numerics.estimate",
    "RiskProfile": "beliefs.profiles",
    "approximate_ratio_bounds": "beliefs.inclusion",
    "expected_failure_probability": "expected.failure_probability",
    "expected_union_mass": "expected.union_mass",
    "failure_probability": "beliefs.inclusion",
    "gaussian": "mechanisms",
    "laplace": "mechanisms",
    "prior_free_bounds": "beliefs.inclusion",
    "ratio_bounds": "beliefs.inclusion",
    "ratio_quantiles": "beliefs.quantiles",
    "standardised_gaps": "beliefs.regions",
    "union_mass": "beliefs.regions",
}


def __getattr__(name: str) -> Any:
    if name not in _HOMES:
        raise AttributeError(f"module 'disclosure' has no attribute {name!r}")
    home = importlib.import_module(f"disclosure.{_HOMES[name]}")
    return getattr(home, name, None) or importlib.import_module(f"{home.__name__}.{name}")


def __dir__() -> list[str]:
    return sorted([*globals(), *__all__])
