"""How much a release changes the odds that somebody's value is a sensitive one.

The adversary knows everybody else in the data and that the target is in it, but not the target's value. The prior is the same
for every target:

- ``table``: the records of everybody in the table, as often as they occur. The target is counted among them. So the prior never
  excludes the truth, it does not differ from person to person by who was left out, and the mean over everybody in the table
  is what the adversary expects;
- ``uniform``: every value of the stated range alike, and the other columns independent of it.

Of a query that is linear in the records the adversary sees the target's record, times the query's factor, plus noise. With the
uniform prior the other columns tell nothing of the sensitive one. With the table's prior they do, and the release is a point of
as many dimensions as it has columns: one and two are computed. The weights of candidates, prior probabilities of being in the
data, play no part, since the target is known to be in it.
"""

import re
from collections.abc import Sequence
from typing import Any, NamedTuple

import numpy as np

from disclosure.beliefs.attribute_plane import plane_changes, plane_quantiles
from disclosure.beliefs.attributes import odds_changes, odds_quantiles
from disclosure.beliefs.value_sets import Split, ValueInterval, contains, split
from disclosure.beliefs.worlds import Mixture
from disclosure.numerics import checks, errors
from disclosure.numerics.types import BoolArray, Columns, FloatArray, IntArray
from disclosure.people.conditions import Condition, parse_condition
from disclosure.people.queries import LinearQuery
from disclosure.people.records import Records
from disclosure.people.targets import Targets

__all__ = ["FACTOR", "PRIORS", "PROBABILITY", "Sensitive", "attribute_risks", "by_change", "sensitive_values", "totals"]

PRIORS = ("table", "uniform")
"""What the adversary may think of the target's value, unless told by the release."""
FACTOR = 2.0
"""The change of odds that is asked for unless told otherwise: the least that paper B's example profile tolerates."""
PROBABILITY = 1e-3
"""The probability of exceeding a factor unless told otherwise."""

_EQUALS = re.compile(r"\s*==?\s*")
# Columns that two noisy numbers are computed for.
_MOST_COLUMNS = 2


class Sensitive(NamedTuple):
    """What is asked about one column.

    Attributes
    ----------
    condition : Condition
        Which of its values are sensitive.
    place : int
        Of the column among those released.
    prior : str
        One of `PRIORS`.
    factor : float
        A change of the odds whose probability is asked for, in (1, 1e300].
    probability : float
        Of exceeding the factors that are asked for, in [1e-9, 0.5].
    """

    condition: Condition
    place: int
    prior: str
    factor: float
    probability: float


def sensitive_values(
    text: str, records: Records, prior: str = PRIORS[0], factor: float = FACTOR, probability: float = PROBABILITY
) -> Sensitive:
    """What is asked, held against a table.

    Parameters
    ----------
    text : str
        A condition on one column (`disclosure.people.conditions`). The name of a column of yes and no, or of a category as in
        ``region=north`` or ``region == north``, stands for its ones.
    records : Records
    prior, factor, probability : optional
        As of `Sensitive`.

    Returns
    -------
    Sensitive

    Raises
    ------
    disclosure.numerics.errors.DomainError
        Outside these ranges; if the column is not released; if the adversary is sure of the answer before the release; and for
        three columns and more with the table's prior.
    """
    condition = _of_ones(text, records) or parse_condition(text)
    names = [column.name for column in records.columns]
    if condition.column not in names:
        raise errors.DomainError(
            f"sensitive = {condition.text!r} is about {condition.column}, which is not released; there are {', '.join(names)}"
        )
    if prior not in PRIORS:
        raise errors.DomainError(f"value prior = {prior!r} is none of {', '.join(PRIORS)}")
    if prior == "table" and len(names) > _MOST_COLUMNS:
        raise errors.DomainError(
            f"sensitive = {condition.text!r} of {len(names)} columns: the table's values as prior are for one column or two; "
            "release fewer, or take the uniform prior"
        )
    found = Sensitive(
        condition,
        names.index(condition.column),
        prior,
        checks.number("factor", factor, "(1, 1e300]", "it is a change of odds in either direction"),
        checks.number("odds probability", probability, "[1e-9, 0.5]"),
    )
    _split(records, found)
    return found


def _of_ones(text: str, records: Records) -> Condition | None:
    """The condition that a column of yes and no, or of a category, is 1, if the text is the name of such a column."""
    name = _EQUALS.sub("=", text.strip())
    known = (column.name for column in records.columns if column.reads != "number")
    return Condition(text.strip(), name, (ValueInterval(1, 1),)) if name in known else None


def _split(records: Records, sensitive: Sensitive) -> Split:
    """The prior over the sensitive column's values, in and outside the sensitive ones."""
    condition, column = sensitive.condition, records.columns[sensitive.place]
    values = records.values[:, sensitive.place]
    if sensitive.prior == "table":
        said = f"true of {np.count_nonzero(contains(condition.values, values)):,} of {len(values):,} people"
        law = Mixture(*np.unique(values, return_counts=True))
    else:
        said = f"a matter of course, or impossible, under the uniform prior from {column.low:g} to {column.high:g}"
        law = Mixture(pieces=[(column.low, column.high, 1.0)])
    try:
        return split(law, condition.values)
    except errors.DomainError:
        raise errors.DomainError(
            f"sensitive = {condition.text!r} is {said}, so that no release changes its odds; name other values"
        ) from None


