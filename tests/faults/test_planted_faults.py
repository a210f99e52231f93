"""The tests find faults: each of these, planted in a copy of the package, breaks one."""

import os
import pathlib
import shutil
import subprocess
import sys

import pytest

ROOT = pathlib.Path(__file__).resolve().parents[2]

# What is wrong, module, right text, planted text, tests that must notice.
# They show that the tests can fail, which few changes put in question.
pytestmark = pytest.mark.long

FAULTS = [
    (
        "p = n - m + 1 neighbours",
        "study/datasets.py",
        "candidates = point.population - point.sample + 1",
        "candidates = point.population - point.sample + 2",
        "tests/unit/study/test_datasets.py",
    ),
    (
        "sensitivity 2",
        "mechanisms/gaussian.py",
        "sigma, step = sensitivity * _root(",
        "sigma, step = 2 * sensitivity * _root(",
        "tests/unit/mechanisms/test_gaussian.py",
    ),
    (
        "c^2 / 2 lost from the log density ratio",
        "gaussian_measure/line.py",
        "np.where(size > _INFINITE_GAP, np.inf, slopes**2 / 2)",
        "np.where(size > _INFINITE_GAP, np.inf, slopes * 0)",
        "tests/unit/beliefs/test_inclusion.py",
    ),
    (
        "c / 2 lost from the bad regions",
        "gaussian_measure/line.py",
        "(half_width - part / 2).min",
        "half_width.min",
        "tests/unit/beliefs/test_regions.py",
    ),
    (
        "bounds swapped",
        "beliefs/inclusion.py",
        "return RatioBounds(lower, 1 / (prior + (1 - prior) * shrunk))",
        "return RatioBounds(1 / (prior + (1 - prior) * shrunk), lower)",
        "tests/unit/beliefs/test_inclusion.py",
    ),
    (
        "one tail of the union only",
        "gaussian_measure/line.py",
        "ndtr(lower) + ndtr(-upper)",
        "2 * ndtr(-upper)",
        "tests/unit/beliefs/test_regions.py",
    ),
    (
        "one side of the high set only",
        "gaussian_measure/line.py",
        "ndtr(kept.left) + middle + ndtr(-kept.right)",
        "middle + ndtr(-kept.right)",
        "tests/unit/beliefs/test_inclusion.py",
    ),
    (
        "the low set left out",
        "gaussian_measure/line.py",
        "middle[some] = normal.interval_mass(left[some], right[some])",
        "pass",
        "tests/unit/beliefs/test_inclusion.py",
    ),
    (
        "the target left out of the candidates",
        "study/literal.py",
        "ratios = self._candidates / (1 + np.einsum(",
        "ratios = self._candidates / (0 + np.einsum(",
        "tests/unit/study/test_literal.py",
    ),
    (
        "undecided releases taken as failures",
        "study/threshold.py",
        "failures += sum(_count_within(fine, first, beyond) for first, beyond in pieces)",
        "failures += len(fine)",
        "tests/unit/study/test_threshold.py",
    ),
    (
        "the limit of log g at infinity ignored",
        "gaussian_measure/crossings.py",
        "np.where(limit > level if closed else limit >= level, -np.inf, np.inf)",
        "np.inf",
        "tests/unit/beliefs/test_inclusion.py",
    ),
    (
        "calibrated to the public side",
        "mechanisms/gaussian.py",
        "sigma, step = sigma * (1 + step), 2 * step",
        "return sigma * (1 - 1e-9)",
        "tests/unit/mechanisms/test_gaussian.py",
    ),
    (
        "the far inner bad region forgotten in the expectation",
        "expected/expectation.py",
        "return share + np.where(np.isnan(middle), 0.0, middle)",
        "return share",
        "tests/unit/expected/test_expectation.py",
    ),
    (
        "the root over N1 N2 of the published formula mended",
        "study/statistics.py",
        "math.sqrt(rate * (1 - rate)) / runs",
        "math.sqrt(rate * (1 - rate) / runs)",
        "tests/unit/study/test_statistics.py",
    ),
    (
        "datasets drawn one number late",
        "study/datasets.py",
        "skip=start * candidates,",
        "skip=start * candidates + (start > 0),",
        "tests/unit/study/test_datasets.py",
    ),
    (
        "the low set left out in two dimensions",
        "gaussian_measure/plane.py",
        "mass[rows] += low_mass",
        "pass",
        "tests/unit/gaussian_measure/test_plane.py",
    ),
    (
        "strips dropped that cut the polygon from one side only",
        "gaussian_measure/polygons.py",
        "near[part] |= ",
        "near[part] = ",
        "tests/unit/gaussian_measure/test_plane.py",
    ),
    (
        "no half-space where one term alone reaches the level",
        "gaussian_measure/space.py",
        "np.concatenate([normals, alone[counts]]), np.concatenate([bounds, alone_bounds[counts]])",
        "normals, bounds",
        "tests/unit/gaussian_measure/test_space.py",
    ),
    (
        "alike half-spaces drawn as often as they are",
        "gaussian_measure/half_spaces.py",
        "left = left[(depth * max(bounds[first], 1.0) < -_SLACK) & (left != first)]",
        "left = left[left != first]",
        "tests/unit/gaussian_measure/test_space.py",
    ),
    (
        "groups of neighbours not corrected",
        "gaussian_measure/space.py",
        "mean, error = max(mean + more, 0.0), error + more_error",
        "pass",
        "tests/unit/gaussian_measure/test_space.py",
    ),
    (
        "the error of the groups' correction left out",
        "gaussian_measure/space.py",
        "mean, error = max(mean + more, 0.0), error + more_error",
        "mean = max(mean + more, 0.0)",
        "tests/unit/gaussian_measure/test_space.py",
    ),
    (
        "ends that rounding moves left out of the error",
        "gaussian_measure/line.py",
        "passed[rows] = np.maximum(most - value[rows], value[rows] - least)",
        "passed[rows] = 0.0",
        "tests/unit/gaussian_measure/test_line.py",
    ),
    (
        "bounds on what rounding does to doubtful ends left out of the error",
        "gaussian_measure/line.py",
        "return Estimate(value, error + passed)",
        "return Estimate(value, error)",
        "tests/unit/gaussian_measure/test_line.py",
    ),
    (
        "ends taken for sharp that rounding moves by 1e-9",
        "gaussian_measure/crossings.py",
        "_SHARP = 3e-12",
        "_SHARP = 3e-7",
        "tests/unit/gaussian_measure/test_line.py",
    ),
    (
        "a limit that rounding reaches left out of the doubt",
        "gaussian_measure/crossings.py",
        "(np.abs(limit - level) <= rounding)",
        "(np.abs(limit - level) < 0)",
        "tests/unit/gaussian_measure/test_line.py",
    ),
    (
        "calibrated without a margin for the rounding of masses",
        "mechanisms/gaussian.py",
        "_FORWARD = 6",
        "_FORWARD = 0",
        "tests/unit/mechanisms/test_gaussian.py",
    ),
    (
        "calibrated without a margin for the rounding of the noise",
        "mechanisms/gaussian.py",
        "_BACKWARD = 8",
        "_BACKWARD = 0",
        "tests/unit/mechanisms/test_gaussian.py",
    ),
    (
        "the error of sampled directions too small",
        "gaussian_measure/sampling.py",
        "spread / np.sqrt(len(means))",
        "spread / len(means)",
        "tests/unit/gaussian_measure/test_space.py",
    ),
    (
        "log density ratios of the wrong sign",
        "study/literal.py",
        "np.exp(-log_ratios) @ shares",
        "np.exp(log_ratios) @ shares",
        "tests/unit/study/test_literal.py",
    ),
    (
        "a bound taken for an exact supremum",
        "people/supremum.py",
        '"exact" if len(needed) <= neighbours else "bound"',
        '"exact"',
        "tests/unit/people/test_supremum.py",
    ),
    (
        "the limit of the union for a single neighbour",
        "people/choice.py",
        "delta_prime=failure / neighbours",
        "delta_prime=failure",
        "tests/unit/people/test_choice.py",
    ),
    (
        "the sensitivity of one column only",
        "people/queries.py",
        "factor * math.hypot(*widths)",
        "factor * max(widths)",
        "tests/unit/people/test_queries.py",
    ),
    (
        "decimal digits for sums that cancel left out",
        "beliefs/kernels.py",
        "_DIGITS = (20, 40, 80, 160)",
        "_DIGITS = (20,)",
        "tests/unit/beliefs/test_kernels.py",
    ),
    (
        "a bound on rounding that is too small",
        "beliefs/kernels.py",
        "return total / size if abs(total) > doubt else None",
        "return total / size",
        "tests/unit/beliefs",
    ),
    (
        "one derivative too few",
        "beliefs/zeros.py",
        "while derivatives[-1].changes > 1:",
        "while derivatives[-1].changes > 2:",
        "tests/unit/beliefs",
    ),
    (
        "answers within cells forgotten",
        "beliefs/mixtures.py",
        "for (lower, upper), density in cells.items() if lower <= left and right <= upper",
        "for (lower, upper), density in cells.items() if lower == left and right == upper",
        "tests/unit/beliefs/test_mixtures.py",
    ),
    (
        "turning points within cells left out",
        "beliefs/kernels.py",
        "if falling * rising > 0:",
        "if falling * rising < 0:",
        "tests/unit/beliefs/test_mixtures.py",
    ),
    (
        "the last digits of zeros left out of the error",
        "beliefs/mixtures.py",
        "error + rounding + problem.mass(doubtful)[0]",
        "error + rounding",
        "tests/unit/beliefs/test_mixtures.py",
    ),
    (
        "weights that are not normalised",
        "beliefs/mixtures.py",
        "parts = (outside, sign * sizes[0]), (inside, -sign * factor * sizes[1])",
        "parts = (outside, sign), (inside, -sign * factor)",
        "tests/unit/beliefs/test_mixtures.py",
    ),
    (
        "whole numbers next to zeros taken by the interval's ends",
        "beliefs/zeros.py",
        "for near in (math.floor, math.ceil)",
        "for near in (math.floor,)",
        "tests/unit/beliefs",
    ),
    (
        "the correction to integrals over whole numbers left out",
        "beliefs/noises.py",
        "return first / (24 * scale**2) - 7 * third / (5760 * scale**4)",
        "return 0 * first",
        "tests/unit/beliefs/test_noises.py",
    ),
    (
        "the quantile of the wrong side",
        "beliefs/quantiles.py",
        "(0, above, -1.0,",
        "(0, below, 1.0,",
        "tests/unit/beliefs/test_quantiles.py",
    ),
]


