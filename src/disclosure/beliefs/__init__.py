"""What an adversary believes before and after a release.

Inclusion (paper A): `regions` and `inclusion` are about an adversary who knows everybody but one person, `quantiles` has the
factor that the belief exceeds with a stated probability only, `ratio_limits` limits on it in closed form, and `tolerated_ratio`
the epsilon at which the bounds are what is tolerated. `inclusion_on_a_line` has the same adversary for noise that is not
Gaussian. Any event, worlds and weights: `mixtures` has the exact probability that its odds change too much, for one noisy
number and four kinds of noise; it rests on `worlds` (laws of an answer), `noises` (masses of intervals), `kernels` (signed sums
with exact signs) and `zeros` (where these change). `mixture_quantiles` has the factors that such odds exceed with a stated
probability only. Adversaries who know some of the members only, and people who enter together: `knowledge` has their worlds,
`less_informed` what is left of the bounds. The value of a person who is known to be there: `attributes` has how much one number
changes the odds that it lies in a set (`value_sets`), `attribute_plane` how much two do. Odds (paper B): `odds` has risks and
their bounds, `profiles` the epsilon that a risk profile allows, and `case_control` the paper's example. Nothing is imported
here: jobs are short and need few of these.
"""
