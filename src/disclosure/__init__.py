"""How much can a differentially private release change what somebody believes about a person?"""

import importlib

__all__ = [
    "case_control",
    "conversions",
    "datasets",
    "densities",
    "estimators",
    "expectation",
    "gaussian",
    "laplace",
    "mixtures",
    "normal",
    "odds",
    "quadrature",
    "radial",
    "ratio",
    "regions",
    "simulation",
    "streams",
]
__version__ = "0.1.0"


def __getattr__(name):
    # The numerical modules are imported when they are first used: a short job needs few of them.
    if name in __all__:
        return importlib.import_module(f"disclosure.{name}")
    raise AttributeError(f"module 'disclosure' has no attribute {name!r}")


def __dir__():
    return sorted([*globals(), *__all__])
