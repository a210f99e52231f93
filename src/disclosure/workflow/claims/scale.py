"""The scale at which paper A prints its numbers: points of its figures, sampled datasets N1, releases N2, n and delta."""

from typing import Final

import numpy as np

from disclosure.study.points import Point

__all__ = ["DATASETS", "DELTA", "POINTS", "POPULATION", "PRINTED_SWEEPS", "RELEASES"]

DATASETS: Final = 1_000
RELEASES: Final = 1_000_000

POPULATION: Final = 100
DELTA: Final = 10**-1.1
# Of the sweeps that the paper prints numbers of, by their names in the configuration.
POINTS: Final[dict[str, list[Point]]] = {
    "figure1": [Point(POPULATION, 90, epsilon, DELTA) for epsilon in np.linspace(0.2, 2.0, 40).tolist()],
    "figure2": [Point(POPULATION, int(sample), 1.0, DELTA) for sample in np.rint(np.linspace(10, 99, 40)).tolist()],
    "figure3": [Point(POPULATION, 90, 1.0, delta) for delta in np.linspace(DELTA, 1.0, 40).tolist()],
    "figure3_at_095": [Point(POPULATION, 90, 1.0, 0.95)],
}
PRINTED_SWEEPS: Final = tuple(POINTS)
