"""Whole files, and tables with known columns.

A file is written under a temporary name next to its own, and gets its own name when it is whole. When a job begins it removes
the temporary files that other jobs have made for the same output. So a job that has outlived a killed run can no longer put an
old file in the place of a newer one.
"""

import contextlib
import csv
import fcntl
import io
import itertools
import math
import os
import pathlib
import tempfile
import uuid
import weakref
from collections.abc import Iterator, Mapping, Sequence
from typing import IO, Any, Final, TypeAlias

import numpy as np
from numpy.typing import ArrayLike, NDArray

from disclosure.numerics.errors import DisclosureError

__all__ = [
    "ADVERSARIES",
    "ATTRIBUTE_RISK",
    "CALIBRATED",
    "CALIBRATION",
    "COMPARISON",
    "DESIGN",
    "EXPECTED",
    "EXPOSURE",
    "EXPOSURE_SUMMARY",
    "MOVEMENT",
    "PEOPLE_SUMMARY",
    "POINTS",
    "RELEASE_BUDGET",
    "RELEASE_PEOPLE",
    "RELEASE_STATISTICS",
    "REPLICATION",
    "SIMULATION",
    "SUMMARY",
    "UPPER_LIMIT",
    "VERIFICATION",
    "Columns",
    "Shards",
    "Table",
    "TableError",
    "own",
    "read",
    "read_parts",
    "sweep_name",
    "write",
]

# The cell of an infinite population.
_INFINITE = "inf"
# Rows of a table that are held as text at once: some megabytes.
_ROWS_AT_A_TIME = 10_000
# Names of the columns of a file, in their order, and the type of each column's cells.
Columns: TypeAlias = Mapping[str, type]
# Columns of equal length.
Table: TypeAlias = dict[str, NDArray[Any]]


class People(int):
    """The type of a column of numbers of people, whole ones or inf. Without an inf it is a column of whole numbers."""


