"""Speed as ratios within one run, and what people wait for, each beside what it must be and what is aimed at: `make bench`.

A row is printed as soon as it is measured; all of them take less than ten minutes on a quiet machine. Times are of the
processor, which other work disturbs less than the clock, but for the rows that say otherwise. Nothing here is a test. `--quick`
leaves out the whole paper, and `--release NAME` adds the measured numbers as a row to benchmarks/history.csv.
"""

import argparse
import csv
import datetime
import os
import pathlib
import platform
import re
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
from disclosure.expected.union_mass import expected_union_mass
from disclosure.mechanisms import gaussian
from disclosure.study import datasets, streams
from disclosure.study import literal as literal_method
from disclosure.study import threshold as threshold_method
from disclosure.workflow import tables, times
from disclosure.workflow.jobs.replicate import NEGLIGIBLE
from disclosure.workflow.runs import commit
from disclosure.workflow.sweeps import sweep_points

ROOT = pathlib.Path(__file__).resolve().parents[1]
HISTORY = pathlib.Path(__file__).with_name("history.csv")
SEED = 1
REPEATS = 5
# What is measured: what it must be and what is aimed at, and whether more is better.
LIMITS = {
    "exact T and failure probability: times faster than brentq": (200, 400),
    "exact T and failure probability of a dataset: us": (None, None),
    "a replication of the study, 121 points: s": (0.6, 0.3),
    "expected values of the 121 points: s": (60, 25),
    "threshold: one release / one double of SFC64": (0.25, 0.2),
    "threshold, a release: ns": (None, None),
    "literal: one release / one normal draw and |C| exponentials": (1.4, 1.2),
    "expected values, 10^9 neighbours / 100": (None, 1),
    "two dimensions, 100 neighbours, 1,000 datasets: s": (20, 2),
    "three dimensions, 100 neighbours, 1,000 datasets: s": (40, 15),
    "a million candidates, one dataset: s": (1, None),
    "disclosure --help: s": (0.3, 0.15),
    "disclosure odds: s": (0.5, 0.3),
    "assess, 10^6 rows of 2 columns: s": (20, 8),
    "aggregate, 10^6 datasets: MB": (500, 150),
    "whole paper after set-up, 2 cores: s by the clock": (120, 75),
    "its longest job: s by the clock": (15, 8),
    "a dry run of everything: s by the clock": (3, 2),
    "make paper where all is made: s by the clock": (4, 2),
}


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--quick", action="store_true", help="leave out the whole paper")
    parser.add_argument("--release", metavar="NAME", help="add a row to benchmarks/history.csv")
    arguments = parser.parse_args()
    os.environ["OPENBLAS_NUM_THREADS"] = "1"
    points, found = paper_points(), {}
    print(f"{'what':<66}{'measured':>10}{'must':>8}{'aim':>8}", flush=True)
    for measure in (*COMPUTED, *COMMANDS, *([] if arguments.quick else [paper_rows])):
        for what, value in measure(points):
            found[what] = value
            must, aim = ("" if limit is None else f"{limit:g}" for limit in LIMITS[what])
            print(f"{what:<66}{value:>10.3g}{must:>8}{aim:>8}", flush=True)
    if arguments.release:
        record(arguments.release, found)


def record(release, found):
    """Add a row to the history; a file with other columns is refused, so that no number gets into a wrong one."""
    columns = ["release", "date", "commit", "processor", *LIMITS]
    if HISTORY.exists() and HISTORY.read_text(encoding="utf-8").splitlines()[0] != ",".join(map(quoted, columns)):
        sys.exit(f"{HISTORY} has other columns; give it those of LIMITS, and empty cells for what was not measured")
    row = [release, datetime.date.today().isoformat(), commit(ROOT), processor()]
    row += [f"{found[what]:.3g}" if what in found else "" for what in LIMITS]
    new = not HISTORY.exists()
    with HISTORY.open("a", encoding="utf-8", newline="") as file:
        csv.writer(file, lineterminator="\n").writerows([columns, row] if new else [row])


