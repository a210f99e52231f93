"""What a table of exposed people comes to: one row of a summary."""

import numpy as np

from disclosure.beliefs import inclusion
from disclosure.people.queries import RELATION
from disclosure.workflow import tables

__all__ = ["PROBABILISTIC", "by_exposure", "summarise"]

PROBABILISTIC = "probabilistic"


def by_exposure(people):
    """Order of exposed people from the most exposed: by mean failure probability, then largest T, then row of the table."""
    return np.lexsort((people["person"], -people["union_mass_supremum"], -people["failure_probability_mean"]))


def summarise(calibration, people, guarantee=PROBABILISTIC):
    """Summary of one point over the people who were looked at.

    Parameters
    ----------
    calibration : dict
        Values of one row of `tables.CALIBRATION`.
    people : dict of str to ndarray
        Rows of `tables.EXPOSURE`, one for each target.
    guarantee : str, optional
        What epsilon and delta are about.

    Returns
    -------
    dict
        A row of `tables.EXPOSURE_SUMMARY`. Its targets are the people whose case was looked at. The most exposed person is the
        first by `by_exposure`.
    """
    prior = float(people["prior"].min())
    bounds, prior_free = (
        inclusion.ratio_bounds(prior, calibration["epsilon"]),
        inclusion.prior_free_bounds(calibration["epsilon"]),
    )
    population = calibration["population"]
    largest, exposed = int(people["union_mass_supremum"].argmax()), int(by_exposure(people)[0])
    row = {
        **calibration,
        "guarantee": guarantee,
        "relation": RELATION,
        "targets": int(people["people"].sum()),
        "datasets": int(people["datasets"].max()),
        **dict(zip(("ratio_lower", "ratio_upper"), map(float, bounds), strict=True)),
        **dict(zip(("prior_free_lower", "prior_free_upper"), map(float, prior_free), strict=True)),
        "prior": prior,
        **_over_people("union_mass", people, population),
        "union_mass_supremum": float(people["union_mass_supremum"][largest]),
        "supremum": str(people["supremum"][largest]),
        **_over_people("failure_probability", people, population),
        "error": float(people["error"].max()),
        "most_exposed": int(people["person"][exposed]),
        **{name: float(people[name][exposed]) for name in ("nearest", "farthest", "centre")},
    }
    return {name: row[name] for name in tables.EXPOSURE_SUMMARY}


def _over_people(name, people, population):
    """Mean over people and datasets with its standard error, and the largest.

    Every case counts as often as it has people. With everybody looked at the standard error is that of the datasets. Else
    the cases that were sampled stand for all who were not looked at. Exposure differs by orders of magnitude between people, so
    the mean may be carried by somebody who was not looked at, of whom those who were tell nothing: there is no standard error.
    """
    counts, means = people["people"], people[f"{name}_mean"]
    looked = counts.sum()
    if looked == population:
        mean = (counts * means).sum() / population
        error = np.sqrt(((counts * people[f"{name}_se"]) ** 2).sum()) / population
    else:
        sampled = people["chosen"] == "sampled"
        others = population - counts[~sampled].sum()
        mean = (counts * means)[~sampled].sum() + others * np.average(means[sampled], weights=counts[sampled])
        mean, error = mean / population, np.nan
    return {
        f"{name}_mean": float(mean),
        f"{name}_se": float(error),
        f"{name}_largest": float(people[f"{name}_largest"].max()),
    }