_POINT: Final[dict[str, type]] = {"point": int, "population": People, "sample": int, "epsilon": float, "delta": float}
# A point and its noise.
CALIBRATED: Final[dict[str, type]] = {**_POINT, "sigma": float}
# Each row names its sweep, so that no reader needs the name of a folder.
_SWEEP: Final[dict[str, type]] = {"sweep": str}
# What epsilon and delta are about. Of approximate privacy: the probabilistic privacy that follows from it, which the bounds of
# the ratio are stated with; empty where epsilon and delta are that themselves.
_GUARANTEE: Final[dict[str, type]] = {"definition": str, "epsilon_prime": float, "delta_prime": float}
# The name of the mechanism; sigma is the scale of its noise.
_MECHANISM: Final[dict[str, type]] = {"mechanism": str}
CALIBRATION: Final[dict[str, type]] = {**_SWEEP, **CALIBRATED, **_GUARANTEE, **_MECHANISM}
# Columns with ``prior_free`` are of the bounds (26), those of the same name without it of (24).
UPPER_LIMIT: Final[dict[str, type]] = {
    "point": int,
    "dataset": int,
    **dict.fromkeys(("union_mass", "failure_probability", "failure_probability_prior_free"), float),
    **dict.fromkeys(("ratio_probability", "ratio_lower_quantile", "ratio_upper_quantile"), float),
}
SIMULATION: Final[dict[str, type]] = {
    "point": int,
    "dataset": int,
    "releases": int,
    "failures": int,
    "failures_prior_free": int,
}
EXPECTED: Final[dict[str, type]] = {
    "point": int,
    **dict.fromkeys(
        ("union_mass_expected", "failure_probability_expected", "failure_probability_prior_free_expected"), float
    ),
}
SUMMARY: Final[dict[str, type]] = {
    **_SWEEP,
    **CALIBRATED,
    **_GUARANTEE,
    "datasets": int,
    "releases": int,
    **dict.fromkeys(
        (
            "union_mass_mean",
            "union_mass_se",
            "failure_share_mean",
            "failure_share_se",
            "failure_share_sd_published",
            "failure_probability_mean",
            "failure_probability_se",
        ),
        float,
    ),
    **dict.fromkeys(("var_between", "var_within", "union_mass_expected", "failure_probability_expected"), float),
    **dict.fromkeys(
        (
            "failure_share_prior_free_mean",
            "failure_share_prior_free_se",
            "failure_probability_prior_free_mean",
            "failure_probability_prior_free_se",
            "failure_probability_prior_free_expected",
            "ratio_probability",
            "ratio_lower_quantile_mean",
            "ratio_lower_quantile_smallest",
            "ratio_upper_quantile_mean",
            "ratio_upper_quantile_largest",
        ),
        float,
    ),
    **_MECHANISM,
}
VERIFICATION: Final[dict[str, type]] = {
    "sweep": str,
    **_POINT,
    "datasets": int,
    "releases": int,
    "failures": int,
    **dict.fromkeys(("expected", "standard_error", "p_value"), float),
    "failures_prior_free": int,
    **dict.fromkeys(("expected_prior_free", "standard_error_prior_free", "p_value_prior_free"), float),
}
ADVERSARIES: Final[dict[str, type]] = {
    "adversary": str,
    **dict.fromkeys(("q", "q0", "prior_odds_ratio", "bound", "epsilon", "epsilon_rounded_down"), float),
    "relation": str,
}
DESIGN: Final[dict[str, type]] = {
    "sweep": str,
    **_POINT,
    "failure_probability_mean": float,
    "published_relative_error": float,
    "published_seconds": float,
    "datasets": int,
    "releases": int,
    "seconds": float,
    "exact_datasets": int,
    "exact_seconds": float,
}
REPLICATION: Final[dict[str, type]] = {
    "replication": int,
    "sweep": str,
    "point": int,
    **dict.fromkeys(("union_mass_mean", "union_mass_se", "failure_probability_mean"), float),
    "failure_probability_left_out": float,  # at most
}
# People of a table, and what is said about all of them.
_RISKS: Final[dict[str, type]] = {
    **dict.fromkeys(("union_mass_mean", "union_mass_se", "union_mass_largest", "union_mass_supremum"), float),
    "supremum": str,
    **dict.fromkeys(
        ("failure_probability_mean", "failure_probability_se", "failure_probability_largest", "error"), float
    ),
}
# How far belief in presence moves, and of each person also the limits for everybody in the table, the same in each row.
_RATIOS: Final[dict[str, type]] = dict.fromkeys(
    (
        "probability",
        "rise_found",
        "rise_limit",
        "fall_found",
        "fall_limit",
        "posterior_limit",
        "ratio",
        "exceeding_found",
        "exceeding_limit",
    ),
    float,
)
_OF_ALL: Final[dict[str, type]] = {
    "person_of_all": int,
    **dict.fromkeys(("rise_limit_of_all", "fall_limit_of_all", "exceeding_limit_of_all"), float),
}
_DISTANCES: Final[dict[str, type]] = dict.fromkeys(("nearest", "farthest", "centre"), float)
# A row stands for everybody who is like its person: how many people, and how many datasets were drawn (0: all were listed). All
# have the number of the table's rows, and one is there for each probability that was asked.
EXPOSURE: Final[dict[str, type]] = {
    "point": int,
    "person": int,
    "chosen": str,
    **_DISTANCES,
    "prior": float,
    **_RATIOS,
    **_OF_ALL,
    **_RISKS,
    "people": int,
    "datasets": int,
    "rows": int,
}
# How a release changes the odds of sensitive values, a row for each noise and different person.
ATTRIBUTE_RISK: Final[dict[str, type]] = {
    "sigma": float,
    "person": int,
    "people": int,
    "sensitive": int,
    **dict.fromkeys(
        ("odds_rise_probability", "odds_fall_probability", "odds_factor_lower", "odds_factor_upper", "error"), float
    ),
}
EXPOSURE_SUMMARY: Final[dict[str, type]] = {
    **CALIBRATED,
    "guarantee": str,
    "relation": str,
    "targets": int,
    "datasets": int,
    "prior": float,
    **_RATIOS,
    "person_of_all": int,
    "most_exposed": int,
    **_DISTANCES,
    **dict.fromkeys(("ratio_lower", "ratio_upper", "prior_free_lower", "prior_free_upper"), float),
    **_RISKS,
}
# For each person and each probability that was asked: how far belief moves.
MOVEMENT: Final[dict[str, type]] = {
    "point": int,
    "person": int,
    **dict.fromkeys(
        (
            "probability",
            "rise_found",
            "rise_limit",
            "rise_limit_of_all",
            "fall_found",
            "fall_limit",
            "fall_limit_of_all",
            "posterior_limit",
        ),
        float,
    ),
}
# A planned release: every number that is released, and how far off it is.
RELEASE_STATISTICS: Final[dict[str, type]] = {
    **dict.fromkeys(("statistic", "kind", "entry", "unit", "mechanism"), str),
    **dict.fromkeys(("sensitivity", "scale", "rho", "error", "half_width", "sampling_error"), float),
}
# What it may reveal, in every language of privacy and as limits that hold for every table with the stated ranges.
RELEASE_BUDGET: Final[dict[str, type]] = {
    "population": People,
    "sample": int,
    "relation": str,
    "normal": int,
    **dict.fromkeys(
        (
            *(
                "rho",
                "spent",
                "mu",
                "delta",
                "epsilon_approximate",
                "epsilon_probabilistic",
                "epsilon_pure",
                "advantage",
            ),
            *("prior", "probability", "rise_limit", "fall_limit", "ratio", "exceeding_limit"),
        ),
        float,
    ),
}
# How far belief in presence moves by all of it, a row for each different person.
RELEASE_PEOPLE: Final[dict[str, type]] = {
    "person": int,
    "people": int,
    **dict.fromkeys(
        (
            *("prior", "rise_found", "rise_found_low", "rise_found_high", "rise_limit", "rise_limit_of_all"),
            *("fall_found", "fall_limit", "fall_limit_of_all", "posterior_limit", "exceeding_limit"),
        ),
        float,
    ),
}
# What the page of a release offers: for each noise and probability the risk, and of whom it is the largest.
POINTS: Final[dict[str, type]] = {
    **dict.fromkeys(("sigma", "epsilon", "delta"), float),
    "definition": str,
    **dict.fromkeys(("probability", "rise_limit_of_all", "rise_found", "posterior_limit"), float),
    "most_exposed": int,
}
# How far belief rises against the error of a statistic, for each size of the dataset, error and probability.
COMPARISON: Final[dict[str, type]] = {
    "sample": int,
    **dict.fromkeys(("sigma", "relative_error", "relative_sampling_error", "probability"), float),
    "person_of_all": int,
    **dict.fromkeys(("prior", "rise_limit", "rise_found", "posterior_limit"), float),
}
PEOPLE_SUMMARY: Final[dict[str, type]] = {**_SWEEP, **EXPOSURE_SUMMARY}


