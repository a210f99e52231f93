"""Every constant of the computation at one release, with its unit and its reason: the error term that it controls.

Errors are relative to the density of failing releases, unless a reason says otherwise. What is left out as too small to
matter comes to some 1e-9, which `failure_probability` adds to the error that it states. The errors of the rules depend on the
`Effort`; `failure_probability` estimates them from a larger one.
"""

import dataclasses
from typing import NamedTuple, TypeVar

__all__ = ["SETTINGS", "Effort", "Settings"]

_Number = TypeVar("_Number", int, float)


class Effort(NamedTuple):
    """How finely one release is worked out.

    Parameters
    ----------
    order : int
        Nodes on a panel, of a term and of the mean term.
    phase : float
        Radians by which an oscillating factor turns on a panel, at most.
    reach : float
        Largest frequency, in units of one over the distance between windows.
    """

    order: int
    phase: float
    reach: float


def _constant(value: _Number, unit: str, reason: str) -> _Number:
    return dataclasses.field(default=value, metadata={"unit": unit, "reason": reason})


@dataclasses.dataclass(frozen=True)
class Settings:
    """The constants; ``dataclasses.fields(Settings)`` lists them with ``metadata["unit"]`` and ``metadata["reason"]``.

    "Logarithm" is a natural one; a "deviation" is a standard deviation of the mean term under a window's tilt.
    """

    # The law of one term.
    deepest_log: float = _constant(
        60.0,
        "logarithm",
        "terms e^-60 times what a failure needs stand for all smaller ones: beside it they are no more than 1e-26",
    )
    log_above_failing: float = _constant(
        2.0,
        "logarithm",
        "terms are cut off e^2 above the largest that a failure can have, so that the kink which the cut leaves in the law "
        "of the mean lies apart from the largest mean that fails",
    )
    most_epsilon_of_one_law: float = _constant(
        100.0,
        "epsilon",
        "up to here both thresholds, e^(2 epsilon) apart, are floats in one unit; beyond, each has a law",
    )
    least_centred_log: float = _constant(
        -0.7, "logarithm", "terms of at least 1/2 are held as X - 1, which keeps their differences exact next to 1"
    )
    extremes_shortest: float = _constant(
        1e-8, "interval", "shortest panel beside the attributes with extreme terms: steep tilts see nothing else"
    )
    extremes_ratio: float = _constant(4.0, "ratio", "growth of the panels away from these attributes")
    noise_reach: float = _constant(8.0, "sigma", "the table of a law follows the noise so far from the release")
    noise_points: int = _constant(
        65, "points", "of the table within that reach: four a sigma, for interpolated demands"
    )
    log_per_panel: float = _constant(
        2.0, "logarithm", "growth of a term on a panel: there 5 nodes leave 1e-9 of its moments, 8 nodes a rounding"
    )
    moment_order: int = _constant(
        5, "nodes a panel", "for the moments that place tilts and windows, which need few digits"
    )
    mass_order: int = _constant(8, "nodes a panel", "for the masses of targets, which enter the answer")
    # Tilts.
    first_tilt: float = _constant(
        0.4,
        "deviations",
        "the first tilt moves the mean so far; a smaller step than any between windows finds their places",
    )
    tilt_growth: float = _constant(1.4, "ratio", "of a tilt to the one before, for the same reason")
    tilts_at_a_time: int = _constant(30, "tilts", "worked out together; no effect on a result's error, only on time")
    bisections: int = _constant(
        12, "rounds", "of halving steps of the tilts where the mean jumps; 2^-12 of the first step"
    )
    jump: float = _constant(3.0, "ratio", "a step of the mean so much longer than the one before may hide a jump")
    near_end: float = _constant(1e-4, "relative", "tilts end when the mean is so close to the end that terms can reach")
    impossible_log: float = _constant(-800.0, "logarithm", "of a probability below the smallest float: tilts end there")
    largest_exponent: float = _constant(
        700.0, "logarithm", "of the largest and the smallest float: exponents are cut there"
    )
    least_total: float = _constant(
        1e-280,
        "probability",
        "tilts under which all terms weigh less are dropped: products with them would lose digits",
    )
    least_variance: float = _constant(
        1e-12, "relative", "least variance of a tilted term, which rounding may leave negative"
    )
    small_tilt: float = _constant(
        0.01,
        "exponent",
        "with smaller tilts log E e^(theta X) is about the mean, since p would multiply its rounding error",
    )
    # Windows.
    spacing: float = _constant(
        2.8, "deviations", "between the means of two windows: what a window sees of the law stays close to normal"
    )
    least_step: float = _constant(
        1 / 16, "spacings", "shorter steps between windows are skipped: an edge as sharp would need as high frequencies"
    )
    approach: float = _constant(
        0.5,
        "of the way",
        "to the end that terms can reach, at most, between two windows: the law changes on that scale",
    )
    last_step_parts: float = _constant(
        3.0,
        "parts of a spacing",
        "a last window closer to the one before than one such part is left out: that one sees on",
    )
    sharpness: float = _constant(
        4.0,
        "ratio",
        "of a window's width to that of its edges, which keeps its transform within the frequencies of the law's",
    )
    edge: float = _constant(5.5, "widths of an edge", "erfc(5.5) = 7e-15: an edge ends where that is left")
    wide_log: float = _constant(
        30.0,
        "logarithm",
        "of terms, beyond which a mean next to the smallest may weigh more than all that a window is for: edges nest",
    )
    saturated: float = _constant(
        1e-9, "relative", "the share of failing targets counts as constant below a mean from which on it grows by less"
    )
    inward_log: float = _constant(
        19.0, "logarithm", "windows e^-19 = 6e-9 of the largest are left out on the side of the mean without tilt"
    )
    outward_log: float = _constant(
        11.0,
        "logarithm",
        "on the other side windows below e^-11 of the largest are joined to the one before, which sees on",
    )
    unseen_log: float = _constant(
        26.0, "logarithm", "that joined window ends where windows would be e^-26 = 5e-12 of the largest"
    )
    # One window.
    alias_log: float = _constant(
        -22.0, "logarithm", "share e^-22 = 3e-10 of the tilted law that may lie beyond a period"
    )
    most_drawn_in_log: float = _constant(
        -0.7,
        "logarithm",
        "a tilt other than its own may make a window e^-0.7 = 1/2 times less likely, at the price of one bit",
    )
    period_margin: float = _constant(1.02, "ratio", "of the period to the least one, against rounding in its ends")
    least_frequencies: float = _constant(
        2.5, "reaches", "of frequencies at least, where the period is short: with few terms the law falls off slowly"
    )
    fading_log: float = _constant(20.0, "logarithm", "a window e^-20 of the largest would need no digit at all")
    least_digits: float = _constant(
        0.4, "share", "of the frequencies of the largest window that any other gets at least"
    )
    tilted_depth: float = _constant(36.0, "exponent", "terms weighing e^-36 = 2e-16 under a tilt are left out")
    tilt_per_panel: float = _constant(
        5.0, "exponent", "growth of the tilting factor on a panel, of which the least order, 8 nodes, misses 1e-11"
    )
    active_log_per_panel: float = _constant(
        3.0, "logarithm", "growth of a term on a panel, of those that matter to a window"
    )
    more_panels: int = _constant(2, "panels", "of a window at least, beside those that the frequency asks for")
    root_steps: int = _constant(8, "panels", "towards the mean from which on failing targets number like a root")
    root_ratio: float = _constant(
        0.25, "ratio", "of these panels: on the last one a rule misses less than 1e-9 of the root"
    )
    root_first: float = _constant(0.5, "distances between windows", "length of all of them together")
    sines_from: int = _constant(
        10_000,
        "neighbours",
        "from which on the characteristic function is found by sines: its p-th power multiplies rounding by p",
    )
    frequencies_at_a_time: int = _constant(256, "frequencies", "worked out before looking whether anything is left")
    nothing: float = _constant(1e-12, "relative", "size of the summands at which the sum over frequencies ends")
    taper_middle: float = _constant(0.52, "of the frequencies", "where the taper of a sum that has not ended is 1/2")
    taper_width: float = _constant(
        0.11, "of the frequencies", "width of the taper: up to 4e-10 it is 1 and 0 at its ends"
    )
    # Where a release has many neighbours.
    bend: float = _constant(
        6.0,
        "deviations",
        "on either side of a kink, over which many neighbours round it: e^-18 = 2e-8 of it is left beyond",
    )
    # What takes as long as everything that is done once for a window, the unit of work.
    exponentials_of_work: float = _constant(5e4, "exponentials a unit of work", "measured")
    products_of_work: float = _constant(2e6, "products of powers and weights a unit of work", "measured")
    values_of_work: float = _constant(5e3, "values of a density a unit of work", "measured")


SETTINGS = Settings()
