"""A planned release: statistics, and the noise of each, stated or as a share of one total.

Part r of a statistic moves by Delta_r at most, in l2, and has noise of the scale s_r: sigma, or the b of Laplace and
geometric noise. It costs rho_r = (Delta_r / s_r)^2 / 2. (An entry that moves by d has pure privacy with d / b under Laplace
noise, hence rho of (d / b)^2 / 2 at most, and independent entries add up.) The total is the sum over all parts and what was
spent before. What stated noise leaves of it is split by shares, equal ones unless told otherwise, or so that the sum of w_r
s_r^2 is the least: by Lagrange s_r^2 is then in proportion to Delta_r / sqrt(w_r), and rho_r to Delta_r sqrt(w_r).
"""

import math
from collections.abc import Sequence
from dataclasses import dataclass

from disclosure.numerics import checks, errors, rounding
from disclosure.releases.budget import Budget, Guarantee, budget
from disclosure.releases.statistic import Part, Statistic

__all__ = [
    "NOISES",
    "NORMAL",
    "PURE",
    "NoisyPart",
    "Person",
    "Planned",
    "ReleasePlan",
    "budget_of",
    "weighted_error",
    "with_noise",
]

NORMAL = "gaussian"
PURE = ("laplace", "geometric")
"""Noise of pure privacy."""
NOISES = (NORMAL, "discrete_gaussian", *PURE)
_WHOLE = ("discrete_gaussian", "geometric")
# Relative room for a total whose digits were rounded when noise was stated for it.
_ROUNDED = 1e-9
# Between which a sensitivity over its scale has a square as a float.
_SQUARES = (1e-150, 1e150)


@dataclass(frozen=True)
class Planned:
    """A statistic and what is planned for its noise.

    Attributes
    ----------
    statistic : Statistic
    mechanism : str
        One of `NOISES`.
    scales : tuple of float, optional
        Stated noise, one for all parts or one for each.
    share : float, optional
        Of what stated noise leaves of the total, up to a factor; parts share alike.
    weights : tuple of float, optional
        Of the squared errors, one for all parts or one for each; in place of shares.

    Raises
    ------
    disclosure.numerics.errors.DomainError
        For noise that the statistic cannot have.
    """

    statistic: Statistic
    mechanism: str = NORMAL
    scales: tuple[float, ...] | None = None
    share: float = 1.0
    weights: tuple[float, ...] | None = None

    def __post_init__(self) -> None:
        name = f"statistics.{self.statistic.name}"
        if self.mechanism not in NOISES:
            raise errors.DomainError(f"{name}.noise = {self.mechanism!r} is none of {', '.join(NOISES)}")
        if self.mechanism in _WHOLE and not all(part.whole for part in self.statistic.parts):
            raise errors.DomainError(
                f"{name}.noise = {self.mechanism} is for answers that are whole numbers, counts and tables; take gaussian or "
                "laplace"
            )
        for field, values in (("sigma", self.scales), ("share", (self.share,)), ("weight", self.weights)):
            for value in values or ():
                checks.number(f"{name}.{field}", value, "(0, inf)")


@dataclass(frozen=True)
class NoisyPart:
    """A part of a statistic with its noise.

    Attributes
    ----------
    statistic : str
        Its name.
    part : Part
    mechanism : str
    scale : float
        Sigma, or b.
    """

    statistic: str
    part: Part
    mechanism: str
    scale: float

    @property
    def rho(self) -> float:
        """What the part costs."""
        return (self.part.sensitivity / self.scale) ** 2 / 2

    @property
    def epsilon(self) -> float:
        """Of pure privacy; infinite for normal noise, or where the sensitivity in l1 is not known."""
        pure = self.mechanism in PURE and not math.isnan(self.part.sensitivity_l1)
        return self.part.sensitivity_l1 / self.scale if pure else math.inf

    @property
    def error(self) -> float:
        """Root mean square of the noise of an entry."""
        if self.mechanism == "laplace":
            return math.sqrt(2) * self.scale
        if self.mechanism == "geometric":
            return 1 / (math.sqrt(2) * math.sinh(0.5 / self.scale))
        # The discrete Gaussian's is below sigma, by less than one can tell from sigma = 1 on.
        return self.scale


