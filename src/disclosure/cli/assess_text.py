"""What `assess` finds, in words: first how far belief in presence moves, then what belongs to bounds that move with epsilon."""

import math
from collections.abc import Callable, Iterator, Sequence

import numpy as np

from disclosure.numerics.types import Columns
from disclosure.people.description import (
    OF_INFINITELY_MANY,
    dataset,
    fallen,
    looked_at,
    near_nothing,
    no_limit_on_falling,
    possible_datasets,
    small,
    utility,
)
from disclosure.people.queries import LinearQuery
from disclosure.people.records import Records
from disclosure.people.summary import Summary, by_exposure

__all__ = ["CONVERTED", "assessed"]

CONVERTED = "approximate, by Corollary 1"
# Rows of the most exposed people on the screen.
_MOST = 5
# Standard error over mean below which equal values differ by rounding alone.
_ROUNDING = 1e-12
_SUPREMA = {
    "exact": "exact supremum",
    "bound": "a bound that no dataset exceeds",
    "none": "not known",
}


def assessed(
    rows: Sequence[Summary],
    people: Sequence[Columns],
    moved: Sequence[Columns],
    records: Records,
    query: LinearQuery,
) -> Iterator[str]:
    """Lines that say what one noise comes to, and what each of the guarantees that it keeps does.

    Parameters
    ----------
    rows : sequence of Summary
        Of the guarantees, all with this noise.
    people : sequence of dict of str to ndarray
        The columns of `disclosure.people.exposure.exposures`, for each guarantee.
    moved : sequence of dict of str to ndarray
        The columns of `disclosure.people.exposure.movements`, for each probability that was asked.
    records : Records
    query : LinearQuery
    """
    row, exposed = rows[0], people[0]
    yield ""
    yield f"noise (sigma) = {row.sigma:.6g}, the standard deviation of a normal law"
    yield from (f"  {line}" for line in utility(records, query, row.sample, row.sigma))
    yield (
        "Belief in presence after the release over that before (the ratio, posterior over prior), at this noise; no epsilon is "
        "part of it:"
    )
    for part in moved:
        yield from _movement(part)
    yield _posterior(row, exposed, records)
    yield (
        f"  belief in anybody's presence rises by more than a factor {row.ratio:g} with probability "
        f"{small(row.exceeding_limit)} at most; found: {_found(row.exceeding_found, small)}"
    )
    yield f"  limits are for everybody in the table and every {dataset(records)}; {_worst_of(row, exposed, records)}"
    yield from _most_exposed(exposed)
    yield "Bounds that move with epsilon: wider ones fail less often, at the same risk."
    for guarantee, columns in zip(rows, people, strict=True):
        yield from _bounds(guarantee, columns, records)


def _movement(moved: Columns) -> Iterator[str]:
    """How far belief moves except with one probability."""
    rise, fall = moved["rise_limit_of_all"][0], moved["fall_limit_of_all"][0]
    yield (
        f"  except with probability {moved['probability'][0]:g}, belief in anybody's presence rises by no more than a factor "
        f"{rise:.4g}, and falls by no more than {_fall(fall)}"
    )
    yield from no_limit_on_falling(moved)
    found, falls = np.fmax.reduce(moved["rise_found"]), np.fmin.reduce(moved["fall_found"])
    yield f"    found: a factor {_found(found, _factor)}, and {_found(falls, fallen)}"


def _posterior(row: Summary, people: Columns, records: Records) -> str:
    most = by_exposure(people)[0]
    if row.population == math.inf:
        return f"  most exposed is row {row.most_exposed}: {OF_INFINITELY_MANY}"
    if records.weights is not None:
        return (
            f"  most exposed is row {row.most_exposed}: belief at most {row.posterior_limit:.4g} after, except with "
            f"probability {row.probability:g}; before, it differs between datasets, and is {people['prior'][most]:.4g} at least"
        )
    return (
        f"  most exposed is row {row.most_exposed}: belief from {people['prior'][most]:.4g} before to at most "
        f"{row.posterior_limit:.4g} after, except with probability {row.probability:g}"
    )


def _factor(value: float) -> str:
    return f"{value:.4g}"


def _fall(factor: float) -> str:
    return f"1/{1 / factor:.4g}"


def _found(value: float, written: Callable[[float], str]) -> str:
    return "not computed, so many neighbours are different" if math.isnan(value) else written(value)


def _who(people: Columns, records: Records) -> str:
    return looked_at(people["chosen"], people["people"], len(records))


