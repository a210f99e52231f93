"""What a page shows of a release about a table of people: risk and error, at the noise of the release and at other noise.

Risks are the limits of `disclosure.people.limits`, for everybody in the table and every dataset, so that trying other noise
takes no time. What some dataset comes to takes longer, and stands at the noise for which it was computed before.
"""

import functools
import math
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from typing import Any, NamedTuple

import numpy as np

from disclosure.beliefs import ratio_limits
from disclosure.mechanisms import privacy
from disclosure.mechanisms.neighbours import REPLACE_ONE
from disclosure.numerics.types import FloatArray, IntArray
from disclosure.pages.shown import Exposed, Point, Range, Release, Risk, Statistic, ValueRisk
from disclosure.pages.words import chance, number, percent
from disclosure.people.description import caveats, looked_at
from disclosure.people.limits import Limits
from disclosure.people.priors import largest_prior, least_prior, smallest_prior
from disclosure.people.queries import Column, LinearQuery
from disclosure.people.records import Records
from disclosure.people.release_errors import release_errors
from disclosure.people.targets import Targets

__all__ = ["PROBABILITIES", "Guarantee", "Mark", "Noise", "columns", "ranges", "release"]

PROBABILITIES = (0.05, 0.01, 1e-3, 1e-6)
"""Those that a page offers beside what was asked: from what happens now and then to what nobody meets."""

# Other noise that a page offers: from a quarter of the smallest to four times the largest that was asked for, four in an
# octave, or fewer where these two are far apart; rounded to digits that can be read.
_BEYOND, _IN_OCTAVE, _MOST, _DIGITS = 4.0, 4, 32, 3
# People who are shown, and decimals of a ratio up to which they count as equally exposed: beyond them is rounding.
_SHOWN, _DECIMALS = 8, 9
# Statistics whose errors stand one by one in the headline.
_LISTED = 3
_EPSILON = {"approximate": privacy.approximate_epsilon, "probabilistic": privacy.probabilistic_epsilon}


class Mark(NamedTuple):
    """Noise that was asked for, and what it is."""

    sigma: float
    name: str


class Guarantee(NamedTuple):
    """What the epsilons of a page are about: ``approximate`` or ``probabilistic`` privacy, at a delta in (0, 1)."""

    definition: str
    delta: float


class Noise(NamedTuple):
    """The noise of a release.

    Attributes
    ----------
    marks : sequence of Mark
        The first is the release.
    guarantee : Guarantee
    promise : str
        How it was chosen.
    answer : str, optional
        The first sentence of the headline, if it is not the limit at this noise.
    """

    marks: Sequence[Mark]
    guarantee: Guarantee
    promise: str
    answer: str = ""


class _People(NamedTuple):
    """Reach and priors of the people among whom the most exposed are looked for."""

    rows: IntArray
    alike: IntArray
    reaches: FloatArray
    priors: FloatArray
    largest_priors: FloatArray

    @classmethod
    def of(cls, limits: Limits, targets: Targets) -> "_People":
        records, sample, places = limits.records, limits.sample, targets.places.tolist()
        return cls(
            records.row_numbers(targets.places),
            targets.people,
            np.array([limits.reach(place) for place in places]),
            np.array([smallest_prior(records, sample, place) for place in places]),
            np.array([largest_prior(records, sample, place) for place in places]),
        )

    def risk(self, sigma: float, probability: float, of_all: float, found: float) -> Risk:
        reaches = self.reaches / sigma
        rises = ratio_limits.rise_limit(reaches, probability, self.priors)
        order = np.lexsort((self.rows, -np.round(rises, _DECIMALS)))
        first, prior = order[0], self.largest_priors[order[0]]
        return Risk(
            probability=probability,
            rise=of_all,
            found=found,
            posterior=float(ratio_limits.posterior_limit(reaches[first], probability, prior)) if prior else math.nan,
            exposed=tuple(
                Exposed(int(self.rows[k]), int(self.alike[k]), float(rises[k])) for k in order[:_SHOWN].tolist()
            ),
        )


def release(
    source: str,
    records: Records,
    query: LinearQuery,
    sample: int,
    targets: Targets,
    noise: Noise,
    probabilities: Sequence[float],
    files: Iterable[tuple[str, str]] = (),
    found: Mapping[tuple[float, float], float] | None = None,
    values: Iterable[ValueRisk] = (),
    statistics: Iterable[Statistic] | None = None,
    rows: int = 1,
) -> Release:
    """What a page shows of one query of a table.

    Parameters
    ----------
    source : str
        Name of the table.
    records : Records
    query : LinearQuery
    sample : int
        Size m of the dataset.
    targets : Targets
        Among whom the most exposed are looked for.
    noise : Noise
    probabilities : sequence of float
        Those that were asked for, in (0, 1/2]; the page opens with the first.
    files : iterable of (str, str), optional
        Names and contents of the files beside the page.
    found : mapping of (sigma, probability) to float, optional
        Factors that some dataset comes to, where they are known.
    values : iterable of ValueRisk, optional
        What was found about sensitive values.
    statistics : iterable of Statistic, optional
        What is released, if ``query`` is a stack of several answers with noise of scale 1; otherwise a number for each column.
    rows : int, optional
        Rows of the table that a person has at most.

    Returns
    -------
    Release
    """
    own, known = noise.marks[0].sigma, found or {}
    limits = Limits(records, query, sample)
    rise_of_all = _rise_of_all(limits, own, probabilities[0])
    people = _People.of(limits, targets)
    offered = sorted({*probabilities, *PROBABILITIES}, reverse=True)
    points = []
    for sigma, names in _offered(noise.marks).items():
        risks = tuple(people.risk(sigma, p, rise_of_all(sigma, p), known.get((sigma, p), math.nan)) for p in offered)
        mu = query.sensitivity / sigma
        epsilon = float(_EPSILON[noise.guarantee.definition](noise.guarantee.delta, mu))
        points.append(Point(sigma / own, epsilon, risks, "; ".join(names)))
    chosen = next(place for place, point in enumerate(points) if point.scale == 1)
    shown = tuple(_statistics(records, query, sample, own) if statistics is None else statistics)
    prior = least_prior(records, sample)
    risk = next(risk for risk in points[chosen].risks if risk.probability == probabilities[0])
    return Release(
        source=source,
        dataset=sample,
        population=records.size,
        relation=REPLACE_ONE,
        statistics=shown,
        mu=query.sensitivity / own,
        definition=noise.guarantee.definition,
        delta=noise.guarantee.delta,
        promise=noise.promise,
        headline=(
            noise.answer or _answer(risk),
            *_posterior(risk, None if records.weights is not None else prior),
            *_errors(shown),
        ),
        prior=prior,
        weighted=records.weights is not None,
        probability=probabilities[0],
        points=tuple(points),
        chosen=chosen,
        looked_at=looked_at(targets.chosen, targets.people, len(records)),
        files=tuple(files),
        values=tuple(values),
        rows=rows,
        caveats=tuple(caveats(records, rows)),
    )