def quoted(cell):
    return f'"{cell}"' if "," in cell else cell


def processor():
    """Name of the processor, from Linux if that tells."""
    try:
        names = re.findall(
            r"^model name\s*:\s*(.+)$", pathlib.Path("/proc/cpuinfo").read_text(encoding="utf-8"), re.MULTILINE
        )
    except OSError:
        names = []
    return names[0].strip() if names else platform.processor() or platform.machine()


def paper_points():
    """All points of paper A's study with their noise."""
    settings = yaml.safe_load((ROOT / "config.yaml").read_text(encoding="utf-8"))
    points = [point for sweep in settings["sweeps"].values() for point in sweep_points(sweep)]
    return [(point, gaussian.calibrate(point.epsilon, point.delta, definition="probabilistic")) for point in points]


def gaps_of(point, sigma, count):
    return regions.standardised_gaps(*datasets.draw(SEED, point, 0, count), sigma)


def in_turn(*actions):
    """Least processor time of each action, in seconds, over repeats taken in turn."""
    best = [np.inf] * len(actions)
    for _ in range(REPEATS):
        for place, action in enumerate(actions):
            start = time.process_time()
            action()
            best[place] = min(best[place], time.process_time() - start)
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
    yield "exact T and failure probability: times faster than brentq", slow_seconds * per_point / sampled / fast_seconds
    yield "exact T and failure probability of a dataset: us", fast_seconds / len(points) / per_point * 1e6


def replication_row(points):
    """What the command replicate does for each replication."""

    def replication():
        for point, sigma in points:
            gaps = gaps_of(point, sigma, 1_000)
            regions.union_mass(gaps, point.epsilon)
            inclusion.failure_probability(gaps, point.epsilon, negligible=NEGLIGIBLE)

    yield "a replication of the study, 121 points: s", in_turn(replication)[0]


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
    yield "threshold: one release / one double of SFC64", seconds[0] / seconds[1]
    yield "threshold, a release: ns", seconds[0] / len(intervals) / releases * 1e9


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
    yield "literal: one release / one normal draw and |C| exponentials", seconds[0] / seconds[1]


def expectation_rows(points):
    """The expected values that the paper's workflow computes, from every eighth point, and large against small n."""

    def expected(population, sample, epsilon, delta, **setting):
        expected_union_mass(population, sample, epsilon, delta, **setting)
        expected_failure_probability(population, sample, epsilon, delta, **setting)

    start, chosen = time.process_time(), points[::8]
    for point, sigma in chosen:
        expected(*point, sigma=sigma, rtol=1e-5)
    yield "expected values of the 121 points: s", (time.process_time() - start) / len(chosen) * len(points)
    few, many = in_turn(*(lambda n=n: expected(n + 1, 1, 1.0, 10**-1.1) for n in (100, 10**9)))
    yield "expected values, 10^9 neighbours / 100", many / few


def dimension_rows(_points):
    """Two and three columns of uniform attributes, and a large population in one dimension."""
    generator, epsilon, delta = np.random.default_rng(SEED), 1.0, 10**-1.1

    def seconds(datasets, neighbours, dimension):
        sigma = gaussian.calibrate(epsilon, delta, dimension**0.5, definition="probabilistic")
        attributes = generator.random((datasets, neighbours + 1, dimension))
        gaps = regions.standardised_gaps(attributes[:, 0], attributes[:, 1:], sigma)
        start = time.process_time()
        regions.union_mass(gaps, epsilon)
        inclusion.failure_probability(gaps, epsilon)
        return time.process_time() - start

    yield "two dimensions, 100 neighbours, 1,000 datasets: s", seconds(200, 100, 2) * 5
    yield "three dimensions, 100 neighbours, 1,000 datasets: s", seconds(50, 100, 3) * 20
    yield "a million candidates, one dataset: s", seconds(1, 10**6 - 1, 1)