def attribute_risks(
    records: Records, query: LinearQuery, sigma: float, sensitive: Sensitive, targets: Targets
) -> Columns:
    """How much a release changes the odds, for each of some people.

    Parameters
    ----------
    records : Records
    query : LinearQuery
    sigma : float
        Standard deviation of the noise in every entry of the answer, in its units, in (0, inf).
    sensitive : Sensitive
    targets : Targets

    Returns
    -------
    dict of str to ndarray, shape (t,)
        ``sigma``; ``person``, the row of the table, counted from 1; ``people``, how many are like that one; ``sensitive``, 1 if
        the value is, otherwise 0; ``odds_rise_probability`` and ``odds_fall_probability``, of a change by more than the factor;
        ``odds_factor_lower`` and ``odds_factor_upper``, between which the odds change except with the probability on either
        side; ``error``, the largest absolute error of the two probabilities, and relative error of the two factors.
    """
    scale = checks.number("sigma", sigma, "(0, inf)", "without noise nothing is promised") / query.factor
    values = records.values[targets.places]
    own = values[:, sensitive.place]
    plane = sensitive.prior == "table" and values.shape[1] > 1
    found = (_in_plane if plane else _on_line)(records, scale, sensitive, values)
    return {
        "sigma": np.full(len(own), float(sigma)),
        "person": records.row_numbers(targets.places),
        "people": targets.people,
        "sensitive": contains(sensitive.condition.values, own).astype(int),
        **found,
    }


def _on_line(records: Records, scale: float, sensitive: Sensitive, values: FloatArray) -> Columns:
    """Chances and factors from the answer about the sensitive column alone."""
    inside, outside = _split(records, sensitive)
    truths, each = np.unique(values[:, sensitive.place], return_inverse=True)
    changes = odds_changes(inside, outside, truths, scale=scale, factor=sensitive.factor)
    factors = odds_quantiles(inside, outside, truths, scale=scale, probability=sensitive.probability)
    return _columns([*changes, *factors, np.zeros(len(truths))], each)


def _in_plane(records: Records, scale: float, sensitive: Sensitive, values: FloatArray) -> Columns:
    """Chances and factors from the answers about two columns."""
    order = [sensitive.place, 1 - sensitive.place]
    prior, counts = np.unique(records.values[:, order], axis=0, return_counts=True)
    inside: BoolArray = contains(sensitive.condition.values, prior[:, 0])
    truths, each = np.unique(values[:, order], axis=0, return_inverse=True)
    law = prior, counts, inside, truths
    changes = plane_changes(*law, scale=scale, factor=sensitive.factor)
    factors = plane_quantiles(*law, scale=scale, probability=sensitive.probability)
    with np.errstate(invalid="ignore"):
        shares = [np.nan_to_num(factor.error / factor.value) for factor in factors]
    error = np.max([*(change.error for change in changes), *shares], axis=0)
    return _columns([*(estimate.value for estimate in (*changes, *factors)), error], each.ravel())


def _columns(found: Sequence[FloatArray], each: IntArray) -> Columns:
    names = ("odds_rise_probability", "odds_fall_probability", "odds_factor_lower", "odds_factor_upper", "error")
    return {name: values[each] for name, values in zip(names, found, strict=True)}


def totals(records: Records, sensitive: Sensitive, people: Columns) -> dict[str, Any]:
    """What the risks of all who were looked at, at one noise, come to.

    Parameters
    ----------
    records : Records
    sensitive : Sensitive
    people : dict of str to ndarray
        From `attribute_risks`.

    Returns
    -------
    dict
        What was asked, how many people have sensitive values, the prior odds, and the largest of each risk.
    """
    probability = _split(records, sensitive).probability
    change = people["odds_rise_probability"] + people["odds_fall_probability"]
    return {
        "sensitive": sensitive.condition.text,
        "prior": sensitive.prior,
        "prior_odds": probability / (1 - probability),
        "holders": int(contains(sensitive.condition.values, records.values[:, sensitive.place]).sum()),
        "sigma": float(people["sigma"][0]),
        "factor": sensitive.factor,
        "probability": sensitive.probability,
        "targets": int(people["people"].sum()),
        "change_probability_mean": float(np.average(change, weights=people["people"])),
        "change_probability_largest": float(change.max()),
        "odds_factor_lower": float(people["odds_factor_lower"].min()),
        "odds_factor_upper": float(people["odds_factor_upper"].max()),
        "error": float(people["error"].max()),
    }


def by_change(people: Columns) -> IntArray:
    """Order of people from the one whose odds most likely change by more than the factor; then by the factors, then by row."""
    change = people["odds_rise_probability"] + people["odds_fall_probability"]
    with np.errstate(divide="ignore"):
        reach = np.maximum(people["odds_factor_upper"], 1 / people["odds_factor_lower"])
    return np.lexsort((people["person"], -reach, -change))
