"""The checked arguments of one expected value, and the answers that follow from them without an integral."""

import math
from typing import NamedTuple

import numpy as np
from scipy.special import log_ndtr

from disclosure.beliefs.inclusion import Bounds, Levels, levels_of
from disclosure.expected.attribute_laws import AttributeLaw, Law, Written, attribute_law
from disclosure.mechanisms import gaussian
from disclosure.numerics import checks, errors
from disclosure.numerics.estimate import Estimate
from disclosure.numerics.quadrature import Work

__all__ = ["MOST_WORK", "ROUNDING", "Setting", "checked", "shown_to_be_zero", "trivial"]

# Work allowed for one answer, in units of `quadrature.Work`: twenty seconds on a core of 2020.
MOST_WORK = 40_000.0
# Relative error that the rounding of sums and logarithms leaves in an answer.
ROUNDING = 1e-11
# The smallest float above 0: the error of an answer 0 that is known to be less than that.
_SMALLEST = float(np.nextafter(0.0, 1.0))


class Setting(NamedTuple):
    """Checked arguments of one expected value.

    Attributes
    ----------
    quantity : str
        Name of the expected value in messages.
    neighbours : float
        p = n - m, a whole number, or inf.
    epsilon : float
    bounds : {"prior", "prior_free"}
        Of the ratio, with the uniform prior over candidates; the union mass has none.
    sigma : float
        Standard deviation of the noise, in units of ``unit``.
    spread : float
        Largest distance of two attributes, in units of ``unit``.
    unit : float
        Length of the attributes' interval, in the units of the attributes; 1 for a list of values.
    rtol : float
        Relative error wanted.
    most_work : float
        Work allowed, in units of `quadrature.Work`.
    """

    quantity: str
    neighbours: float
    epsilon: float
    bounds: Bounds
    sigma: float
    spread: float
    unit: float
    rtol: float
    most_work: float

    def __str__(self) -> str:
        return (
            f"{self.quantity} for {self._people}, epsilon = {self.epsilon}, sigma = {self.sigma * self.unit} "
            f"and rtol = {self.rtol}"
        )

    @property
    def levels(self) -> Levels:
        """Levels of log g between which the ratio keeps its bounds."""
        return levels_of(self.bounds, self.epsilon, 1 / (self.neighbours + 1))

    @property
    def _people(self) -> str:
        return "an infinite population" if math.isinf(self.neighbours) else f"{self.neighbours} neighbours"

    def work(self) -> Work:
        """A new count of the work for this answer."""
        return Work(self.most_work, str(self))

    def estimate(self, value: float, error: float) -> Estimate[float]:
        """The answer. It raises `ConvergenceError` for a 0 that is not proved, and for an error larger than ``rtol`` allows."""
        value, error = float(value), float(error)
        if value == 0:
            raise errors.ConvergenceError(
                f"{self} is too small for floating point, but not so small that it is shown to be 0"
            )
        if not error <= self.rtol * value:
            raise errors.ConvergenceError(
                f"{self}: {value!r} has an estimated error of {error!r}, more than is wanted; a larger rtol may do"
            )
        return Estimate(value, error)


def checked(
    quantity: str,
    population: float,
    sample: int,
    epsilon: float,
    delta: float,
    attributes: Written,
    rtol: float,
    sigma: float | None,
    most_work: float,
    bounds: Bounds = "prior",
) -> tuple[Law, Setting]:
    """Law of the attributes and setting from what a caller writes, or raise `DomainError`."""
    infinite = np.ndim(population) == 0 and population == math.inf
    least = checks.count("sample", sample, 1) if infinite else population
    people, sample, epsilon, delta = checks.point(least, sample, epsilon, delta)
    rtol = checks.number("rtol", rtol, "[1e-8, 0.1]")
    most_work = checks.number("most_work", most_work, "(0, inf]")
    law = attribute_law(attributes)
    known: AttributeLaw = law
    if sigma is None:
        sigma = (
            gaussian.calibrate(epsilon, delta, known.sensitivity, definition="probabilistic")
            if known.sensitivity > 0
            else 0.0
        )
    sigma = checks.number("sigma", sigma, "[0, inf)") / known.unit
    neighbours = math.inf if infinite else people - sample
    setting = Setting(quantity, neighbours, epsilon, bounds, sigma, known.spread, known.unit, rtol, most_work)
    return law, setting


def trivial(setting: Setting) -> Estimate[float] | None:
    """The answer for a density if it needs no integral: without neighbours, without noise, or next to 0; else None."""
    if setting.neighbours == 0:
        return Estimate(0.0, 0.0)
    if setting.sigma == 0:
        # g is 0 almost surely, and the ratio as large as can be.
        return Estimate(1.0 if setting.levels.low > -np.inf else 0.0, 0.0)
    return shown_to_be_zero(setting)


def shown_to_be_zero(setting: Setting) -> Estimate[float] | None:
    """0, if the expected union mass or failure probability is shown to be less than the smallest float, else None.

    Where log g is beyond a level, so is minus the log density ratio of one neighbour at least, a normal variable with the mean
    -c^2 / 2 and the standard deviation c, its gap. It is likeliest to be below the lower level at the largest gap, and to be
    above the upper level at c = sqrt(2 high), or at the largest gap if that is less.
    """
    (low, high), largest = setting.levels, setting.spread / setting.sigma
    likeliest = min(largest, np.sqrt(2 * high))
    below, above = low / largest + largest / 2, -high / likeliest - likeliest / 2
    log_bound = np.log(setting.neighbours) + np.logaddexp(log_ndtr(below), log_ndtr(above))
    return Estimate(0.0, _SMALLEST) if log_bound < np.log(_SMALLEST) else None
