"""What a release reveals about the people of a table: a summary on the screen, and tables and figures in a folder."""

import contextlib
import math
import pathlib

import numpy as np

from disclosure.mechanisms import gaussian, privacy
from disclosure.numerics import checks, errors, rounding
from disclosure.people import choice, exposure, populations
from disclosure.workflow import exposure_summary, sweeps, tables
from disclosure.workflow.jobs.expose import describe, people_table, read
from disclosure.workflow.options import add_table, number, whole

KINDS = ("pdf", "svg", "png")
CONVERTED = "approximate, by Corollary 1"
_MOST = 5
# Neighbours over all sampled datasets of all targets that are looked at unless told otherwise: some seconds, by dimensions.
_WORK = {1: 800_000, 2: 160_000}
_WORK_BEYOND = 5_000
_DATASETS = 10, 100
_FEWEST = 6, 2
# Logarithm from which on a number of datasets is too long to be read.
_READABLE = math.log(1e15)


def arguments(parser):
    add_table(parser)
    parser.add_argument("--sample", type=whole, required=True, metavar="M", help="people in the dataset")
    parser.add_argument("--epsilon", type=number, required=True)
    parser.add_argument("--delta", type=number, required=True)
    parser.add_argument(
        "--approximate", action="store_true", help="epsilon and delta are of approximate privacy; needs --failure"
    )
    parser.add_argument("--failure", type=number, metavar="P", help="stated failure probability of the bounds")
    add_work(parser)
    parser.add_argument(
        "--output", default="exposure", metavar="FOLDER", help="for tables and figures (default exposure)"
    )


def add_work(parser):
    """How many people and datasets are looked at, and which."""
    parser.add_argument(
        "--targets", type=whole, metavar="N", help="different people who are looked at (default: all, if that is quick)"
    )
    parser.add_argument(
        "--datasets",
        type=whole,
        metavar="N",
        help="sampled datasets of each (default: 100, if that is quick); all, if so few differ",
    )
    parser.add_argument("--seed", type=whole, default=1, metavar="N", help="root seed, at least 0 (default 1)")


def run(arguments):
    population, query = read(arguments, arguments.sample)
    number = len(population.values)
    populations.check_sample(number, arguments.sample)
    targets, datasets = work(arguments, population, 4 if arguments.approximate else 1)
    cases = [
        (guarantee, (number, arguments.sample, epsilon, delta, sigma))
        for guarantee, epsilon, delta, sigma in _guarantees(arguments, population, query, targets.places.tolist())
    ]
    rows, exposed = [], []
    for point, (guarantee, values) in enumerate(cases):
        calibration = dict(zip(tables.CALIBRATED, (point, *values), strict=True))
        found = [
            exposure.assess(
                population,
                query,
                arguments.sample,
                calibration["sigma"],
                calibration["epsilon"],
                target,
                datasets,
                arguments.seed,
            )
            for target in targets.places.tolist()
        ]
        table = people_table(found, targets, point)
        rows.append(exposure_summary.summarise(calibration, table, guarantee))
        exposed.append(table)
    _write(arguments, query, rows, exposed)
    print(*describe(arguments.table, population, query, arguments.sample), sep="\n")
    print(*_lines(rows, exposed, population, query), sep="\n")
    print(f"\nwritten to {arguments.output}: people.csv, summary.csv, {', '.join(f'people.{kind}' for kind in KINDS)}")