@dataclass(frozen=True)
class Person:
    """A person of whom a table may have several rows: the column that names the person, and how many rows at most."""

    column: str
    rows: int


@dataclass(frozen=True)
class ReleasePlan:
    """A planned release.

    Attributes
    ----------
    sample : int
        Size m of the dataset.
    statistics : tuple of Planned
    population : float, optional
        People of the population; those of the table unless stated.
    total : Guarantee, optional
        What the release may come to, with everything that was spent before; needed where noise is not stated.
    spent : tuple of Guarantee, optional
        What was released about the same people before, as promises of its noise.
    person : Person, optional
        Whose rows are replaced together, where a person may have several; the statistics are those of
        `disclosure.releases.statistic.of_people` then, and the sizes are numbers of people.
    """

    sample: int
    statistics: tuple[Planned, ...]
    population: float | None = None
    total: Guarantee | None = None
    spent: tuple[Guarantee, ...] = ()
    person: Person | None = None

    def __post_init__(self) -> None:
        if not self.statistics:
            raise errors.DomainError("statistics names none; a release has one at least")
        names = [planned.statistic.name for planned in self.statistics]
        if twice := next((name for name in names if names.count(name) > 1), None):
            raise errors.DomainError(f"statistics has {twice} twice; give every statistic its own name")

    @property
    def normal(self) -> bool:
        """Whether all noise is normal."""
        return all(planned.mechanism == NORMAL for planned in self.statistics)

    def prior(self, population: float) -> float:
        """Prior probability of presence where all candidates are equally likely."""
        return 1 / (population - self.sample + 1)

    def rho_spent(self, prior: float) -> float:
        """Of what was released before, each promise taken for normal noise that just keeps it."""
        return math.fsum(guarantee.rho(True, prior) for guarantee in self.spent)


def with_noise(plan: ReleasePlan, population: float, by_errors: bool | None = None) -> tuple[NoisyPart, ...]:
    """The parts of all statistics with their noise, each scale rounded up to 12 digits.

    Parameters
    ----------
    plan : ReleasePlan
    population : float
        n, for a total that is about belief in presence.
    by_errors : bool, optional
        Whether the total is split by the weights of the errors, or by shares; by weights where there are any, by default.

    Returns
    -------
    tuple of NoisyPart

    Raises
    ------
    disclosure.numerics.errors.DomainError
        For noise that a statistic cannot have, for a total that is missing, or that stated noise and earlier releases use up,
        and for weights that only some statistics have.
    """
    open_parts = [planned for planned in plan.statistics if planned.scales is None]
    stated = [part for planned in plan.statistics if planned.scales is not None for part in _stated(planned)]
    if not open_parts:
        _check_total(plan, population, stated)
        return tuple(stated)
    left = _left(plan, population, stated, open_parts[0].statistic.name)
    costs = _costs(open_parts, by_errors)
    found = [
        part
        for planned, shares in zip(open_parts, costs, strict=True)
        for part in _noisy(planned, [math.sqrt(2 * left * share) for share in shares])
    ]
    order = {planned.statistic.name: place for place, planned in enumerate(plan.statistics)}
    return tuple(sorted([*stated, *found], key=lambda part: order[part.statistic]))


def budget_of(plan: ReleasePlan, parts: Sequence[NoisyPart], population: float, delta: float) -> Budget:
    """What a release with this noise keeps, what was spent before included."""
    spent = plan.rho_spent(plan.prior(population))
    epsilon = math.inf if spent else math.fsum(part.epsilon for part in parts)
    return budget(math.fsum(part.rho for part in parts) + spent, spent, delta, plan.normal, epsilon)


def weighted_error(plan: ReleasePlan, parts: Sequence[NoisyPart]) -> float:
    """The sum of weight times squared scale over all parts of statistics with a weight; NaN where none has."""
    scales = iter(part.scale for part in parts)
    found = [
        weight * next(scales) ** 2
        for planned in plan.statistics
        for _, weight in _each(planned, "weight", planned.weights or (math.nan,))
    ]
    return math.fsum(found)


