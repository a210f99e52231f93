"""What an adversary believes before and after a release: any event, any worlds, any weights.

`mixtures` has the exact probability that the odds of an event change too much, and the releases at which they do, for one noisy
number and four kinds of noise; `quantiles` the factor that a belief in inclusion exceeds with a stated probability only. Below
these are `noises` (masses of intervals), `kernels` (signed sums with exact signs) and `zeros` (where these change).
"""

from disclosure.beliefs.mixtures import FailureIntervals, Mixture, failure_intervals, failure_probability
from disclosure.beliefs.quantiles import RatioQuantiles, ratio_quantiles

__all__ = [
    "FailureIntervals",
    "Mixture",
    "RatioQuantiles",
    "failure_intervals",
    "failure_probability",
    "ratio_quantiles",
]