def used(command, **options):
    """Processor time in seconds and peak memory in MB of a command that must succeed."""
    process = subprocess.Popen(list(map(str, command)), stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, **options)
    _, status, usage = os.wait4(process.pid, 0)
    process.returncode = os.waitstatus_to_exitcode(status)
    if process.returncode:
        sys.exit(f"{' '.join(map(str, command))} failed")
    return usage.ru_utime + usage.ru_stime, usage.ru_maxrss / 1024


DISCLOSURE = [sys.executable, "-c", "from disclosure.cli import main; main()"]
JOB = [sys.executable, "-m", "disclosure.workflow"]


def start_rows(_points):
    odds = ["odds", "--epsilon", 0.34, "--q", 0.5, "--q0", 0.00125]
    for what, command in (("disclosure --help: s", ["--help"]), ("disclosure odds: s", odds)):
        yield what, min(used([*DISCLOSURE, *command])[0] for _ in range(REPEATS))


def assess_row(_points):
    generator, rows = np.random.default_rng(SEED), 10**6
    with tempfile.TemporaryDirectory() as folder:
        table = np.column_stack([generator.integers(18, 96, rows), generator.integers(0, 200_000, rows)])
        np.savetxt(f"{folder}/people.csv", table, fmt="%d", delimiter=",", header="age,income", comments="")
        asked = ["--columns", "age:0:120", "income:0:250000", "--query", "mean", "--sample", rows // 2]
        asked += ["--epsilon", 1, "--delta", 1e-6, "--output", "answer"]
        yield "assess, 10^6 rows of 2 columns: s", used([*DISCLOSURE, "assess", "people.csv", *asked], cwd=folder)[0]


def memory_row(_points):
    """The summary of 10^6 datasets of one point, in shards of 50,000."""
    generator, number = np.random.default_rng(SEED), 50_000
    with tempfile.TemporaryDirectory() as folder:
        point = ["--population", 100, "--sample", 90, "--epsilon", "1.0", "--delta", "0.08"]
        used([*JOB, "calibrate", "--sweep", "one", *point, "--output", "calibration.csv"], cwd=folder)
        files = [f"{shard}.csv" for shard in range(10**6 // number)]
        for shard, name in enumerate(files):
            columns = {column: generator.random(number) for column in tables.UPPER_LIMIT}
            columns |= {"point": np.zeros(number), "dataset": np.arange(number) + shard * number}
            with tables.own(pathlib.Path(folder, name)) as file:
                tables.write(file, tables.UPPER_LIMIT, columns)
        command = [*JOB, "aggregate", "calibration.csv", "--datasets", 10**6, "--upper-limit", *files]
        yield "aggregate, 10^6 datasets: MB", used([*command, "--output", "summary.csv"], cwd=folder)[1]


def paper_rows(_points):
    """The whole paper, its longest job by the logs, and what Snakemake itself takes once all is made."""

    def seconds(*options):
        start = time.perf_counter()
        used([sys.executable, "-m", "snakemake", "--cores", 2, "--directory", folder, *options], cwd=ROOT)
        return time.perf_counter() - start

    with tempfile.TemporaryDirectory() as folder:
        yield "a dry run of everything: s by the clock", seconds("--dry-run")
        yield "whole paper after set-up, 2 cores: s by the clock", seconds()
        yield "make paper where all is made: s by the clock", seconds()
        logs = pathlib.Path(folder, "results/logs").rglob("*.log")
        took = [times.of_job(log) for log in logs]
        yield "its longest job: s by the clock", max(of_job[1] for of_job in took if of_job)


COMPUTED = (exact_row, replication_row, threshold_row, literal_row, expectation_rows, dimension_rows)
COMMANDS = (start_rows, assess_row, memory_row)


if __name__ == "__main__":
    main()