def _costs(open_parts: Sequence[Planned], by_errors: bool | None) -> list[list[float]]:
    """The share of each part of each statistic in what is left; together 1."""
    weighted = [planned.weights is not None for planned in open_parts]
    if by_errors is None:
        by_errors = any(weighted)
    if not by_errors:
        raw = [[planned.share / len(planned.statistic.parts)] * len(planned.statistic.parts) for planned in open_parts]
    else:
        for planned, known in zip(open_parts, weighted, strict=True):
            if not known:
                raise errors.DomainError(
                    f"statistics.{planned.statistic.name}: has no weight; errors are weighed for all statistics without stated "
                    "noise, or for none"
                )
        raw = [
            [part.sensitivity * math.sqrt(weight) for part, weight in _each(planned, "weight", planned.weights)]
            for planned in open_parts
        ]
    total = math.fsum(share for shares in raw for share in shares)
    return [[share / total for share in shares] for shares in raw]


def _each(planned: Planned, name: str, values: tuple[float, ...] | None) -> list[tuple[Part, float]]:
    """The parts of a statistic, each with its value: one for all, or one for each."""
    parts, values = planned.statistic.parts, values or ()
    if len(values) not in (1, len(parts)):
        raise errors.DomainError(
            f"statistics.{planned.statistic.name}.{name} has {len(values)} numbers; allowed: one, or {len(parts)}, one for "
            f"each of {', '.join(part.labels[0] for part in parts)}"
        )
    return list(zip(parts, values if len(values) > 1 else values * len(parts), strict=True))


def _stated(planned: Planned) -> list[NoisyPart]:
    """The parts of a statistic with the noise that is stated for them."""
    parts = _each(planned, "sigma", planned.scales)
    for part, scale in parts:
        least, most = part.sensitivity / _SQUARES[1], part.sensitivity / _SQUARES[0]
        if not least < scale < most:
            raise errors.DomainError(
                f"statistics.{planned.statistic.name}.sigma = {scale:g} is out of all proportion to the sensitivity "
                f"{part.sensitivity:g}; allowed: about {least:.3g} to {most:.3g}"
            )
    return [NoisyPart(planned.statistic.name, part, planned.mechanism, scale) for part, scale in parts]


def _noisy(planned: Planned, mus: Sequence[float]) -> list[NoisyPart]:
    """The parts of a statistic with noise of which sensitivity over scale is as stated at most."""
    scales = [
        rounding.round_up(rounding.quotient_up(part.sensitivity, mu))
        for part, mu in zip(planned.statistic.parts, mus, strict=True)
    ]
    return [
        NoisyPart(planned.statistic.name, part, planned.mechanism, scale)
        for part, scale in zip(planned.statistic.parts, scales, strict=True)
    ]


def _left(plan: ReleasePlan, population: float, stated: Sequence[NoisyPart], name: str) -> float:
    """What stated noise and earlier releases leave of the total."""
    if plan.total is None:
        raise errors.DomainError(
            f"budget is missing, and statistics.{name} has no sigma; state a total, like budget: {{rho: 0.15}}, or the noise "
            "of every statistic"
        )
    prior = plan.prior(population)
    total, used = plan.total.rho(plan.normal, prior), math.fsum(part.rho for part in stated)
    spent = plan.rho_spent(prior)
    if used + spent >= total:
        raise errors.DomainError(
            f"budget comes to rho = {total:.6g}; stated noise takes {used:.6g} of it and earlier releases {spent:.6g}, which "
            f"leaves nothing for statistics.{name}; state a larger budget or more noise"
        )
    return total - used - spent


def _check_total(plan: ReleasePlan, population: float, stated: Sequence[NoisyPart]) -> None:
    """Raise `DomainError` if all noise is stated, and takes more than the total."""
    if plan.total is None:
        return
    prior = plan.prior(population)
    total = plan.total.rho(plan.normal, prior)
    used = math.fsum(part.rho for part in stated) + plan.rho_spent(prior)
    if used > total * (1 + _ROUNDED):
        raise errors.DomainError(
            f"budget comes to rho = {total:.6g}, and the stated noise with earlier releases to {used:.6g}; state a larger "
            "budget or more noise"
        )
