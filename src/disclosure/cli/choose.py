"""Epsilon and the smallest noise for a tolerated ratio and a failure probability."""

import json

from disclosure.cli.assess import add_work, looked_at, possible_datasets, utility, work
from disclosure.mechanisms import gaussian
from disclosure.people import choice, exposure, populations
from disclosure.people.queries import RELATION
from disclosure.workflow import sweeps
from disclosure.workflow.jobs.expose import describe, read
from disclosure.workflow.options import add_table, number, whole


def arguments(parser):
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
        choices=choice.CRITERIA,
        default=choice.CRITERIA[0],
        help="union_mass T (default), or the failure probability, guarded by a grid as it is not monotone in sigma",
    )
    add_work(parser)
    parser.add_argument("--json", action="store_true", help="for machines")


def run(arguments):
    population, query = read(arguments, arguments.sample)
    number = len(population.values)
    populations.check_sample(number, arguments.sample)
    targets, datasets = work(arguments, population)
    prior = exposure.least_prior(population, arguments.sample)
    epsilon = choice.epsilon_for_ratio(arguments.largest_ratio, None if arguments.prior_free else prior)
    chosen = choice.smallest_sigma(
        population,
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
    sigma = sweeps.round_up(chosen.sigma)
    answer = {
        "relation": RELATION,
        "prior": prior,
        "epsilon": epsilon,
        "bound": "(26), prior-free" if arguments.prior_free else "(24)",
        "sigma": sigma,
        "criterion": arguments.criterion,
        "failure": arguments.failure,
        "largest": chosen.largest,
        "kind": chosen.kind,
        "row": chosen.person,
        "targets": int(targets.people.sum()),
        "datasets": datasets if chosen.kind == "sampled" else 0,
        "delta": float(gaussian.bad_region_mass(sigma, epsilon, query.sensitivity)),
        "sigma_from_ranges": sweeps.round_up(
            gaussian.calibrate(
                epsilon, arguments.failure / (number - arguments.sample), query.sensitivity, definition="probabilistic"
            )
        ),
    }
    if arguments.json:
        print(json.dumps(answer))
        return
    print(*describe(arguments.table, population, query, arguments.sample), sep="\n", end="\n\n")
    print(*_lines(arguments, answer, targets, population, query), sep="\n")


_KINDS = {
    "exact": "exact supremum over all datasets",
    "bound": "a bound over all datasets",
    "sampled": "largest of the sampled datasets",
}
_NAMES = {"union_mass": "T, upper limit", "failure_probability": "failure probability of the bounds {bound}"}


def _lines(arguments, answer, targets, population, query):
    ratio, bound, sigma = arguments.largest_ratio, answer["bound"], answer["sigma"]
    yield f"epsilon = {answer['epsilon']:.6g}: posterior at most {ratio:g} times the prior by the bounds {bound}"
    yield f"  smallest prior probability {answer['prior']:.6g}"
    yield f"sigma = {sigma:.12g}, the smallest at which the criterion holds, there and at every larger sigma:"
    who = looked_at(targets.chosen, targets.people, len(population.values))
    name = _NAMES[arguments.criterion].format(bound=bound[:4])
    datasets = " in the sampled datasets" if answer["kind"] == "sampled" else ""
    yield f"  {name} at most {answer['failure']:g}{datasets} for {who}"
    if who != "everybody":
        yield f"  somebody else may need more; --targets {len(population.cases.first)} looks at everybody"
    yield f"  largest here: {answer['largest']:.6g} for row {answer['row']} ({_KINDS[answer['kind']]})"
    if arguments.criterion == "failure_probability":
        looked = possible_datasets(len(population.values), arguments.sample)
        if answer["kind"] == "sampled":
            looked = f"{answer['datasets']:,} sampled datasets"
        yield f"  {looked} of each; not monotone in sigma: looked at in steps of 3% up to where T settles it"
    if sigma > 0:
        yield f"  from the stated ranges alone: ({answer['epsilon']:.6g}, {answer['delta']:.3g})-probabilistic privacy"
    yield f"  {utility(population, query, sigma)}"
    yield f"sigma = {answer['sigma_from_ranges']:.6g} would do for every table with these ranges, by the limit (n - m) delta"
    yield "The smaller sigma depends on the people in the table: whoever learns it learns something about them."
