"""The noise at which nobody's belief ratio exceeds what is tolerated, but for a stated probability."""

import argparse
import json
import math
from typing import NamedTuple

from disclosure.cli import answer_folder, choose_plan, choose_profile, page
from disclosure.cli.choose_text import ANY_NUMBER, OF_PEOPLE, RATIO, REACH, SUM, Answer, chosen
from disclosure.mechanisms import gaussian
from disclosure.mechanisms.neighbours import REPLACE_ONE
from disclosure.numerics import checks, errors, rounding
from disclosure.people import choice
from disclosure.people.criteria import CRITERIA
from disclosure.people.description import describe
from disclosure.people.priors import least_prior
from disclosure.people.queries import LinearQuery
from disclosure.people.reading import read_release
from disclosure.people.records import Records, check_sample, sample_of
from disclosure.people.targets import affordable
from disclosure.workflow.options import number, whole
from disclosure.workflow.people_options import add_population, add_table, add_work, reading


class _Found(NamedTuple):
    """The noise that depends on the people of the table, and what it keeps; as of `Answer`."""

    sigma: float
    largest: float
    found: float | None
    kind: str
    row: int
    targets: int
    datasets: int


def arguments(parser: argparse.ArgumentParser) -> None:
    add_table(parser, required=False)
    parser.add_argument("--sample", type=whole, metavar="M", help="people in the dataset")
    add_population(parser)
    parser.add_argument(
        "--plan",
        metavar="FILE",
        help="a plan of several statistics, as `disclosure release` takes it, in place of --query, --columns and --sample",
    )
    parser.add_argument("--largest-ratio", type=number, metavar="R", help="tolerated posterior over prior")
    parser.add_argument(
        "--profile",
        metavar="FILE",
        help="tolerated rise of odds, in place of --largest-ratio: YAML with knots: [[P10, B], ...] and scale",
    )
    parser.add_argument(
        "--failure",
        type=number,
        required=True,
        metavar="P",
        help="tolerated probability of more than that, or value of another criterion, to 1/2",
    )
    parser.add_argument("--prior-free", action="store_true", help="tolerate the ratio whatever the prior is")
    parser.add_argument(
        "--criterion",
        choices=(RATIO, *CRITERIA),
        default=RATIO,
        help="what --failure limits: the probability that the ratio is exceeded (default); or, of the bounds on the ratio, "
        "their upper limit T, or their failure probability, guarded by a grid as it is not monotone in sigma",
    )
    add_work(parser)
    page.add_output(parser, "the page of one query and --largest-ratio", default=None)
    parser.add_argument("--json", action="store_true", help="for machines")


def run(arguments: argparse.Namespace) -> None:
    _state_output(arguments)
    if arguments.plan is not None:
        choose_plan.run(arguments)
        return
    for name in ("query", "columns", "sample"):
        if getattr(arguments, name) is None:
            raise errors.DomainError(
                f"{name} is missing; state it by --{name}, or a plan of several statistics by --plan"
            )
    if arguments.largest_ratio is None and arguments.profile is None:
        raise errors.DomainError("largest-ratio is missing; state what is tolerated by --largest-ratio or by --profile")
    sample = arguments.sample
    if arguments.profile is None:
        answer_folder.check(arguments.output, page.FILES, table=arguments.table)
    records, query = read_release(arguments.table, arguments.query, arguments.columns, sample, reading(arguments))
    if arguments.population is not None:
        records = sample_of(records, arguments.population)
    check_sample(records.size, sample, records.left_out)
    if arguments.profile is not None:
        print(*choose_profile.answer(arguments, records, query), sep="\n")
        return
    answer = _answer(arguments, records, query)
    with answer_folder.replaced(arguments.output, page.FILES, table=arguments.table):
        page.chosen(arguments, records, query, answer)
    if arguments.json:
        print(json.dumps(answer._asdict()))
        return
    print(*describe(arguments.table, records, query, sample), sep="\n", end="\n\n")
    print(*chosen(answer, records, query, sample), sep="\n")
    print(f"\nwritten to {arguments.output}: {', '.join(page.FILES)}")


def _state_output(arguments: argparse.Namespace) -> None:
    """Where the page is written; a plan and a profile have none."""
    for name in ("plan", "profile"):
        if getattr(arguments, name) is not None and arguments.output is not None:
            raise errors.DomainError(
                f"output = {arguments.output!r} is for the page, which the answer of --{name} has not; leave out --output"
            )
    if arguments.output is None:
        arguments.output = page.FOLDER