class TableError(DisclosureError, ValueError):
    """A file that is not the whole table that it should be."""


@contextlib.contextmanager
def own(path: str | os.PathLike[str]) -> Iterator[IO[bytes]]:
    """Open a binary file that becomes ``path`` when the block ends without an error.

    Raises
    ------
    TableError
        If no file can be made there or written to the end, or another job has taken the output over meanwhile.
    """
    if pathlib.Path(path).is_dir():
        raise TableError(f"output = {str(path)!r} is a folder; name a file")
    path = pathlib.Path(path)
    temporary = path.with_name(f".{path.name}.{uuid.uuid4().hex}.tmp")
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        file = _created(temporary, path)
    except OSError as error:
        raise TableError(
            f"output = {str(path)!r} cannot be written ({error.strerror}); name a file in a folder that can be"
        ) from None
    try:
        with file:
            yield file
            file.flush()
            os.fsync(file.fileno())
            _publish(temporary, path)
    except OSError as error:
        if error.filename is not None:  # of another file, which the error names
            raise
        raise TableError(
            f"output = {str(path)!r} was not written ({error.strerror}); mend that and run again"
        ) from None
    finally:
        temporary.unlink(missing_ok=True)


def _created(temporary: pathlib.Path, path: pathlib.Path) -> IO[bytes]:
    """A new temporary file, the only one beside the output."""
    with _locked(path.parent):
        file = temporary.open("xb")
        for other in path.parent.glob(f".{path.name}.*.tmp"):
            if other != temporary:
                other.unlink(missing_ok=True)
    return file


