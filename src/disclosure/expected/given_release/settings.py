"""Every constant of the computation at one release, with its unit and its reason: the error term that it controls.

Errors are relative to the density of failing releases, unless a reason says otherwise. All that is left out as too small to
matter comes to some 1e-9, which `expected.failure_probability` adds to the error that it states. The errors of the
quadrature rules depend on the `Effort`; `expected.failure_probability` estimates them by comparison with a larger effort.
"""

import dataclasses
from typing import NamedTuple, TypeVar

__all__ = ["SETTINGS", "Effort", "Settings"]

_Number = TypeVar("_Number", int, float)


class Effort(NamedTuple):
    """How finely one release is worked out. An integral is a sum over panels, on each of which Gauss's rule is used.

    Parameters
    ----------
    order : int
        Nodes of Gauss's rule on a panel, in integrals over a term and over the mean term.
    phase : float
        Radians by which the factor e^(i w s) of the largest frequency w turns on a panel, at most.
    reach : float
        Largest frequency, in units of one over the distance between the means of two windows.
    """

    order: int
    phase: float
    reach: float


def _constant(value: _Number, unit: str, reason: str) -> _Number:
    return dataclasses.field(default=value, metadata={"unit": unit, "reason": reason})


@dataclasses.dataclass(frozen=True)
class Settings:
    """The constants; ``dataclasses.fields(Settings)`` lists them with ``metadata["unit"]`` and ``metadata["reason"]``.

    A "logarithm" is a natural one; a "deviation" is a standard deviation of the mean term under a window's tilt; a "panel" is
    one of the intervals on which Gauss's rule is used; "edge" and "window" are those of `windows`.
    """

    # The law of one term.
    deepest_log: float = _constant(
        60.0,
        "logarithm",
        "smaller terms are held as e^-60 times the largest mean term that fails below: beside it they are 1e-26 at most",
    )
    log_above_failing: float = _constant(
        2.0,
        "logarithm",
        "terms are cut off at e^2 times the largest that a failure can have: the cut leaves a kink in the law of the mean "
        "term, which this keeps away from the mean terms that fail",
    )
    most_epsilon_of_one_law: float = _constant(
        100.0,
        "epsilon",
        "the two thresholds are e^(2 epsilon) apart: up to this epsilon terms at both are floats in one unit, above it each "
        "threshold gets a unit and a law of terms of its own",
    )
    least_centred_log: float = _constant(
        -0.7,
        "logarithm",
        "if all terms are at least e^-0.7 = 1/2 they are stored as X - 1, so that differences of terms next to 1 keep their "
        "digits",
    )
    extremes_shortest: float = _constant(
        1e-8,
        "lengths of the attributes' interval",
        "shortest panel, next to an attribute whose term is the largest or the smallest: under a steep tilt all mass is there",
    )
    extremes_ratio: float = _constant(
        4.0, "ratio", "of each panel to the one before, from such an attribute on: few panels lead to the coarse ones"
    )
    noise_reach: float = _constant(
        8.0,
        "sigma",
        "distance from the release within which the table of a law is fine: 2e-15 of the noise lies beyond",
    )
    noise_points: int = _constant(
        65,
        "points",
        "of the table within that distance: four a sigma, enough to interpolate how many panels are needed",
    )
    log_per_panel: float = _constant(
        2.0,
        "logarithm",
        "change of a term on a panel at most: 5 nodes then leave a relative error of 1e-9 in its moments, 8 nodes rounding",
    )
    moment_order: int = _constant(
        5, "nodes a panel", "for the moments of terms that place tilts and windows, which need few digits"
    )
    mass_order: int = _constant(
        8, "nodes a panel", "for the masses of failing targets, which are factors of the answer and need all digits"
    )
    # Tilts.
    first_tilt: float = _constant(
        0.4,
        "deviations",
        "the first tilt moves the mean term by this: tilts closer together than windows leave each window one near its place",
    )
    tilt_growth: float = _constant(
        1.4, "ratio", "of a tilt to the one before, so that tilts stay closer together than windows"
    )
    tilts_at_a_time: int = _constant(30, "tilts", "worked out together; controls no error, only time and memory")
    bisections: int = _constant(
        12,
        "rounds",
        "in which steps between tilts are halved where the mean jumps: the last steps are 2^-12 of the first",
    )
    jump: float = _constant(
        3.0, "ratio", "of a step of the mean to the step before, above which the step counts as a jump and is halved"
    )
    near_end: float = _constant(
        1e-4, "relative", "distance of the mean from the smallest or the largest term at which no steeper tilt is taken"
    )
    impossible_log: float = _constant(
        -800.0, "logarithm", "of a probability that counts as 0, e^-800 being below the smallest float: tilts end there"
    )
    largest_exponent: float = _constant(
        700.0, "logarithm", "exponents are cut at this size: e^700 and e^-700 are floats with all digits"
    )
    least_total: float = _constant(
        1e-280,
        "probability",
        "a tilt is dropped if E e^(theta X), counted from the end it tilts to, is smaller: products with it would lose digits",
    )
    least_variance: float = _constant(
        1e-12,
        "share of the mean square",
        "least variance of a tilted term: a difference that rounding may leave negative",
    )
    small_tilt: float = _constant(
        0.01,
        "exponent",
        "for a tilt that changes e^(theta X) by less, log E e^(theta (X - mean)) is computed, near 0 and accurate relative to "
        "itself: it is multiplied by p, and its error with it",
    )
    # Windows.
    spacing: float = _constant(
        2.8,
        "deviations",
        "between the means of two windows at most: within a window the law under its tilt stays of one size",
    )
    least_step: float = _constant(
        1 / 16,
        "spacings",
        "between the means of two windows at least: the edge between closer ones would be so sharp that it needs high "
        "frequencies",
    )
    approach: float = _constant(
        0.5,
        "of the way to the smallest or the largest term",
        "between the means of two windows at most: near such an end the law changes on that scale",
    )
    last_step_parts: float = _constant(
        3.0,
        "in one spacing",
        "a last window less than a third of a spacing beyond the one before is left out: the one before has no outer edge",
    )
    sharpness: float = _constant(
        4.0,
        "ratio",
        "of the distance between windows to the width of the edge: its Fourier transform then needs no higher frequencies "
        "than that of the law",
    )
    edge: float = _constant(
        5.5, "widths of an edge", "an edge, which is an error function, ends so far from its middle: erfc(5.5) is 7e-15"
    )
    wide_log: float = _constant(
        30.0,
        "logarithm",
        "of the largest term over the smallest: above it the mass at the smallest mean term may exceed all of another "
        "window's, and the edges are made to nest",
    )
    saturated: float = _constant(
        1e-9, "relative", "change of Psi, from the smallest mean term on, below which it counts as constant"
    )
    inward_log: float = _constant(19.0, "logarithm", "windows below e^-19 = 6e-9 of the largest are left out")
    outward_log: float = _constant(
        11.0,
        "logarithm",
        "on the side away from the mean without tilt, windows below e^-11 of the largest are joined to the window before: "
        "that has no outer edge",
    )
    unseen_log: float = _constant(
        26.0,
        "logarithm",
        "a window without an outer edge ends where windows would be below e^-26 = 5e-12 of the largest",
    )
    # One window.
    alias_log: float = _constant(
        -22.0, "logarithm", "of the share of the tilted law, e^-22 = 3e-10, that copies of it may bring into a window"
    )
    most_drawn_in_log: float = _constant(
        -0.7,
        "logarithm",
        "a window may be integrated under another tilt if that makes it at least e^-0.7 = 1/2 times as likely: one bit is lost",
    )
    period_margin: float = _constant(
        1.02, "ratio", "of the period to the least one that keeps copies of the law out, against rounding of its ends"
    )
    least_frequencies: float = _constant(
        2.5,
        "units of Effort.reach",
        "number of frequencies at least, where the period is short: with few neighbours the characteristic function falls "
        "slowly",
    )
    fading_log: float = _constant(
        20.0,
        "logarithm",
        "the share of frequencies that a window gets falls linearly in its logarithm, and would be 0 at e^-20 of the largest",
    )
    least_digits: float = _constant(
        0.4, "share", "of the frequencies of the largest window that any other window gets at least"
    )
    tilted_depth: float = _constant(
        36.0, "exponent", "terms whose weight under the tilt is below e^-36 = 2e-16 of the largest are left out"
    )
    tilt_per_panel: float = _constant(
        5.0, "exponent", "change of theta X on a panel at most: the least order, 8 nodes, then has an error of 1e-11"
    )
    active_log_per_panel: float = _constant(
        3.0, "logarithm", "change of a term on a panel at most, among the terms that matter to a window"
    )
    more_panels: int = _constant(
        2, "panels", "of a window beside those that its largest frequency asks for: the edges need panels as well"
    )
    root_steps: int = _constant(
        8, "panels", "on either side of a mean term at which Psi begins like a square root, shorter towards it"
    )
    root_ratio: float = _constant(
        0.25, "ratio", "of such a panel to the one before: on the last one a rule misses less than 1e-9 of the root"
    )
    root_first: float = _constant(0.5, "distances between windows", "length of all of these panels on one side")
    sines_from: int = _constant(
        10_000,
        "neighbours",
        "from which on E e^(i w X) - 1 is found by sines, without cancellation: its error is multiplied by p",
    )
    frequencies_at_a_time: int = _constant(
        256, "frequencies", "summed before it is tested whether the rest is negligible; controls time only"
    )
    nothing: float = _constant(
        1e-12, "relative", "the sum over frequencies ends once its summands are below this share of the largest"
    )
    taper_middle: float = _constant(
        0.52, "of the frequencies", "a sum that has not ended is multiplied by a taper, which is 1/2 here"
    )
    taper_width: float = _constant(
        0.11, "of the frequencies", "width of that taper, an error function: within 4e-10 of 1 and 0 at its two ends"
    )
    # Where a release has many neighbours.
    bend: float = _constant(
        6.0,
        "deviations",
        "on either side of a kink of Psi: the law of the mean term rounds the kink over this width, and e^-18 = 2e-8 is left",
    )
    # Amounts of work that take as long as all that is done once for each window; that is the unit of work.
    exponentials_of_work: float = _constant(5e4, "exponentials a unit of work", "measured; controls time only")
    products_of_work: float = _constant(
        2e6, "products of powers and weights a unit of work", "measured; controls time only"
    )
    values_of_work: float = _constant(5e3, "values of a density a unit of work", "measured; controls time only")


SETTINGS = Settings()