def ranges(columns: Iterable[Column]) -> tuple[Range, ...]:
    """Columns of the table, each once, with the stated ranges of those that have one; a category has none."""
    found = (
        Range(column.source) if column.reads == "category" else Range(column.name, column.low, column.high)
        for column in columns
    )
    return tuple(dict.fromkeys(found))


def columns(release: Release) -> dict[str, list[Any]]:
    """The points of a page as the columns of a table, a row for each point and probability."""
    rows = [
        {
            "sigma": point.scale * release.unit,
            "epsilon": point.epsilon,
            "delta": release.delta,
            "definition": release.definition,
            "probability": risk.probability,
            "rise_limit_of_all": risk.rise,
            "rise_found": risk.found,
            "posterior_limit": risk.posterior,
            "most_exposed": risk.exposed[0].row,
        }
        for point in release.points
        for risk in point.risks
    ]
    return {name: [row[name] for row in rows] for name in rows[0]}


def _rise_of_all(limits: Limits, sigma: float, probability: float) -> Callable[[float, float], float]:
    """The largest limit of everybody, by noise and probability.

    Limits rise in the reach, and without weights everybody has the same prior. So the person with the largest limit is always
    the same one, and the search over everybody is done once.
    """
    largest = limits.rise_of_all(sigma, probability)
    if limits.records.weights is None and largest.value == largest.own:
        return functools.partial(limits.rise, largest.place)
    return lambda sigma, probability: limits.rise_of_all(sigma, probability).value


def _offered(marks: Sequence[Mark]) -> dict[float, list[str]]:
    """Noise that a page offers, in order, each with the names of what was asked for."""
    sigmas = [mark.sigma for mark in marks]
    low, high = min(sigmas) / _BEYOND, max(sigmas) * _BEYOND
    number_of_steps = min(_MOST, round(_IN_OCTAVE * math.log2(high / low)))
    steps = np.geomspace(low, high, number_of_steps + 1).tolist()
    offered: dict[float, list[str]] = {sigma: [] for sigma in sigmas}
    for step in (float(f"{step:.{_DIGITS}g}") for step in steps):
        # A step beside something that was asked for would be the same to the eye.
        if all(abs(math.log2(step / sigma)) > 1 / (2 * _IN_OCTAVE) for sigma in sigmas):
            offered[step] = []
    for mark in marks:
        offered[mark.sigma].append(mark.name)
    return dict(sorted(offered.items()))


def _statistics(records: Records, query: LinearQuery, sample: int, sigma: float) -> Iterator[Statistic]:
    every = query.name == "identity"
    errors = release_errors(records, query, sample, sigma)
    for column, error in zip(records.columns, errors, strict=True):
        yield Statistic(
            name=f"{'records' if every else query.name} of {column.name}",
            query=query.name,
            columns=ranges([column]),
            entry=column.name,
            value=error.value,
            sigma=sigma,
            sampling_error=math.nan if every else error.spread,  # a record by itself estimates nothing
        )


def _answer(risk: Risk) -> str:
    return (
        "To somebody who knows everybody else in the data, this release makes the presence of any one person look at most "
        f"{number(risk.rise)} times as likely as before, except with probability {number(risk.probability)} "
        f"({chance(risk.probability)})."
    )


def _posterior(risk: Risk, prior: float | None) -> Iterable[str]:
    """Belief before, unless that differs between datasets, and after; nothing where a person is one of infinitely many."""
    if not math.isnan(risk.posterior):
        before = "" if prior is None else f"{percent(prior)} likely before and "
        yield (
            f"That the person most exposed, row {risk.exposed[0].row} of the table, is in the data looks {before}at most "
            f"{percent(risk.posterior)} likely after."
        )


def _errors(statistics: Sequence[Statistic]) -> Iterator[str]:
    """What the noise costs."""
    times = {
        statistic.name: statistic.sigma / statistic.sampling_error
        for statistic in statistics
        if statistic.sampling_error > 0
    }
    if len(times) > _LISTED:
        least, most = min(times.values()), max(times.values())
        yield f"The price is an error: {number(least, 2)} to {number(most, 2)} times that of sampling alone."
    elif times:
        parts = [f"{number(value, 2)} times in the {name}" for name, value in times.items()]
        parts[0] = parts[0].replace(" times", " times that of sampling alone", 1)
        yield f"The price is an error: it is {', '.join(parts)}."