@contextlib.contextmanager
def _locked(folder: pathlib.Path) -> Iterator[None]:
    """Lock a folder for a moment: two jobs that start at once would else remove each other's file, and none publish."""
    handle = os.open(folder, os.O_RDONLY)
    try:
        with contextlib.suppress(OSError):  # not every file system has locks
            fcntl.flock(handle, fcntl.LOCK_EX)
        yield
    finally:
        os.close(handle)


def _publish(temporary: pathlib.Path, path: pathlib.Path) -> None:
    try:
        os.replace(temporary, path)
    except FileNotFoundError:
        raise TableError(f"{path}: another job has taken over this output; nothing was written") from None


def write(file: IO[bytes], columns: Columns, table: Mapping[str, ArrayLike]) -> None:
    """Write a table as CSV to a binary file.

    Parameters
    ----------
    file : binary file
    columns : dict of str to type
        One of this module's constants.
    table : dict of str to array_like
        Columns of equal length; NaN becomes an empty cell, other floats are written so that reading gives them back.
    """
    if list(table) != list(columns):
        raise TableError(f"a table has the columns {list(table)}; expected {list(columns)}")
    cells = [_cells(values, kind) for values, kind in zip(table.values(), columns.values(), strict=True)]
    text = io.TextIOWrapper(file, encoding="utf-8", newline="")
    writer = csv.writer(text, lineterminator="\n")
    writer.writerow(columns)
    writer.writerows(zip(*cells, strict=True))
    text.flush()
    text.detach()


def _cells(values: ArrayLike, kind: type) -> list[Any]:
    if kind is float:
        return ["" if value != value else repr(value) for value in np.asarray(values, dtype=float).tolist()]
    if kind is People:
        return [_INFINITE if value == math.inf else int(value) for value in np.asarray(values).tolist()]
    cells: list[Any] = np.asarray(values).astype(kind if kind is str else np.int64).tolist()
    return cells


def read(path: str | os.PathLike[str], columns: Columns, rows: int | None = None) -> Table:
    """Read a table with known columns.

    Parameters
    ----------
    path : path-like
    columns : dict of str to type
    rows : int, optional
        How many rows it must have.

    Returns
    -------
    dict of str to ndarray

    Raises
    ------
    TableError
        If the file has other columns, another number of rows, or a cell that cannot be read.
    """
    parts = list(read_parts(path, columns))
    table = {name: np.concatenate([part[name] for part in parts]) for name in columns}
    number = len(next(iter(table.values())))
    if rows is not None and number != rows:
        raise TableError(f"{path}: has {number} rows; expected {rows}; remove the file and run again")
    return table


def read_parts(path: str | os.PathLike[str], columns: Columns) -> Iterator[Table]:
    """Read a table as `read` does, some thousand rows at a time, so that memory does not grow with the table.

    The errors are those of `read`; the rows before a damaged one may have been yielded.
    """
    try:
        if not os.path.getsize(path):
            raise TableError(f"{path}: is empty; expected a header with {', '.join(columns)}; make the file again")
        with open(path, "rb") as raw:
            raw.seek(-1, os.SEEK_END)
            whole = raw.read() == b"\n"
        with open(path, encoding="utf-8", newline="") as file:
            yield from _checked_parts(path, csv.reader(file), columns, whole)
    except OSError as error:
        raise TableError(f"{path}: cannot be read as a table ({error.strerror})") from None
    except TableError:
        raise
    except (ValueError, csv.Error) as error:
        raise TableError(f"{path}: cannot be read as a table ({error})") from None


def _checked_parts(
    path: str | os.PathLike[str], lines: Iterator[list[str]], columns: Columns, whole: bool
) -> Iterator[Table]:
    header, first = next(lines), 2
    if not whole:
        raise TableError(f"{path}: is cut off, its last line has no end; remove the file and run again")
    if header != list(columns):
        raise TableError(f"{path}: has the columns {header}; expected {list(columns)}; remove the file and run again")
    while True:
        body = list(itertools.islice(lines, _ROWS_AT_A_TIME))
        place = next((place for place, row in enumerate(body) if len(row) != len(header)), None)
        if place is not None:
            raise TableError(
                f"{path}: line {first + place} has {len(body[place])} cells; expected {len(header)}; "
                "remove the file and run again"
            )
        cells = list(zip(*body, strict=True)) if body else [()] * len(columns)
        try:
            part = {name: _values(column, kind) for (name, kind), column in zip(columns.items(), cells, strict=True)}
        except ValueError as error:
            raise TableError(f"{path}: is damaged ({error}); remove the file and run again") from None
        # A table without rows is one part without rows.
        if body or first == 2:
            yield part
        if len(body) < _ROWS_AT_A_TIME:
            return
        first += len(body)


