"""What `choose` answers, in words: first the noise that is safe to publish, then the one that depends on the people."""

from collections.abc import Iterator
from typing import NamedTuple

from disclosure.people.criteria import STEP
from disclosure.people.description import dataset, near_nothing, possible_datasets, small, utility
from disclosure.people.queries import LinearQuery
from disclosure.people.records import Records

__all__ = ["ANY_NUMBER", "OF_PEOPLE", "RATIO", "REACH", "SUM", "Answer", "chosen"]

RATIO = "ratio"
"""The criterion of the ratio itself, beside those of the bounds on it."""

OF_PEOPLE = ("sigma", "delta", "largest", "found", "kind", "row")
"""Names of what depends on the people of the table, beside the prior of a weighted one."""

REACH, SUM, ANY_NUMBER = "Phi(s / 2 - e / s)", "(n - m) delta", "(1 + e^-epsilon) Phi(a), however large n is"
"""Limits from which the noise by the ranges follows: of the ratio itself, of T, and of the failure of bounds."""

_KINDS = {
    "exact": "exact supremum over all datasets",
    "bound": "a bound over all datasets",
    "sampled": "largest of the sampled datasets",
}
_NAMES = {
    "union_mass": "the upper limit (T) of the probability that the bounds {bound} on the ratio fail",
    "failure_probability": "the probability (rho) that the bounds {bound} on the ratio fail",
}


class Answer(NamedTuple):
    """What is answered; with ``--json`` under these names.

    Attributes
    ----------
    relation : str
        Which datasets are neighbours.
    criterion, largest_ratio, failure
        What is not exceeded, the tolerated ratio, and what the criterion does not exceed.
    prior : float
        The smallest prior probability of somebody in the table.
    every_prior : bool
        Whether the ratio is tolerated whatever the prior is.
    sigma_from_ranges : float
        Noise, rounded up, that is enough for every table with these ranges, as is every larger one. It is safe to publish.
    limit_from_ranges : str
        The limit that it follows from: `REACH`, `SUM` or `ANY_NUMBER`.
    epsilon : float
        At which the bound on the ratio is the tolerated one.
    bound : str
        Which bound.
    delta_from_ranges : float
        With which that noise is (epsilon, delta)-probabilistically private, by the stated ranges alone.
    depends_on_people : list of str
        Names of what depends on the people of the table: whoever learns it learns something about them.
    sigma : float
        Noise, rounded up, that is enough for the people of this table, as is every larger one.
    delta : float
        As ``delta_from_ranges``, for that noise.
    largest : float
        What the criterion comes to at that noise, at most.
    found : float or None
        What it comes to for somebody in some dataset; None where that takes too long.
    kind : {"exact", "bound", "sampled"}
        Whether ``largest`` is attained, a bound, or the largest of sampled datasets.
    row : int
        Whose it is, counted from 1.
    targets : int
        People who were looked at, with those who are like them.
    datasets : int
        Sampled datasets of each; 0 if none were sampled.
    """

    relation: str
    criterion: str
    largest_ratio: float
    failure: float
    prior: float
    every_prior: bool
    sigma_from_ranges: float
    limit_from_ranges: str
    epsilon: float
    bound: str
    delta_from_ranges: float
    depends_on_people: list[str]
    sigma: float
    delta: float
    largest: float
    found: float | None
    kind: str
    row: int
    targets: int
    datasets: int


def chosen(answer: Answer, records: Records, query: LinearQuery, sample: int) -> Iterator[str]:
    """Lines that say what an answer is.

    Parameters
    ----------
    answer : Answer
    records : Records
    query : LinearQuery
    sample : int
        Size m of the dataset.
    """
    yield (
        f"noise (sigma) = {answer.sigma_from_ranges:.12g} is safe to publish: only the stated ranges and the numbers of people "
        "decide it."
    )
    if answer.criterion == RATIO:
        # Weights, and the priors with them, depend on the people.
        yield f"  For every table with these ranges, {_exceeded(answer, answer.every_prior or records.weights is not None)}"
        yield f"  with probability {answer.failure:g} at most, in every dataset, at this noise and at every larger one."
        yield "  Less would not do for a record at one corner of the ranges with all others at the opposite one."
    else:
        yield f"  For every table with these ranges, {_name(answer)} is at most {answer.failure:g},"
        yield f"  by the limit {answer.limit_from_ranges}, at this noise and at every larger one."
    yield from _private(answer, answer.delta_from_ranges)
    yield from (f"  {line}" for line in utility(records, query, sample, answer.sigma_from_ranges))
    yield (
        f"noise (sigma) = {answer.sigma:.12g} depends on the people in the table: whoever learns it learns something about "
        "them."
    )
    yield from (_by_ratio(answer, records) if answer.criterion == RATIO else _by_bounds(answer, sample, records))
    if answer.sigma > 0:
        yield from _private(answer, answer.delta)
        yield from (f"  {line}" for line in utility(records, query, sample, answer.sigma))
    else:
        yield "  By the stated ranges alone it promises nothing: without noise the answer itself is published."


def _exceeded(answer: Answer, every_prior: bool) -> str:
    every_prior = every_prior or answer.prior == 0  # one of infinitely many: the factor is the limit of small priors
    prior = "whatever the prior is" if every_prior else f"at the prior {answer.prior:.4g} or a larger one"
    return f"belief in anybody's presence rises by more than a factor {answer.largest_ratio:g}, {prior},"


def _private(answer: Answer, delta: float) -> Iterator[str]:
    """What a noise promises by the ranges, in the papers' language."""
    yield (
        f"  It keeps ({answer.epsilon:.6g}, {small(delta)})-probabilistic privacy (epsilon, delta) by the stated ranges alone; "
        f"at this epsilon the bound {answer.bound} on the ratio is {answer.largest_ratio:g}."
    )
    yield from near_nothing(delta)


def _by_ratio(answer: Answer, records: Records) -> Iterator[str]:
    yield f"  For the people of this table, {_exceeded(answer, answer.every_prior)}"
    every = f"in every {dataset(records)}, at this noise and at every larger one."
    yield f"  with probability {small(answer.largest, 6)} at most, {every}"
    if answer.kind == "exact":
        found = "some dataset comes to that"
    elif answer.found is None:
        found = "what some dataset comes to was not computed, so many neighbours are different"
    else:
        found = f"some dataset comes to {small(answer.found, 6)}, and the worst lies between the two"
    yield f"  The limit is largest for row {answer.row}; {found}."


def _name(answer: Answer) -> str:
    return _NAMES[answer.criterion].format(bound=answer.bound)


def _by_bounds(answer: Answer, sample: int, records: Records) -> Iterator[str]:
    sampled = answer.kind == "sampled"
    yield "  It is the smallest at which the criterion holds, there and at every larger noise:"
    yield f"  {_name(answer)} is at most {answer.failure:g}{' in the sampled datasets' if sampled else ''} for everybody"
    yield f"  largest here: {small(answer.largest, 6)} for row {answer.row} ({_KINDS[answer.kind]})"
    if answer.criterion == "failure_probability":
        looked = f"{answer.datasets:,} sampled datasets"
        if not sampled:
            whole = records.population is None
            looked = possible_datasets(len(records), sample) if whole else "all sets of other candidates"
        yield f"  {looked} of each; not monotone in sigma: looked at in steps of {1 - STEP:.0%} up to where T settles it"