@pytest.mark.parametrize("fault", FAULTS, ids=[fault[0] for fault in FAULTS])
def test_a_planted_fault_breaks_a_test(tmp_path, fault):
    _, module, right, planted, tests = fault
    package = tmp_path / "disclosure"
    shutil.copytree(ROOT / "src/disclosure", package, ignore=shutil.ignore_patterns("__pycache__"))
    source = (package / module).read_text(encoding="utf-8")
    assert source.count(right) == 1, f"{module} no longer has exactly one {right!r}"
    (package / module).write_text(source.replace(right, planted), encoding="utf-8")
    command = [sys.executable, "-m", "pytest", "-x", "-p", "no:cacheprovider", tests]
    environment = {**os.environ, "PYTHONPATH": str(tmp_path), "PYTHONDONTWRITEBYTECODE": "1"}
    run = subprocess.run(command, cwd=ROOT, env=environment, capture_output=True, text=True, check=False)
    assert run.returncode == 1, f"pytest ended with {run.returncode}:\n{run.stdout[-2000:]}{run.stderr[-2000:]}"
    assert "\nFAILED tests/" in run.stdout


def test_without_a_fault_the_copy_is_what_is_tested(tmp_path):
    """A fault in the copy is seen only if the copy shadows the installed package."""
    (tmp_path / "disclosure").mkdir()
    (tmp_path / "disclosure/__init__.py").write_text("__version__ = 'the copy'\n", encoding="utf-8")
    command = [sys.executable, "-c", "import disclosure; print(disclosure.__version__)"]
    environment = {**os.environ, "PYTHONPATH": str(tmp_path)}
    run = subprocess.run(command, cwd=ROOT, env=environment, capture_output=True, text=True, check=True)
    assert run.stdout.strip() == "the copy"