def _values(cells: Sequence[str], kind: type) -> NDArray[Any]:
    if kind is float:
        return np.array([float(cell) if cell else np.nan for cell in cells])
    if kind is People and _INFINITE in cells:
        return np.array([math.inf if cell == _INFINITE else int(cell) for cell in cells])
    return np.array([kind(cell) for cell in cells], dtype=kind if kind is str else np.int64)


def sweep_name(path: str | os.PathLike[str], table: Table) -> str:
    """The one sweep that all rows of a table are of.

    Parameters
    ----------
    path : path-like
        Of the table, for the message.
    table : dict of str to ndarray
        With the column ``sweep``.

    Returns
    -------
    str

    Raises
    ------
    TableError
        If the rows are of several sweeps, or there is none.
    """
    names = sorted(set(table["sweep"].tolist()))
    if len(names) != 1:
        raise TableError(f"{path}: has rows of the sweeps {names}; expected rows of one sweep; make the file again")
    return str(names[0])


class Shards:
    """The shards of one stage, with a row for each of the datasets of each of the points: numbers, sorted by both.

    They are copied to a file without a name, a part of a table at a time, and read from it a point at a time. So memory grows
    with the datasets of one point and no faster, however many rows a shard has.

    Parameters
    ----------
    paths : sequence of path-like
    columns : dict of str to type
        Of the shards: ``point``, ``dataset``, and whole numbers and floats.
    datasets, points : int

    Raises
    ------
    TableError
        If a shard cannot be read, or a dataset of a point is missing or there twice.
    """

    def __init__(self, paths: Sequence[str | os.PathLike[str]], columns: Columns, datasets: int, points: int) -> None:
        names = [name for name in columns if name not in ("point", "dataset")]
        self._places = {name: place for place, name in enumerate(names)}
        self._types = {name: np.dtype(np.float64 if columns[name] is float else np.int64) for name in names}
        self._datasets, self._points = datasets, points
        self._file = tempfile.TemporaryFile()  # noqa: SIM115 - closed with the object
        weakref.finalize(self, self._file.close)
        seen, rows = np.zeros((points, datasets), dtype=bool), 0
        for path in paths:
            for part in read_parts(path, columns):
                point, dataset = part["point"], part["dataset"]
                inside = (point >= 0) & (point < points) & (dataset >= 0) & (dataset < datasets)
                if inside.all():
                    seen[point, dataset] = True
                    self._put(part)
                rows += point.size
        if rows != seen.size or not seen.all():
            raise TableError(
                f"{paths[0]} and its {len(paths) - 1} siblings hold {rows} rows; expected each of {datasets} datasets "
                f"at each of {points} points once"
            )

    def _put(self, part: Table) -> None:
        """Write the numbers of a part to their places, a run of successive datasets at a time."""
        point, dataset = part["point"], part["dataset"]
        ends = np.flatnonzero((np.diff(point) != 0) | (np.diff(dataset) != 1)) + 1
        for first, last in itertools.pairwise([0, *ends.tolist(), point.size]):
            for name in self._places if first < last else ():
                self._file.seek(self._start(name, int(point[first]), int(dataset[first])))
                self._file.write(part[name][first:last].astype(self._types[name]).tobytes())

    def _start(self, name: str, point: int, dataset: int = 0) -> int:
        """Place in the file of the first of some numbers, all of which have eight bytes."""
        return 8 * ((self._places[name] * self._points + point) * self._datasets + dataset)

    def __getitem__(self, name: str) -> Iterator[NDArray[Any]]:
        """A column: the numbers of each point in turn, shape (datasets,)."""
        for point in range(self._points):
            self._file.seek(self._start(name, point))
            yield np.frombuffer(self._file.read(8 * self._datasets), dtype=self._types[name])
