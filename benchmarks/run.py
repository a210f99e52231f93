"""Speed as ratios within one run, and the cost of the whole paper: `make bench`.

Ratios compare two things measured in turn on the same machine, so they hold better than seconds. Nothing here is a test.
`--quick` leaves out the whole paper.
"""

import argparse
import os
import pathlib
import subprocess
import sys
import tempfile
import time

import numpy as np
import yaml
from scipy.optimize import brentq, minimize_scalar
from scipy.special import ndtr

from disclosure.beliefs import inclusion, regions
from disclosure.expected.failure_probability import expected_failure_probability
from disclosure.mechanisms import gaussian
from disclosure.study import datasets, streams
from disclosure.study import literal as literal_method
from disclosure.study import threshold as threshold_method
from disclosure.workflow.sweeps import sweep_points

ROOT = pathlib.Path(__file__).resolve().parents[1]
SEED = 1
REPEATS = 5


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--quick", action="store_true", help="leave out the whole paper")
    arguments = parser.parse_args()
    points = paper_points()
    rows = [exact_row(points), threshold_row(points), literal_row(points), *expectation_rows(), *dimension_rows()]
    if not arguments.quick:
        rows += paper_rows()
    print(f"\n{'what':<70}{'measured':>12}{'must':>10}{'aim':>10}")
    for what, measured, must, aim in rows:
        print(f"{what:<70}{measured:>12}{must:>10}{aim:>10}")


def paper_points():
    """All points of Figures 1-3 with their noise."""
    settings = yaml.safe_load((ROOT / "config.yaml").read_text(encoding="utf-8"))
    points = [point for name in ("figure1", "figure2", "figure3") for point in sweep_points(settings["sweeps"][name])]
    return [(point, gaussian.calibrate(point.epsilon, point.delta, definition="probabilistic")) for point in points]


def gaps_of(point, sigma, count):
    return regions.standardised_gaps(*datasets.draw(SEED, point, 0, count), sigma)


def in_turn(*actions):
    """Least seconds of each action over repeats taken in turn."""
    best = [np.inf] * len(actions)
    for _ in range(REPEATS):
        for place, action in enumerate(actions):
            start = time.perf_counter()
            action()
            best[place] = min(best[place], time.perf_counter() - start)
    return best


def exact_row(points):
    per_point, sampled = 1_000, 2

    def fast():
        for point, sigma in points:
            gaps = gaps_of(point, sigma, per_point)
            regions.union_mass(gaps, point.epsilon)
            inclusion.failure_probability(gaps, point.epsilon)

    def slow():
        for point, sigma in points:
            for gaps in gaps_of(point, sigma, sampled)[..., 0]:
                brentq_probabilities(gaps, point.epsilon)

    fast_seconds, slow_seconds = in_turn(fast, slow)
    times = slow_seconds * per_point / sampled / fast_seconds
    print(f"exact T and rho, 120 points, 1,000 datasets each: {fast_seconds:.2f} s")
    return "exact T and rho, 120 points: times faster than brentq per dataset", f"{times:.0f}", "50", "200"


def brentq_probabilities(gaps, epsilon):
    """T and rho of one dataset as one would first write them: brackets by expansion, then a library root finder."""
    if np.isinf(gaps).any():
        return 1.0, 1.0
    nonzero = gaps[gaps != 0]
    lower, upper = (-epsilon / abs(nonzero) - nonzero / 2).max(), (epsilon / abs(nonzero) - nonzero / 2).min()

    def log_g(z):
        exponents = -(z * gaps + gaps**2 / 2)
        largest = exponents.max()
        return largest + np.log(np.exp(exponents - largest).mean())

    def root(level, inside, outward):
        step = outward
        while log_g(inside + step) < level:
            step *= 2
            if abs(step) > 100:
                return outward * np.inf
        return brentq(lambda z: log_g(z) - level, inside, inside + step, xtol=1e-14)

    rho = ndtr(root(epsilon, 0.0, -1.0)) + ndtr(-root(epsilon, 0.0, 1.0))
    lowest = minimize_scalar(log_g, bounds=(-10, 10), method="bounded")
    if lowest.fun < -epsilon:
        rho += ndtr(root(-epsilon, lowest.x, 1.0)) - ndtr(root(-epsilon, lowest.x, -1.0))
    return (ndtr(lower) + ndtr(-upper) if lower < upper else 1.0), rho


