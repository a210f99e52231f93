"""Seeded draws of datasets: the outer loop of paper A's Procedure.

The adversary knows everybody in the dataset but one. So of the population's n attributes only n - m + 1 matter: the target's,
and those of the n - m people who are not in the dataset and could stand in the target's place. The other attributes cancel
from the ratio (32), and are not drawn.

The records of a dataset form a set. "The vector of attribute values" is taken here with the replacing record in the place of
the replaced one. With the records in the order of their index one replacement could shift every entry of the vector, and the
sensitivity would not be 1.
"""

from disclosure.numerics import errors
from disclosure.numerics.types import FloatArray
from disclosure.study import points, streams
from disclosure.study.points import Point

__all__ = ["ATTRIBUTES", "draw"]

ATTRIBUTES = ("uniform", "binary")
"""Laws of attributes that are drawn: uniform on [0, 1], or 0 and 1 alike."""


def draw(
    seed: int, point: Point, start: int, stop: int, replication: int | None = None, attributes: str = "uniform"
) -> tuple[FloatArray, FloatArray]:
    """Attributes of the target and of its neighbours, for a range of a point's datasets.

    Parameters
    ----------
    seed : int
        Root seed, at least 0.
    point : Point
    start, stop : int
        The datasets ``start, ..., stop - 1``. A dataset has the same attributes in every range that holds it.
    replication : int, optional
        Number of an independent replication of the study, for which other attributes are drawn.
    attributes : {"uniform", "binary"}, optional
        Law of the attributes. A binary one is 1 where the uniform one of the same dataset is at least 1/2.

    Returns
    -------
    target : ndarray, shape (stop - start, 1)
    neighbours : ndarray, shape (stop - start, n - m, 1)

    Raises
    ------
    disclosure.numerics.errors.DomainError
        For a point outside its domain, and for other attributes.
    """
    if attributes not in ATTRIBUTES:
        raise errors.DomainError(f"attributes = {attributes!r} is none of {', '.join(ATTRIBUTES)}")
    points.check(point)
    candidates = point.drawn_neighbours + 1
    generator = streams.attributes(seed, point, skip=start * candidates, replication=replication)
    values = generator.random((stop - start, candidates))
    if attributes == "binary":
        values = (values >= 0.5).astype(float)
    return values[:, :1], values[:, 1:, None]
