"""How much can a differentially private release change what somebody believes about a person?

Arrays go in and come out; randomness is a seed or a generator that is passed in; a value outside its domain raises
`disclosure.domain.DomainError`. Each module explains itself: ``help(disclosure.ratio)``.

What a release may reveal
    gaussian, laplace       the mechanisms: releases, and the noise that a guarantee asks for
    conversions             between approximate and probabilistic privacy
    regions                 bad regions, and the mass of their union: the theoretical upper limit T
    ratio                   the posterior-to-prior ratio, its bounds, and the exact probability that they fail
    beliefs                 any adversary who watches one noisy number, and quantiles of the ratio (a package)
    odds                    odds risk profiles, and the epsilon that they allow
    case_control            a case-control study, its adversaries and its exact odds
    mechanisms              languages of privacy, each into the others, and what normal noise does to odds

A table of people
    populations, queries    who could be in the data, and what is released about them
    exposure, choice        who is exposed, and which epsilon and how much noise keep everybody's ratio

The study of paper A
    datasets, simulation    random datasets, and releases of them
    expectation, densities  expected values over random datasets, without sampling any
    estimators, estimate    means, standard errors, and how far off a number may be
    streams                 random streams that are named, never ordered

What these rest on
    condense, directions, domain, finite, level_sets, mixtures, normal, numerals, planar, quadrature, radial

Examples
--------
>>> from disclosure import gaussian, ratio, regions
>>> sigma = gaussian.calibrate(epsilon=1.0, delta=0.01)
>>> gaps = regions.standardised_gaps(target=[0.7], neighbours=[[0.1], [0.4], [0.9]], sigma=sigma)
>>> float(regions.union_mass(gaps, 1.0).value), float(ratio.failure_probability(gaps, 1.0).value)
(1.41...e-05, 7.92...e-14)
"""

import importlib

__all__ = [
    "beliefs",
    "case_control",
    "choice",
    "condense",
    "conversions",
    "datasets",
    "densities",
    "directions",
    "domain",
    "estimate",
    "estimators",
    "expectation",
    "exposure",
    "finite",
    "gaussian",
    "laplace",
    "level_sets",
    "mechanisms",
    "mixtures",
    "normal",
    "numerals",
    "odds",
    "planar",
    "populations",
    "quadrature",
    "queries",
    "radial",
    "ratio",
    "ratio_quantiles",
    "regions",
    "simulation",
    "streams",
]
__version__ = "0.1.0"


def __getattr__(name):
    # The numerical modules are imported when they are first used: a short job needs few of them.
    if name == "ratio_quantiles":
        return importlib.import_module("disclosure.beliefs.quantiles").ratio_quantiles
    if name in __all__:
        return importlib.import_module(f"disclosure.{name}")
    raise AttributeError(f"module 'disclosure' has no attribute {name!r}")


def __dir__():
    return sorted([*globals(), *__all__])
