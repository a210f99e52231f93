"""What a table of exposed people comes to: one row of a summary."""

import numpy as np

from disclosure import ratio
from disclosure.pipeline import tables
from disclosure.queries import RELATION

__all__ = ["PROBABILISTIC", "summarise"]

PROBABILISTIC = "probabilistic"


def summarise(calibration, people, datasets, guarantee=PROBABILISTIC):
    """Summary of one point over the people who were looked at.

    Parameters
    ----------
    calibration : dict
        Values of one row of `tables.CALIBRATION`.
    people : dict of str to ndarray
        Rows of `tables.EXPOSURE`, one for each target.
    datasets : int
        Sampled sets of neighbours of each target.
    guarantee : str, optional
        What epsilon and delta are about.

    Returns
    -------
    dict
        A row of `tables.EXPOSURE_SUMMARY`. The most exposed person is the one whose failure probability is largest on average.
    """
    prior = float(people["prior"].min())
    bounds, prior_free = (
        ratio.ratio_bounds(prior, calibration["epsilon"]),
        ratio.prior_free_bounds(calibration["epsilon"]),
    )
    population = calibration["population"]
    largest, exposed = int(people["T_supremum"].argmax()), int(people["rho_mean"].argmax())
    row = {
        **calibration,
        "guarantee": guarantee,
        "relation": RELATION,
        "targets": len(people["person"]),
        "datasets": datasets,
        **dict(zip(("ratio_lower", "ratio_upper"), map(float, bounds), strict=True)),
        **dict(zip(("prior_free_lower", "prior_free_upper"), map(float, prior_free), strict=True)),
        "prior": prior,
        **_over_people("T", people, population),
        "T_supremum": float(people["T_supremum"][largest]),
        "supremum": str(people["supremum"][largest]),
        **_over_people("rho", people, population),
        "error": float(people["error"].max()),
        "most_exposed": int(people["person"][exposed]),
        **{name: float(people[name][exposed]) for name in ("nearest", "farthest", "centre")},
    }
    return {name: row[name] for name in tables.EXPOSURE_SUMMARY}


def _over_people(name, people, population):
    """Mean over people and datasets with its standard error, and the largest.

    Those who were chosen for sticking out stand for themselves, those sampled for all others. The mean of a group of which the
    share f was looked at, t people, has the variance (1 - f) times that between people over t, and f times that of the
    people's own means over t.
    """
    groups = [people["chosen"] == kind for kind in sorted(set(people["chosen"].tolist()))]
    apart = int(np.count_nonzero(people["chosen"] == "farthest"))
    mean, variance = 0.0, 0.0
    for group in groups:
        means, errors = people[f"{name}_mean"][group], people[f"{name}_se"][group]
        looked = len(means)
        size = apart if people["chosen"][group][0] == "farthest" else population - apart
        share = looked / size
        between = 0.0 if share == 1 else means.var(ddof=1) if looked > 1 else np.nan
        mean += size / population * means.mean()
        variance += (size / population) ** 2 * ((1 - share) * between + share * (errors**2).mean()) / looked
    return {
        f"{name}_mean": float(mean),
        f"{name}_se": float(np.sqrt(variance)),
        f"{name}_largest": float(people[f"{name}_largest"].max()),
    }