def _answer(arguments: argparse.Namespace, records: Records, query: LinearQuery) -> Answer:
    failure, prior_free = arguments.failure, arguments.prior_free
    prior = least_prior(records, arguments.sample)
    epsilon = choice.epsilon_for_ratio(arguments.largest_ratio, None if prior_free or prior == 0 else prior)
    found = (_by_ratio if arguments.criterion == RATIO else _by_bounds)(arguments, records, query, epsilon)
    from_ranges, limit = _from_ranges(arguments, records, query, epsilon, prior)
    from_ranges, sigma = rounding.round_up(from_ranges), rounding.round_up(found.sigma)
    delta_from_ranges, delta = (
        float(gaussian.bad_region_mass(noise, epsilon, query.sensitivity)) for noise in (from_ranges, sigma)
    )
    return Answer(
        relation=REPLACE_ONE,
        criterion=arguments.criterion,
        largest_ratio=arguments.largest_ratio,
        failure=failure,
        prior=prior,
        every_prior=prior_free,
        sigma_from_ranges=from_ranges,
        limit_from_ranges=limit,
        epsilon=epsilon,
        bound="(26)" if prior_free else "(24)",
        delta_from_ranges=delta_from_ranges,
        depends_on_people=list(OF_PEOPLE),
        delta=delta,
        **found._replace(sigma=sigma)._asdict(),
    )


def _from_ranges(
    arguments: argparse.Namespace, records: Records, query: LinearQuery, epsilon: float, prior: float
) -> tuple[float, str]:
    """Noise that is enough for every table with these ranges, and the limit that it follows from."""
    failure, neighbours = arguments.failure, records.neighbours(arguments.sample)
    if arguments.criterion == RATIO:
        # Without weights all candidates are equally likely in every table; with weights the prior depends on the people.
        known = 0.0 if arguments.prior_free or records.weights is not None else prior
        return choice.sigma_from_ranges(query.sensitivity, arguments.largest_ratio, failure, known), REACH
    noise = {}
    if arguments.criterion == "failure_probability":
        noise[ANY_NUMBER] = choice.sigma_for_any_number(query.sensitivity, epsilon, failure)
    if neighbours < math.inf:
        noise[SUM] = gaussian.calibrate(epsilon, failure / neighbours, query.sensitivity, definition="probabilistic")
    if not noise:
        raise errors.DomainError(
            "population = inf has infinitely many neighbours, and no noise by the stated ranges limits T of so many; state a "
            "number, or take another criterion"
        )
    limit = min(noise, key=noise.__getitem__)
    return noise[limit], limit


def _by_ratio(arguments: argparse.Namespace, records: Records, query: LinearQuery, epsilon: float) -> _Found:
    """By the probability that the ratio is exceeded, which takes no epsilon, and looks at everybody and every dataset."""
    for name, least in (("targets", 1), ("datasets", 1), ("seed", 0)):
        if getattr(arguments, name) is not None:
            checks.count(name, getattr(arguments, name), least)
    noise = choice.sigma_for_ratio(
        records, query, arguments.sample, arguments.largest_ratio, arguments.failure, arguments.prior_free
    )
    found = None if noise.found != noise.found else noise.found
    return _Found(noise.sigma, noise.largest, found, noise.kind, noise.person, len(records), 0)


def _by_bounds(arguments: argparse.Namespace, records: Records, query: LinearQuery, epsilon: float) -> _Found:
    """By T or the failure probability of the bounds with this epsilon."""
    targets, datasets = affordable(arguments.seed, records, arguments.sample, arguments.targets, arguments.datasets)
    choice.check_everybody(records, targets.places.tolist(), arguments.criterion)
    noise = choice.smallest_sigma(
        records,
        query,
        arguments.sample,
        epsilon,
        arguments.failure,
        targets.places.tolist(),
        arguments.criterion,
        datasets,
        arguments.seed,
        "prior_free" if arguments.prior_free else "prior",
    )
    people = int(targets.people.sum())
    sampled = datasets if noise.kind == "sampled" else 0
    return _Found(noise.sigma, noise.largest, noise.largest, noise.kind, noise.person, people, sampled)