def work(arguments, population, times=1):
    """The targets and the number of datasets of each, when all is done so many ``times``.

    By default everybody is a target, of people who are alike one, and has 100 datasets, as far as that takes seconds; at
    least 10 datasets before some people are left out, and in the largest tables 6 people with 2: of 10^6 rows and two columns
    about a minute, and 320 MB.
    """
    checks.count("seed", arguments.seed, 0)
    number, dimensions = population.values.shape
    neighbours = number - arguments.sample
    affordable = _WORK.get(dimensions, _WORK_BEYOND) // (neighbours * times)
    targets, datasets = arguments.targets, arguments.datasets
    if targets is None:
        targets = min(len(population.cases.first), max(_FEWEST[0], affordable // (datasets or _DATASETS[0])))
    targets = populations.targets(arguments.seed, population, targets)
    if datasets is None:
        datasets = min(_DATASETS[1], max(_FEWEST[1], affordable // len(targets.places)))
    return targets, checks.count("datasets", datasets, 1)


def _guarantees(arguments, population, query, targets):
    """What is promised, the probabilistic epsilon and delta of the bounds, and the noise."""
    epsilon, delta, sensitivity = arguments.epsilon, arguments.delta, query.sensitivity
    direct = exposure_summary.PROBABILISTIC, epsilon, delta, _sigma(epsilon, delta, sensitivity, "probabilistic")
    if not arguments.approximate:
        if arguments.failure is not None:
            raise errors.DomainError(
                f"failure = {arguments.failure:g} is for --approximate only; add that, or leave it out: the answer has it"
            )
        return [direct]
    if arguments.failure is None:
        raise errors.DomainError(
            "failure is missing; --approximate needs the failure probability that is stated for the bounds"
        )
    sigma = _sigma(epsilon, delta, sensitivity, "approximate")
    sample, failure = arguments.sample, arguments.failure
    bound, delta_prime = choice.convert(epsilon, delta, failure, len(population.values) - sample)
    tighter = float(privacy.probabilistic_epsilon(delta_prime, rounding.quotient_up(sensitivity, sigma)))
    tightest = choice.smallest_epsilon_for(population, query, sample, sigma, failure, targets).epsilon
    return [
        (CONVERTED, bound, delta_prime, sigma),
        ("the same noise, calibrated directly", tighter, delta_prime, sigma),
        (
            "the same noise, by T of these people",
            tightest,
            float(gaussian.bad_region_mass(sigma, tightest, sensitivity)),
            sigma,
        ),
        direct,
    ]


def _sigma(epsilon, delta, sensitivity, definition):
    sigma = sweeps.round_up(gaussian.calibrate(epsilon, delta, sensitivity, definition=definition))
    return checks.number("sigma", sigma, "(0, inf)", "delta = 1 promises nothing, and no noise is added")


def _write(arguments, query, rows, exposed):
    from disclosure.plots import exposure as plots  # slow to import
    from disclosure.plots import style

    folder = pathlib.Path(arguments.output)
    with contextlib.ExitStack() as stack:
        people_file, summary_file, *figures = (
            stack.enter_context(tables.own(folder / name))
            for name in ("people.csv", "summary.csv", *(f"people.{kind}" for kind in KINDS))
        )
        together = {name: np.concatenate([table[name] for table in exposed]) for name in tables.EXPOSURE}
        tables.write(people_file, tables.EXPOSURE, together)
        tables.write(
            summary_file,
            tables.EXPOSURE_SUMMARY,
            {name: [row[name] for row in rows] for name in tables.EXPOSURE_SUMMARY},
        )
        figure = plots.people_figure(exposed[0], rows[0], query.name)
        for file, kind in zip(figures, KINDS, strict=True):
            file.write(style.rendered(figure, kind))


def utility(population, query, sigma):
    """Expected error of the release, column by column."""
    parts = []
    for column in population.columns:
        width = query.factor * (column.high - column.low)
        parts.append(f"{sigma:.4g} in {column.name} ({sigma / width:.2g} times the most that one person can move it)")
    return "expected error (root mean square): " + ", ".join(parts)


def _lines(rows, exposed, population, query):
    for row, table in zip(rows, exposed, strict=True):
        yield ""
        yield f"{row['guarantee']}: epsilon = {row['epsilon']:.6g}, delta = {row['delta']:.6g}, sigma = {row['sigma']:.6g}"
        yield "  " + utility(population, query, row["sigma"])
        yield from _summary(row, table)
        yield from _most_exposed(table)


def looked_at(chosen, people, population):
    """Which people were targets."""
    if people.sum() == population:
        return "everybody"
    share = f"{len(chosen):,} people of {population:,}"
    if people.sum() > len(chosen):
        share += f" ({people.sum():,} with those who are like them)"
    farthest = np.count_nonzero(chosen == "farthest")
    special = ["the one of the smallest weight"] if "lightest" in chosen else []
    special += [f"the {farthest} from whom somebody is farthest"] if farthest else []
    return f"{', '.join([share, *special])} and a random sample of the others" if special else f"{share}, sampled"


def possible_datasets(population, sample):
    """How many datasets a target has, in words: C(n - 1, n - m), as long as that can be read."""
    log = math.lgamma(population) - math.lgamma(population - sample + 1) - math.lgamma(sample)
    return f"all {math.comb(population - 1, sample - 1):,} datasets" if log < _READABLE else "all datasets"


def _datasets(row, table):
    """Which datasets of each target were looked at."""
    listed = table["datasets"] == 0
    if listed.all():
        return f"{possible_datasets(row['population'], row['sample'])} of each"
    return f"{row['datasets']:,} sampled datasets of each{', or all where few differ' if listed.any() else ''}"


def _summary(row, table):
    """A row of a summary, in words."""
    who = looked_at(table["chosen"], table["people"], row["population"])
    labels = {
        "prior": f"{row['prior']:.6g}",
        f"bounds ({24 if row['guarantee'] != CONVERTED else 25})": f"{row['ratio_lower']:.6g} to {row['ratio_upper']:.6g}",
        "bounds (26)": f"{row['prior_free_lower']:.6g} to {row['prior_free_upper']:.6g}",
        "targets": f"{who}; {_datasets(row, table)}",
        "T, upper limit": _risk(row, "union_mass"),
        "": f"largest of all datasets {row['union_mass_supremum']:.4g} ({_SUPREMA[row['supremum']]})",
        "rho, probability": _risk(row, "failure_probability"),
    }
    return [f"  {label:<18}{text}" for label, text in labels.items()]


_SUPREMA = {
    "exact": "exact supremum",
    "bound": "a bound that no dataset exceeds",
    "none": "not known",
}


def _risk(row, name):
    """Mean and largest of a probability, and how far the mean is from that over everybody and all datasets."""
    error, largest = row[f"{name}_se"], "largest sampled"
    if row["targets"] < row["population"]:
        known = " (estimated, with no standard error: somebody who was not looked at may carry it)"
    elif row["datasets"] == 0:
        known, largest = " (exact)", "largest"
    else:
        known = "" if math.isnan(error) else f" (standard error {error:.2g})"
    return f"mean {row[f'{name}_mean']:.4g}{known}, {largest} {row[f'{name}_largest']:.4g}"


def _most_exposed(table):
    yield "  most exposed, by mean failure probability; distances in diagonals of the stated ranges:"
    yield f"  {'row':>8}{'rho':>11}{'largest':>11}{'T':>11}{'nearest':>10}{'centre':>10}{'farthest':>10}"
    for place in exposure_summary.by_exposure(table)[:_MOST]:
        person = {name: column[place] for name, column in table.items()}
        risks = "".join(
            f"{person[name]:>11.3g}"
            for name in ("failure_probability_mean", "failure_probability_largest", "union_mass_supremum")
        )
        distances = "".join(f"{person[name]:>10.3f}" for name in ("nearest", "centre", "farthest"))
        alike = f"  and {person['people'] - 1:,} like it" if person["people"] > 1 else ""
        yield f"  {person['person']:>8}{risks}{distances}{alike}"