def _worst_of(row: Summary, people: Columns, records: Records) -> str:
    """Of whom and over which datasets the worst was found."""
    who = _who(people, records)
    if (people["datasets"] == 0).all():
        return f"what was found is the worst of {who} over all datasets"
    if records.population is not None:
        return f"what was found is the worst of {who} over {row.datasets:,} draws of the other candidates of each"
    return f"what was found is a lower bound: the worst of {who}, each with the farthest others as the other candidates"


def _most_exposed(people: Columns) -> Iterator[str]:
    yield "  most exposed, by row of the table (its header is not counted: in a spreadsheet a row has the next number);"
    yield "  the first are those of whom the largest rise was found, then those of the largest limit;"
    yield "  rise and fall are limits, and so is the probability of a rise above that factor; failure and T are of the first"
    yield "  bounds (24) or (25) below; distances are in diagonals of the stated ranges:"
    yield (
        f"  {'row':>8}{'rise':>9}{'fall':>9}{'above it':>14}{'failure':>14}{'T':>14}"
        f"{'nearest':>9}{'centre':>8}{'farthest':>9}"
    )
    for place in by_exposure(people)[:_MOST]:
        person = {name: column[place] for name, column in people.items()}
        factors = f"{_factor(person['rise_limit']):>9}{_fall(person['fall_limit']):>9}"
        names = ("exceeding_limit", "failure_probability_mean", "union_mass_supremum")
        risks = "".join(f"{small(person[name]):>14}" for name in names)
        distances = f"{person['nearest']:>9.3f}{person['centre']:>8.3f}{person['farthest']:>9.3f}"
        alike = f"  and {person['people'] - 1:,} like it" if person["people"] > 1 else ""
        yield f"  {person['person']:>8}{factors}{risks}{distances}{alike}"


def _bounds(row: Summary, people: Columns, records: Records) -> Iterator[str]:
    """What belongs to one epsilon: the bounds, how often they fail, and the upper limit of that."""
    number = 24 if row.guarantee != CONVERTED else 25
    of_these = "" if row.targets == len(records) else " of these people"
    masses = row.union_mass_mean, row.union_mass_se, row.union_mass_largest
    failures = row.failure_probability_mean, row.failure_probability_se, row.failure_probability_largest
    labels = {
        "smallest belief before (prior)": f"{row.prior:.6g}",
        f"bounds on the ratio ({number})": f"{row.ratio_lower:.6g} to {row.ratio_upper:.6g}",
        "bounds for every prior (26)": f"{row.prior_free_lower:.6g} to {row.prior_free_upper:.6g}",
        "looked at": f"{_who(people, records)}; {_datasets(row, people, records)}",
        f"probability that ({number}) fails (rho)": _risk(row, len(records), *failures),
        "upper limit of that (T)": _risk(row, len(records), *masses),
        "": f"largest of all datasets{of_these} {small(row.union_mass_supremum)} ({_SUPREMA[row.supremum]})",
    }
    yield f"{row.guarantee}: epsilon = {row.epsilon:.6g}, delta = {row.delta:.6g}"
    if row.guarantee == CONVERTED:
        yield f"  its bounds (25) fail with probability {row.delta:g} at most, however many other candidates there are"
    yield from near_nothing(row.delta)
    yield from (f"  {label:<39}{text}" for label, text in labels.items())


def _datasets(row: Summary, people: Columns, records: Records) -> str:
    """Which datasets of each target were looked at."""
    listed = people["datasets"] == 0
    if records.population == math.inf:
        return "other candidates with the rows of the table in their proportions, exactly"
    if records.population is not None:
        which = "all sets of" if listed.all() else f"{row.datasets:,} draws of"
        return f"{which} {records.neighbours(row.sample):,} other candidates from the rows, with replacement, of each"
    if listed.all():
        return f"{possible_datasets(len(records), row.sample)} of each"
    return f"{row.datasets:,} sampled datasets of each{', or all where few differ' if listed.any() else ''}"


def _risk(row: Summary, rows: int, mean: float, standard_error: float, largest: float) -> str:
    """Mean and largest of a probability, and how far the mean is from that over everybody and all datasets."""
    of_which = "largest sampled"
    if row.targets < rows:
        known = " (estimated, with no standard error: somebody who was not looked at may carry it)"
        of_which = "a lower bound of the largest"
    elif row.datasets == 0:
        known, of_which = " (exact)", "largest"
    else:
        # Of a mean that is told as tiny, or that is carried by few, the error says nothing; nor does one that is rounding.
        told = standard_error > _ROUNDING * mean and small(mean)[0].isdigit()
        known = f" (standard error {standard_error:.2g})" if told else ""
    return f"mean {small(mean)}{known}, {of_which} {small(largest)}"
