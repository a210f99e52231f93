"""How many targets, and how many datasets of each, some seconds allow."""

__all__ = ["quick_datasets", "quick_targets"]

# Neighbours, summed over all datasets of all targets, that take some seconds of work: by the number of columns, and beyond two.
_WORK = {1: 800_000, 2: 160_000}
_WORK_BEYOND = 5_000
# Datasets of each target: the number if that is affordable, and the least number before some people are left out.
_DATASETS, _FEW_DATASETS = 100, 10
# Targets, and datasets of each, at least, however large the table is.
_LEAST_TARGETS, _LEAST_DATASETS = 6, 2


def quick_targets(
    different: int, neighbours: int, dimensions: int, datasets: int | None = None, rounds: int = 1
) -> int:
    """How many targets take some seconds: everybody, if that is no more.

    Parameters
    ----------
    different : int
        Different people in the table.
    neighbours : int
        n - m.
    dimensions : int
        Columns.
    datasets : int, optional
        Of each target, if that is settled.
    rounds : int, optional
        How often all is computed.
    """
    sets = _WORK.get(dimensions, _WORK_BEYOND) // (neighbours * rounds)
    return min(different, max(_LEAST_TARGETS, sets // (datasets or _FEW_DATASETS)))


def quick_datasets(targets: int, neighbours: int, dimensions: int, rounds: int = 1) -> int:
    """How many datasets of each target take some seconds, from 2 to 100; the parameters are those of `quick_targets`."""
    sets = _WORK.get(dimensions, _WORK_BEYOND) // (neighbours * rounds)
    return min(_DATASETS, max(_LEAST_DATASETS, sets // targets))