def threshold_row(points):
    releases, chosen = 1_000_000, points[::4]
    intervals = [inclusion.failure_intervals(gaps_of(point, sigma, 1), point.epsilon)[0] for point, sigma in chosen]
    generator = np.random.Generator(np.random.SFC64(SEED))
    buffer = np.empty(1 << 14)

    def threshold():
        for number, case in enumerate(intervals):
            threshold_method.count([case], releases, streams.releases(SEED, chosen[number][0], 0))

    def uniform():
        for _ in range(len(intervals) * releases // len(buffer)):
            generator.random(out=buffer)

    seconds = in_turn(threshold, uniform)
    print(f"threshold: {seconds[0] / len(intervals) / releases * 1e9:.2f} ns a release")
    return "threshold: one release / one uniform double of SFC64", f"{seconds[0] / seconds[1]:.2f}", "0.6", "0.25"


def literal_row(points):
    releases, chosen = 50_000, points[::8]
    gaps = [gaps_of(point, sigma, 1)[0, :, 0] for point, sigma in chosen]
    generator = np.random.Generator(np.random.SFC64(SEED))
    z, result = np.empty(1 << 12), np.empty(1 << 12)

    def literal():
        for case, (point, _) in zip(gaps, chosen, strict=True):
            literal_method.count(case, point.epsilon, releases, generator)

    def draws_and_exponentials():
        for case in gaps:
            for _ in range(releases // len(z)):
                generator.standard_normal(out=z)
                for _ in range(len(case) + 1):
                    np.exp(z, out=result)

    seconds = in_turn(literal, draws_and_exponentials)
    seconds[1] *= releases / (releases // len(z) * len(z))
    print(f"literal: {seconds[0] / len(gaps) / releases * 1e9:.0f} ns a release")
    what = "literal: one release / one normal draw and |C| np.exp"
    return what, f"{seconds[0] / seconds[1]:.2f}", "1.5", "1.1"


def expectation_rows():
    """Expected failure probabilities at the default tolerance: the slowest of some points, and large against small n."""

    def seconds(neighbours, epsilon, delta):
        start = time.perf_counter()
        expected_failure_probability(neighbours + 1, 1, epsilon, delta)
        return time.perf_counter() - start

    delta = 10**-1.1
    points = [
        (4, 1.0, 0.8),
        (4, 1.0, 0.99),
        (4, 100.0, delta),
        (10, 1.0, delta),
        (10, 1.0, 1e-12),
        (10, 0.01, delta),
        (10, 10.0, delta),
        (10, 100.0, delta),
    ]
    slowest = max(min(seconds(*point) for _ in range(2)) for point in points)
    few, many = (min(seconds(neighbours, 1.0, delta) for _ in range(REPEATS)) for neighbours in (100, 10**9))
    return [
        ("expected failure probability, seconds a point at most", f"{slowest:.2f}", "5", ""),
        ("the same, 10^9 neighbours, times the cost of 100", f"{many / few:.2f}", "", "1"),
    ]


def dimension_rows():
    """Two columns of uniform attributes, and a large population in one dimension."""
    generator, epsilon, delta = np.random.default_rng(SEED), 1.0, 10**-1.1

    def gaps(datasets, neighbours, dimension):
        sigma = gaussian.calibrate(epsilon, delta, dimension**0.5, definition="probabilistic")
        attributes = generator.random((datasets, neighbours + 1, dimension))
        return regions.standardised_gaps(attributes[:, 0], attributes[:, 1:], sigma)

    def both(cases):
        return regions.union_mass(cases, epsilon), inclusion.failure_probability(cases, epsilon)

    plane, small, large = gaps(1_000, 100, 2), gaps(1_000, 10, 2), gaps(1, 10**6 - 1, 1)
    error = max((estimate.error / estimate.value).max() for estimate in both(plane))
    printed = []
    seconds = in_turn(
        lambda: both(plane),
        lambda: both(large),
        lambda: regions.union_mass(small, epsilon),
        lambda: printed.append(regions.union_mass_as_printed(small[len(printed)], epsilon)),
    )
    mass = regions.union_mass(small[: len(printed)], epsilon)
    difference = np.abs(mass.value - printed).max()
    print(f"two dimensions, 100 neighbours: relative error at most {error:.0e}")
    print(f"equation (29) as printed is off by up to {difference:.0e}, the polygon by at most {mass.error.max():.0e}")
    return [
        ("two dimensions, 100 neighbours, T and rho of 1,000 datasets: seconds", f"{seconds[0]:.2f}", "20", "2"),
        (
            "two dimensions, 10 neighbours, T: times faster than (29) as printed",
            f"{seconds[3] * len(small) / seconds[2]:.0f}",
            "1000",
            "",
        ),
        ("a million candidates, T and rho of a dataset: seconds", f"{seconds[1]:.2f}", "1", ""),
    ]


def paper_rows():
    rows = []
    for what, targets, must, aim in (
        ("whole paper after set-up, 2 cores: seconds", [], "240", "120"),
        ("of it, neither drawing releases nor replicating: seconds", ["exact"], "60", "30"),
    ):
        with tempfile.TemporaryDirectory() as folder:
            start = time.perf_counter()
            command = [sys.executable, "-m", "snakemake", *targets, "--cores", "2", "--directory", folder]
            subprocess.run(command, cwd=ROOT, check=True, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
            rows.append((what, f"{time.perf_counter() - start:.0f}", must, aim))
            if not targets:
                rows.append(("peak memory of any job: MB", f"{peak_memory(folder):.0f}", "400", "100"))
    return rows


def peak_memory(folder):
    """Largest resident memory of the jobs of each kind that hold most, run again one by one."""
    results = pathlib.Path(folder) / "results"
    sweep = results / "figure2"
    calibration = sweep / "calibration.csv"
    datasets = ["--seed", 1, "--stop", 1000]
    profile = ["--profile", "{knots: [[1, 2]]}", "--participants", 1095, "--prevalence", 0.00125]
    jobs = [
        ["upper_limit", calibration, *datasets],
        ["simulate", calibration, *datasets, "--point", 0, "--releases", 1_000_000, "--method", "threshold"],
        ["simulate", calibration, *datasets, "--point", 0, "--releases", 1_000, "--method", "literal"],
        ["replicate", calibration, "--sweep", "figure2", "--seed", 1, "--stop", 1, "--datasets", 1000],
        ["expect", calibration, "--stop", 5],
        ["aggregate", calibration, "--datasets", 1000, "--upper-limit", sweep / "upper_limit/0.csv"]
        + ["--simulate", *(sweep / "simulate").rglob("*.csv")],
        ["compare_published", ROOT / "resources/published.csv", "--summaries", *results.glob("*/summary.csv")]
        + ["--replications", *results.glob("*/replicate/*.csv"), "--page", results / "page", *profile],
    ]
    jobs = [[*job, "--output", results / "again"] for job in jobs]
    jobs.append(
        ["figure", sweep / "summary.csv", "--output", *(results / f"again.{kind}" for kind in ("pdf", "svg", "png"))]
    )
    peaks = {}
    for job in jobs:
        command = [sys.executable, "-c", "from disclosure.workflow.__main__ import main; main()", *map(str, job)]
        process = subprocess.Popen(command, stderr=subprocess.DEVNULL)
        _, status, usage = os.wait4(process.pid, 0)
        process.returncode = os.waitstatus_to_exitcode(status)
        if process.returncode:
            sys.exit(f"{job[0]} failed")
        peaks[job[0]] = max(peaks.get(job[0], 0.0), usage.ru_maxrss / 1024)
    print("peak memory in MB: " + ", ".join(f"{name} {peak:.0f}" for name, peak in peaks.items()))
    return max(peaks.values())


if __name__ == "__main__":
    main()
