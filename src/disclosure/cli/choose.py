"""Epsilon and the smallest noise for a tolerated ratio and a failure probability."""

import argparse
import json
from collections.abc import Iterator
from typing import NamedTuple

from disclosure.mechanisms import gaussian
from disclosure.mechanisms.neighbours import REPLACE_ONE
from disclosure.people import choice
from disclosure.people.criteria import CRITERIA, STEP
from disclosure.people.description import describe, looked_at, possible_datasets, utility
from disclosure.people.priors import least_prior
from disclosure.people.queries import LinearQuery
from disclosure.people.reading import read_release
from disclosure.people.records import Records, check_sample
from disclosure.people.targets import Targets, affordable
from disclosure.workflow import sweeps
from disclosure.workflow.options import number, whole
from disclosure.workflow.people_options import add_table, add_work, reading

_KINDS = {
    "exact": "exact supremum over all datasets",
    "bound": "a bound over all datasets",
    "sampled": "largest of the sampled datasets",
}
_NAMES = {"union_mass": "T, upper limit", "failure_probability": "failure probability of the bounds {bound}"}


class _Answer(NamedTuple):
    """What is answered; with ``--json`` under these names.

    Attributes
    ----------
    relation : str
        Which datasets are neighbours.
    prior : float
        The smallest prior probability of somebody in the table.
    epsilon, sigma : float
        What was asked for, sigma rounded up.
    bound : str
        Of the ratio.
    criterion, failure
        What is not exceeded, and what it does not exceed.
    largest, kind, row
        As of `disclosure.people.criteria.Choice`: its largest value, what that is, and whose.
    targets : int
        People who were looked at, with those who are like them.
    datasets : int
        Sampled datasets of each; 0 if none were sampled.
    delta : float
        With which the release is (epsilon, delta)-probabilistically private by the stated ranges alone.
    sigma_from_ranges : float
        Noise that is enough for every table with these ranges.
    """

    relation: str
    prior: float
    epsilon: float
    bound: str
    sigma: float
    criterion: str
    failure: float
    largest: float
    kind: str
    row: int
    targets: int
    datasets: int
    delta: float
    sigma_from_ranges: float


def arguments(parser: argparse.ArgumentParser) -> None:
    add_table(parser)
    parser.add_argument("--sample", type=whole, required=True, metavar="M", help="people in the dataset")
    parser.add_argument(
        "--largest-ratio", type=number, required=True, metavar="R", help="tolerated posterior over prior"
    )
    parser.add_argument(
        "--failure", type=number, required=True, metavar="P", help="tolerated value of the criterion, to 1/2"
    )
    parser.add_argument(
        "--prior-free", action="store_true", help="tolerate the ratio by the bounds (26), whatever the prior is"
    )
    parser.add_argument(
        "--criterion",
        choices=CRITERIA,
        default=CRITERIA[0],
        help="union_mass T (default), or the failure probability, guarded by a grid as it is not monotone in sigma",
    )
    add_work(parser)
    parser.add_argument("--json", action="store_true", help="for machines")


def run(arguments: argparse.Namespace) -> None:
    sample = arguments.sample
    records, query = read_release(arguments.table, arguments.query, arguments.columns, sample, reading(arguments))
    check_sample(len(records), sample)
    targets, datasets = affordable(arguments.seed, records, sample, arguments.targets, arguments.datasets)
    answer = _answer(arguments, records, query, targets, datasets)
    if arguments.json:
        print(json.dumps(answer._asdict()))
        return
    print(*describe(arguments.table, records, query, sample), sep="\n", end="\n\n")
    print(*_lines(arguments, answer, targets, records, query), sep="\n")


def _answer(
    arguments: argparse.Namespace, records: Records, query: LinearQuery, targets: Targets, datasets: int
) -> _Answer:
    sample, failure, prior_free = arguments.sample, arguments.failure, arguments.prior_free
    prior = least_prior(records, sample)
    epsilon = choice.epsilon_for_ratio(arguments.largest_ratio, None if prior_free else prior)
    chosen = choice.smallest_sigma(
        records,
        query,
        sample,
        epsilon,
        failure,
        targets.places.tolist(),
        arguments.criterion,
        datasets,
        arguments.seed,
        "prior_free" if prior_free else "prior",
    )
    sigma = sweeps.round_up(chosen.sigma)
    enough = gaussian.calibrate(
        epsilon, failure / (len(records) - sample), query.sensitivity, definition="probabilistic"
    )
    return _Answer(
        relation=REPLACE_ONE,
        prior=prior,
        epsilon=epsilon,
        bound="(26), prior-free" if prior_free else "(24)",
        sigma=sigma,
        criterion=arguments.criterion,
        failure=failure,
        largest=chosen.largest,
        kind=chosen.kind,
        row=chosen.person,
        targets=int(targets.people.sum()),
        datasets=datasets if chosen.kind == "sampled" else 0,
        delta=float(gaussian.bad_region_mass(sigma, epsilon, query.sensitivity)),
        sigma_from_ranges=sweeps.round_up(enough),
    )


def _lines(
    arguments: argparse.Namespace, answer: _Answer, targets: Targets, records: Records, query: LinearQuery
) -> Iterator[str]:
    sampled = answer.kind == "sampled"
    yield (
        f"epsilon = {answer.epsilon:.6g}: posterior at most {arguments.largest_ratio:g} times the prior by the bounds "
        f"{answer.bound}"
    )
    yield f"  smallest prior probability {answer.prior:.6g}"
    yield f"sigma = {answer.sigma:.12g}, the smallest at which the criterion holds, there and at every larger sigma:"
    who = looked_at(targets.chosen, targets.people, len(records))
    name = _NAMES[answer.criterion].format(bound=answer.bound[:4])
    yield f"  {name} at most {answer.failure:g}{' in the sampled datasets' if sampled else ''} for {who}"
    if who != "everybody":
        yield f"  somebody else may need more; --targets {len(records.cases.first)} looks at everybody"
    yield f"  largest here: {answer.largest:.6g} for row {answer.row} ({_KINDS[answer.kind]})"
    if answer.criterion == "failure_probability":
        looked = (
            f"{answer.datasets:,} sampled datasets" if sampled else possible_datasets(len(records), arguments.sample)
        )
        yield f"  {looked} of each; not monotone in sigma: looked at in steps of {1 - STEP:.0%} up to where T settles it"
    if answer.sigma > 0:
        yield f"  from the stated ranges alone: ({answer.epsilon:.6g}, {answer.delta:.3g})-probabilistic privacy"
    yield f"  {utility(records, query, answer.sigma)}"
    yield f"sigma = {answer.sigma_from_ranges:.6g} would do for every table with these ranges, by the limit (n - m) delta"
    yield "The smaller sigma depends on the people in the table: whoever learns it learns something about them."
